"""
Tables: a unit for each row, then one for each column as a whole.

`groundwire.delimited` says what a row is.
"""

from collections.abc import Iterable, Iterator, Sequence

from groundwire.delimited import Record, check_width, delimiter_of, lines_of, records
from groundwire.errors import SourceDataError
from groundwire.faithfulness.sources.columns import Column, cell_number
from groundwire.faithfulness.sources.units import Locator, Unit, record_units

__all__ = ["MAX_COLUMNS", "looks_like_table", "table_units"]

MAX_COLUMNS = 10_000
_HEADER_CHARS = 100
_SEEN_ROWS = 20


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
    if len(first.texts) > MAX_COLUMNS:
        raise SourceDataError(name, f"more than {MAX_COLUMNS:,} columns", first.line)
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
    lines = lines_of([text[:100_000]], "")
    try:
        delimiter = delimiter_of(text[:100_000])
        found = [record for record, _ in zip(records(lines, "", delimiter), range(_SEEN_ROWS), strict=False)]
    except SourceDataError:
        return False
    filled = [record for record in found if not record.is_blank]
    # What was cut off at the end may be half a row.
    filled = filled[:-1] if len(text) > 100_000 and len(filled) > 3 else filled
    if len(filled) < 3:
        return False
    names = [text.strip() for text in filled[0].texts]
    are_names = len(names) > 1 and _is_header(names) and len({*names}) == len(names)
    return are_names and all(map(_may_be_name, names)) and all(len(each.texts) == len(names) for each in filled)


def _may_be_name(name: str) -> bool:
    return 0 < len(name) <= 40 and len(name.split()) <= 5 and not name.endswith((".", "!", "?", ":"))


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
