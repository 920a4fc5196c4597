"""
Documents as people have them, as one text with pages, parts and places.

`document` has the classes, `reading` decides the format by the content, and `folder` keeps the documents of a folder.
`reader_process` asks `reader_child`, a process with limits that reads all but plain text. In it `pdf_child` reads PDFs:
`page_reader` asks PDFium, `page_lines` corrects the lines, and `layout` puts them in reading order. `word`, `web` and
`sheets` read the other formats, and `archives` opens ZIP files within limits.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.documents.document import Box, Document, DocumentFormat, Location, Page, Part, PartKind
    from groundwire.documents.folder import DocumentFolder
    from groundwire.documents.reading import read_document

__all__ = [
    "Box",
    "Document",
    "DocumentFolder",
    "DocumentFormat",
    "Location",
    "Page",
    "Part",
    "PartKind",
    "read_document",
]

_HOMES = {
    **dict.fromkeys(
        ("Box", "Document", "DocumentFormat", "Location", "Page", "Part", "PartKind"), "groundwire.documents.document"
    ),
    "DocumentFolder": "groundwire.documents.folder",
    "read_document": "groundwire.documents.reading",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
