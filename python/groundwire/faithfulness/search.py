"""Searches batches of units for the evidence of claims, by all rule layers."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from groundwire.faithfulness.source_data.reading import SourceData
from groundwire.faithfulness.source_data.units import Unit, with_answers
from groundwire.faithfulness.support.contradictions import OtherValues, compare_stances
from groundwire.faithfulness.support.cues import FieldWords, Topic
from groundwire.faithfulness.support.evidence import MAX_EVIDENCE, Layer, MatchKind, SupportEvidence, best_of
from groundwire.faithfulness.support.lexical import compare_words
from groundwire.faithfulness.support.source_index import SourceIndex
from groundwire.faithfulness.support.values import ValueIndex
from groundwire.faithfulness.support.verbatim import VerbatimIndex
from groundwire.support_score import SUPPORTED_FROM, SupportScore

__all__ = ["PART_CHARS", "ClaimFindings", "PreparedSources", "SourceBatch", "source_batches", "with_progress"]

PART_CHARS = 2_000_000
"""The number of characters of units that are indexed and compared together. Word rarity is counted within a batch."""


class SourceBatch:
    """
    Some units, indexed for every layer.

    Attributes:
        units: The units.
        sources: The names of their sources.
        index: What the units state.
        words: The words of the units, for finding the field of a claim.
        verbatim, values, others: The indexes of the single layers.
    """

    # A layer may cache results for as long as the batch exists.
    __slots__ = ("__weakref__", "index", "others", "sources", "units", "values", "verbatim", "words")

    def __init__(self, units: list[Unit]) -> None:
        self.units = units
        self.sources = frozenset(unit.locator.source for unit in units)
        self.index = SourceIndex(units)
        self.words = FieldWords(units, language=self.index.language)
        self.verbatim = VerbatimIndex(units, words=self.words)
        self.values = ValueIndex(units, words=self.words, index=self.index)
        self.others = OtherValues(self.index, self.words)


def source_batches(units: Iterable[Unit]) -> Iterator[SourceBatch]:
    """Yield batches of about `PART_CHARS` characters from *units*, including answers joined with their questions."""
    part: list[Unit] = []
    length = 0
    for unit in with_answers(units):
        part.append(unit)
        length += len(unit.text)
        if length >= PART_CHARS:
            yield SourceBatch(part)
            part, length = [], 0
    if part:
        yield SourceBatch(part)


def with_progress(units: Iterable[Unit], on_progress: Callable[[int], object] | None) -> Iterator[Unit]:
    """Yield *units* and call *on_progress* with the number of characters of source passed since the last call."""
    if on_progress is None:
        yield from units
        return
    source, done = "", 0
    for unit in units:
        if unit.locator.source != source:
            source, done = unit.locator.source, 0
        on_progress(max(0, unit.locator.end - done))
        done = max(done, unit.locator.end)
        yield unit


class PreparedSources:
    """
    Sources that are read and indexed once, to validate many personas one after the other.

    The index stays in memory, at ten to twenty times the size of the text. For other sources, `FaithfulnessValidator`
    reads one batch at a time.

    Args:
        source_data: Sources in any form that `SourceData` takes.

    Attributes:
        names: The names of the sources.
        parts: The indexed batches.

    Raises:
        TypeError, ValueError, OSError, SourceDataError: As `SourceData` and its units.
    """

    def __init__(self, source_data: object) -> None:
        source = SourceData(source_data)
        self.names = source.names
        self.parts = tuple(source_batches(source.units()))


_OTHER_VALUES = frozenset({MatchKind.OTHER_NUMBER, MatchKind.OTHER_DATE, MatchKind.OTHER_FLAG})
_LITERAL = frozenset({Layer.VERBATIM, Layer.VALUES})


class ClaimFindings:
    """
    The evidence found so far for and against one claim.

    Attributes:
        topic: The subject of the claim.
        evidence: Support found by the rules, best first.
        related: Support found by an embedder, best first.
        scored: Passages with the score of a model that read them. They replace `related` and the lexical part of
            `evidence`. None if no model ran.
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
        """Add the support that the rules found in *part*, and the contradictions in it."""
        lexical = compare_words(self.topic, list(evidence), part.index, part.words, self._score)
        stances = compare_stances(self.topic, part.index)
        self.evidence = best_of([*self.evidence, *map(_with_question, lexical.evidence)])
        self._contradictions += map(_with_question, [*stances, *lexical.contradictions])
        if len(self._others) < 2 and not (self.evidence and self.evidence[0].score >= SUPPORTED_FROM):
            for value, other in part.others.of(self.topic.claim).items():
                self._others.setdefault(value, other)

    def ranked(self) -> list[SupportEvidence]:
        """
        Return the support of the claim, best first; evidence of the rules precedes other evidence with the same score.
        """
        found = [*self.evidence, *self.related] if self.scored is None else [*self.literal(), *self.scored]
        return best_of(sorted(found, key=lambda each: -each.score))

    def literal(self) -> list[SupportEvidence]:
        """Return the evidence with the claim's own words or values, best first. No model changes it."""
        return [each for each in self.evidence if each.layer in _LITERAL]

    def contradictions(self, threshold: float) -> tuple[SupportEvidence, ...]:
        """
        Return the contradictions of the claim.

        Another number, date or flag counts only if it is the only other one and the claimed one is nowhere: otherwise
        it may belong to another person. Only rules decide whether the claimed value is present, because an embedder
        finds both values similar.
        """
        is_supported = bool(self.evidence) and self.evidence[0].score >= min(threshold, SUPPORTED_FROM)
        others = list(self._others.values()) if len(self._others) == 1 and not is_supported else []
        rest = [each for each in self._contradictions if not (is_supported and each.kind in _OTHER_VALUES)]
        return tuple([*rest, *others][:MAX_EVIDENCE])


def _with_question(evidence: SupportEvidence) -> SupportEvidence:
    """Return evidence in an answer widened to the answer and its question (ruling D12)."""
    unit = evidence.unit
    return replace(evidence, start=0, end=len(unit.text)) if unit.answer_start else evidence
