"""Indexes the statements, numbers and dates of units, and finds the units nearest to a claim."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from groundwire._engine import ClaimIndex
from groundwire.faithfulness.source_data.units import Unit, is_by_interviewer, is_stated
from groundwire.language import (
    AssessmentRow,
    CountsRow,
    Term,
    detect_language,
    read_terms,
    reader,
    terms_of_rows,
    words_of,
)
from groundwire.language.questions import question_spans
from groundwire.language.values import Values, values_of_rows
from groundwire.support_score import SupportScore

__all__ = ["NearUnit", "SourceIndex"]

_Span = tuple[int, int]

_LANGUAGE_CHARS = 1_500
_LANGUAGE_UNITS = 20
_VALUES = frozenset({"name", "number", "date", "time"})
_QUESTION_END = re.compile(r"[?？]\s")


class NearUnit(NamedTuple):
    """
    A unit about the subject of a claim.

    Attributes:
        unit: The unit.
        claim: The claim.
        share: The share of the claim's terms in its best sentence, weighted by rarity, 0.0 to 1.0.
        row: The result of the comparison; see the properties.
        is_denied: Whether only one side has a negation.
        lacks_value: Whether a name, number, date or time has no counterpart.
        counts: The inputs of the score of support; None if the unit shares nothing with the claim.
    """

    unit: Unit
    claim: str
    share: float
    row: AssessmentRow
    is_denied: bool
    lacks_value: bool
    counts: CountsRow | None

    @property
    def status(self) -> str:
        """The result for the claim: "supported", "unsupported" or "contradicted"."""
        return self.row[0]

    @property
    def missing(self) -> tuple[str, ...]:
        """Words of the claim without a counterpart, or with another role or restriction in the unit."""
        return words_of(self.claim, self.row[1])

    @property
    def conflict(self) -> tuple[str, int, int] | None:
        """The kind of conflict ("number", "date", "negation" or "opposite") and its span in the unit's text."""
        if self.row[2] is None:
            return None
        kind, _, span = self.row[2]
        return (kind, *span)

    @property
    def span(self) -> _Span:
        """The span in the unit's text of the sentences that were compared."""
        return self.row[3]

    @property
    def wanted(self) -> int:
        """The number of terms of the claim that need a counterpart."""
        return self.row[4]

    @property
    def has_all(self) -> bool:
        """Whether each term of the claim has a counterpart."""
        return self.row[5] == self.row[4] > 0

    def probability(self, score: SupportScore) -> float:
        """Return the probability that the unit supports the claim by *score*, 0.0 to 1.0."""
        return 0.0 if self.counts is None else score.probability((self.counts, self.row))


class SourceIndex:
    """
    An index of units for many claims.

    Args:
        units: The units. Column summaries are left out.

    Attributes:
        units: The indexed units.
        language: The language of the units.
    """

    def __init__(self, units: Iterable[Unit]) -> None:
        self.units = [unit for unit in units if unit.summary is None]
        self.language = detect_language(_sample(self.units))
        labels = [_label(unit) for unit in self.units]
        texts = [label + _stated(unit) for label, unit in zip(labels, self.units, strict=True)]
        self._index = ClaimIndex(reader(), texts, language=self.language, labels=list(map(len, labels)))
        self._values: list[Values] | None = None
        self._places = {id(unit): place for place, unit in enumerate(self.units)}

    @property
    def values(self) -> Sequence[Values]:
        """The numbers and dates that each unit states, with their spans in its text."""
        if self._values is None:
            self._values = list(map(values_of_rows, self._index.values()))
        return self._values

    def nearest(self, claim: str, limit: int) -> list[NearUnit]:
        """Return the *limit* units with the most terms of *claim*, best first; ties keep their order."""
        return [
            NearUnit(self.units[place], claim, share, row, is_denied, lacks_value, counts)
            for place, share, row, is_denied, lacks_value, counts in self._index.nearest(claim, limit)
        ]

    def terms(self, near: NearUnit) -> list[Term]:
        """Return the terms of the sentences of *near*, with their spans in the unit's text."""
        return terms_of_rows(self._index.terms(self._places[id(near.unit)], *near.span))

    def stems(self, near: NearUnit) -> list[int]:
        """Return the stems of the terms of the sentences of *near*."""
        return self._index.stems(self._places[id(near.unit)], *near.span)

    def compare(self, claim: str) -> list[NearUnit]:
        """Return the comparison of each unit with *claim*, in order, including units that share no word with it."""
        near = {id(each.unit): each for each in self.nearest(claim, len(self.units))}
        return [near.get(id(unit)) or _without_overlap(unit, claim) for unit in self.units]


def _without_overlap(unit: Unit, claim: str) -> NearUnit:
    """Return the comparison of a claim with a unit that shares nothing with it."""
    wanted = [term for term in read_terms(claim) if term.kind in ("content", *_VALUES)]
    row: AssessmentRow = ("unsupported", [], None, (0, 0), len(wanted), 0)
    lacks_value = any(term.kind in _VALUES for term in wanted)
    return NearUnit(unit, claim, 0.0, row, is_denied=False, lacks_value=lacks_value, counts=None)


def _sample(units: Sequence[Unit]) -> str:
    return " ".join(unit.text[:_LANGUAGE_CHARS] for unit in units[:_LANGUAGE_UNITS])[:_LANGUAGE_CHARS]


def _label(unit: Unit) -> str:
    """Return the speaker as a prefix, because the speaker's statements are about the speaker."""
    speaker = unit.locator.speaker
    return f"{speaker}: " if speaker and not unit.answer_start and not is_by_interviewer(unit) else ""


def _stated(unit: Unit) -> str:
    """Return the text of a unit with its questions blanked (ruling D12), so that offsets stay valid."""
    if is_by_interviewer(unit):
        return ""
    if unit.answer_start:
        # A question and its affirming answer form one sentence.
        return _QUESTION_END.sub(", ", unit.text)
    text = unit.text
    for start, end in _asked(unit):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _asked(unit: Unit) -> Iterator[tuple[int, int]]:
    """Yield the spans of questions; in a row, fields that are or answer a question count with their names."""
    if not unit.fields:
        yield from question_spans(unit.text)
    before = 0
    for field in unit.fields:
        if not is_stated(unit, field.start):
            yield before, field.end
        before = field.end
