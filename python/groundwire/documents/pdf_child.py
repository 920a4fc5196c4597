"""
Reads PDFs by PDFium, in a process of its own: `groundwire.documents.pdf` starts it and talks to it.

PDFium is not thread-safe, and a damaged file may end the process or fill its memory. So this
process has limits, and nothing of the caller in it. It answers requests on standard input, one after the other.
"""

import ctypes
import re
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from math import pi
from typing import Any, BinaryIO, TypeAlias

import msgspec

from groundwire.documents.layout import LayoutLine, PageLines, are_columns, assemble, find_gutters
from groundwire.documents.pdf_images import PageSides, PdfImages, RenderRequest, draw_pages
from groundwire.documents.pdf_notes import AnnotateRequest, AnnotationError, PdfAnnotated, add_notes

__all__ = ["Answer", "BoxesRequest", "PdfText", "ReadRequest", "Request", "main"]

_MAX_PAGES = 20_000
_MAX_CHARS = 100_000_000
# Control characters, surrogates alone and non-characters: no text has them.
_NOT_TEXT = dict.fromkeys([*range(9), *range(0xB, 0xD), *range(0xE, 0x20), 0x7F, *range(0xD800, 0xE000)], "\ufffd")
_NOT_TEXT[0xFFFE] = _NOT_TEXT[0xFFFF] = "\ufffd"
# Fonts of TeX that do not say which characters their glyphs are have these instead of control characters.
_TEX_GLYPHS = dict(
    zip(
        (0x0B, 0x0C, 0x0E, 0x0F, *range(0x10, 0x17), *range(0x1B, 0x20)),
        "\ufb00\ufb01\ufb03\ufb04\u201c\u201d\u201e\xab\xbb\u2013\u2014\ufb00\ufb01\ufb02\ufb03\ufb04",
        strict=True,
    )
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_HYPHEN_MARK = "\ufffe"
# PDFium marks a hyphen at the end of a line, and puts no line end behind it.
_LINE = re.compile(rf"[^\r\n{_HYPHEN_MARK}]+{_HYPHEN_MARK}?")
# A page without text that has an image, or many paths, shows something that cannot be read.
_IMAGE, _FORM, _MANY_PATHS = 3, 5, 100
# A gap of this part of a line's height is a space.
_SPACE_WIDTH = 0.2

_Sides: TypeAlias = tuple[float, float, float, float]


class ReadRequest(msgspec.Struct, tag="read", frozen=True):
    """Asks for the text of a PDF."""

    content: bytes


class BoxesRequest(msgspec.Struct, tag="boxes", frozen=True):
    """Asks for the boxes of runs of characters: page index, first character, and number of characters."""

    content: bytes
    runs: list[tuple[int, int, int]]


Request = ReadRequest | BoxesRequest | RenderRequest | AnnotateRequest


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
    parts: list[tuple[int, int, int, str, int]]


class PdfBoxes(msgspec.Struct, tag="boxes", frozen=True):
    """Boxes, as page index, left, bottom, right, top in points of the page's own coordinates."""

    boxes: list[tuple[int, float, float, float, float]]


class PdfFailure(msgspec.Struct, tag="failure", frozen=True):
    """Says why a PDF cannot be read, as a code."""

    code: str


class Progress(msgspec.Struct, tag="progress", frozen=True):
    """Says that one more page is done."""


Answer = PdfText | PdfBoxes | PdfImages | PdfAnnotated | PdfFailure | Progress


def main(memory_bytes: int) -> None:
    """Answer requests until standard input ends."""
    _limit(memory_bytes)
    requests, answers = sys.stdin.buffer, sys.stdout.buffer

    def send(answer: Answer) -> None:
        content = msgspec.msgpack.encode(answer)
        answers.write(struct.pack("<Q", len(content)) + content)
        answers.flush()

    decoder = msgspec.msgpack.Decoder(Request)
    while (content := _frame(requests)) is not None:
        request = decoder.decode(content)
        try:
            send(_answer(request, lambda: send(Progress())))
        except MemoryError:
            send(PdfFailure("too_much_memory"))


def _frame(stream: BinaryIO) -> bytes | None:
    head = stream.read(8)
    if len(head) < 8:
        return None
    (length,) = struct.unpack("<Q", head)
    return stream.read(length)


def _limit(memory_bytes: int) -> None:
    """Limit this process: its memory, and no files written. Windows has no such limits; the deadline is left there."""
    with suppress(ImportError):
        import resource

        for kind, limit in (
            (resource.RLIMIT_AS, memory_bytes),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, (limit, limit))


def _answer(request: Request, on_page: Callable[[], None]) -> Answer:
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
    for number in range(len(document)):
        lines, size = _read_page(document, number)
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
        parts=found.parts,
    )


def _read_page(document: Any, number: int) -> tuple[PageLines, tuple[float, float]]:
    """Return the lines of a page, and its size. A page that PDFium cannot load counts as unreadable."""
    import pypdfium2

    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return PageLines([], 0.0, is_readable=False), (0.0, 0.0)
    try:
        size = page.get_size()
        reader = _PageReader(page)
        lines = reader.lines()
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


