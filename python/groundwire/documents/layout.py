"""
Finds the reading order of PDF pages: lines become blocks, and blocks become text.

A PDF places glyphs. It does not say which lines belong together, which words a hyphen divides, or which lines are
running heads. `assemble` decides that from the boxes of the lines. It does not depend on PDFium, so that its rules can
be tested with made-up lines.

Coordinates are points as a reader sees the page: x grows to the right, y grows upwards.
"""

import heapq
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from statistics import median
from typing import TypeAlias

import msgspec

__all__ = ["AssembledText", "LayoutLine", "PageLines", "assemble"]

_HYPHENS = "-\u2010\u00ad"
_HYPHEN_ENDS = tuple(_HYPHENS)
_SENTENCE_ENDS = tuple('.?!:;\u2026"\u201d)')
_HYPHEN_END = re.compile(rf"(?<=[^\W_])[{_HYPHENS}]$")
# The rest of a cut word, with what follows it up to the next space.
_WORD_REST = re.compile(r"[^\W_]\S*")
_line_bottom = attrgetter("bottom")
_ASTRAL_END = re.compile(r"(?<=[\U00010000-\U0010ffff])")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b")
_OUTER_NUMBER = re.compile(r"^\d{1,4}\b|\b\d{1,4}$", re.ASCII)
_PAGE_NUMBER = re.compile(r"[\W_]{0,3}(\d{1,4})[\W_]{0,3}", re.ASCII)
_FOOTNOTE_START = re.compile(r"\s*(?:[*†‡§¶]|\[?\d{1,3}\]?[.)]?(?=\D))")

# Words that begin compounds with a hyphen far more often than words without one.
_COMPOUND_STARTS = frozenset({"half", "self", "well"})

# A line belongs to the block above it if the space between is at most this part of the line's height.
_BLOCK_GAP = 0.8
# Blocks that a line may continue: the last one of each column, and a few beside them.
_OPEN_BLOCKS = 8
# Sorting blocks compares each with each other one; pages of more blocks keep the order of the file.
_MAX_SORTED_BLOCKS = 400
# Lines at either end of a page that may be running heads or feet, and the part of the page that they are in.
_EDGE_LINES = 3
_EDGE_ZONE = 0.25
_HEADING_SCALE = 1.15
_FOOTNOTE_SCALE = 0.97
_HEADING_MAX_CHARS = 200


class LayoutLine(msgspec.Struct, gc=False):
    """
    Holds one line of a page.

    Attributes:
        text: Its characters, without spaces at the ends.
        char: The index of its first character on the page.
        left, bottom, right, top: Its box.
        kind: Kind of the line: a value of `PartKind`.
        breaks: Positions at which consecutive characters of the text are not consecutive on the page: the offset in the
            text, and the index of the character on the page. A space before the offset is on no page.
        begins_column: Whether a gutter between columns separates it from the line before.
    """

    text: str
    char: int
    left: float
    bottom: float
    right: float
    top: float
    kind: str = "text"
    breaks: tuple[tuple[int, int], ...] = ()
    begins_column: bool = False

    @property
    def height(self) -> float:
        """The height of the box; never 0."""
        return max(self.top - self.bottom, 0.1)


_Placed: TypeAlias = tuple[int, LayoutLine]
"""The index of a page, and a line of it."""


class PageLines(msgspec.Struct):
    """Holds the lines of one page in the order of the file, and the size of the page as a reader sees it."""

    lines: list[LayoutLine]
    height: float
    bottom: float = 0.0
    is_readable: bool = True


@dataclass(slots=True)
class _Block:
    lines: list[LayoutLine]
    left: float
    bottom: float
    right: float
    top: float

    @classmethod
    def of(cls, line: LayoutLine) -> "_Block":
        return cls([line], line.left, line.bottom, line.right, line.top)

    def add(self, line: LayoutLine) -> None:
        self.lines.append(line)
        if line.left < self.left:
            self.left = line.left
        if line.right > self.right:
            self.right = line.right
        self.bottom, self.top = min(self.bottom, line.bottom), max(self.top, line.top)


