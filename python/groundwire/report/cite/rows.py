"""An answer in rows: each claim with the citations behind it, and what stands between as it is."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from groundwire.report.cite.model import CitationEntry, ClaimEntry

__all__ = ["Row", "split_rows"]

_LINE_END = re.compile(r"[\r\n]+")
_SPACE = re.compile(r"\s")


class Row(NamedTuple):
    """A stretch of the answer, end excluded, and the claim in it; None in text that is no claim."""

    start: int
    end: int
    claim: ClaimEntry | None


def split_rows(answer: str, claims: Sequence[ClaimEntry], citations: Sequence[CitationEntry]) -> list[Row]:
    """
    Cut *answer* into rows, one for each claim; together they are all of it.

    A row ends behind the line, or if the next claim is on the same line, behind the
    citations of its own. What stands before a claim, such as a heading, is in its row.
    """
    if not claims:
        return [Row(0, len(answer), None)]
    tails = _tails(claims, citations)
    cuts = [_cut(answer, tail, claim.start) for tail, claim in zip(tails, claims[1:], strict=False)]
    line_end = _LINE_END.search(answer, tails[-1])
    last = line_end.end() if line_end else len(answer)
    bounds = [0, *cuts, last]
    rows = [Row(start, end, claim) for (start, end), claim in zip(pairwise(bounds), claims, strict=True)]
    return (
        [*rows, Row(last, len(answer), None)]
        if answer[last:].strip()
        else [*rows[:-1], rows[-1]._replace(end=len(answer))]
    )


def _tails(claims: Sequence[ClaimEntry], citations: Sequence[CitationEntry]) -> list[int]:
    """Return of each claim where the citations behind it end, before the next claim begins."""
    tails = []
    place = 0
    starts = [*(claim.start for claim in claims[1:]), max((each.end for each in citations), default=0) + 1]
    for claim, following in zip(claims, starts, strict=True):
        tail = claim.end
        while place < len(citations) and citations[place].start < following:
            if claim.number in citations[place].claims:
                tail = max(tail, citations[place].end)
            place += 1
        tails.append(tail)
    return tails


def _cut(answer: str, tail: int, following: int) -> int:
    """Return where between the end of one claim and the start of the next one the row ends."""
    if tail >= following:
        return following
    line_end = _LINE_END.search(answer, tail, following)
    if line_end is not None:
        return line_end.end()
    space = _SPACE.search(answer, tail, following)
    return following if space is None else space.end()