class _PageReader:
    """The characters of one page, and the lines that they make."""

    def __init__(self, page: Any) -> None:
        import pypdfium2.raw as pdfium

        self._pdfium = pdfium
        self._page = page
        self._text_page = page.get_textpage()
        self._turns = self._upright_turns()
        left, bottom, right, top = page.get_bbox()
        self.height = right - left if self._turns % 2 else top - bottom
        self.bottom = self._turned(left, bottom, right, top)[1]
        self.chars = self._characters()
        if _CONTROL.search(self.chars):
            self.chars = self.chars.translate(_TEX_GLYPHS)
        self._rect = pdfium.FS_RECTF()

    def _upright_turns(self) -> int:
        """
        Turn the page until most of its text is upright; return its clockwise quarter turns.

        PDFium finds the lines of text that is upright as shown, not of text that runs upwards.
        """
        for _ in range(2):
            turns = self._shown_turns()
            wanted = self._text_turns()
            if wanted is None or wanted == turns:
                break
            self._page.set_rotation(wanted * 90)
            self._text_page.close()
            self._text_page = self._page.get_textpage()
        return self._shown_turns()

    def _shown_turns(self) -> int:
        degrees: int = self._page.get_rotation()
        return degrees // 90 % 4

    def _text_turns(self) -> int | None:
        """Return the quarter turns that make most characters upright, from a few of them."""
        count = self._text_page.count_chars()
        if not count:
            return None
        votes = [0, 0, 0, 0]
        for index in range(0, count, max(1, count // 24)):
            if not self._pdfium.FPDFText_IsGenerated(self._text_page, index):
                angle = self._pdfium.FPDFText_GetCharAngle(self._text_page, index)
                # Angles grow clockwise.
                votes[-round(angle * 2 / pi) % 4] += 1
        return max(range(4), key=votes.__getitem__) if any(votes) else None

    def _characters(self) -> str:
        """
        Return the characters, one for each index; those beyond U+FFFF as two surrogates.

        The library's text of a range may leave characters out or insert some. Then its length or the
        index of its last character differs, and characters are read one by one.
        """
        page, pdfium = self._text_page, self._pdfium
        count = page.count_chars()
        if not count:
            return ""
        buffer = (ctypes.c_ushort * (count + 1))()
        written = pdfium.FPDFText_GetText(page, 0, count, buffer)
        places = range(0, count, max(1, count // 16))
        if written == count + 1 and all(
            pdfium.FPDFText_GetTextIndexFromCharIndex(page, place) == place for place in (*places, count - 1)
        ):
            content = bytes(memoryview(buffer)[:count])
            found = content.decode("utf-16-le", "surrogatepass")
            return found if len(found) == count else "".join(map(chr, memoryview(content).cast("H")))
        codes = (pdfium.FPDFText_GetUnicode(page, index) for index in range(count))
        return "".join(chr(code) if code <= sys.maxunicode else "\ufffd" for code in codes).replace(
            "\x02", _HYPHEN_MARK
        )

    def is_undecodable(self) -> bool:
        """Whether the fonts do not say which characters most glyphs are, and the codes do not look like text."""
        count = len(self.chars)
        sample = range(0, count, max(1, count // 24))
        errors = sum(self._pdfium.FPDFText_HasUnicodeMapError(self._text_page, index) == 1 for index in sample)
        if errors * 2 <= len(sample):
            return False
        likely = sum(char.isalpha() or char.isspace() for char in self.chars)
        unlikely = sum(char < " " or "\ue000" <= char <= "\uf8ff" or char == "\ufffd" for char in self.chars)
        return likely < 0.7 * count or unlikely - self.chars.count("\r") - self.chars.count("\n") > 0.05 * count

    def lines(self) -> list[LayoutLine]:
        """Return the lines as PDFium finds them, cut at gutters between columns and where it misses a space."""
        lines = [
            self._line(found.start(), found.end()) for found in _LINE.finditer(self.chars) if not found[0].isspace()
        ]
        cells = list(self._cells())
        # One cell for each line has no gap.
        if len(cells) <= len(lines):
            return lines
        for left, right in find_gutters(cells):
            cuts = {number: cut for number, line in enumerate(lines) if (cut := self._cut(line, left, right))}
            if are_columns([(lines[number].text[:cut], lines[number].text[cut:]) for number, cut in cuts.items()]):
                lines = [part for number, line in enumerate(lines) for part in self._parts(line, [cuts.get(number)])]
        return [part for line, gaps in self._gaps(lines, cells) for part in self._spaced(line, gaps)]

    def _gaps(self, lines: list[LayoutLine], cells: list[_Sides]) -> Iterator[tuple[LayoutLine, int]]:
        """Yield each line with the number of its gaps; cells and lines have the same order."""
        place = 0
        for line in lines:
            gaps, behind = 0, None
            while place < len(cells) and _is_inside(cells[place], line):
                left, _, right, _ = cells[place]
                gaps += behind is not None and left - behind > _SPACE_WIDTH * line.height
                behind = right
                place += 1
            yield line, gaps

    def _spaced(self, line: LayoutLine, gaps: int) -> Iterator[LayoutLine]:
        """Yield the parts of a line that has more gaps than spaces, or the line."""
        if gaps <= line.text.count(" ") or max(line.text) > "\uffff":
            yield line
            return
        boxes = [None if char.isspace() else self._loose(line.char + place) for place, char in enumerate(line.text)]
        width = _SPACE_WIDTH * line.height
        yield from self._parts(
            line,
            [
                place
                for place, (first, second) in enumerate(pairwise(boxes), start=1)
                if first and second and second[0] - first[2] > width
            ],
        )

    def _line(self, start: int, end: int) -> LayoutLine:
        found = self.chars[start:end]
        stripped = found.lstrip()
        start += len(found) - len(stripped)
        stripped = stripped.rstrip()
        first, last = self._loose(start), self._loose(start + len(stripped) - 1)
        return LayoutLine(
            _as_text(stripped),
            start,
            min(first[0], last[0]),
            min(first[1], last[1]),
            max(first[2], last[2]),
            max(first[3], last[3]),
        )

    def _cells(self) -> Iterator[_Sides]:
        left, bottom, right, top = (ctypes.c_double() for _ in range(4))
        pointers = [ctypes.byref(each) for each in (left, top, right, bottom)]
        for number in range(self._pdfium.FPDFText_CountRects(self._text_page, 0, -1)):
            if self._pdfium.FPDFText_GetRect(self._text_page, number, *pointers):
                yield self._turned(left.value, bottom.value, right.value, top.value)

    def _cut(self, line: LayoutLine, left: float, right: float) -> int | None:
        """Return the place in a line's text where the strip from *left* to *right* crosses it; None if it does not."""
        if not line.left < left < right < line.right or max(line.text) > "\uffff":
            return None
        low, high = 0, len(line.text) - 1
        while low < high:
            middle = (low + high) // 2
            if self._tight(line.char + middle)[0] < right - 1:
                low = middle + 1
            else:
                high = middle
        before = line.text[:low].rstrip()
        return low if before and self._tight(line.char + len(before) - 1)[2] <= left + 1 else None

    def _parts(self, line: LayoutLine, cuts: Iterable[int | None]) -> Iterator[LayoutLine]:
        places = [0, *(cut for cut in cuts if cut), len(line.text)]
        if len(places) == 2:
            yield line
        else:
            for start, end in pairwise(places):
                yield self._line(line.char + start, line.char + end)

    def _loose(self, index: int) -> _Sides:
        """Return the box of a character with the ascent and descent of its font."""
        rect = self._rect
        self._pdfium.FPDFText_GetLooseCharBox(self._text_page, index, rect)
        return self._turned(rect.left, rect.bottom, rect.right, rect.top)

    def _tight(self, index: int) -> _Sides:
        return self._turned(*self._text_page.get_charbox(index))

    def box(self, first: int, count: int) -> _Sides | None:
        """Return the box around the glyphs of characters, in the coordinates of the page; None for spaces alone."""
        boxes = [
            self._text_page.get_charbox(index)
            for index in range(first, min(first + count, len(self.chars)))
            if not self.chars[index].isspace()
        ]
        shown = [box for box in boxes if box[2] > box[0] and box[3] > box[1]]
        if not shown:
            return None
        lefts, bottoms, rights, tops = zip(*shown, strict=True)
        return min(lefts), min(bottoms), max(rights), max(tops)

    def _turned(self, left: float, bottom: float, right: float, top: float) -> _Sides:
        """Return a box as a reader sees it, after the page's quarter turns."""
        if not self._turns:
            return left, bottom, right, top
        if self._turns == 1:
            return bottom, -right, top, -left
        return (-right, -top, -left, -bottom) if self._turns == 2 else (-top, left, -bottom, right)


def _is_inside(cell: _Sides, line: LayoutLine) -> bool:
    left, bottom, right, top = cell
    return line.bottom <= (bottom + top) / 2 <= line.top and line.left - 2 <= left and right <= line.right + 2


def _as_text(found: str) -> str:
    """Return characters as text: hyphens for their mark, pairs of surrogates as one character."""
    text = found.replace(_HYPHEN_MARK, "-")
    if text.isascii() and text.isprintable():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass").translate(_NOT_TEXT)


def _boxes(document: Any, runs: list[tuple[int, int, int]]) -> Iterator[PageSides | None]:
    """Yield a box for each run, None for a run of spaces; it is quick if runs on one page are next to each other."""
    readers: dict[int, _PageReader] = {}
    for number, first, count in runs:
        if number not in readers:
            readers = {number: _PageReader(document[number])}
        box = readers[number].box(first, count)
        yield None if box is None else (number, *box)
