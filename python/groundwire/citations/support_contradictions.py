"""
What a passage says otherwise than a claim: another number, another date, or its denial.

Both are about the same if the words around are the same. So a number, date or denial is
compared with that of the passage which has the most of its neighbours, and only where
passage and claim have enough in common at all. What is worded otherwise is not found, and
neither is a contradiction that only knowledge of the world shows.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from groundwire.citations.support_terms import READ_CHARS, Role, Term, read_terms
from groundwire.citations.support_words import ROUNDING
from groundwire.evidence.wording.readings import Languages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["SHARED_FROM", "Contradiction", "ContradictionKind", "ReadClaim"]

SHARED_FROM = 0.6
"""The least share of the claim's words of content, numbers, dates and units that the passage must have beside it."""

NEIGHBOURS = 2
"""So many of them around a number, date or denial must be the same."""

_SIGHT_TERMS = 6
_REACH_TERMS = 3
_ANCHORS = frozenset({Role.CONTENT, Role.NUMBER, Role.DATE, Role.UNIT})
_YEARS = range(1000, 2200)
_SENTENCE_END = re.compile(r"[.!?。！？]+[\"'”’)\]]*\s|[。！？]|\n")


class ContradictionKind(StrEnum):
    """What differs."""

    NUMBER = "number"
    DATE = "date"
    NEGATION = "negation"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """
    One thing that a passage says otherwise.

    Attributes:
        kind: What it is.
        claim_start, claim_end: Where it stands in the claim.
        passage_start, passage_end: What the passage has in its place; for a denial, the denied
            word where the other side has none.
    """

    kind: ContradictionKind
    claim_start: int
    claim_end: int
    passage_start: int
    passage_end: int


class ReadClaim:
    """A claim, read once for all passages that it is compared with, when it first is."""

    __slots__ = ("_claim", "_languages", "_terms")

    def __init__(self, claim: str) -> None:
        self._claim = claim
        self._languages = Languages(claim)
        self._terms: list[Term] | None = None

    def contradiction(self, passage: str, start: int, end: int) -> Contradiction | None:
        """
        Return the first contradiction with the sentences of *passage* around *start* to *end*.

        Numbers and dates come before denials. None if there is none, or too little in common.
        """
        if self._terms is None:
            self._terms = read_terms(self._claim, 0, len(self._claim), self._languages)
        left, right = _sentences(passage, start, end)
        sides = _Sides(self._terms, read_terms(passage, left, right, self._languages))
        if not sides.are_alike():
            return None
        return next(chain(_amounts(sides), _denials(sides), _opposites(sides, self._languages)), None)


