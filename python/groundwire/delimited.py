"""
Reads lines, and rows of fields: CSV (RFC 4180) separated by commas, semicolons, tabs or bars; finds the header of a
table; and writes CSV.

A field that begins with a double quote ends with one; each double quote inside is doubled, and line ends are allowed.
In any other field, a double quote is an ordinary character.
"""

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from io import StringIO
from itertools import islice
from typing import NamedTuple, TypeAlias

from groundwire.errors import SourceDataError
from groundwire.labels import plural, show

__all__ = [
    "FORMULA",
    "FORMULA_STARTS",
    "MAX_LINE_CHARS",
    "PLAIN_NUMBER",
    "Columns",
    "Header",
    "Line",
    "Record",
    "TableColumns",
    "check_width",
    "column_names",
    "column_rows",
    "delimiter_of",
    "find_header",
    "first_line_columns",
    "inert_cell",
    "lines_of",
    "named_columns",
    "records",
    "shown_columns",
    "table_columns",
    "table_delimiter",
    "write_rows",
]

_LINE_END = re.compile(r"\r\n|\n|\r")
_DELIMITERS = ",;\t|"
_MOST_SHOWN = 12
_HEAD_CHARS = 100_000
# No text contains this character, so it separates nothing.
_NO_DELIMITER = "\x1f"
_CLOSING = re.compile(r'"("?)')

MAX_LINE_CHARS = 32_000_000
"""Maximum length of a line or a JSON value, which has to be in memory as a whole."""

# Maximum length of a quoted field over several lines; an unclosed quotation mark would take the rest of a file.
_MAX_FIELD_CHARS = 8_000_000


class Line(NamedTuple):
    """Holds a line: its number from 1, its offset in the text, and its content without the line end."""

    number: int
    start: int
    text: str


class Record(NamedTuple):
    """
    Holds a row: its first line, its span, and its fields; `is_blank` for a blank line.

    The spans of the fields are None if only delimiters separate the fields.
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
    Yield the lines of a text given in *pieces*; nothing after the last line end.

    Raises:
        SourceDataError: A line is too long, or *pieces* raises it.
    """
    number = 1
    offset = 0
    rest = ""
    for piece in pieces:
        text = rest + piece
        done = 0
        for end in _LINE_END.finditer(text):
            if end[0] == "\r" and end.end() == len(text):
                # The character may be half of a line end.
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
    """Return the delimiter of the first line; a comma if it has none."""
    line = re.sub(r'"[^"\r\n]*"', "", next((line.text for line in lines_of([text], "") if line.text.strip()), ""))
    return max(_DELIMITERS, key=line.count)


def column_names(cells: Sequence[str]) -> list[str]:
    """Return the names of columns for comparison: in lower case, with `_` between words."""
    return ["_".join(cell.replace("-", " ").lower().split()) for cell in cells]


def shown_columns(cells: Sequence[str]) -> str:
    """Return the names of columns for an error: names that are labels, and the lengths of others."""
    shown = ", ".join(map(show, cells[:_MOST_SHOWN]))
    return f"{shown} and {len(cells) - _MOST_SHOWN} more" if len(cells) > _MOST_SHOWN else shown


TableColumns: TypeAlias = Mapping[str, tuple[str, ...]]
"""Maps each value to read to the possible names of its column, the best first."""


class Columns(NamedTuple):
    """
    Describes the columns of a table.

    Attributes:
        delimiter: Separator of the fields.
        places: Index of the column for each value to read.
        width: Number of columns.
    """

    delimiter: str
    places: dict[str, int]
    width: int


def table_columns(text: str, wanted: TableColumns, *, needed: str, is_table: bool = False) -> Columns | None:
    """
    Return the columns of a table; None if *text* is not a table with the column *needed*.

    The first line that is not blank names the columns. If it has one field, that is
    *needed*, and lines are not split at commas.

    Args:
        text: The table, or its beginning.
        wanted: The values to read.
        needed: The required column.
        is_table: Whether the text is known to be a table. If not, the first line must
            name two of the columns, or its only one.
    """
    first = _first_line(text)
    delimiter = delimiter_of(first)
    cells = _cells(first, delimiter)
    places = named_columns(cells, wanted)
    if needed not in places:
        return None
    if len(cells) == 1:
        return Columns(_NO_DELIMITER, places, 1)
    return Columns(delimiter, places, len(cells)) if is_table or len(places) > 1 else None


