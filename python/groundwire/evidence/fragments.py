"""
Quotes that say that they leave something out, or have words of their author.

`fragments_of` parts a quote at its ellipses and editorial brackets; `chain` finds
a place for each part, in order and with bounded gaps.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["MAX_FRAGMENTS", "Fragments", "Gap", "chain", "fragments_of"]

MAX_FRAGMENTS = 32
"""A quote in more parts than this says nothing about its source."""

_MAX_BRACKET_CHARS = 60
"""What editorial brackets stand for is a few words."""

_ELLIPSIS = r"\[\s*+(?:\.{3,}|…+)\s*+\]|\(\s*+(?:\.{3,}|…+)\s*+\)|(?:\.\s){2,}\.|\.{3,}|…+|⋯+"
# Possessive, or a row of blanks that nothing closes would be read in the square of its length.
_SIC = r"[\[(]\s*+sic\s*+!?\s*+[\])]"
_BRACKETS = rf"\[[^\[\]\n]{{1,{_MAX_BRACKET_CHARS}}}\]"
# The first character says at most places that there is no mark.
_MARKS = re.compile(
    r"(?=[.…⋯\[(])"
    rf"(?:(?P<ellipsis>{_ELLIPSIS})|(?P<sic>{_SIC})|(?P<letter>\[\w\](?=\w))|(?P<brackets>{_BRACKETS}))"
)
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Gap:
    """
    What stands in a quote for something that is not quoted.

    Attributes:
        brackets: The author's words in brackets, as (start, end) in the quote, which
            stand for a few words of the source; None for an ellipsis, or for nothing.
    """

    brackets: tuple[int, int] | None = None

    def max_chars(self, of_ellipsis: int) -> int:
        """Return how many characters of the source it may stand for."""
        return of_ellipsis if self.brackets is None else _MAX_BRACKET_CHARS


@dataclass(frozen=True, slots=True)
class Fragments:
    """
    The parts of a quote that stand in the source as they are, and what is between them.

    Attributes:
        texts: Their words; those of `[T]he` without the brackets.
        gaps: One before each of them and one after the last; those at the ends may
            stand for nothing.
        has_ellipsis: Whether an ellipsis is among the marks.
        has_brackets: Whether brackets are, those of `[sic]` and `[T]he` included.
    """

    texts: tuple[str, ...]
    gaps: tuple[Gap, ...]
    has_ellipsis: bool
    has_brackets: bool


def fragments_of(quote: str) -> Fragments | None:
    """
    Part *quote* at its ellipses and brackets.

    An ellipsis is `…`, `...` or `. . .`, also in brackets. `[sic]` is left out.

    Returns:
        None if the quote has no such mark. At most one text more than `MAX_FRAGMENTS`.
    """
    if quote.count(".") < 3 and not any(opening in quote for opening in "…⋯[("):
        return None
    texts: list[str] = []
    gaps: list[Gap] = []
    text, gap, end = "", Gap(), 0
    kinds = set()
    for mark in _MARKS.finditer(quote):
        kinds.add(mark.lastgroup)
        text += quote[end : mark.start()]
        end = mark.end()
        if mark.lastgroup == "letter":
            text += mark[0][1]
        elif mark.lastgroup != "sic":
            if _WORD.search(text):
                texts.append(text)
                gaps.append(gap)
                gap = Gap()
                if len(texts) > MAX_FRAGMENTS:
                    break
            text = ""
            if mark.lastgroup == "brackets":
                gap = Gap((mark.start() + 1, mark.end() - 1))
    text += quote[end:]
    if _WORD.search(text):
        texts.append(text)
        gaps.append(gap)
        gap = Gap()
    is_bracketed = bool(kinds & {"brackets", "letter", "sic"})
    return Fragments(tuple(texts), (*gaps, gap), "ellipsis" in kinds, is_bracketed) if kinds else None


def chain(
    fragments: Fragments, places: Sequence[Sequence[tuple[int, int]]], max_gap_chars: int
) -> list[tuple[int, int]] | None:
    """
    Return a place for each fragment, each after the one before and near enough to it.

    Of several such rows the one that ends first, and of these the shortest. `O(n log n)`
    in the number of places.

    Args:
        fragments: The parts.
        places: The occurrences of each as (start, end), ascending.
        max_gap_chars: The most characters that an ellipsis stands for.
    """
    # Each row so far, by where its last part ends: of those that end before a place, the last is the nearest.
    rows = [[place] for place in places[0]]
    for gap, next_places in zip(fragments.gaps[1:-1], places[1:], strict=True):
        ends = [row[-1][1] for row in rows]
        longer = []
        for place in next_places:
            at = bisect_right(ends, place[0])
            if at and place[0] - ends[at - 1] <= gap.max_chars(max_gap_chars):
                longer.append([*rows[at - 1], place])
        rows = longer
    return rows[0] if rows else None
