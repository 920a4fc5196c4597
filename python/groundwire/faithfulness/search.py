"""Searches batches of units for the evidence of claims, by all rule layers."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from groundwire.faithfulness.sources.reading import SourceData
from groundwire.faithfulness.sources.units import Unit, with_answers
from groundwire.faithfulness.support.contradictions import OtherValues, compare_stances
from groundwire.faithfulness.support.cues import FieldWords, Topic
from groundwire.faithfulness.support.evidence import MAX_EVIDENCE, Layer, MatchKind, SupportEvidence, best_of
from groundwire.faithfulness.support.lexical import compare_words
from groundwire.faithfulness.support.source_index import SourceIndex
from groundwire.faithfulness.support.values import ValueIndex
from groundwire.faithfulness.support.verbatim import VerbatimIndex
from groundwire.support_score import SUPPORTED_FROM, SupportScore

__all__ = ["PART_CHARS", "ClaimFindings", "PreparedSources", "SourceBatch", "heard", "parts_of"]

PART_CHARS = 2_000_000
"""Units of so many characters are filed and compared together. How rare a word is, is counted in a part."""


class SourceBatch:
    """
    Some units, filed by every layer.

    Attributes:
        units: They.
        sources: The names of the sources that they are from.
        index: What they say.
        words: Their words, by which a claim's field is found.
        verbatim, values, others: What each layer asks.
    """

    # What is computed of a part is kept for as long as it is there.
    __slots__ = ("__weakref__", "index", "others", "sources", "units", "values", "verbatim", "words")

    def __init__(self, units: list[Unit]) -> None:
        self.units = units
        self.sources = frozenset(unit.locator.source for unit in units)
        self.index = SourceIndex(units)
        self.words = FieldWords(units, language=self.index.language)
        self.verbatim = VerbatimIndex(units, words=self.words)
        self.values = ValueIndex(units, words=self.words, index=self.index)
        self.others = OtherValues(self.index, self.words)


def parts_of(units: Iterable[Unit]) -> Iterator[SourceBatch]:
    """Yield *units*, and answers with their questions, in parts of about `PART_CHARS` characters."""
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


def heard(units: Iterable[Unit], on_progress: Callable[[int], object] | None) -> Iterator[Unit]:
    """Yield *units*, and tell *on_progress* how many characters of their sources have passed since the last time."""
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
    Sources read and filed once, to validate many personas one after the other.

    All of it stays in memory, ten to twenty times the size of the text; `FaithfulnessValidator`
    reads sources that are not prepared part by part instead.

    Args:
        source_data: As `SourceData` takes it.

    Attributes:
        names: The sources' names.
        parts: What was filed.

    Raises:
        TypeError, ValueError, OSError, SourceDataError: As `SourceData` and its units.
    """

    def __init__(self, source_data: object) -> None:
        source = SourceData(source_data)
        self.names = source.names
        self.parts = tuple(parts_of(source.units()))


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
