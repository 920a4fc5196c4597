"""The evidence found for and against one claim, collected part by part."""

from collections.abc import Iterable
from dataclasses import replace

from groundwire.faithfulness.prepared import SourceBatch
from groundwire.faithfulness.support.evidence import MAX_EVIDENCE, Layer, MatchKind, SupportEvidence, best_of
from groundwire.faithfulness.support.lexical import compare_words
from groundwire.faithfulness.support.stances import compare_stances
from groundwire.faithfulness.support.topic import Topic
from groundwire.support_score import SUPPORTED_FROM, SupportScore

__all__ = ["ClaimFindings"]

_OTHER_VALUES = frozenset({MatchKind.OTHER_NUMBER, MatchKind.OTHER_DATE, MatchKind.OTHER_FLAG})
_LITERAL = frozenset({Layer.VERBATIM, Layer.VALUES})


class ClaimFindings:
    """
    The evidence found so far for and against one claim.

    Attributes:
        topic: The subject of the claim.
        evidence: Support found by the rules, the best first.
        related: Support found by an embedder, the best first.
        scored: Support as a model scored the passages that others found. It replaces `related` and the
            lexical part of `evidence`. None if no model was asked.
    """

    __slots__ = ("_contradictions", "_others", "_score", "evidence", "related", "scored", "topic")

    def __init__(self, topic: Topic, score: SupportScore) -> None:
        self.topic = topic
        self._score = score
        self.evidence: list[SupportEvidence] = []
        self.related: list[SupportEvidence] = []
        self.scored: list[SupportEvidence] | None = None
        self._contradictions: list[SupportEvidence] = []
        self._others: dict[object, SupportEvidence] = {}

    def add(self, evidence: Iterable[SupportEvidence], part: SourceBatch) -> None:
        """Add the evidence that the rules found in *part*, and the contradictions there."""
        lexical = compare_words(self.topic, list(evidence), part.index, part.words, self._score)
        stances = compare_stances(self.topic, part.index)
        self.evidence = best_of([*self.evidence, *map(_with_question, lexical.evidence)])
        self._contradictions += map(_with_question, [*stances, *lexical.contradictions])
        if len(self._others) < 2 and not (self.evidence and self.evidence[0].score >= SUPPORTED_FROM):
            for value, other in part.others.of(self.topic.claim).items():
                self._others.setdefault(value, other)

    def ranked(self) -> list[SupportEvidence]:
        """Return the support of the claim, the best first; of equal scores the rules' come first."""
        found = [*self.evidence, *self.related] if self.scored is None else [*self.literal(), *self.scored]
        return best_of(sorted(found, key=lambda each: -each.score))

    def literal(self) -> list[SupportEvidence]:
        """Return the places with the claim's own words or values, the best first; no model changes them."""
        return [each for each in self.evidence if each.layer in _LITERAL]

    def contradictions(self, threshold: float) -> tuple[SupportEvidence, ...]:
        """
        Return the contradictions of the claim.

        Another number, date or flag counts only if it is the only other one and no place has the claimed one:
        otherwise it may be another person's. Only rules decide whether a place has the claimed value, because
        an embedder finds both values similar.
        """
        is_supported = bool(self.evidence) and self.evidence[0].score >= min(threshold, SUPPORTED_FROM)
        others = list(self._others.values()) if len(self._others) == 1 and not is_supported else []
        rest = [each for each in self._contradictions if not (is_supported and each.kind in _OTHER_VALUES)]
        return tuple([*rest, *others][:MAX_EVIDENCE])


def _with_question(evidence: SupportEvidence) -> SupportEvidence:
    """Widen evidence in an answer to the answer and its question (ruling D12)."""
    unit = evidence.unit
    return replace(evidence, start=0, end=len(unit.text)) if unit.answer_start else evidence
