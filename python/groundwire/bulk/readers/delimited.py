"""
Reads CSV and JSON lines in UTF-8; malformed lines are kept apart with their numbers, and never stop a run.

Every column of CSV is text, so that the output has what was read. If JSON lines are written again, each line stays
as it is, and only quote and source are parsed; if another format is written, fields become columns.
"""

import csv
import io
import json
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.json as pajson

from groundwire.bulk.inputs import InputFile
from groundwire.bulk.policies import RowPolicy
from groundwire.bulk.readers.protocol import CODEC, MalformedLine, RowChunk
from groundwire.errors import BulkError
from groundwire.labels import show

__all__ = ["LINE", "MAX_LINE_BYTES", "MAX_MALFORMED_BYTES", "CsvReader", "JsonlReader"]

LINE = "groundwire:line"
"""The column with unchanged lines."""

_BLOCK_BYTES = 8 << 20
# A longer line is malformed: otherwise a file without line ends would come into memory as a whole.
MAX_LINE_BYTES = 64 << 20
# The part of such a line that is kept.
_BEGINNING_BYTES = 1 << 10

_Numbered = tuple[int, bytes]


class _UnfitError(Exception):
    """Reports a line of JSON that cannot be a row, without its values."""


class JsonlReader:
    """Reads JSON lines; blank lines are skipped."""

    codec = CODEC

    def __init__(self, file: InputFile, policy: RowPolicy, size_bytes: int, *, keeps_lines: bool) -> None:
        self._file = file
        self._block_bytes = min(size_bytes, _BLOCK_BYTES)
        self.total = file.size_bytes
        first = next(self._blocks(), ([], 0, 0))[0]
        self._parse = _KeptLines(policy, first) if keeps_lines else _Fields(first)
        self.schema, self.file_schema = self._parse.schema, self._parse.file_schema

    def chunks(self, skip: int) -> Iterator[RowChunk]:
        """Yield the lines from number *skip* on, which is the beginning of a chunk."""
        seen = 0
        for lines, items, position in self._blocks():
            seen += items
            if seen > skip:
                batches, malformed = _parse_lines(self._parse, lines)
                rows = pa.Table.from_batches(batches, self.schema).combine_chunks().to_batches()
                yield RowChunk(rows[0] if rows else _empty(self.schema), items, malformed, position)

    def _blocks(self) -> Iterator[tuple[list[_Numbered], int, int]]:
        """Yield lines that are not blank with their numbers, the number of all lines read, and the position."""
        number = 1
        with self._file.open() as raw, self._file.decompress(raw) as opened:
            rest = bytearray()
            while block := bytes(opened.read(self._block_bytes)):
                whole, newline, after = block.rpartition(b"\n")
                if not newline:
                    _lengthen(rest, block)
                    continue
                first, *others = whole.split(b"\n")
                _lengthen(rest, first)
                lines = [bytes(rest), *others]
                rest = bytearray(after)
                yield _numbered(lines, number), len(lines), raw.tell()
                number += len(lines)
            if rest:
                yield _numbered([bytes(rest)], number), 1, self.total


