"""Reads the numbers and dates of a text."""

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
    A number or a range of numbers, with its span.

    Attributes:
        low, high: The ends of the range, both included; equal for a single number.
        unit: The symbol of the unit: "year", "h", "%", "$"; "" without one.
        is_bound: Whether it is a limit: `over 30`.
        start, end: The span, including the unit.
    """

    low: float
    high: float
    unit: str
    is_bound: bool
    start: int
    end: int


class PartDate(NamedTuple):
    """A date; unstated parts are None."""

    year: int | None
    month: int | None
    day: int | None

    def agrees(self, other: "PartDate") -> bool:
        """Return whether both can be the same day: they share a part, and no part differs."""
        pairs = [
            (ours, theirs) for ours, theirs in zip(self, other, strict=True) if ours is not None and theirs is not None
        ]
        return bool(pairs) and all(ours == theirs for ours, theirs in pairs)

    def includes(self, other: "PartDate") -> bool:
        """Return whether this has all parts of *other*, with the same values."""
        return self.agrees(other) and all(
            ours is not None or theirs is None for ours, theirs in zip(self, other, strict=True)
        )

    def differs(self, other: "PartDate") -> bool:
        """Return whether a part that both have differs."""
        return any(
            ours != theirs for ours, theirs in zip(self, other, strict=True) if ours is not None and theirs is not None
        )


class Written(NamedTuple):
    """A date, with its span in a text."""

    date: PartDate
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Values:
    """The numbers and dates of a text, left to right. A year alone is in both lists."""

    amounts: tuple[Amount, ...]
    dates: tuple[Written, ...]


def read_values(text: str, *, language: str | None = None) -> Values:
    """Return the numbers and dates of *text*. For *language*, see `read_terms`."""
    return values_of_rows(reader().values(text, language=language))


def values_of_rows(rows: Iterable[Row]) -> Values:
    """Return the numbers and dates of the reader's *rows*."""
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
    Return the number that *text* consists of; None if it says anything else.

    A number without a unit may be followed by the thing it counts (`7 people`), and a range may be preceded by a part
    of a decade (`mid-thirties`).
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
    """Return the symbol of the unit *word*; "" if it is not a unit."""
    rows = reader().values(f"2 {word}", language="en")
    return rows[0][5] if rows else ""
