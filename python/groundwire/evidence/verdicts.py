"""
What is said of a quote: its status, where it stands, what differs, and why.

`STATUSES` and `REASONS` say in words what each code means; reports print them, and
the table in docs/verdicts.md is made of them.
"""

from dataclasses import dataclass
from enum import StrEnum

from groundwire._engine import Match
from groundwire.evidence.differences import Difference, DifferenceKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.transcripts.transcript import Turn

__all__ = ["FORM", "REASONS", "REASON_OF_KIND", "STATUSES", "QuoteStatus", "QuoteVerdict", "Reason"]

FORM = frozenset({DifferenceKind.CASE, DifferenceKind.WHITESPACE, DifferenceKind.PUNCTUATION})
"""Kinds of differences that leave the words as they are."""


class QuoteStatus(StrEnum):
    """How a quote stands in its source."""

    EXACT = "exact"
    NORMALIZED = "normalized"
    NEAR = "near"
    ALTERED = "altered"
    ELIDED = "elided"
    FOUND_ELSEWHERE = "found_elsewhere"
    WRONG_SPEAKER = "wrong_speaker"
    ABSENT = "absent"
    BLANK = "blank"


STATUSES: dict[QuoteStatus, str] = {
    QuoteStatus.EXACT: "stands in the source, character for character",
    QuoteStatus.NORMALIZED: "stands there but for case, white space, typography, marks or an ellipsis at its ends",
    QuoteStatus.NEAR: "stands there in nearly these words, and no difference touches the meaning",
    QuoteStatus.ALTERED: "stands there in nearly these words, and something that makes the meaning differs",
    QuoteStatus.ELIDED: "its parts stand there in this order, and what stands between them hides nothing",
    QuoteStatus.FOUND_ELSEWHERE: "stands in another source than the cited one",
    QuoteStatus.WRONG_SPEAKER: "is said by somebody who may not be quoted",
    QuoteStatus.ABSENT: "is not there",
    QuoteStatus.BLANK: "has no letter and no digit",
}


class Reason(StrEnum):
    """Why a verdict is what it is; the kinds of differences are reasons too, under the same names."""

    CASE = "case"
    WHITESPACE = "whitespace"
    TYPOGRAPHY = "typography"
    MARKS = "marks"
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
    ELLIPSIS = "ellipsis"
    EDITORIAL_BRACKETS = "editorial_brackets"
    HIDDEN_MEANING = "hidden_meaning"
    TRUNCATED_CONDITION = "truncated_condition"
    ACROSS_TURNS = "across_turns"
    WRONG_SPEAKER = "wrong_speaker"
    NOT_IN_CITED_SOURCE = "not_in_cited_source"
    TOO_SHORT = "too_short"
    TOO_MANY_ELLIPSES = "too_many_ellipses"
    LONGER_THAN_SOURCE = "longer_than_source"
    CUT_WORD = "cut_word"
    BELOW_THRESHOLD = "below_threshold"
    NO_WORDS = "no_words"


REASON_OF_KIND: dict[DifferenceKind, Reason] = {kind: Reason(kind.value) for kind in DifferenceKind}
"""The reason that a difference is; a table, because looking a code up in an enumeration takes longer."""


REASONS: dict[Reason, str] = {
    Reason.CASE: "capital and small letters differ",
    Reason.WHITESPACE: "white space differs",
    Reason.TYPOGRAPHY: "quotation marks, dashes, compatibility or invisible characters differ",
    Reason.MARKS: "transcript marks such as <laughs> are only in one of them",
    Reason.PUNCTUATION: "punctuation differs",
    Reason.SPELLING: "a word is written differently, and is no other word",
    Reason.WORD_ADDED: "the quote has words that the source lacks",
    Reason.WORD_DROPPED: "the source has words that the quote lacks",
    Reason.WORD_REPLACED: "words are replaced by others",
    Reason.ORDER: "words stand in another order",
    Reason.NUMBER: "a number differs",
    Reason.UNIT: "a unit differs",
    Reason.DATE: "a date or a time differs",
    Reason.NEGATION: "a negation was added, dropped or changed, or a word became its opposite",
    Reason.NAME: "a name differs",
    Reason.MODAL: "a word of duty, possibility or limit differs (shall, may, only, unless, at least)",
    Reason.UNREAD: (
        "more differs than is looked at, so that the meaning may; or a long quote was compared with one passage alone"
    ),
    Reason.ELLIPSIS: "the quote marks that it leaves something out",
    Reason.EDITORIAL_BRACKETS: "the quote has words or letters of its author in square brackets",
    Reason.HIDDEN_MEANING: "what is left out has a negation or a limit of what is kept",
    Reason.TRUNCATED_CONDITION: "right beside the quote stands a negation, a condition or a limit of it",
    Reason.ACROSS_TURNS: "the quote has words of more than one speaker",
    Reason.WRONG_SPEAKER: "no place of the quote is said by those who may be quoted",
    Reason.NOT_IN_CITED_SOURCE: "the cited source does not have the quote",
    Reason.TOO_SHORT: "the quote has fewer characters or words than the policy asks for",
    Reason.TOO_MANY_ELLIPSES: "the quote is in more parts than are looked for",
    Reason.LONGER_THAN_SOURCE: "the quote is longer than the source",
    Reason.CUT_WORD: "only a part of a word of the source is quoted",
    Reason.BELOW_THRESHOLD: "nothing in the source is as like the quote as the policy asks for",
    Reason.NO_WORDS: "nothing is left of the quote when normalised, or only punctuation",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteVerdict:
    """
    What is said of one quote.

    Attributes:
        quote: The quote as given.
        status: How it stands in the source.
        accepted: Whether the policy accepts it.
        match: The passage: the first occurrence, the most like one, or all from
            the first part to the last of an elided quote. Its score is the partial
            ratio, 0.0 to 1.0. None if there is none.
        all_spans: Every occurrence of a quote that is exact or normalized; else
            the passage, or the parts of a quote with gaps; as (start, end) in code
            points of the source. With speakers, of what they say.
        differences: What differs from `match`, from left to right; empty if
            `status` is exact.
        reasons: Stable codes, those that decided first; each once.
        truncated: The words beside the quote that restrict or deny it.
        hidden: The words in its gaps that do.
        source: Name of the source that has it.
        turns: The turns of a transcript that `match` has words of, in order.
    """

    quote: str
    status: QuoteStatus
    accepted: bool
    match: Match | None = None
    all_spans: tuple[tuple[int, int], ...] = ()
    differences: tuple[Difference, ...] = ()
    reasons: tuple[Reason, ...] = ()
    truncated: str | None = None
    hidden: tuple[str, ...] = ()
    source: str | None = None
    turns: "tuple[Turn, ...]" = ()

    @property
    def score(self) -> float | None:
        """How like quote and passage are, 0.0 to 1.0; None if there is no passage."""
        return None if self.match is None else self.match.score
