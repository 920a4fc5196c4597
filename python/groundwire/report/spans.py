"""Cuts texts at spans, at lines, and between words."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

__all__ = ["Lines", "Segment", "Span", "cut_around", "split_spans", "whole_words"]


class Span(NamedTuple):
    """Holds a span of text, end excluded, and the number of the quote that owns it."""

    start: int
    end: int
    owner: int


class Segment(NamedTuple):
    """Holds a span of text that the same quotes cover completely."""

    start: int
    end: int
    owners: tuple[int, ...]
    opening: tuple[int, ...]


def split_spans(length: int, spans: Iterable[Span], cuts: Iterable[int] = ()) -> Iterator[Segment]:
    """
    Cut a text of *length* where a span starts or ends, and at *cuts*.

    The segments cover the whole text in order, and none is empty. `owners` are the
    quotes whose span covers the segment, `opening` those whose span starts with it;
    both are in ascending order. Empty spans are ignored.

    Takes `O(n log n)` for `n` spans and cuts, plus the number of owners returned.
    """
    starting: dict[int, list[int]] = defaultdict(list)
    ending: dict[int, list[int]] = defaultdict(list)
    for start, end, owner in spans:
        if start < end:
            starting[start].append(owner)
            ending[end].append(owner)
    bounds = sorted({0, length, *starting, *ending, *cuts})
    active: set[int] = set()
    for start, end in pairwise(bounds):
        active.difference_update(ending.get(start, ()))
        active.update(starting.get(start, ()))
        yield Segment(start, end, tuple(sorted(active)), tuple(sorted(starting.get(start, ()))))


# The line ends of editors. str.splitlines() would also break at form feeds and U+2028, and number lines differently.
_LINE_END = re.compile(r"\r\n|\r|\n")


class Lines:
    """
    Holds the lines of one text.

    `starts` has the offset of each line's first code point. A line end at the end
    of the text starts no further line; an empty text has no lines.
    """

    __slots__ = ("starts",)

    def __init__(self, text: str) -> None:
        starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
        if starts[-1] == len(text):
            starts.pop()
        self.starts: tuple[int, ...] = tuple(starts)

    def __len__(self) -> int:
        return len(self.starts)

    def locate(self, offset: int) -> tuple[int, int]:
        """Return line and column of the code point at *offset*, both from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


def cut_around(text: str, low: int, high: int, room: int) -> tuple[int, int]:
    """
    Return a span of *text* around [low, high) with about *room* characters, cut between words.

    The span always contains [low, high). A text that fits is not cut.
    """
    if len(text) <= room:
        return 0, len(text)
    margin = max(room - (high - low), room // 4) // 2
    start = max(0, min(low - margin, len(text) - room))
    end = min(len(text), max(high + margin, start + room))
    return whole_words(text, min(start, low), end, low, high)


def whole_words(text: str, start: int, end: int, low: int, high: int) -> tuple[int, int]:
    """Move *start* and *end* inwards to white space, unless there is none before *low* or after *high*."""
    if start:
        space = text.find(" ", start, low)
        start = start if space < 0 else space + 1
    if end < len(text):
        space = text.rfind(" ", high, end)
        end = end if space < 0 else space
    return start, end
