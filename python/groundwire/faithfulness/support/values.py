"""
Finds the values of claims in units: numbers, ranges, dates, names, flags and column statistics.

The value is searched together with the cue of its field, and never the sentence of the claim (ruling D7). A number may
be equal, within a range, or a statistic of a column. A value without its cue is weak evidence at best.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from groundwire.faithfulness.claims import ClaimKind, PersonaClaim, flag_of
from groundwire.faithfulness.source_data.units import ColumnSummary, Field, Unit, is_by_interviewer
from groundwire.faithfulness.support.cues import FieldCue, FieldWords, is_denied, read_cue
from groundwire.faithfulness.support.evidence import Best, Layer, MatchKind, SupportEvidence, best_of
from groundwire.faithfulness.support.lexical import DENIED
from groundwire.faithfulness.support.source_index import SourceIndex
from groundwire.language.values import Amount, Values, Written, only_amount, read_values
from groundwire.transcripts.speakers import speaker_key

__all__ = ["ValueIndex", "is_other_unit"]

FIELD = 1.0
"""The score of the claimed value in a field of the claim's name."""
SAID = 0.9
"""The score of the value in a sentence that mentions the field."""
IN_RANGE = 0.75
"""The score of a number within a range, or of a date that one side gives less precisely."""
FIRST_NAME = 0.7
"""The score of the first of several names, as the name of a speaker or field."""
UNCUED_VALUE = 0.45
"""The score of a value in a sentence that does not mention its field: weak (ruling D1)."""
AGGREGATE = 0.75
"""The score of a mean, median, share or count that equals the claimed one, rounded like it."""
FREQUENT = 0.7
"""The score of the most frequent value of a column, which a persona for all rows may claim."""

_DECIMALS = re.compile(r"[.,](\d+)")
_GROUP_DIGITS = 3
# The error of a difference of two floats, added to half of the last decimal place.
_FLOAT_ERROR = 1e-9

# The maximum number of different values of a column that are searched in a claim.
_MOST_VALUES = 200
_WORD_EDGE = r"(?<!\w){}(?!\w)"

_NUMERIC = (ClaimKind.NUMBER, ClaimKind.ATTRIBUTE, ClaimKind.ITEM)
_SENTENCE_KINDS = (ClaimKind.STATEMENT, ClaimKind.ITEM)
# A sentence that states the person's age.
_AGE = re.compile(
    r"(?:he|she|they|[A-Z][\w'’-]{1,30}(?: [A-Z][\w'’-]{1,30})?) (?:is|are) (?:now )?(?:aged )?(\d{1,3})"
    r"(?: years? (?:old|of age))?\.?",
    re.IGNORECASE,
)
_FLAGS = {"1": True, "0": False, "y": True, "n": False}


class _Place(NamedTuple):
    unit: int
    amount: Amount


