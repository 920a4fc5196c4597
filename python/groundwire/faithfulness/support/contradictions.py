"""
Finds contradictions that comparing single sentences does not find (ruling D9).

`OtherValues` finds another number, date or flag in place of the claimed one: an age of 41 instead of 34.
`compare_stances` finds opposite preferences: `prefers email to calls` against `I hate checking emails`. The words of
stances are in the lexicons, section `stances`."""

from collections.abc import Iterator, Sequence, Set
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.faithfulness.claims import ClaimKind, PersonaClaim, flag_of
from groundwire.faithfulness.source_data.units import Unit, is_by_interviewer
from groundwire.faithfulness.support.cues import (
    CONTEXT_CHARS,
    NEGATIONS,
    FieldCue,
    FieldWords,
    Topic,
    others_in,
    read_cue,
)
from groundwire.faithfulness.support.evidence import MAX_EVIDENCE, Layer, MatchKind, SupportEvidence
from groundwire.faithfulness.support.source_index import SourceIndex
from groundwire.faithfulness.support.values import is_other_unit
from groundwire.language import Term, read_section, read_terms
from groundwire.language.values import Amount, PartDate, Written, only_amount, read_values

__all__ = ["OtherValue", "OtherValues", "Stance", "compare_stances", "is_opposed"]


class OtherValue(NamedTuple):
    """A value that a place states for the claim's field."""

    value: object
    evidence: SupportEvidence


class OtherValues:
    """
    Finds values in units that differ from the claimed one.

    Most research covers many people, each with an age. So another value contradicts a claim only if it is the only one,
    and the claimed value is nowhere.

    Args:
        index: The units. Questions and the turns of interviewers do not count.
        words: The words of the units.
    """

    __slots__ = ("_index", "_places", "_with_fields", "_words")

    def __init__(self, index: SourceIndex, words: FieldWords) -> None:
        places = [place for place, unit in enumerate(index.units) if not is_by_interviewer(unit)]
        self._index = index
        self._places = {id(index.units[place]): place for place in places}
        self._with_fields = frozenset(place for place in places if index.units[place].fields)
        self._words = words

    def of(self, claim: PersonaClaim) -> dict[object, SupportEvidence]:
        """
        Return the different values of the claim's field, other than the claimed one, each with its first place.

        The search stops at two, because then the sources cover several people. Empty for claims that are not a number,
        a date or a flag.
        """
        found: dict[object, SupportEvidence] = {}
        for other in self._other_values(claim, read_cue(claim.cue)):
            found.setdefault(other.value, other.evidence)
            if len(found) == 2:
                break
        return found

    def _other_values(self, claim: PersonaClaim, cue: FieldCue) -> Iterator[OtherValue]:
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
        """Return the units with fields, and those that may mention the claim's field."""
        found = self._words.units_with(cue, in_own_words=True)
        if found is None:
            return sorted(self._places.values())
        return sorted(self._with_fields.union(self._places[each] for each in found if each in self._places))


def _amounts(wanted: Amount, amounts: Sequence[Amount], cue: FieldCue, unit: Unit) -> Iterator[OtherValue]:
    for other in amounts:
        is_apart = other.high < wanted.low or wanted.high < other.low
        is_comparable = is_apart and not other.is_bound and not is_other_unit(wanted, other, cue)
        if is_comparable and _is_named(cue, unit, other.start, other.end):
            yield OtherValue((other.low, other.high), _evidence(unit, other.start, other.end, MatchKind.OTHER_NUMBER))


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
    """Return whether a place is a field of that name, or in a sentence that mentions it in the cue's own words."""
    field = unit.field_at(start)
    if field is not None:
        is_value = only_amount(field.value) is not None or len(read_values(field.value).dates) == 1
        return is_value and cue.is_named(field.name)
    if not cue.is_near(unit.text, start, end, in_own_words=True):
        return False
    return not others_in(unit.text[max(0, start - CONTEXT_CHARS) : end + CONTEXT_CHARS])


def _evidence(unit: Unit, start: int, end: int, kind: MatchKind) -> SupportEvidence:
    return SupportEvidence(unit, start, end, 0.0, Layer.CONTRADICTION, kind)


_NEAREST_TO_STANCE = 12
"""The number of sentences, those with the most words of a stance, that are compared with it."""
_STANCES = 20
_CONTENT = frozenset({"content", "name", "denial", "number", "date", "reference"})
_NARROWING = frozenset({"preposition", "condition", "order", "exception", "cause"})


