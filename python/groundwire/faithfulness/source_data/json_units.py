"""
Reads JSON and JSON Lines as units, item by item, so that a long list needs little memory.

Each list item, and each value outside a list, is in memory as a whole.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, NoReturn

from groundwire.delimited import MAX_LINE_CHARS, lines_of
from groundwire.errors import SourceDataError
from groundwire.faithfulness.claims import written
from groundwire.faithfulness.source_data.tables import Column
from groundwire.faithfulness.source_data.units import Locator, Unit, join_path, record_units
from groundwire.structured_text import WHITE_SPACE, BrokenJsonError, read_json, read_json_at

__all__ = ["ColumnSet", "items_of", "json_line_units", "json_units", "value_units"]

_MAX_SUMMED_KEYS = 1_000
"""The maximum number of keys of a list of records that are summarised. Other keys are read, but not summarised."""


def value_units(value: object, locator: Locator) -> Iterator[Unit]:
    """
    Yield the units of a parsed value, in order.

    An object is one unit of its scalars and lists of scalars. Nested objects are units of their own and follow it.

    Args:
        value: A value of JSON types.
        locator: The location of the value; its path is the prefix of all paths.
    """
    values: list[tuple[str, str]] = []
    inner: list[tuple[object, str]] = []
    for name, part in _parts(value):
        if isinstance(part, Mapping) or (isinstance(part, list) and _has_containers(part)):
            inner.append((part, name))
        else:
            values += _values(name, part)
    yield from record_units(values, locator, are_columns=False, span_of=lambda _: (locator.start, locator.end))
    for part, name in inner:
        yield from value_units(part, replace(locator, path=join_path(locator.path, name)))
    if isinstance(value, list):
        columns = ColumnSet()
        for part in value:
            columns.add(part)
        yield from columns.units(locator.source)


def _parts(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            if not isinstance(key, str):
                raise TypeError(f"the keys of a source must be str, got {type(key).__name__}")
            yield key, part
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield f"[{place}]", part
    else:
        yield "", value


def _has_containers(values: Sequence[object]) -> bool:
    return any(isinstance(value, Mapping | list) for value in values)


def _values(name: str, part: object) -> Iterator[tuple[str, str]]:
    for value in part if isinstance(part, list) else [part]:
        if value is not None:
            yield name if not name.startswith("[") else "", as_text(value)


def as_text(value: object) -> str:
    """Return a scalar in the usual notation."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return written(value) if isinstance(value, float) else str(value)


class ColumnSet:
    """Summarises the values of a list of records by key, like the columns of a table."""

    def __init__(self) -> None:
        self._columns: dict[str, Column] = {}
        self._records = 0

    def add(self, record: object) -> None:
        """Count the scalars of one record."""
        self._records += 1
        if not isinstance(record, Mapping):
            return
        for name, value in record.items():
            if value is None or isinstance(value, Mapping | list):
                continue
            column = self._columns.get(name)
            if column is None and len(self._columns) < _MAX_SUMMED_KEYS:
                column = self._columns[name] = Column(name)
            if column is not None:
                column.add(as_text(value))

    def units(self, source: str) -> Iterator[Unit]:
        """Yield a unit for each column if there are at least two records."""
        for column in self._columns.values() if self._records > 1 else ():
            summary = column.summary(self._records)
            yield Unit(summary.text(), Locator(source, 1, 0, 0, column=summary.name), summary=summary)


_STEP_CHARS = 1 << 20
# Tokens such as `false` and escapes are invalid if they are cut.
_LONGEST_TOKEN_CHARS = 16
_AFTER_VALUE = f",]}}{WHITE_SPACE}"
_VISIBLE = re.compile(rf"[^{WHITE_SPACE}]")


class _Item(NamedTuple):
    """A value: its number in the list from 1 (0 outside a list), its first line, and its span."""

    number: int
    line: int
    start: int
    end: int
    value: object


def json_units(pieces: Iterable[str], name: str) -> Iterator[Unit]:
    """
    Yield the units of a JSON text, and the columns of a list of records.

    Raises:
        SourceDataError: The text is not JSON (with line and column), or a value is too long.
    """
    yield from _units_of(items_of(pieces, name), name)


def json_line_units(pieces: Iterable[str], name: str) -> Iterator[Unit]:
    """Yield the units of JSON Lines, one value for each line that is not blank. Raises as `json_units`."""
    yield from _units_of(_line_items(pieces, name), name)


def _units_of(items: Iterator[_Item], name: str) -> Iterator[Unit]:
    columns = ColumnSet()
    for item in items:
        path = f"[{item.number - 1}]" if item.number else None
        locator = Locator(name, item.line, item.start, item.end, row=item.number or None, path=path)
        yield from value_units(item.value, locator)
        if item.number:
            columns.add(item.value)
    yield from columns.units(name)


