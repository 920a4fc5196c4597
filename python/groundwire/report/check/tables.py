"""
Writes the check report as a table: each row of the input with the verdict beside it, as CSV or as a workbook (XLSX).

No cell of the output is a formula: CSV marks a text that a spreadsheet would run, see `inert_cell`, and a workbook
stores it as text.
"""

import re
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from groundwire.delimited import FORMULA_STARTS, column_names, write_rows
from groundwire.documents.sheets import CellValue, cell_text
from groundwire.report.check.model import CheckReport, QuoteResult
from groundwire.report.labels.check import spoken_text
from groundwire.sanitize import spelled_out

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

__all__ = ["QuoteTable", "render_csv", "render_xlsx"]


class QuoteTable(NamedTuple):
    """
    Holds the rows that quotes were read from, as their file has them.

    Attributes:
        title: Title of the sheet.
        header: Names of the columns.
        rows: The values of each quote's row, one for each column, in the order of the quotes.
    """

    title: str
    header: list[str]
    rows: list[list[CellValue]]


# The columns of quotes that come from no table, of which the empty ones are left out.
_QUOTE_COLUMNS: dict[str, Callable[[QuoteResult], CellValue]] = {
    "number": lambda result: result.number,
    "id": lambda result: result.id,
    "domain": lambda result: result.domain,
    "quote": lambda result: result.quote,
    "cited source": lambda result: result.source,
    "cited speaker": lambda result: result.speaker,
    "cited page": lambda result: result.page,
    "start in answer": lambda result: result.origin and result.origin.start,
    "end in answer": lambda result: result.origin and result.origin.end,
}
_VERDICT_COLUMNS: dict[str, Callable[[QuoteResult], CellValue]] = {
    "sheet": lambda result: result.origin and result.origin.sheet,
    "row": lambda result: result.origin and result.origin.row,
    "status": lambda result: result.status,
    "accepted": lambda result: result.accepted,
    "reason": lambda result: " ".join(reason.words for reason in result.reasons),
    "matched text": lambda result: result.places[0].passage if result.places else None,
    "source": lambda result: result.places[0].name if result.places else None,
    "page": lambda result: _page(result),
    "spoken by": lambda result: spoken_text(result.places[0].turns) or None if result.places else None,
    "start": lambda result: result.places[0].start if result.places else None,
    "end": lambda result: result.places[0].end if result.places else None,
    "score": lambda result: result.score,
    "probability": lambda result: result.probability,
    "nearest text": lambda result: None if result.nearest is None else result.nearest.passage,
}
# These are left out if no quote has a value.
_OPTIONAL = frozenset({"sheet", "row", "spoken by", "probability", "nearest text"})

# Characters that XML or a terminal does not take; UTF-8 has no form of lone surrogates.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n?")

# The limits of a workbook.
_WORKBOOK_ROWS = 1_048_576
_WORKBOOK_CELL_CHARS = 32_767
_MAX_TITLE_CHARS = 31
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\]")

_WIDE_COLUMNS = ("quote", "reason", "matched text", "nearest text")
_WIDTH, _WIDE = 16, 60
_TEXT_STYLE, _HEAD_STYLE = "groundwire text", "groundwire head"
# The date of ZIP's first day, so that the same report gives the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


def render_csv(report: CheckReport, table: QuoteTable | None = None, *, delimiter: str = ",") -> str:
    """
    Return *report* as CSV: a header, and a row for each quote.

    The columns of *table* come first, then those of the verdict: `sheet` and `row` of the input, `status`, `accepted`,
    `reason`, `matched text`, `source`, `page`, `spoken by`, `start`, `end`, `score`, `probability` and
    `nearest text`. A verdict's column whose name *table* uses begins with `groundwire`.

    Args:
        report: The report.
        table: The rows of the input; None for quotes that come from no table.
        delimiter: The separator of fields.
    """
    rows = ([_text(cell) for cell in row] for row in _rows(report, table))
    return write_rows(rows, delimiter)


