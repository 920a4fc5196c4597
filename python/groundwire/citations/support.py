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
from dataclasses import dataclass
from typing import NamedTuple

from groundwire._engine import Passages as PreparedPassages
from groundwire._engine import Source, WordList
from groundwire.citations.support_contradictions import (
    SHARED_FROM,
    Contradiction,
    ContradictionKind,
    ReadClaim,
    ReadPassage,
)
from groundwire.citations.support_terms import READ_CHARS
from groundwire.citations.support_words import COMMON_WORDS

__all__ = [
    "Contradiction",
    "ContradictionKind",
    "PassageSupport",
    "Passages",
    "QuoteCheck",
    "Support",
    "support_of",
]

_FEW = 5
"""Added to what is counted, so that a share of few words weighs less than the same share of many."""

_MISSING_DETAILS = 0.5
"""What is left of the score if all numbers, names and quotes are missing."""

_CONTRADICTED = 0.5
"""What is left of the score of a passage that says otherwise."""

_SHARED_AT_LEAST = SHARED_FROM - 0.2
"""With less of the claim's words a passage is not read for contradictions."""

_QUOTE_WORDS = 3
"""Fewer words in quotation marks are a term or a title, and nobody's words."""

_QUOTATION_MARKS = frozenset("\"“”„«»‹›「」『』‘'>")
_COMMON = WordList(COMMON_WORDS)


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


@dataclass(frozen=True, slots=True)
class Support:
    """
    What all passages have of one claim.

    Attributes:
        passages: For each passage what it has; None where there is nothing to compare: no
            text, no word of content in it, or none in the claim.
        best: The place of the passage with the highest score, the first of equals; None
            without any.
        quotes: What the claim quotes in its first 1,000 characters.
        scores: The score of each passage, as in `passages`.
        contradictions: What differs there: "number", "date", "negation"; None if nothing.
    """

    passages: tuple[PassageSupport | None, ...]
    best: int | None
    quotes: tuple[QuoteCheck, ...]
    scores: tuple[float | None, ...]
    contradictions: tuple[ContradictionKind | None, ...]


class Passages:
    """
    The texts that claims are compared with, prepared once.

    Args:
        texts: The passages as they are; None for one without a text.

    Raises:
        TypeError: *texts* is not a sequence of str and None.
    """

    __slots__ = ("_passages", "_prepared", "_sources", "_texts")

    def __init__(self, texts: Sequence[str | None]) -> None:
        if isinstance(texts, str | bytes):
            raise TypeError(f"texts must be a sequence of str and None, got {type(texts).__name__}")
        self._texts = list(texts)
        self._prepared = PreparedPassages(["" if text is None else text for text in self._texts], common=_COMMON)
        self._passages = [ReadPassage(text or "") for text in self._texts]
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

    def _support(self, claim: str, counts: "Sequence[tuple[int, ...]]") -> Support:
        quotes = self._quotes(claim)
        read_claim = ReadClaim(claim)
        found = tuple(
            self._compare(read_claim, place, _Counts(*numbers), quotes) for place, numbers in enumerate(counts)
        )
        scores = tuple(None if passage is None else passage.score for passage in found)
        read = [(-score, place) for place, score in enumerate(scores) if score is not None]
        contradictions = tuple(
            passage.contradiction.kind if passage is not None and passage.contradiction is not None else None
            for passage in found
        )
        return Support(found, min(read)[1] if read else None, quotes, scores, contradictions)

    def _compare(
        self, claim: ReadClaim, place: int, counts: "_Counts", quotes: tuple[QuoteCheck, ...]
    ) -> PassageSupport | None:
        if counts.words == 0 or counts.topics == 0:
            return None
        counts = counts._replace(
            details=counts.details + len(quotes),
            details_found=counts.details_found + sum(place in quote.found_in for quote in quotes),
        )
        contradiction = None
        # What is in common is counted again there, with units, which are no words here.
        if counts.words_found > _SHARED_AT_LEAST * counts.words:
            contradiction = claim.contradiction(self._passages[place], counts.start, counts.end)
        return PassageSupport(_score(counts, is_contradicted=contradiction is not None), *counts, contradiction)

    def _quotes(self, claim: str) -> tuple[QuoteCheck, ...]:
        if _QUOTATION_MARKS.isdisjoint(claim):
            return ()
        # It reads Markdown, whose parser takes longer to load than most claims to check.
        from groundwire.evidence.prose import quotes_in

        spans = [span for span in quotes_in(claim[:READ_CHARS]) if len(span.text.split()) >= _QUOTE_WORDS]
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
    Return what *passages* have of *claim*, a sentence without its citations.

    Raises:
        TypeError: *passages* is neither `Passages` nor a sequence of str and None.
    """
    prepared = passages if isinstance(passages, Passages) else Passages(passages)
    return prepared.support([claim])[0]


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


def _score(counts: _Counts, *, is_contradicted: bool) -> float:
    """The mean of the three shares, less what is missing of the details, and half of it if contradicted."""
    words = counts.words_found / (counts.words + _FEW)
    phrases = counts.phrases_found / (counts.phrases + _FEW)
    topics = counts.topics_found / counts.topics
    score = (words + phrases + topics) / 3
    if counts.details:
        score *= 1 - _MISSING_DETAILS * (1 - counts.details_found / counts.details)
    return round(score * (_CONTRADICTED if is_contradicted else 1), 12)
