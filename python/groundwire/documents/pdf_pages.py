"""Shows pages of a PDF: images with the boxes of passages, and a copy of the PDF with notes."""

import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from groundwire.documents.document import Document
from groundwire.errors import DocumentError
from groundwire.sanitize import sanitize

if TYPE_CHECKING:
    from groundwire.documents.pdf_images import PdfImages

__all__ = ["AnnotatedPdf", "PageImage", "PageImages", "PassageNote", "PixelBox", "annotate_pdf", "render_pages"]

_COLOR = re.compile(r"[0-9A-Fa-f]{6}")
_PNG_START = b"\x89PNG\r\n\x1a\n"


class PixelBox(NamedTuple):
    """Holds a rectangle on the image of a page, in pixels from the top left."""

    page: int
    left: float
    top: float
    right: float
    bottom: float


class PageImage(NamedTuple):
    """Holds the image of a page: the number of the page from 1, the size in pixels, and the PNG."""

    page: int
    width: int
    height: int
    png: bytes


class PageImages(NamedTuple):
    """
    Holds images of pages.

    Attributes:
        images: The images, in the order of the requested pages. A page that cannot be drawn has none.
        boxes: For each passage, one rectangle for each of its lines on these pages.
        has_more: Whether pages are left out because of `max_bytes`.
    """

    images: tuple[PageImage, ...]
    boxes: tuple[tuple[PixelBox, ...], ...]
    has_more: bool


class PassageNote(NamedTuple):
    """
    Holds a note on spans of a document.

    Attributes:
        spans: Start and end of each span, in code points of the document's text.
        label: The subject of the note.
        text: The text of the note.
        color: The colour of its highlight, as six hexadecimal digits.

    Hidden characters in `label` and `text` are spelled out.
    """

    spans: tuple[tuple[int, int], ...]
    label: str
    text: str
    color: str


class AnnotatedPdf(NamedTuple):
    """
    Holds a copy of a PDF with notes.

    Attributes:
        content: The bytes of the original, followed by the notes.
        highlights: The number of highlights; a note has one for each of its pages.
        is_signed: Whether the original has a signature. Readers report the copy as changed after it was signed.
    """

    content: bytes
    highlights: int
    is_signed: bool


def render_pages(
    document: Document,
    pages: Sequence[int],
    spans: Sequence[Sequence[tuple[int, int]]] = (),
    *,
    max_bytes: int = 20 << 20,
) -> PageImages:
    """
    Draw pages of a PDF as images, and find the boxes of passages on them.

    PDFium draws them as readers show them, cropped and rotated, in a process with limits of time and memory.

    Args:
        document: A PDF.
        pages: Numbers of pages, from 1; the most important first. Repeated ones are drawn once.
        spans: Passages, each as spans of the document's text.
        max_bytes: Maximum number of bytes of all images together; further pages are left out.

    Raises:
        ValueError: The document is not a PDF.
        DocumentError: The pages cannot be drawn, or the file changed since the document was read.
        OSError: The file cannot be read.
    """
    from groundwire.documents.pdf import ask, pdf_error
    from groundwire.documents.pdf_images import PdfImages, RenderRequest

    # PDFium would take page 0 for the last one.
    wanted = [number - 1 for number in dict.fromkeys(pages) if number > 0]
    drawn = frozenset(wanted)
    # For consecutive runs of a page, PDFium reads its characters once.
    owned = sorted(
        ((run, owner) for owner, parts in enumerate(spans) for run in _runs(document, parts) if run[0] in drawn),
        key=lambda each: each[0][0],
    )
    request = RenderRequest(document.content(), wanted, [run for run, _ in owned], max_bytes)
    answer = ask(request, document.name)
    if not isinstance(answer, PdfImages) or not _fits(answer, wanted, len(owned)):
        raise pdf_error("crashed", document.name)
    boxes: list[list[PixelBox]] = [[] for _ in spans]
    for run, page, *sides in answer.boxes:
        boxes[owned[run][1]].append(PixelBox(page + 1, *sides))
    images = tuple(PageImage(page + 1, width, height, png) for page, width, height, png in answer.images)
    return PageImages(images, tuple(map(tuple, boxes)), answer.has_more)


def _runs(document: Document, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    for start, end in spans:
        yield from document.runs(start, end)


def _fits(answer: "PdfImages", pages: list[int], runs: int) -> bool:
    """Tell whether an answer is consistent, because a file may have taken over the process."""
    from groundwire.documents.pdf_images import MAX_PIXELS

    drawn = {page for page, *_ in answer.images}
    return (
        len(drawn) == len(answer.images)
        and drawn <= set(pages)
        and all(width > 0 and height > 0 and width * height <= MAX_PIXELS for _, width, height, _ in answer.images)
        and all(png.startswith(_PNG_START) for *_, png in answer.images)
        and all(0 <= run < runs and page in drawn for run, page, *_ in answer.boxes)
        and all(isfinite(side) for _, _, *sides in answer.boxes for side in sides)
    )


def annotate_pdf(document: Document, notes: Sequence[PassageNote]) -> AnnotatedPdf:
    """
    Return a copy of a PDF with a highlight and a note for each passage.

    The copy begins with the bytes of the original, so page content does not change. Notes on spaces alone have no
    highlight.

    Args:
        document: A PDF.
        notes: The notes. The note of a passage on several pages has a highlight on each.

    Raises:
        ValueError: The document is not a PDF, or a colour does not have six hexadecimal digits.
        DocumentError: The PDF is encrypted or damaged, the file changed since the document was read, or pypdf is not
            installed.
        OSError: The file cannot be read.
    """
    from groundwire.documents.pdf import ask, pdf_error
    from groundwire.documents.pdf_notes import AnnotateRequest, PdfAnnotated, PdfNote

    for place, note in enumerate(notes):
        if _COLOR.fullmatch(note.color) is None:
            raise ValueError(f"the color of notes[{place}] must be six hexadecimal digits")
    if find_spec("pypdf") is None:
        raise DocumentError(
            document.name,
            "not_installed",
            "a PDF, to which the library pypdf adds notes",
            "pip install 'groundwire[documents]'",
        )
    content = document.content()
    written = [
        PdfNote(list(_runs(document, note.spans)), sanitize(note.label), sanitize(note.text), note.color)
        for note in notes
    ]
    written.sort(key=lambda note: [run[0] for run in note.runs])
    answer = ask(AnnotateRequest(content, written), document.name)
    if not isinstance(answer, PdfAnnotated):
        raise pdf_error("crashed", document.name)
    return AnnotatedPdf(content + answer.appended, answer.highlights, answer.is_signed)
