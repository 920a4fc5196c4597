"""
Another value in the place of the claimed one: an age of 41 for 34, yes for no (ruling D9).

Research mostly has many people, and each has an age. So another value contradicts a
claim only if it is the only one that is told at all, and the claimed one nowhere is.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.faithfulness.claims import ClaimKind, PersonaClaim, flag_of
from groundwire.faithfulness.sources.units import Field, Unit
from groundwire.faithfulness.support.answers import is_by_interviewer
from groundwire.faithfulness.support.cues import CONTEXT_CHARS, FieldCue, FieldWords, others_in, read_cue
from groundwire.faithfulness.support.evidence import Layer, MatchKind, SupportEvidence
from groundwire.faithfulness.support.source_index import SourceIndex
from groundwire.faithfulness.support.values import is_other_unit
from groundwire.language.values import Amount, PartDate, Written, only_amount, read_values

__all__ = ["OtherValue", "OtherValues"]


class OtherValue(NamedTuple):
    """What a place has that is named by the field, or says what it is in the field's own words."""

    value: object
    evidence: SupportEvidence


class OtherValues:
    """
    The values of units that are not the claimed ones.

    Args:
        index: What the units state; questions, and what interviewers say, are left out.
        words: Their words.
    """

    __slots__ = ("_index", "_places", "_with_fields", "_words")

    def __init__(self, index: SourceIndex, words: FieldWords) -> None:
        said = [place for place, unit in enumerate(index.units) if not is_by_interviewer(unit)]
        self._index = index
        self._places = {id(index.units[place]): place for place in said}
        self._with_fields = frozenset(place for place in said if index.units[place].fields)
        self._words = words

    def of(self, claim: PersonaClaim) -> dict[object, SupportEvidence]:
        """
        Return the different values that a claim's field has, none of them the claimed one.

        Two at most, for by then there are several people; each with its first place. Empty for
        claims that are neither a number nor a date nor a flag.
        """
        found: dict[object, SupportEvidence] = {}
        for other in self._told(claim, read_cue(claim.cue)):
            found.setdefault(other.value, other.evidence)
            if len(found) == 2:
                break
        return found

    def _told(self, claim: PersonaClaim, cue: FieldCue) -> Iterator[OtherValue]:
        amount = only_amount(claim.value) if claim.kind is ClaimKind.NUMBER else None
        dates = read_values(claim.value).dates if claim.kind is ClaimKind.DATE else ()
        wanted = flag_of(claim.value) if claim.kind is ClaimKind.FLAG else None
        if amount is None and not dates and wanted is None:
            return
        for place in self._may_have(cue) if wanted is None else sorted(self._with_fields):
            unit, values = self._index.units[place], self._index.values[place]
            if wanted is not None:
                yield from _flags(cue, unit, wanted=wanted)
            elif amount is not None:
                yield from _amounts(amount, values.amounts, cue, unit)
            else:
                yield from _dates(dates[0].date, values.dates, cue, unit)

    def _may_have(self, cue: FieldCue) -> Sequence[int]:
        """The places of units with fields, and of those that may speak of the claim's field."""
        found = self._words.units_with(cue, in_own_words=True)
        if found is None:
            return sorted(self._places.values())
        return sorted(self._with_fields.union(self._places[each] for each in found if each in self._places))


def _amounts(wanted: Amount, amounts: Sequence[Amount], cue: FieldCue, unit: Unit) -> Iterator[OtherValue]:
    for said in amounts:
        is_apart = said.high < wanted.low or wanted.high < said.low
        is_comparable = is_apart and not said.is_bound and not is_other_unit(wanted, said, cue)
        if is_comparable and _is_named(cue, unit, said.start, said.end):
            yield OtherValue((said.low, said.high), _evidence(unit, said.start, said.end, MatchKind.OTHER_NUMBER))


def _dates(wanted: PartDate, dates: Sequence[Written], cue: FieldCue, unit: Unit) -> Iterator[OtherValue]:
    for written in dates:
        if written.date.differs(wanted) and _is_named(cue, unit, written.start, written.end):
            yield OtherValue(written.date, _evidence(unit, written.start, written.end, MatchKind.OTHER_DATE))


def _flags(cue: FieldCue, unit: Unit, *, wanted: bool) -> Iterator[OtherValue]:
    for field in unit.fields:
        flag = flag_of(field.value)
        if flag is not None and flag is not wanted and cue.is_named(field.name):
            yield OtherValue(flag, _evidence(unit, field.start, field.end, MatchKind.OTHER_FLAG))


def _is_named(cue: FieldCue, unit: Unit, start: int, end: int) -> bool:
    """Whether the place is a field of that name, or is in a sentence that speaks of it in the cue's own words."""
    field = _field_at(unit, start)
    if field is not None:
        is_value = only_amount(field.value) is not None or len(read_values(field.value).dates) == 1
        return is_value and cue.is_named(field.name)
    if not cue.is_near(unit.text, start, end, in_own_words=True):
        return False
    return not others_in(unit.text[max(0, start - CONTEXT_CHARS) : end + CONTEXT_CHARS])


def _field_at(unit: Unit, start: int) -> Field | None:
    return next((field for field in unit.fields if field.start <= start < field.end), None)


def _evidence(unit: Unit, start: int, end: int, kind: MatchKind) -> SupportEvidence:
    return SupportEvidence(unit, start, end, 0.0, Layer.CONTRADICTION, kind)