def named_columns(cells: Sequence[str], wanted: TableColumns) -> dict[str, int]:
    """Return the index of the column for each of the *wanted* values that the header *cells* name."""
    names = column_names(cells)
    return {
        key: names.index(found)
        for key, known in wanted.items()
        if (found := next((name for name in known if name in names), None)) is not None
    }


class Header(NamedTuple):
    """
    Describes the row that names the columns of a table.

    Attributes:
        row: Number of the row or line, as given.
        cells: The names as written.
        places: Index of the column for each value to read.
    """

    row: int
    cells: list[str]
    places: dict[str, int]


def find_header(
    rows: Iterable[tuple[int, Sequence[str]]],
    wanted: TableColumns,
    *,
    needed: Collection[str],
    positions: Mapping[str, int] = {},
) -> Header | None:
    """
    Return the header of a table, which may have titles above it; None if no row names the columns.

    Of several rows, the one that names the most columns is the header, then the one with the most cells, then the
    first.

    Args:
        rows: The numbers and cells of the first rows, without empty ones.
        wanted: The values to read.
        needed: The required columns.
        positions: Indices of columns, for those that a row does not name. If a row names none of *wanted*, the first
            row with a cell in all of these columns is the header.
    """
    best, found = (0, 0), None
    for row, cells in rows:
        named = named_columns(cells, wanted)
        filled = sum(1 for cell in cells if cell.strip())
        places = {key: place for key, place in positions.items() if place < len(cells) and cells[place].strip()} | named
        size = (len(named), filled) if named else (0, 0)
        if places.keys() >= {*needed} and (found is None or size > best):
            best, found = size, Header(row, [*cells], _without_repeats(places, needed))
    return found


def _without_repeats(places: dict[str, int], needed: Collection[str]) -> dict[str, int]:
    """Return *places* without columns that a needed value has, which has only one meaning."""
    taken = {place for key, place in places.items() if key in needed}
    return {key: place for key, place in places.items() if key in needed or place not in taken}


def table_delimiter(text: str, wanted: TableColumns, *, needed: str, most_lines: int) -> str:
    """
    Return the delimiter of a table that may have titles above its header, each with a delimiter of its own.

    Args:
        text: The table, or its beginning.
        wanted: The values to read.
        needed: The required column.
        most_lines: Number of lines in which to look for the header; without one, the first line decides.
    """
    lines = islice(lines_of([text[:_HEAD_CHARS].removeprefix("\ufeff")], ""), most_lines)
    split = {line.number: line.text for line in lines if line.text.strip()}
    cells = ((number, _cells(line, delimiter_of(line))) for number, line in split.items())
    found = find_header(cells, wanted, needed=(needed,))
    if found is None:
        return delimiter_of(text[:_HEAD_CHARS])
    return delimiter_of(split[found.row]) if len(found.cells) > 1 else _NO_DELIMITER


def first_line_columns(text: str) -> str:
    """Return the names of the columns of *text* for an error."""
    first = _first_line(text)
    if not first:
        return "nothing"
    return shown_columns(_cells(first, delimiter_of(first)))


def column_rows(text: str, name: str, columns: Columns) -> Iterator[tuple[int, dict[str, str]]]:
    """
    Yield the line and the fields of each row below the first one, without blank rows.

    Raises:
        SourceDataError: A quoted field is malformed, or a row has another number of fields than the first.
    """
    rows = (row for row in records(lines_of([text.removeprefix("\ufeff")], name), name, columns.delimiter))
    filled = (row for row in rows if not row.is_blank and any(map(str.strip, row.texts)))
    next(filled, None)
    for row in filled:
        check_width(row, columns.width, name)
        yield row.line, {key: row.texts[place] for key, place in columns.places.items()}


def check_width(record: Record, width: int, name: str) -> None:
    """
    Check that a row has the same number of fields as the first one.

    Raises:
        SourceDataError: The number differs. The error has line and column.
    """
    found = len(record.texts)
    if found != width:
        place = record.span_of(width)[0] if found > width else record.end
        column = place - record.start + 1
        raise SourceDataError(
            name, f"expected {plural(width, 'field')}, as in the first row, got {found}", record.line, column
        )


