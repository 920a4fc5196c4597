"""
What a passage says otherwise than a claim: another number, another date, or its denial.

Both are about the same if the words around are the same. So a number, date or denial is
compared with that of the passage which has the most of its neighbours, and only where
passage and claim have enough in common at all. What is worded otherwise is not found, and
neither is a contradiction that only knowledge of the world shows.
"""

from itertools import chain

from groundwire.citations.support import Contradiction, ContradictionKind
from groundwire.citations.support_rows import Row
from groundwire.citations.support_telling import telling_words
from groundwire.citations.support_terms import Term, read_terms
from groundwire.evidence.wording.readings import Languages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["SHARED_FROM", "Contradiction", "ContradictionKind", "ReadClaim", "ReadPassage"]

SHARED_FROM = 0.6
"""The least share of the claim's words of content, numbers, dates and units that the passage must have beside it."""

NEIGHBOURS = 2
"""So many of them around a number, date or denial must be the same."""

_AMOUNTS = 12
_KEPT_ROWS = 64


class ReadPassage:
    """A passage, of which the sentences that were read are kept: claims ask for the same ones."""

    __slots__ = ("_rows", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._rows: dict[tuple[int, int, str], Row] = {}

    def row(self, start: int, end: int, languages: Languages) -> Row:
        """Return the terms of these sentences."""
        place = (start, end, languages.latin.language)
        row = self._rows.get(place)
        if row is None:
            if len(self._rows) == _KEPT_ROWS:
                self._rows.clear()
            row = self._rows[place] = Row(read_terms(self.text, start, end, languages))
        return row


class ReadClaim:
    """A claim, read once for all passages that it is compared with, when it first is."""

    __slots__ = ("_claim", "_languages", "_row")

    def __init__(self, claim: str) -> None:
        self._claim = claim
        self._languages = Languages(claim)
        self._row: Row | None = None

    def contradictions(self, stretches: "Sequence[tuple[ReadPassage, int, int]]") -> "list[Contradiction | None]":
        """
        Return for each passage and part of it the first contradiction with the sentences around that part.

        Numbers and dates come before denials. None if there is none, or too little in common.
        """
        if not stretches:
            return []
        places = [(passage.text, start, end) for passage, start, end in stretches]
        found = telling_words(self._languages.latin).sentences_to_read(self._claim, places)
        return [
            None if sentences is None else self.read(passage, *sentences)
            for (passage, _, _), sentences in zip(stretches, found, strict=True)
        ]

    def read(self, passage: ReadPassage, start: int, end: int) -> Contradiction | None:
        """Return the first contradiction with these sentences of *passage*."""
        if self._row is None:
            self._row = Row(read_terms(self._claim, 0, len(self._claim), self._languages))
        sides = _Sides(self._row, passage.row(start, end, self._languages))
        if not sides.are_alike():
            return None
        return next(chain(_amounts(sides), _denials(sides), _opposites(sides, self._languages)), None)


class _Sides:
    """A claim and the sentences of a passage."""

    __slots__ = ("claim", "passage", "shared")

    def __init__(self, claim: Row, passage: Row) -> None:
        self.claim = claim
        self.passage = passage
        self.shared = claim.anchors & passage.anchors

    def are_alike(self) -> bool:
        return len(self.shared) >= max(1, SHARED_FROM * len(self.claim.anchors))

    def common(self, index: int, place: int) -> int:
        """How much the neighbourhoods of a term of the claim and of one of the passage share."""
        return len(self.claim.near(index) & self.passage.near(place))

    def counterpart(self, index: int) -> int | None:
        """The number or date of the passage with the most neighbours of the claim's, if they are enough."""
        role, kind = self.claim.terms[index].role, self.claim.kind(index)
        best, most = None, NEIGHBOURS - 1
        for place in self.passage.amounts:
            term = self.passage.terms[place]
            if term.role == role and (role, term.key) not in self.claim.values and self.passage.kind(place) == kind:
                common = self.common(index, place)
                if common > most:
                    best, most = place, common
        return best


def _amounts(sides: _Sides) -> "Iterator[Contradiction]":
    """Numbers and dates that the passage does not have, and has another one in their place."""
    for index in sides.claim.amounts[:_AMOUNTS]:
        term = sides.claim.terms[index]
        if (term.role, term.key) not in sides.passage.values:
            place = sides.counterpart(index)
            if place is not None:
                kind = ContradictionKind.DATE if sides.claim.is_date(index) else ContradictionKind.NUMBER
                yield _contradiction(kind, term, sides.passage.terms[place])


def _denials(sides: _Sides) -> "Iterator[Contradiction]":
    """A word that is denied on one side, and not on the other where the same words stand around it."""
    for index, denial in _denied_alone(sides.claim, sides.passage):
        for place in sides.passage.content.get(sides.claim.terms[index].key, ()):
            if sides.common(index, place) >= NEIGHBOURS:
                terms = sides.claim.terms[denial], sides.passage.terms[place]
                yield _contradiction(ContradictionKind.NEGATION, *terms)
    for place, denial in _denied_alone(sides.passage, sides.claim):
        for index in sides.claim.content.get(sides.passage.terms[place].key, ()):
            if sides.common(index, place) >= NEIGHBOURS:
                terms = sides.claim.terms[index], sides.passage.terms[denial]
                yield _contradiction(ContradictionKind.NEGATION, *terms)


def _denied_alone(denying: Row, plain: Row) -> "Iterator[tuple[int, int]]":
    """The places of words that one row denies at all their places, and of the denials; the other does not."""
    for index, denial in denying.denied.items():
        key = denying.terms[index].key
        if key not in plain.spared and all(place in denying.denied for place in denying.content[key]):
            yield index, denial


def _opposites(sides: _Sides, languages: Languages) -> "Iterator[Contradiction]":
    """A word in whose place the other side has its opposite, neither of them denied."""
    claim, passage = sides.claim, sides.passage
    for word, indexes in claim.words.items():
        if word in passage.words:
            continue
        for opposite in languages.of(word).opposites.get(word, set()) - claim.words.keys():
            for place in passage.words.get(opposite, ()):
                index = indexes[0]
                is_denied = index in claim.denied or place in passage.denied
                if not is_denied and sides.common(index, place) >= NEIGHBOURS:
                    yield _contradiction(ContradictionKind.NEGATION, claim.terms[index], passage.terms[place])


def _contradiction(kind: ContradictionKind, term: Term, other: Term) -> Contradiction:
    return Contradiction(kind, term.start, term.end, other.start, other.end)
