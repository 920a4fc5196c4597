"""
What is said of a quote: its status, where it stands, what differs, and why.

`STATUSES` and `REASONS` say in words what each code means; reports print them, and
the table in docs/verdicts.md is made of them.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeAlias

from groundwire._engine import Match
from groundwire.evidence.differences import Difference, DifferenceKind
from groundwire.evidence.schema import check_threshold
from groundwire.labels import show
from groundwire.pair_scorer import ReaderScore
from groundwire.thresholds import FUZZY_THRESHOLD

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.transcripts.transcript import Turn

__all__ = [
    "REASONS",
    "REASON_OF_KIND",
    "STATUSES",
    "NearestPassage",
    "NearestSearch",
    "Quote",
    "QuotePolicy",
    "QuoteReason",
    "QuoteStatus",
    "QuoteVerdict",
]


@dataclass(frozen=True, slots=True)
class Quote:
    """
    A quote with what its author says of where it comes from. All of that has to be true.

    Attributes:
        text: The quote as written.
        speaker: Who said it, as `speaker_key` compares names. The words of somebody else are
            `wrong_speaker` (ruling A20).
        source: The name of the source that it is from. What only another one has is
            `found_elsewhere`.
        page: The page that it is on, from 1. What only another page has is not accepted, nor is a quote
            that names the page of a source without pages.

    Raises:
        TypeError: A value is of another type.
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
    """How a quote stands in its source."""

    EXACT = "exact"
    NORMALIZED = "normalized"
    NEAR = "near"
    ALTERED = "altered"
    ELIDED = "elided"
    PARAPHRASED = "paraphrased"
    FOUND_ELSEWHERE = "found_elsewhere"
    WRONG_SPEAKER = "wrong_speaker"
    ABSENT = "absent"
    BLANK = "blank"


STATUSES: dict[QuoteStatus, str] = {
    QuoteStatus.EXACT: "the source has these words, character for character",
    QuoteStatus.NORMALIZED: (
        "the source has these words; only case, white space, typography, marks or an ellipsis at the ends differ"
    ),
    QuoteStatus.NEAR: "the source has nearly these words, and no difference changes the meaning",
    QuoteStatus.ALTERED: "the source has nearly these words, and a difference changes the meaning",
    QuoteStatus.ELIDED: "the source has its parts in this order, and what is left out does not change their meaning",
    QuoteStatus.PARAPHRASED: "the source says this in other words, by a model that reads both; these are not its words",
    QuoteStatus.FOUND_ELSEWHERE: "another source has it, not the cited one",
    QuoteStatus.WRONG_SPEAKER: "somebody else said it, not the speaker whom the quote names or the policy allows",
    QuoteStatus.ABSENT: "no source has it",
    QuoteStatus.BLANK: "it has neither letters nor digits",
}


class QuoteReason(StrEnum):
    """Why a verdict is what it is; the kinds of differences are reasons too, under the same names."""

    CASE = "case"
    WHITESPACE = "whitespace"
    TYPOGRAPHY = "typography"
    MARKS = "marks"
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
"""The reason that a difference is; a table, because looking a code up in an enumeration takes longer."""