def _sentences(passage: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with the rest of its sentences, as far as is read."""
    end = min(end, start + READ_CHARS // 2)
    first = max(0, start - READ_CHARS // 4)
    ends = [match.end() for match in _SENTENCE_END.finditer(passage, first, start)]
    after = _SENTENCE_END.search(passage, end, end + READ_CHARS // 4)
    return ends[-1] if ends else first, after.start() if after else min(len(passage), end + READ_CHARS // 4)


class _Sides:
    """The terms of a claim and of the passage beside it."""

    __slots__ = ("claim", "passage", "shared")

    def __init__(self, claim: list[Term], passage: list[Term]) -> None:
        self.claim = claim
        self.passage = passage
        self.shared = _anchors(claim) & _anchors(passage)

    def are_alike(self) -> bool:
        return len(self.shared) >= max(1, SHARED_FROM * len(_anchors(self.claim)))

    def neighbours(self, terms: "Sequence[Term]", index: int) -> set[object]:
        """What stands around a term, and on both sides."""
        near = terms[max(0, index - _SIGHT_TERMS) : index + _SIGHT_TERMS + 1]
        return (_anchors(near) & self.shared) - {terms[index].key}

    def counterpart(self, index: int) -> int | None:
        """The number or date of the passage with the most neighbours of the claim's, if they are enough."""
        claimed = self.claim[index]
        wanted = self.neighbours(self.claim, index)
        taken = _keys(self.claim, claimed.role)
        best, most = None, NEIGHBOURS - 1
        for place, term in enumerate(self.passage):
            if term.role == claimed.role and term.key not in taken and self._are_comparable(index, place):
                common = len(wanted & self.neighbours(self.passage, place))
                if common > most:
                    best, most = place, common
        return best

    def _are_comparable(self, index: int, place: int) -> bool:
        """Whether both are of the same unit, and both are dates or neither is, and none is rounder."""
        if _rounding(self.claim, index) != _rounding(self.passage, place):
            return False
        is_date = _is_date(self.claim, index) == _is_date(self.passage, place)
        return is_date and _unit(self.claim, index) == _unit(self.passage, place)


def _anchors(terms: "Sequence[Term]") -> set[object]:
    return {term.key for term in terms if term.role in _ANCHORS}


def _content(terms: list[Term]) -> set[object]:
    return {term.key for term in terms if term.role == Role.CONTENT}


def _keys(terms: list[Term], role: str) -> set[object]:
    return {term.key for term in terms if term.role == role}


def _amounts(sides: _Sides) -> "Iterator[Contradiction]":
    """Numbers and dates that the passage does not have, and has another one in their place."""
    for index, term in enumerate(sides.claim):
        if term.role not in (Role.NUMBER, Role.DATE) or term.key in _keys(sides.passage, term.role):
            continue
        place = sides.counterpart(index)
        if place is not None:
            is_date = term.role == Role.DATE or _is_date(sides.claim, index)
            kind = ContradictionKind.DATE if is_date else ContradictionKind.NUMBER
            yield _contradiction(kind, term, sides.passage[place])


def _rounding(terms: list[Term], index: int) -> set[str]:
    """The words right before a number that make it a round one, or a bound."""
    before = terms[max(0, index - 2) : index]
    return {term.word for term in before if term.role == Role.LIMIT or term.word in ROUNDING}


def _is_date(terms: list[Term], index: int) -> bool:
    """A year without a unit, or a number beside a month."""
    around = terms[max(0, index - 1) : index] + terms[index + 1 : index + 2]
    if any(term.role == Role.DATE for term in around):
        return True
    term = terms[index]
    return term.key in _YEARS and term.word.isdecimal() and _unit(terms, index) is None


def _unit(terms: list[Term], index: int) -> object:
    """The unit behind a number, or the currency before it."""
    after = terms[index + 1 : index + 2]
    before = terms[max(0, index - 1) : index]
    return next((term.key for term in (*after, *before) if term.role == Role.UNIT), None)


def _denials(sides: _Sides) -> "Iterator[Contradiction]":
    """A word that is denied on one side, and not on the other where the same words stand around it."""
    for denying, plain in ((sides.claim, sides.passage), (sides.passage, sides.claim)):
        denied = dict(_denied(denying))
        affirmed = [index for index, term in enumerate(plain) if term.role == Role.CONTENT]
        spared = _spared(plain)
        for index, denial in denied.items():
            key = denying[index].key
            if key not in sides.shared or key in spared or not _is_always(denying, key, denied):
                continue
            around = sides.neighbours(denying, index)
            for place in affirmed:
                if plain[place].key == key and len(around & sides.neighbours(plain, place)) >= NEIGHBOURS:
                    pair = (denying[denial], plain[place])
                    yield _contradiction(ContradictionKind.NEGATION, *(pair if denying is sides.claim else pair[::-1]))
                    break


def _spared(terms: list[Term]) -> set[object]:
    """What may be denied on this side too: all words of content near a denial."""
    near: set[object] = set()
    for index, term in enumerate(terms):
        if term.role == Role.DENIAL:
            near |= _content(terms[max(0, index - _REACH_TERMS) : index + _SIGHT_TERMS + 1])
    return near


def _is_always(terms: list[Term], key: object, denied: dict[int, int]) -> bool:
    """Whether no place has the word undenied."""
    return all(index in denied for index, term in enumerate(terms) if term.role == Role.CONTENT and term.key == key)


def _denied(terms: list[Term]) -> "Iterator[tuple[int, int]]":
    """The places of words that are denied, and of their denials: the next word of content, or else the one before."""
    for index, term in enumerate(terms):
        if term.role != Role.DENIAL:
            continue
        after = range(index + 1, min(len(terms), index + 1 + _REACH_TERMS))
        before = range(index - 1, max(-1, index - 1 - _REACH_TERMS), -1)
        for places in (after, before):
            words = [at for at in places if terms[at].role == Role.CONTENT and terms[at].clause == term.clause]
            if words:
                yield words[0], index
                break


def _opposites(sides: _Sides, languages: Languages) -> "Iterator[Contradiction]":
    """A word in whose place the other side has its opposite, neither of them denied."""
    written = {term.word for term in sides.claim}
    meant = {term.word for term in sides.passage}
    denied = [dict(_denied(side)) for side in (sides.claim, sides.passage)]
    for index, term in enumerate(sides.claim):
        if term.role != Role.CONTENT or term.word in meant or index in denied[0]:
            continue
        opposites = languages.of(term.word).opposites.get(term.word, set()) - written
        around = sides.neighbours(sides.claim, index)
        for place, other in enumerate(sides.passage):
            is_opposite = other.role == Role.CONTENT and other.word in opposites and place not in denied[1]
            if is_opposite and len(around & sides.neighbours(sides.passage, place)) >= NEIGHBOURS:
                yield _contradiction(ContradictionKind.NEGATION, term, other)
                break


def _contradiction(kind: ContradictionKind, term: Term, other: Term) -> Contradiction:
    return Contradiction(kind, term.start, term.end, other.start, other.end)
