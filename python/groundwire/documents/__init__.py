"""
Reads documents as one text with pages, parts and locations.

`document` has the classes, `reading` decides the format by the content, and `folder` keeps the documents of a folder.
`reader_process` asks `reader_child`, a process with limits that reads all but plain text. In it `pdf_child` reads PDFs:
`page_reader` asks PDFium, `page_lines` corrects the lines, and `layout` puts them in reading order. `pdf_pages` asks
for images of pages, which `pdf_images` draws there, and for copies with notes, which `pdf_notes` adds there. `word`,
`web` and `sheets` read the other formats, `archives` opens ZIP files within limits, and `process_limits` has the limits
of the process.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.documents.document import Box, Document, DocumentFormat, Location, Page, Part, PartKind
    from groundwire.documents.folder import DocumentFolder
    from groundwire.documents.pdf_pages import (
        AnnotatedPdf,
        PageImage,
        PageImages,
        PassageNote,
        PixelBox,
        annotate_pdf,
        render_pages,
    )
    from groundwire.documents.reading import read_document

__all__ = [
    "AnnotatedPdf",
    "Box",
    "Document",
    "DocumentFolder",
    "DocumentFormat",
    "Location",
    "Page",
    "PageImage",
    "PageImages",
    "Part",
    "PartKind",
    "PassageNote",
    "PixelBox",
    "annotate_pdf",
    "read_document",
    "render_pages",
]

_HOMES = {
    **dict.fromkeys(
        ("Box", "Document", "DocumentFormat", "Location", "Page", "Part", "PartKind"), "groundwire.documents.document"
    ),
    "DocumentFolder": "groundwire.documents.folder",
    **dict.fromkeys(
        ("AnnotatedPdf", "PageImage", "PageImages", "PassageNote", "PixelBox", "annotate_pdf", "render_pages"),
        "groundwire.documents.pdf_pages",
    ),
    "read_document": "groundwire.documents.reading",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