REASONS: dict[QuoteReason, str] = {
    QuoteReason.CASE: "capital and small letters differ",
    QuoteReason.WHITESPACE: "white space differs",
    QuoteReason.TYPOGRAPHY: "quotation marks, dashes, compatibility or invisible characters differ",
    QuoteReason.MARKS: "transcript marks such as <laughs> are only in one of them",
    QuoteReason.PUNCTUATION: "punctuation differs",
    QuoteReason.SPELLING: "a word is written differently, and is no other word",
    QuoteReason.FILLER: "a filler, a repetition or an article is only in one of them",
    QuoteReason.WORD_ADDED: "the quote has words that the source lacks",
    QuoteReason.WORD_DROPPED: "the source has words that the quote lacks",
    QuoteReason.WORD_REPLACED: "words are replaced by others",
    QuoteReason.WORDING: (
        "a word of content was added, dropped or replaced, or the order of words changes who does what"
    ),
    QuoteReason.NUMBER: "a number differs",
    QuoteReason.UNIT: "a unit or a currency differs",
    QuoteReason.DATE: "a date, or a word that points to one (last year, today), differs",
    QuoteReason.TIME: "a time of day differs",
    QuoteReason.NEGATION: "a negation was added, dropped or changed, or a word became its opposite",
    QuoteReason.NAME: "a name or a title differs",
    QuoteReason.MODAL: "a word of duty, possibility or certainty differs (shall, may, probably, usually)",
    QuoteReason.QUANTIFIER: "a word of quantity or limit differs (all, most, only, at least, about)",
    QuoteReason.CONDITION: "a word of condition, exception or cause differs (if, unless, except, because)",
    QuoteReason.UNREAD: (
        "more differs than is looked at, so that the meaning may; or a long quote was compared with one passage alone"
    ),
    QuoteReason.ELLIPSIS: "the quote marks that it leaves something out",
    QuoteReason.EDITORIAL_BRACKETS: "the quote has words or letters of its author in square brackets",
    QuoteReason.HIDDEN_MEANING: "what is left out has a negation or a limit of what is kept",
    QuoteReason.TRUNCATED_CONDITION: "right beside the quote stands a negation, a condition or a limit of it",
    QuoteReason.REVERSED_CONTEXT: "a negation right before the quote denies what it says",
    QuoteReason.ACROSS_TURNS: "the quote has words of more than one speaker",
    QuoteReason.WRONG_SPEAKER: "somebody else says these words than the quote or the policy names",
    QuoteReason.UNKNOWN_SPEAKER: "the quote names a speaker who does not speak in the source",
    QuoteReason.SPEAKER_NOT_CHECKED: "the quote names a speaker, and the source does not say who speaks",
    QuoteReason.NOT_IN_CITED_SOURCE: "the cited source does not have the quote",
    QuoteReason.UNKNOWN_SOURCE: "the quote names a source that was not given, or a name that several have",
    QuoteReason.PAGE_NOT_CHECKED: "the quote names a page, and the source has no pages",
    QuoteReason.OTHER_PAGE: "the page that the quote names lacks it, and another page has it",
    QuoteReason.ACROSS_PAGES: "the quote continues on the next page",
    QuoteReason.UNREADABLE_PAGE: "a page of the source has no text, as in a scan, and may have the quote",
    QuoteReason.IN_TABLE: "the quote has words of a table",
    QuoteReason.IN_FOOTNOTE: "the quote has words of a footnote",
    QuoteReason.TOO_SHORT: "the quote has fewer characters or words than the policy asks for",
    QuoteReason.TOO_MANY_ELLIPSES: "the quote is in more parts than are looked for",
    QuoteReason.LONGER_THAN_SOURCE: "the quote is longer than the source",
    QuoteReason.CUT_WORD: "only a part of a word of the source is quoted",
    QuoteReason.BELOW_THRESHOLD: "no passage of the source is similar enough to the quote",
    QuoteReason.ENTAILED: "a model finds that the quote follows from the nearest passage",
    QuoteReason.NO_WORDS: "nothing is left of the quote when normalised, or only punctuation",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestPassage:
    """
    The passage that is most similar to a quote that was not accepted. It never makes a quote accepted (ruling A21).

    Attributes:
        start: Offset of its first character in the source, in code points.
        end: Offset after its last character.
        score: The partial ratio of quote and passage, 0.0 to 1.0. It compares characters,
            not meaning.
        text: The source's own words.
        differences: What differs from the quote, from left to right.
        source: Name of the source; None if there is one source alone.
    """

    start: int
    end: int
    score: float
    text: str
    differences: tuple[Difference, ...] = ()
    source: str | None = None


class NearestSearch:
    """The search for the nearest passage of one quote: done when somebody asks for it, and once."""

    __slots__ = ("_find", "_found")

    def __init__(self, find: "Callable[[], NearestPassage | None]") -> None:
        self._find: Callable[[], NearestPassage | None] | None = find
        self._found: NearestPassage | None = None

    @classmethod
    def done(cls, found: NearestPassage | None) -> "NearestSearch":
        """Return a search that has found *found*."""
        return cls(lambda: found)

    def passage(self) -> NearestPassage | None:
        """Return the nearest passage, or None if there is none."""
        if self._find is not None:
            self._found, self._find = self._find(), None
        return self._found

    def __reduce__(self) -> "tuple[Callable[[NearestPassage | None], NearestSearch], tuple[NearestPassage | None]]":
        # What it has found is pickled, not the whole text of the sources.
        return NearestSearch.done, (self.passage(),)


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
        speaker: Who said it, as the quote names them; None if it names nobody.
        page: The page that the quote names.
        pages: The pages that `match` has words of, in order; empty for a source without pages.
        path: The path of the part of a document in which `match` begins.
        reader: What a model says that read the quote and the nearest passage; None if none was asked.
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
        """How like quote and passage are, 0.0 to 1.0; None if there is no passage."""
        return None if self.match is None else self.match.score

    @property
    def speakers(self) -> tuple[str, ...]:
        """Who says the words of `match`: each name once, as the source writes it, in order."""
        return tuple(dict.fromkeys(turn.speaker for turn in self.turns if turn.speaker is not None))

    @property
    def nearest(self) -> NearestPassage | None:
        """
        The passage most similar to a quote that was not accepted, or is paraphrased; `match` if there is one.

        None for another accepted quote, a blank one, one that is longer than its source, and one that
        names an unknown source. Where there is no `match` it is searched for on first use, which
        takes some milliseconds for 100,000 characters of source; `assess_quotes` does not wait for it.
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
    Which quotes are accepted.

    Attributes:
        threshold: The least partial ratio of a quote that is near, 0.0 to 1.0.
        accept: Statuses that are accepted. `altered` and those that say that the
            quote is not there never are. Plain names do as well: "exact".
        min_chars: The least number of characters, normalised, of a quote that is accepted.
        min_words: The same in words; in Chinese, Japanese and Thai in characters (ruling A10).
        max_gap_chars: The most characters that an ellipsis may stand for.
        speakers: Who may be quoted, as `speaker_key` compares names; None for anybody.
            Needs a transcript.
        accept_truncated: Whether a quote is accepted beside which a condition, a
            limit or a negation of it stands. It is flagged either way.
        accept_across_turns: The same for a quote with words of several speakers.

    Raises:
        ValueError: A number out of its range, or a status that is never accepted.
        TypeError: A value is of another type.
    """

    threshold: float = FUZZY_THRESHOLD
    accept: Collection[QuoteStatus | _AcceptableName] = _DEFAULT
    min_chars: int = 1
    min_words: int = 1
    max_gap_chars: int = 500
    speakers: Collection[str] | None = None
    accept_truncated: bool = True
    accept_across_turns: bool = True

    def __post_init__(self) -> None:
        check_threshold(self.threshold, name="threshold")
        for name, least in (("min_chars", 1), ("min_words", 1), ("max_gap_chars", 0)):
            _check_at_least(least, getattr(self, name), name)
        for name in ("accept_truncated", "accept_across_turns"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be a bool, got {type(getattr(self, name)).__name__}")
        object.__setattr__(self, "accept", frozenset(map(_acceptable, _strings(self.accept, "accept"))))
        if self.speakers is not None:
            object.__setattr__(self, "speakers", frozenset(_strings(self.speakers, "speakers")))


def _check_at_least(least: int, value: object, name: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")


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
        raise ValueError(f"accept must not have {show(status)}; allowed: {', '.join(sorted(_ACCEPTABLE))}")
    return QuoteStatus(status)
