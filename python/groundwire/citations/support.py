"""
Does a source contain what a claim says?

Each passage gets the probability that it supports the claim, from eight features that a person can check: how much of
the claim's words, phrases and names it has, whether it contradicts the claim, and so on. `groundwire.support_score`
weighs them.

The features are of wording: a claim in other words than its source scores low, and one that draws a wrong conclusion
in the source's words scores high. docs/figures/quality.md has the features, the sets and the figures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from groundwire._engine import Source
from groundwire.citations.parser import bare_claim_words
from groundwire.evidence.quotations import has_only_apostrophes
from groundwire.language import AssessmentRow, ReadPassages, SupportRow, read_passages, read_terms, words_of
from groundwire.pair_scorer import is_vetoed
from groundwire.support_score import SupportScore, chosen_score

if TYPE_CHECKING:
    import os

__all__ = [
    "Carrier",
    "ContradictionCandidate",
    "ContradictionKind",
    "PassageSupport",
    "Passages",
    "QuoteCheck",
    "Support",
    "support_of",
]

_MAX_QUOTED_CHARS = 1_000
"""So much of a claim is looked through for quotes."""

_QUOTE_WORDS = 3
"""Fewer words in quotation marks are a term or a title, and nobody's words."""

_QUOTATION_MARKS = frozenset("\"“”„«»‹›「」『』‘'>")


class ContradictionKind(StrEnum):
    """What differs."""

    NUMBER = "number"
    DATE = "date"
    NEGATION = "negation"