@dataclass(slots=True)
class AssembledText:
    """
    Holds the text of all pages.

    Attributes:
        pieces: The text in parts, to be joined.
        pages: Start and end of each page.
        run_starts, run_pages, run_chars: For each run of characters that follow each other on a page, its
            offset in the text, the index of the page, and the index of its first character there.
        run_lengths: The number of characters in each run.
        run_joins: For each run 1 if it continues the line of the run before it, else 0.
        parts: Start, end, page index, kind and number on the page of each block.
    """

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    pages: list[tuple[int, int]] = field(default_factory=list)
    run_starts: "array[int]" = field(default_factory=lambda: array("I"))
    run_pages: "array[int]" = field(default_factory=lambda: array("I"))
    run_chars: "array[int]" = field(default_factory=lambda: array("I"))
    run_lengths: "array[int]" = field(default_factory=lambda: array("I"))
    run_joins: bytearray = field(default_factory=bytearray)
    parts: list[tuple[int, int, int, str, int]] = field(default_factory=list)

    def _add_run(self, text: str, page: int, char: int, *, joins: bool) -> None:
        """Append consecutive characters of a page. A character beyond U+FFFF has two indices there."""
        for piece in (text,) if text.isascii() or max(text) <= "\uffff" else _ASTRAL_END.split(text):
            if piece:
                self.run_joins.append(joins)
                joins = True
                self.run_starts.append(self.length)
                self.run_pages.append(page)
                self.run_chars.append(char)
                self.run_lengths.append(len(piece))
                self.pieces.append(piece)
                self.length += len(piece)
                char += len(piece) + (piece[-1] > "\uffff")

    def add_line(self, line: LayoutLine, page: int, start: int, end: int) -> None:
        """Append a span of a line's text."""
        text = line.text
        if not line.breaks:
            self._add_run(text[start:end], page, line.char + start + _astral(text[:start]), joins=False)
            return
        joins = False
        for (offset, char), (stop, _) in pairwise([(0, line.char), *line.breaks, (len(text), 0)]):
            low, high = max(start, offset), min(end, stop)
            if low < high:
                piece = text[low:high]
                self._add_run(piece.rstrip(" "), page, char + low - offset + _astral(text[offset:low]), joins=joins)
                joins = True
                self.add(" " * (len(piece) - len(piece.rstrip(" "))))

    def add(self, text: str) -> None:
        """Append characters that are on no page, such as line ends."""
        self.pieces.append(text)
        self.length += len(text)


def assemble(pages: Sequence[PageLines]) -> AssembledText:
    """Return the text of *pages* in reading order, with divided words joined."""
    blocks = [_ordered(_blocks(page.lines)) for page in pages]
    _mark_running_lines(pages)
    _mark_headings_and_footnotes(pages, blocks)
    separated = _with_notes_behind([[part for block in page for part in _by_kind(block)] for page in blocks])
    rests = _joined_words([each for page in separated for block in page for each in block])
    result = AssembledText()
    for number, page in enumerate(separated):
        start = result.length
        for place, block in enumerate(page):
            _emit(result, block, place, rests)
        result.pages.append((start, result.length))
        if page and number + 1 < len(separated):
            result.add("\n")
    return result


def _with_notes_behind(pages: list[list[list[LayoutLine]]]) -> "list[list[list[_Placed]]]":
    """
    Return the blocks of each page, each line with the index of its page, with notes after the text.

    Notes of a page that ends within a sentence come after the first block of the next page, so that the sentence stays
    whole.
    """
    separated: list[list[list[_Placed]]] = []
    waiting: list[list[_Placed]] = []
    for number, page in enumerate(pages):
        placed = [[(number, line) for line in block] for block in page]
        notes = [block for block in placed if block[0][1].kind == "footnote"]
        texts = [block for block in placed if block[0][1].kind in ("text", "heading")]
        heads = [block for block in placed if block[0][1].kind == "running" and _is_first(block, texts)]
        feet = [block for block in placed if block[0][1].kind == "running" and not _is_first(block, texts)]
        is_open = bool(texts) and number + 1 < len(pages) and not texts[-1][-1][1].text.endswith(_SENTENCE_ENDS)
        separated.append([*heads, *texts[:1], *waiting, *texts[1:], *([] if is_open else notes), *feet])
        waiting = notes if is_open else []
    if waiting:
        separated[-1] += waiting
    return separated


def _is_first(block: "list[_Placed]", texts: "list[list[_Placed]]") -> bool:
    """Tell whether a running line is above the text of its page."""
    return not texts or block[0][1].bottom > texts[0][0][1].bottom


def _emit(result: AssembledText, block: "list[_Placed]", place: int, rests: "dict[int, _Joint]") -> None:
    start = result.length
    for page, line in block:
        joint = rests.get(id(line))
        if joint is None:
            result.add_line(line, page, 0, len(line.text))
            result.add("\n")
            continue
        end = len(line.text) - joint.dropped
        if joint.taken < end:
            result.add_line(line, page, joint.taken, end)
        for rest, rest_page, length in joint.rests:
            result.add_line(rest, rest_page, 0, length)
        if joint.taken < end or joint.rests:
            result.add("\n")
    if result.length > start:
        page, line = block[0]
        result.parts.append((start, result.length - 1, page, line.kind, place + 1))


