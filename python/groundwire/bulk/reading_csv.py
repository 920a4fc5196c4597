"""CSV: every column as text, so that what is written again is what was read."""

import csv
import io
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.csv as pacsv

from groundwire.bulk.inputs import InputFile
from groundwire.bulk.reading import CODEC, Chunk, LineProblem
from groundwire.errors import BulkError

__all__ = ["CsvReader"]

# Of the file's beginning so much is read for the names of its columns.
_HEAD_BYTES = 1 << 20
_BOM = "\ufeff"


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
        problems: list[LineProblem] = []
        seen = 0
        with self._file.open() as packed, self._file.unpacked(packed) as opened:
            for batch in self._rows(opened, problems):
                items = batch.num_rows + len(problems)
                if seen >= skip and items:
                    yield Chunk(batch, items, list(problems), packed.tell())
                problems.clear()
                seen += items
            if problems:
                yield Chunk(self.schema.empty_table().to_batches()[0], len(problems), problems, self.total)

    def _rows(self, opened: pa.NativeFile, problems: list[LineProblem]) -> Iterator[pa.RecordBatch]:
        def note(row: pacsv.InvalidRow) -> str:
            wrong = f"the row has {row.actual_columns} values, there are {row.expected_columns} columns"
            problems.append(LineProblem(row.number or 0, wrong, row.text.encode()))
            return "skip"

        # One thread, or invalid rows have no numbers.
        reading = pacsv.ReadOptions(block_size=self._block_bytes, use_threads=False)
        parsing = pacsv.ParseOptions(newlines_in_values=True, invalid_row_handler=note)
        types = {name: pa.string() for name in self.schema.names}
        converting = pacsv.ConvertOptions(column_types=types, strings_can_be_null=False)
        if not self.schema.names:
            return
        with pacsv.open_csv(opened, reading, parsing, converting) as reader:
            yield from reader


def _names(file: InputFile) -> list[str]:
    """Return the names of the columns."""
    with file.stream() as opened:
        head = bytes(opened.read(_HEAD_BYTES))
    try:
        text = head.decode("utf-8", "strict" if len(head) < _HEAD_BYTES else "ignore").removeprefix(_BOM)
    except UnicodeDecodeError:
        raise BulkError(f"`{file.name}` is not UTF-8", "`iconv -f ENCODING -t UTF-8` converts it") from None
    return next(csv.reader(io.StringIO(text, newline="")), [])
