"""Every layout of string columns gives the results of `Source.find`, row by row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.bulk import Grounder, SourceTable, ground_batch

pa = pytest.importorskip("pyarrow")

from .rows import expected, prose, quotes, results  # noqa: E402

STRINGS = [pa.utf8(), pa.large_utf8(), pa.string_view()]
DICTIONARIES = [pa.dictionary(key, value) for key in (pa.int8(), pa.uint32(), pa.int64()) for value in STRINGS]
OPTIONS = [{}, {"mode": "fuzzy"}, {"mode": "fuzzy", "threshold": 0.4}]


def column(values, of_type):
    """Return an array of this type; a dictionary type encodes its values."""
    if not pa.types.is_dictionary(of_type):
        return pa.array(values, of_type)
    distinct = list(dict.fromkeys(values))
    keys = pa.array([distinct.index(value) for value in values], of_type.index_type)
    return pa.DictionaryArray.from_arrays(keys, pa.array(distinct, of_type.value_type))


@st.composite
def batches(draw):
    """Return columns of rows, some null, and a slice of them."""
    sources = draw(st.lists(st.none() | prose, min_size=1, max_size=4))
    rows = draw(st.lists(st.tuples(st.none() | quotes, st.sampled_from(sources)), max_size=20))
    types = st.sampled_from([*STRINGS, *DICTIONARIES])
    start = draw(st.integers(0, len(rows)))
    columns = [column(list(values), draw(types)) for values in (zip(*rows, strict=True) if rows else ([], []))]
    length = draw(st.integers(0, len(rows) - start))
    batch = pa.record_batch(columns, ["quote", "source"]).slice(start, length)
    return batch, rows[start : start + length]


@given(case=batches(), options=st.sampled_from(OPTIONS), workers=st.integers(1, 3))
def test_a_row_has_the_result_of_find(case, options, workers):
    """This holds for strings of any kind, slices, nulls and both modes: each row is as if it were alone."""
    batch, rows = case
    grounded = ground_batch(batch, workers=workers, **options)
    assert [expected(*row, **options) for row in rows] == results(grounded)
    assert grounded.select(["quote", "source"]) == batch


@given(case=batches(), memory_bytes=st.sampled_from([0, 2_000, 1 << 30]))
def test_the_cache_changes_no_result(case, memory_bytes):
    """Later batches find their sources in the cache, or evicted from it."""
    batch, rows = case
    grounder = Grounder(memory_bytes=memory_bytes)
    for _ in range(3):
        assert [expected(*row) for row in rows] == results(pa.record_batch(grounder.ground(batch)))
        assert grounder.kept[1] <= memory_bytes


@given(
    rows=st.lists(st.tuples(st.none() | st.lists(st.none() | quotes, max_size=4), st.none() | prose), max_size=8),
    is_large=st.booleans(),
    start=st.integers(0, 8),
)
def test_a_list_of_quotes_has_a_list_of_results(rows, is_large, start):
    """Each quote has one result; a null list counts as one null quote, so that no row passes for lack of quotes."""
    lists = (pa.large_list if is_large else pa.list_)(pa.utf8())
    columns = [pa.array([row[0] for row in rows], lists), pa.array([row[1] for row in rows], pa.utf8())]
    batch = pa.record_batch(columns, ["quote", "source"]).slice(start)
    for (row_quotes, source), row in zip(rows[start:], results(ground_batch(batch)), strict=True):
        each = [expected(quote, source) for quote in ([None] if row_quotes is None else row_quotes)]
        assert {name: [one[name] for one in each] for name in row} == row


@pytest.mark.parametrize("id_type", [pa.int16(), pa.uint64(), pa.utf8(), pa.large_utf8(), pa.string_view()])
def test_sources_are_given_once_by_id(id_type):
    """Ids are integers of any width, or strings; an unknown or null id is an error of its row."""
    as_id = str if not pa.types.is_integer(id_type) else int
    texts = ["I can't sleep", None, "naïve 漢字 I can't"]
    table = pa.table({"id": pa.array(map(as_id, [7, 8, 9]), id_type), "text": texts})
    asked = [9, 7, 8, 5, None, 9]
    ids = pa.array(
        [None if wanted is None else as_id(wanted) for wanted in asked], pa.int64() if as_id is int else pa.utf8()
    )
    batch = pa.record_batch([ids, pa.array(["i can't"] * 6)], ["source", "quote"])
    grounded = results(ground_batch(batch, sources=SourceTable(table)))
    assert [row["error"] for row in grounded] == [
        None,
        None,
        "the source is null",
        "no source has this id",
        "the source is null",
        None,
    ]
    assert [(row["start"], row["end"]) for row in grounded[:3]] == [(9, 16), (0, 7), (None, None)]


def test_a_table_of_sources_may_have_chunks():
    """Ids count through the chunks; names come from the caller."""
    chunks = [pa.table({"key": [1, 2], "body": ["one", "two"]}), pa.table({"key": [3], "body": ["three"]})]
    sources = SourceTable(pa.concat_tables(chunks), id="key", text="body")
    assert len(sources) == 3
    batch = pa.record_batch({"q": ["two", "three", "one"], "s": [2, 3, 2]})
    assert ground_batch(batch, quote="q", source="s", sources=sources)["grounded"].to_pylist() == [True, True, False]


def test_a_column_without_a_type_is_nulls():
    """pyarrow gives a column of None the type null."""
    batch = pa.record_batch({"quote": [None, None], "source": ["a", "b"]})
    assert [expected(None, "a")] * 2 == results(ground_batch(batch))


def test_results_are_for_the_typographic_profile_too():
    """Quotes and sources are normalised by the requested profile."""
    batch = pa.record_batch({"quote": ["A – B", "A B"], "source": ["a - b [noise]", "a [noise] b"]})
    assert ground_batch(batch)["grounded"].to_pylist() == [False, False]
    typographic = ground_batch(batch, profile="typographic", marks=["brackets"])
    assert typographic["grounded"].to_pylist() == [True, True]


def test_the_schema_says_what_comes():
    """The input's names, types and metadata stay; the results follow, and grounded is never null."""
    schema = pa.schema([pa.field("quote", pa.utf8(), metadata={"k": "v"}), ("source", pa.utf8())], {"a": "b"})
    grounded = ground_batch(pa.record_batch([pa.array([], pa.utf8())] * 2, schema=schema)).schema
    assert (
        pa.schema(
            [
                *schema,
                pa.field("grounded", pa.bool_(), nullable=False),
                *(("kind", pa.utf8()), ("score", pa.float64()), ("start", pa.int64()), ("end", pa.int64())),
                ("error", pa.utf8()),
            ]
        )
        == grounded
    )
    assert (schema.metadata, schema.field("quote").metadata) == (grounded.metadata, grounded.field("quote").metadata)
