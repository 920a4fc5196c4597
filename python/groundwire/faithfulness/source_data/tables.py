"""
Reads tables as units: one for each row, then one for each column as a whole.

`groundwire.delimited` splits rows.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Context, Decimal

from groundwire.delimited import Record, check_width, delimiter_of, lines_of, records
from groundwire.errors import SourceDataError
from groundwire.faithfulness.source_data.units import ColumnSummary, Locator, Unit, record_units

__all__ = ["MAX_DISTINCT_VALUES", "Column", "cell_number", "looks_like_table", "table_units"]

MAX_DISTINCT_VALUES = 10_000
"""The maximum number of different values of a column that are counted. Beyond it there is no median and no share."""

_EXACT = Context(prec=60)
"""Sums are exact up to this number of digits."""

_DISTINCT_CHARS = 100

# A number with more characters, or more digits than a float holds exactly, is text.
_MAX_NUMBER_CHARS = 40
_EXACT_DIGITS = 15
_CURRENCY = r"(?:[$€£¥₹]|USD|EUR|GBP|CHF)"
_DIGITS = r"[-−]?(?:\d{1,3}(?:[,' \u00a0\u202f]\d{3})+|\d{1,15})(?:\.\d{1,12})?"
_SEPARATORS = re.compile("[,' \u00a0\u202f]")
_NUMBER = re.compile(rf"{_CURRENCY}?\s?({_DIGITS})\s?(?:%|{_CURRENCY})?", re.IGNORECASE)


class Column:
    """Counts the values of one column, and only its numbers once there are too many different values."""

    __slots__ = ("_counts", "_filled", "_folded", "_name", "_numbers")

    def __init__(self, name: str) -> None:
        self._name = name
        self._filled = 0
        self._counts: dict[str, int] | None = {}
        self._folded: dict[str, str] = {}
        self._numbers = _Numbers()

    def add(self, text: str) -> None:
        """Count one value. Blank values do not count."""
        folded = self._folded.get(text)
        if folded is not None and self._counts is not None:
            # Most values have occurred before in the same spelling.
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
        # The beginning is enough to distinguish prose, which has too many different values anyway.
        folded = value[:_DISTINCT_CHARS].casefold()
        self._counts[folded] = self._counts.get(folded, 0) + 1
        if len(text) <= _DISTINCT_CHARS and len(self._folded) < MAX_DISTINCT_VALUES:
            self._folded[text] = folded
        if len(self._counts) > MAX_DISTINCT_VALUES:
            self._numbers = _Numbers.of(self._counts)
            self._counts = None
            self._folded.clear()

    def summary(self, rows: int) -> ColumnSummary:
        """Return the summary of the values counted in *rows* rows."""
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
    """The sum and bounds of numbers."""

    __slots__ = ("_parts", "_whole", "count", "maximum", "minimum")

    def __init__(self) -> None:
        self.count = 0
        self.minimum: float | None = None
        self.maximum: float | None = None
        self._whole = 0
        self._parts = Decimal(0)

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> "_Numbers":
        """Return the numbers among the keys of *counts*."""
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
    """Return the number at *place* of the sorted numbers, each repeated as often as it occurs."""
    for number, count in found:
        place -= count
        if place < 0:
            return number
    raise AssertionError("the counts add up to the number of values")


def cell_number(value: str) -> int | float | None:
    """
    Return the number that *value* writes; None if it is not a number. *value* has no white space at its ends.

    Examples: `34`, `1,200.5`, `$80,000`, `12 %`. A decimal comma is not supported, because `1,200` would be ambiguous.
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
# The length of the text that shows whether it is a table, and the smallest table: a header and two rows.
_DETECTION_CHARS = 100_000
_MIN_TABLE_ROWS = 3
# A longer header cell is a sentence and not a name.
_MAX_COLUMN_NAME_CHARS = 40
_MAX_NAME_WORDS = 5


def table_units(pieces: Iterable[str], name: str, *, delimiter: str | None = None) -> Iterator[Unit]:
    """
    Yield the rows of a table, and then its columns.

    Args:
        pieces: The text.
        name: The name of the source.
        delimiter: The delimiter of fields; None to detect it in the first line.

    Raises:
        SourceDataError: A quoted field does not end, text follows its end, or a row has another number of fields than
            the first; with line and column.
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
    Return whether a text of unknown format is a table.

    A table has at least two different column names in its first line, and at least two more rows with as many fields.
    """
    lines = lines_of([text[:_DETECTION_CHARS]], "")
    try:
        delimiter = delimiter_of(text[:_DETECTION_CHARS])
        found = [record for record, _ in zip(records(lines, "", delimiter), range(_SEEN_ROWS), strict=False)]
    except SourceDataError:
        return False
    filled = [record for record in found if not record.is_blank]
    # The last row may be cut off.
    filled = filled[:-1] if len(text) > _DETECTION_CHARS and len(filled) > _MIN_TABLE_ROWS else filled
    if len(filled) < _MIN_TABLE_ROWS:
        return False
    names = [text.strip() for text in filled[0].texts]
    are_names = len(names) > 1 and _is_header(names) and len({*names}) == len(names)
    return are_names and all(map(_may_be_name, names)) and all(len(each.texts) == len(names) for each in filled)


def _may_be_name(name: str) -> bool:
    is_short = 0 < len(name) <= _MAX_COLUMN_NAME_CHARS and len(name.split()) <= _MAX_NAME_WORDS
    return is_short and not name.endswith((".", "!", "?", ":"))


def _is_header(cells: Sequence[str]) -> bool:
    """
    Return whether the first row has column names: some text, no number or long text; a single cell must not be a
    sentence.
    """
    if len(cells) == 1 and not _may_be_name(cells[0].strip()):
        return False
    filled = [cell.strip() for cell in cells if cell.strip()]
    return bool(filled) and all(len(cell) <= _HEADER_CHARS and cell_number(cell) is None for cell in filled)


def _names(texts: Sequence[str]) -> list[str]:
    """Return the column names; a missing name becomes the position, and a repeated name gets it as a suffix."""
    names: list[str] = []
    for place, text in enumerate(texts, 1):
        name = " ".join(text.split()) or f"column {place}"
        names.append(f"{name} ({place})" if name in names else name)
    return names
