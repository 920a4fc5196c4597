"""Which units may speak of a claim's field: by the words in them, filed when that is first asked."""

from array import array
from collections import defaultdict
from collections.abc import Iterable

from groundwire.faithfulness.sources.units import Unit
from groundwire.faithfulness.support.cues import Cue, prefixes_of

__all__ = ["FieldWords"]

_KEPT = 256
_JOINED = str.maketrans(dict.fromkeys("?？!.。\n", ","))


class FieldWords:
    """
    Units by the beginnings of their words, for all layers that look around a value.

    Args:
        units: They are kept; columns as a whole are left out.
    """

    __slots__ = ("_by_cue", "_by_word", "units")

    def __init__(self, units: Iterable[Unit]) -> None:
        self.units = [unit for unit in units if unit.summary is None]
        self._by_word: defaultdict[str, array[int]] | None = None
        self._by_cue: dict[tuple[str, bool], frozenset[int] | None] = {}

    def is_near(self, cue: Cue, unit: Unit, start: int, end: int) -> bool:
        """Tell whether the sentence around a place of *unit*, one of these, speaks of the field of *cue*."""
        found = self.units_with(cue)
        if found is not None and id(unit) not in found:
            return False
        # A question and its answer are one sentence.
        text = unit.text.translate(_JOINED) if unit.answer_start else unit.text
        return cue.is_near(text, start, end)

    def units_with(self, cue: Cue, *, in_own_words: bool = False) -> frozenset[int] | None:
        """
        Return the identities of the units that may speak of the field of *cue*; None: all of them.

        Args:
            cue: The field.
            in_own_words: Whether other words of its group are not enough.
        """
        asked = (cue.text, in_own_words)
        if asked not in self._by_cue:
            if self._by_word is None:
                self._by_word = self._filed()
            if len(self._by_cue) >= _KEPT:
                self._by_cue.clear()
            self._by_cue[asked] = cue.found_in(self._by_word, in_own_words=in_own_words)
        return self._by_cue[asked]

    def _filed(self) -> "defaultdict[str, array[int]]":
        filed: defaultdict[str, array[int]] = defaultdict(lambda: array("Q"))
        for unit in self.units:
            for word in prefixes_of(unit.text):
                filed[word].append(id(unit))
        return filed
