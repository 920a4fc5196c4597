"""The units of sources, each read once: what they state, their numbers and dates, and which are near to a claim."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from groundwire._engine import ClaimIndex
from groundwire.faithfulness.sources.units import Unit, is_by_interviewer, is_stated
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
    A unit that speaks of what a claim speaks of.

    Attributes:
        unit: The unit.
        claim: The claim.
        share: How much of the claim its best sentence has, 0.0 to 1.0; rare words weigh more.
        row: What it has of the claim; see the properties.
        is_denied: Whether one side denies what the other says.
        lacks_value: Whether a name, a number, a date or a time has no counterpart.
        counts: What the score is made of; None of a unit that shares nothing with the claim.
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
        """What it says of the claim: "supported", "unsupported" or "contradicted"."""
        return self.row[0]

    @property
    def missing(self) -> tuple[str, ...]:
        """Words of the claim that have no counterpart, or another role or restriction there."""
        return words_of(self.claim, self.row[1])

    @property
    def conflict(self) -> tuple[str, int, int] | None:
        """What contradicts, "number", "date", "negation" or "opposite", and its span in the unit's text."""
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
        """How many terms of the claim need a counterpart."""
        return self.row[4]

    @property
    def has_all(self) -> bool:
        """Whether each term of the claim has a counterpart."""
        return self.row[5] == self.row[4] > 0

    def probability(self, score: SupportScore) -> float:
        """Return how probable it is by *score* that the unit supports the claim, 0.0 to 1.0."""
        return 0.0 if self.counts is None else score.probability((self.counts, self.row))


class SourceIndex:
    """
    Units, read once and asked for many claims.

    Args:
        units: Any number of them; columns as a whole are left out.

    Attributes:
        units: The others.
        language: The language that they are read in.
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
        """Return the units that have most of *claim*, the best first and of equals in their order; *limit* at most."""
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
        """Return what each unit has of *claim*, in their order; also of those that share no word with it."""
        near = {id(each.unit): each for each in self.nearest(claim, len(self.units))}
        return [near.get(id(unit)) or _silent(unit, claim) for unit in self.units]


def _silent(unit: Unit, claim: str) -> NearUnit:
    """What a unit has of a claim with which it shares nothing."""
    wanted = [term for term in read_terms(claim) if term.kind in ("content", *_VALUES)]
    row: AssessmentRow = ("unsupported", [], None, (0, 0), len(wanted), 0)
    lacks_value = any(term.kind in _VALUES for term in wanted)
    return NearUnit(unit, claim, 0.0, row, is_denied=False, lacks_value=lacks_value, counts=None)


def _sample(units: Sequence[Unit]) -> str:
    return " ".join(unit.text[:_LANGUAGE_CHARS] for unit in units[:_LANGUAGE_UNITS])[:_LANGUAGE_CHARS]


def _label(unit: Unit) -> str:
    """Who speaks, in front of what is said: what Sarah says is said of Sarah."""
    speaker = unit.locator.speaker
    return f"{speaker}: " if speaker and not unit.answer_start and not is_by_interviewer(unit) else ""


def _stated(unit: Unit) -> str:
    """The text of a unit with blanks in the place of what states nothing (ruling D12), so that offsets stay."""
    if is_by_interviewer(unit):
        return ""
    if unit.answer_start:
        # A question and the answer that affirms it are one sentence.
        return _QUESTION_END.sub(", ", unit.text)
    text = unit.text
    for start, end in _asked(unit):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _asked(unit: Unit) -> Iterator[tuple[int, int]]:
    """The spans of questions: of a row, of the fields that are one or answer one, with their names."""
    if not unit.fields:
        yield from question_spans(unit.text)
    before = 0
    for field in unit.fields:
        if not is_stated(unit, field.start):
            yield before, field.end
        before = field.end
