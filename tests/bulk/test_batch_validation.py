"""Batches of files are checked before they are read, and contain valid UTF-8 when they are written."""

import pyarrow as pa
import pytest

from groundwire.bulk.readers.columnar import BatchValidator, TextRepairer

BROKEN = [b"a\xff", b"b"]


def broken(kind: pa.DataType, values=BROKEN) -> pa.Array:
    """Return a column of text that is not valid UTF-8."""
    as_bytes = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary(), pa.string_view(): pa.binary_view()}
    return pa.array(values, as_bytes[kind]).view(kind)


def batch(quotes: pa.Array, **others: pa.Array) -> pa.RecordBatch:
    """Return rows with these quotes."""
    return pa.record_batch({"quote": quotes, "source": pa.array(["a"] * len(quotes)), **others})


def offsets(*values: int) -> pa.Array:
    """Return a column of strings with these offsets."""
    buffer = pa.py_buffer(b"".join(value.to_bytes(4, "little", signed=True) for value in values))
    return pa.Array.from_buffers(pa.string(), len(values) - 1, [None, buffer, pa.py_buffer(b"abcd")])


KINDS = [pa.string(), pa.large_string(), pa.string_view()]
LISTS = pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), broken(pa.string()))
DICTIONARY = pa.DictionaryArray.from_arrays(pa.array([1, 1], pa.int8()), broken(pa.string()))


@pytest.mark.parametrize("column", [*map(broken, KINDS), LISTS, DICTIONARY])
def test_invalid_utf8_in_graded_columns_is_repaired_in_the_output(column):
    """This includes a broken value that no row uses."""
    rows = batch(column)
    assert BatchValidator(("quote", "source"))(rows) is rows
    errors = pa.record_batch({"error": pa.array([None, None] if column is DICTIONARY else ["not UTF-8", None])})
    written = TextRepairer(("quote", "source"))(rows, errors)
    written.validate(full=True)
    assert "a\ufffd" in str(written["quote"]) or column is DICTIONARY
    assert written["source"].equals(rows["source"])


def test_invalid_utf8_in_other_columns_is_refused():
    """No result of a row could describe the broken value."""
    with pytest.raises(pa.ArrowInvalid, match="UTF8"):
        BatchValidator(("quote", "source"))(batch(pa.array(["a", "b"]), note=broken(pa.string())))


@pytest.mark.parametrize(
    "column",
    [
        pytest.param(offsets(0, 9, 4), id="offset-outside"),
        pytest.param(offsets(0, 3, 2), id="offset-goes-back"),
        pytest.param(
            pa.DictionaryArray.from_arrays(pa.array([0, 7], pa.int8()), pa.array(["a"]), safe=False), id="key-outside"
        ),
    ],
)
def test_a_column_that_reaches_outside_of_its_buffers_is_refused(column):
    """The check comes before the size is computed, which would read there."""
    with pytest.raises(pa.ArrowInvalid):
        BatchValidator(("quote", "source"))(batch(column))
