"""A row of terms, and what stands around each of them."""

from functools import cached_property

from groundwire.citations.support_terms import Role, Term
from groundwire.citations.support_words import ROUNDING

__all__ = ["Row"]

_ANCHORS = frozenset({Role.CONTENT, Role.NUMBER, Role.DATE, Role.UNIT})
_SIGHT_TERMS = 6
_REACH_TERMS = 3
_YEAR_FROM, _YEAR_TO = 1000, 2200


class Row:
    """The terms of a claim, or of the sentences of a passage that are compared with claims."""

    def __init__(self, terms: list[Term]) -> None:
        self.terms = terms
        self._near: dict[int, frozenset[object]] = {}

    @cached_property
    def anchors(self) -> frozenset[object]:
        """What another row has to have in common with this one: words of content, numbers, dates, units."""
        return frozenset(term.key for term in self.terms if term.role in _ANCHORS)

    @cached_property
    def amounts(self) -> list[int]:
        """The places of numbers and dates."""
        return [index for index, term in enumerate(self.terms) if term.role in (Role.NUMBER, Role.DATE)]

    @cached_property
    def values(self) -> frozenset[tuple[str, object]]:
        """The numbers and dates."""
        return frozenset((self.terms[index].role, self.terms[index].key) for index in self.amounts)

    @cached_property
    def content(self) -> dict[object, list[int]]:
        """The places of each word of content."""
        places: dict[object, list[int]] = {}
        for index, term in enumerate(self.terms):
            if term.role == Role.CONTENT:
                places.setdefault(term.key, []).append(index)
        return places

    @cached_property
    def words(self) -> dict[str, list[int]]:
        """The places of words of content as they are written."""
        places: dict[str, list[int]] = {}
        for index in (index for indexes in self.content.values() for index in indexes):
            places.setdefault(self.terms[index].word, []).append(index)
        return places

    @cached_property
    def denied(self) -> dict[int, int]:
        """The places of denied words and of their denials: the next word of content, or else the one before."""
        denied: dict[int, int] = {}
        for index, term in enumerate(self.terms):
            if term.role == Role.DENIAL:
                after = range(index + 1, min(len(self.terms), index + 1 + _REACH_TERMS))
                before = range(index - 1, max(-1, index - 1 - _REACH_TERMS), -1)
                word = self._first_word(after, term.clause)
                word = self._first_word(before, term.clause) if word is None else word
                if word is not None:
                    denied[word] = index
        return denied

    def _first_word(self, places: range, clause: int) -> int | None:
        words = (at for at in places if self.terms[at].role == Role.CONTENT and self.terms[at].clause == clause)
        return next(words, None)

    @cached_property
    def spared(self) -> frozenset[object]:
        """What may be denied, as far as one can see: all words of content near a denial."""
        near: set[object] = set()
        for index, term in enumerate(self.terms):
            if term.role == Role.DENIAL:
                around = self.terms[max(0, index - _REACH_TERMS) : index + _SIGHT_TERMS + 1]
                near.update(term.key for term in around if term.role == Role.CONTENT)
        return frozenset(near)

    def near(self, index: int) -> frozenset[object]:
        """What stands around a term."""
        found = self._near.get(index)
        if found is None:
            around = self.terms[max(0, index - _SIGHT_TERMS) : index + _SIGHT_TERMS + 1]
            own = self.terms[index].key
            found = frozenset(term.key for term in around if term.role in _ANCHORS and term.key != own)
            self._near[index] = found
        return found

    def kind(self, index: int) -> tuple[bool, object, frozenset[str]]:
        """Whether a number is a date, its unit, and the words that make it a round one: what it is comparable by."""
        before = self.terms[max(0, index - 2) : index]
        rounding = frozenset(term.word for term in before if term.role == Role.LIMIT or term.word in ROUNDING)
        return self.is_date(index), self._unit(index), rounding

    def is_date(self, index: int) -> bool:
        """Say whether a number or date is one: a year without a unit, or a number beside a month."""
        term = self.terms[index]
        around = (*self.terms[max(0, index - 1) : index], term, *self.terms[index + 1 : index + 2])
        if any(other.role == Role.DATE for other in around):
            return True
        is_year = isinstance(term.key, int | float) and _YEAR_FROM <= term.key < _YEAR_TO
        return is_year and term.word.isdecimal() and self._unit(index) is None

    def _unit(self, index: int) -> object:
        """The unit behind a number, or the currency before it."""
        around = (*self.terms[index + 1 : index + 2], *self.terms[max(0, index - 1) : index])
        return next((term.key for term in around if term.role == Role.UNIT), None)
