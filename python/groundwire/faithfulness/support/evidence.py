"""Defines evidence: a location in a unit, its score, the rule that found it, and a sentence about it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from heapq import heappush, heappushpop
from itertools import chain, islice

from groundwire.evidence.differences import Difference
from groundwire.evidence.explanations import as_sentence, fill, in_quotation_marks, score_digits
from groundwire.evidence.verdicts import QuoteReason
from groundwire.faithfulness.sources.units import Unit

__all__ = [
    "EVIDENCE_EXPLANATIONS",
    "MATCH_KINDS",
    "MAX_EVIDENCE",
    "Best",
    "Layer",
    "MatchKind",
    "SupportEvidence",
    "best_of",
    "explain_evidence",
]

MAX_EVIDENCE = 8
"""The number of pieces of evidence kept for one claim and layer, besides the best of each other source."""

_SORTED_EVERY = 8
"""The evidence of a source is sorted and cut at this multiple of the maximum."""


class Layer(StrEnum):
    """The layer that found evidence."""

    VERBATIM = "verbatim"
    VALUES = "values"
    LEXICAL = "lexical"
    CONTRADICTION = "contradiction"
    EMBEDDING = "embedding"
    HHEM = "hhem"
    READER = "reader"
    JUDGE = "judge"


class MatchKind(StrEnum):
    """The kind of match between claim and unit."""

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
    MatchKind.QUOTE: "the quote is in the source, by the rules for quotes",
    MatchKind.WORDS: "the words of the claim are in the source as they are",
    MatchKind.SPEAKER: "the speaker of the turn has this name",
    MatchKind.ALTERED: "the source has nearly these words, and the difference changes the meaning of the quote",
    MatchKind.NOT_ACCEPTED: "the source has these words, but the rules for quotes do not accept them",
    MatchKind.FIELD: "a row or an object has this value in a field of that name",
    MatchKind.NUMBER: "the source states this number",
    MatchKind.RANGE: "the claim or the source has a range that contains the other's number",
    MatchKind.DATE: "the source states this date",
    MatchKind.MEAN: "the rounded mean of a column is this number",
    MatchKind.MEDIAN: "the rounded median of a column is this number",
    MatchKind.SHARE: "this share of the rows has the value",
    MatchKind.COUNT: "this number of rows has the value",
    MatchKind.TERMS: "each word of the claim has a counterpart in the source, in the same role",
    MatchKind.PASSAGE: "the passage is about the same subject, but does not state the whole claim",
    MatchKind.PREFERENCE: "the source says that the person dislikes what the claim says they like, or the reverse",
    MatchKind.NEGATION: "the source negates the claim, or the claim negates the source",
    MatchKind.OPPOSITE: "the source has the opposite of a word of the claim, among the same words",
    MatchKind.OTHER_NUMBER: "the source has another number in its place",
    MatchKind.OTHER_DATE: "the source has another date in its place",
    MatchKind.OTHER_FLAG: "the source says yes where the claim says no, or the reverse",
    MatchKind.RELATED: "an embedder finds the passage close in meaning, and no number, name or negation differs",
    MatchKind.CONSISTENT: "a model read claim and passage and scored how far the claim follows",
}

_BOTH = "The source says {passage}; the claim says {claim}."
_BELOW = "(score {score}, threshold {threshold})."
EVIDENCE_EXPLANATIONS: dict[MatchKind, str] = {
    MatchKind.PASSAGE: f"The passage is about the same subject, but does not state the whole claim {_BELOW}",
    MatchKind.TERMS: f"The source has counterparts for some words of the claim, but not for all {_BELOW}",
    MatchKind.RELATED: f"An embedder finds the passage related, but not close enough in meaning {_BELOW}",
    MatchKind.CONSISTENT: f"A model read claim and passage, and the claim does not follow {_BELOW}",
    MatchKind.PREFERENCE: _BOTH,
    MatchKind.NEGATION: _BOTH,
    MatchKind.OPPOSITE: _BOTH,
    MatchKind.OTHER_NUMBER: _BOTH,
    MatchKind.OTHER_DATE: _BOTH,
    MatchKind.OTHER_FLAG: _BOTH,
}
"""Templates for evidence that contradicts a claim, or whose score is below the threshold."""


@dataclass(frozen=True, slots=True)
class SupportEvidence:
    """
    A passage that supports or contradicts a claim.

    Attributes:
        unit: The unit of the passage.
        start, end: The span in the unit's text; both 0 for a match with the whole unit, its speaker or its column.
        score: The support for the claim, 0.0 to 1.0; 0 for contradictions.
        layer, kind: The rule that found it.
        differences: The differences from a quote that is not accepted; their source spans refer to the unit's text.
        reasons: The reasons why the quote is not accepted, the decisive ones first.
        missing: The words of the claim without a counterpart (ruling D13), in order.
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


def explain_evidence(evidence: SupportEvidence, claim: str, *, threshold: float) -> str:
    """Return a sentence about *evidence* for *claim*, with the words of both, or the score that was required."""
    template = EVIDENCE_EXPLANATIONS.get(evidence.kind)
    passage = evidence.unit.text[evidence.start : evidence.end]
    is_below = evidence.layer is not Layer.CONTRADICTION and evidence.score < threshold
    fields = {
        "passage": in_quotation_marks(passage) if passage.strip() else None,
        # The sentence has a full stop of its own.
        "claim": in_quotation_marks(claim.strip().removesuffix(".")),
        "score": score_digits(evidence.score) if is_below else None,
        "threshold": f"{threshold:g}" if is_below else None,
    }
    return (template and fill([template], fields)) or as_sentence(MATCH_KINDS[evidence.kind])


class Best:
    """The best scores of each source so far, to skip evidence that `best_of` would drop."""

    __slots__ = ("_scores",)

    def __init__(self) -> None:
        self._scores: dict[str, list[float]] = {}

    def is_full(self, unit: Unit, most: float) -> bool:
        """Return whether evidence in *unit* with a score of at most *most* would be dropped."""
        scores = self._scores.get(unit.locator.source)
        return scores is not None and len(scores) == MAX_EVIDENCE and scores[0] >= most

    def add(self, unit: Unit, score: float) -> None:
        """Record a score. Scores must come in the order of the evidence."""
        scores = self._scores.setdefault(unit.locator.source, [])
        if len(scores) < MAX_EVIDENCE:
            heappush(scores, score)
        else:
            heappushpop(scores, score)


def best_of(found: Iterable[SupportEvidence]) -> list[SupportEvidence]:
    """
    Return the best `MAX_EVIDENCE` of *found* and the best one of each other source, best first.

    Equal scores keep their order. So a result can count the supporting sources, however much evidence there is.
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
