"""Unreadable rows are not grounded and have an error; anything that is no batch raises an exception."""

import ctypes
import multiprocessing
import os
import random
import struct
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from groundwire._engine import Deduplicator, read_answers, read_claims
from groundwire.bulk import Grounder, SourceTable, ground_batch

pa = pytest.importorskip("pyarrow")

from waits import PATIENCE_S, interrupt_long_work

from .rows import NOTHING, expected, results


def strings(values, *, offset_type):
    """Return a column with these bytes, valid or not."""
    width, data = ("i" if offset_type == pa.utf8() else "q"), b"".join(values)
    ends = [sum(map(len, values[:index])) for index in range(len(values) + 1)]
    offsets = struct.pack(f"{len(ends)}{width}", *ends)
    return pa.Array.from_buffers(offset_type, len(values), [None, pa.py_buffer(offsets), pa.py_buffer(data)])


BROKEN = [b"\xff", b"abc\xc3", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xc0\x80"]


@pytest.mark.parametrize("offset_type", [pa.utf8(), pa.large_utf8()])
@pytest.mark.parametrize("mode", ["substring", "fuzzy"])
def test_bytes_that_are_no_utf8_are_errors_of_their_rows(mode, offset_type):
    """The rows around them have their results."""
    quotes = strings([*BROKEN, b"abc"], offset_type=offset_type)
    rows = results(ground_batch(pa.record_batch({"quote": quotes, "source": ["xabcx"] * 6}), mode=mode))
    assert [*[{**NOTHING, "error": "the quote is not valid UTF-8"}] * 5, expected("abc", "xabcx")] == rows
    sources = strings([*BROKEN, b"xabcx"], offset_type=offset_type)
    rows = results(ground_batch(pa.record_batch({"quote": ["abc"] * 6, "source": sources}), mode=mode))
    assert [*[{**NOTHING, "error": "the source is not valid UTF-8"}] * 5, expected("abc", "xabcx")] == rows


def test_offsets_that_go_back_are_an_exception():
    """A column whose offsets are out of order cannot be read at all."""
    offsets = pa.py_buffer(struct.pack("4i", 0, 5, 2, 6))
    column = pa.Array.from_buffers(pa.utf8(), 3, [None, offsets, pa.py_buffer(b"secret")])
    with pytest.raises(ValueError, match="column 'quote' is broken") as caught:
        ground_batch(pa.record_batch({"quote": column, "source": ["a", "b", "c"]}))
    assert "secret" not in str(caught.value)


def test_keys_beyond_the_dictionary_are_an_exception():
    """A key must be the position of a value."""
    keys = pa.array([0, 7], pa.int8())
    column = pa.DictionaryArray.from_arrays(keys, pa.array(["a"]), safe=False)
    with pytest.raises(ValueError, match="column 'source' is broken"):
        ground_batch(pa.record_batch([pa.array(["a", "b"]), column], ["quote", "source"]))


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        pytest.param(
            {"quot": ["a"], "source": ["a"]},
            ValueError,
            "no column is called 'quote'; did you mean 'quot'?",
            id="nearest-name",
        ),
        pytest.param(
            {"x1": ["a"], "y2": ["a"]}, ValueError, "no column is called 'quote'; there are 'x1', 'y2'", id="names"
        ),
        pytest.param(
            {"quote": ["a"], "source": [1]},
            TypeError,
            "column 'source' must have strings, got Int64",
            id="ids-without-a-table",
        ),
        pytest.param(
            {"quote": [b"a"], "source": ["a"]}, TypeError, "column 'quote' must have strings, got Binary", id="bytes"
        ),
        pytest.param(
            {"quote": [[[1]]], "source": ["a"]},
            TypeError,
            "column 'quote' must have strings, got List",
            id="lists-of-lists",
        ),
        pytest.param(
            {"quote": ["a"], "source": ["a"], "end": [1]},
            ValueError,
            "there is a column called 'end' already",
            id="result-is-there",
        ),
    ],
)
def test_columns_that_do_not_fit_are_an_exception(columns, error, message):
    """The exception names the column and the closest name."""
    with pytest.raises(error) as caught:
        ground_batch(pa.record_batch(columns))
    assert str(caught.value).startswith(message)


