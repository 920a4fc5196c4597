"""Files of rows, read piece by piece: never more of one in memory than a piece."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

import pyarrow as pa
import pyarrow.types as types

from groundwire.bulk.formats import Format
from groundwire.bulk.inputs import InputFile
from groundwire.bulk.options import Rule
from groundwire.bulk.places import outer_reason
from groundwire.delimited import TableColumns, table_columns
from groundwire.errors import BulkError
from groundwire.file_kinds import json_kind, unreadable_kind

__all__ = ["CODEC", "Chunk", "LineProblem", "Reader", "bytes_of", "open_reader", "read_chunks"]


_HEAD_BYTES = 1 << 16
# What readers raise of a broken file. Names of columns may not be valid UTF-8 either.
_BROKEN = (pa.ArrowException, OSError, EOFError, UnicodeDecodeError)
# What a stream of Arrow, which has no signature, may look like.
_ALSO_ARROW = ("binary", "utf-16")

CODEC = "zstd"
"""What columns of Parquet are packed with where nothing else is known."""


class LineProblem(NamedTuple):
    """A line, from 1, that is no row: what is wrong with it, and what it says."""

    line: int
    error: str
    content: bytes


class Chunk(NamedTuple):
    """
    What was read in one go.

    Attributes:
        rows: The rows.
        items: What of the file was read for them: rows, or lines with those that are none.
        problems: Lines that are no rows.
        position: How far the file is read now, in the unit of the reader's `total`.
    """

    rows: pa.RecordBatch
    items: int
    problems: list[LineProblem]
    position: float


class Reader(Protocol):
    """A file, from its first row to its last."""

    schema: pa.Schema
    """The columns of what is read."""
    shown_schema: pa.Schema
    """The columns of the file; there may be other types of strings."""
    total: int
    """How long the file is, in rows or batches, or in bytes; what `Chunk.position` counts."""
    codec: str
    """What columns of Parquet are packed with, if the file is one; else what they are best packed with."""

    def chunks(self, skip: int) -> Iterator[Chunk]:
        """Yield the file from its item *skip* on, which is where a chunk began; chunks are the same each time."""


def open_reader(file: InputFile, rule: Rule, *, keeps_lines: bool, rows: int, size_bytes: int) -> Reader:
    """
    Open *file*.

    Args:
        file: What is read.
        rule: Which columns have the quotes and the sources.
        keeps_lines: Whether the lines of JSONL are kept as they are, which only JSONL can be written from.
        rows: Rows that a chunk has, at most.
        size_bytes: Bytes that it takes, roughly.

    Raises:
        BulkError: The file is broken, or of another format.
    """
    try:
        _check_kind(file, rule)
        reader = _reader(file, rule, rows, size_bytes, keeps_lines=keeps_lines)
        # Names of columns may be no text; that shows when they are asked for.
        _check_names(reader.shown_schema)
        return reader
    except _BROKEN as error:
        # Arrow's own words may hold what the file says.
        if reason := outer_reason(error):
            raise BulkError(f"cannot read `{file.name}`: {reason}") from error
        raise BulkError(
            f"`{file.name}` cannot be read as {file.form.format} ({type(error).__name__}): broken, cut off, "
            "or something else"
        ) from error


def _check_names(fields: Iterable[pa.Field]) -> None:
    """Raise UnicodeDecodeError unless all names are text, of fields in fields too."""
    for field in fields:
        # pyarrow decodes a name when it is asked for.
        _ = field.name
        if types.is_nested(field.type):
            _check_names(field.type.field(place) for place in range(field.type.num_fields))


def _reader(file: InputFile, rule: Rule, rows: int, size_bytes: int, *, keeps_lines: bool) -> Reader:
    if file.form.format is Format.PARQUET:
        from groundwire.bulk.reading_parquet import ParquetReader

        return ParquetReader(file, rule, rows, size_bytes)
    if file.form.format is Format.ARROW:
        from groundwire.bulk.reading_arrow import ArrowReader

        return ArrowReader(file, rule, rows, size_bytes)
    if file.form.format is Format.CSV:
        from groundwire.bulk.reading_csv import CsvReader

        return CsvReader(file, size_bytes)
    from groundwire.bulk.reading_jsonl import JsonlReader

    return JsonlReader(file, rule, size_bytes, keeps_lines=keeps_lines)


def _check_kind(file: InputFile, rule: Rule) -> None:
    """
    Check that a file does not begin like something else than its name says.

    Raises:
        BulkError: It does. Says what it looks like.
    """
    its = file.form.format
    with file.stream() if file.form.compression else file.open() as opened:
        head = bytes(opened.read(_HEAD_BYTES))
    kind = unreadable_kind(head, is_whole=len(head) < _HEAD_BYTES)
    is_text = its in (Format.CSV, Format.JSONL)
    if kind is not None and kind.code != its and (is_text or kind.code not in _ALSO_ARROW):
        raise BulkError(f"`{file.name}` looks like {kind.words}", kind.hint)
    if not is_text:
        return
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise BulkError(f"`{file.name}` looks like UTF-16", "`iconv -f UTF-16 -t UTF-8` converts it")
    text = head.decode("utf-8", "replace")
    shown = json_kind(text)
    if its is Format.CSV and shown is not None:
        raise BulkError(f"`{file.name}` looks like JSON, and not like CSV", "--format jsonl reads JSON lines")
    columns: TableColumns = {"quote": (rule.quote.lower(),), "source": (rule.source.lower(),)}
    if its is Format.JSONL and shown is None and table_columns(text, columns, needed="quote") is not None:
        raise BulkError(f"`{file.name}` looks like CSV, and not like JSON lines", "--format csv reads it")
    if its is Format.JSONL and shown == "json" and text.lstrip("\ufeff \t\r\n").startswith("["):
        raise BulkError(f"`{file.name}` looks like a list of JSON, and not like JSON lines", "write an object a line")


def read_chunks(reader: Reader, file: InputFile, skip: int) -> Iterator[Chunk]:
    """
    Yield what *reader* reads of *file* from item *skip* on.

    Raises:
        BulkError: The file is broken, or can no longer be reached.
    """
    try:
        yield from reader.chunks(skip)
    except _BROKEN as error:
        if reason := outer_reason(error):
            raise BulkError(
                f"cannot read `{file.name}` to its end: {reason}", "the same call goes on from there"
            ) from error
        kind = f"{file.form.format} ({type(error).__name__})"
        raise BulkError(f"`{file.name}` cannot be read to its end as {kind}: it is broken or cut off") from error


def bytes_of(batch: pa.RecordBatch) -> int:
    """Return the bytes that rows take, without the dictionaries that they share with others."""
    return sum(
        (column.indices if isinstance(column, pa.DictionaryArray) else column).nbytes for column in batch.columns
    )
