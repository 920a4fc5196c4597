"""
Scores how well a passage supports a claim.

The score is the probability that the passage supports the claim. It comes from eight features that a person can check,
such as the share of the claim's words, phrases and names in the passage, or a contradiction. `groundwire.support_score`
weighs them.

The features measure wording: a claim in other words than its source scores low, and a wrong conclusion in the words of
the source scores high. docs/figures/quality.md describes the features, the data sets and the results.
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
    "ClaimQuote",
    "ContradictionCandidate",
    "ContradictionKind",
    "PassageSupport",
    "Passages",
    "Support",
    "support_of",
]

_MAX_QUOTED_CHARS = 1_000
"""Number of characters of a claim that are searched for quotes."""

_QUOTE_WORDS = 3
"""Minimum number of words of a quote; fewer words in quotation marks are a term or a title."""

_QUOTATION_MARKS = frozenset("\"“”„«»‹›「」『』‘'>")


class ContradictionKind(StrEnum):
    """Names the kind of a contradiction."""

    NUMBER = "number"
    DATE = "date"
    NEGATION = "negation"


@dataclass(frozen=True, slots=True)
class ContradictionCandidate:
    """
    Holds one contradiction between a claim and a passage.

    Attributes:
        kind: The kind of difference.
        claim_start, claim_end: Span in the claim.
        passage_start, passage_end: Span of the counterpart in the passage; for a negation on one side only, of the
            negated word on the other.
    """

    kind: ContradictionKind
    claim_start: int
    claim_end: int
    passage_start: int
    passage_end: int


@dataclass(frozen=True, slots=True)
class PassageSupport:
    """
    Holds the features of one claim and one passage.

    Terms of a claim are its content words, names, numbers, dates and times. Rare words weigh more than others.

    Attributes:
        score: The probability that the passage supports the claim, 0.0 to 1.0, if supported and unsupported claims are
            equally frequent.
        words: Share of the weight of the claim's terms in the best three consecutive sentences, 0.0 to 1.0.
        phrases: Share of the weight of the claim's pairs of neighbouring terms that the passage has at most five words
            apart, 0.0 to 1.0.
        topics: Share of the passage's five most frequent content words in the claim, 0.0 to 1.0.
        names_missing: Number of names of the claim without a counterpart in the passage.
        numbers_missing: Number of numbers, dates and times without a counterpart.
        status: The status from `Support.statuses`.
        start, end: Span from the first to the last term of the claim in the best sentences; both 0 without terms.
        contradiction: The contradiction, if there is one.
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
    Holds a term of a claim, and the passages that contain it.

    Attributes:
        start, end: Span in the claim.
        passages: Indexes of the passages with a counterpart.
    """

    start: int
    end: int
    passages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClaimQuote:
    """
    Holds a quote inside a claim.

    Attributes:
        start, end: Span in the claim, without the quotation marks.
        found_in: Indexes of the passages that contain the quote, apart from typography.
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
    Holds the support of one claim by all passages.

    Args:
        claim: The claim.
        quotes: Quotes in its first 1,000 characters.
        read: The passages.
        rows: The engine's features of the passages compared so far, by index; None if there is nothing to compare.
            Other passages are compared on first use.
        model: Computes a score from the features.

    Attributes:
        claim, quotes, model: See above.
    """

    def __init__(
        self,
        claim: str,
        quotes: tuple[ClaimQuote, ...],
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
        """Return the features; None if there is nothing to compare, or the passage has too little of the claim."""
        row = self._row(place)
        return None if row is None else row[1]

    def status(self, place: int) -> str:
        """Return the status of the passage at *place*; see `statuses`."""
        assessment = self._assessment(place)
        return "unsupported" if assessment is None else assessment[0]

    def is_vetoed(self, place: int) -> bool:
        """
        Tell whether no model may find support in the passage at *place*.

        This is the case if the wording alone shows a difference (`groundwire.pair_scorer.is_vetoed`), or if the claim
        quotes words that the passage lacks.
        """
        row = self._row(place)
        return row is None or is_vetoed(row) or any(place not in quote.found_in for quote in self.quotes)

    @cached_property
    def statuses(self) -> tuple[str, ...]:
        """
        Return the status of each passage, from a comparison word by word.

        "supported" if each content word, number, date, time and name of the claim has a counterpart in one part of the
        passage, in the same role and under the same restrictions (ruling D13); "contradicted" if all but one have, and
        that one excludes its counterpart; otherwise "unsupported".
        """
        return tuple(map(self.status, range(len(self._read))))

    @cached_property
    def scores(self) -> tuple[float | None, ...]:
        """Return the score of each passage; None if there is nothing to compare: no text, or no word on one side."""
        return tuple(map(self.score, range(len(self._read))))

    def score(self, place: int) -> float | None:
        """Return the score of the passage at *place*; None if there is nothing to compare."""
        if place not in self._scores:
            row = self._row(place)
            self._scores[place] = None if row is None else self.model.probability(row)
        return self._scores[place]

    def contradiction(self, place: int) -> ContradictionCandidate | None:
        """Return the contradiction by the passage at *place*, if there is one."""
        row = self._assessment(place)
        if row is None or row[2] is None:
            return None
        kind, in_claim, in_passage = row[2]
        return ContradictionCandidate(_KINDS[kind], *in_claim, *in_passage)

    def missing(self, place: int) -> tuple[str, ...]:
        """Return the words of the claim without a counterpart in the passage at *place*, or with another role there."""
        row = self._assessment(place)
        return () if row is None else words_of(self.claim, row[1])

    def carriers(self, places: Sequence[int] | None = None) -> tuple[Carrier, ...]:
        """
        Return the passages that contain each term of the claim, in the order of the claim.

        This ignores the roles of the terms; see `is_supported_by_parts`.

        Args:
            places: Indexes of the passages; None for all.

        Raises:
            ValueError: A passage does not exist.
        """
        found = self._read.carriers(self.claim, places=None if places is None else list(places))
        return tuple(Carrier(start, end, tuple(passages)) for (start, end), passages in found)

    def is_supported_by_parts(self, places: Sequence[int]) -> bool:
        """
        Tell whether several of the passages at *places* support the claim together, one for each clause.

        A clause without a name may refer to a name in another clause, so its passage must have all names of the claim.
        A claim with a condition, an exception, a reason or an order in time is never supported by parts, because no
        passage states how its clauses are connected.
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
        """Return the features of each passage; None if there is nothing to compare."""
        return tuple(map(self._passage, range(len(self._read))))

    def _passage(self, place: int) -> PassageSupport | None:
        row, score = self._row(place), self.score(place)
        if row is None or score is None:
            return None
        return PassageSupport(score, *row[0][:5], self.status(place), *row[0][5], self.contradiction(place))

    @cached_property
    def best(self) -> int | None:
        """Return the index of the passage with the highest score, the first of equals; None without scores."""
        read = [(-score, place) for place, score in enumerate(self.scores) if score is not None]
        return min(read)[1] if read else None

    def contradiction_kind(self, place: int) -> ContradictionKind | None:
        """Return the kind of contradiction by the passage at *place*: "number", "date", "negation", or None."""
        row = self._assessment(place)
        return None if row is None or row[2] is None else _KINDS[row[2][0]]

    @cached_property
    def contradictions(self) -> tuple[ContradictionKind | None, ...]:
        """Return the kind of contradiction of each passage."""
        return tuple(map(self.contradiction_kind, range(len(self._read))))


