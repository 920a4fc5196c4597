"""CSV: every column as text, so that what is written again is what was read."""

import csv
import io
from collections import deque
from collections.abc import Iterator
from itertools import chain

import pyarrow as pa
import pyarrow.csv as pacsv

from groundwire.bulk.inputs import InputFile
from groundwire.bulk.reading import CODEC, Chunk, LineProblem
from groundwire.errors import BulkError

__all__ = ["CsvReader"]

# Of the file's beginning so much is read for the names of its columns.
_HEAD_BYTES = 1 << 20
_BOM = "\ufeff"
# Rows in a row that are none: so many become a chunk,
_MOST = 1 << 12
# and with so many bytes no part of a file would be right. Arrow hands nothing on meanwhile, which could be written.
_MOST_BYTES = 64 << 20
# What each takes besides its text.
_ROW_BYTES = 256


class CsvReader:
    """
    A CSV file in UTF-8, with the names of its columns in the first row.

    A row with more or fewer values than there are columns is a problem. Its number counts rows, the first
    row too, as spreadsheets do: text in quotation marks may go on over several lines of the file.
    """

    codec = CODEC

    def __init__(self, file: InputFile, size_bytes: int) -> None:
        self._file = file
        self._block_bytes = size_bytes
        self.total = file.size_bytes
        names = _names(file)
        self.schema = self.shown_schema = pa.schema([(name, pa.string()) for name in names])
        if len(set(names)) < len(names):
            raise BulkError(f"`{file.name}` has two columns of the same name")

    def chunks(self, skip: int) -> Iterator[Chunk]:
        """Yield the rows from number *skip* on, which is where a chunk began."""
        noted = _Noted()
        seen = 0
        with self._file.open() as packed, self._file.unpacked(packed) as opened:
            for batch in chain(self._rows(opened, noted), [None]):
                for problems, rows in self._with_problems(batch, noted, seen):
                    items = len(problems) + rows.num_rows
                    if seen >= skip and items:
                        yield Chunk(rows, items, problems, packed.tell())
                    seen += items

    def _with_problems(
        self, batch: pa.RecordBatch | None, noted: "_Noted", seen: int
    ) -> Iterator[tuple[list[LineProblem], pa.RecordBatch]]:
        """
        Yield *batch*, or what is left at the end of the file, with the problems before its last row.

        Arrow reads ahead, so that later ones may be *noted* already, or not: which of them go where depends on their
        numbers alone.
        """
        rows = pa.RecordBatch.from_pylist([], schema=self.schema)
        # Of many in a row so many go together, lest a file of nothing else be in memory.
        while len(noted) >= _MOST and _place(noted[_MOST - 1]) == seen + _MOST - 1:
            yield [noted.take() for _ in range(_MOST)], rows
            seen += _MOST
        if batch is None:
            yield [noted.take() for _ in range(len(noted))], rows
            return
        problems: list[LineProblem] = []
        while noted and _place(noted[0]) < seen + len(problems) + batch.num_rows:
            problems.append(noted.take())
        yield problems, batch

    def _rows(self, opened: pa.NativeFile, noted: "_Noted") -> Iterator[pa.RecordBatch]:
        def note(row: pacsv.InvalidRow) -> str:
            wrong = f"the row has {row.actual_columns} values, there are {row.expected_columns} columns"
            noted.add(LineProblem(row.number, wrong, row.text.encode()))
            return "error" if noted.are_too_many else "skip"

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
            if noted.are_too_many:
                raise BulkError(
                    f"`{self._file.name}` has {len(noted):,} rows after another with more or fewer values than there "
                    "are columns",
                    "values are parted by commas, and the first row has the names of the columns",
                ) from None
            # The one word of Arrow's that tells it from what is broken.
            if "straddl" not in str(error):
                raise
            raise BulkError(
                f"`{self._file.name}` has a row of more than {self._block_bytes:,} bytes, which are read at once",
                "more --memory with --no-resume; or a quotation mark is not closed",
            ) from None


class _Noted(deque[LineProblem]):
    """Rows that are none, and are in no chunk yet."""

    def __init__(self) -> None:
        super().__init__()
        self._bytes = 0

    @property
    def are_too_many(self) -> bool:
        """Whether they take more memory than they may."""
        return self._bytes > _MOST_BYTES

    def add(self, problem: LineProblem) -> None:
        """Append one."""
        self._bytes += len(problem.content) + _ROW_BYTES
        self.append(problem)

    def take(self) -> LineProblem:
        """Return the first one, which goes."""
        problem = self.popleft()
        self._bytes -= len(problem.content) + _ROW_BYTES
        return problem


def _names(file: InputFile) -> list[str]:
    """Return the names of the columns."""
    with file.stream() as opened:
        head = bytes(opened.read(_HEAD_BYTES))
    try:
        text = head.decode("utf-8", "strict" if len(head) < _HEAD_BYTES else "ignore").removeprefix(_BOM)
    except UnicodeDecodeError:
        raise BulkError(f"`{file.name}` is not UTF-8", "`iconv -f ENCODING -t UTF-8` converts it") from None
    return next(filter(None, csv.reader(io.StringIO(text, newline=""))), [])


def _place(problem: LineProblem) -> int:
    """Return how many rows come before it; the names of the columns are row 1."""
    return problem.line - 2