class _KeptLines:
    """Parses the quotes and sources of lines, and keeps the lines."""

    def __init__(self, policy: RowPolicy, first: Sequence[_Numbered]) -> None:
        self._names = policy.quote, policy.source
        taken = [name for name in policy.results if name not in self._names]
        names = dict(zip(("quote", "source"), self._names, strict=True)) | {f"taken_{name}": name for name in taken}
        self._decoder = msgspec.json.Decoder(
            msgspec.defstruct(
                "Row",
                [(key, Any, msgspec.field(name=name, default=msgspec.UNSET)) for key, name in names.items()],
            )
        )
        self._taken = attrgetter(*(f"taken_{name}" for name in taken))
        self._none_taken = (msgspec.UNSET,) * len(taken)
        known = dict(zip(self._names, self._kinds(first), strict=True))
        self._kind = {name: kind for name, kind in known.items() if kind is not None}
        self.schema = pa.schema([*self._kind.items(), (LINE, pa.binary())])
        others = [name for name in _keys(first) if name not in self._names]
        self.file_schema = pa.schema([*self._kind.items(), *((name, pa.null()) for name in others)])

    def __call__(self, lines: Sequence[_Numbered]) -> pa.RecordBatch:
        rows = [self._decoder.decode(line) for _, line in lines]
        if any(self._taken(row) != self._none_taken for row in rows):
            raise _UnfitError("the line has a field with the name of a result already")
        columns = {name: self._column(name, [getattr(row, at) for row in rows]) for name, at in self._asked()}
        columns[LINE] = pa.array([line.strip() for _, line in lines], pa.binary())
        return pa.record_batch(columns, schema=self.schema)

    def _asked(self) -> Iterator[tuple[str, str]]:
        for name, attribute in zip(self._names, ("quote", "source"), strict=True):
            if name in self._kind:
                yield name, attribute

    def _column(self, name: str, values: list[Any]) -> pa.Array:
        kind = self._kind[name]
        try:
            return pa.array([None if value is msgspec.UNSET else value for value in values], kind)
        except (pa.ArrowException, TypeError, OverflowError):
            raise _UnfitError(f"{show(name)} must be {_words(kind)}, as before, or null") from None

    def _kinds(self, first: Sequence[_Numbered]) -> tuple[pa.DataType | None, pa.DataType | None]:
        """Return the types of quotes and sources by the first lines; None for a field that no line has."""
        rows: list[Any] = []
        for _, line in first:
            try:
                rows.append(self._decoder.decode(line))
            except (msgspec.MsgspecError, UnicodeError):
                continue
        return _kind([row.quote for row in rows]), _kind([row.source for row in rows])


def _keys(first: Sequence[_Numbered]) -> list[str]:
    """Return the names of the fields of the first object."""
    for _, line in first:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            return list(row)
    return []


def _kind(values: Sequence[Any]) -> pa.DataType | None:
    """Return the type of the first value that is not null."""
    if all(value is msgspec.UNSET for value in values):
        return pa.string() if not values else None
    given = next((value for value in values if value is not msgspec.UNSET and value is not None), "")
    if isinstance(given, list):
        return pa.list_(pa.string())
    return pa.int64() if isinstance(given, int) and not isinstance(given, bool) else pa.string()


def _words(kind: pa.DataType | None) -> str:
    if kind == pa.string():
        return "a string"
    return "an integer" if kind == pa.int64() else "a list of strings"


class _Fields:
    """Parses lines into columns of the types that the first lines have."""

    def __init__(self, first: Sequence[_Numbered]) -> None:
        self.schema = pa.schema([])
        batches, _ = _parse_lines(lambda lines: _columns(lines, None), first)
        tables = [pa.Table.from_batches([batch]) for batch in batches]
        if tables:
            self.schema = pa.concat_tables(tables, promote_options="permissive").schema
        self.file_schema = self.schema

    def __call__(self, lines: Sequence[_Numbered]) -> pa.RecordBatch:
        return _columns(lines, self.schema)


def _columns(lines: Sequence[_Numbered], schema: pa.Schema | None) -> pa.RecordBatch:
    for _, line in lines:
        # Arrow's reader would read several objects in a line as several rows.
        if not isinstance(json.loads(line), dict):
            raise _UnfitError("the line is JSON, but not an object")
    unexpected = "infer" if schema is None else "error"
    parsing = pajson.ParseOptions(explicit_schema=schema, unexpected_field_behavior=unexpected)
    content = b"\n".join(line for _, line in lines)
    reading = pajson.ReadOptions(block_size=len(content) + 1, use_threads=False)
    table = pajson.read_json(io.BytesIO(content), reading, parsing).combine_chunks()
    return table.to_batches()[0] if table.num_rows else _empty(table.schema)