def _astral(text: str) -> int:
    return 0 if text.isascii() else sum(char > "\uffff" for char in text)


def _blocks(lines: Iterable[LayoutLine]) -> list[_Block]:
    """Group lines that follow each other downwards in one column."""
    blocks: list[_Block] = []
    for line in lines:
        if blocks and _is_next(blocks[-1].lines[-1], line):
            blocks[-1].add(line)
            continue
        block = next((block for block in reversed(blocks[-_OPEN_BLOCKS:]) if _continues(block, line)), None)
        if block is None:
            blocks.append(_Block.of(line))
        else:
            block.add(line)
    return blocks


def _is_next(last: LayoutLine, line: LayoutLine) -> bool:
    """Tell whether *line* is right below *last*, with its height and left edge: a quick check that most lines pass."""
    height = last.top - last.bottom
    return (
        last.left == line.left
        and abs(line.top - line.bottom - height) < 0.1
        and -0.5 * height < last.bottom - line.top < 0.7 * height
    )


def _continues(block: _Block, line: LayoutLine) -> bool:
    last = block.lines[-1]
    height = max(last.height, line.height)
    if not line.begins_column and _is_beside(last, line):
        return True
    if min(last.height, line.height) * 1.4 < height:
        return False
    gap = last.bottom - line.top
    if not -0.6 * height < gap < _BLOCK_GAP * height:
        return False
    overlap = min(block.right, line.right) - max(block.left, line.left)
    return overlap > 0.3 * min(block.right - block.left, line.right - line.left)


def _is_beside(line: LayoutLine, following: LayoutLine) -> bool:
    """Tell whether *following* continues the row of *line*, such as a raised number, or text after a tab."""
    shared = min(line.top, following.top) - max(line.bottom, following.bottom)
    gap = following.left - line.right
    return shared > 0.5 * min(line.height, following.height) and -1 < gap < 3 * line.height


def _ordered(blocks: list[_Block]) -> list[_Block]:
    """
    Return blocks in reading order: from top to bottom within a column, otherwise in the order of the file.

    "Above" is an order without circles, so all blocks come out.
    """
    count = len(blocks)
    if count > _MAX_SORTED_BLOCKS:
        return blocks
    below: list[list[int]] = [[] for _ in blocks]
    waits = [0] * count
    for upper, first in enumerate(blocks):
        for lower, second in enumerate(blocks):
            if _is_above(first, second):
                below[upper].append(lower)
                waits[lower] += 1
    ready = [number for number in range(count) if not waits[number]]
    ordered = []
    while ready:
        number = heapq.heappop(ready)
        ordered.append(blocks[number])
        for lower in below[number]:
            waits[lower] -= 1
            if not waits[lower]:
                heapq.heappush(ready, lower)
    return ordered


def _is_above(first: _Block, second: _Block) -> bool:
    shared = min(first.right, second.right) - max(first.left, second.left)
    # The middles decide, so that boxes that overlap a little have an order, and no circle of blocks arises.
    is_higher = first.bottom + first.top > second.bottom + second.top
    return is_higher and shared > 0 and first.bottom > second.top - 0.4 * second.lines[0].height


def _mark_running_lines(pages: Sequence[PageLines]) -> None:
    """
    Mark lines at the edges of pages as running heads or feet: those that repeat at the same height of several pages.

    Digits count as equal. Lines of different words count as equal if they begin or end with the number of their page:
    a chapter's title beside it. In a document of less than three pages a line has to be on each page. A line that is
    only the number of its page, such as -3-, need not repeat.
    """
    seen: defaultdict[tuple[int, str | int], list[LayoutLine]] = defaultdict(list)
    for number, page in enumerate(pages):
        for line in _edge_lines(page):
            alone = _PAGE_NUMBER.fullmatch(line.text)
            if alone and int(alone[1]) == number + 1 and len(pages) > 1:
                _mark([line], "running")
            height = round((line.bottom - page.bottom) / 4)
            seen[height, _DIGITS.sub("#", line.text.casefold())].append(line)
            for found in {int(digits) for digits in _OUTER_NUMBER.findall(line.text)}:
                seen[height, found - number].append(line)
    needed = max(2, min(3, len(pages)))
    for (height, text), lines in list(seen.items()):
        beside = [line for shift in (-1, 1) for line in seen.get((height + shift, text), ())]
        if len(lines) + len(beside) >= needed:
            _mark(lines, "running")


