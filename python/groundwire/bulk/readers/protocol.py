"""Defines the results of readers: chunks of rows, and malformed lines."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import pyarrow as pa

__all__ = ["CODEC", "MalformedLine", "RowChunk", "RowReader", "bytes_of"]

CODEC = "zstd"
"""The default compression of Parquet columns."""


class MalformedLine(NamedTuple):
    """Holds a malformed line: its number from 1, the error, and its content."""

    number: int
    error: str
    content: bytes


class RowChunk(NamedTuple):
    """
    Rows that are read together.

    Attributes:
        rows: The rows.
        items: The number of rows, or of lines including malformed ones.
        malformed: Malformed lines.
        position: The position in the file, in the unit of the reader's `total`.
    """

    rows: pa.RecordBatch
    items: int
    malformed: list[MalformedLine]
    position: float


class RowReader(Protocol):
    """Reads one file from its first row to its last."""

    schema: pa.Schema
    """The columns of the chunks."""
    file_schema: pa.Schema
    """The columns of the file; strings may have other types there."""
    total: int
    """The length of the file in the unit of `RowChunk.position`: rows, batches or bytes."""
    codec: str
    """The compression for Parquet columns of the output: that of the file, if it is Parquet."""

    def chunks(self, skip: int) -> Iterator[RowChunk]:
        """Yield the file from item *skip* on, which is the beginning of a chunk; chunks are the same each time."""


def bytes_of(batch: pa.RecordBatch) -> int:
    """Return the size of rows in memory, without dictionaries that they share with other rows."""
    return sum(
        (column.indices if isinstance(column, pa.DictionaryArray) else column).nbytes for column in batch.columns
    )
