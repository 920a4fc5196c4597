"""
Does a source contain what a claim says?

Each passage gets a score from 0 to 1, out of three shares that a person can check: how
many of the claim's words it has, how many of the claim's phrases, and how much of what
the passage mostly speaks of is what the claim speaks of. Numbers, names and quotes that
are missing take up to half of it away, and so does a contradiction.

It is a score of wording: a claim in other words than its source scores low, and one that
draws a wrong conclusion in the source's words scores high. docs/quality.md measures both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from groundwire._engine import Passages as PreparedPassages
from groundwire._engine import Source, WordList
from groundwire.citations.parser import bare_claim_words
from groundwire.evidence.quotations import has_only_apostrophes
from groundwire.language import AssessmentRow, ReadPassages, common_words, read_passages, words_of

__all__ = [
    "Contradiction",
    "ContradictionKind",
    "PassageSupport",
    "Passages",
    "QuoteCheck",
    "Support",
    "support_of",
    "wording_scores",
]

_FEW = 5
"""Added to what is counted, so that a share of few words weighs less than the same share of many."""

_MISSING_DETAILS = 0.5
"""What is left of the score if all numbers, names and quotes are missing."""

_CONTRADICTED = 0.5
"""What is left of the score of a passage that says otherwise."""

_SHARED_FIFTHS = 2
"""With less of the claim's words a passage is not read."""

_READ_CHARS = 1_000
"""So much of a claim is looked through for quotes."""

_QUOTE_WORDS = 3
"""Fewer words in quotation marks are a term or a title, and nobody's words."""

_QUOTATION_MARKS = frozenset("\"“”„«»‹›「」『』‘'>")
_COMMON = WordList(common_words())


class ContradictionKind(StrEnum):
    """What differs."""

    NUMBER = "number"
    DATE = "date"
    NEGATION = "negation"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """
    One thing that a passage says otherwise.

    Attributes:
        kind: What it is.
        claim_start, claim_end: Where it stands in the claim.
        passage_start, passage_end: What the passage has in its place; for a denial, the denied
            word where the other side has none.
    """

    kind: ContradictionKind
    claim_start: int
    claim_end: int
    passage_start: int
    passage_end: int


@dataclass(frozen=True, slots=True)
class PassageSupport:
    """
    What one passage has of a claim.

    Words are words of content: of four letters or more, numbers and abbreviations, without
    the common ones; they are the same if they begin with the same six letters. Of a long
    passage the window of 120 such words that has most of the claim is compared.

    Attributes:
        score: 0.0 to 1.0; see the module.
        words, words_found: Different words of the claim, and how many the window has.
        phrases, phrases_found: Words of the claim that follow each other, and how many such
            pairs stand within three words in the window.
        details, details_found: Numbers, names and quotes of the claim, and how many the
            passage has anywhere.
        topics, topics_found: The most frequent words of the window, five at most, and how
            many of them the claim has.
        start, end: Where the claim's words stand closest together in the passage; both 0 if
            it has none.
        contradiction: What it says otherwise there, if anything.
    """

    score: float
    words: int
    words_found: int
    phrases: int
    phrases_found: int
    details: int
    details_found: int
    topics: int
    topics_found: int
    start: int
    end: int
    contradiction: Contradiction | None


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """
    What a claim puts in quotation marks.

    Attributes:
        start, end: Its place in the claim, without the marks.
        found_in: The passages in which it stands, by their places; typography aside.
    """

    start: int
    end: int
    found_in: tuple[int, ...]


_KINDS = {
    "number": ContradictionKind.NUMBER,
    "date": ContradictionKind.DATE,
    "negation": ContradictionKind.NEGATION,
    "opposite": ContradictionKind.NEGATION,
}


# Most of what it tells is never asked for: a claim is compared with every passage, and cites one or two.
@dataclass(frozen=True)
class Support:
    """
    What all passages have of one claim.

    Attributes:
        claim: The claim.
        quotes: What it quotes in its first 1,000 characters.
        counts: What the engine counted in each of them, and quotes.
        rows: What each of them says, word by word, as the engine tells it; None where it was not read.
    """

    claim: str = field(repr=False)
    quotes: tuple[QuoteCheck, ...]
    counts: Sequence[tuple[int, ...]] = field(repr=False)
    rows: Sequence[AssessmentRow | None] = field(repr=False)

    @cached_property
    def statuses(self) -> tuple[str, ...]:
        """
        For each passage what it says of the claim, word by word.

        "supported" if each word of content and each number, date, time and name of the claim has a counterpart in one
        place, in the same role and under the same restrictions (ruling D13); "contradicted" if all but one have, and
        that one excludes what stands there; else "unsupported".
        """
        return tuple(["unsupported" if row is None else row[0] for row in self.rows])

    @cached_property
    def scores(self) -> tuple[float | None, ...]:
        """The score of each passage; None where there is nothing to compare: no text, or no word on either side."""
        return tuple(map(self.score, range(len(self.counts))))

    def score(self, place: int) -> float | None:
        """Return the score of the passage at *place*; None where there is nothing to compare."""
        row = self.rows[place]
        return _score(self.counts[place], is_contradicted=row is not None and row[2] is not None)

    def contradiction(self, place: int) -> Contradiction | None:
        """Return what the passage at *place* says otherwise, if anything."""
        row = self.rows[place]
        if row is None or row[2] is None:
            return None
        kind, in_claim, in_passage = row[2]
        return Contradiction(_KINDS[kind], *in_claim, *in_passage)

    def missing(self, place: int) -> tuple[str, ...]:
        """Return the words of the claim that have no counterpart in the passage at *place*, or another role there."""
        row = self.rows[place]
        return () if row is None else words_of(self.claim, row[1])

    @cached_property
    def passages(self) -> tuple[PassageSupport | None, ...]:
        """For each passage what it has; None where there is nothing to compare."""
        return tuple(
            None if score is None else PassageSupport(score, *_Counts(*self.counts[place]), self.contradiction(place))
            for place, score in enumerate(self.scores)
        )

    @cached_property
    def best(self) -> int | None:
        """The place of the passage with the highest score, the first of equals; None without any."""
        read = [(-score, place) for place, score in enumerate(self.scores) if score is not None]
        return min(read)[1] if read else None

    @cached_property
    def contradictions(self) -> tuple[ContradictionKind | None, ...]:
        """What differs in each passage: "number", "date", "negation"; None if nothing."""
        return tuple([None if row is None or row[2] is None else _KINDS[row[2][0]] for row in self.rows])