def _first_line(text: str) -> str:
    lines = lines_of([text[:_HEAD_CHARS].removeprefix("\ufeff")], "")
    return next((line.text for line in lines if line.text.strip()), "")


def _cells(line: str, delimiter: str) -> list[str]:
    """Return the fields of a first line; the whole line if a quoted field does not end there."""
    try:
        return next((record.texts for record in records(lines_of([line], ""), "", delimiter)), [])
    except SourceDataError:
        return [line]


def records(lines: Iterator[Line], name: str, delimiter: str | None) -> Iterator[Record]:
    """
    Yield the rows of a table, including blank lines.

    Args:
        lines: The text.
        name: Name of the text in errors.
        delimiter: Separator of the fields; by default that of the first line.

    Raises:
        SourceDataError: A quoted field does not end, or text follows its end. The error has line and column.
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
    """Read a row whose quoted fields all end on its line; None for any other row."""
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
    """Return a pattern for a field and its end: a delimiter, the end of the line, or any other character."""
    mark = re.escape(delimiter)
    return re.compile(rf'(?:"([^"]*(?:""[^"]*)*+)"|((?:(?!["{mark}]).[^{mark}]*)?))({mark}|\Z)|.', re.DOTALL)


def _quoted(line: Line, lines: Iterator[Line], name: str, delimiter: str) -> Record:
    """Read a row with quotes, including the lines over which it continues."""
    reader = _RowReader(line, lines, name, delimiter)
    cells = [reader.field()]
    while reader.goes_on():
        cells.append(reader.field())
    texts, spans = [text for text, _, _ in cells], [(start, end) for _, start, end in cells]
    return Record(line.number, line.start, reader.end, texts, spans, is_blank=False)


class _RowReader:
    """Reads the fields of one row, and further lines if a quoted field needs them."""

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
        """Skip a delimiter, and tell whether there was one."""
        is_delimiter = self._at < len(self._line.text)
        self._at += is_delimiter
        return is_delimiter

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
            reason = "text follows the closing quote of a field"
            raise SourceDataError(self._name, reason, self._line.number, self._at + 1)
        return "".join(pieces), start + 1, self._line.start + self._at - 1

    def _quoted_piece(self) -> tuple[str, bool] | None:
        """Return the text before the next quote, and whether that quote is doubled; None if this line has none."""
        quote = _CLOSING.search(self._line.text, self._at)
        if quote is None:
            return None
        text = self._line.text[self._at : quote.start()]
        self._at = quote.end()
        return (f'{text}"', True) if quote[1] else (text, False)


_SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
_BLANKS = " \t\r\n\v\f"

FORMULA_STARTS = frozenset(_SIGNS + _BLANKS)
"""First characters of cells that a spreadsheet may run as a formula; some are wide forms of East Asian keyboards."""

FORMULA = f"[{_BLANKS}]*[{re.escape(_SIGNS)}]|[\t\r]"
"""The start of a cell that a spreadsheet may run as a formula, as a regular expression for Python and for RE2."""

PLAIN_NUMBER = r"[+-]?[0-9]+(?:[.,][0-9]+)*"
"""The whole of a cell that is a number and no formula, whatever it begins with."""

_FORMULA = re.compile(FORMULA)
_PLAIN_NUMBER = re.compile(PLAIN_NUMBER)


def inert_cell(text: str) -> str:
    """
    Return the text of a cell of CSV, with an apostrophe before it if a spreadsheet would run it as a formula.

    A plain number such as `-5` stays as it is.
    """
    return f"'{text}" if _FORMULA.match(text) and not _PLAIN_NUMBER.fullmatch(text) else text


def write_rows(rows: Iterable[Iterable[str]], delimiter: str = ",") -> str:
    """Return *rows* as CSV (RFC 4180, with LF at the end of lines), in which no cell is a formula."""
    written = StringIO()
    csv.writer(written, delimiter=delimiter, lineterminator="\n").writerows(map(inert_cell, row) for row in rows)
    return written.getvalue()
