"""
What differs between a quote and its passage, as pieces that a report can mark.

Of a quote that differs in words, case, white space and punctuation are left
unmarked: they would hide what counts. The reasons name them.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from groundwire.evidence.differences import MEANING, DifferenceKind
from groundwire.evidence.verdicts import REASONS, Reason
from groundwire.report.model import Nearest, QuoteDifference, QuoteResult

_FORM = frozenset({DifferenceKind.CASE, DifferenceKind.WHITESPACE, DifferenceKind.PUNCTUATION})

DIFFERENCE_CODES = frozenset(
    {*map(Reason, DifferenceKind), Reason.CASE, Reason.WHITESPACE, Reason.TYPOGRAPHY, Reason.MARKS}
)
"""The reasons that a comparison of quote and passage shows."""

MEANING_CODES = frozenset(map(Reason, MEANING))
"""The reasons for which a quote is altered."""


_COMPARABLE_SCORE = 0.6


class Piece(NamedTuple):
    """A stretch of a text, and the difference that it is a side of; None where nothing is marked."""

    text: str
    difference: QuoteDifference | None


class Note(NamedTuple):
    """
    A stretch of a transcript inside a passage, end excluded.

    `difference` is the one whose side it is; None for what an ellipsis leaves out.
    """

    start: int
    end: int
    difference: QuoteDifference | None


def is_comparable(near: Nearest) -> bool:
    """Tell whether so much of the passage is the same that marking what differs helps a reader."""
    return near.score >= _COMPARABLE_SCORE


def marked(differences: Sequence[QuoteDifference]) -> list[QuoteDifference]:
    """Return the differences that are marked, in the order of the quote: those in words, or if there are none, all."""
    in_words = [each for each in differences if each.kind not in _FORM]
    chosen = in_words or [each for each in differences if each.kind is not DifferenceKind.WHITESPACE]
    return sorted(chosen, key=lambda each: each.quote_span)


def quote_pieces(result: QuoteResult) -> Iterator[Piece]:
    """Cut the quote at what differs from its passage, or the nearest one; what it lacks is an empty piece."""
    done = 0
    near = result.nearest
    differences = near.differences if near is not None and is_comparable(near) else result.differences
    for each in marked(differences):
        start, end = each.quote_span
        if start < done:
            continue
        yield Piece(result.quote[done:start], None)
        yield Piece(result.quote[start:end], each)
        done = end
    yield Piece(result.quote[done:], None)


def passage_notes(result: QuoteResult) -> list[Note]:
    """Return what is marked in the passage of the first place, from left to right."""
    notes = [Note(*each.source_span, each) for each in marked(result.differences)]
    if result.status == "elided" or (result.status == "altered" and len(result.places[0].all_spans) > 1):
        spans = result.places[0].all_spans
        notes += [Note(end, start, None) for (_, end), (start, _) in pairwise(spans) if end < start]
    return sorted(notes, key=lambda note: note[:2])


def word_diff(result: QuoteResult) -> Iterator[tuple[str, str]]:
    """
    Yield the quote in pieces of ("same" | "dropped" | "added", text), compared with its passage or the nearest one.

    What the source has in the place of the quote's words comes before them.
    """
    for text, difference in quote_pieces(result):
        if difference is None:
            yield "same", text
            continue
        if difference.source_text:
            yield "dropped", difference.source_text
        if text:
            yield "added", text


def is_form(difference: QuoteDifference) -> bool:
    """Tell whether *difference* is one of case, white space or punctuation."""
    return difference.kind in _FORM


def kind_text(difference: QuoteDifference) -> str:
    """Return what the kind of *difference* means."""
    return REASONS[Reason(difference.kind)]
