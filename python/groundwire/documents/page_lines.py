"""
Finds the lines of a PDF page from its characters and their boxes.

PDFium finds lines and words, with errors: it takes kerning for a space, misses the space after a wide letter, breaks a
line within a word, and joins columns that are written row by row. `precise_lines` corrects these by the gaps between
characters. It does not depend on PDFium, so that its rules can be tested with made-up characters.

Boxes are arrays of left, bottom, right and top in points as a reader sees the page: y grows upwards.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import pairwise
from statistics import median
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from groundwire.documents.layout import LayoutLine

__all__ = [
    "HYPHEN_MARK",
    "Boxes",
    "are_columns",
    "find_gutters",
    "has_errors",
    "has_wrong_spaces",
    "line_spans",
    "plain_lines",
    "precise_lines",
    "share_rows",
]

Boxes: TypeAlias = NDArray[np.float32]
"""Left, bottom, right and top of each character."""

HYPHEN_MARK = "\ufffe"
"""PDFium's character for a hyphen at the end of a line; no line end follows it."""

_LINE = re.compile(rf"[^\r\n{HYPHEN_MARK}]+{HYPHEN_MARK}?|{HYPHEN_MARK}")
_IS_SPACE = np.zeros(sys.maxunicode + 1, np.bool_)
_IS_SPACE[[place for place in range(0x3001) if chr(place).isspace()]] = True

# Parts of a line's height: a gap above the first is a space; one below the second is kerning.
_SPACE_GAP, _KERNING_GAP = 0.2, 0.15
# Characters this far to the left, as a part of the height, do not follow the one before them.
_MAX_OVERLAP = 0.3
# In spaced-out words the gaps are above the first part of the height, and spaces wider than gaps by the second factor.
_TRACKED_GAP, _TRACKED_SPACE = 0.1, 1.7
_TRACKED_SHARE, _TRACKED_CHARS = 0.6, 5
# They end at gaps above this part of the height.
_COLUMN_GAP = 1.4
# A large letter at the beginning of a paragraph has this many times the height of its text.
_INITIAL_SCALE = 1.6
# A gutter between columns separates this many rows at least, of this many characters on either side.
_GUTTER_ROWS = 4
_GUTTER_SIDE_CHARS = 15
_GUTTER_WIDTH, _GUTTER_GAP = 6.0, 0.7


class _Joint(IntEnum):
    """Names what is between two consecutive characters other than spaces."""

    NONE = 0
    """As PDFium has it, with its space or without."""
    LINE_END = 1
    COLUMN_END = 2
    NOTHING = 3
    SPACE = 4


class _Gaps(NamedTuple):
    """The pairs of characters of a page that follow each other, spaces left out."""

    places: NDArray[np.intp]
    """The indices of the characters: those of pair `k` are `places[k]` and `places[k + 1]`."""
    lines: NDArray[np.intp]
    """The number of each character's line."""
    widths: NDArray[np.float32]
    """The gap of each pair, as a part of the higher one's height."""
    heights: NDArray[np.float32]
    """The height of the higher one."""
    is_row: NDArray[np.bool_]
    """Whether the two are side by side."""
    has_space: NDArray[np.bool_]
    """Whether the page has any character between them."""
    is_line: NDArray[np.bool_]
    """Whether both are in one line."""
    is_step: NDArray[np.bool_]
    """Whether one is far higher than the other."""


def line_spans(chars: str) -> list[tuple[int, int]]:
    """Return the start and end of each line that PDFium found, without spaces at its ends."""
    spans = []
    for found in _LINE.finditer(chars):
        text, start = found[0], found.start()
        stripped = text.strip()
        if stripped:
            start += len(text) - len(text.lstrip())
            spans.append((start, start + len(stripped)))
    return spans


def plain_lines(spans: Sequence[tuple[int, int]], boxes: Boxes, text_of: Callable[[int, int], str]) -> list[LayoutLine]:
    """
    Return the lines as PDFium has them.

    Args:
        spans: Start and end of each line.
        boxes: The boxes of the first and the last character of each line, alternating.
        text_of: Returns the text of a span of characters.
    """
    sides = _line_sides(boxes).tolist()
    lines = [LayoutLine(text_of(start, end), start, *each) for (start, end), each in zip(spans, sides, strict=True)]
    return with_initials(lines)


