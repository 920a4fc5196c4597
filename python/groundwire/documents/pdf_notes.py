"""
Adds notes to the pages of a PDF, in the process of `groundwire.documents.pdf_child`.

pypdf appends an update to the file: the bytes before it stay, and so do the content of pages and their signatures.
PDFium can append too, but leaves out the type of a cross-reference stream, which other readers require.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import closing
from io import BytesIO
from typing import Any

import msgspec

from groundwire.documents.pdf_images import PageSides

__all__ = ["AnnotateRequest", "AnnotationError", "PdfAnnotated", "PdfNote", "add_notes"]

# Points around the glyphs of a line, for the soft edges of their strokes.
_MARGIN = 0.4


class PdfNote(msgspec.Struct, frozen=True):
    """
    Holds a note on runs of characters.

    Attributes:
        runs: Page index, first character, and number of characters.
        label: The subject of the note.
        text: The text of the note.
        color: The colour of its highlight, as six hexadecimal digits.
    """

    runs: list[tuple[int, int, int]]
    label: str
    text: str
    color: str


class AnnotateRequest(msgspec.Struct, tag="annotate", frozen=True):
    """Asks for a copy of a PDF with notes."""

    content: bytes
    notes: list[PdfNote]


class PdfAnnotated(msgspec.Struct, tag="annotated", frozen=True):
    """
    Holds what a copy of a PDF with notes adds.

    Attributes:
        appended: The bytes after those of the original.
        highlights: The number of highlights; a note has one for each of its pages.
        is_signed: Whether the original has a signature.
    """

    appended: bytes
    highlights: int
    is_signed: bool


class AnnotationError(Exception):
    """Reports that notes cannot be added; the message is the code."""


def add_notes(
    document: Any, request: AnnotateRequest, sides: Iterable[PageSides | None], on_step: Callable[[], None]
) -> PdfAnnotated:
    """
    Return a copy of the PDF of *request* with its notes.

    Args:
        document: The PDF, as PDFium opened it.
        request: The PDF and the notes.
        sides: The box of each run of all notes; None for a run without one.
        on_step: Called after each step.

    Raises:
        AnnotationError: The PDF is encrypted, or its copy would not be read as expected.
    """
    import pypdfium2.raw as pdfium

    if pdfium.FPDF_GetSecurityHandlerRevision(document) >= 0:
        raise AnnotationError("protected")
    is_signed = pdfium.FPDF_GetSignatureCount(document) > 0
    places = _places(request.notes, sides)
    if not places:
        return PdfAnnotated(b"", 0, is_signed)
    on_step()
    appended = _appended(request, places)
    on_step()
    if not _is_as_expected(request.content, appended, Counter(page for _, page in places), on_step):
        raise AnnotationError("not_annotated")
    return PdfAnnotated(appended, len(places), is_signed)


def _places(notes: list[PdfNote], sides: Iterable[PageSides | None]) -> dict[tuple[int, int], list[PageSides]]:
    """Return the boxes of each note on each page, by the index of both."""
    places: dict[tuple[int, int], list[PageSides]] = defaultdict(list)
    boxes = iter(sides)
    for number, note in enumerate(notes):
        for _ in note.runs:
            if (box := next(boxes)) is not None:
                places[number, box[0]].append(box)
    return places


def _appended(request: AnnotateRequest, places: dict[tuple[int, int], list[PageSides]]) -> bytes:
    import pypdf

    copy = BytesIO()
    try:
        writer = pypdf.PdfWriter(BytesIO(request.content), incremental=True)
        for (number, page), boxes in places.items():
            writer.add_annotation(page, _highlight(request.notes[number], boxes))
        writer.write(copy)
    except MemoryError:
        raise
    # pypdf raises many kinds of errors for a damaged file.
    except Exception:
        raise AnnotationError("not_annotated") from None
    if not copy.getvalue().startswith(request.content):
        raise AnnotationError("not_annotated")
    return copy.getvalue()[len(request.content) :]


def _highlight(note: PdfNote, boxes: list[PageSides]) -> Any:
    """Return a highlight with one quadrilateral for each box, and the text of the note."""
    from pypdf.annotations import Highlight
    from pypdf.generic import ArrayObject, FloatObject, NameObject, TextStringObject

    corners = [
        (left - _MARGIN, bottom - _MARGIN, right + _MARGIN, top + _MARGIN) for _, left, bottom, right, top in boxes
    ]
    lefts, bottoms, rights, tops = zip(*corners, strict=True)
    # In the order that readers expect, which is not that of the standard: both upper corners come first.
    points = [
        value for left, bottom, right, top in corners for value in (left, top, right, top, left, bottom, right, bottom)
    ]
    highlight = Highlight(
        rect=(min(lefts), min(bottoms), max(rights), max(tops)),
        quad_points=ArrayObject(FloatObject(round(value, 2)) for value in points),
        highlight_color=note.color,
        printing=True,
        title_bar="groundwire",
    )
    highlight[NameObject("/Contents")] = TextStringObject(note.text)
    highlight[NameObject("/Subj")] = TextStringObject(note.label)
    return highlight


def _is_as_expected(content: bytes, appended: bytes, added: Counter[int], on_page: Callable[[], None]) -> bool:
    """Tell whether PDFium reads the same pages and *added* annotations in a copy; pypdf may lose parts of a file."""
    import pypdfium2

    try:
        # Reading boxes may have turned pages of the document that is open.
        with (
            closing(pypdfium2.PdfDocument(content)) as original,
            closing(pypdfium2.PdfDocument(content + appended)) as copy,
        ):
            if len(copy) != len(original):
                return False
            for number in range(len(original)):
                annotations, *before = _page_facts(original, number)
                if [annotations + added[number], *before] != list(_page_facts(copy, number)):
                    return False
                on_page()
    except pypdfium2.PdfiumError:
        return False
    return True


def _page_facts(document: Any, number: int) -> tuple[int, float, float, int, str] | tuple[int]:
    """Return the number of annotations, size, rotation and text of a page; a page that cannot be loaded has only -1."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return (-1,)
    with closing(page), closing(page.get_textpage()) as text:
        return pdfium.FPDFPage_GetAnnotCount(page), *page.get_size(), page.get_rotation(), text.get_text_range()