_JOINING = frozenset({"condition", "exception", "cause", "order"})
"""Kinds of terms that connect two clauses."""


class _Clause(NamedTuple):
    text: str
    has_name: bool


def _clauses(claim: str, language: str) -> list[_Clause]:
    """Return the clauses of *claim*; none if they form anything but a list."""
    terms = read_terms(claim, language=language)
    if any(term.kind in _JOINING for term in terms):
        return []
    return [
        _Clause(claim[own[0].start : own[-1].end], any(term.kind == "name" for term in own))
        for own in (list(group) for _, group in groupby(terms, key=lambda term: term.clause))
    ]


class Passages:
    """
    Holds the texts that claims are compared with, prepared once.

    Args:
        texts: The passages; None for one without a text.
        score: A score of support, or the file of one; None for the shipped one.

    Attributes:
        score: The score.

    Raises:
        TypeError: *texts* is not a sequence of str and None, or *score* has the wrong type.
        SupportScoreError, OSError: The file *score* cannot be used.
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
        Return the support of each of *claims*.

        Claims must not contain citations, because a number in brackets would need support as well.

        Args:
            claims: The claims.
            places: Indexes of the passages to compare at once, for each claim; others are compared on first use. None
                for all.
        """
        asked = [range(len(self))] * len(claims) if places is None else places
        found = self._read.support(claims, places=asked)
        return [
            Support(claim, self._quotes(claim), self._read, dict(zip(each, rows, strict=True)), self.score)
            for claim, each, rows in zip(claims, asked, found, strict=True)
        ]

    def _quotes(self, claim: str) -> tuple[ClaimQuote, ...]:
        if _QUOTATION_MARKS.isdisjoint(claim) or has_only_apostrophes(claim):
            return ()
        # Imported late, because its Markdown parser takes longer to load than most claims take to check.
        from groundwire.evidence.quotations import quotes_in

        spans = [span for span in quotes_in(claim[:_MAX_QUOTED_CHARS]) if len(span.text.split()) >= _QUOTE_WORDS]
        return tuple(ClaimQuote(span.start, span.end, self._places_of(span.text)) for span in spans)

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
    Return the support of *claim*, a sentence, by *passages*.

    Citations, a list mark or the label of a step before the claim, and names of passages (`Passage 2`) are ignored,
    because their numbers need no support.

    Args:
        claim: The sentence.
        passages: The passages, or prepared `Passages`.
        score: See `Passages`; prepared ones have their own.

    Raises:
        TypeError: *passages* is neither `Passages` nor a sequence of str and None, or *score* has the wrong type.
        ValueError: A *score* is given for prepared passages.
        SupportScoreError, OSError: The file *score* cannot be used.
    """
    if isinstance(passages, Passages):
        if score is not None:
            raise ValueError("score belongs to Passages(texts, score=...)")
        prepared = passages
    else:
        prepared = Passages(passages, score=score)
    return prepared.support([bare_claim_words(claim)])[0]
