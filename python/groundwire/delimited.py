"""
Lines of a text, and rows of fields: CSV as RFC 4180 has it, with commas, semicolons, tabs or bars.

A field that begins with a double quote ends with one, and has two for each inside; it may hold line ends. A
double quote elsewhere in a field is a character like others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from groundwire.errors import SourceDataError
from groundwire.labels import show

__all__ = [
    "MAX_LINE_CHARS",
    "Columns",
    "Line",
    "Record",
    "TableColumns",
    "check_width",
    "column_names",
    "column_rows",
    "delimiter_of",
    "first_line_columns",
    "lines_of",
    "records",
    "shown_columns",
    "table_columns",
]

_LINE_END = re.compile(r"\r\n|\n|\r")
_DELIMITERS = ",;\t|"
_MOST_SHOWN = 12
_HEAD_CHARS = 100_000
# No text has it between fields.
_NO_DELIMITER = "\x1f"
_CLOSING = re.compile(r'"("?)')

MAX_LINE_CHARS = 32_000_000
"""A line, or a value of JSON, that is longer is not read: it has to be in memory as a whole."""

# Of a quoted field over several lines. A quotation mark that is not closed would take the rest of a file.
_MAX_FIELD_CHARS = 8_000_000


class Line(NamedTuple):
    """A line: its number from 1, its offset in the text, and what stands on it without the line end."""

    number: int
    start: int
    text: str


class Record(NamedTuple):
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


def lines_of(pieces: Iterable[str], name: str) -> Iterator[Line]:
    """
    Yield the lines of a text that comes in *pieces*; nothing after the last line end.

    Raises:
        SourceDataError: A line is too long; and as *pieces* does.
    """
    number = 1
    offset = 0
    rest = ""
    for piece in pieces:
        text = rest + piece
        done = 0
        for end in _LINE_END.finditer(text):
            if end[0] == "\r" and end.end() == len(text):
                # It may be half of a line end.
                break
            yield Line(number, offset + done, text[done : end.start()])
            number += 1
            done = end.end()
        rest = text[done:]
        offset += done
        if len(rest) > MAX_LINE_CHARS:
            raise SourceDataError(name, f"a line of more than {MAX_LINE_CHARS:,} characters", number)
    if rest:
        yield Line(number, offset, rest.removesuffix("\r"))


def delimiter_of(text: str) -> str:
    """Return what stands between the fields of the first line; a comma where nothing does."""
    line = re.sub(r'"[^"\r\n]*"', "", next((line.text for line in lines_of([text], "") if line.text.strip()), ""))
    return max(_DELIMITERS, key=line.count)


def column_names(cells: Sequence[str]) -> list[str]:
    """Return the names of columns as they are compared: in small letters, with `_` between words."""
    return ["_".join(cell.replace("-", " ").lower().split()) for cell in cells]


def shown_columns(cells: Sequence[str]) -> str:
    """Return the names of columns as an error may show them: those that look like names, of others the length."""
    shown = ", ".join(map(show, cells[:_MOST_SHOWN]))
    return f"{shown} and {len(cells) - _MOST_SHOWN} more" if len(cells) > _MOST_SHOWN else shown


TableColumns: TypeAlias = Mapping[str, tuple[str, ...]]
"""What is read of a table, and what the column of it may be called, the better name first."""


class Columns(NamedTuple):
    """
    What separates the fields of a table, and which of them are read.

    Attributes:
        delimiter: What stands between fields.
        places: The place of each column that is read, by what is read.
        width: How many columns there are.
    """

    delimiter: str
    places: dict[str, int]
    width: int


def table_columns(text: str, wanted: TableColumns, *, needed: str, is_table: bool = False) -> Columns | None:
    """
    Return which columns of a table are read, None if *text* is no table with the column *needed*.

    The first line that is not blank names the columns. If it has one field, that is *needed*, and lines
    are not split at commas.

    Args:
        text: The table, or its beginning.
        wanted: What is read.
        needed: The column without which it is no such table.
        is_table: Whether it is known to be one. If not, the first line has to name two of the columns, or
            the one that it has.
    """
    first = _first_line(text)
    delimiter = delimiter_of(first)
    names = column_names(_cells(first, delimiter))
    places = {
        key: names.index(found)
        for key, known in wanted.items()
        if (found := next((name for name in known if name in names), None)) is not None
    }
    if needed not in places:
        return None
    if len(names) == 1:
        return Columns(_NO_DELIMITER, places, 1)
    return Columns(delimiter, places, len(names)) if is_table or len(places) > 1 else None


def first_line_columns(text: str) -> str:
    """Return how an error names the columns of *text*: those that look like names, of others the length."""
    first = _first_line(text)
    if not first:
        return "nothing"
    return shown_columns(_cells(first, delimiter_of(first)))


def column_rows(text: str, name: str, columns: Columns) -> Iterator[tuple[int, dict[str, str]]]:
    """
    Yield the line and the fields of each row below the first one, blank rows aside.

    Raises:
        SourceDataError: A quoted field is broken, or a row has more or fewer fields than the first.
    """
    rows = (row for row in records(lines_of([text.removeprefix("\ufeff")], name), name, columns.delimiter))
    filled = (row for row in rows if not row.is_blank and any(map(str.strip, row.texts)))
    next(filled, None)
    for row in filled:
        check_width(row, columns.width, name)
        yield row.line, {key: row.texts[place] for key, place in columns.places.items()}


def check_width(record: Record, width: int, name: str) -> None:
    """
    Check that a row has as many fields as the first one.

    Raises:
        SourceDataError: It has more or fewer. Has line and column.
    """
    found = len(record.texts)
    if found != width:
        place = record.span_of(width)[0] if found > width else record.end
        column = place - record.start + 1
        raise SourceDataError(name, f"{width} fields, as in the first row, expected, not {found}", record.line, column)


def _first_line(text: str) -> str:
    lines = lines_of([text[:_HEAD_CHARS].removeprefix("\ufeff")], "")
    return next((line.text for line in lines if line.text.strip()), "")


def _cells(line: str, delimiter: str) -> list[str]:
    """Return the fields of a first line; it is one field if a quoted one does not end there."""
    try:
        return next((record.texts for record in records(lines_of([line], ""), "", delimiter)), [])
    except SourceDataError:
        return [line]


def records(lines: Iterator[Line], name: str, delimiter: str | None) -> Iterator[Record]:
    """
    Yield the rows of a table, blank lines too.

    Args:
        lines: The text.
        name: What it is called in errors.
        delimiter: What separates fields; by default what the first line shows.

    Raises:
        SourceDataError: A quoted field does not end, or something follows its end; has line and column.
    """
    for line in lines:
        if delimiter is None:
            delimiter = delimiter_of(line.text) if line.text.strip() else None
        if not line.text.strip() and (delimiter is None or delimiter not in line.text):
            yield Record(line.number, line.start, line.start, [], None, is_blank=True)
        elif delimiter is not None and '"' not in line.text:
            texts = line.text.split(delimiter)
            yield Record(line.number, line.start, line.start + len(line.text), texts, None, is_blank=False)
        elif delimiter is not None:
            yield _on_one_line(line, delimiter) or _quoted(line, lines, name, delimiter)


def _on_one_line(line: Line, delimiter: str) -> Record | None:
    """Read a row whose quoted fields all end on its line; None if they do not, or something is wrong."""
    texts, spans = [], []
    end = 0
    for match in _finder(delimiter).finditer(line.text):
        if match[3] is None:
            break
        group = 1 if match[1] is not None else 2
        texts.append(match[1].replace('""', '"') if group == 1 else match[2])
        spans.append((line.start + match.start(group), line.start + match.end(group)))
        end = match.end()
        if not match[3]:
            return Record(line.number, line.start, line.start + end, texts, spans, is_blank=False)
    return None


@cache
def _finder(delimiter: str) -> re.Pattern[str]:
    """Find a field, in quotes or without, and what ends it: a delimiter or the end of the line; else one character."""
    mark = re.escape(delimiter)
    return re.compile(rf'(?:"([^"]*(?:""[^"]*)*+)"|((?:(?!["{mark}]).[^{mark}]*)?))({mark}|\Z)|.', re.DOTALL)


def _quoted(line: Line, lines: Iterator[Line], name: str, delimiter: str) -> Record:
    """Read a row in which there are quotes, with the lines that it goes on over."""
    reader = _RowReader(line, lines, name, delimiter)
    cells = [reader.field()]
    while reader.goes_on():
        cells.append(reader.field())
    texts, spans = [text for text, _, _ in cells], [(start, end) for _, start, end in cells]
    return Record(line.number, line.start, reader.end, texts, spans, is_blank=False)


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
                if following is None or length > _MAX_FIELD_CHARS:
                    limit = "" if following is None else f" within {_MAX_FIELD_CHARS:,} characters"
                    reason = f"the quoted field that begins here does not end{limit}"
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
