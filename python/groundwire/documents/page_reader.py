"""Reads the characters of a PDF's page, their boxes and their lines with PDFium."""

import ctypes
import re
import sys
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from itertools import repeat
from math import pi
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from groundwire.documents.layout import LayoutLine
from groundwire.documents.page_lines import (
    HYPHEN_MARK,
    Boxes,
    has_errors,
    has_wrong_spaces,
    line_spans,
    plain_lines,
    precise_lines,
    share_rows,
)

__all__ = ["PageReader"]

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
# Number of lines of a page that are examined in a long document.
_SAMPLED_LINES = 4

_Sides: TypeAlias = tuple[float, float, float, float]
_Side = TypeVar("_Side", float, NDArray[np.float32])


class PageReader:
    """Reads the characters of one page, and the lines that they form."""

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
        for index in range(0, count, max(1, count // 12)):
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
        return "".join(chr(code) if code <= sys.maxunicode else "\ufffd" for code in codes).replace("\x02", HYPHEN_MARK)

    def is_undecodable(self) -> bool:
        """Tell whether the fonts do not say which characters most glyphs are, and the codes do not look like text."""
        count = len(self.chars)
        sample = range(0, count, max(1, count // 24))
        errors = sum(self._pdfium.FPDFText_HasUnicodeMapError(self._text_page, index) == 1 for index in sample)
        if errors * 2 <= len(sample):
            return False
        likely = sum(char.isalpha() or char.isspace() for char in self.chars)
        unlikely = sum(char < " " or "\ue000" <= char <= "\uf8ff" or char == "\ufffd" for char in self.chars)
        return likely < 0.7 * count or unlikely - self.chars.count("\r") - self.chars.count("\n") > 0.05 * count

    def lines(self, *, is_precise: bool) -> list[LayoutLine]:
        """
        Return the lines.

        Args:
            is_precise: Whether to examine the gaps between all characters. If not, a few lines are examined, and all
                lines only if one of these needs a correction.
        """
        spans = line_spans(self.chars)
        if not spans:
            return []
        if not is_precise:
            ends = self._boxes([place for start, end in spans for place in (start, end - 1)])
            if not share_rows(ends) and not self._is_sample_odd(spans):
                return plain_lines(spans, ends, self._text)
        boxes = self._boxes(range(len(self.chars)))
        return precise_lines(self.chars, spans, boxes, is_generated=self._is_generated, text_of=self._text)

    def has_wrong_spaces(self) -> bool:
        """Tell whether a word of the page is cut, or two are joined."""
        spans = line_spans(self.chars)
        if not spans:
            return False
        return has_wrong_spaces(self.chars, spans, self._boxes(range(len(self.chars))), self._is_generated)

    def _is_sample_odd(self, spans: list[tuple[int, int]]) -> bool:
        sample = spans[:: max(1, len(spans) // _SAMPLED_LINES)]
        boxes = np.zeros((len(self.chars), 4), np.float32)
        places = [place for start, end in sample for place in range(start, end)]
        boxes[places] = self._boxes(places)
        return has_errors(self.chars, sample, boxes, self._is_generated)

    def _text(self, start: int, end: int) -> str:
        return _as_text(self.chars[start:end])

    def _is_generated(self, index: int) -> bool:
        return bool(self._pdfium.FPDFText_IsGenerated(self._text_page, index) == 1)

    def _boxes(self, indices: Sequence[int]) -> Boxes:
        """
        Return the boxes of characters as a reader sees them, with the ascent and descent of the font.

        `map` calls PDFium without a step of Python for each character, and PDFium writes into the array.
        """
        found = np.zeros((len(indices), 4), np.float32)
        first, handle = found.ctypes.data, ctypes.cast(self._text_page.raw, ctypes.c_void_p).value
        places = range(first, first + found.nbytes, found.strides[0])
        deque(map(_loose_box(), repeat(handle), indices, places), maxlen=0)
        # PDFium's order is left, top, right, bottom.
        left, top, right, bottom = found.T
        return np.column_stack(self._turned(left, bottom, right, top))

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

    def _turned(self, left: _Side, bottom: _Side, right: _Side, top: _Side) -> tuple[_Side, _Side, _Side, _Side]:
        """Return the sides of a box as a reader sees it, after the page's quarter turns."""
        if not self._turns:
            return left, bottom, right, top
        if self._turns == 1:
            return bottom, -right, top, -left
        return (-right, -top, -left, -bottom) if self._turns == 2 else (-top, left, -bottom, right)


@cache
def _loose_box() -> Callable[[int | None, int, int], int]:
    """Return PDFium's function that writes the box of a character to an address."""
    import pypdfium2.raw as pdfium

    address = ctypes.cast(pdfium.FPDFText_GetLooseCharBox, ctypes.c_void_p).value
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
    return kind(address or 0)


def _as_text(found: str) -> str:
    """Return characters as text: hyphens for their mark, pairs of surrogates as one character."""
    text = found.replace(HYPHEN_MARK, "-")
    if text.isascii() and text.isprintable():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass").translate(_NOT_TEXT)
