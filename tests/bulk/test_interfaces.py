"""Any library with Arrow's interface for Python can provide batches and read the results."""

import pytest

from groundwire.bulk import ArrowBatch, ArrowStream, Grounder, SourceTable, ground_batch, ground_table

pa = pytest.importorskip("pyarrow")

from libraries import library  # noqa: E402

from .rows import expected, results  # noqa: E402

COLUMNS = {
    "quote": ["can’t sleep", "漢字", None, "awake"],
    "source": ["I can't  sleep", "naïve 漢字", "x", "I can't  sleep"],
}
EXPECTED = [expected(*row) for row in zip(*COLUMNS.values(), strict=True)]


def test_polars_frames_go_through():
    """A frame of polars streams in, and the results become a frame."""
    polars = library("polars")
    frame = polars.DataFrame(COLUMNS)
    for given in (frame, frame.with_columns(polars.col("source").cast(polars.Categorical))):
        grounded = polars.DataFrame(ground_table(given))
        assert grounded.select(list(EXPECTED[0])).to_dicts() == EXPECTED
    lists = polars.DataFrame({"quote": [["a", "b"], None], "source": ["a c", "d"]})
    assert polars.DataFrame(ground_table(lists))["grounded"].to_list() == [[True, False], [False]]


def test_duckdb_relations_go_through():
    """A relation of duckdb streams in, and duckdb can query the results."""
    duckdb = library("duckdb")
    with duckdb.connect() as connection:
        connection.register("rows", pa.table(COLUMNS))
        assert results(pa.table(ground_table(connection.table("rows")))) == EXPECTED
        connection.register("grounded", ground_table(pa.table(COLUMNS)))
        assert connection.sql("select count(*) from grounded where grounded").fetchall() == [(2,)]


def test_arro3_batches_go_through():
    """A batch and a table of arro3 have the same interface."""
    arro3 = pytest.importorskip("arro3.core", reason="no arro3: pip install arro3-core")
    batch = pa.record_batch(COLUMNS)
    assert results(pa.record_batch(ground_batch(arro3.RecordBatch.from_arrow(batch)))) == EXPECTED
    assert results(pa.table(ground_table(arro3.Table.from_arrow(pa.table(COLUMNS))))) == EXPECTED


def test_pyarrow_gets_its_own_classes_back():
    """A batch gives a batch, a table a table, a reader a reader; other objects give one that reads like them."""
    batch = pa.record_batch(COLUMNS)
    table = pa.Table.from_batches([batch, batch.slice(1, 2), batch.slice(0, 0)])
    assert isinstance(ground_batch(batch), pa.RecordBatch)
    assert [*EXPECTED, *EXPECTED[1:3]] == results(ground_table(table))
    reader = ground_table(table.to_reader())
    assert isinstance(reader, pa.RecordBatchReader)
    assert [row for grounded in reader for row in results(grounded)] == [*EXPECTED, *EXPECTED[1:3]]


class Only:
    """An object with one method of Arrow's interface, and nothing else."""

    def __init__(self, batch, name):
        setattr(type(self), name, lambda _: getattr(batch, name)())


def test_any_object_with_the_interface_is_accepted():
    """The results have the interface as well: schema, array and stream."""
    batch = pa.record_batch(COLUMNS)
    grounded = ground_batch(type("Batch", (Only,), {})(batch, "__arrow_c_array__"))
    assert isinstance(grounded, ArrowBatch)
    assert (len(grounded), grounded.column_names[-1]) == (4, "error")
    assert pa.schema(grounded) == pa.record_batch(grounded).schema == pa.table(grounded).schema
    assert EXPECTED == results(pa.record_batch(grounded)) == results(pa.table(grounded))
    stream = ground_batch(type("Stream", (Only,), {})(batch, "__arrow_c_stream__"))
    assert isinstance(stream, ArrowStream)
    assert pa.schema(stream) == pa.schema(grounded)
    assert stream.column_names == grounded.column_names
    assert results(pa.table(stream)) == EXPECTED
    with pytest.raises(ValueError, match="the stream has been read already"):
        pa.table(stream)


def test_a_stream_is_read_on_demand():
    """No batch is read before its result is requested."""
    taken = []

    def batches():
        for number in range(3):
            taken.append(number)
            yield pa.record_batch({"quote": ["a"], "source": ["a"]})

    schema = pa.schema({"quote": pa.utf8(), "source": pa.utf8()})
    reader = ground_table(pa.RecordBatchReader.from_batches(schema, batches()))
    assert taken == []
    assert reader.read_next_batch()["grounded"].to_pylist() == [True]
    assert taken == [0]


def test_an_error_of_the_stream_arrives():
    """An exception of the producer reaches the caller."""

    def batches():
        yield pa.record_batch({"quote": ["a"], "source": ["a"]})
        raise ValueError("no more")

    schema = pa.schema({"quote": pa.utf8(), "source": pa.utf8()})
    reader = ground_table(pa.RecordBatchReader.from_batches(schema, batches()))
    reader.read_next_batch()
    with pytest.raises(pa.ArrowInvalid, match="no more"):
        reader.read_next_batch()


def test_repr_has_numbers_and_no_text():
    """Objects show counts and sizes, and nothing of their content."""
    batch = pa.record_batch(COLUMNS)
    grounder = Grounder(mode="fuzzy", workers=2, memory_bytes=1000)
    assert repr(grounder) == "Grounder(mode='fuzzy', profile='spec', workers=2, memory_bytes=1000)"
    assert repr(grounder.ground(batch)) == "ArrowBatch(rows=4, columns=8)"
    assert repr(grounder.ground(pa.table(COLUMNS))) == "ArrowStream(columns=8)"
    assert repr(SourceTable(pa.table({"id": [1], "text": ["secret"]}))) == "SourceTable(count=1)"
