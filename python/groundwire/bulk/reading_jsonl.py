"""
JSON lines: an object a line.

Where JSON lines are written again, each line stays as it is, and of what it holds
only quote and source are read. Where something else is written, its fields become
columns. A line that is broken, or does not fit the others, is a problem of that line alone.
"""

import io
import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.json as pajson

from groundwire.bulk.inputs import InputFile
from groundwire.bulk.options import Rule
from groundwire.bulk.reading import CODEC, Chunk, LineProblem
from groundwire.labels import show

__all__ = ["LINE", "JsonlReader"]

LINE = "groundwire:line"
"""The column with the lines as they are."""

_BLOCK_BYTES = 8 << 20
# A longer line is a problem: a file without line ends, whatever it is, would come into memory as a whole.
_LINE_BYTES = 64 << 20
# What is told of such a line.
_BEGINNING_BYTES = 1 << 10

_Numbered = tuple[int, bytes]


class _UnfitError(Exception):
    """A line that is JSON does not have what is asked for; says what, in words without its values."""


class JsonlReader:
    """A file of JSON lines in UTF-8; blank lines are passed over."""

    codec = CODEC

    def __init__(self, file: InputFile, rule: Rule, size_bytes: int, *, keeps_lines: bool) -> None:
        self._file = file
        self._block_bytes = min(size_bytes, _BLOCK_BYTES)
        self.total = file.size_bytes
        first = next(self._blocks(), ([], 0, 0))[0]
        self._table = _Lines(rule, first) if keeps_lines else _Fields(first)
        self.schema, self.shown_schema = self._table.schema, self._table.shown_schema

    def chunks(self, skip: int) -> Iterator[Chunk]:
        """Yield the lines from number *skip* on, which is where a chunk began."""
        seen = 0
        for lines, items, position in self._blocks():
            seen += items
            if seen > skip:
                batches, problems = _fitting(self._table, lines)
                rows = pa.Table.from_batches(batches, self.schema).combine_chunks().to_batches()
                yield Chunk(rows[0] if rows else _empty(self.schema), items, problems, position)

    def _blocks(self) -> Iterator[tuple[list[_Numbered], int, int]]:
        """Yield lines that are not blank with their numbers, how many lines were read for them, and how far."""
        number = 1
        with self._file.open() as packed, self._file.unpacked(packed) as opened:
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
                yield _numbered(lines, number), len(lines), packed.tell()
                number += len(lines)
            if rest:
                yield _numbered([bytes(rest)], number), 1, self.total


class _Lines:
    """Lines as they are, with the quotes and sources that they hold."""

    def __init__(self, rule: Rule, first: Sequence[_Numbered]) -> None:
        self._names = rule.quote, rule.source
        taken = [name for name in rule.results if name not in self._names]
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
        self.shown_schema = pa.schema([*self._kind.items(), *((name, pa.null()) for name in others)])

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
        """Return the types of quotes and sources, as the first lines have them; None where no line has them."""
        rows: list[Any] = []
        for _, line in first:
            try:
                rows.append(self._decoder.decode(line))
            except (msgspec.MsgspecError, UnicodeError):
                continue
        return _kind([row.quote for row in rows]), _kind([row.source for row in rows])


def _keys(first: Sequence[_Numbered]) -> list[str]:
    """Return the fields of the first line that is an object."""
    for _, line in first:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            return list(row)
    return []


def _kind(values: Sequence[Any]) -> pa.DataType | None:
    """Return the type of the first value that has one."""
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
    """Lines as columns, of the types that the first lines have."""

    def __init__(self, first: Sequence[_Numbered]) -> None:
        self.schema = pa.schema([])
        batches, _ = _fitting(lambda lines: _columns(lines, None), first)
        tables = [pa.Table.from_batches([batch]) for batch in batches]
        if tables:
            self.schema = pa.concat_tables(tables, promote_options="permissive").schema
        self.shown_schema = self.schema

    def __call__(self, lines: Sequence[_Numbered]) -> pa.RecordBatch:
        return _columns(lines, self.schema)


def _columns(lines: Sequence[_Numbered], schema: pa.Schema | None) -> pa.RecordBatch:
    for _, line in lines:
        # Arrow's reader would take several objects on a line for several rows.
        if not isinstance(json.loads(line), dict):
            raise _UnfitError("the line is JSON, and no object")
    unexpected = "infer" if schema is None else "error"
    parsing = pajson.ParseOptions(explicit_schema=schema, unexpected_field_behavior=unexpected)
    content = b"\n".join(line for _, line in lines)
    reading = pajson.ReadOptions(block_size=len(content) + 1, use_threads=False)
    table = pajson.read_json(io.BytesIO(content), reading, parsing).combine_chunks()
    return table.to_batches()[0] if table.num_rows else _empty(table.schema)


def _fitting(
    table: Callable[[Sequence[_Numbered]], pa.RecordBatch], lines: Sequence[_Numbered]
) -> tuple[list[pa.RecordBatch], list[LineProblem]]:
    """Return *lines* as rows, and those that are none: found by halving what holds one."""
    if not lines:
        return [], []
    number, first = lines[0]
    # Of a block only the first line can be as long.
    if len(first) > _LINE_BYTES:
        wrong = f"the line has more than {_LINE_BYTES >> 20} MiB; this is its beginning"
        batches, problems = _fitting(table, lines[1:])
        return batches, [LineProblem(number, wrong, first[:_BEGINNING_BYTES]), *problems]
    try:
        return [table(lines)], []
    except (msgspec.MsgspecError, UnicodeError, ValueError, RecursionError, _UnfitError, pa.ArrowException) as error:
        if len(lines) == 1:
            return [], [LineProblem(number, _problem(error), first)]
    middle = len(lines) // 2
    before, after = _fitting(table, lines[:middle]), _fitting(table, lines[middle:])
    return before[0] + after[0], before[1] + after[1]


def _problem(error: Exception) -> str:
    """Say what is wrong with a line, without what it says."""
    if isinstance(error, _UnfitError):
        return str(error)
    if isinstance(error, msgspec.ValidationError):
        return "the line is JSON, and no object"
    if isinstance(error, pa.ArrowException):
        return "the line has other fields than the first ones, or other types in them"
    return "the line is no JSON"


def _lengthen(line: bytearray, more: bytes) -> None:
    """Append *more* to a line, but no more than shows that the line is too long."""
    line += more[: _LINE_BYTES + 1 - len(line)]


def _numbered(lines: Sequence[bytes], first: int) -> list[_Numbered]:
    if first == 1:
        lines = [lines[0].removeprefix(BOM_UTF8), *lines[1:]]
    return [(number, line) for number, line in enumerate(lines, first) if line.strip()]


def _empty(schema: pa.Schema) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