@dataclass(frozen=True, slots=True)
class ContradictionCandidate:
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

    Terms of a claim are its words of content, names, numbers, dates and times. Rare words weigh more than others.

    Attributes:
        score: The probability that the passage supports the claim, 0.0 to 1.0, where as many claims are supported as
            not.
        words: How much of the weight of the claim's terms the best three sentences in a row have, 0.0 to 1.0.
        phrases: How much of the weight of the claim's pairs of neighbouring terms stands together in the passage, at
            most five words apart, 0.0 to 1.0.
        topics: How many of the passage's five most frequent words of content the claim has, 0.0 to 1.0.
        names_missing: How many names of the claim have no counterpart anywhere in the passage.
        numbers_missing: How many numbers, dates and times have none.
        status: What `Support.statuses` says.
        start, end: From the first to the last term of the claim in the best sentences; both 0 if there is none.
        contradiction: What the passage says otherwise, if anything.
    """

    score: float
    words: float
    phrases: float
    topics: float
    names_missing: int
    numbers_missing: int
    status: str
    start: int
    end: int
    contradiction: ContradictionCandidate | None


@dataclass(frozen=True, slots=True)
class Carrier:
    """
    A term of a claim, and the passages that carry it.

    Attributes:
        start, end: Its place in the claim.
        passages: The passages that have a counterpart of it, by their places.
    """

    start: int
    end: int
    passages: tuple[int, ...]


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


class Support:
    """
    What all passages have of one claim.

    Args:
        claim: The claim.
        quotes: What it quotes in its first 1,000 characters.
        read: The passages.
        rows: What those that were asked have of it, as the engine tells it, by their places; None where there is
            nothing to compare. The others are asked when somebody wants to know.
        model: What makes a score of that.

    Attributes:
        claim, quotes, model: These.
    """

    def __init__(
        self,
        claim: str,
        quotes: tuple[QuoteCheck, ...],
        read: ReadPassages,
        rows: Mapping[int, SupportRow | None],
        model: SupportScore,
    ) -> None:
        self.claim = claim
        self.quotes = quotes
        self.model = model
        self._read = read
        self._rows = dict(rows)
        self._scores: dict[int, float | None] = {}

    def __repr__(self) -> str:
        return f"Support({len(self._read)} passages)"

    def _row(self, place: int) -> SupportRow | None:
        if place not in self._rows:
            places = [each for each in range(len(self._read)) if each not in self._rows]
            (found,) = self._read.support([self.claim], places=[places])
            self._rows.update(zip(places, found, strict=True))
        return self._rows[place]

    def _assessment(self, place: int) -> AssessmentRow | None:
        """None where there is nothing to compare, or too little of the claim is there to read it."""
        row = self._row(place)
        return None if row is None else row[1]

    def status(self, place: int) -> str:
        """Return what the passage at *place* says of the claim: see `statuses`."""
        assessment = self._assessment(place)
        return "unsupported" if assessment is None else assessment[0]

    def is_vetoed(self, place: int) -> bool:
        """
        Return whether no model may say that the passage at *place* supports the claim.

        That is so if wording alone shows a difference (`groundwire.pair_scorer.is_vetoed`), or if the claim quotes
        words that the passage lacks.
        """
        row = self._row(place)
        return row is None or is_vetoed(row) or any(place not in quote.found_in for quote in self.quotes)

    @cached_property
    def statuses(self) -> tuple[str, ...]:
        """
        For each passage what it says of the claim, word by word.

        "supported" if each word of content and each number, date, time and name of the claim has a counterpart in one
        place, in the same role and under the same restrictions (ruling D13); "contradicted" if all but one have, and
        that one excludes what stands there; else "unsupported".
        """
        return tuple(map(self.status, range(len(self._read))))

    @cached_property
    def scores(self) -> tuple[float | None, ...]:
        """The score of each passage; None where there is nothing to compare: no text, or no word on either side."""
        return tuple(map(self.score, range(len(self._read))))

    def score(self, place: int) -> float | None:
        """Return the score of the passage at *place*; None where there is nothing to compare."""
        if place not in self._scores:
            row = self._row(place)
            self._scores[place] = None if row is None else self.model.probability(row)
        return self._scores[place]

    def contradiction(self, place: int) -> ContradictionCandidate | None:
        """Return what the passage at *place* says otherwise, if anything."""
        row = self._assessment(place)
        if row is None or row[2] is None:
            return None
        kind, in_claim, in_passage = row[2]
        return ContradictionCandidate(_KINDS[kind], *in_claim, *in_passage)

    def missing(self, place: int) -> tuple[str, ...]:
        """Return the words of the claim that have no counterpart in the passage at *place*, or another role there."""
        row = self._assessment(place)
        return () if row is None else words_of(self.claim, row[1])

    def carriers(self, places: Sequence[int] | None = None) -> tuple[Carrier, ...]:
        """
        Return which passages carry each term of the claim, in the order of the claim.

        Nothing is said of the roles that the terms have; see `is_supported_by_parts`.

        Args:
            places: The passages that are asked; None for all.

        Raises:
            ValueError: There is no such passage.
        """
        found = self._read.carriers(self.claim, places=None if places is None else list(places))
        return tuple(Carrier(start, end, tuple(passages)) for (start, end), passages in found)

    def is_supported_by_parts(self, places: Sequence[int]) -> bool:
        """
        Return whether several of the passages at *places* support the claim together: each clause has one that does.

        A clause without a name of its own may speak of whom another clause names, so its passage must have all names
        of the claim. A claim with a condition, an exception, a reason or an order in time is never supported by
        parts: what joins its clauses is nowhere said.
        """
        clauses = _clauses(self.claim, self._read.language) if len(places) > 1 else []
        if len(clauses) < 2:
            return False
        named = [place for place in places if (row := self._row(place)) is not None and not row[0][3]]
        asked = [list(places) if clause.has_name else named for clause in clauses]
        found = self._read.support([clause.text for clause in clauses], places=asked)
        return all(
            any(row is not None and row[1] is not None and row[1][0] == "supported" for row in rows) for rows in found
        )

    @cached_property
    def passages(self) -> tuple[PassageSupport | None, ...]:
        """For each passage what it has; None where there is nothing to compare."""
        return tuple(map(self._passage, range(len(self._read))))

    def _passage(self, place: int) -> PassageSupport | None:
        row, score = self._row(place), self.score(place)
        if row is None or score is None:
            return None
        return PassageSupport(score, *row[0][:5], self.status(place), *row[0][5], self.contradiction(place))

    @cached_property
    def best(self) -> int | None:
        """The place of the passage with the highest score, the first of equals; None without any."""
        read = [(-score, place) for place, score in enumerate(self.scores) if score is not None]
        return min(read)[1] if read else None

    def contradiction_kind(self, place: int) -> ContradictionKind | None:
        """Return what differs in the passage at *place*: "number", "date", "negation"; None if nothing."""
        row = self._assessment(place)
        return None if row is None or row[2] is None else _KINDS[row[2][0]]

    @cached_property
    def contradictions(self) -> tuple[ContradictionKind | None, ...]:
        """The kind of the contradiction of each passage."""
        return tuple(map(self.contradiction_kind, range(len(self._read))))


_JOINING = frozenset({"condition", "exception", "cause", "order"})
"""Terms that say how two clauses hang together."""


class _Clause(NamedTuple):
    text: str
    has_name: bool


def _clauses(claim: str, language: str) -> list[_Clause]:
    """The clauses of *claim*; none if anything but a list joins them."""
    terms = read_terms(claim, language=language)
    if any(term.kind in _JOINING for term in terms):
        return []
    return [
        _Clause(claim[own[0].start : own[-1].end], any(term.kind == "name" for term in own))
        for own in (list(group) for _, group in groupby(terms, key=lambda term: term.clause))
    ]


class Passages:
    """
    The texts that claims are compared with, prepared once.

    Args:
        texts: The passages as they are; None for one without a text.
        score: A score of support, or the file of one; None for the shipped one.

    Attributes:
        score: The score.

    Raises:
        TypeError: *texts* is not a sequence of str and None, or *score* none of these.
        SupportScoreError, OSError: *score* is no such file.
    """

    __slots__ = ("_read", "_sources", "_texts", "score")

    def __init__(
        self, texts: Sequence[str | None], *, score: "SupportScore | str | os.PathLike[str] | None" = None
    ) -> None:
        if isinstance(texts, str | bytes):
            raise TypeError(f"texts must be a sequence of str and None, got {type(texts).__name__}")
        self.score = chosen_score(score)
        self._texts = list(texts)
        for place, text in enumerate(self._texts):
            if text is not None and not isinstance(text, str):
                raise TypeError(f"texts[{place}] must be a str or None, got {type(text).__name__}")
        self._read = read_passages(self._texts)
        self._sources: dict[int, Source] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def support(self, claims: Sequence[str], places: Sequence[Sequence[int]] | None = None) -> list[Support]:
        """
        Return what the passages have of each of *claims*.

        A claim is a sentence without its citations: a number in brackets would be one that
        the source has to have.

        Args:
            claims: The claims.
            places: For each claim the passages to ask at once, by their places: others are asked when somebody wants
                to know what they have. None for all.
        """
        asked = [range(len(self))] * len(claims) if places is None else places
        found = self._read.support(claims, places=asked)
        return [
            Support(claim, self._quotes(claim), self._read, dict(zip(each, rows, strict=True)), self.score)
            for claim, each, rows in zip(claims, asked, found, strict=True)
        ]

    def _quotes(self, claim: str) -> tuple[QuoteCheck, ...]:
        if _QUOTATION_MARKS.isdisjoint(claim) or has_only_apostrophes(claim):
            return ()
        # It reads Markdown, whose parser takes longer to load than most claims to check.
        from groundwire.evidence.quotations import quotes_in

        spans = [span for span in quotes_in(claim[:_MAX_QUOTED_CHARS]) if len(span.text.split()) >= _QUOTE_WORDS]
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


def support_of(
    claim: str,
    passages: Passages | Sequence[str | None],
    *,
    score: "SupportScore | str | os.PathLike[str] | None" = None,
) -> Support:
    """
    Return what *passages* have of *claim*, a sentence.

    Its citations do not count, nor do a list mark or the label of a step in front of it and the names of passages
    in it (`Passage 2`): their numbers are none that a source has to have.

    Args:
        claim: The sentence.
        passages: What it is compared with.
        score: As for `Passages`; those that are prepared have their own.

    Raises:
        TypeError: *passages* is neither `Passages` nor a sequence of str and None, or *score* no score.
        ValueError: There is a *score* beside passages that are prepared.
        SupportScoreError, OSError: *score* is no such file.
    """
    if isinstance(passages, Passages):
        if score is not None:
            raise ValueError("score belongs to Passages(texts, score=...)")
        prepared = passages
    else:
        prepared = Passages(passages, score=score)
    return prepared.support([bare_claim_words(claim)])[0]