def render_xlsx(report: CheckReport, table: QuoteTable | None = None) -> bytes:
    """
    Return *report* as a workbook with one sheet, with the columns of `render_csv`.

    Numbers, dates and truth values of the input keep their types. A text of more than 32,767 characters, which no cell
    can hold, ends with an ellipsis. The same report gives the same bytes.

    Raises:
        ValueError: There are more quotes than a sheet has rows.
    """
    import openpyxl

    if len(report.quotes) >= _WORKBOOK_ROWS:
        raise ValueError(f"a sheet has at most {_WORKBOOK_ROWS:,} rows, got {len(report.quotes) + 1:,}")
    book = openpyxl.Workbook(write_only=True)
    _add_styles(book)
    sheet = book.create_sheet(_title(table))
    header, *rows = _rows(report, table)
    for number, name in enumerate(header):
        column = openpyxl.utils.get_column_letter(number + 1)
        sheet.column_dimensions[column].width = _WIDE if str(name).lower() in _WIDE_COLUMNS else _WIDTH
    sheet.freeze_panes = "A2"
    sheet.append([_cell(sheet, value, _HEAD_STYLE) for value in header])
    for row in rows:
        sheet.append([_cell(sheet, value, _TEXT_STYLE) for value in row])
    sheet.auto_filter.ref = f"A1:{openpyxl.utils.get_column_letter(len(header))}{len(rows) + 1}"
    return _saved(book)


def _rows(report: CheckReport, table: QuoteTable | None) -> Iterator[list[CellValue]]:
    """Yield the header and the rows of the output."""
    given = _given_rows(report) if table is None else [[*table.header], *table.rows]
    if len(given) != len(report.quotes) + 1:
        raise ValueError("the table must have a row for each quote of the report")
    verdicts = {
        name: value
        for name, value in _VERDICT_COLUMNS.items()
        if name not in _OPTIONAL or any(value(result) is not None for result in report.quotes)
    }
    taken = column_names([cell_text(name) for name in given[0]])
    yield [*given[0], *(f"groundwire {name}" if _key(name) in taken else name for name in verdicts)]
    for cells, result in zip(given[1:], report.quotes, strict=True):
        yield [*cells, *(value(result) for value in verdicts.values())]


def _key(name: str) -> str:
    return column_names([name])[0]


def _given_rows(report: CheckReport) -> list[list[CellValue]]:
    """Return the header and the rows of quotes that come from no table."""
    columns = {name: [value(result) for result in report.quotes] for name, value in _QUOTE_COLUMNS.items()}
    shown = {name: values for name, values in columns.items() if any(each is not None for each in values)}
    return [[*shown], *map(list, zip(*shown.values(), strict=True))]


def _page(result: QuoteResult) -> int | str | None:
    """Return the page of the passage, or its pages as a text."""
    pages = result.places[0].pages if result.places else ()
    return pages[0] if len(pages) == 1 else ", ".join(map(str, pages)) or None


def _text(value: CellValue) -> str:
    """Return a value as the text of a cell."""
    return _UNSAFE.sub(lambda match: spelled_out(match[0]), _LINE_END.sub("\n", cell_text(value)))


def _title(table: QuoteTable | None) -> str:
    title = _NOT_IN_TITLES.sub(" ", "quotes" if table is None else table.title).strip(" '")
    return title[:_MAX_TITLE_CHARS] or "quotes"


def _cell(sheet: object, value: CellValue, style: str) -> "WriteOnlyCell":
    """Return a cell of a workbook; a text is never a formula, not even after somebody edits the cell."""
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet)
    # Before the value, because a date sets its own format.
    cell.style = style
    if not isinstance(value, str):
        cell.value = value
        return cell
    text = _text(value)
    cell.value = text if len(text) <= _WORKBOOK_CELL_CHARS else f"{text[: _WORKBOOK_CELL_CHARS - 1]}…"
    cell.data_type = "s"
    if FORMULA_STARTS.intersection(text[:1]):
        cell.quotePrefix = True
    return cell


def _add_styles(book: "Workbook") -> None:
    """Add the styles of cells; one for all cells takes a third of the time that one for each takes."""
    from openpyxl.styles import Alignment, Font, NamedStyle

    alignment = Alignment(wrap_text=True, vertical="top")
    book.add_named_style(NamedStyle(_TEXT_STYLE, alignment=alignment))
    book.add_named_style(NamedStyle(_HEAD_STYLE, alignment=alignment, font=Font(bold=True)))


def _saved(book: "Workbook") -> bytes:
    """Return the bytes of a workbook, without the time of writing."""
    written, steady = BytesIO(), BytesIO()
    book.save(written)
    with zipfile.ZipFile(written) as archive, zipfile.ZipFile(steady, "w", zipfile.ZIP_DEFLATED) as target:
        for name in archive.namelist():
            content = archive.read(name)
            if name == "docProps/core.xml":
                content = _properties(book)
            target.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    return steady.getvalue()


def _properties(book: "Workbook") -> bytes:
    from openpyxl.utils.datetime import from_ISO8601
    from openpyxl.xml.functions import tostring

    book.properties.creator = "groundwire"
    book.properties.created = book.properties.modified = from_ISO8601("1980-01-01T00:00:00Z")
    content: bytes = tostring(book.properties.to_tree())
    return content
