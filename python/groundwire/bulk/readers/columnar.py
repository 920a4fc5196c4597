"""Reads Parquet and Arrow, row group by row group, and checks each batch before anything else uses it."""

from collections.abc import Collection, Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pyarrow.types as types

from groundwire.bulk.inputs import InputFile
from groundwire.bulk.policies import RowPolicy, is_text, is_text_list
from groundwire.bulk.readers.protocol import CODEC, RowChunk, bytes_of

__all__ = ["ArrowReader", "BatchValidator", "ParquetReader", "TextRepairer"]

_ARROW_SIGNATURE = b"ARROW1"
# A column with fewer bytes for each value in the file repeats its values, so it is read as a dictionary.
_REPEATED_BYTES = 8
# Number of rows for estimating the size of a row in memory, which is larger than in the file if texts repeat.
_PROBED_ROWS = 1 << 10
# The read-ahead of each column.
_BUFFER_BYTES = 1 << 20


class ParquetReader:
    """
    Reads a Parquet file.

    Texts that repeat stay in dictionaries, as in the file: a transcript of 50 KB in
    each of a million rows would fill 50 GB.
    """

    def __init__(self, file: InputFile, policy: RowPolicy, rows: int, size_bytes: int) -> None:
        self._file = file
        self._validated = BatchValidator((policy.quote, policy.source))
        with file.open() as opened:
            whole = pq.ParquetFile(opened)
            self._metadata = whole.metadata
            self.file_schema = whole.schema_arrow
        self.codec = self._codec(policy.quote)
        self._dictionaries = [
            name
            for index, name in enumerate(self.file_schema.names)
            if self._is_dictionary(name, is_source=name == policy.source)
        ]
        with self._open() as opened:
            self.schema = opened.schema_arrow
        self.total = self._metadata.num_rows
        row_bytes = max(self._encoded_bytes() / max(self.total, 1), self._probed_bytes(), 1)
        self._rows = max(1, min(rows, int(size_bytes / row_bytes)))

    def chunks(self, skip: int) -> Iterator[RowChunk]:
        """Yield the rows from number *skip* on, which is the beginning of a chunk."""
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
                        batch = _share_dictionaries(batch, known)
                        yield RowChunk(batch, batch.num_rows, [], position)

    def _open(self) -> pq.ParquetFile:
        # With pre-buffering it would read a whole row group at once.
        return pq.ParquetFile(
            self._file.open(), read_dictionary=self._dictionaries, pre_buffer=False, buffer_size=_BUFFER_BYTES
        )

    def _codec(self, name: str) -> str:
        """Return the compression of the quotes."""
        if not self._metadata.num_row_groups:
            return CODEC
        group = self._metadata.row_group(0)
        columns = [group.column(index) for index in range(group.num_columns)]
        found = [column.compression for column in columns if column.path_in_schema.partition(".")[0] == name]
        codec = found[0].lower() if found else CODEC
        return "none" if codec == "uncompressed" else codec

    def _encoded_bytes(self) -> int:
        groups = range(self._metadata.num_row_groups)
        return sum(self._metadata.row_group(group).total_byte_size for group in groups)

    def _probed_bytes(self) -> float:
        """Return the size of a row in memory, estimated by the first ones."""
        if not self.total:
            return 0.0
        with self._open() as opened:
            groups = range(self._metadata.num_row_groups)
            filled = next(group for group in groups if self._metadata.row_group(group).num_rows)
            first = self._validated(next(opened.iter_batches(_PROBED_ROWS, row_groups=[filled])))
        row_bytes: float = bytes_of(first) / first.num_rows
        return row_bytes

    def _is_dictionary(self, name: str, *, is_source: bool) -> bool:
        """Tell whether a column is read as a dictionary; the texts of sources always are."""
        kind = self.file_schema.field(name).type
        if not (types.is_string(kind) or types.is_large_string(kind)):
            return False
        return is_source or self._repeats(name)

    def _repeats(self, name: str) -> bool:
        groups = [self._metadata.row_group(group) for group in range(self._metadata.num_row_groups)]
        columns = [group.column(index) for group in groups for index in range(group.num_columns)]
        mine = [column for column in columns if column.path_in_schema == name]
        values = sum(column.num_values for column in mine)
        has_dictionary = all("DICTIONARY" in " ".join(column.encodings) for column in mine)
        return has_dictionary and sum(column.total_uncompressed_size for column in mine) < _REPEATED_BYTES * values