class Stance(NamedTuple):
    """
    A preference or an aversion.

    Attributes:
        is_liked: Whether it is a preference.
        things: The stems of its object, in order.
        narrowing: The stems of a restriction: a time, a place, a part.
        start, end: The span from the verb on.
        things_start: The start of its object.
    """

    is_liked: bool
    things: tuple[int, ...]
    narrowing: tuple[int, ...]
    start: int
    end: int
    things_start: int


class StanceWords(NamedTuple):
    """
    The words of one language that express stances.

    Attributes:
        liking, disliking: Stems of verbs and adjectives.
        unbearable: Stems that express dislike only after a negation: cannot stand.
        telling: All of these stems.
        handling: Stems of verbs that add nothing to the object: checking emails.
        comparing: Words before the less liked alternative: over, than.
        coordinators: And, or.
        speakers, persons: Words for the person, in the person's own speech and in the speech of others.
    """

    liking: frozenset[int]
    disliking: frozenset[int]
    unbearable: frozenset[int]
    telling: frozenset[int]
    handling: frozenset[int]
    comparing: frozenset[str]
    coordinators: frozenset[str]
    speakers: frozenset[str]
    persons: frozenset[str]

    def sign(self, terms: Sequence[Term], place: int) -> bool | None:
        """Return True if a term expresses liking, False for dislike, else None."""
        term = terms[place]
        if term.stem not in self.telling:
            return None
        if term.stem in self.unbearable:
            return False if any(each.kind in NEGATIONS for each in _clause_before(terms, place)) else None
        if term.stem in self.disliking:
            return False
        # In other positions, `like` compares: tools like Slack.
        is_verb = term.kind not in ("preposition", "conjunction", "filler") or _is_behind_subject(terms, place)
        return True if is_verb else None


def compare_stances(topic: Topic, index: SourceIndex) -> list[SupportEvidence]:
    """Return the places where the person's stance is the opposite of the claimed one."""
    words = stance_words(index.language)
    if words is None or not topic.is_text:
        return []
    found = []
    for claimed in _claimed(topic, words, index.language)[:_STANCES]:
        for near in index.nearest(topic.text[claimed.things_start : claimed.end], _NEAREST_TO_STANCE):
            if words.telling.isdisjoint(index.stems(near)):
                continue
            persons = words.speakers if near.unit.locator.speaker else words.persons | topic.own_names
            stated = _stances(index.terms(near), words, persons | words.speakers)
            found += [
                SupportEvidence(near.unit, each.start, each.end, 0.0, Layer.CONTRADICTION, MatchKind.PREFERENCE)
                for each in stated[:_STANCES]
                if is_opposed(claimed, each)
            ]
    return found[:MAX_EVIDENCE]


def is_opposed(claimed: Stance, stated: Stance) -> bool:
    """
    Return whether one stance likes what the other dislikes.

    The stances are comparable if the source's is no narrower than the claim's: `hates emails` opposes `prefers email
    communication`, but `hates long emails` does not.
    """
    if claimed.is_liked == stated.is_liked or not claimed.things or not stated.things:
        return False
    if stated.narrowing or claimed.narrowing:
        return (claimed.things, claimed.narrowing) == (stated.things, stated.narrowing)
    if not set(stated.things) <= set(claimed.things):
        return False
    # `short meetings` are only some meetings, but `email communication` is communication by `email`.
    return claimed.things[-1] != stated.things[-1] or len(stated.things) == len(claimed.things)


@cache
def stance_words(language: str) -> StanceWords | None:
    """Return the words of *language*; None if its lexicon has no stances."""
    try:
        section = read_section(language, "stances")
    except KeyError:
        return None

    speaker = section["speakers"].split()[0]

    def stems(name: str) -> frozenset[int]:
        # After a subject, like is a verb; alone it is a preposition.
        texts = [text for word in section[name].split() for text in (word, f"{speaker} {word}")]
        return frozenset(read_terms(text, language=language)[-1].stem for text in texts)

    def forms(name: str) -> frozenset[str]:
        return frozenset(section[name].split())

    liking, disliking, unbearable = map(stems, ("liking", "disliking", "unbearable"))
    return StanceWords(
        liking=liking,
        disliking=disliking,
        unbearable=unbearable,
        telling=liking | disliking | unbearable,
        handling=stems("handling"),
        comparing=forms("comparing"),
        coordinators=forms("coordinators"),
        speakers=forms("speakers"),
        persons=forms("persons"),
    )