def _parse_lines(
    parse: Callable[[Sequence[_Numbered]], pa.RecordBatch], lines: Sequence[_Numbered]
) -> tuple[list[pa.RecordBatch], list[MalformedLine]]:
    """Return *lines* as rows and malformed lines; blocks with a malformed line are halved until it is found."""
    if not lines:
        return [], []
    number, first = lines[0]
    # Only the first line of a block can be longer than a block.
    if len(first) > MAX_LINE_BYTES:
        error = f"the line has more than {MAX_LINE_BYTES >> 20} MiB; this is its beginning"
        batches, malformed = _parse_lines(parse, lines[1:])
        return batches, [MalformedLine(number, error, first[:_BEGINNING_BYTES]), *malformed]
    try:
        return [parse(lines)], []
    except (msgspec.MsgspecError, UnicodeError, ValueError, RecursionError, _UnfitError, pa.ArrowException) as failure:
        if len(lines) == 1:
            return [], [MalformedLine(number, _describe(failure), first)]
    middle = len(lines) // 2
    before, after = _parse_lines(parse, lines[:middle]), _parse_lines(parse, lines[middle:])
    return before[0] + after[0], before[1] + after[1]


def _describe(error: Exception) -> str:
    """Return the error of a line, without its content."""
    if isinstance(error, _UnfitError):
        return str(error)
    if isinstance(error, msgspec.ValidationError):
        return "the line is JSON, but not an object"
    if isinstance(error, pa.ArrowException):
        return "the line has other fields than the first ones, or other types in them"
    return "the line is not JSON"


def _lengthen(line: bytearray, more: bytes) -> None:
    """Append *more* to a line, up to the length at which the line is malformed."""
    line += more[: MAX_LINE_BYTES + 1 - len(line)]


def _numbered(lines: Sequence[bytes], first: int) -> list[_Numbered]:
    if first == 1:
        lines = [lines[0].removeprefix(BOM_UTF8), *lines[1:]]
    return [(number, line) for number, line in enumerate(lines, first) if line.strip()]


def _empty(schema: pa.Schema) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)


# Number of bytes that are read for the names of the columns.
_HEAD_BYTES = 1 << 20
_BOM = "\ufeff"
# Maximum number of consecutive malformed rows in a chunk.
_MAX_MALFORMED = 1 << 12
# With more bytes of malformed rows than this, the file is another kind of CSV. Arrow returns no batch meanwhile.
MAX_MALFORMED_BYTES = 64 << 20
# The memory of a malformed row besides its text.
_ROW_BYTES = 256


