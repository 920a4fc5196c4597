"""What a column of a table holds as a whole: counts, numbers, frequent values, in bounded memory."""

from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal, localcontext

from groundwire.faithfulness.sources.numbers import cell_number

__all__ = ["MAX_VALUES", "Column", "ColumnSummary"]

MAX_VALUES = 10_000
"""So many different values of a column are counted each by itself. With more, there is neither median nor shares."""

_DIGITS = 60
"""Sums are exact up to so many digits."""


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """
    A column as a whole.

    Attributes:
        name: The column's name.
        rows: The rows of the table, or the records of the list.
        filled: How many have a value there that is not blank.
        numbers: How many of these are numbers.
        minimum, maximum, mean: Of the numbers; None without any.
        median: Of the numbers; None without any, or if there are too many different ones.
        counts: How often each value stands there, case and white space at its ends
            aside; empty if `is_complete` is False.
        is_complete: Whether all different values were counted: no more than 10,000.
    """

    name: str
    rows: int
    filled: int
    numbers: int
    minimum: float | None
    maximum: float | None
    mean: float | None
    median: float | None
    counts: dict[str, int] = field(repr=False)
    is_complete: bool

    def share(self, value: str) -> float | None:
        """Return the share of the filled rows that have *value*, 0.0 to 1.0; None if that is not known."""
        if not self.is_complete or not self.filled:
            return None
        return self.counts.get(value.strip().casefold(), 0) / self.filled

    def text(self) -> str:
        """Return it in words, for people and for comparing words."""
        told = [f"{self.filled} of {self.rows} rows filled"]
        if self.numbers:
            told.append(f"mean {_short(self.mean)}")
            told += [f"median {_short(self.median)}"] if self.median is not None else []
            told.append(f"from {_short(self.minimum)} to {_short(self.maximum)}")
        elif self.is_complete:
            frequent = Counter(self.counts).most_common(5)
            told += [f"{value} ({count})" for value, count in frequent if count > 1 and len(value) < 60]
        return f"{self.name}: {', '.join(told)}"


def _short(number: float | None) -> str:
    return f"{number:,.6g}" if number is not None and abs(number) < 1e6 else f"{number:,.0f}"


class Column:
    """Adds up one column, row by row."""

    __slots__ = ("_counts", "_filled", "_is_complete", "_maximum", "_minimum", "_name", "_numbers", "_sum")

    def __init__(self, name: str) -> None:
        self._name = name
        self._filled = self._numbers = 0
        self._sum = Decimal(0)
        self._minimum: float | None = None
        self._maximum: float | None = None
        self._counts: Counter[str] = Counter()
        self._is_complete = True

    def add(self, text: str) -> None:
        """Count one value; blank ones do not count."""
        value = text.strip()
        if not value:
            return
        self._filled += 1
        if self._is_complete:
            # Of prose the beginning is enough to tell values apart, for there are too many of them anyway.
            self._counts[value[:100].casefold()] += 1
            if len(self._counts) > MAX_VALUES:
                self._counts.clear()
                self._is_complete = False
        number = cell_number(value)
        if number is not None:
            self._add_number(number)

    def _add_number(self, number: int | float) -> None:
        self._numbers += 1
        with localcontext(prec=_DIGITS):
            self._sum += Decimal(str(number)) if isinstance(number, float) else number
        if self._minimum is None or number < self._minimum:
            self._minimum = number
        if self._maximum is None or number > self._maximum:
            self._maximum = number

    def summary(self, rows: int) -> ColumnSummary:
        """Return what was added up of *rows* rows."""
        return ColumnSummary(
            self._name,
            rows,
            self._filled,
            self._numbers,
            self._minimum,
            self._maximum,
            float(self._sum / self._numbers) if self._numbers else None,
            self._median(),
            dict(self._counts),
            self._is_complete,
        )

    def _median(self) -> float | None:
        if not self._numbers or not self._is_complete:
            return None
        found = sorted(
            (number, count) for value, count in self._counts.items() if (number := cell_number(value)) is not None
        )
        lower = _at((self._numbers - 1) // 2, found)
        upper = _at(self._numbers // 2, found)
        return (lower + upper) / 2


def _at(place: int, found: list[tuple[int | float, int]]) -> float:
    """Return the number at *place* of the row that *found* is, each number as often as it says."""
    for number, count in found:
        place -= count
        if place < 0:
            return number
    raise AssertionError("there are as many numbers as were counted")