def share_rows(boxes: Boxes) -> bool:
    """Tell whether a line continues the row of the previous one, perhaps within a word. *boxes*: see `plain_lines`."""
    sides = _line_sides(boxes)
    first, second = sides[:-1], sides[1:]
    heights = np.maximum(first[:, 3] - first[:, 1], 0.1)
    gaps = (second[:, 0] - first[:, 2]) / heights
    shared = np.minimum(first[:, 3], second[:, 3]) - np.maximum(first[:, 1], second[:, 1])
    return bool(((gaps > -_MAX_OVERLAP) & (gaps < _SPACE_GAP) & (shared > 0.5 * heights)).any())


def _line_sides(boxes: Boxes) -> Boxes:
    """Return the box of each line, from those of its first and last character."""
    ends = boxes.reshape(-1, 2, 4)
    return np.hstack((ends[:, :, :2].min(axis=1), ends[:, :, 2:].max(axis=1)))


def _gaps(chars: str, spans: Sequence[tuple[int, int]], boxes: Boxes) -> _Gaps:
    codes = np.frombuffer(chars.encode("utf-32-le", "surrogatepass"), np.uint32)
    starts, ends = np.array([span[0] for span in spans]), np.array([span[1] for span in spans])
    places = np.flatnonzero(~_IS_SPACE[codes])
    lines = np.searchsorted(starts, places, "right") - 1
    is_inside = (lines >= 0) & (places < ends[lines])
    places, lines = places[is_inside], lines[is_inside]
    shown = boxes[places]
    first, second = shown[:-1], shown[1:]
    tall = np.maximum(shown[:, 3] - shown[:, 1], 0.1)
    heights = np.maximum(tall[:-1], tall[1:])
    shared = np.minimum(first[:, 3], second[:, 3]) - np.maximum(first[:, 1], second[:, 1])
    return _Gaps(
        places=places,
        lines=lines,
        widths=(second[:, 0] - first[:, 2]) / heights,
        heights=heights,
        is_row=shared > 0.5 * np.minimum(tall[:-1], tall[1:]),
        has_space=np.diff(places) > 1,
        is_line=lines[:-1] == lines[1:],
        is_step=heights > _INITIAL_SCALE * np.minimum(tall[:-1], tall[1:]),
    )


def has_errors(chars: str, spans: Sequence[tuple[int, int]], boxes: Boxes, is_generated: Callable[[int], bool]) -> bool:
    """Tell whether a line has a word that is cut, two that are joined, or a gap as wide as one between columns."""
    gaps = _gaps(chars, spans, boxes)
    return bool((gaps.is_line & gaps.is_row & _is_wide(gaps)).any()) or _has_wrong_spaces(chars, gaps, is_generated)


def has_wrong_spaces(
    chars: str, spans: Sequence[tuple[int, int]], boxes: Boxes, is_generated: Callable[[int], bool]
) -> bool:
    """Tell whether a word of these lines is cut, or two are joined. Arguments as those of `precise_lines`."""
    return _has_wrong_spaces(chars, _gaps(chars, spans, boxes), is_generated)


def _has_wrong_spaces(chars: str, gaps: _Gaps, is_generated: Callable[[int], bool]) -> bool:
    joints = _joints(chars, gaps, is_generated)
    return bool((joints >= _Joint.NOTHING).any())


def precise_lines(
    chars: str,
    spans: Sequence[tuple[int, int]],
    boxes: Boxes,
    *,
    is_generated: Callable[[int], bool],
    text_of: Callable[[int, int], str],
) -> list[LayoutLine]:
    """
    Return the lines of a page, with its words and columns as the gaps between characters show them.

    Args:
        chars: The characters of the page.
        spans: Start and end of each line, as `line_spans` has them.
        boxes: The box of each character.
        is_generated: Whether the space with an index is PDFium's, not the file's.
        text_of: Returns the text of a span of characters.
    """
    gaps = _gaps(chars, spans, boxes)
    if not len(gaps.places):
        return []
    joints = _joints(chars, gaps, is_generated)
    _cut_columns(chars, gaps, joints, boxes)
    edges = [0, *(np.flatnonzero(_is_end(joints)) + 1).tolist(), len(gaps.places)]
    shown = boxes[gaps.places]
    lefts, rights = np.minimum.reduceat(shown[:, 0], edges[:-1]), np.maximum.reduceat(shown[:, 2], edges[:-1])
    return with_initials(
        [
            _line(gaps, joints, (first, end), text_of, (float(left), float(right)), shown[[first, end - 1]])
            for (first, end), left, right in zip(pairwise(edges), lefts, rights, strict=True)
        ]
    )