def _edge_lines(page: PageLines) -> list[LayoutLine]:
    low, high = page.bottom + page.height * _EDGE_ZONE, page.bottom + page.height * (1 - _EDGE_ZONE)
    lowest = heapq.nsmallest(_EDGE_LINES, page.lines, key=_line_bottom)
    highest = heapq.nlargest(_EDGE_LINES, page.lines, key=_line_bottom)
    return [line for line in lowest if line.top < low] + [line for line in highest if line.bottom > high]


def _mark_headings_and_footnotes(pages: Sequence[PageLines], blocks: Sequence[list[_Block]]) -> None:
    """Mark large lines as headings, and small blocks with a number at the foot of a page as footnotes."""
    heights: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            heights[round((line.top - line.bottom) * 2) / 2] += len(line.text)
    if not heights:
        return
    usual = heights.most_common(1)[0][0]
    for ordered in blocks:
        for place, block in enumerate(ordered):
            texts = [line for line in block.lines if line.kind == "text"]
            if not texts:
                continue
            height = median([line.top - line.bottom for line in texts])
            if height >= usual * _HEADING_SCALE and sum(len(line.text) for line in texts) <= _HEADING_MAX_CHARS:
                _mark(texts, "heading")
            elif height <= usual * _FOOTNOTE_SCALE and _is_footnote(block, ordered[place + 1 :]):
                _mark(texts, "footnote")


def _mark(lines: Iterable[LayoutLine], kind: str) -> None:
    for line in lines:
        line.kind = kind


def _is_footnote(block: _Block, after: Iterable[_Block]) -> bool:
    """Tell whether *block* begins with a note's sign, and only smaller or running lines are below it."""
    if _FOOTNOTE_START.match(block.lines[0].text) is None:
        return False
    height = block.lines[0].height
    return all(
        line.kind == "running" or line.height <= height * 1.05 or line.bottom > block.top
        for other in after
        for line in other.lines
    )


def _by_kind(block: _Block) -> Iterator[list[LayoutLine]]:
    """Split a block where the kind of its lines changes."""
    lines: list[LayoutLine] = []
    for line in block.lines:
        if lines and line.kind != lines[-1].kind:
            yield lines
            lines = []
        lines.append(line)
    if lines:
        yield lines


@dataclass(slots=True)
class _Joint:
    """Holds what a line loses at its ends, and the rests of its last word: the line, its page, and the length."""

    taken: int = 0
    dropped: int = 0
    rests: list[tuple[LayoutLine, int, int]] = field(default_factory=list)


def _joined_words(lines: Sequence[_Placed]) -> dict[int, _Joint]:
    """
    Return the joints of lines that end within a word, by the identity of the line.

    The rest of the word moves to the line where it begins, over a column or a page too. Heads, notes and
    text flow each by itself.
    """
    joints: defaultdict[int, _Joint] = defaultdict(_Joint)
    words: frozenset[str] | None = None
    if not any(line.text.endswith(_HYPHEN_ENDS) for _, line in lines):
        return joints
    for kind in ("text", "heading", "footnote"):
        flow = [each for each in lines if each[1].kind == kind]
        for (_, line), (page, following) in pairwise(flow):
            if not line.text.endswith(_HYPHEN_ENDS) or not _HYPHEN_END.search(line.text):
                continue
            rest = _WORD_REST.match(following.text)
            if rest is None:
                continue
            if words is None:
                words = frozenset(word for _, each in lines for word in each.text.lower().split())
            joint = joints[id(line)]
            joint.dropped = 0 if _keeps_hyphen(line.text, rest[0], words) else 1
            joint.rests.append((following, page, rest.end()))
            joints[id(following)].taken = _skip_space(following.text, rest.end())
    return joints


def _skip_space(text: str, end: int) -> int:
    return end + (len(text) - end - len(text[end:].lstrip()))


def _keeps_hyphen(text: str, rest: str, words: frozenset[str]) -> bool:
    """Tell whether the hyphen is part of the word: the document decides if it has the word elsewhere too."""
    if text[-1] == "\u00ad":
        return False
    head = text[:-1].rpartition(" ")[2].lower()
    second = _LETTERS.match(rest)
    if second is None or not head[-1:].isalpha():
        return True
    if second[0][0].isupper() and not text[-2].isupper():
        return True
    tail = second[0].lower()
    if f"{head}-{tail}" in words:
        return True
    if f"{head}{tail}" in words:
        return False
    if text[-1] == "\u2010":
        # Browsers cut words with this one; people write the other one.
        return False
    first = head.rpartition("-")[2]
    if first in _COMPOUND_STARTS:
        return True
    return len(first) > 2 and len(tail) > 2 and first in words and tail in words
