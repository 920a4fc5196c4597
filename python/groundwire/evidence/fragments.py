"""
Quotes that say that they leave something out, or have words of their author.

`fragments_of` parts a quote at its ellipses and editorial brackets; `chain` finds
a place for each part, in order and with bounded gaps.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["MAX_FRAGMENTS", "Fragment", "chain", "fragments_of"]

MAX_FRAGMENTS = 32
"""A quote in more parts than this says nothing about its source."""

_MAX_BRACKET_CHARS = 60
"""What editorial brackets stand for is a few words."""

_ELLIPSIS = r"\[\s*(?:\.{3,}|…+)\s*\]|\(\s*(?:\.{3,}|…+)\s*\)|(?:\.\s){2,}\.|\.{3,}|…+|⋯+"
_SIC = r"[\[(]\s*sic\s*!?\s*[\])]"
_BRACKETS = rf"\[[^\[\]\n]{{1,{_MAX_BRACKET_CHARS}}}\]"
_MARKS = re.compile(rf"(?P<ellipsis>{_ELLIPSIS})|(?P<sic>{_SIC})|(?P<letter>\[\w\](?=\w))|(?P<brackets>{_BRACKETS})")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Fragment:
    """
    A part of a quote that stands in the source as it is.

    Attributes:
        text: Its words; those of `[T]he` without the brackets.
        start: Where it starts in the quote, in code points.
        end: Where it ends there.
        is_after_brackets: Whether words of the quote's author are before it, which
            stand for a few words of the source, and not an ellipsis.
    """

    text: str
    start: int
    end: int
    is_after_brackets: bool


def fragments_of(quote: str) -> list[Fragment] | None:
    """
    Return the parts of *quote* between its ellipses and brackets that have words.

    An ellipsis is `…`, `...` or `. . .`, also in brackets. `[sic]` is left out.

    Returns:
        None if the quote has no such mark. At most one more than `MAX_FRAGMENTS`.
    """
    found: list[Fragment] = []
    text, start, is_after_brackets = "", 0, False
    marks = 0
    end = 0
    for mark in _MARKS.finditer(quote):
        marks += 1
        text += quote[end : mark.start()]
        end = mark.end()
        if mark.lastgroup == "letter":
            text += mark[0][1]
        elif mark.lastgroup != "sic":
            if _WORD.search(text):
                found.append(Fragment(text, start, mark.start(), is_after_brackets))
                if len(found) > MAX_FRAGMENTS:
                    return found
                is_after_brackets = False
            is_after_brackets |= mark.lastgroup == "brackets"
            text, start = "", end
    if not marks:
        return None
    text += quote[end:]
    if _WORD.search(text):
        found.append(Fragment(text, start, len(quote), is_after_brackets))
    return found


def chain(
    fragments: Sequence[Fragment], places: Sequence[Sequence[tuple[int, int]]], max_gap_chars: int
) -> list[tuple[int, int]] | None:
    """
    Return a place for each fragment, each after the one before and near enough to it.

    Of several such rows the one that ends first, and of these the shortest. `O(n log n)`
    in the number of places.

    Args:
        fragments: The parts, in order.
        places: The occurrences of each as (start, end), ascending.
        max_gap_chars: The most characters between two of them; where brackets stand
            between them, as many as brackets may have.
    """
    # Each row so far: where its last part is, and the parts. The last of those that end before a place is the nearest.
    rows = [[place] for place in places[0]]
    for fragment, next_places in zip(fragments[1:], places[1:], strict=True):
        most = _MAX_BRACKET_CHARS if fragment.is_after_brackets else max_gap_chars
        ends = [row[-1][1] for row in rows]
        longer = []
        for place in next_places:
            at = bisect_left(ends, place[0] + 1)
            if at and place[0] - ends[at - 1] <= most:
                longer.append([*rows[at - 1], place])
        rows = longer
    return rows[0] if rows else None