def _claimed(topic: Topic, words: StanceWords, language: str) -> list[Stance]:
    """Return the stances in a claim's own words, or in the name of its field: `dislikes`, `preferred channel`."""
    terms = read_terms(topic.text, language=language)
    stances = _stances(terms, words, words.persons | words.speakers | topic.own_names)
    is_liked = None if stances else _sign_of_field(topic.claim.cue, language)
    if is_liked is None:
        return stances
    return [_stance(is_liked, part, part[0].start, words) for part in _parts(terms, words)]


@lru_cache(maxsize=1024)
def _sign_of_field(cue: str, language: str) -> bool | None:
    """Return whether the name of a field expresses liking; None if it expresses neither, or both."""
    words = stance_words(language)
    terms = read_terms(cue, language=language)
    signs = {sign for place in range(len(terms)) if words and (sign := words.sign(terms, place)) is not None}
    return signs.pop() if len(signs) == 1 else None


def _stances(terms: Sequence[Term], words: StanceWords, persons: Set[str]) -> list[Stance]:
    """Return the stances of *persons* in a text."""
    signs = [(place, sign) for place in range(len(terms)) if (sign := words.sign(terms, place)) is not None]
    found: list[Stance] = []
    for number, (place, sign) in enumerate(signs):
        if _is_of(persons, terms, place):
            end = signs[number + 1][0] if number + 1 < len(signs) else len(terms)
            found += _stances_of(terms, place, end, words, is_liked=sign)
    return found


def _stances_of(terms: Sequence[Term], place: int, end: int, words: StanceWords, *, is_liked: bool) -> Iterator[Stance]:
    """Yield the stances of the term at *place*: on its object, and on the alternative it is compared with."""
    verb = terms[place]
    behind = [term for term in terms[place + 1 : end] if term.clause == verb.clause]
    denials = sum(
        each.kind in NEGATIONS for each in (*_clause_before(terms, place), *_denials_behind(terms, place, behind))
    )
    is_denied = denials % 2 == 1 and verb.stem not in words.unbearable
    if behind and behind[0].kind == "preposition":
        behind = behind[1:]
    compared = next((at for at, term in enumerate(behind) if at and term.form in words.comparing), len(behind))
    for part in _parts(behind[:compared], words):
        yield _stance(is_liked != is_denied, part, verb.start, words)
    for part in _parts(behind[compared + 1 :], words) if not is_denied else ():
        yield _stance(not is_liked, part, verb.start, words)


def _denials_behind(terms: Sequence[Term], place: int, behind: Sequence[Term]) -> Iterator[Term]:
    """Yield the negation at the end of the clause, or after a verb with a split negation: mag nicht, ne … pas."""
    if behind and place and terms[place - 1].kind == "filler":
        yield behind[0]
    elif behind:
        yield behind[-1]


def _stance(is_liked: bool, terms: Sequence[Term], start: int, words: StanceWords) -> Stance:
    cut = next((at for at, term in enumerate(terms) if at and term.kind in _NARROWING), len(terms))
    things, narrowing = (
        tuple(term.stem for term in part if term.kind in _CONTENT and term.stem not in words.handling)
        for part in (terms[:cut], terms[cut:])
    )
    return Stance(is_liked, things, narrowing, start, terms[-1].end, terms[0].start)


def _parts(terms: Sequence[Term], words: StanceWords) -> Iterator[list[Term]]:
    """Yield the parts that `and` and `or` join."""
    part: list[Term] = []
    for term in terms:
        if term.form not in words.coordinators:
            part.append(term)
        elif part:
            yield part
            part = []
    if part:
        yield part


def _clause_before(terms: Sequence[Term], place: int) -> list[Term]:
    return [term for term in terms[:place] if term.clause == terms[place].clause]


def _is_behind_subject(terms: Sequence[Term], place: int) -> bool:
    """Return whether a term is a verb: the first of its text, or after a pronoun or an auxiliary."""
    before = _clause_before(terms, place)
    return not before or before[-1].kind in ("pronoun", "auxiliary", "modal", "negation", "hedge")


def _is_of(persons: Set[str], terms: Sequence[Term], place: int) -> bool:
    """Return whether the subject of the term at *place* is one of *persons*, or is left out."""
    subjects = [term for term in _clause_before(terms, place) if term.kind in ("pronoun", "content", "name")]
    return not subjects or subjects[0].form in persons
