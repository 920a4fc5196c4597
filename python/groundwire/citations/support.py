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
from groundwire.citations.reading import bare_claim_words
from groundwire.evidence.prose_tokens import has_only_apostrophes
from groundwire.language import ReadPassages, common_words, read_passages, words_of

__all__ = [
    "Contradiction",
    "ContradictionKind",
    "PassageSupport",
    "Passages",
    "QuoteCheck",
    "Reading",
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
"""With less of the claim's words a passage is not read: it supports nothing and contradicts nothing."""

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


class Reading(NamedTuple):
    """
    What one passage says of a claim, word by word.

    Attributes:
        status: "supported" if each word of content and each number, date, time and name of the claim has a
            counterpart in one place, in the same role and under the same restrictions (ruling D13);
            "contradicted" if all but one have, and that one excludes what stands there; else "unsupported".
        missing: Words of the claim that have no counterpart, or another role or restriction there.
        evidence: Span of the sentences of the passage that were compared.
    """

    status: str
    missing: tuple[str, ...]
    evidence: tuple[int, int]


_KINDS = {
    "number": ContradictionKind.NUMBER,
    "date": ContradictionKind.DATE,
    "negation": ContradictionKind.NEGATION,
    "opposite": ContradictionKind.NEGATION,
}
_UNREAD = Reading("unsupported", (), (0, 0))


# Most of what it tells is never asked for: a claim is compared with every passage, and cites one or two.
@dataclass(frozen=True)
class Support:
    """
    What all passages have of one claim.

    Attributes:
        scores: The score of each passage; None where there is nothing to compare: no text,
            no word of content in it, or none in the claim.
        quotes: What the claim quotes in its first 1,000 characters.
        found: What each of the passages says otherwise, if anything.
        counts: What the engine counted in each of them, and quotes.
        readings: What each of the passages says, word by word.
    """

    scores: tuple[float | None, ...]
    quotes: tuple[QuoteCheck, ...]
    found: tuple[Contradiction | None, ...] = field(repr=False)
    counts: tuple[tuple[int, ...], ...] = field(repr=False)
    readings: tuple[Reading, ...] = field(repr=False)

    @cached_property
    def statuses(self) -> tuple[str, ...]:
        """For each passage "supported", "unsupported" or "contradicted"."""
        return tuple(reading.status for reading in self.readings)

    def missing(self, place: int) -> tuple[str, ...]:
        """Return the words of the claim that have no counterpart in the passage at *place*."""
        return self.readings[place].missing

    @cached_property
    def passages(self) -> tuple[PassageSupport | None, ...]:
        """For each passage what it has; None where there is nothing to compare."""
        rows = zip(self.scores, self.counts, self.found, strict=True)
        return tuple(
            None if score is None else PassageSupport(score, *_Counts(*counts), contradiction)
            for score, counts, contradiction in rows
        )

    @cached_property
    def best(self) -> int | None:
        """The place of the passage with the highest score, the first of equals; None without any."""
        read = [(-score, place) for place, score in enumerate(self.scores) if score is not None]
        return min(read)[1] if read else None

    @cached_property
    def contradictions(self) -> tuple[ContradictionKind | None, ...]:
        """What differs in each passage: "number", "date", "negation"; None if nothing."""
        return tuple([None if found is None else found.kind for found in self.found])


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
        return [self._support(claim, counts) for claim, counts in zip(claims, counted, strict=True)]

    def _support(self, claim: str, counted: "Sequence[tuple[int, ...]]") -> Support:
        quotes = self._quotes(claim)
        if quotes:
            counted = [_with_quotes(_Counts(*counts), place, quotes) for place, counts in enumerate(counted)]
        found, readings = self._readings(claim, counted)
        scores = [_score(counts, contradiction) for counts, contradiction in zip(counted, found, strict=True)]
        return Support(tuple(scores), quotes, tuple(found), tuple(counted), tuple(readings))

    def _readings(
        self, claim: str, counted: "Sequence[tuple[int, ...]]"
    ) -> tuple[list[Contradiction | None], list[Reading]]:
        """What the passages that have enough of the claim say of it, and what contradicts it there."""
        found: list[Contradiction | None] = [None] * len(counted)
        readings = [_UNREAD] * len(counted)
        places = [
            place
            for place, (words, words_found, *_) in enumerate(counted)
            if self._texts[place] and 5 * words_found >= _SHARED_FIFTHS * words
        ]
        if not places:
            return found, readings
        if self._read is None:
            self._read = read_passages(self._texts)
        for place, row in zip(places, self._read.assess(claim, places=places), strict=True):
            if row is None:
                continue
            status, missing, conflict, evidence, *_ = row
            readings[place] = Reading(status, words_of(claim, missing), evidence)
            if conflict is not None:
                kind, in_claim, in_passage = conflict
                found[place] = Contradiction(_KINDS[kind], *in_claim, *in_passage)
        return found, readings

    def _quotes(self, claim: str) -> tuple[QuoteCheck, ...]:
        if _QUOTATION_MARKS.isdisjoint(claim) or has_only_apostrophes(claim):
            return ()
        # It reads Markdown, whose parser takes longer to load than most claims to check.
        from groundwire.evidence.prose import quotes_in

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
    return [_score(counts, None) for counts in counted]


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


def _score(counts: tuple[int, ...], contradiction: Contradiction | None) -> float | None:
    """The mean of the three shares, less what is missing of the details, and half of it if contradicted."""
    words, words_found, phrases, phrases_found, details, details_found, topics, topics_found, _, _ = counts
    if words == 0 or topics == 0:
        return None
    score = (words_found / (words + _FEW) + phrases_found / (phrases + _FEW) + topics_found / topics) / 3
    if details:
        score *= 1 - _MISSING_DETAILS * (1 - details_found / details)
    return round(score if contradiction is None else score * _CONTRADICTED, 12)
