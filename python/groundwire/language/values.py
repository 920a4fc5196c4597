"""The numbers and dates of a text, as the language layer reads them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from groundwire.language import read_terms, reader

__all__ = [
    "MAX_VALUE_CHARS",
    "Amount",
    "PartDate",
    "Values",
    "Written",
    "only_amount",
    "read_values",
    "unit_of",
    "values_of_rows",
]

MAX_VALUE_CHARS = 60
"""The maximum length, in characters, of a text that is read as a single number, range or date."""
_CONTENT = frozenset({"content", "name", "denial", "negation", "reference", "number", "date", "time"})

Row = tuple[str, int, int, float, float, str, bool, int | None, int | None, int | None]


class Amount(NamedTuple):
    """
    A number or a range of numbers, and its place.

    Attributes:
        low, high: Its ends, both included; the same for one number.
        unit: The symbol of its unit: "year", "h", "%", "$"; "" without one.
        is_bound: Whether it is a limit: `over 30`.
        start, end: Its span, with its unit.
    """

    low: float
    high: float
    unit: str
    is_bound: bool
    start: int
    end: int


class PartDate(NamedTuple):
    """A date; None for what is not said of it."""

    year: int | None
    month: int | None
    day: int | None

    def agrees(self, other: "PartDate") -> bool:
        """Tell whether both can be one day: they share a part, and no part differs."""
        pairs = [
            (ours, theirs) for ours, theirs in zip(self, other, strict=True) if ours is not None and theirs is not None
        ]
        return bool(pairs) and all(ours == theirs for ours, theirs in pairs)

    def includes(self, other: "PartDate") -> bool:
        """Tell whether this says all that *other* says, and the same."""
        return self.agrees(other) and all(
            ours is not None or theirs is None for ours, theirs in zip(self, other, strict=True)
        )

    def differs(self, other: "PartDate") -> bool:
        """Tell whether a part that both say differs."""
        return any(
            ours != theirs for ours, theirs in zip(self, other, strict=True) if ours is not None and theirs is not None
        )


class Written(NamedTuple):
    """A date, and its span in a text."""

    date: PartDate
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Values:
    """The numbers and dates of a text, left to right. A year alone is both."""

    amounts: tuple[Amount, ...]
    dates: tuple[Written, ...]


def read_values(text: str, *, language: str | None = None) -> Values:
    """Return the numbers and dates of *text*; *language* as `read_terms` takes it."""
    return values_of_rows(reader().values(text, language=language))


def values_of_rows(rows: Iterable[Row]) -> Values:
    """Return what the reader's *rows* say."""
    amounts, dates = [], []
    for kind, start, end, low, high, unit, is_bound, year, month, day in rows:
        if kind == "number":
            amounts.append(Amount(low, high, unit, is_bound, start, end))
            continue
        dates.append(Written(PartDate(year, month, day), start, end))
        if year is not None and month is None:
            amounts.append(Amount(year, year, "", is_bound, start, end))
    return Values(tuple(amounts), tuple(dates))


def only_amount(text: str) -> Amount | None:
    """
    Return the number that *text* is; None if it says anything else.

    What is counted may stand behind a number without a unit (`7 people`), and which part of a decade in front of a
    range (`mid-thirties`).
    """
    amounts = read_values(text, language="en").amounts if len(text) <= MAX_VALUE_CHARS else ()
    if len(amounts) != 1:
        return None
    (amount,) = amounts
    beside = [
        term
        for term in read_terms(text, language="en")
        if term.kind in _CONTENT and not amount.start <= term.start < amount.end
    ]
    is_range = amount.low != amount.high
    before = [term for term in beside if term.end <= amount.start]
    behind = [term for term in beside if term.start >= amount.end]
    is_only = len(before) <= is_range and len(behind) <= (not amount.unit)
    return amount if is_only else None


@lru_cache(maxsize=1024)
def unit_of(word: str) -> str:
    """Return the symbol of the unit that *word* names, "" if it names none."""
    rows = reader().values(f"2 {word}", language="en")
    return rows[0][5] if rows else ""
