"""
Another value in the place of the claimed one: an age of 41 for 34, yes for no (ruling D9).

Research mostly has many people, and each has an age. So another value contradicts a
claim only if it is the only one that is told at all, and the claimed one nowhere is.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.faithfulness.claims import Claim, ClaimKind
from groundwire.faithfulness.claims_kinds import flag_of
from groundwire.faithfulness.sources.units import Field, Unit
from groundwire.faithfulness.support.amounts import Amount, only_amount, read_amounts
from groundwire.faithfulness.support.answers import is_by_interviewer, is_stated
from groundwire.faithfulness.support.cues import Cue, others_in
from groundwire.faithfulness.support.dates import PartDate, read_dates
from groundwire.faithfulness.support.evidence import Evidence, Layer, MatchKind
from groundwire.faithfulness.support.field_words import FieldWords

__all__ = ["OtherValue", "OtherValues"]

_SIGHT_CHARS = 60


class OtherValue(NamedTuple):
    """What a place has that is named by the field, or says what it is in the field's own words."""

    value: object
    evidence: Evidence


class OtherValues:
    """
    The values of units that are not the claimed ones; read when they are first asked for, and kept.

    Args:
        words: The words of units; questions, and what interviewers say, are left out.
    """

    __slots__ = ("_amounts", "_places", "_units", "_with_fields", "_words")

    def __init__(self, words: FieldWords) -> None:
        self._units = [unit for unit in words.units if not is_by_interviewer(unit)]
        self._places = {id(unit): place for place, unit in enumerate(self._units)}
        self._with_fields = frozenset(place for place, unit in enumerate(self._units) if unit.fields)
        self._words = words
        self._amounts: dict[int, list[Amount]] = {}

    def of(self, claim: Claim) -> dict[object, Evidence]:
        """
        Return the different values that a claim's field has, none of them the claimed one.

        Two at most, for by then there are several people; each with its first place. Empty for
        claims that are neither a number nor a date nor a flag.
        """
        found: dict[object, Evidence] = {}
        for other in self._told(claim, Cue(claim.cue)):
            found.setdefault(other.value, other.evidence)
            if len(found) == 2:
                break
        return found

    def _told(self, claim: Claim, cue: Cue) -> Iterator[OtherValue]:
        amount = only_amount(claim.value) if claim.kind is ClaimKind.NUMBER else None
        dates = read_dates(claim.value) if claim.kind is ClaimKind.DATE else []
        wanted = flag_of(claim.value) if claim.kind is ClaimKind.FLAG else None
        if amount is None and not dates and wanted is None:
            return
        if wanted is not None:
            for unit in self._units:
                yield from _flags(cue, unit, wanted=wanted)
            return
        for place in self._may_have(cue):
            unit = self._units[place]
            if amount is not None:
                yield from _amounts(amount, self._amounts_of(place), cue, unit)
            else:
                yield from _dates(dates[0].date, cue, unit)

    def _may_have(self, cue: Cue) -> Sequence[int]:
        """The places of units with fields, and of those that may speak of the claim's field."""
        found = self._words.units_with(cue, in_own_words=True)
        if found is None:
            return range(len(self._units))
        return sorted(self._with_fields.union(self._places[each] for each in found if each in self._places))

    def _amounts_of(self, place: int) -> list[Amount]:
        found = self._amounts.get(place)
        if found is None:
            unit = self._units[place]
            amounts = read_amounts(unit.text)
            found = self._amounts[place] = [each for each in amounts if is_stated(unit, each.start)]
        return found


def _amounts(wanted: Amount, amounts: list[Amount], cue: Cue, unit: Unit) -> Iterator[OtherValue]:
    for said in amounts:
        is_apart = said.high < wanted.low or wanted.high < said.low
        expected = {wanted.unit} - {""} or cue.units
        is_other_unit = bool(said.unit) and bool(expected) and said.unit not in expected and not _is_age(cue, unit)
        if is_apart and not said.is_bound and not is_other_unit and _is_named(cue, unit, said.start, said.end):
            yield OtherValue((said.low, said.high), _evidence(unit, said.start, said.end, MatchKind.OTHER_NUMBER))


def _is_age(cue: Cue, unit: Unit) -> bool:
    """Whether words behind a number are no units there: `I am 41 and`."""
    return cue.is_age and not unit.fields


def _dates(wanted: PartDate, cue: Cue, unit: Unit) -> Iterator[OtherValue]:
    for written in read_dates(unit.text):
        is_other = _differs(written.date, wanted) and is_stated(unit, written.start)
        if is_other and _is_named(cue, unit, written.start, written.end):
            yield OtherValue(written.date, _evidence(unit, written.start, written.end, MatchKind.OTHER_DATE))


def _differs(said: PartDate, wanted: PartDate) -> bool:
    """Whether both tell something, and not the same."""
    pairs = [(one, other) for one, other in zip(said, wanted, strict=True) if one is not None and other is not None]
    return any(one != other for one, other in pairs)


def _flags(cue: Cue, unit: Unit, *, wanted: bool) -> Iterator[OtherValue]:
    for field in unit.fields:
        flag = flag_of(field.value)
        if flag is not None and flag is not wanted and cue.is_named(field.name):
            yield OtherValue(flag, _evidence(unit, field.start, field.end, MatchKind.OTHER_FLAG))


def _is_named(cue: Cue, unit: Unit, start: int, end: int) -> bool:
    """Whether the place is a field of that name, or is in a sentence that speaks of it in the cue's own words."""
    field = _field_at(unit, start)
    if field is not None:
        is_value = only_amount(field.value) is not None or len(read_dates(field.value)) == 1
        return is_value and cue.is_named(field.name)
    if not cue.is_near(unit.text, start, end, in_own_words=True):
        return False
    return not others_in(unit.text[max(0, start - _SIGHT_CHARS) : end + _SIGHT_CHARS])


def _field_at(unit: Unit, start: int) -> Field | None:
    return next((field for field in unit.fields if field.start <= start < field.end), None)


def _evidence(unit: Unit, start: int, end: int, kind: MatchKind) -> Evidence:
    return Evidence(unit, start, end, 0.0, Layer.CONTRADICTION, kind)