class ValueIndex:
    """
    An index of the values of units for many claims.

    Args:
        units: The units. A long source is indexed in batches.
        words, index: Indexes of the same units that other layers share.
    """

    def __init__(
        self, units: Iterable[Unit], *, words: FieldWords | None = None, index: SourceIndex | None = None
    ) -> None:
        units = list(units)
        self._columns = [unit for unit in units if unit.summary is not None]
        index = index or SourceIndex(units)
        self.units = index.units
        self._field_words = words or FieldWords(units)
        self._numbers: defaultdict[float, list[_Place]] = defaultdict(list)
        self._ranges: list[_Place] = []
        self._dates: defaultdict[int | None, list[tuple[int, Written]]] = defaultdict(list)
        self._fields: defaultdict[str, list[tuple[int, Field]]] = defaultdict(list)
        self._speakers: defaultdict[str, list[int]] = defaultdict(list)
        for number, (unit, values) in enumerate(zip(index.units, index.values, strict=True)):
            if not is_by_interviewer(unit):
                self._file(number, unit, values)

    def _file(self, number: int, unit: Unit, values: Values) -> None:
        for amount in values.amounts:
            if unit.fields and unit.field_at(amount.start) is None:
                # A number in the name of a field states nothing.
                continue
            place = _Place(number, amount)
            if amount.low == amount.high:
                self._numbers[amount.low].append(place)
            else:
                self._ranges.append(place)
        for written in values.dates:
            self._dates[written.date.year].append((number, written))
        for field in unit.fields:
            self._fields[_folded(field.value)].append((number, field))
        if unit.locator.speaker and not unit.answer_start:
            self._speakers[speaker_key(unit.locator.speaker)].append(number)

    def evidence(self, claim: PersonaClaim) -> list[SupportEvidence]:
        """Return the evidence for the value of *claim*, best first; ties keep the order of the units."""
        age = _AGE.fullmatch(claim.value) if claim.kind in _SENTENCE_KINDS else None
        if age is not None:
            claim = replace(claim, kind=ClaimKind.NUMBER, value=age[1], cue="age")
        cue = read_cue(claim.cue)
        amount = only_amount(claim.value) if claim.kind in _NUMERIC else None
        found = []
        if amount is not None:
            found.append(self._of_number(amount, cue))
        elif claim.kind is ClaimKind.DATE:
            found.append(self._of_date(claim, cue))
        elif claim.kind not in (ClaimKind.STATEMENT, ClaimKind.QUOTE):
            found.append(self._of_fields(claim, cue))
        if claim.kind is ClaimKind.NAME:
            found.append(self._of_speakers(claim))
        found.append(_column_evidence(claim, cue, self._columns, amount))
        return best_of(chain.from_iterable(found))

    def _of_number(self, wanted: Amount, cue: FieldCue) -> Iterator[SupportEvidence]:
        best = Best()
        for evidence in self._numbers_like(wanted, cue, best):
            best.add(evidence.unit, evidence.score)
            yield evidence

    def _numbers_like(self, wanted: Amount, cue: FieldCue, best: Best) -> Iterator[SupportEvidence]:
        if wanted.low == wanted.high:
            for place in self._worth_a_look(self._numbers.get(wanted.low, ()), cue, best):
                yield from self._amount(wanted, place, cue, best, SAID, MatchKind.NUMBER)
        else:
            inside = (
                place
                for number, places in self._numbers.items()
                if wanted.low <= number <= wanted.high
                for place in places
            )
            for place in inside:
                yield from self._amount(wanted, place, cue, best, IN_RANGE, MatchKind.RANGE)
        for place in self._ranges:
            amount = place.amount
            if (amount.low, amount.high) == (wanted.low, wanted.high):
                yield from self._amount(wanted, place, cue, best, SAID, MatchKind.NUMBER)
            elif amount.low <= wanted.low and wanted.high <= amount.high:
                yield from self._amount(wanted, place, cue, best, IN_RANGE, MatchKind.RANGE)

    def _worth_a_look(self, places: Iterable[_Place], cue: FieldCue, best: Best) -> Iterator[_Place]:
        """Yield the *places* that may score higher than an uncued value, once enough of those are known."""
        for place in places:
            unit, amount = self.units[place.unit], place.amount
            is_wanted = unit.fields or not best.is_full(unit, UNCUED_VALUE)
            if is_wanted or self._field_words.may_be_near(cue, unit, amount.start, amount.end):
                yield place

    def _amount(
        self, wanted: Amount, place: _Place, cue: FieldCue, best: Best, score: float, kind: MatchKind
    ) -> Iterator[SupportEvidence]:
        """Return the score of a matching number or range, given its context."""
        unit, amount = self.units[place.unit], place.amount
        if is_other_unit(wanted, amount, cue) or amount.is_bound != wanted.is_bound:
            return
        field = unit.field_at(amount.start)
        is_alone = field is not None and only_amount(field.value) is not None
        is_named = field is not None and cue.is_named(field.name)
        if is_alone and not is_named:
            # This number counts something else.
            return
        if is_named:
            score = FIELD if is_alone and kind is MatchKind.NUMBER else score
        elif not self._field_words.is_near(cue, unit, amount.start, amount.end):
            score = UNCUED_VALUE
        if best.is_full(unit, score):
            return
        if not is_named:
            score = self._unless_denied(score, unit, amount.start, amount.end)
        yield SupportEvidence(unit, amount.start, amount.end, score, Layer.VALUES, kind)

    def _unless_denied(self, score: float, unit: Unit, start: int, end: int) -> float:
        """Return the score of a value that a sentence states, which is lower if the sentence negates it."""
        is_denial = score > UNCUED_VALUE and is_denied(unit.text, start, end, language=self._field_words.language)
        return DENIED if is_denial else score

    def _of_date(self, claim: PersonaClaim, cue: FieldCue) -> Iterator[SupportEvidence]:
        for wanted in read_values(claim.value).dates[:1]:
            for number, written in (*self._dates.get(wanted.date.year, ()), *self._dates.get(None, ())):
                if not written.date.agrees(wanted.date):
                    continue
                unit = self.units[number]
                is_told = written.date.includes(wanted.date)
                field = unit.field_at(written.start)
                if field is not None and cue.is_named(field.name):
                    score = FIELD if is_told else IN_RANGE
                elif self._field_words.is_near(cue, unit, written.start, written.end):
                    score = self._unless_denied(SAID if is_told else IN_RANGE, unit, written.start, written.end)
                else:
                    score = UNCUED_VALUE
                yield SupportEvidence(unit, written.start, written.end, score, Layer.VALUES, MatchKind.DATE)

    def _of_fields(self, claim: PersonaClaim, cue: FieldCue) -> Iterator[SupportEvidence]:
        """Yield fields of the same name whose whole value is the claimed one."""
        for value in _spellings(claim):
            for number, field in self._fields.get(value, ()):
                if cue.is_named(field.name):
                    yield SupportEvidence(
                        self.units[number], field.start, field.end, FIELD, Layer.VALUES, MatchKind.FIELD
                    )
        if claim.kind is ClaimKind.NAME:
            first = _folded(claim.value).split()[0]
            for number, field in self._fields.get(first, ()) if first != _folded(claim.value) else ():
                if cue.is_named(field.name):
                    yield SupportEvidence(
                        self.units[number], field.start, field.end, FIRST_NAME, Layer.VALUES, MatchKind.FIELD
                    )

    def _of_speakers(self, claim: PersonaClaim) -> Iterator[SupportEvidence]:
        """Yield the turns of speakers with the claimed name, which support nothing but the person's own name."""
        name = speaker_key(claim.value)
        first = name.split(" ")[0]
        for key, score in ((name, FIELD), (first, FIRST_NAME)) if first != name else ((name, FIELD),):
            for number in self._speakers.get(key, ()):
                score = score if claim.is_own_name else UNCUED_VALUE
                yield SupportEvidence(self.units[number], 0, 0, score, Layer.VALUES, MatchKind.SPEAKER)