def test_two_columns_of_one_name_are_an_exception():
    """It would be ambiguous which of them is meant."""
    batch = pa.record_batch([pa.array(["a"])] * 3, ["quote", "source", "source"])
    with pytest.raises(ValueError, match="2 columns are called 'source'"):
        ground_batch(batch)


@pytest.mark.parametrize("value", [None, "quote", ["a"], {"quote": ["a"]}, 7])
def test_an_object_without_the_interface_is_a_type_error(value):
    """Lists and dicts of Python are no batches."""
    with pytest.raises(TypeError, match="batch must have Arrow's interface"):
        ground_batch(value)


def test_a_single_array_is_no_batch():
    """pyarrow's arrays have the same interface."""
    with pytest.raises(TypeError, match="a batch has columns; got a single Arrow array"):
        ground_batch(pa.array(["a"]))
    with pytest.raises(ValueError, match="a row of a batch cannot be null as a whole"):
        ground_batch(pa.array([{"quote": "a", "source": "a"}, None]))


def test_more_quotes_than_can_be_numbered_are_an_exception():
    """Columns of nulls take no memory, however long they are; their results would."""
    nulls = pa.nulls(2**32)
    with pytest.raises(OverflowError, match="a batch must have fewer than 2\\*\\*32 quotes, got 4294967296"):
        ground_batch(pa.record_batch([nulls, nulls], ["quote", "source"]))


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda batch: Deduplicator(text="a").mark(batch), id="deduplicator"),
        pytest.param(lambda batch: read_answers(batch, answer="a", results="b"), id="answers"),
        pytest.param(lambda batch: read_claims(batch, None, claim="a"), id="claims"),
        pytest.param(lambda batch: SourceTable(batch, id="a", text="b"), id="sources"),
    ],
)
def test_more_rows_than_can_be_numbered_are_an_exception(call):
    """The exception comes before anything is allocated for each row."""
    nulls = pa.nulls(2**32)
    with pytest.raises(OverflowError, match="a batch must have fewer than 2\\*\\*32 rows, got 4294967296"):
        call(pa.record_batch([nulls, nulls], ["a", "b"]))


class Liar:
    """An object whose capsules hold something else."""

    def __init__(self, capsules):
        self.__class__ = type("Liar", (), {"__arrow_c_array__": lambda _: capsules})


def capsule(name: bytes):
    """Return a capsule whose pointer leads to nothing that Arrow knows."""
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(8, name, None)


NAME = b"another"


@pytest.mark.parametrize("capsules", [(1, 2), "ab", None, (capsule(NAME), capsule(NAME)), ()])
def test_capsules_of_another_kind_are_refused(capsules):
    """The name of a capsule is checked before anything is read."""
    with pytest.raises((TypeError, ValueError, IndexError)):
        ground_batch(Liar(capsules))


def test_capsules_are_used_once():
    """The first call takes the data out of the capsules."""
    capsules = pa.record_batch({"quote": ["a"], "source": ["a"]}).__arrow_c_array__()
    assert len(ground_batch(Liar(capsules))) == 1
    with pytest.raises(ValueError, match="the Arrow capsules were used already"):
        ground_batch(Liar(capsules))


