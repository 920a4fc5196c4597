"""A part as JSON lines or CSV, a column at a time."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.types as types

from groundwire.bulk.reading_jsonl import LINE

__all__ = ["write_csv", "write_json_lines"]

# Rows that are turned into text in one go.
_STEP = 1 << 14


def write_json_lines(file: Any, table: pa.Table) -> None:
    """
    Write a JSON object for each row.

    Where the table has lines that were read, those stay as they are, and what is new
    comes after what they say.
    """
    for start in range(0, len(table), _STEP):
        rows = table.slice(start, _STEP)
        for line in _lines(rows).to_pylist():
            file.write(line)


def _lines(rows: pa.Table) -> pa.Array:
    """Return the lines, with their ends."""
    parts: list[Any] = []
    names = list(rows.schema.names)
    if LINE in names:
        results = names[names.index(LINE) + 1 :]
        parts.append(_opened(rows.column(LINE)))
        names = results
    else:
        parts.append(b"{")
    for place, name in enumerate(names):
        comma = b"," if place else b""
        parts += [comma + msgspec.json.encode(name) + b":", _as_json(rows.column(name))]
    parts.append(b"}\n")
    scalars = [pa.scalar(part, pa.large_binary()) if isinstance(part, bytes) else part for part in parts]
    joined = pc.binary_join_element_wise(*scalars, pa.scalar(b"", pa.large_binary()))
    return joined.combine_chunks() if isinstance(joined, pa.ChunkedArray) else joined


def _opened(lines: pa.ChunkedArray) -> pa.Array:
    """Return objects without the brace at their end, ready for another field."""
    bodies = [line[:-1].rstrip() for line in lines.to_pylist()]
    return pa.array([body if body == b"{" else body + b"," for body in bodies], pa.large_binary())


def _as_json(column: pa.ChunkedArray) -> pa.Array:
    """Return each value as JSON, in UTF-8."""
    array = column.combine_chunks()
    kind = array.type
    if types.is_boolean(kind) or types.is_integer(kind):
        told = array.cast(pa.string())
    elif types.is_dictionary(kind):
        values = _encoded(array.dictionary.to_pylist())
        told = values.take(array.indices)
    else:
        told = _encoded(array.to_pylist())
    return told.cast(pa.large_binary()).fill_null(b"null")


def _encoded(values: Sequence[Any]) -> pa.Array:
    return pa.array([None if value is None else msgspec.json.encode(value) for value in values], pa.large_binary())


def write_csv(file: Any, table: pa.Table, *, has_header: bool) -> None:
    """Write rows as CSV; lists and what is made of several values as JSON."""
    if has_header:
        header = pa.table({name: pa.array([], pa.string()) for name in table.schema.names})
        pacsv.write_csv(header, file)
    for start in range(0, len(table), _STEP):
        rows = table.slice(start, _STEP)
        plain = pa.table({name: _plain(rows.column(name)) for name in rows.schema.names})
        pacsv.write_csv(plain, file, pacsv.WriteOptions(include_header=False))


def _plain(column: pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    kind = column.type
    if types.is_dictionary(kind):
        return column.cast(kind.value_type)
    if types.is_nested(kind):
        return _as_json(column).cast(pa.large_string())
    return column