def is_other_unit(wanted: Amount, stated: Amount, cue: FieldCue) -> bool:
    """Return whether two numbers count different things: both have a unit, or the field name has one."""
    expected = {wanted.unit.partition("/")[0]} - {""} or cue.units
    return bool(stated.unit and expected) and stated.unit.partition("/")[0] not in expected


def _folded(value: str) -> str:
    return " ".join(value.casefold().split())


def _spellings(claim: PersonaClaim) -> list[str]:
    """Return the spellings of the claim's value in a field."""
    if claim.kind is not ClaimKind.FLAG:
        return [_folded(claim.value)]
    wanted = flag_of(claim.value)
    return [word for word in ("yes", "true", "no", "false") if flag_of(word) is wanted] + [
        word for word, flag in _FLAGS.items() if flag is wanted
    ]


def _column_evidence(
    claim: PersonaClaim, cue: FieldCue, columns: Sequence[Unit], amount: Amount | None
) -> Iterator[SupportEvidence]:
    """
    Yield evidence from *columns*, the units with a summary; *amount* is the claim's number.

    A number is compared with the mean and median of a column that the cue names. The most frequent value of such a
    column supports a claim of it. In any claim, a share or count beside a value of a column is compared with the real
    one.
    """
    is_told = claim.kind in (ClaimKind.STATEMENT, ClaimKind.ITEM, ClaimKind.ATTRIBUTE) and amount is None
    numbers = read_values(claim.value).amounts if columns and is_told else ()
    for unit in columns:
        summary = unit.summary
        assert summary is not None
        if claim.cue and cue.is_named(summary.name):
            yield from _of_column(claim, amount, unit, summary)
        if numbers:
            yield from _counted(claim, numbers, unit, summary)


def _of_column(
    claim: PersonaClaim, amount: Amount | None, unit: Unit, summary: ColumnSummary
) -> Iterator[SupportEvidence]:
    if amount is not None:
        for value, kind in ((summary.mean, MatchKind.MEAN), (summary.median, MatchKind.MEDIAN)):
            if value is not None and summary.numbers > 1 and _is_rounded(value, amount, claim.value):
                yield SupportEvidence(unit, 0, 0, AGGREGATE, Layer.VALUES, kind)
    elif summary.is_complete and summary.counts:
        count = summary.counts.get(claim.value.strip().casefold(), 0)
        if count > 1 and count == max(summary.counts.values()):
            yield SupportEvidence(unit, 0, 0, FREQUENT, Layer.VALUES, MatchKind.SHARE)


def _is_rounded(value: float, amount: Amount, written: str) -> bool:
    """Return whether *value* equals the claimed one, rounded to its decimals, or lies in the claimed range."""
    if amount.low != amount.high:
        return amount.low <= value <= amount.high
    marked = _DECIMALS.findall(written, amount.start, amount.end)
    # Three digits after a mark may also be the end of a whole number: 1,200.
    is_whole = not marked or (len(marked[-1]) == _GROUP_DIGITS and amount.low.is_integer())
    # Half of the last decimal place.
    half: float = 0.5 * 10.0 ** -(0 if is_whole else len(marked[-1]))
    return abs(value - amount.low) <= half + _FLOAT_ERROR


def _counted(
    claim: PersonaClaim, numbers: Sequence[Amount], unit: Unit, summary: ColumnSummary
) -> Iterator[SupportEvidence]:
    """Yield evidence for a share or count of a value that the claim names: `67% use Slack`, `2 of them use Slack`."""
    if not summary.is_complete or not 0 < len(summary.counts) <= _MOST_VALUES:
        return
    folded = claim.value.casefold()
    for value, count in summary.counts.items():
        if len(value) < 2 or value not in folded or re.search(_WORD_EDGE.format(re.escape(value)), folded) is None:
            continue
        for amount in numbers:
            is_share = amount.unit == "%"
            counted = 100 * count / summary.filled if is_share else count
            if _is_rounded(counted, amount, claim.value):
                kind = MatchKind.SHARE if is_share else MatchKind.COUNT
                yield SupportEvidence(unit, 0, 0, AGGREGATE, Layer.VALUES, kind)
