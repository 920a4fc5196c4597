"""The units of sources, each read once: what they state, their numbers and dates, and which are near to a claim."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from groundwire._engine import ClaimIndex
from groundwire.citations.support import probability_of
from groundwire.faithfulness.sources.units import Unit
from groundwire.faithfulness.support.answers import is_by_interviewer, is_stated
from groundwire.language import AssessmentRow, CountsRow, detect_language, read_terms, reader, words_of
from groundwire.language.questions import question_spans
from groundwire.language.values import Values, values_of_rows

__all__ = ["NearUnit", "SourceIndex"]

_Span = tuple[int, int]

_LANGUAGE_CHARS = 1_500
_LANGUAGE_UNITS = 20
_VALUES = frozenset({"name", "number", "date", "time"})
_QUESTION_END = re.compile(r"[?？]\s")


@dataclass(frozen=True, slots=True)
class NearUnit:
    """
    A unit that speaks of what a claim speaks of.

    Attributes:
        unit: The unit.
        start, end: The span in its text of the sentences that were compared.
        share: How much of the claim its best sentence has, 0.0 to 1.0; rare words weigh more.
        score: How probable it is that the unit supports the claim, 0.0 to 1.0.
        status: "supported", "unsupported" or "contradicted".
        conflict: What contradicts, "number", "date", "negation" or "opposite", and its span in the unit's text.
        wanted, found: How many terms of the claim need a counterpart, and how many have one.
        is_denied: Whether one side denies what the other says.
        lacks_value: Whether a name, a number, a date or a time has no counterpart.
        missing: Words of the claim that have no counterpart, or another role or restriction there.
    """

    unit: Unit
    start: int
    end: int
    share: float
    score: float
    status: str
    conflict: tuple[str, int, int] | None
    wanted: int
    found: int
    is_denied: bool
    lacks_value: bool
    missing: tuple[str, ...] = ()

    @property
    def has_all(self) -> bool:
        """Whether each term of the claim has a counterpart."""
        return self.found == self.wanted > 0


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
        self._labels = [_label(unit) for unit in self.units]
        texts = [label + _stated(unit) for label, unit in zip(self._labels, self.units, strict=True)]
        self._index = ClaimIndex(reader(), texts, language=self.language)
        self._values: list[Values] | None = None

    @property
    def values(self) -> Sequence[Values]:
        """The numbers and dates that each unit states, with their spans in its text."""
        if self._values is None:
            rows = zip(self._index.values(), self._labels, strict=True)
            self._values = [values_of_rows(each, len(label)) for each, label in rows]
        return self._values

    def nearest(self, claim: str, limit: int) -> list[NearUnit]:
        """Return the units that have most of *claim*, the best first and of equals in their order; *limit* at most."""
        return [self._near(claim, *row) for row in self._index.nearest(claim, limit)]

    def compare(self, claim: str) -> list[NearUnit]:
        """Return what each unit has of *claim*, in their order; also of those that share no word with it."""
        near = {id(each.unit): each for each in self.nearest(claim, len(self.units))}
        return [near.get(id(unit)) or _silent(unit, claim) for unit in self.units]

    def _near(
        self,
        claim: str,
        place: int,
        share: float,
        row: AssessmentRow,
        is_denied: bool,
        lacks_value: bool,
        counts: CountsRow,
    ) -> NearUnit:
        unit, label = self.units[place], len(self._labels[place])
        status, missing, conflict, (start, end), wanted, found = row
        contradicting = None
        if conflict is not None:
            kind, _, (first, last) = conflict
            # Who speaks is no part of the unit's text.
            contradicting = (kind, max(0, first - label), max(0, last - label))
        span = (max(0, start - label), max(0, end - label))
        words = words_of(claim, missing)
        score = probability_of((counts, row))
        return NearUnit(unit, *span, share, score, status, contradicting, wanted, found, is_denied, lacks_value, words)


def _silent(unit: Unit, claim: str) -> NearUnit:
    """What a unit has of a claim with which it shares nothing."""
    wanted = [term for term in read_terms(claim) if term.kind in ("content", *_VALUES)]
    lacks_value = any(term.kind in _VALUES for term in wanted)
    return NearUnit(unit, 0, 0, 0.0, 0.0, "unsupported", None, len(wanted), 0, is_denied=False, lacks_value=lacks_value)


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
