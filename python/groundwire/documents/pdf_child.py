"""
Reads PDFs by PDFium, in the process of `groundwire.documents.reader_child`: `groundwire.documents.pdf` sends requests.

PDFium is not thread-safe, and a damaged file may end the process or fill its memory.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import Any

import msgspec

from groundwire.documents.layout import PageLines, assemble

__all__ = ["Answer", "BoxesRequest", "PdfFailure", "PdfText", "Progress", "ReadRequest", "Request", "answer_pdf"]

_MAX_PAGES = 20_000
_MAX_CHARS = 100_000_000
# A page without text that has an image, or many paths, shows something that cannot be read.
_IMAGE, _FORM, _MANY_PATHS = 3, 5, 100
# Documents of more pages are looked at in samples: of lines, and of pages with all of their lines.
_PRECISE_PAGES, _SAMPLED_PAGES = 16, 12


class ReadRequest(msgspec.Struct, tag="read", frozen=True):
    """Asks for the text of a PDF."""

    content: bytes


class BoxesRequest(msgspec.Struct, tag="boxes", frozen=True):
    """Asks for the boxes of runs of characters: page index, first character, and number of characters."""

    content: bytes
    runs: list[tuple[int, int, int]]


Request = ReadRequest | BoxesRequest


class PdfText(msgspec.Struct, tag="text", frozen=True):
    """The text of a PDF, as `groundwire.documents.layout.AssembledText` has it, and what its pages are like."""

    text: str
    pages: list[tuple[int, int]]
    sizes: list[tuple[float, float]]
    readable: list[bool]
    run_starts: bytes
    run_pages: bytes
    run_chars: bytes
    run_lengths: bytes
    run_joins: bytes
    parts: list[tuple[int, int, int, str, int]]


class PdfBoxes(msgspec.Struct, tag="boxes", frozen=True):
    """Boxes, as page index, left, bottom, right, top in points of the page's own coordinates."""

    boxes: list[tuple[int, float, float, float, float]]


class PdfFailure(msgspec.Struct, tag="failure", frozen=True):
    """Says why a PDF cannot be read, as a code."""

    code: str


class Progress(msgspec.Struct, tag="progress", frozen=True):
    """Says that one more page is done."""


Answer = PdfText | PdfBoxes | PdfFailure | Progress


def answer_pdf(request: Request, on_page: Callable[[], None]) -> Answer:
    """Return the answer to a request about a PDF; *on_page* is called behind each page."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(request.content)
    except pypdfium2.PdfiumError as error:
        return PdfFailure(_failure_code(str(error)))
    try:
        if isinstance(request, BoxesRequest):
            return PdfBoxes(list(_boxes(document, request.runs)))
        return _read(document, on_page)
    except _LimitError as error:
        return PdfFailure(str(error))
    except pypdfium2.PdfiumError:
        return PdfFailure("damaged")
    finally:
        document.close()


class _LimitError(Exception):
    """The document is larger than a limit; the message is the code."""


def _failure_code(message: str) -> str:
    lowered = message.lower()
    if "password" in lowered:
        return "encrypted"
    return "encrypted" if "security" in lowered else "damaged"


def _read(document: Any, on_page: Callable[[], None]) -> PdfText:
    if len(document) > _MAX_PAGES:
        raise _LimitError("too_many_pages")
    if not len(document):
        raise _LimitError("damaged")
    pages, sizes, chars = [], [], 0
    is_precise = len(document) <= _PRECISE_PAGES or _has_wrong_spaces(document, on_page)
    for number in range(len(document)):
        lines, size = _read_page(document, number, is_precise=is_precise)
        chars += sum(len(line.text) for line in lines.lines)
        if chars > _MAX_CHARS:
            raise _LimitError("too_much_text")
        pages.append(lines)
        sizes.append(size)
        on_page()
    found = assemble(pages)
    return PdfText(
        text="".join(found.pieces),
        pages=found.pages,
        sizes=sizes,
        readable=[page.is_readable for page in pages],
        run_starts=found.run_starts.tobytes(),
        run_pages=found.run_pages.tobytes(),
        run_chars=found.run_chars.tobytes(),
        run_lengths=found.run_lengths.tobytes(),
        run_joins=bytes(found.run_joins),
        parts=found.parts,
    )


def _has_wrong_spaces(document: Any, on_page: Callable[[], None]) -> bool:
    """Whether a sample of the pages has words that are cut or joined, as all pages of such a document have."""
    import pypdfium2

    from groundwire.documents.page_reader import PageReader

    for number in range(0, len(document), len(document) // _SAMPLED_PAGES):
        with suppress(pypdfium2.PdfiumError), closing(document[number]) as page:
            if PageReader(page).has_wrong_spaces():
                return True
        on_page()
    return False


def _read_page(document: Any, number: int, *, is_precise: bool) -> tuple[PageLines, tuple[float, float]]:
    """Return the lines of a page, and its size. A page that PDFium cannot load counts as unreadable."""
    import pypdfium2

    from groundwire.documents.page_reader import PageReader

    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return PageLines([], 0.0, is_readable=False), (0.0, 0.0)
    try:
        size = page.get_size()
        reader = PageReader(page)
        lines = reader.lines(is_precise=is_precise)
        is_readable = not reader.is_undecodable() if lines else not _shows_something(page)
        return PageLines(lines if is_readable else [], reader.height, reader.bottom, is_readable), size
    finally:
        page.close()


def _shows_something(page: Any) -> bool:
    """Whether a page may show text without characters: it has an image, a form, or many paths."""
    import pypdfium2.raw as pdfium

    count = pdfium.FPDFPage_CountObjects(page)
    if count > _MANY_PATHS:
        return True
    kinds = {pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page, number)) for number in range(count)}
    return bool(kinds & {_IMAGE, _FORM})


def _boxes(document: Any, runs: list[tuple[int, int, int]]) -> Iterator[tuple[int, float, float, float, float]]:
    """Yield a box for each run; runs on one page are next to each other."""
    from groundwire.documents.page_reader import PageReader

    readers: dict[int, PageReader] = {}
    for number, first, count in runs:
        if number not in readers:
            readers = {number: PageReader(document[number])}
        box = readers[number].box(first, count)
        if box is not None:
            yield number, *box
