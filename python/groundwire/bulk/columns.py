"""Columns of results, appended to what was given. Needs pyarrow."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow

from groundwire._engine import Grounder
from groundwire.bulk.batches import like

__all__ = ["LABELS", "TEXT", "Fields", "Row", "append", "of_rows", "texts"]

TEXT = pyarrow.string()
LABELS = pyarrow.list_(TEXT)

Row = dict[str, Any]
Fields = Sequence[tuple[str, Any]]
"""Name and type of each column."""


def append(given: Any, fields: Fields, columns: Callable[[Any], list[Any]]) -> Any:
    """
    Return *given*, a batch, table or stream, with the columns *fields* after its own.

    Args:
        given: Whatever has Arrow's interface for Python.
        fields: Name and type of each column.
        columns: Returns them for a batch of pyarrow.

    Raises:
        ValueError: There is a column of that name already.
        TypeError: *given* has no such interface.
    """
    names = [name for name, _ in fields]

    def extended(schema: Any) -> Any:
        for name, of_type in fields:
            if name in schema.names:
                raise ValueError(f"there is a column called '{name}' already")
            schema = schema.append(pyarrow.field(name, of_type))
        return schema

    def one(batch: Any, schema: Any) -> Any:
        return pyarrow.record_batch([*batch.columns, *columns(batch)], schema=schema)

    if hasattr(given, "__arrow_c_array__"):
        # pyarrow refuses an empty slice of views that has gone through its own interface.
        batch = given if isinstance(given, pyarrow.RecordBatch) else pyarrow.record_batch(given)
        return one(batch, extended(batch.schema))
    if not hasattr(given, "__arrow_c_stream__"):
        raise TypeError(f"a batch must have Arrow's interface, got {type(given).__name__}; for {', '.join(names)}")
    reader = pyarrow.RecordBatchReader.from_stream(given)
    schema = extended(reader.schema)
    return like(given, pyarrow.RecordBatchReader.from_batches(schema, (one(batch, schema) for batch in reader)))


def of_rows(fields: Fields, rows: Iterator[Row]) -> list[Any]:
    """Return the columns *fields* with the values of each row by their names; absent ones are null."""
    made = list(rows)
    return [pyarrow.array([row.get(name) for row in made], of_type) for name, of_type in fields]


def texts(batch: Any, name: str) -> Iterator[tuple[str, str | None]]:
    """
    Yield each text of a column of strings of any kind, and what is wrong with it: then it is empty.

    Raises:
        ValueError: There is no such column, or it is broken.
        TypeError: It has something else than strings.
    """
    read, _, errors, _, _ = Grounder(quote=name, source=name)._rows(batch)
    for text, error in zip(read, errors, strict=True):
        yield text, None if error is None else error.replace("the source", "the text")
