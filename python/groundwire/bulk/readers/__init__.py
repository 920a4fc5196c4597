"""
Reads files of rows in chunks, so that no more than one chunk of a file is in memory.

`columnar` reads Parquet and Arrow, `delimited` reads CSV and JSON lines, and `protocol` defines readers.
"""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.types as types

from groundwire.bulk.inputs import FileFormat, InputFile, root_cause
from groundwire.bulk.policies import RowPolicy
from groundwire.bulk.readers.protocol import RowChunk, RowReader
from groundwire.delimited import TableColumns, table_columns
from groundwire.errors import BulkError
from groundwire.file_kinds import json_kind, unreadable_kind

__all__ = ["open_reader", "read_chunks"]

_HEAD_BYTES = 1 << 16
# The errors of readers for a broken file; names of columns may be invalid UTF-8 too.
_BROKEN = (pa.ArrowException, OSError, EOFError, UnicodeDecodeError)
# An Arrow stream, which has no signature, may look like one of these.
_ALSO_ARROW = ("binary", "utf-16")


def open_reader(file: InputFile, policy: RowPolicy, *, keeps_lines: bool, rows: int, size_bytes: int) -> RowReader:
    """
    Open *file*.

    Args:
        file: The file.
        policy: Names the columns with quotes and sources.
        keeps_lines: Whether JSON lines are kept as they are; such chunks can be written as JSON lines only.
        rows: The maximum rows of a chunk.
        size_bytes: The approximate size of a chunk.

    Raises:
        BulkError: The file is broken, or of another format.
    """
    try:
        _check_kind(file, policy)
        reader = _reader(file, policy, rows, size_bytes, keeps_lines=keeps_lines)
        # Names of columns may be invalid UTF-8, which shows when they are read.
        _check_names(reader.file_schema)
        return reader
    except _BROKEN as error:
        # Arrow's own message may repeat content of the file.
        if reason := root_cause(error):
            raise BulkError(f"cannot read `{file.name}`: {reason}") from error
        raise BulkError(
            f"`{file.name}` cannot be read as {file.encoding.format} ({type(error).__name__}): it is broken, cut off, "
            "or something else"
        ) from error


def _check_names(fields: Iterable[pa.Field]) -> None:
    """Raise UnicodeDecodeError unless the names of all fields, nested ones included, are valid UTF-8."""
    for field in fields:
        # pyarrow decodes a name when it is read.
        _ = field.name
        if types.is_nested(field.type):
            _check_names(field.type.field(index) for index in range(field.type.num_fields))


def _reader(file: InputFile, policy: RowPolicy, rows: int, size_bytes: int, *, keeps_lines: bool) -> RowReader:
    if file.encoding.format is FileFormat.PARQUET:
        from groundwire.bulk.readers.columnar import ParquetReader

        return ParquetReader(file, policy, rows, size_bytes)
    if file.encoding.format is FileFormat.ARROW:
        from groundwire.bulk.readers.columnar import ArrowReader

        return ArrowReader(file, policy, rows, size_bytes)
    if file.encoding.format is FileFormat.CSV:
        from groundwire.bulk.readers.delimited import CsvReader

        return CsvReader(file, size_bytes)
    from groundwire.bulk.readers.delimited import JsonlReader

    return JsonlReader(file, policy, size_bytes, keeps_lines=keeps_lines)


def _check_kind(file: InputFile, policy: RowPolicy) -> None:
    """
    Check that the beginning of a file fits the format that its name promises.

    Raises:
        BulkError: It looks like something else, which the message names.
    """
    expected = file.encoding.format
    with file.stream() if file.encoding.compression else file.open() as opened:
        head = bytes(opened.read(_HEAD_BYTES))
    kind = unreadable_kind(head, is_whole=len(head) < _HEAD_BYTES)
    is_text = expected in (FileFormat.CSV, FileFormat.JSONL)
    if kind is not None and kind.code != expected and (is_text or kind.code not in _ALSO_ARROW):
        raise BulkError(f"`{file.name}` looks like {kind.words}", kind.hint)
    if not is_text:
        return
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise BulkError(f"`{file.name}` looks like UTF-16", "`iconv -f UTF-16 -t UTF-8` converts it")
    text = head.decode("utf-8", "replace")
    json = json_kind(text)
    if expected is FileFormat.CSV and json is not None:
        raise BulkError(f"`{file.name}` looks like JSON, and not like CSV", "--input-format jsonl reads JSON lines")
    columns: TableColumns = {"quote": (policy.quote.lower(),), "source": (policy.source.lower(),)}
    if expected is FileFormat.JSONL and json is None and table_columns(text, columns, needed="quote") is not None:
        raise BulkError(f"`{file.name}` looks like CSV, and not like JSON lines", "--input-format csv reads it")
    if expected is FileFormat.JSONL and json == "json" and text.lstrip("\ufeff \t\r\n").startswith("["):
        raise BulkError(
            f"`{file.name}` looks like a list of JSON, and not like JSON lines", "write one object in each line"
        )


def read_chunks(reader: RowReader, file: InputFile, skip: int) -> Iterator[RowChunk]:
    """
    Yield the chunks of *file* from item *skip* on.

    Raises:
        BulkError: The file is broken, or can no longer be reached.
    """
    try:
        yield from reader.chunks(skip)
    except _BROKEN as error:
        if reason := root_cause(error):
            raise BulkError(f"cannot read `{file.name}` to its end: {reason}", "the same call resumes it") from error
        kind = f"{file.encoding.format} ({type(error).__name__})"
        raise BulkError(f"`{file.name}` cannot be read to its end as {kind}: it is broken or cut off") from error
