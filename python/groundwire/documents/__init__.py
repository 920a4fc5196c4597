"""
Documents as people have them, as one text with pages, parts and places.

`document` has the classes and `reading` decides the format by the content. `pdf` asks `pdf_child`, a process of its
own, whose lines `layout` puts in reading order. `pdf_pages` asks it for images of pages, which `pdf_images` draws
there, and for copies with notes, which `pdf_notes` adds there. `word`, `web`, `books` and `sheets` read the other
formats, and `archives` opens ZIP files within limits.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.documents.document import Box, Document, DocumentFormat, Location, Page, Part, PartKind
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
    **dict.fromkeys(
        ("AnnotatedPdf", "PageImage", "PageImages", "PassageNote", "PixelBox", "annotate_pdf", "render_pages"),
        "groundwire.documents.pdf_pages",
    ),
    "read_document": "groundwire.documents.reading",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
