"""Tables: workbooks (XLSX) and delimited text, a part for each cell."""

import csv
import zipfile
from collections.abc import Iterable, Iterator
from io import BytesIO, StringIO
from typing import Any

from groundwire.documents.archives import open_archive
from groundwire.documents.document import PartKind
from groundwire.documents.parts import PartsBuilder, damaged
from groundwire.errors import DocumentError

__all__ = ["column_name", "read_csv", "read_xlsx", "sheet_rows"]

_WORDS = "an Excel workbook"
_MAX_CELLS = 20_000_000
_MAX_CELL_CHARS = 1_000_000


def read_xlsx(content: bytes, name: str | None) -> PartsBuilder:
    """
    Return the text of a workbook: a row on a line, and the path of each cell as `Sheet1!B3`.

    Of a formula the value is read that was saved with it.

    Raises:
        DocumentError: It is damaged or larger than the limits.
    """
    built = PartsBuilder(name)
    for sheet, number, cells in sheet_rows(content, name):
        _add_row(built, name, f"{sheet}!", number, cells)
    return built


def sheet_rows(content: bytes, name: str | None) -> Iterator[tuple[str, int, list[str]]]:
    """
    Yield the rows of all sheets of a workbook: the sheet's title, the number of the row from 1, and the cells.

    Raises:
        DocumentError: It is damaged or larger than the limits.
    """
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    open_archive(content, name, _WORDS).close()
    seen = 0
    try:
        book = openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=True, keep_links=False)
        for sheet in book.worksheets:
            # What the file says about its size may be wrong.
            sheet.reset_dimensions()
            for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
                seen += len(row) + 1
                if seen > _MAX_CELLS:
                    raise DocumentError(
                        name, "too_large", f"{_WORDS} of more than {_MAX_CELLS:,} cells", "split it first"
                    )
                yield sheet.title, number, [_shown(value) for value in row]
        book.close()
    except (InvalidFileException, zipfile.BadZipFile, SyntaxError):
        raise damaged(name, _WORDS) from None
    except (KeyError, ValueError, TypeError, AttributeError, IndexError, EOFError, OverflowError) as error:
        if isinstance(error, DocumentError):
            raise
        raise damaged(name, _WORDS) from None


def _shown(value: Any) -> str:
    """Return a value as a cell shows it."""
    if value is None:
        return ""
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
    """
    built = PartsBuilder(name)
    limit = csv.field_size_limit(_MAX_CELL_CHARS)
    try:
        for number, row in enumerate(csv.reader(StringIO(text, newline=""), delimiter=delimiter), start=1):
            _add_row(built, name, "", number, row)
    except csv.Error:
        raise _too_large(name) from None
    finally:
        csv.field_size_limit(limit)
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
