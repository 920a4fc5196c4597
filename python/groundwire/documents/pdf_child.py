"""
Reads PDFs with PDFium, in the process of `groundwire.documents.reader_child`; `groundwire.documents.pdf` asks it.

PDFium is not thread-safe, and a damaged file may end the process or fill its memory.
"""

import os
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from typing import Any, TypeAlias

import msgspec

from groundwire.documents.layout import PageLines, assemble
from groundwire.documents.pdf_images import PageSides, PdfImages, RenderRequest, draw_pages
from groundwire.documents.pdf_notes import AnnotateRequest, AnnotationError, PdfAnnotated, add_notes
from groundwire.documents.process_limits import end_with_parent

__all__ = ["Answer", "BoxesRequest", "PdfFailure", "PdfText", "Progress", "ReadRequest", "Request", "answer_pdf"]

_MAX_PAGES = 20_000
_MAX_CHARS = 100_000_000
# A page without text that has an image, or many paths, shows something that cannot be read.
_IMAGE, _FORM, _MANY_PATHS = 3, 5, 100
# In documents with more pages, a sample of lines and a sample of whole pages decide how to read all of them.
_PRECISE_PAGES, _SAMPLED_PAGES = 16, 12
# Two processes read documents with at least this many pages.
_SHARED_PAGES = 64

_ReadPage: TypeAlias = tuple[PageLines, tuple[float, float]]
"""The lines of a page, and its size."""


class ReadRequest(msgspec.Struct, tag="read", frozen=True):
    """Asks for the text of a PDF."""

    content: bytes


class BoxesRequest(msgspec.Struct, tag="boxes", frozen=True):
    """Asks for the boxes of runs of characters: page index, first character, and number of characters."""

    content: bytes
    runs: list[tuple[int, int, int]]


Request = ReadRequest | BoxesRequest | RenderRequest | AnnotateRequest


class PdfText(msgspec.Struct, tag="text", frozen=True):
    """Holds the text of a PDF with its pages, in the fields of `groundwire.documents.layout.AssembledText`."""

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
    """Holds boxes as page index, left, bottom, right, top, in points of the page's own coordinates."""

    boxes: list[tuple[int, float, float, float, float]]


class PdfFailure(msgspec.Struct, tag="failure", frozen=True):
    """Holds the code of the reason why a PDF cannot be read."""

    code: str


class Progress(msgspec.Struct, tag="progress", frozen=True):
    """Reports that another page is done."""


Answer = PdfText | PdfBoxes | PdfImages | PdfAnnotated | PdfFailure | Progress


def answer_pdf(request: Request, on_page: Callable[[], None]) -> Answer:
    """Return the answer to a request about a PDF; *on_page* is called after each page."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(request.content)
    except pypdfium2.PdfiumError as error:
        return PdfFailure(_failure_code(str(error)))
    try:
        if isinstance(request, BoxesRequest):
            return PdfBoxes([box for box in _boxes(document, request.runs) if box is not None])
        if isinstance(request, RenderRequest):
            return draw_pages(request, _boxes(document, request.runs), on_page)
        if isinstance(request, AnnotateRequest):
            runs = [run for note in request.notes for run in note.runs]
            return add_notes(document, request, _boxes(document, runs), on_page)
        return _read(document, on_page)
    except (_LimitError, AnnotationError) as error:
        return PdfFailure(str(error))
    except pypdfium2.PdfiumError:
        return PdfFailure("damaged")
    finally:
        document.close()


class _LimitError(Exception):
    """Reports a document that is larger than a limit; the message is the code."""


def _failure_code(message: str) -> str:
    return "encrypted" if any(word in message.lower() for word in ("password", "security")) else "damaged"


def _read(document: Any, on_page: Callable[[], None]) -> PdfText:
    if len(document) > _MAX_PAGES:
        raise _LimitError("too_many_pages")
    if not len(document):
        raise _LimitError("damaged")
    pages, sizes, chars = [], [], 0
    is_precise = len(document) <= _PRECISE_PAGES or _has_wrong_spaces(document, on_page)
    for lines, size in _read_pages(document, is_precise=is_precise):
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


def _read_pages(document: Any, *, is_precise: bool) -> Iterator[_ReadPage]:
    """Yield the lines of all pages; a second process reads every other page of a long document."""
    count = len(document)
    if count < _SHARED_PAGES or not hasattr(os, "fork") or (os.cpu_count() or 1) == 1:
        yield from (_read_page(document, number, is_precise=is_precise) for number in range(count))
        return
    with closing(_read_odd_pages(document, is_precise=is_precise)) as odd_pages:
        for number in range(count):
            yield next(odd_pages) if number % 2 else _read_page(document, number, is_precise=is_precise)


def _read_odd_pages(document: Any, *, is_precise: bool) -> Generator[_ReadPage, None, None]:
    """Yield the pages with odd indices, which a copy of this process reads at the same time."""
    source, target = os.pipe()
    # PDFium has no threads, so the copy of its memory is a whole one.
    process = os.fork()
    if not process:
        # Whatever happens, the copy must not continue the work of the original.
        with suppress(BaseException):
            os.close(source)
            _send_odd_pages(document, target, is_precise=is_precise)
        os._exit(0)
    os.close(target)
    decoder = msgspec.msgpack.Decoder(_ReadPage)
    try:
        with os.fdopen(source, "rb") as frames:
            for _ in range(1, len(document), 2):
                head = frames.read(8)
                content = frames.read(int.from_bytes(head, "little"))
                if len(head) < 8 or not content:
                    raise _LimitError("crashed")
                yield decoder.decode(content)
    finally:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _send_odd_pages(document: Any, target: int, *, is_precise: bool) -> None:
    # If the original is killed, nothing else would end a page that takes forever.
    end_with_parent()
    with os.fdopen(target, "wb", buffering=0) as frames:
        for number in range(1, len(document), 2):
            content = msgspec.msgpack.encode(_read_page(document, number, is_precise=is_precise))
            view = memoryview(len(content).to_bytes(8, "little") + content)
            while view:
                view = view[frames.write(view) or 0 :]


def _has_wrong_spaces(document: Any, on_page: Callable[[], None]) -> bool:
    """Tell whether a page of a sample has divided or joined words; other pages of the document then have them too."""
    import pypdfium2

    from groundwire.documents.page_reader import PageReader

    for number in range(0, len(document), len(document) // _SAMPLED_PAGES):
        with suppress(pypdfium2.PdfiumError), closing(document[number]) as page:
            if PageReader(page).has_wrong_spaces():
                return True
        on_page()
    return False


def _read_page(document: Any, number: int, *, is_precise: bool) -> _ReadPage:
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
    """Tell whether a page may show text without characters: it has an image, a form, or many paths."""
    import pypdfium2.raw as pdfium

    count = pdfium.FPDFPage_CountObjects(page)
    if count > _MANY_PATHS:
        return True
    kinds = {pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page, number)) for number in range(count)}
    return bool(kinds & {_IMAGE, _FORM})


def _boxes(document: Any, runs: list[tuple[int, int, int]]) -> Iterator[PageSides | None]:
    """Yield a box for each run, None for a run of spaces. Runs of one page should be consecutive, to read it once."""
    from groundwire.documents.page_reader import PageReader

    readers: dict[int, PageReader] = {}
    for number, first, count in runs:
        if number not in readers:
            readers = {number: PageReader(document[number])}
        box = readers[number].box(first, count)
        yield None if box is None else (number, *box)