def with_initials(lines: list[LayoutLine]) -> list[LayoutLine]:
    """Return *lines*, a large letter at the beginning of a paragraph as part of its first line."""
    letters = [line for line in lines if len(line.text) == 1 and line.text.isupper()]
    if not letters:
        return lines
    usual = median([line.height for line in lines])
    for initial in [line for line in letters if line.height > _INITIAL_SCALE * usual]:
        beside = [line for line in lines if line is not initial and _follows_initial(line, initial)]
        if beside:
            line = max(beside, key=lambda each: each.top)
            line.breaks = ((1, line.char), *((offset + 1, char) for offset, char in line.breaks))
            line.text, line.char, line.left = initial.text + line.text, initial.char, initial.left
            lines.remove(initial)
    return lines


def _follows_initial(line: LayoutLine, initial: LayoutLine) -> bool:
    """Tell whether *line* begins with the rest of a word, right beside the upper part of *initial*."""
    return (
        line.text[0].islower()
        and -0.5 < (line.left - initial.right) / line.height < 1.2
        and initial.bottom < line.top < initial.top + 0.6 * line.height
    )


def _is_end(joints: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Tell for each pair whether a line ends between its characters."""
    ends: NDArray[np.bool_] = (joints == _Joint.LINE_END) | (joints == _Joint.COLUMN_END)
    return ends


def _line(
    gaps: _Gaps,
    joints: NDArray[np.int8],
    span: tuple[int, int],
    text_of: Callable[[int, int], str],
    sides: tuple[float, float],
    ends: Boxes,
) -> LayoutLine:
    first, end = span
    cuts = (np.flatnonzero(joints[first : end - 1]) + first + 1).tolist()
    pieces, breaks, length = [], [], 0
    for start, stop in pairwise([first, *cuts, end]):
        char = int(gaps.places[start])
        if start > first:
            if joints[start - 1] == _Joint.SPACE:
                pieces.append(" ")
                length += 1
            breaks.append((length, char))
        text = text_of(char, int(gaps.places[stop - 1]) + 1)
        pieces.append(text)
        length += len(text)
    bottom, top = float(ends[:, 1].min()), float(ends[:, 3].max())
    return LayoutLine(
        "".join(pieces),
        int(gaps.places[first]),
        sides[0],
        bottom,
        sides[1],
        top,
        breaks=tuple(breaks),
        begins_column=first > 0 and bool(joints[first - 1] == _Joint.COLUMN_END),
    )


def _joints(chars: str, gaps: _Gaps, is_generated: Callable[[int], bool]) -> NDArray[np.int8]:
    """Return what is between each pair of characters."""
    joints = np.where(gaps.is_line, _Joint.NONE, _Joint.LINE_END).astype(np.int8)
    joints[gaps.is_step & (gaps.widths < -1)] = _Joint.LINE_END
    follows = gaps.is_row & (gaps.widths > -_MAX_OVERLAP)
    joints[follows & gaps.is_line & ~gaps.has_space & (gaps.widths > _SPACE_GAP)] = _Joint.SPACE
    is_close = follows & gaps.has_space & (gaps.widths < _KERNING_GAP)
    for pair in np.flatnonzero(is_close).tolist():
        place = int(gaps.places[pair])
        if chars[place] != HYPHEN_MARK and is_generated(place + 1):
            joints[pair] = _Joint.NOTHING
    _correct_tracking(gaps, joints, is_generated)
    return joints


def _correct_tracking(gaps: _Gaps, joints: NDArray[np.int8], is_generated: Callable[[int], bool]) -> None:
    """Join the letters of spaced-out words: all gaps of such a line are wide, and those between words wider."""
    is_cut = _is_end(joints) | ~gaps.is_row | (gaps.widths > _COLUMN_GAP)
    edges = np.concatenate(([0], np.flatnonzero(is_cut) + 1, [len(gaps.places)]))
    wide = np.append(~is_cut & (gaps.widths > _TRACKED_GAP), False)
    sizes = np.diff(edges)
    is_tracked = (sizes >= _TRACKED_CHARS) & (
        np.add.reduceat(wide, edges[:-1], dtype=np.intp) >= _TRACKED_SHARE * (sizes - 1)
    )
    for number in np.flatnonzero(is_tracked).tolist():
        first, end = int(edges[number]), int(edges[number + 1])
        pairs = slice(first, end - 1)
        widths = gaps.widths[pairs]
        space = float(np.median(widths)) * _TRACKED_SPACE
        for pair, width in enumerate(widths.tolist(), start=first):
            if joints[pair] == _Joint.SPACE and width < space:
                joints[pair] = _Joint.NONE
            elif gaps.has_space[pair] and width < space and is_generated(int(gaps.places[pair]) + 1):
                joints[pair] = _Joint.NOTHING


def _is_wide(gaps: _Gaps) -> NDArray[np.bool_]:
    wide: NDArray[np.bool_] = (gaps.widths > _GUTTER_GAP) & (gaps.widths * gaps.heights > _GUTTER_WIDTH)
    return wide


def _cut_columns(chars: str, gaps: _Gaps, joints: NDArray[np.int8], boxes: Boxes) -> None:
    """End lines at gutters that they cross."""
    is_end = joints == _Joint.LINE_END
    wide = ~is_end & gaps.is_row & _is_wide(gaps)
    if not wide.any():
        return
    starts = np.concatenate(([0], np.flatnonzero(is_end | wide) + 1))
    shown = boxes[gaps.places]
    cells = np.column_stack(
        [
            reduce.reduceat(shown[:, side], starts)
            for side, reduce in enumerate((np.minimum, np.minimum, np.maximum, np.maximum))
        ]
    )
    ends = np.flatnonzero(is_end)
    for left, right in find_gutters(list(map(tuple, cells.tolist()))):
        crossing = np.flatnonzero(wide & (shown[:-1, 2] <= left + 1) & (shown[1:, 0] >= right - 1))
        crossing = crossing[~is_end[crossing]]
        if are_columns([_sides(chars, gaps, ends, int(pair)) for pair in crossing]):
            joints[crossing] = _Joint.COLUMN_END
            is_end[crossing] = True


def _sides(chars: str, gaps: _Gaps, ends: NDArray[np.intp], pair: int) -> tuple[str, str]:
    """Return the text of a line on both sides of a pair."""
    place = int(np.searchsorted(ends, pair))
    first = int(ends[place - 1]) + 1 if place else 0
    last = int(ends[place]) if place < len(ends) else len(gaps.places) - 1
    places = gaps.places
    return chars[places[first] : places[pair] + 1], chars[places[pair + 1] : places[last] + 1]


def find_gutters(cells: Iterable[tuple[float, float, float, float]]) -> list[tuple[float, float]]:
    """
    Return the empty strips between columns that are written row by row, as left and right edge.

    Args:
        cells: Boxes of continuous text, as left, bottom, right, top.
    """
    gaps = [
        (first[2], second[0])
        for row in _rows(cells)
        for first, second in pairwise(sorted(row))
        if second[0] - first[2] > max(_GUTTER_WIDTH, _GUTTER_GAP * (row[0][3] - row[0][1]))
    ]
    return list(_common_gaps(gaps))


def _rows(cells: Iterable[tuple[float, float, float, float]]) -> Iterator[list[tuple[float, float, float, float]]]:
    """Yield the boxes that are side by side: those whose middles are within the first box of a row."""
    row: list[tuple[float, float, float, float]] = []
    for cell in sorted(cells, key=lambda cell: -cell[1] - cell[3]):
        if row and (cell[1] + cell[3]) / 2 < row[0][1]:
            yield row
            row = []
        row.append(cell)
    if row:
        yield row


def _common_gaps(gaps: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield the strips that lie in at least `_GUTTER_ROWS` gaps, where most gaps overlap first."""
    while len(gaps) >= _GUTTER_ROWS:
        depth = best = 0
        middle = 0.0
        edges = sorted([(left, 1) for left, _ in gaps] + [(right, -1) for _, right in gaps])
        for (at, step), (following, _) in pairwise(edges):
            depth += step
            if depth > best:
                best, middle = depth, (at + following) / 2
        inside = [gap for gap in gaps if gap[0] <= middle <= gap[1]]
        left, right = max(gap[0] for gap in inside), min(gap[1] for gap in inside)
        if best < _GUTTER_ROWS or right - left < _GUTTER_WIDTH:
            return
        yield left, right
        gaps = [gap for gap in gaps if not gap[0] <= middle <= gap[1]]


def are_columns(pairs: Sequence[tuple[str, str]]) -> bool:
    """Tell whether texts left and right of a gutter are columns of prose, not cells of a table or labels."""
    return len(pairs) >= _GUTTER_ROWS and all(
        median(len(pair[side]) for pair in pairs) >= _GUTTER_SIDE_CHARS for side in (0, 1)
    )
