"""A claim in pieces: what is a hedge in it, what is a citation, and what is neither."""

from collections.abc import Iterator
from typing import NamedTuple

from groundwire.report.ingest.model import CitedThing, ClaimReport, Cue
from groundwire.report.segments import Span, split_spans

__all__ = ["Piece", "pieces"]


class Piece(NamedTuple):
    """A stretch of a claim, and what it is part of; the first hedge and the first citation of several."""

    text: str
    cue: Cue | None
    cited: CitedThing | None


def pieces(claim: ClaimReport) -> Iterator[Piece]:
    """Cut the text of *claim* where a hedge or a citation begins or ends; together the pieces are all of it."""
    marks: list[Cue | CitedThing] = [*claim.cues, *claim.citations]
    spans = [Span(mark.start, mark.end, number) for number, mark in enumerate(marks)]
    for segment in split_spans(len(claim.content), spans) if claim.content else ():
        owners = [marks[owner] for owner in segment.owners]
        yield Piece(
            claim.content[segment.start : segment.end],
            next((mark for mark in owners if isinstance(mark, Cue)), None),
            next((mark for mark in owners if isinstance(mark, CitedThing)), None),
        )