def _line_items(pieces: Iterable[str], name: str) -> Iterator[_Item]:
    number = 0
    for line in lines_of(pieces, name):
        if line.text.strip(WHITE_SPACE):
            try:
                value = read_json(line.text)
            except BrokenJsonError as error:
                reason = f"broken JSON: {error.reason}"
                raise SourceDataError(name, reason, line.number, error.position + 1) from None
            number += 1
            yield _Item(number, line.number, line.start, line.start + len(line.text), value)


def items_of(pieces: Iterable[str], name: str) -> Iterator[_Item]:
    """Yield the items of a list, or a single other value. Raises as `json_units`."""
    buffer = _Buffer(pieces, name)
    if buffer.next_visible() != "[":
        yield buffer.value(0)
    else:
        buffer.step()
        number = 0
        separator = "," if buffer.next_visible() != "]" else ""
        while separator == ",":
            number += 1
            yield buffer.value(number)
            separator = buffer.next_visible()
            if separator not in (",", "]"):
                buffer.fail("expecting ',' delimiter")
            if separator == ",":
                buffer.step()
        buffer.step()
    if buffer.next_visible():
        buffer.fail("unexpected text after the end of the value")


class _Buffer:
    """The part of a text that is in memory: read parts are dropped, and further ones are loaded on demand."""

    def __init__(self, pieces: Iterable[str], name: str) -> None:
        self._pieces = (
            piece[start : start + _STEP_CHARS] for piece in pieces for start in range(0, len(piece), _STEP_CHARS)
        )
        self._name = name
        self._text = ""
        self._at = 0
        self._dropped = 0
        # Lines are counted up to `_counted`: the number of its line, and the offset of that line in the whole text.
        self._counted = 0
        self._line = 1
        self._line_start = 0

    def next_visible(self) -> str:
        """Advance to the next character that is not white space and return it; "" at the end."""
        while (visible := _VISIBLE.search(self._text, self._at)) is None:
            self._at = len(self._text)
            if not self._more():
                return ""
        self._at = visible.start()
        return self._text[self._at]

    def step(self) -> None:
        self._at += 1

    def value(self, number: int) -> _Item:
        """Read the value that starts at the next visible character."""
        self.next_visible()
        self._count_lines(self._at)
        line = self._line
        value, end = self._whole_value()
        item = _Item(number, line, self._dropped + self._at, self._dropped + end, value)
        self._at = end
        return item

    def _whole_value(self) -> tuple[object, int]:
        """Return the value here and its end, loading as much text as it needs."""
        while True:
            try:
                value, end = read_json_at(self._text, self._at)
                # A number may continue in the next part: a digit may follow `1` or `1.`.
                is_sure = end < len(self._text) and self._text[end] in _AFTER_VALUE
                if is_sure or end < len(self._text) - _LONGEST_TOKEN_CHARS or not self._more():
                    return value, end
            except BrokenJsonError as error:
                # The text doubles before each new attempt, so that all attempts together take linear time.
                if not self._may_be_cut(error) or not self._grow():
                    self._at = max(self._at, error.position)
                    self.fail(f"broken JSON: {error.reason}")

    def _may_be_cut(self, error: BrokenJsonError) -> bool:
        """Return whether the error may come from the end of the loaded text."""
        is_near_end = error.position >= len(self._text.rstrip(WHITE_SPACE)) - _LONGEST_TOKEN_CHARS
        return is_near_end or error.reason.startswith("unterminated string")

    def fail(self, reason: str) -> NoReturn:
        self._count_lines(self._at)
        raise SourceDataError(self._name, reason, self._line, self._dropped + self._at - self._line_start + 1)

    def _count_lines(self, end: int) -> None:
        newlines = self._text.count("\n", self._counted, end)
        if newlines:
            self._line += newlines
            self._line_start = self._dropped + self._text.rindex("\n", self._counted, end) + 1
        self._counted = max(self._counted, end)

    def _more(self) -> bool:
        """Load the next part and drop the text before the current position; return whether there was one."""
        piece = next(self._pieces, None)
        if piece is None:
            return False
        if len(self._text) - self._at > MAX_LINE_CHARS:
            reason = f"a value has more than {MAX_LINE_CHARS:,} characters; lists and JSON Lines are read item by item"
            raise SourceDataError(self._name, reason, self._line)
        self._count_lines(self._at)
        self._text = self._text[self._at :] + piece
        self._dropped += self._at
        self._counted -= self._at
        self._at = 0
        return True

    def _grow(self) -> bool:
        wanted = 2 * (len(self._text) - self._at)
        has_grown = self._more()
        while has_grown and len(self._text) < wanted and self._more():
            pass
        return has_grown