def _share_dictionaries(batch: pa.RecordBatch, known: dict[int, pa.Array]) -> pa.RecordBatch:
    """Return *batch* with the dictionaries of the batch before if they are equal; each batch brings a copy."""
    columns = list(batch.columns)
    for index, column in enumerate(columns):
        if isinstance(column, pa.DictionaryArray):
            if index in known and column.dictionary.equals(known[index]):
                columns[index] = pa.DictionaryArray.from_arrays(column.indices, known[index], safe=False)
            else:
                known[index] = column.dictionary
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


class ArrowReader:
    """Reads an Arrow file, or an Arrow stream in a file; the signature distinguishes them."""

    codec = CODEC

    def __init__(self, file: InputFile, policy: RowPolicy, rows: int, size_bytes: int) -> None:
        self._file = file
        self._limits = rows, size_bytes
        self._validated = BatchValidator((policy.quote, policy.source))
        with file.open() as opened:
            self._is_stream = opened.read(len(_ARROW_SIGNATURE)) != _ARROW_SIGNATURE
            opened.seek(0)
            if self._is_stream:
                self.schema = pa.ipc.open_stream(opened).schema
                self.total = file.size_bytes
            else:
                whole = pa.ipc.open_file(opened)
                self.schema = whole.schema
                self.total = whole.num_record_batches
        self.file_schema = self.schema

    def chunks(self, skip: int) -> Iterator[RowChunk]:
        """Yield the rows from number *skip* on, which is the beginning of a chunk."""
        seen = 0
        with self._file.open() as opened:
            for number, batch in enumerate(self._batches(opened)):
                before = seen
                for rows in _slices(batch, *self._limits):
                    seen += rows.num_rows
                    if seen > skip:
                        position = opened.tell() if self._is_stream else number + (seen - before) / batch.num_rows
                        yield RowChunk(rows, rows.num_rows, [], position)

    # The file is not mapped into memory: it could change after the check, and if it were cut off, the system would
    # end the process.
    def _batches(self, opened: pa.NativeFile) -> Iterator[pa.RecordBatch]:
        if self._is_stream:
            yield from map(self._validated, pa.ipc.open_stream(opened))
        else:
            whole = pa.ipc.open_file(opened)
            for number in range(whole.num_record_batches):
                yield self._validated(whole.get_batch(number))


