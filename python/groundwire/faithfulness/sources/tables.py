"""
Tables: a unit for each row, then one for each column as a whole.

`groundwire.delimited` says what a row is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Context, Decimal

from groundwire.delimited import Record, check_width, delimiter_of, lines_of, records
from groundwire.errors import SourceDataError
from groundwire.faithfulness.sources.units import ColumnSummary, Locator, Unit, record_units

__all__ = ["MAX_DISTINCT_VALUES", "Column", "cell_number", "looks_like_table", "table_units"]

MAX_DISTINCT_VALUES = 10_000
"""The maximum number of different values of a column that are counted. With more it has no median and no shares."""

_EXACT = Context(prec=60)
"""Sums are exact up to so many digits."""

_TOLD_APART_CHARS = 100

# A number in more characters, or with more digits than a float holds exactly, is text.
_MAX_NUMBER_CHARS = 40
_EXACT_DIGITS = 15
_CURRENCY = r"(?:[$€£¥₹]|USD|EUR|GBP|CHF)"
_DIGITS = r"[-−]?(?:\d{1,3}(?:[,' \u00a0\u202f]\d{3})+|\d{1,15})(?:\.\d{1,12})?"
_SEPARATORS = re.compile("[,' \u00a0\u202f]")
_NUMBER = re.compile(rf"{_CURRENCY}?\s?({_DIGITS})\s?(?:%|{_CURRENCY})?", re.IGNORECASE)


class Column:
    """Adds up one column, row by row: each different value by itself, and numbers alone once there are too many."""

    __slots__ = ("_counts", "_filled", "_folded", "_name", "_numbers")

    def __init__(self, name: str) -> None:
        self._name = name
        self._filled = 0
        self._counts: dict[str, int] | None = {}
        self._folded: dict[str, str] = {}
        self._numbers = _Numbers()

    def add(self, text: str) -> None:
        """Count one value; blank ones do not count."""
        folded = self._folded.get(text)
        if folded is not None and self._counts is not None:
            # Most values have been seen, written as they are.
            self._filled += 1
            self._counts[folded] += 1
            return
        value = text.strip()
        if not value:
            return
        self._filled += 1
        if self._counts is None:
            self._numbers.add(cell_number(value), 1)
            return
        # Of prose the beginning is enough to tell values apart, for there are too many of them anyway.
        folded = value[:_TOLD_APART_CHARS].casefold()
        self._counts[folded] = self._counts.get(folded, 0) + 1
        if len(text) <= _TOLD_APART_CHARS and len(self._folded) < MAX_DISTINCT_VALUES:
            self._folded[text] = folded
        if len(self._counts) > MAX_DISTINCT_VALUES:
            self._numbers = _Numbers.of(self._counts)
            self._counts = None
            self._folded.clear()

    def summary(self, rows: int) -> ColumnSummary:
        """Return what was added up of *rows* rows."""
        numbers = self._numbers if self._counts is None else _Numbers.of(self._counts)
        return ColumnSummary(
            self._name,
            rows,
            self._filled,
            numbers.count,
            numbers.minimum,
            numbers.maximum,
            numbers.mean(),
            None if self._counts is None else _median(self._counts, numbers.count),
            {} if self._counts is None else dict(self._counts),
            self._counts is not None,
        )


class _Numbers:
    """Sum and bounds of numbers."""

    __slots__ = ("_parts", "_whole", "count", "maximum", "minimum")

    def __init__(self) -> None:
        self.count = 0
        self.minimum: float | None = None
        self.maximum: float | None = None
        self._whole = 0
        self._parts = Decimal(0)

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> "_Numbers":
        """Return the numbers among *counts*."""
        numbers = cls()
        for value, count in counts.items():
            numbers.add(cell_number(value), count)
        return numbers

    def add(self, number: int | float | None, count: int) -> None:
        if number is None:
            return
        self.count += count
        if isinstance(number, int):
            self._whole += number * count
        else:
            self._parts = _EXACT.fma(Decimal(str(number)), count, self._parts)
        if self.minimum is None or number < self.minimum:
            self.minimum = number
        if self.maximum is None or number > self.maximum:
            self.maximum = number

    def mean(self) -> float | None:
        return float(_EXACT.divide(_EXACT.add(self._parts, self._whole), self.count)) if self.count else None


def _median(counts: Mapping[str, int], total: int) -> float | None:
    found = sorted((number, count) for value, count in counts.items() if (number := cell_number(value)) is not None)
    return (_at((total - 1) // 2, found) + _at(total // 2, found)) / 2 if total else None


def _at(place: int, found: list[tuple[int | float, int]]) -> float:
    """Return the number at *place* of the row that *found* is, each number as often as it says."""
    for number, count in found:
        place -= count
        if place < 0:
            return number
    raise AssertionError("there are as many numbers as were counted")


def cell_number(value: str) -> int | float | None:
    """
    Return the number that *value*, without white space at its ends, is; None if it is something else.

    `34`, `1,200.5`, `$80,000`, `12 %`. A decimal comma is none here: `1,200` would be two
    numbers otherwise.
    """
    if value.isdecimal() and len(value) <= _EXACT_DIGITS:
        return int(value)
    if len(value) > _MAX_NUMBER_CHARS:
        return None
    match = _NUMBER.fullmatch(value)
    if match is None:
        return None
    digits = _SEPARATORS.sub("", match[1].replace("−", "-"))
    return float(digits) if "." in digits else int(digits)


_MAX_COLUMNS = 10_000
_HEADER_CHARS = 100
_SEEN_ROWS = 20
# The beginning of a text that shows whether it is a table, and the rows of the smallest: names and two of values.
_DETECTION_CHARS = 100_000
_MIN_TABLE_ROWS = 3
# A longer cell at the head of a column is a sentence and no name.
_MAX_NAME_CHARS = 40
_MAX_NAME_WORDS = 5


def table_units(pieces: Iterable[str], name: str, *, delimiter: str | None = None) -> Iterator[Unit]:
    """
    Yield the rows of a table, and then its columns.

    Args:
        pieces: The text.
        name: What the source is called.
        delimiter: What stands between fields; by default what the first line shows.

    Raises:
        SourceDataError: A quoted field does not end, something stands behind its end, or a
            row has not as many fields as the first; has line and column.
    """
    found = (record for record in records(lines_of(pieces, name), name, delimiter) if not record.is_blank)
    first = next(found, None)
    if first is None:
        return
    if len(first.texts) > _MAX_COLUMNS:
        raise SourceDataError(name, f"more than {_MAX_COLUMNS:,} columns", first.line)
    has_header = _is_header(first.texts)
    names = _names(first.texts) if has_header else [f"column {place}" for place in range(1, len(first.texts) + 1)]
    columns = [Column(each) for each in names]
    adding = [column.add for column in columns]
    rows = 0
    for record in found if has_header else _again(first, found):
        rows += 1
        check_width(record, len(names), name)
        for add, text in zip(adding, record.texts, strict=True):
            add(text)
        locator = Locator(name, record.line, record.start, record.end, row=rows)
        values = zip(names, record.texts, strict=True)
        yield from record_units(values, locator, are_columns=True, span_of=record.span_of)
    yield from _column_units(columns, rows, first, name)


def _column_units(columns: Sequence[Column], rows: int, first: Record, name: str) -> Iterator[Unit]:
    for place, column in enumerate(columns):
        summary = column.summary(rows)
        start, end = first.span_of(place)
        yield Unit(summary.text(), Locator(name, first.line, start, end, column=summary.name), summary=summary)


def _again(first: Record, others: Iterator[Record]) -> Iterator[Record]:
    yield first
    yield from others


def looks_like_table(text: str) -> bool:
    """
    Tell whether a text that nothing else is said of is a table.

    Its first line has names of columns, at least two, that are all different, and the
    next lines, at least two, have as many fields each.
    """
    lines = lines_of([text[:_DETECTION_CHARS]], "")
    try:
        delimiter = delimiter_of(text[:_DETECTION_CHARS])
        found = [record for record, _ in zip(records(lines, "", delimiter), range(_SEEN_ROWS), strict=False)]
    except SourceDataError:
        return False
    filled = [record for record in found if not record.is_blank]
    # What was cut off at the end may be half a row.
    filled = filled[:-1] if len(text) > _DETECTION_CHARS and len(filled) > _MIN_TABLE_ROWS else filled
    if len(filled) < _MIN_TABLE_ROWS:
        return False
    names = [text.strip() for text in filled[0].texts]
    are_names = len(names) > 1 and _is_header(names) and len({*names}) == len(names)
    return are_names and all(map(_may_be_name, names)) and all(len(each.texts) == len(names) for each in filled)


def _may_be_name(name: str) -> bool:
    is_short = 0 < len(name) <= _MAX_NAME_CHARS and len(name.split()) <= _MAX_NAME_WORDS
    return is_short and not name.endswith((".", "!", "?", ":"))


def _is_header(cells: Sequence[str]) -> bool:
    """Whether the first row names the columns: something in it, and none of it a number or long; alone, no sentence."""
    if len(cells) == 1 and not _may_be_name(cells[0].strip()):
        return False
    filled = [cell.strip() for cell in cells if cell.strip()]
    return bool(filled) and all(len(cell) <= _HEADER_CHARS and cell_number(cell) is None for cell in filled)


def _names(texts: Sequence[str]) -> list[str]:
    """The names of columns; one without has its place, one that comes back its place behind it."""
    names: list[str] = []
    for place, text in enumerate(texts, 1):
        name = " ".join(text.split()) or f"column {place}"
        names.append(f"{name} ({place})" if name in names else name)
    return names
