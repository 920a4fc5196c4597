"""Overlapping spans as a row of segments that do not overlap."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of text, end excluded, and the number of the quote it belongs to."""

    start: int
    end: int
    owner: int


class Segment(NamedTuple):
    """A stretch of text that the same quotes cover from end to end."""

    start: int
    end: int
    owners: tuple[int, ...]
    opening: tuple[int, ...]


def split_spans(length: int, spans: Iterable[Span], cuts: Iterable[int] = ()) -> Iterator[Segment]:
    """
    Cut a text of *length* where a span starts or ends, and at *cuts*.

    The segments cover the whole text, in order, none empty. `owners` are the
    quotes whose span covers the segment, `opening` those whose span starts
    with it; both ascend. Empty spans are left out.

    Cost: `O(n log n)` for `n` spans and cuts, plus the owners handed out.
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