def _slices(batch: pa.RecordBatch, rows: int, size_bytes: int) -> Iterator[pa.RecordBatch]:
    """Yield *batch* in slices of at most these sizes, approximately."""
    if not batch.num_rows:
        return
    step = max(1, min(rows, size_bytes * batch.num_rows // max(bytes_of(batch), 1)))
    for start in range(0, batch.num_rows, step):
        yield batch.slice(start, step)


class BatchValidator:
    """
    Checks batches of a file.

    pyarrow trusts the lengths, offsets, views and keys in an Arrow file, and reads outside of the buffers if they are
    wrong. Even the size of a batch must not be read before this check.

    Args:
        graded: The columns with quotes and sources. Invalid UTF-8 there is an error of its row, which the engine
            finds when it reads the row.
    """

    def __init__(self, graded: Collection[str]) -> None:
        self._graded = frozenset(graded)

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """
        Return *batch*, whose dictionaries have no null values: not every writer can store these.

        Raises:
            ArrowInvalid: A column is inconsistent, or a column that is not graded has invalid UTF-8.
        """
        # The sizes of buffers are checked first, because a view of a column as bytes needs them alone.
        batch.validate()
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            (_as_bytes(column) if name in self._graded else column).validate(full=True)
        if any(types.is_dictionary(column.type) and column.dictionary.null_count for column in batch.columns):
            return pa.RecordBatch.from_arrays([*map(_without_null_values, batch.columns)], schema=batch.schema)
        return batch


def _without_null_values(column: pa.Array) -> pa.Array:
    """Return a dictionary's column with null indices in place of null values."""
    if not types.is_dictionary(column.type) or not column.dictionary.null_count:
        return column
    is_valid = column.dictionary.is_valid()
    places = pc.subtract(pc.cumulative_sum(is_valid.cast(pa.int64())), 1)
    indices = pc.if_else(is_valid, places, None).take(column.indices).cast(column.type.index_type)
    return pa.DictionaryArray.from_arrays(indices, column.dictionary.drop_null(), ordered=column.type.ordered)


def _as_bytes(column: pa.Array) -> pa.Array:
    """Return a column of text as one of bytes, whose full check covers offsets and views alone."""
    if types.is_dictionary(column.type):
        values = _as_bytes(column.dictionary)
        return pa.DictionaryArray.from_arrays(column.indices, values, safe=False)
    if is_text_list(column.type) and not types.is_dictionary(column.type.value_type):
        make = pa.large_list if types.is_large_list(column.type) else pa.list_
        return column.view(make(_bytes_type(column.type.value_type)))
    return column.view(_bytes_type(column.type)) if is_text(column.type) else column


def _bytes_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of bytes with the layout of this type of text."""
    if types.is_string_view(kind):
        return pa.binary_view()
    return pa.large_binary() if types.is_large_string(kind) else pa.binary()


class TextRepairer:
    """
    Replaces invalid UTF-8 in graded columns by U+FFFD, so that they can be written.

    Several threads may call it at once.

    Args:
        names: The graded columns.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        # The last valid dictionary of each column; many batches share one.
        self._valid: dict[str, pa.Array] = {}

    def __call__(self, batch: pa.RecordBatch, results: pa.RecordBatch) -> pa.RecordBatch:
        """
        Return *batch* with valid UTF-8 in the graded columns.

        Args:
            batch: The rows.
            results: The results of the engine; `error` names invalid text.
        """
        errors = results.column("error")
        # A list of quotes has a list of errors, and an empty list shows no error of the source.
        may_be_broken = not types.is_string(errors.type) or errors.null_count < len(errors)
        for name in self._names:
            index = batch.schema.get_field_index(name)
            column = batch.column(index)
            if (may_be_broken or _has_unused(column)) and not self._is_valid(name, column):
                batch = batch.set_column(index, batch.schema.field(index), _repair(column))
        return batch

    def _is_valid(self, name: str, column: pa.Array) -> bool:
        values = column.dictionary if types.is_dictionary(column.type) else column
        known = self._valid.get(name)
        if known is not None and _shares_buffers(known, values):
            return True
        try:
            values.validate(full=True)
        except pa.ArrowInvalid:
            return False
        if values is not column:
            self._valid[name] = values
        return True


def _has_unused(column: pa.Array) -> bool:
    """Tell whether a dictionary may have unused values, which the engine does not read."""
    return types.is_dictionary(column.type) and bool(pc.count_distinct(column.indices).as_py() < len(column.dictionary))


def _shares_buffers(one: pa.Array, other: pa.Array) -> bool:
    """Tell whether two arrays use the same memory."""
    layouts = [
        (array.offset, len(array), [None if buffer is None else buffer.address for buffer in array.buffers()])
        for array in (one, other)
    ]
    return layouts[0] == layouts[1]


def _repair(column: pa.Array) -> pa.Array:
    if types.is_dictionary(column.type):
        return pa.DictionaryArray.from_arrays(column.indices, _repair(column.dictionary), safe=False)
    values = _as_bytes(column).to_pylist()
    return pa.array([_decode(value) for value in values], column.type)


def _decode(value: object) -> object:
    if isinstance(value, list):
        return [_decode(each) for each in value]
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