class Passages:
    """
    The texts that claims are compared with, prepared once.

    Args:
        texts: The passages as they are; None for one without a text.

    Raises:
        TypeError: *texts* is not a sequence of str and None.
    """

    __slots__ = ("_prepared", "_read", "_sources", "_texts")

    def __init__(self, texts: Sequence[str | None]) -> None:
        if isinstance(texts, str | bytes):
            raise TypeError(f"texts must be a sequence of str and None, got {type(texts).__name__}")
        self._texts = list(texts)
        self._prepared = PreparedPassages(["" if text is None else text for text in self._texts], common=_COMMON)
        self._read: ReadPassages | None = None
        self._sources: dict[int, Source] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def support(self, claims: Sequence[str]) -> list[Support]:
        """
        Return what the passages have of each of *claims*.

        A claim is a sentence without its citations: a number in brackets would be one that
        the source has to have.
        """
        counted = self._prepared.support(claims)
        # A passage that has little of a claim supports nothing and contradicts nothing.
        places = [
            [
                place
                for place, (words, words_found, *_) in enumerate(counts)
                if 5 * words_found >= _SHARED_FIFTHS * words and self._texts[place]
            ]
            for counts in counted
        ]
        if self._read is None and any(places):
            self._read = read_passages(self._texts)
        read = [[] for _ in claims] if self._read is None else self._read.assess_each(claims, places)
        return list(map(self._support, claims, counted, places, read))

    def _support(
        self, claim: str, counts: Sequence[tuple[int, ...]], places: list[int], read: list[AssessmentRow | None]
    ) -> Support:
        rows: list[AssessmentRow | None] = [None] * len(counts)
        for place, row in zip(places, read, strict=True):
            rows[place] = row
        quotes = self._quotes(claim)
        if quotes:
            counts = [_with_quotes(_Counts(*each), place, quotes) for place, each in enumerate(counts)]
        return Support(claim, quotes, counts, rows)

    def _quotes(self, claim: str) -> tuple[QuoteCheck, ...]:
        if _QUOTATION_MARKS.isdisjoint(claim) or has_only_apostrophes(claim):
            return ()
        # It reads Markdown, whose parser takes longer to load than most claims to check.
        from groundwire.evidence.quotations import quotes_in

        spans = [span for span in quotes_in(claim[:_READ_CHARS]) if len(span.text.split()) >= _QUOTE_WORDS]
        return tuple(QuoteCheck(span.start, span.end, self._places_of(span.text)) for span in spans)

    def _places_of(self, quote: str) -> tuple[int, ...]:
        places = []
        for place, text in enumerate(self._texts):
            if text and self._source(place, text).find(quote) is not None:
                places.append(place)
        return tuple(places)

    def _source(self, place: int, text: str) -> Source:
        source = self._sources.get(place)
        if source is None:
            source = self._sources[place] = Source(text, profile="typographic")
        return source


def support_of(claim: str, passages: Passages | Sequence[str | None]) -> Support:
    """
    Return what *passages* have of *claim*, a sentence.

    Its citations do not count, nor do a list mark or the label of a step in front of it and the names of passages
    in it (`Passage 2`): their numbers are none that a source has to have.

    Raises:
        TypeError: *passages* is neither `Passages` nor a sequence of str and None.
    """
    prepared = passages if isinstance(passages, Passages) else Passages(passages)
    return prepared.support([bare_claim_words(claim)])[0]


def wording_scores(claim: str, texts: Sequence[str]) -> list[float | None]:
    """Return the score of wording of each of *texts* alone: quotes and contradictions in them are not looked for."""
    (counted,) = PreparedPassages(texts, common=_COMMON).support([claim])
    return [_score(counts, is_contradicted=False) for counts in counted]


class _Counts(NamedTuple):
    """What the engine counts; see `PassageSupport`."""

    words: int
    words_found: int
    phrases: int
    phrases_found: int
    details: int
    details_found: int
    topics: int
    topics_found: int
    start: int
    end: int


def _with_quotes(counts: _Counts, place: int, quotes: tuple[QuoteCheck, ...]) -> _Counts:
    """Quotes are details, too."""
    found = sum(place in quote.found_in for quote in quotes)
    return counts._replace(details=counts.details + len(quotes), details_found=counts.details_found + found)


def _score(counts: tuple[int, ...], *, is_contradicted: bool) -> float | None:
    """The mean of the three shares, less what is missing of the details, and half of it if contradicted."""
    words, words_found, phrases, phrases_found, details, details_found, topics, topics_found, _, _ = counts
    if words == 0 or topics == 0:
        return None
    score = (words_found / (words + _FEW) + phrases_found / (phrases + _FEW) + topics_found / topics) / 3
    if details:
        score *= 1 - _MISSING_DETAILS * (1 - details_found / details)
    return round(score * _CONTRADICTED if is_contradicted else score, 12)
