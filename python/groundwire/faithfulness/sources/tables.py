"""
Tables: a unit for each row, then one for each column as a whole.

CSV as RFC 4180 has it, with commas, semicolons, tabs or bars: a field that begins with
a double quote ends with one, and has two for each inside; it may hold line ends. A
double quote elsewhere in a field is a character like others.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from groundwire.errors import SourceDataError
from groundwire.faithfulness.sources.columns import Column
from groundwire.faithfulness.sources.files import MAX_LINE_CHARS, Line, lines_of
from groundwire.faithfulness.sources.numbers import cell_number
from groundwire.faithfulness.sources.units import Locator, Unit, record_units

__all__ = ["MAX_COLUMNS", "delimiter_of", "looks_like_table", "table_units"]

MAX_COLUMNS = 10_000
_DELIMITERS = ",;\t|"
_CLOSING = re.compile(r'"("?)')
_HEADER_CHARS = 100
_SEEN_ROWS = 20


class _Record(NamedTuple):
    """
    A row: the line that it begins on, its span, and its fields; `is_blank` if nothing is on the line.

    The spans of the fields are None where these follow one another with a delimiter between.
    """

    line: int
    start: int
    end: int
    texts: list[str]
    spans: list[tuple[int, int]] | None
    is_blank: bool

    def span_of(self, place: int) -> tuple[int, int]:
        """Return the span of a field."""
        if self.spans is not None:
            return self.spans[place]
        start = self.start + sum(map(len, self.texts[:place])) + place
        return start, start + len(self.texts[place])


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
    records = (record for record in _records(lines_of(pieces, name), name, delimiter) if not record.is_blank)
    first = next(records, None)
    if first is None:
        return
    if len(first.texts) > MAX_COLUMNS:
        raise SourceDataError(name, f"more than {MAX_COLUMNS:,} columns", first.line)
    has_header = _is_header(first.texts)
    names = _names(first.texts) if has_header else [f"column {place}" for place in range(1, len(first.texts) + 1)]
    columns = [Column(each) for each in names]
    adding = [column.add for column in columns]
    rows = 0
    for record in records if has_header else _again(first, records):
        rows += 1
        _check_width(record, len(names), name)
        for add, text in zip(adding, record.texts, strict=True):
            add(text)
        locator = Locator(name, record.line, record.start, record.end, row=rows)
        values = zip(names, record.texts, strict=True)
        yield from record_units(values, locator, are_columns=True, span_of=record.span_of)
    yield from _column_units(columns, rows, first, name)


def _column_units(columns: Sequence[Column], rows: int, first: _Record, name: str) -> Iterator[Unit]:
    for place, column in enumerate(columns):
        summary = column.summary(rows)
        start, end = first.span_of(place)
        yield Unit(summary.text(), Locator(name, first.line, start, end, column=summary.name), summary=summary)


def _again(first: _Record, others: Iterator[_Record]) -> Iterator[_Record]:
    yield first
    yield from others


def looks_like_table(text: str) -> bool:
    """
    Tell whether a text that nothing else is said of is a table.

    Its first line has names of columns, at least two, that are all different, and the
    next lines, at least two, have as many fields each.
    """
    lines = lines_of([text[:100_000]], "")
    try:
        delimiter = delimiter_of(text[:100_000])
        records = [record for record, _ in zip(_records(lines, "", delimiter), range(_SEEN_ROWS), strict=False)]
    except SourceDataError:
        return False
    filled = [record for record in records if not record.is_blank]
    # What was cut off at the end may be half a row.
    filled = filled[:-1] if len(text) > 100_000 and len(filled) > 3 else filled
    if len(filled) < 3:
        return False
    names = [text.strip() for text in filled[0].texts]
    are_names = len(names) > 1 and _is_header(names) and len({*names}) == len(names)
    return are_names and all(map(_may_be_name, names)) and all(len(each.texts) == len(names) for each in filled)


def _may_be_name(name: str) -> bool:
    return 0 < len(name) <= 40 and len(name.split()) <= 5 and not name.endswith((".", "!", "?", ":"))


def delimiter_of(text: str) -> str:
    """Return what stands between the fields of the first line; a comma where nothing does."""
    line = re.sub(r'"[^"\r\n]*"', "", next((line.text for line in lines_of([text], "") if line.text.strip()), ""))
    return max(_DELIMITERS, key=line.count)


def _is_header(cells: Sequence[str]) -> bool:
    """Whether the first row names the columns: something in it, and none of it a number or long."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    return bool(filled) and all(len(cell) <= _HEADER_CHARS and cell_number(cell) is None for cell in filled)


def _names(texts: Sequence[str]) -> list[str]:
    """The names of columns; one without has its place, one that comes back its place behind it."""
    names: list[str] = []
    for place, text in enumerate(texts, 1):
        name = " ".join(text.split()) or f"column {place}"
        names.append(f"{name} ({place})" if name in names else name)
    return names