def test_one_of_many_threads_uses_the_capsules():
    """
    A producer may hand out the same capsules twice: one thread gets the data, the others an error.

    Threads meet inside the call only on CPython without a global lock (the lane `nogil`).
    """

    def outcome(batch: Liar, barrier: threading.Barrier) -> int | str:
        barrier.wait()
        try:
            return len(ground_batch(batch))
        except ValueError as error:
            return str(error)

    for _ in range(50):
        batch = Liar(pa.record_batch({"quote": ["a"], "source": ["a"]}).__arrow_c_array__())
        with ThreadPoolExecutor(8) as pool:
            outcomes = list(pool.map(outcome, [batch] * 8, [threading.Barrier(8)] * 8))
        assert Counter(outcomes) == {1: 1, "the Arrow capsules were used already": 7}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"id": [1, None], "text": ["a", "b"]}, "column 'id': the id of source 1 is null"),
        ({"id": ["x", "y", "x"], "text": ["a", "b", "c"]}, "column 'id': source 2 has the id of an earlier one"),
        ({"ids": [1], "text": ["a"]}, "no column is called 'id'; did you mean 'ids'?"),
    ],
)
def test_a_table_of_sources_has_an_id_for_each(columns, message):
    """No id is null or repeated."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is checked below
        SourceTable(pa.table(columns))
    assert str(caught.value) == message


def test_ids_are_of_the_type_that_the_table_has():
    """The string "1" is not the number 1."""
    with pytest.raises(TypeError, match="column 'source' must have integers, as the ids of the sources are, got Utf8"):
        ground_batch(
            pa.record_batch({"quote": ["a"], "source": ["1"]}),
            sources=SourceTable(pa.table({"id": [1], "text": ["a"]})),
        )


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"mode": "loose"}, ValueError, "mode must be 'substring' or 'fuzzy'"),
        ({"threshold": 1.5}, ValueError, "threshold must be between 0 and 1, got 1.5"),
        ({"workers": 0}, ValueError, "workers must be at least 1, got 0"),
        ({"memory_bytes": -1}, ValueError, "memory_bytes must be at least 0"),
        ({"quote": 3}, TypeError, "quote must be a str, got int"),
        ({"profile": "x"}, ValueError, "profile must be 'spec' or 'typographic'"),
    ],
)
def test_options_are_checked_when_they_are_given(options, error, message):
    """The check comes before any row."""
    with pytest.raises(error, match=message):
        Grounder(**options)


def test_threads_share_a_grounder():
    """Concurrent batches have the results that they have alone."""
    sources = [f"source {number} " * 300 for number in range(20)]
    batch = pa.record_batch({"quote": [f"{number} source {number}" for number in range(20)], "source": sources})
    right = results(ground_batch(batch))
    grounder, seen = Grounder(workers=2, memory_bytes=50_000), []

    def work():
        seen.extend(results(pa.record_batch(grounder.ground(batch))) == right for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (seen, right[0]["grounded"]) == ([True] * 80, True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_of_a_fork_grounds_too():
    """The thread pool and the cache stay in the parent; the child makes its own."""
    batch = pa.record_batch({"quote": ["b c"] * 4000, "source": ["a b c d " * 4000] * 4000})
    grounder = Grounder(workers=2, mode="fuzzy")
    first = pa.record_batch(grounder.ground(batch))
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe()
    child = context.Process(target=lambda: sender.send(results(pa.record_batch(grounder.ground(batch)))[:2]))
    child.start()
    assert receiver.poll(PATIENCE_S)
    assert receiver.recv() == results(first)[:2]
    child.join()
    assert child.exitcode == 0


def test_ctrl_c_stops_a_batch():
    """A signal stops a long batch in the middle; the grounder works afterwards."""
    chance = random.Random(1)
    text = pa.array(["".join(chance.choices("abcdefghijkl", k=40_000))])
    quotes = ["".join(chance.choices("abcdefghijkl", k=3000)) for _ in range(8)]
    grounder = Grounder(mode="fuzzy", threshold=0.3)

    def batch(size):
        sources = pa.DictionaryArray.from_arrays(pa.array([0] * 8 * size, pa.int8()), text)
        return pa.record_batch([pa.array(quotes * size), sources], ["quote", "source"])

    assert interrupt_long_work(lambda size: partial(grounder.ground, batch(size))) < 0.5
    assert len(grounder.ground(batch(0))) == 0