class CsvReader:
    """
    Reads CSV with the names of its columns in the first row.

    A row with more or fewer values than there are columns is malformed. Its number counts rows from the first
    row of the file, as spreadsheets do: text in quotation marks may have several lines.
    """

    codec = CODEC

    def __init__(self, file: InputFile, size_bytes: int) -> None:
        self._file = file
        self._block_bytes = size_bytes
        self.total = file.size_bytes
        names = _names(file)
        self.schema = self.file_schema = pa.schema([(name, pa.string()) for name in names])
        if len(set(names)) < len(names):
            raise BulkError(f"`{file.name}` has two columns of the same name")

    def chunks(self, skip: int) -> Iterator[RowChunk]:
        """Yield the rows from number *skip* on, which is where a chunk began."""
        noted = _MalformedRows()
        seen = 0
        with self._file.open() as raw, self._file.decompress(raw) as opened:
            for batch in chain(self._rows(opened, noted), [None]):
                for malformed, rows in self._with_malformed(batch, noted, seen):
                    items = len(malformed) + rows.num_rows
                    if seen >= skip and items:
                        yield RowChunk(rows, items, malformed, raw.tell())
                    seen += items

    def _with_malformed(
        self, batch: pa.RecordBatch | None, noted: "_MalformedRows", seen: int
    ) -> Iterator[tuple[list[MalformedLine], pa.RecordBatch]]:
        """
        Yield *batch*, or the end of the file if it is None, with the malformed rows before its last row.

        Arrow reads ahead, so later rows may be *noted* already or not; only the numbers of the rows decide on the
        chunk that they belong to.
        """
        rows = pa.RecordBatch.from_pylist([], schema=self.schema)
        # Many of them are split, so that a file of malformed rows is never in memory as a whole.
        while len(noted) >= _MAX_MALFORMED and _rows_before(noted[_MAX_MALFORMED - 1]) == seen + _MAX_MALFORMED - 1:
            yield [noted.take() for _ in range(_MAX_MALFORMED)], rows
            seen += _MAX_MALFORMED
        if batch is None:
            yield [noted.take() for _ in range(len(noted))], rows
            return
        malformed: list[MalformedLine] = []
        while noted and _rows_before(noted[0]) < seen + len(malformed) + batch.num_rows:
            malformed.append(noted.take())
        yield malformed, batch

    def _rows(self, opened: pa.NativeFile, noted: "_MalformedRows") -> Iterator[pa.RecordBatch]:
        def note(row: pacsv.InvalidRow) -> str:
            error = f"the row has {row.actual_columns} values, there are {row.expected_columns} columns"
            noted.add(MalformedLine(row.number, error, row.text.encode()))
            return "error" if noted.is_too_much else "skip"

        # One thread, or invalid rows have no numbers.
        reading = pacsv.ReadOptions(block_size=self._block_bytes, use_threads=False)
        parsing = pacsv.ParseOptions(newlines_in_values=True, invalid_row_handler=note)
        types = {name: pa.string() for name in self.schema.names}
        converting = pacsv.ConvertOptions(column_types=types, strings_can_be_null=False)
        if not self.schema.names:
            return
        try:
            with pacsv.open_csv(opened, reading, parsing, converting) as reader:
                yield from reader
        except pa.ArrowInvalid as error:
            if noted.is_too_much:
                raise BulkError(
                    f"`{self._file.name}` has {len(noted):,} consecutive rows with more or fewer values than there "
                    "are columns",
                    "values are separated by commas, and the first row has the names of the columns",
                ) from None
            # Arrow's message differs from that for a broken file in this word.
            if "straddl" not in str(error):
                raise
            raise BulkError(
                f"`{self._file.name}` has a row of more than {self._block_bytes:,} bytes, which are read at once",
                "use a larger --memory-limit with --no-resume; or a quotation mark is not closed",
            ) from None


class _MalformedRows(deque[MalformedLine]):
    """Malformed rows that are in no chunk yet."""

    def __init__(self) -> None:
        super().__init__()
        self._bytes = 0

    @property
    def is_too_much(self) -> bool:
        """Whether they take more memory than allowed."""
        return self._bytes > MAX_MALFORMED_BYTES

    def add(self, line: MalformedLine) -> None:
        """Append a row."""
        self._bytes += len(line.content) + _ROW_BYTES
        self.append(line)

    def take(self) -> MalformedLine:
        """Remove and return the first row."""
        line = self.popleft()
        self._bytes -= len(line.content) + _ROW_BYTES
        return line


def _names(file: InputFile) -> list[str]:
    """Return the names of the columns."""
    with file.stream() as opened:
        head = bytes(opened.read(_HEAD_BYTES))
    try:
        text = head.decode("utf-8", "strict" if len(head) < _HEAD_BYTES else "ignore").removeprefix(_BOM)
    except UnicodeDecodeError:
        raise BulkError(f"`{file.name}` is not UTF-8", "`iconv -f ENCODING -t UTF-8` converts it") from None
    try:
        return next(filter(None, csv.reader(io.StringIO(text, newline=""))), [])
    except csv.Error:
        raise BulkError(
            f"the first row of `{file.name}` has a value of more than {csv.field_size_limit():,} characters",
            "the first row has the names of the columns",
        ) from None


def _rows_before(line: MalformedLine) -> int:
    """Return the number of rows before it; the names of the columns are row 1."""
    return line.number - 2
