"""Columns of rows that come from files: checked before anything reads them, and well-formed where they are written."""

from collections.abc import Collection, Sequence

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as types

from groundwire.bulk.options import is_text, quotes_are_lists

__all__ = ["BatchValidator", "WellFormed"]


class BatchValidator:
    """
    Checks batches of a file.

    pyarrow takes lengths, offsets, views and keys from an Arrow file as they are, and reads outside of
    the buffers where they lie. Not even the size of such a batch may be asked for before this check.

    Args:
        judged: Names of the columns with the quotes and the sources. Text there that is not valid UTF-8
            is an error of its row, which the engine finds when it reads the row.
    """

    def __init__(self, judged: Collection[str]) -> None:
        self._judged = frozenset(judged)

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """
        Return *batch*.

        Raises:
            ArrowInvalid: Its columns contradict themselves, or text in a column that is not judged is
                not valid UTF-8.
        """
        # The sizes of buffers come first: to view a column as bytes reads nothing else.
        batch.validate()
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            (_as_bytes(column) if name in self._judged else column).validate(full=True)
        return batch


def _as_bytes(column: pa.Array) -> pa.Array:
    """Return a column of text as one of bytes, whose full check looks at offsets and views alone."""
    if types.is_dictionary(column.type):
        values = _as_bytes(column.dictionary)
        return pa.DictionaryArray.from_arrays(column.indices, values, safe=False)
    if quotes_are_lists(column.type) and not types.is_dictionary(column.type.value_type):
        make = pa.large_list if types.is_large_list(column.type) else pa.list_
        return column.view(make(_bytes_type(column.type.value_type)))
    return column.view(_bytes_type(column.type)) if is_text(column.type) else column


def _bytes_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of bytes that is laid out as this one of text."""
    if types.is_string_view(kind):
        return pa.binary_view()
    return pa.large_binary() if types.is_large_string(kind) else pa.binary()


class WellFormed:
    """
    Makes judged columns fit to be written: text that is not valid UTF-8 gets U+FFFD for its broken bytes.

    May be called by several threads at once.

    Args:
        names: The judged columns.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        # The last dictionary of each column that was found to be valid; many batches share one.
        self._valid: dict[str, pa.Array] = {}

    def __call__(self, batch: pa.RecordBatch, results: pa.RecordBatch) -> pa.RecordBatch:
        """
        Return *batch* with text that is valid UTF-8.

        Args:
            batch: The rows.
            results: What the engine found; where it met broken text, `error` says so.
        """
        errors = results.column("error")
        # Errors of lists of quotes are lists themselves, and no list has the error of a source without quotes.
        may_be_broken = not types.is_string(errors.type) or errors.null_count < len(errors)
        for name in self._names:
            place = batch.schema.get_field_index(name)
            column = batch.column(place)
            if (may_be_broken or _has_unused(column)) and not self._is_valid(name, column):
                batch = batch.set_column(place, batch.schema.field(place), _repaired(column))
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
    """Tell whether a dictionary may have values that no row has, which the engine does not read."""
    return types.is_dictionary(column.type) and bool(pc.count_distinct(column.indices).as_py() < len(column.dictionary))


def _shares_buffers(one: pa.Array, other: pa.Array) -> bool:
    """Tell whether two arrays are the same values in the same place."""
    places = [
        (array.offset, len(array), [None if buffer is None else buffer.address for buffer in array.buffers()])
        for array in (one, other)
    ]
    return places[0] == places[1]


def _repaired(column: pa.Array) -> pa.Array:
    if types.is_dictionary(column.type):
        return pa.DictionaryArray.from_arrays(column.indices, _repaired(column.dictionary), safe=False)
    values = _as_bytes(column).to_pylist()
    return pa.array([_readable(value) for value in values], column.type)


def _readable(value: object) -> object:
    if isinstance(value, list):
        return [_readable(each) for each in value]
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
