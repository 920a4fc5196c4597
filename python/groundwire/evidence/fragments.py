"""
Quotes that say that they leave something out, or have words of their author.

`fragments_of` parts a quote at its ellipses and editorial brackets; `chains` finds
places for the parts, in order and with bounded gaps.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["MAX_BRACKET_CHARS", "MAX_FRAGMENTS", "Fragments", "Gap", "chains", "fragments_of"]

MAX_FRAGMENTS = 32
"""A quote in more parts than this says nothing about its source."""

MAX_BRACKET_CHARS = 60
"""What editorial brackets stand for is a few words, and what is in them too."""

_MAX_PLACES = 1000
"""Places of one part that are tried: the bound for texts that are full of them."""

Place = tuple[int, int]

# Possessive, so that no row of marks or white space is gone through twice.
_ELLIPSIS = r"\[\s*+(?:\.{3,}+|[…⋯]++)\s*+\]|\(\s*+(?:\.{3,}+|[…⋯]++)\s*+\)|\.(?:\s\.){2,}+|\.{3,}+|[…⋯]++"
_SIC = r"[\[(]\s*+sic\s*+!?\s*+[\])]"
_BRACKETS = rf"\[[^\[\]\n]{{1,{MAX_BRACKET_CHARS}}}\]"
_SPACED_POINTS = re.compile(r"\.\s\.")
# The first character says at most places that there is no mark.
_MARKS = re.compile(
    r"(?=[.…⋯\[(])"
    rf"(?:(?P<ellipsis>{_ELLIPSIS})|(?P<sic>{_SIC})|(?P<letter>\[\w\](?=\w))|(?P<brackets>{_BRACKETS}))"
)


@dataclass(frozen=True, slots=True)
class Gap:
    """
    What stands in a quote for something that is not quoted.

    Attributes:
        brackets: The author's words in brackets, as (start, end) in the quote, from
            the first to the last where several follow each other; None without.
        has_ellipsis: Whether an ellipsis is among the marks. Brackets alone stand
            for a few words of the source, or for none.
    """

    brackets: Place | None = None
    has_ellipsis: bool = False

    def max_chars(self, of_ellipsis: int) -> int:
        """Return how many characters of the source it may stand for."""
        return of_ellipsis if self.has_ellipsis else MAX_BRACKET_CHARS

    def with_mark(self, mark: re.Match[str]) -> "Gap":
        """Return the gap with one more mark."""
        if mark.lastgroup == "ellipsis":
            return Gap(self.brackets, has_ellipsis=True)
        start = mark.start() + 1 if self.brackets is None else self.brackets[0]
        return Gap((start, mark.end() - 1), self.has_ellipsis)


_NO_GAP = Gap()


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
    if not _may_have_marks(quote):
        return None
    texts: list[str] = []
    gaps = [_NO_GAP]
    text, end, kinds = "", 0, set()
    for mark in _MARKS.finditer(quote):
        kinds.add(mark.lastgroup)
        text += quote[end : mark.start()]
        end = mark.end()
        if mark.lastgroup == "letter":
            text += mark[0][1]
        elif mark.lastgroup == "sic":
            text = text.rstrip()
        else:
            if any(map(str.isalnum, text)):
                texts.append(text)
                gaps.append(_NO_GAP)
                if len(texts) > MAX_FRAGMENTS:
                    break
            text = ""
            gaps[-1] = gaps[-1].with_mark(mark)
    text += quote[end:]
    if any(map(str.isalnum, text)):
        texts.append(text)
        gaps.append(_NO_GAP)
    is_bracketed = bool(kinds & {"brackets", "letter", "sic"})
    return Fragments(tuple(texts), tuple(gaps), "ellipsis" in kinds, is_bracketed) if kinds else None


def _may_have_marks(quote: str) -> bool:
    """Say whether it is worth a look at every point."""
    if "..." in quote or "[" in quote or "(" in quote or "…" in quote or "⋯" in quote:
        return True
    return quote.count(".") >= 3 and _SPACED_POINTS.search(quote) is not None


def chains(fragments: Fragments, places: Sequence[Sequence[Place]], max_gap_chars: int) -> list[list[Place]]:
    """
    Return rows of a place for each fragment, each after the one before and near enough to it.

    One row for each place of the last fragment that ends one, left to right; of the
    rows that end there the shortest. Of a fragment with very many places those near
    the rarest fragment are tried, at most 1,000. `O(n log n)` in their number.

    Args:
        fragments: The parts.
        places: The occurrences of each as (start, end), ascending; at least one of each.
        max_gap_chars: The most characters that an ellipsis stands for.
    """
    limits = [gap.max_chars(max_gap_chars) for gap in fragments.gaps[1:-1]]
    tried = _near_the_rarest(places, sum(limits))
    # Each row so far, by where its last part ends: of those that end before a place, the last is the nearest.
    rows = [[place] for place in tried[0]]
    for limit, next_places in zip(limits, tried[1:], strict=True):
        ends = [row[-1][1] for row in rows]
        longer = []
        for place in next_places:
            at = bisect_right(ends, place[0])
            if at and place[0] - ends[at - 1] <= limit:
                longer.append([*rows[at - 1], place])
        rows = longer
    return rows


def _near_the_rarest(places: Sequence[Sequence[Place]], gap_chars: int) -> list[Sequence[Place]]:
    """The places that can be in one row with one of the rarest fragment, as far as its gaps and words reach."""
    rarest = min(places, key=len)[:_MAX_PLACES]
    reach = gap_chars + sum(each[0][1] - each[0][0] for each in places) * 2
    near: list[Sequence[Place]] = []
    for each in places:
        if len(each) <= _MAX_PLACES:
            near.append(each)
            continue
        chosen: list[Place] = []
        low = 0
        for start, end in rarest:
            low = max(low, bisect_left(each, (start - reach, 0)))
            high = bisect_left(each, (end + reach, 0), low)
            chosen += each[low : min(high, low + _MAX_PLACES)]
            low = high
            if len(chosen) >= _MAX_PLACES:
                break
        near.append(chosen[:_MAX_PLACES])
    return near
