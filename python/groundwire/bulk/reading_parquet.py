"""Parquet, row group by row group."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.types as types

from groundwire.bulk.inputs import InputFile
from groundwire.bulk.options import Rule
from groundwire.bulk.reading import CODEC, Chunk, bytes_of
from groundwire.bulk.validation import BatchValidator

__all__ = ["ParquetReader"]

# A column whose values take fewer bytes in the file says the same again and again: a dictionary tells them once.
_REPEATED_BYTES = 8
# As many rows tell how much more room rows take than the file says, where texts repeat that are no dictionary here.
_PROBED_ROWS = 1 << 10
# What is read ahead of each column.
_BUFFER_BYTES = 1 << 20


class ParquetReader:
    """
    A Parquet file.

    Texts that repeat stay in dictionaries, as the file has them: a transcript of 50 KB in
    each of a million rows would fill 50 GB.
    """

    def __init__(self, file: InputFile, rule: Rule, rows: int, size_bytes: int) -> None:
        self._file = file
        self._validated = BatchValidator((rule.quote, rule.source))
        with file.open() as opened:
            whole = pq.ParquetFile(opened)
            self._metadata = whole.metadata
            self.shown_schema = whole.schema_arrow
        self.codec = self._codec(rule.quote)
        self._dictionaries = [
            name
            for place, name in enumerate(self.shown_schema.names)
            if self._is_kept(name, is_source=name == rule.source)
        ]
        with self._open() as opened:
            self.schema = opened.schema_arrow
        self.total = self._metadata.num_rows
        row_bytes = max(self._encoded_bytes() / max(self.total, 1), self._probed_bytes(), 1)
        self._rows = max(1, min(rows, int(size_bytes / row_bytes)))

    def chunks(self, skip: int) -> Iterator[Chunk]:
        """Yield the rows from number *skip* on, which is where a chunk began."""
        position = 0
        known: dict[int, pa.Array] = {}
        with self._open() as opened:
            for group in range(self._metadata.num_row_groups):
                end = position + self._metadata.row_group(group).num_rows
                if end <= skip:
                    position = end
                    continue
                for batch in map(self._validated, opened.iter_batches(self._rows, row_groups=[group])):
                    position += batch.num_rows
                    if position > skip:
                        batch = _sharing(batch, known)
                        yield Chunk(batch, batch.num_rows, [], position)

    def _open(self) -> pq.ParquetFile:
        # Ahead of time it would read a whole row group, however large that is.
        return pq.ParquetFile(
            self._file.open(), read_dictionary=self._dictionaries, pre_buffer=False, buffer_size=_BUFFER_BYTES
        )

    def _codec(self, name: str) -> str:
        """Return what the quotes are packed with."""
        if not self._metadata.num_row_groups:
            return CODEC
        group = self._metadata.row_group(0)
        columns = [group.column(place) for place in range(group.num_columns)]
        found = [column.compression for column in columns if column.path_in_schema.partition(".")[0] == name]
        codec = found[0].lower() if found else CODEC
        return "none" if codec == "uncompressed" else codec

    def _encoded_bytes(self) -> int:
        groups = range(self._metadata.num_row_groups)
        return sum(self._metadata.row_group(group).total_byte_size for group in groups)

    def _probed_bytes(self) -> float:
        """Return what a row takes in memory, by the first ones."""
        if not self.total:
            return 0.0
        with self._open() as opened:
            groups = range(self._metadata.num_row_groups)
            filled = next(group for group in groups if self._metadata.row_group(group).num_rows)
            first = self._validated(next(opened.iter_batches(_PROBED_ROWS, row_groups=[filled])))
        row_bytes: float = bytes_of(first) / first.num_rows
        return row_bytes

    def _is_kept(self, name: str, *, is_source: bool) -> bool:
        """Tell whether a column is read as a dictionary: the texts of sources always are."""
        kind = self.shown_schema.field(name).type
        if not (types.is_string(kind) or types.is_large_string(kind)):
            return False
        return is_source or self._repeats(name)

    def _repeats(self, name: str) -> bool:
        groups = [self._metadata.row_group(group) for group in range(self._metadata.num_row_groups)]
        columns = [group.column(place) for group in groups for place in range(group.num_columns)]
        mine = [column for column in columns if column.path_in_schema == name]
        values = sum(column.num_values for column in mine)
        has_dictionary = all("DICTIONARY" in " ".join(column.encodings) for column in mine)
        return has_dictionary and sum(column.total_uncompressed_size for column in mine) < _REPEATED_BYTES * values


def _sharing(batch: pa.RecordBatch, known: dict[int, pa.Array]) -> pa.RecordBatch:
    """Return *batch* with the dictionaries of the one before, where they are the same: each batch brings a copy."""
    columns = list(batch.columns)
    for place, column in enumerate(columns):
        if isinstance(column, pa.DictionaryArray):
            if place in known and column.dictionary.equals(known[place]):
                columns[place] = pa.DictionaryArray.from_arrays(column.indices, known[place], safe=False)
            else:
                known[place] = column.dictionary
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)
