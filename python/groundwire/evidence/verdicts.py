"""
Defines the verdict on a quote: its status, its passage, the differences, and the reasons.

`STATUSES` and `REASONS` explain each code in words. Reports print them, and docs/reference/codes.md repeats them.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from math import log1p
from typing import TYPE_CHECKING, Literal, TypeAlias

from groundwire._engine import Match
from groundwire.evidence.differences import MEANING, Difference, DifferenceKind
from groundwire.evidence.schema import check_count, check_threshold
from groundwire.labels import show
from groundwire.pair_scorer import ReaderScore
from groundwire.support_score import SupportScore
from groundwire.thresholds import FUZZY_THRESHOLD

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.transcripts.transcript import Turn

__all__ = [
    "REASONS",
    "REASON_OF_KIND",
    "STATUSES",
    "WHOLE",
    "NearestPassage",
    "NearestSearch",
    "Quote",
    "QuotePolicy",
    "QuoteReason",
    "QuoteStatus",
    "QuoteVerdict",
    "quote_features",
    "quote_probability",
    "verdict_rank",
]


@dataclass(frozen=True, slots=True)
class Quote:
    """
    Holds a quote with its claimed origin, all of which has to be true.

    Attributes:
        text: The quote as written.
        speaker: The claimed speaker; `speaker_key` compares names. If someone else
            says these words, the quote is `wrong_speaker` (ruling A20).
        source: Name of the claimed source. If only another source contains the
            quote, it is `found_elsewhere`.
        page: The claimed page, from 1. If only another page has the quote, or the
            source has no pages, the quote is not accepted.

    Raises:
        TypeError: A value has the wrong type.
        ValueError: A name is blank, or the page is below 1.
    """

    text: str
    speaker: str | None = field(default=None, kw_only=True)
    source: str | None = field(default=None, kw_only=True)
    page: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise TypeError(f"text must be a str, got {type(self.text).__name__}")
        for name, value in (("speaker", self.speaker), ("source", self.source)):
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{name} must be a str or None, got {type(value).__name__}")
            if value is not None and not value.strip():
                raise ValueError(f"{name} must not be blank")
        if self.page is not None and (not isinstance(self.page, int) or isinstance(self.page, bool)):
            raise TypeError(f"page must be an int or None, got {type(self.page).__name__}")
        if self.page is not None and self.page < 1:
            raise ValueError(f"page must be at least 1, got {self.page}")


class QuoteStatus(StrEnum):
    """Names the outcome of the search for a quote."""

    EXACT = "exact"
    NORMALIZED = "normalized"
    NEAR = "near"
    ALTERED = "altered"
    ELIDED = "elided"
    PARAPHRASED = "paraphrased"
    FOUND_ELSEWHERE = "found_elsewhere"
    WRONG_SPEAKER = "wrong_speaker"
    ABSENT = "absent"
    UNREADABLE = "unreadable"
    BLANK = "blank"


WHOLE = frozenset({QuoteStatus.EXACT, QuoteStatus.NORMALIZED})
"""Statuses of quotes that occur in the source, of which every occurrence is listed."""

STATUSES: dict[QuoteStatus, str] = {
    QuoteStatus.EXACT: "the source contains exactly these words",
    QuoteStatus.NORMALIZED: (
        "the source contains these words; only case, white space, typography, tags, variants of characters or an "
        "ellipsis at an end differ"
    ),
    QuoteStatus.NEAR: "the source contains similar words, and no difference changes the meaning",
    QuoteStatus.ALTERED: "the source contains similar words, but a difference changes the meaning",
    QuoteStatus.ELIDED: "the source contains the parts in this order, and the omitted words change nothing",
    QuoteStatus.PARAPHRASED: "according to a model, the source says this in other words",
    QuoteStatus.FOUND_ELSEWHERE: "another source contains it, but not the cited one",
    QuoteStatus.WRONG_SPEAKER: "found, but spoken by someone whom the quote does not name or the policy excludes",
    QuoteStatus.ABSENT: "no source contains it",
    QuoteStatus.UNREADABLE: "not found, but a page that has no text, such as a scan, may contain it",
    QuoteStatus.BLANK: "it contains no letters or digits",
}


class QuoteReason(StrEnum):
    """Names a reason for a verdict. Every kind of difference is also a reason with the same name."""

    CASE = "case"
    WHITESPACE = "whitespace"
    TYPOGRAPHY = "typography"
    MARKS = "marks"
    VARIANTS = "variants"
    PUNCTUATION = "punctuation"
    SPELLING = "spelling"
    FILLER = "filler"
    WORD_ADDED = "word_added"
    WORD_DROPPED = "word_dropped"
    WORD_REPLACED = "word_replaced"
    WORDING = "wording"
    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    TIME = "time"
    NEGATION = "negation"
    NAME = "name"
    MODAL = "modal"
    QUANTIFIER = "quantifier"
    CONDITION = "condition"
    UNREAD = "unread"
    ELLIPSIS = "ellipsis"
    EDITORIAL_BRACKETS = "editorial_brackets"
    HIDDEN_MEANING = "hidden_meaning"
    TRUNCATED_CONDITION = "truncated_condition"
    REVERSED_CONTEXT = "reversed_context"
    ACROSS_TURNS = "across_turns"
    WRONG_SPEAKER = "wrong_speaker"
    UNKNOWN_SPEAKER = "unknown_speaker"
    SPEAKER_NOT_CHECKED = "speaker_not_checked"
    NOT_IN_CITED_SOURCE = "not_in_cited_source"
    UNKNOWN_SOURCE = "unknown_source"
    PAGE_NOT_CHECKED = "page_not_checked"
    OTHER_PAGE = "other_page"
    ACROSS_PAGES = "across_pages"
    UNREADABLE_PAGE = "unreadable_page"
    IN_TABLE = "in_table"
    IN_FOOTNOTE = "in_footnote"
    TOO_SHORT = "too_short"
    TOO_MANY_ELLIPSES = "too_many_ellipses"
    LONGER_THAN_SOURCE = "longer_than_source"
    CUT_WORD = "cut_word"
    BELOW_THRESHOLD = "below_threshold"
    ENTAILED = "entailed"
    NO_WORDS = "no_words"


REASON_OF_KIND: dict[DifferenceKind, QuoteReason] = {kind: QuoteReason(kind.value) for kind in DifferenceKind}
"""The reason for each kind of difference. A table is faster than a look-up in the enumeration."""


REASONS: dict[QuoteReason, str] = {
    QuoteReason.CASE: "capital and small letters differ",
    QuoteReason.WHITESPACE: "white space differs",
    QuoteReason.TYPOGRAPHY: "quotation marks, dashes, compatibility or invisible characters differ",
    QuoteReason.MARKS: "only one of the two has transcript tags such as <laughs>",
    QuoteReason.VARIANTS: "simplified and traditional characters, or hiragana and katakana, differ",
    QuoteReason.PUNCTUATION: "punctuation differs",
    QuoteReason.SPELLING: "a word is spelled differently but is the same word",
    QuoteReason.FILLER: "only one of the two has a filler, a repetition or an article",
    QuoteReason.WORD_ADDED: "the quote has words that the passage lacks",
    QuoteReason.WORD_DROPPED: "the passage has words that the quote lacks",
    QuoteReason.WORD_REPLACED: "words are replaced",
    QuoteReason.WORDING: ("a content word was added, dropped or replaced, or the word order changes who does what"),
    QuoteReason.NUMBER: "a number differs",
    QuoteReason.UNIT: "a unit or a currency differs",
    QuoteReason.DATE: "a date differs, or a word that refers to one (last year, today)",
    QuoteReason.TIME: "a time of day differs",
    QuoteReason.NEGATION: "a negation was added, dropped or changed, or a word was replaced by its opposite",
    QuoteReason.NAME: "a name or a title differs",
    QuoteReason.MODAL: "a word for duty, possibility or certainty differs (must, may, probably, usually)",
    QuoteReason.QUANTIFIER: "a word for quantity or a limit differs (all, most, only, at least, about)",
    QuoteReason.CONDITION: "a word for a condition, an exception or a cause differs (if, unless, except, because)",
    QuoteReason.UNREAD: ("too much differs to compare the meaning, or a long quote was compared with only one passage"),
    QuoteReason.ELLIPSIS: "the quote marks an omission",
    QuoteReason.EDITORIAL_BRACKETS: "the quote has words or letters in square brackets",
    QuoteReason.HIDDEN_MEANING: "the omitted words negate or limit the quoted ones",
    QuoteReason.TRUNCATED_CONDITION: "the words directly beside the quote negate or limit it, or make it conditional",
    QuoteReason.REVERSED_CONTEXT: "a negation directly before the quote reverses it",
    QuoteReason.ACROSS_TURNS: "the quote joins words of several speakers",
    QuoteReason.WRONG_SPEAKER: "found, but spoken by someone else",
    QuoteReason.UNKNOWN_SPEAKER: "the source has no such speaker",
    QuoteReason.SPEAKER_NOT_CHECKED: "the quote names a speaker, but the source names none",
    QuoteReason.NOT_IN_CITED_SOURCE: "the cited source does not contain the quote",
    QuoteReason.UNKNOWN_SOURCE: "no source, or more than one, has the name that the quote gives",
    QuoteReason.PAGE_NOT_CHECKED: "the quote names a page, but the source has no pages",
    QuoteReason.OTHER_PAGE: "found, but on another page",
    QuoteReason.ACROSS_PAGES: "the quote continues on the next page",
    QuoteReason.UNREADABLE_PAGE: "a page of the source has no text, as in a scan, and may contain the quote",
    QuoteReason.IN_TABLE: "the quote has words of a table",
    QuoteReason.IN_FOOTNOTE: "the quote has words of a footnote",
    QuoteReason.TOO_SHORT: "the quote has fewer characters or words than the policy requires",
    QuoteReason.TOO_MANY_ELLIPSES: "the quote has too many omissions to check",
    QuoteReason.LONGER_THAN_SOURCE: "the quote is longer than the source",
    QuoteReason.CUT_WORD: "the quote ends or begins inside a word of the source",
    QuoteReason.BELOW_THRESHOLD: "no passage is similar enough",
    QuoteReason.ENTAILED: "according to a model, the quote follows from the nearest passage",
    QuoteReason.NO_WORDS: "normalisation leaves nothing of the quote, or only punctuation",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestPassage:
    """
    Holds the passage most similar to a rejected quote. It never makes a quote accepted (ruling A21).

    Attributes:
        start: Offset of its first character in the source, in code points.
        end: Offset after its last character.
        score: The partial ratio of quote and passage, 0.0 to 1.0. It compares characters,
            not meaning.
        text: The words of the source.
        differences: Differences from the quote, left to right.
        source: Name of the source; None if there is only one source.
    """

    start: int
    end: int
    score: float
    text: str
    differences: tuple[Difference, ...] = ()
    source: str | None = None


class NearestSearch:
    """Searches for the nearest passage of one quote, once, on first use."""

    __slots__ = ("_find", "_found")

    def __init__(self, find: "Callable[[], NearestPassage | None]") -> None:
        self._find: Callable[[], NearestPassage | None] | None = find
        self._found: NearestPassage | None = None

    @classmethod
    def done(cls, found: NearestPassage | None) -> "NearestSearch":
        """Return a finished search with the result *found*."""
        return cls(lambda: found)

    def passage(self) -> NearestPassage | None:
        """Return the nearest passage, or None if there is none."""
        if self._find is not None:
            self._found, self._find = self._find(), None
        return self._found

    def __reduce__(self) -> "tuple[Callable[[NearestPassage | None], NearestSearch], tuple[NearestPassage | None]]":
        # Pickles the result, not the whole text of the sources.
        return NearestSearch.done, (self.passage(),)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteVerdict:
    """
    Holds the verdict on one quote.

    Attributes:
        quote: The quote as given.
        status: The outcome of the search.
        accepted: Whether the policy accepts the quote.
        match: The passage: the first occurrence, the most similar passage, or for an
            elided quote everything from its first part to its last. Its score is the
            partial ratio, 0.0 to 1.0. None if the quote was not found.
        all_spans: Every occurrence of an exact or normalized quote; otherwise the
            passage, or the parts of a quote with omissions; as (start, end) in code
            points of the source. If speakers are given, only in their words.
        differences: Differences from `match`, left to right; empty if `status` is
            exact.
        reasons: Stable codes, each once; deciding ones come first.
        truncated: The words beside the quote that restrict or negate it.
        hidden: The omitted words that restrict or negate it.
        source: Name of the source that contains the quote.
        turns: The turns of a transcript that `match` takes words from, in order.
        speaker: The speaker whom the quote names; None if it names none.
        page: The page that the quote names.
        pages: The pages that `match` takes words from, in order; empty for a source without pages.
        path: The path of the part of a document in which `match` begins.
        reader: The score of a model that read the quote and the nearest passage; None if no model was used.
    """

    quote: str
    status: QuoteStatus
    accepted: bool
    match: Match | None = None
    all_spans: tuple[tuple[int, int], ...] = ()
    differences: tuple[Difference, ...] = ()
    reasons: tuple[QuoteReason, ...] = ()
    truncated: str | None = None
    hidden: tuple[str, ...] = ()
    source: str | None = None
    turns: "tuple[Turn, ...]" = ()
    speaker: str | None = None
    page: int | None = None
    pages: tuple[int, ...] = ()
    path: str | None = None
    reader: ReaderScore | None = None
    _search: NearestSearch | None = field(default=None, repr=False, compare=False)

    @property
    def score(self) -> float | None:
        """Return the similarity of quote and passage, 0.0 to 1.0; None without a passage."""
        return None if self.match is None else self.match.score

    @property
    def speakers(self) -> tuple[str, ...]:
        """Return the speakers of `match` in order, each once, as the source writes them."""
        return tuple(dict.fromkeys(turn.speaker for turn in self.turns if turn.speaker is not None))

    @property
    def nearest(self) -> NearestPassage | None:
        """
        Return the passage most similar to a rejected or paraphrased quote; `match` if there is one.

        None for any other accepted quote, a blank quote, a quote longer than its source, and one that names an
        unknown source. Without a `match`, the first use searches for the passage, which takes some milliseconds for
        100,000 characters of source. `assess_quotes` does not wait for this search.
        """
        is_paraphrased = self.status is QuoteStatus.PARAPHRASED
        if (self.accepted and not is_paraphrased) or self.status is QuoteStatus.BLANK:
            return None
        if self.match is not None:
            return NearestPassage(
                start=self.match.start,
                end=self.match.end,
                score=self.match.score,
                text=self.match.text,
                differences=self.differences,
                source=self.source,
            )
        return None if self._search is None else self._search.passage()


_BEST_FIRST = (
    QuoteStatus.EXACT,
    QuoteStatus.NORMALIZED,
    QuoteStatus.NEAR,
    QuoteStatus.ELIDED,
    QuoteStatus.FOUND_ELSEWHERE,
    QuoteStatus.ALTERED,
    QuoteStatus.WRONG_SPEAKER,
    QuoteStatus.ABSENT,
    QuoteStatus.UNREADABLE,
    QuoteStatus.BLANK,
)


def verdict_rank(verdict: QuoteVerdict) -> tuple[bool, int, float, bool]:
    """Return a sort key for verdicts on one quote; lower is better."""
    is_longer = QuoteReason.LONGER_THAN_SOURCE in verdict.reasons
    return (not verdict.accepted, _BEST_FIRST.index(verdict.status), -(verdict.score or 0.0), is_longer)


_SCORED = frozenset(QuoteStatus) - {
    QuoteStatus.PARAPHRASED,
    QuoteStatus.FOUND_ELSEWHERE,
    QuoteStatus.WRONG_SPEAKER,
    QuoteStatus.UNREADABLE,
}


def quote_features(verdict: QuoteVerdict) -> tuple[float, ...] | None:
    """
    Return the features of a quote, in the order of `groundwire.support_score.QUOTE_FEATURES`.

    similarity: The score of the passage, 0.0 without one.
    exact, near, elided, altered: 1.0 for that status; exact also for normalized.
    changes: The natural logarithm of one more than the number of differences in meaning.
    flags: 1.0 if words beside the quote, or words that it leaves out, restrict it.

    None for a status that depends on a reader, on the speaker or source that the quote names, or on pages without
    text: labelled quotes have none of these.
    """
    if verdict.status not in _SCORED:
        return None
    is_exact = verdict.status in WHOLE
    statuses = (verdict.status is each for each in (QuoteStatus.NEAR, QuoteStatus.ELIDED, QuoteStatus.ALTERED))
    changes = sum(each.kind in MEANING for each in verdict.differences)
    is_flagged = verdict.truncated is not None or bool(verdict.hidden)
    return (verdict.score or 0.0, float(is_exact), *map(float, statuses), log1p(changes), float(is_flagged))


def quote_probability(verdict: QuoteVerdict, score: SupportScore) -> float | None:
    """Return the probability that the quote is right, 0.0 to 1.0, by a *score* that was fitted on quotes."""
    features = quote_features(verdict)
    return None if features is None else score.check_subject("quotes").probability_of(features)


_AcceptableName: TypeAlias = Literal["exact", "normalized", "near", "elided", "paraphrased", "found_elsewhere"]

_ACCEPTABLE = frozenset(
    {
        QuoteStatus.EXACT,
        QuoteStatus.NORMALIZED,
        QuoteStatus.NEAR,
        QuoteStatus.ELIDED,
        QuoteStatus.PARAPHRASED,
        QuoteStatus.FOUND_ELSEWHERE,
    }
)

_DEFAULT = _ACCEPTABLE - {QuoteStatus.PARAPHRASED, QuoteStatus.FOUND_ELSEWHERE}


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotePolicy:
    """
    Decides which quotes are accepted.

    Attributes:
        threshold: Minimum partial ratio of a quote that is near, 0.0 to 1.0.
        accept: Accepted statuses, also as plain names: "exact". `altered` and the
            statuses of quotes that were not found are never accepted.
        min_chars: Minimum number of normalised characters of an accepted quote.
        min_words: Minimum number of words; in Chinese, Japanese and Thai, of characters (ruling A10).
        max_gap_chars: Maximum number of characters that an ellipsis may omit.
        speakers: Speakers who may be quoted; `speaker_key` compares names. None for
            all. Needs a transcript.
        accept_truncated: Whether to accept a quote if the words directly beside it
            negate or limit it, or make it conditional. It is flagged either way.
        accept_across_turns: Whether to accept a quote with words of several speakers.
        fold_variants: Whether simplified and traditional Chinese characters are equal, and hiragana and katakana.
            Different words may become equal, because simplification has united characters.

    Raises:
        ValueError: A number is out of range, or a status can never be accepted.
        TypeError: A value has the wrong type.
    """

    threshold: float = FUZZY_THRESHOLD
    accept: Collection[QuoteStatus | _AcceptableName] = _DEFAULT
    min_chars: int = 1
    min_words: int = 1
    max_gap_chars: int = 500
    speakers: Collection[str] | None = None
    accept_truncated: bool = True
    accept_across_turns: bool = True
    fold_variants: bool = False

    def __post_init__(self) -> None:
        check_threshold(self.threshold, name="threshold")
        for name, least in (("min_chars", 1), ("min_words", 1), ("max_gap_chars", 0)):
            check_count(name, getattr(self, name), least=least)
        for name in ("accept_truncated", "accept_across_turns", "fold_variants"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be a bool, got {type(getattr(self, name)).__name__}")
        object.__setattr__(self, "accept", frozenset(map(_acceptable, _strings(self.accept, "accept"))))
        if self.speakers is not None:
            object.__setattr__(self, "speakers", frozenset(_strings(self.speakers, "speakers")))


def _strings(values: object, name: str) -> list[str]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a collection of str, got {type(values).__name__}")
    strings = list(values)
    for value in strings:
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a collection of str, has {type(value).__name__}")
    return strings


def _acceptable(status: str) -> QuoteStatus:
    if status not in _ACCEPTABLE:
        raise ValueError(f"accept must not contain {show(status)}; allowed: {', '.join(sorted(_ACCEPTABLE))}")
    return QuoteStatus(status)
