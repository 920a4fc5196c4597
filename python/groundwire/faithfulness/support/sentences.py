"""The sentences of units, read when somebody asks for them."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import overload

from groundwire._engine import sentences
from groundwire.faithfulness.questions import is_question
from groundwire.faithfulness.sources.units import Unit
from groundwire.faithfulness.support.answers import is_by_interviewer
from groundwire.faithfulness.support.words import Word, read_words

__all__ = ["Sentence", "Sentences"]

_KEPT = 512
"""So many sentences are kept with their words."""


class Sentence:
    """
    A sentence of a unit, read when that is asked for.

    Args:
        unit: The unit.
        start, end: The sentence's span in its text.

    Attributes:
        text: The sentence.
    """

    __slots__ = ("_stems", "_words", "end", "start", "text", "unit")

    def __init__(self, unit: Unit, start: int, end: int) -> None:
        self.unit = unit
        self.start = start
        self.end = end
        self.text = unit.text[start:end]
        self._words: list[Word] | None = None
        self._stems: frozenset[str] | None = None

    @property
    def words(self) -> list[Word]:
        """Its words, which nobody changes."""
        if self._words is None:
            self._words = read_words(self.text)
        return self._words

    @property
    def stems(self) -> frozenset[str]:
        """The stems of its words, and of the name of who speaks: what Sarah says is said of Sarah."""
        if self._stems is None:
            self._stems = frozenset(word.stem for word in self.words) | _stems_of(self.unit.locator.speaker or "")
        return self._stems

    @property
    def is_statement(self) -> bool:
        """Whether it states something: it is no question, and nobody says it who asks (ruling D12)."""
        is_said = self.unit.answer_start > 0 or not is_question(self.text)
        return is_said and not is_by_interviewer(self.unit)


class Sentences(Sequence[Sentence]):
    """The sentences of units, each made when it is asked for; the last few hundred are kept, for they are read."""

    __slots__ = ("_ends", "_kept", "_starts", "_units", "units")

    def __init__(self, units: Iterable[Unit]) -> None:
        self.units = list(units)
        self._units, self._starts, self._ends = array("L"), array("L"), array("L")
        self._kept: dict[int, Sentence] = {}
        for number, unit in enumerate(self.units):
            # A row, an object or an answer with its question is one statement, whatever stops are in it.
            is_one = bool(unit.fields or unit.answer_start)
            for start, end in [(0, len(unit.text))] if is_one else sentences(unit.text):
                self._units.append(number)
                self._starts.append(start)
                self._ends.append(end)

    def __len__(self) -> int:
        return len(self._units)

    @overload
    def __getitem__(self, place: int) -> Sentence: ...
    @overload
    def __getitem__(self, place: slice) -> "list[Sentence]": ...
    def __getitem__(self, place: int | slice) -> "Sentence | list[Sentence]":
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        kept = self._kept.get(place)
        if kept is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            unit = self.units[self._units[place]]
            kept = self._kept[place] = Sentence(unit, self._starts[place], self._ends[place])
        return kept

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield each sentence, and the name of who speaks."""
        for number, start, end in zip(self._units, self._starts, self._ends, strict=True):
            unit = self.units[number]
            yield unit.text[start:end], unit.locator.speaker or ""


@lru_cache(maxsize=1024)
def _stems_of(name: str) -> frozenset[str]:
    return frozenset(word.stem for word in read_words(name))