def _check_width(record: _Record, width: int, name: str) -> None:
    found = len(record.texts)
    if found != width:
        place = record.span_of(width)[0] if found > width else record.end
        column = place - record.start + 1
        raise SourceDataError(name, f"{width} fields, as in the first row, expected, not {found}", record.line, column)


def _records(lines: Iterator[Line], name: str, delimiter: str | None) -> Iterator[_Record]:
    for line in lines:
        if delimiter is None:
            delimiter = delimiter_of(line.text) if line.text.strip() else None
        if not line.text.strip() and (delimiter is None or delimiter not in line.text):
            yield _Record(line.number, line.start, line.start, [], None, is_blank=True)
        elif delimiter is not None and '"' not in line.text:
            texts = line.text.split(delimiter)
            yield _Record(line.number, line.start, line.start + len(line.text), texts, None, is_blank=False)
        elif delimiter is not None:
            yield _on_one_line(line, delimiter) or _quoted(line, lines, name, delimiter)


def _on_one_line(line: Line, delimiter: str) -> _Record | None:
    """Read a row whose quoted fields all end on its line; None if they do not, or something is wrong."""
    texts, spans = [], []
    end = 0
    for match in _finder(delimiter).finditer(line.text):
        if match.start() != end:
            break
        group = 1 if match[1] is not None else 2
        texts.append(match[1].replace('""', '"') if group == 1 else match[2])
        spans.append((line.start + match.start(group), line.start + match.end(group)))
        end = match.end()
        if not match[3]:
            return _Record(line.number, line.start, line.start + end, texts, spans, is_blank=False)
    return None


@cache
def _finder(delimiter: str) -> re.Pattern[str]:
    """Find a field: in quotes, or without; and what ends it, a delimiter or the end of the line."""
    mark = re.escape(delimiter)
    return re.compile(rf'(?:"([^"]*(?:""[^"]*)*+)"|((?:(?!["{mark}]).[^{mark}]*)?))({mark}|\Z)', re.DOTALL)


def _quoted(line: Line, lines: Iterator[Line], name: str, delimiter: str) -> _Record:
    """Read a row in which there are quotes, with the lines that it goes on over."""
    reader = _RowReader(line, lines, name, delimiter)
    cells = [reader.field()]
    while reader.goes_on():
        cells.append(reader.field())
    texts, spans = [text for text, _, _ in cells], [(start, end) for _, start, end in cells]
    return _Record(line.number, line.start, reader.end, texts, spans, is_blank=False)


class _RowReader:
    """Reads the fields of one row, and takes lines as quoted fields need them."""

    def __init__(self, line: Line, lines: Iterator[Line], name: str, delimiter: str) -> None:
        self._line = line
        self._lines = lines
        self._name = name
        self._delimiter = delimiter
        self._at = 0

    @property
    def end(self) -> int:
        return self._line.start + len(self._line.text)

    def goes_on(self) -> bool:
        """Step over a delimiter; tell whether there was one."""
        is_there = self._at < len(self._line.text)
        self._at += is_there
        return is_there

    def field(self) -> tuple[str, int, int]:
        start = self._line.start + self._at
        if self._line.text.startswith('"', self._at):
            return self._until_quote(start)
        end = self._line.text.find(self._delimiter, self._at)
        text = self._line.text[self._at : end if end >= 0 else None]
        self._at += len(text)
        return text, start, start + len(text)

    def _until_quote(self, start: int) -> tuple[str, int, int]:
        opened = self._line.number, self._at + 1
        self._at += 1
        pieces = []
        length = 0
        while (piece := self._quoted_piece()) is None or piece[1]:
            text = self._line.text[self._at :] if piece is None else piece[0]
            pieces.append(text)
            length += len(text) + 1
            if piece is None:
                pieces.append("\n")
                following = next(self._lines, None)
                if following is None or length > MAX_LINE_CHARS:
                    reason = "the quoted field that begins here does not end"
                    raise SourceDataError(self._name, reason, *opened)
                self._line, self._at = following, 0
        pieces.append(piece[0])
        if self._at < len(self._line.text) and not self._line.text.startswith(self._delimiter, self._at):
            reason = "the field has ended with its quote, and something stands behind it"
            raise SourceDataError(self._name, reason, self._line.number, self._at + 1)
        return "".join(pieces), start + 1, self._line.start + self._at - 1

    def _quoted_piece(self) -> tuple[str, bool] | None:
        """Return what stands before the next quote, and whether that is one of two; None if this line has none."""
        quote = _CLOSING.search(self._line.text, self._at)
        if quote is None:
            return None
        text = self._line.text[self._at : quote.start()]
        self._at = quote.end()
        return (f'{text}"', True) if quote[1] else (text, False)
