"""
What differs between a quote and its passage, and whether that changes the meaning (ruling A9).

`classify` gives each edit of an alignment a kind. The kinds of `MEANING` are
what a quote may not change, however high its score.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.wording.comparison import Comparison
    from groundwire.evidence.wording.marks import MarkNames

__all__ = ["MEANING", "Difference", "DifferenceKind", "classify"]


class DifferenceKind(StrEnum):
    """What kind of a change leads from the source's words to the quote's."""

    CASE = "case"
    WHITESPACE = "whitespace"
    PUNCTUATION = "punctuation"
    SPELLING = "spelling"
    WORD_ADDED = "word_added"
    WORD_DROPPED = "word_dropped"
    WORD_REPLACED = "word_replaced"
    ORDER = "order"
    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    NEGATION = "negation"
    NAME = "name"
    MODAL = "modal"
    UNREAD = "unread"


MEANING = frozenset(
    {
        DifferenceKind.NUMBER,
        DifferenceKind.UNIT,
        DifferenceKind.DATE,
        DifferenceKind.NEGATION,
        DifferenceKind.NAME,
        DifferenceKind.MODAL,
        # Nobody has looked whether it touches meaning.
        DifferenceKind.UNREAD,
    }
)


@dataclass(frozen=True, slots=True)
class Difference:
    """
    One change: `quote_text` stands where the source has `source_text`; either may be empty.

    Spans are code points of the original texts.
    """

    kind: DifferenceKind
    quote_text: str
    source_text: str
    quote_span: tuple[int, int]
    source_span: tuple[int, int]


def classify(
    quote: str,
    passage_source: str,
    edits: Sequence[tuple[int, int, int, int]],
    *,
    vocabulary: Container[str] = frozenset(),
    marks: "MarkNames" = ("angle",),
) -> list[Difference]:
    """
    Give each edit its kind, in the order of *edits*.

    Parameters:
        quote: The quote.
        passage_source: The whole text that the passage is a part of.
        edits: (quote_start, quote_end, source_start, source_end) each, in code
            points: whole words that differ, or are written differently. What
            is between them is taken to be the same.
        vocabulary: Further words, in small letters, that a slip must not make.
            The words of the source around the passage are known without it.
        marks: Which transcript marks were taken out, as `Source.marks` names
            them: what is in them is no word.

    Returns:
        At least one difference an edit; several where an edit has words of
        several kinds. A word that is dropped here and added there is `ORDER`
        in both places unless it touches meaning, which wins over form:
        number, unit, date, negation, modal, name, then spelling, then words.
        What has the same value in another form (15 and fifteen, 10,000 and
        10000, can't and cannot) is punctuation or spelling. Of a quote whose
        words differ by more than `comparison.READ_CHARS` characters of both
        texts in all, the edits beyond that are `UNREAD`.
    """
    comparison = _comparison()(quote, passage_source, vocabulary, marks)
    found = [difference for edit in edits for difference in comparison.differences(*edit)]
    return _mark_moved(found) if len(found) > 1 else found


@cache
def _comparison() -> "type[Comparison]":
    """Loaded with its lists and patterns when the first texts are compared."""
    from groundwire.evidence.wording.comparison import Comparison

    return Comparison


def _mark_moved(differences: list[Difference]) -> list[Difference]:
    """The same words dropped in one place and added in another have moved."""
    dropped = {_words(d.source_text) for d in differences if d.kind is DifferenceKind.WORD_DROPPED}
    moved = dropped & {_words(d.quote_text) for d in differences if d.kind is DifferenceKind.WORD_ADDED}
    if not moved:
        return differences
    return [_moved(d) if _is_moved(d, moved) else d for d in differences]


def _is_moved(difference: Difference, moved: set[str]) -> bool:
    if difference.kind is DifferenceKind.WORD_DROPPED:
        return _words(difference.source_text) in moved
    return difference.kind is DifferenceKind.WORD_ADDED and _words(difference.quote_text) in moved


def _words(text: str) -> str:
    """The words of a difference, which has the white space before them in one place and behind them in another."""
    return " ".join(text.lower().split())


def _moved(d: Difference) -> Difference:
    return Difference(DifferenceKind.ORDER, d.quote_text, d.source_text, d.quote_span, d.source_span)
