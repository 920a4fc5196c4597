"""Reads rows of quotes from tables: delimited text, a sheet of a workbook (XLSX), or the tables of a Word document."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from groundwire.cli.app import CommandError, warn
from groundwire.cli.inputs import quoted_key
from groundwire.delimited import (
    Header,
    TableColumns,
    check_width,
    column_names,
    find_header,
    lines_of,
    records,
    shown_columns,
    table_delimiter,
)
from groundwire.documents.parts import not_installed
from groundwire.documents.sheets import CellValue, cell_text, column_index, column_name, sheet_rows
from groundwire.errors import DocumentError, SourceDataError
from groundwire.labels import plural
from groundwire.report import QuoteOrigin

__all__ = ["QUOTE_COLUMNS", "QuoteRow", "QuoteRows", "TableOptions", "rows_of_document", "rows_of_text"]

QUOTE_COLUMNS: TableColumns = {
    "quote": (
        *("quote", "quotes", "quotation", "quoted_text", "quote_text", "verbatim", "verbatim_quote", "direct_quote"),
        *("supporting_quote", "excerpt", "extract", "evidence", "text"),
    ),
    "source": (
        *("source", "source_file", "source_name", "file", "filename", "file_name", "document", "document_name"),
        *("transcript", "interview"),
    ),
    "speaker": ("speaker", "speaker_name", "participant", "respondent", "interviewee"),
    "page": ("page", "page_number", "page_no", "page_no."),
    "domain": ("domain", "code", "theme", "category", "topic"),
    "id": ("id", "quote_id", "number", "no", "no.", "nr", "nr.", "#"),
}
"""The columns that are read from a table; if a field has several names, the first one present counts."""

# A header is looked for in these first rows that are not empty.
_HEADER_ROWS = 50
_MAX_ROW_DIGITS = 6


class TableOptions(NamedTuple):
    """
    Holds the choices of the reader.

    Attributes:
        columns: The column of a field: its name, its letters or its number.
        sheet: Title of the sheet of a workbook; None for the only one with quotes.
        has_header: Whether a row names the columns.
    """

    columns: Mapping[str, str] = {}
    sheet: str | None = None
    has_header: bool = True


class QuoteRow(NamedTuple):
    """
    Holds a row: the text of each known field, its location for messages and reports, and all of its values.

    `line` is the line of a text on which it begins; None in a workbook or a Word document.
    """

    fields: dict[str, str]
    where: str
    origin: QuoteOrigin
    values: list[CellValue]
    line: int | None


class QuoteRows(NamedTuple):
    """Holds the rows of a table, the names of its columns, and the title of its sheet."""

    title: str
    header: list[str]
    rows: list[QuoteRow]


class _Row(NamedTuple):
    """Holds a row that is not empty: its number in the table, its values, its location for messages, and its line."""

    number: int
    values: Sequence[CellValue]
    where: str
    line: int | None = None

    @property
    def texts(self) -> list[str]:
        return [cell_text(value) for value in self.values]


def rows_of_text(text: str, name: str, options: TableOptions) -> QuoteRows:
    """
    Return the rows of delimited text.

    Raises:
        CommandError: It has no column of quotes, a quoted field is malformed, or a row has another number of fields
            than the header. The message never contains a cell.
    """
    delimiter = table_delimiter(text, _wanted(options), needed="quote", most_lines=_HEADER_ROWS)
    try:
        found = enumerate(records(lines_of([text.removeprefix("\ufeff")], name), name, delimiter), start=1)
        filled = [(number, record) for number, record in found if any(map(str.strip, record.texts))]
        rows = [_Row(number, record.texts, f"{name}, line {record.line}", record.line) for number, record in filled]
        header = _header(rows, options)
        if header is None:
            raise _no_quotes(f"`{name}` has no column of quotes", rows, options)
        for number, record in filled:
            if number > header.row and options.has_header:
                check_width(record, len(header.cells), name)
    except SourceDataError as error:
        raise CommandError(str(error)) from None
    return _table([("", rows, header)], name, None)


def rows_of_document(content: bytes, kind: str, name: str, options: TableOptions) -> QuoteRows:
    """
    Return the rows of a workbook or a Word document.

    Args:
        content: The file.
        kind: "xlsx" or "docx".
        name: Its name in messages.
        options: The choices of the reader.

    Raises:
        CommandError: It cannot be read, no sheet or table has a column of quotes, or several sheets have one.
    """
    read: Callable[[bytes, str], list[tuple[str, list[_Row]]]] = _sheets if kind == "xlsx" else _word_tables
    try:
        tables = read(content, name)
    except DocumentError as error:
        raise CommandError(f"`{name}` is {error.reason}", hint=error.hint) from None
    except ModuleNotFoundError as error:
        missing = not_installed(name, error)
        raise CommandError(f"`{name}` is {missing.reason}", hint=missing.hint) from None
    if kind == "docx":
        return _rows_of_word(tables, name, options)
    return _rows_of_workbook(tables, name, options)


def _sheets(content: bytes, name: str) -> list[tuple[str, list[_Row]]]:
    """Return the sheets of a workbook that are not empty, each with its title."""
    sheets: dict[str, list[_Row]] = {}
    for title, number, values in sheet_rows(content, name, fill_merged=True):
        if any(cell_text(value).strip() for value in values):
            sheets.setdefault(title, []).append(_Row(number, values, f"{name}, row {number}"))
    return [*sheets.items()]


def _word_tables(content: bytes, name: str) -> list[tuple[str, list[_Row]]]:
    from groundwire.documents.word import read_docx_tables

    return [
        (
            f"table {table}",
            [
                _Row(number, cells, f"{name}, table {table}, row {number}")
                for number, cells in enumerate(rows, start=1)
                if any(map(str.strip, cells))
            ],
        )
        for table, rows in enumerate(read_docx_tables(content, name), start=1)
    ]


def _rows_of_workbook(sheets: list[tuple[str, list[_Row]]], name: str, options: TableOptions) -> QuoteRows:
    if options.sheet is not None:
        chosen = [each for each in sheets if each[0].casefold() == options.sheet.casefold()]
        if not chosen:
            raise CommandError(f"`{name}` has no sheet {quoted_key(options.sheet)}", hint=_titles(sheets))
        sheets = chosen
    found = [(title, rows, header) for title, rows in sheets if (header := _header(rows, options)) is not None]
    if not found:
        raise _no_quotes(f"`{name}` has no sheet with a column of quotes", sheets[0][1] if sheets else [], options)
    if len(found) > 1:
        raise CommandError(
            f"`{name}` has {len(found)} sheets with quotes",
            hint=f"choose one by --sheet; {_titles(found)}",
        )
    return _table(found, name, found[0][0])


def _titles(sheets: Iterable[tuple[str, *tuple[object, ...]]]) -> str:
    return f"sheets: {', '.join(quoted_key(title) for title, *_ in sheets)}"


def _rows_of_word(tables: list[tuple[str, list[_Row]]], name: str, options: TableOptions) -> QuoteRows:
    found = [(title, rows, header) for title, rows in tables if (header := _header(rows, options)) is not None]
    if not found:
        raise _no_quotes(f"`{name}` has no table with a column of quotes", tables[0][1] if tables else [], options)
    return _table(found, name, "quotes")


def _no_quotes(message: str, rows: Sequence[_Row], options: TableOptions) -> CommandError:
    """Return the error for a table without quotes, with the names in its first row."""
    found = shown_columns(rows[0].texts) if rows else "nothing"
    if options.columns:
        named = ", ".join(map(quoted_key, options.columns.values()))
        return CommandError(f"{message}, or no columns {named}; its first line names {found}")
    return CommandError(
        f"{message}; its first line names {found}",
        hint="name a column quote or text, or use --quote-column; --input-format text reads one quote per line",
    )


def _header(rows: Sequence[_Row], options: TableOptions) -> Header | None:
    """Return the header of a table, or the columns of a table without one, at row 0; None without quotes."""
    positions = {field: _position(column) for field, column in options.columns.items()}
    given = {field: position for field, position in positions.items() if position is not None}
    if not options.has_header:
        return _without_header(rows, given, options)
    first = ((row.number, row.texts) for row in rows[:_HEADER_ROWS])
    return find_header(first, _wanted(options), needed={"quote", *options.columns}, positions=given)


def _wanted(options: TableOptions) -> TableColumns:
    """Return the names of the columns to read."""
    named = {field: (*column_names([column]),) for field, column in options.columns.items()}
    return {**QUOTE_COLUMNS, **named}


def _position(column: str) -> int | None:
    """Return the index from 0 of a column given by letters or by a number from 1; None for any other name."""
    if column.isascii() and column.isdecimal() and len(column) <= _MAX_ROW_DIGITS:
        return int(column) - 1 if int(column) > 0 else None
    return column_index(column)


def _without_header(rows: Sequence[_Row], given: dict[str, int], options: TableOptions) -> Header | None:
    missing = next((field for field in options.columns if field not in given), None)
    if missing is not None:
        raise CommandError(
            f"--{missing}-column must be a letter or a number with --no-header", hint="count columns from A or 1"
        )
    width = max((len(row.values) for row in rows), default=0)
    places = {"quote": 0, **given} if width == 1 else given
    if "quote" not in places:
        raise CommandError("--no-header requires --quote-column", hint="give its letter or its number, such as B or 2")
    is_there = max(places.values()) < width
    return Header(0, [column_name(column) for column in range(width)], places) if is_there else None


def _table(found: Sequence[tuple[str, list[_Row], Header]], name: str, title: str | None) -> QuoteRows:
    """Return the rows of one or more tables; a column of several tables is one column of the result."""
    keys = [_column_keys(table, header) for _, table, header in found]
    columns = {key: number for number, key in enumerate(dict.fromkeys(key for each in keys for key in each))}
    rows: list[QuoteRow] = []
    for (sheet, table, header), names in zip(found, keys, strict=True):
        _warn_of_titles(table, header, name)
        for row in _quoting(table, header):
            values: list[CellValue] = [None] * len(columns)
            for key, value in zip(names, row.values, strict=False):
                values[columns[key]] = value
            origin = QuoteOrigin(sheet=sheet or None, row=row.number)
            rows.append(QuoteRow(_fields(row, header), row.where, origin, values, row.line))
    return QuoteRows(title or "quotes", [key for key, _ in columns], rows)


def _column_keys(rows: Sequence[_Row], header: Header) -> list[tuple[str, int]]:
    """Return the name of each column with a name or a value, and how many columns before it have the same name."""
    widths = (column for row in rows if row.number > header.row for column in _filled_columns(row))
    width = max(len(header.cells), 1 + max(widths, default=-1))
    counts: Counter[str] = Counter()
    keys = []
    for cell in [*header.cells, *[""] * (width - len(header.cells))]:
        keys.append((cell, counts[cell]))
        counts[cell] += 1
    return keys


def _filled_columns(row: _Row) -> Iterator[int]:
    return (column for column, value in enumerate(row.values) if value is not None and value != "")


def _fields(row: _Row, header: Header) -> dict[str, str]:
    """Return the text of each known field. An empty cell counts as missing; only a quote may be blank."""
    texts = row.texts
    cells = {field: texts[place] if place < len(texts) else "" for field, place in header.places.items()}
    fields = {field: cell.strip() for field, cell in cells.items() if cell.strip() and field != "quote"}
    return {**fields, "quote": cells["quote"]}


def _quoting(rows: Sequence[_Row], header: Header) -> Iterator[_Row]:
    """Yield the rows below the header, without those that repeat it, as tables over several pages do."""
    names = column_names(header.cells)
    place = header.places["quote"]
    for row in rows:
        if row.number > header.row:
            cells = column_names(row.texts)
            same = [bool(cell) and cell == name for cell, name in zip(cells, names, strict=False)]
            # A second row of headings below merged ones repeats some of them.
            is_header = header.row > 0 and place < len(same) and same[place]
            if not (is_header and (sum(same) > 1 or len(names) == 1)):
                yield row


def _warn_of_titles(rows: Sequence[_Row], header: Header, name: str) -> None:
    above = sum(row.number < header.row for row in rows)
    if above:
        warn(f"`{name}`: {plural(above, 'row')} above the header in row {header.row} left out")
