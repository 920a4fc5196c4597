"""Sources prepared for many claims, part by part."""

from collections.abc import Callable, Iterable, Iterator

from groundwire.faithfulness.sources.reading import SourceData
from groundwire.faithfulness.sources.units import Unit
from groundwire.faithfulness.support.answers import with_answers
from groundwire.faithfulness.support.cues import FieldWords
from groundwire.faithfulness.support.other_values import OtherValues
from groundwire.faithfulness.support.source_index import SourceIndex
from groundwire.faithfulness.support.values import ValueIndex
from groundwire.faithfulness.support.verbatim import VerbatimIndex

__all__ = ["PART_CHARS", "PreparedSources", "SourceBatch", "heard", "parts_of"]

PART_CHARS = 2_000_000
"""Units of so many characters are filed and compared together. How rare a word is, is counted in a part."""


class SourceBatch:
    """
    Some units, filed by every layer.

    Attributes:
        units: They.
        sources: The names of the sources that they are from.
        index: What they say.
        words: Their words, by which a claim's field is found.
        verbatim, values, others: What each layer asks.
    """

    # What is computed of a part is kept for as long as it is there.
    __slots__ = ("__weakref__", "index", "others", "sources", "units", "values", "verbatim", "words")

    def __init__(self, units: list[Unit]) -> None:
        self.units = units
        self.sources = frozenset(unit.locator.source for unit in units)
        self.index = SourceIndex(units)
        self.words = FieldWords(units, language=self.index.language)
        self.verbatim = VerbatimIndex(units, words=self.words)
        self.values = ValueIndex(units, words=self.words, index=self.index)
        self.others = OtherValues(self.index, self.words)


def parts_of(units: Iterable[Unit]) -> Iterator[SourceBatch]:
    """Yield *units*, and answers with their questions, in parts of about `PART_CHARS` characters."""
    part: list[Unit] = []
    length = 0
    for unit in with_answers(units):
        part.append(unit)
        length += len(unit.text)
        if length >= PART_CHARS:
            yield SourceBatch(part)
            part, length = [], 0
    if part:
        yield SourceBatch(part)


def heard(units: Iterable[Unit], on_progress: Callable[[int], object] | None) -> Iterator[Unit]:
    """Yield *units*, and tell *on_progress* how many characters of their sources have passed since the last time."""
    if on_progress is None:
        yield from units
        return
    source, done = "", 0
    for unit in units:
        if unit.locator.source != source:
            source, done = unit.locator.source, 0
        on_progress(max(0, unit.locator.end - done))
        done = max(done, unit.locator.end)
        yield unit


class PreparedSources:
    """
    Sources read and filed once, to validate many personas one after the other.

    All of it stays in memory, ten to twenty times the size of the text; `FaithfulnessValidator`
    reads sources that are not prepared part by part instead.

    Args:
        source_data: As `SourceData` takes it.

    Attributes:
        names: The sources' names.
        parts: What was filed.

    Raises:
        TypeError, ValueError, OSError, SourceDataError: As `SourceData` and its units.
    """

    def __init__(self, source_data: object) -> None:
        source = SourceData(source_data)
        self.names = source.names
        self.parts = tuple(parts_of(source.units()))
