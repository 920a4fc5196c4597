"""
Documents as people have them, as one text with pages, parts and places.

`document` has the classes and `reading` decides the format by the content. `pdf` asks `pdf_child`, a process of its
own, whose lines `layout` puts in reading order. `word`, `web`, `books` and `sheets` read the other formats, and
`archives` opens ZIP files within limits.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.documents.document import Box, Document, DocumentFormat, Location, Page, Part, PartKind
    from groundwire.documents.reading import read_document

__all__ = ["Box", "Document", "DocumentFormat", "Location", "Page", "Part", "PartKind", "read_document"]

_HOMES = {
    **dict.fromkeys(
        ("Box", "Document", "DocumentFormat", "Location", "Page", "Part", "PartKind"), "groundwire.documents.document"
    ),
    "read_document": "groundwire.documents.reading",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
