"""What a layer found: a place in a unit, how well it supports a claim, and by which rule."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from heapq import heappush, heappushpop
from itertools import chain, islice

from groundwire.evidence.differences import Difference
from groundwire.evidence.verdicts import QuoteReason
from groundwire.faithfulness.sources.units import Unit

__all__ = ["MATCH_KINDS", "MAX_EVIDENCE", "Best", "Layer", "MatchKind", "SupportEvidence", "best_of"]

MAX_EVIDENCE = 8
"""So much is kept for one claim and layer, and the best of each other source."""

_SORTED_EVERY = 8
"""The evidence of a source is sorted and cut when it is this many times the maximum."""


class Layer(StrEnum):
    """Who found it."""

    VERBATIM = "verbatim"
    VALUES = "values"
    LEXICAL = "lexical"
    CONTRADICTION = "contradiction"
    EMBEDDING = "embedding"
    HHEM = "hhem"
    READER = "reader"
    JUDGE = "judge"


class MatchKind(StrEnum):
    """What was found."""

    QUOTE = "quote"
    WORDS = "words"
    SPEAKER = "speaker"
    ALTERED = "altered"
    NOT_ACCEPTED = "not accepted"
    FIELD = "field"
    NUMBER = "number"
    RANGE = "range"
    DATE = "date"
    MEAN = "mean"
    MEDIAN = "median"
    SHARE = "share"
    COUNT = "count"
    TERMS = "terms"
    PASSAGE = "passage"
    PREFERENCE = "preference"
    NEGATION = "negation"
    OPPOSITE = "opposite"
    OTHER_NUMBER = "other number"
    OTHER_DATE = "other date"
    OTHER_FLAG = "other flag"
    RELATED = "related"
    CONSISTENT = "consistent"


MATCH_KINDS: dict[MatchKind, str] = {
    MatchKind.QUOTE: "what the person is said to have said stands there, by the rules for quotes",
    MatchKind.WORDS: "the claimed words stand there as they are",
    MatchKind.SPEAKER: "the speaker of this turn has the name",
    MatchKind.ALTERED: "nearly these words stand there, and what differs changes the meaning of the quote",
    MatchKind.NOT_ACCEPTED: "the words stand there, and the rules for quotes do not accept them",
    MatchKind.FIELD: "a row or an object has the value, in a field of that name",
    MatchKind.NUMBER: "the number is said there",
    MatchKind.RANGE: "one of them is a range, and the other lies in it",
    MatchKind.DATE: "the date is said there",
    MatchKind.MEAN: "the mean of a column, rounded, is the number",
    MatchKind.MEDIAN: "the median of a column, rounded, is the number",
    MatchKind.SHARE: "so many of the rows have the value",
    MatchKind.COUNT: "that number of rows has the value",
    MatchKind.TERMS: "each word of the claim has a counterpart there, in the same role",
    MatchKind.PASSAGE: "the sentences around it are about the same, and do not say it in so many words",
    MatchKind.PREFERENCE: "what the person is said to like is disliked there, or the other way round",
    MatchKind.NEGATION: "it is denied there and not in the claim, or the other way round",
    MatchKind.OPPOSITE: "the opposite word stands there, among the same words",
    MatchKind.OTHER_NUMBER: "another number stands there in its place",
    MatchKind.OTHER_DATE: "another date stands there in its place",
    MatchKind.OTHER_FLAG: "yes stands there for no, or no for yes",
    MatchKind.RELATED: "an embedder finds it near in meaning, and no number, name or denial differs",
    MatchKind.CONSISTENT: "a model that was shown claim and passage says how far the claim follows from it",
}


@dataclass(frozen=True, slots=True)
class SupportEvidence:
    """
    One place that supports a claim, or contradicts it.

    Attributes:
        unit: Where it was found.
        start, end: The span in the unit's text; both 0 where the unit as a whole, its
            speaker or its column is meant.
        score: How well it supports the claim, 0.0 to 1.0; 0 of what contradicts it.
        layer, kind: Which rule says so.
        differences: What differs between a quote that is not accepted and this place; spans of
            the source are those of the unit's text.
        reasons: Why the rules for quotes do not accept it; those that decided first.
        missing: Words of the claim without a counterpart there (ruling D13), in their order.
    """

    unit: Unit
    start: int
    end: int
    score: float
    layer: Layer
    kind: MatchKind
    differences: tuple[Difference, ...] = field(default=(), repr=False)
    reasons: tuple[QuoteReason, ...] = ()
    missing: tuple[str, ...] = field(default=(), repr=False)


class Best:
    """The best scores of each source so far: what `best_of` will drop need not be looked at any closer."""

    __slots__ = ("_scores",)

    def __init__(self) -> None:
        self._scores: dict[str, list[float]] = {}

    def is_full(self, unit: Unit, most: float) -> bool:
        """Tell whether no further evidence in *unit* is kept whose score is *most* or less."""
        scores = self._scores.get(unit.locator.source)
        return scores is not None and len(scores) == MAX_EVIDENCE and scores[0] >= most

    def add(self, unit: Unit, score: float) -> None:
        """Note a score, after those of all evidence before it."""
        scores = self._scores.setdefault(unit.locator.source, [])
        if len(scores) < MAX_EVIDENCE:
            heappush(scores, score)
        else:
            heappushpop(scores, score)


def best_of(found: Iterable[SupportEvidence]) -> list[SupportEvidence]:
    """
    Return the best of *found*: `MAX_EVIDENCE` of them, and the best one of each other source.

    The best first, of equals those that come first. So a result can say how many sources
    support a claim, however much there is.
    """
    found = iter(found)
    few = list(islice(found, MAX_EVIDENCE + 1))
    if len(few) <= MAX_EVIDENCE:
        return sorted(few, key=_by_score)
    by_source: dict[str, list[tuple[float, int, SupportEvidence]]] = {}
    for place, evidence in enumerate(chain(few, found)):
        kept = by_source.setdefault(evidence.unit.locator.source, [])
        kept.append((-evidence.score, place, evidence))
        if len(kept) > _SORTED_EVERY * MAX_EVIDENCE:
            kept.sort(key=_rank)
            del kept[MAX_EVIDENCE:]
    ranked = sorted((each for kept in by_source.values() for each in kept), key=_rank)
    seen: set[str] = set()
    best = []
    for place, (_, _, evidence) in enumerate(ranked):
        source = evidence.unit.locator.source
        if place < MAX_EVIDENCE or source not in seen:
            best.append(evidence)
        seen.add(source)
    return best


def _by_score(evidence: SupportEvidence) -> float:
    return -evidence.score


def _rank(kept: tuple[float, int, SupportEvidence]) -> tuple[float, int]:
    return kept[:2]
