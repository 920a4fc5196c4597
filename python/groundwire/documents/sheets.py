"""Reads tables: workbooks (XLSX) and delimited text, a part for each cell."""

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import Any, NamedTuple, TypeAlias

from groundwire.delimited import lines_of, records
from groundwire.documents.archives import open_archive
from groundwire.documents.document import PartKind
from groundwire.documents.parts import PartsBuilder
from groundwire.errors import DocumentError

__all__ = ["CellValue", "SheetRow", "cell_text", "column_index", "column_name", "read_csv", "read_xlsx", "sheet_rows"]

CellValue: TypeAlias = Any
"""A value as openpyxl reads it: a text, a number, a bool, a date, a time, or None for an empty cell."""

_WORDS = "an Excel workbook"
_MAX_CELLS = 20_000_000
_MAX_CELL_CHARS = 1_000_000
_COLUMN = re.compile(r"[A-Za-z]{1,3}\Z")
# Excel escapes control characters in this way, including the CR of a line end.
_ESCAPE = "_x"


class SheetRow(NamedTuple):
    """Holds a row of a workbook: the title of its sheet, its number from 1, and its values."""

    sheet: str
    number: int
    values: tuple[CellValue, ...]


def read_xlsx(content: bytes, name: str | None) -> PartsBuilder:
    """
    Return the text of a workbook: a row on a line, and the path of each cell as `Sheet1!B3`.

    A formula is read as the value that was saved with it.

    Raises:
        DocumentError: The workbook is damaged or larger than the limits.
    """
    built = PartsBuilder(name)
    for sheet, number, values in sheet_rows(content, name):
        _add_row(built, name, f"{sheet}!", number, map(cell_text, values))
    return built


def sheet_rows(content: bytes, name: str | None, *, fill_merged: bool = False) -> Iterator[SheetRow]:
    """
    Yield the rows of all sheets of a workbook.

    Args:
        content: The file.
        name: The name of the file in errors.
        fill_merged: Whether each row of cells that are merged over several rows has their value, in the first of
            their columns. Otherwise only the first row has it, as in the file.

    Raises:
        DocumentError: It is damaged or larger than the limits.
    """
    import openpyxl

    seen = 0
    with open_archive(content, name, _WORDS):
        book = openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=True, keep_links=False)
        for sheet in book.worksheets:
            # The size that the file states may be wrong.
            sheet.reset_dimensions()
            rows = sheet.iter_rows(values_only=True)
            filled = _filled(rows, _merged_below(content, sheet)) if fill_merged else rows
            for number, row in enumerate(filled, start=1):
                seen += len(row) + 1
                if seen > _MAX_CELLS:
                    raise DocumentError(
                        name, "too_large", f"{_WORDS} of more than {_MAX_CELLS:,} cells", "split it first"
                    )
                if any(isinstance(value, str) and len(value) > _MAX_CELL_CHARS for value in row):
                    raise _too_large(name)
                yield SheetRow(sheet.title, number, row)
        book.close()


def _merged_below(content: bytes, sheet: Any) -> dict[int, list[tuple[int, int]]]:
    """Return for each first row of merged cells their first column, from 0, and their last row; one row is left out."""
    from xml.etree.ElementTree import iterparse

    from openpyxl.utils import range_boundaries

    below: dict[int, list[tuple[int, int]]] = {}
    # openpyxl knows merged cells only for a workbook that is in memory as a whole.
    with zipfile.ZipFile(BytesIO(content)) as archive, archive.open(sheet._worksheet_path) as xml:
        for _, element in iterparse(xml):
            if element.tag.endswith("}mergeCell"):
                column, first, _, last = range_boundaries(element.get("ref", ""))
                if last > first:
                    below.setdefault(first, []).append((column - 1, last))
            element.clear()
    return below


def _filled(
    rows: Iterable[tuple[CellValue, ...]], below: dict[int, list[tuple[int, int]]]
) -> Iterator[tuple[CellValue, ...]]:
    """Yield *rows* with the value of merged cells in each of their rows."""
    # By column: the value, and the last row that has it.
    merged: dict[int, tuple[CellValue, int]] = {}
    for number, row in enumerate(rows, start=1):
        starting = {column: (row[column], last) for column, last in below.get(number, ()) if column < len(row)}
        merged = {column: held for column, held in (merged | starting).items() if held[1] >= number}
        yield _with_values(row, {column: value for column, (value, _) in merged.items()}) if merged else row


def _with_values(row: Sequence[CellValue], values: dict[int, CellValue]) -> tuple[CellValue, ...]:
    width = max(len(row), max(values) + 1)
    cells = [*row, *(None,) * (width - len(row))]
    return tuple(values.get(column, cell) for column, cell in enumerate(cells))


def cell_text(value: CellValue) -> str:
    """Return the text of a cell with this value."""
    if value is None:
        return ""
    if isinstance(value, str) and _ESCAPE in value:
        from openpyxl.utils.escape import unescape

        unescaped: str = unescape(value)
        return unescaped
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def read_csv(text: str, name: str | None, delimiter: str) -> PartsBuilder:
    """
    Return the text of a table: a row on a line, and the path of each cell as `B3`.

    Raises:
        DocumentError: A cell or all of them are larger than the limits.
        SourceDataError: A quoted field does not end, or text follows its end.
    """
    built = PartsBuilder(name)
    for number, row in enumerate(records(lines_of([text], name or ""), name or "", delimiter), start=1):
        _add_row(built, name, "", number, row.texts)
    return built


def _add_row(built: PartsBuilder, name: str | None, sheet: str, number: int, cells: Iterable[str]) -> None:
    filled = [(column, cell) for column, cell in enumerate(cells) if cell.strip()]
    for column, cell in filled:
        if len(cell) > _MAX_CELL_CHARS:
            raise _too_large(name)
        end = "\n" if column == filled[-1][0] else "\t"
        built.add(cell, f"{sheet}{column_name(column)}{number}", PartKind.TABLE, end=end)


def _too_large(name: str | None) -> DocumentError:
    return DocumentError(
        name, "too_large", f"a table with a cell of more than {_MAX_CELL_CHARS:,} characters", "split it first"
    )


def column_name(column: int) -> str:
    """Return the letters of a column, from 0: A, B, ..., Z, AA."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def column_index(letters: str) -> int | None:
    """Return the index from 0 of the column that *letters* name, such as A or AB; None for any other text."""
    if not _COLUMN.match(letters):
        return None
    index = 0
    for letter in letters.upper():
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1
