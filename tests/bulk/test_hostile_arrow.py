"""Contradictory structures of Arrow's C interface are refused; none ends the process."""

import ctypes
import subprocess
import sys
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_int32, c_int64, c_void_p, cast, pointer
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from groundwire._engine import Deduplicator, Grounder, SourceTable

pa = pytest.importorskip("pyarrow")

INVALID = 22
"""`EINVAL`, which says that an argument is wrong."""


class Schema(ctypes.Structure):
    """`struct ArrowSchema`."""


Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)),
    ("release", CFUNCTYPE(None, POINTER(Schema))),
    ("private_data", c_void_p),
]


class Array(ctypes.Structure):
    """`struct ArrowArray`."""


Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))),
    ("dictionary", POINTER(Array)),
    ("release", CFUNCTYPE(None, POINTER(Array))),
    ("private_data", c_void_p),
]


class Stream(ctypes.Structure):
    """`struct ArrowArrayStream`."""


Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
    ("get_last_error", CFUNCTYPE(c_void_p, POINTER(Stream))),
    ("release", CFUNCTYPE(None, POINTER(Stream))),
    ("private_data", c_void_p),
]

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [c_void_p, c_char_p, c_void_p]
_get = ctypes.pythonapi.PyCapsule_GetPointer
_get.restype, _get.argtypes = c_void_p, [ctypes.py_object, c_char_p]

# A capsule borrows its name.
NAMES = {kind: kind.encode() for kind in ("arrow_schema", "arrow_array", "arrow_array_stream")}


def capsule(structure, kind: str):
    """Return a capsule with the address of *structure*, which still belongs to the caller."""
    return _new(ctypes.addressof(structure), NAMES[kind], None)


# An imported structure may use its memory until this process ends.
KEPT: list[object] = []


@dataclass
class Batch:
    """
    Holds two rows of two columns of strings, as a producer lays them out; tests may change anything.

    Attributes:
        schema: Schema of the whole; `quote_schema` is that of its first column.
        array: The whole; `quote` is its first column.
        offsets: Where the strings of `quote` begin and end.
        releases: How often the array was released.
    """

    kept: list = field(default_factory=list)
    releases: int = 0

    def __post_init__(self):
        KEPT.append(self)
        names = (b"quote", b"source")
        schemas, columns = zip(*(self._column(name) for name in names), strict=True)
        self.quote_schema, self.quote, self.offsets = schemas[0], columns[0][0], columns[0][1]
        self.schema = self._schema(b"+s", b"", schemas)
        self.array = self._array(2, [None], [column for column, _ in columns])

    def _keep(self, value):
        self.kept.append(value)
        return value

    def _column(self, name: bytes):
        offsets = self._keep((c_int32 * 4)(0, 1, 2, 0))
        buffers = [None, ctypes.addressof(offsets), cast(self._keep(c_char_p(b"ab")), c_void_p).value]
        return self._schema(b"u", name, ()), (self._array(2, buffers, ()), offsets)

    def _schema(self, form: bytes, name: bytes, children) -> Schema:
        def release(schema):
            schema[0].release = type(schema[0].release)()

        pointers = (POINTER(Schema) * max(1, len(children)))(*map(pointer, children))
        released = Schema._fields_[7][1](release)
        schema = Schema(form, name, None, 2, len(children), pointers, None, released, None)
        return self._keep((schema, pointers, released, children))[0]

    def _array(self, length: int, buffers, children) -> Array:
        def release(array):
            self.releases += length == 2 and len(buffers) == 1
            array[0].release = type(array[0].release)()

        addresses = (c_void_p * max(1, len(buffers)))(*buffers)
        pointers = (POINTER(Array) * max(1, len(children)))(*map(pointer, children))
        released = Array._fields_[8][1](release)
        array = Array(length, 0, 0, len(buffers), len(children), addresses, pointers, None, released, None)
        return self._keep((array, addresses, pointers, released, children))[0]

    def __arrow_c_array__(self, requested_schema=None):
        return capsule(self.schema, "arrow_schema"), capsule(self.array, "arrow_array")


@dataclass
class Batches:
    """A stream of one batch."""

    batch: Batch
    error: int = 0
    message: bytes | None = None

    def __post_init__(self):
        KEPT.append(self)

        def get_schema(_, out):
            ctypes.memmove(out, byref(self.batch.schema), ctypes.sizeof(Schema))
            return 0

        def get_next(_, out):
            out[0].release = type(out[0].release)()
            if not self.is_read and not self.error:
                ctypes.memmove(out, byref(self.batch.array), ctypes.sizeof(Array))
            self.is_read = True
            return self.error

        def get_last_error(_):
            return cast(self.text, c_void_p).value

        def release(stream):
            stream[0].release = type(stream[0].release)()

        self.is_read, self.text = False, c_char_p(self.message)
        types = [kind for _, kind in Stream._fields_[:4]]
        callbacks = (get_schema, get_next, get_last_error, release)
        self.callbacks = [kind(callback) for kind, callback in zip(types, callbacks, strict=True)]
        self.stream = Stream(*self.callbacks, None)

    def __arrow_c_stream__(self, requested_schema=None):
        return capsule(self.stream, "arrow_array_stream")


def test_the_structures_of_these_tests_are_good_as_they_are():
    """Without changes, the structures are read as usual."""
    rows = pa.record_batch(Grounder().ground(Batch())).to_pydict()
    assert rows["grounded"] == [True, True]
    assert (rows["quote"], rows["start"]) == (["a", "b"], [0, 0])
    streamed = pa.RecordBatchReader.from_stream(Grounder().ground(Batches(Batch()))).read_all()
    assert streamed.to_pydict() == rows


def self_containing(batch: Batch) -> None:
    """Make a column its own child, twice."""
    batch.quote_schema.format, batch.quote_schema.n_children = b"+s", 2
    children = (POINTER(Schema) * 2)(pointer(batch.quote_schema), pointer(batch.quote_schema))
    batch.kept.append(children)
    batch.quote_schema.children = children


def null_child(structure) -> None:
    """Let the first child be a null pointer."""
    structure.children[0] = type(structure.children[0])()


def misaligned(batch: Batch) -> None:
    """Misalign the offsets by one byte."""
    batch.quote.buffers[1] += 1


def dictionary(batch: Batch) -> None:
    """Add a dictionary to the first column, whose type has none."""
    batch.quote.dictionary = pointer(batch.quote)


def with_views(batch: Batch, *lengths: int, is_missing: bool = False) -> None:
    """Make the first column views into buffers of these lengths."""
    views = (ctypes.c_byte * 32)(1, 0, 0, 0, ord("a"))
    ends = (c_int64 * max(1, len(lengths)))(*lengths)
    data = [ctypes.addressof(views)] * len(lengths)
    addresses = [None, ctypes.addressof(views), *data, None if is_missing else ctypes.addressof(ends)]
    buffers = (c_void_p * len(addresses))(*addresses)
    batch.kept.append((views, ends, buffers))
    batch.quote_schema.format, batch.quote.n_buffers, batch.quote.buffers = b"vu", len(addresses), buffers


def set_to(part: str, name: str, value) -> Callable[[Batch], None]:
    """Return a function that changes one number or pointer."""
    return lambda batch: setattr(getattr(batch, part), name, value)


def offsets(*values: int) -> Callable[[Batch], None]:
    """Return a function that changes the offsets of the first column."""

    def change(batch: Batch) -> None:
        batch.offsets[0 : len(values)] = values

    return change


def buffer(index: int, address: int | None) -> Callable[[Batch], None]:
    """Return a function that changes the address of a buffer of the first column."""
    return lambda batch: batch.quote.buffers.__setitem__(index, address)


def without_dictionary(batch: Batch) -> None:
    """Make the first column keys of a dictionary that its array lacks."""
    batch.quote_schema.format, batch.quote.n_buffers = b"i", 2
    batch.quote_schema.dictionary = batch.schema.children[1]


def as_lists(batch: Batch) -> None:
    """Make the first column lists that need one more value than the second column has."""
    batch.quote_schema.format, batch.quote.n_buffers = b"+l", 2
    batch.quote_schema.n_children, batch.quote_schema.children = 1, pointer(batch.schema.children[1])
    batch.quote.n_children, batch.quote.children = 1, pointer(batch.array.children[1])
    offsets(0, 1, 3)(batch)


NULL = POINTER(c_void_p)()
ARRAYS = {
    "negative-length": (set_to("array", "length", -1), "length -1 and offset 0, one of them negative"),
    "negative-offset": (set_to("array", "offset", -3), "length 2 and offset -3, one of them negative"),
    "length-overflows": (set_to("array", "length", 2**63 - 1), "too many to address"),
    "offset-overflows": (set_to("array", "offset", 2**63 - 1), "too many to address"),
    "bytes-overflow": (set_to("quote", "offset", 2**59), "too many to address"),
    "child-shorter-than-struct": (set_to("quote", "length", 1), "has 1 values, and the array needs 2"),
    "child-shorter-by-offset": (set_to("array", "offset", 1), "has 2 values, and the array needs 3"),
    "child-shorter-than-lists": (as_lists, "has 2 values, and the array needs 3"),
    "empty-child": (set_to("quote", "length", 0), "has 0 values, and the array needs 2"),
    "negative-child": (set_to("quote", "length", -5), "length -5 and offset 0, one of them negative"),
    "negative-null-count": (set_to("quote", "null_count", -2), "length 2 and -2 nulls"),
    "more-nulls-than-values": (set_to("quote", "null_count", 3), "length 2 and 3 nulls"),
    "nulls-without-bits": (set_to("quote", "null_count", 1), "1 nulls by its count, and 0 by its buffer"),
    "too-few-buffers": (set_to("quote", "n_buffers", 2), "must have 3 buffers, got 2"),
    "too-many-buffers": (set_to("quote", "n_buffers", 4), "must have 3 buffers, got 4"),
    "negative-buffers": (set_to("quote", "n_buffers", -1), "must have 3 buffers, got -1"),
    "no-buffers": (set_to("array", "n_buffers", 0), "must have 1 buffers, got 0"),
    "null-buffers": (set_to("quote", "buffers", NULL), "the buffers .* are a null pointer"),
    "null-offsets": (buffer(1, None), "the offsets .* are a null pointer"),
    "null-data": (buffer(2, None), "the data .* are a null pointer"),
    "negative-offsets": (offsets(-4), "the offsets .* go from -4 to 2"),
    "last-offset-negative": (offsets(0, 1, -1), "the offsets .* go from 0 to -1"),
    "misaligned-offsets": (misaligned, "are not aligned to 4 bytes"),
    "too-few-children": (set_to("array", "n_children", 1), "must have 2 children, got 1"),
    "too-many-children": (set_to("array", "n_children", 3), "must have 2 children, got 3"),
    "negative-children": (set_to("array", "n_children", -1), "must have 2 children, got -1"),
    "children-of-strings": (set_to("quote", "n_children", 1), "must have 0 children, got 1"),
    "null-children": (set_to("array", "children", POINTER(POINTER(Array))()), "child 0 .* is a null pointer"),
    "null-child": (lambda batch: null_child(batch.array), "child 0 .* is a null pointer"),
    "dictionary": (dictionary, "Utf8 has a dictionary"),
    "no-dictionary": (without_dictionary, "Dictionary has no dictionary"),
    "negative-length-of-a-view-buffer": (lambda batch: with_views(batch, 5, -1), "has length -1"),
    "no-lengths-of-view-buffers": (lambda batch: with_views(batch, 5, is_missing=True), "a null pointer"),
}

SCHEMAS = {
    "no-format": (set_to("quote_schema", "format", None), "a schema has no format"),
    "format-not-utf8": (set_to("quote_schema", "format", b"\xff"), "the format of a schema is not valid UTF-8"),
    "name-not-utf8": (set_to("quote_schema", "name", b"\xc3"), "the name of a schema is not valid UTF-8"),
    "unknown-format": (set_to("quote_schema", "format", b"?"), "not supported"),
    "negative-children": (set_to("schema", "n_children", -1), "must have 0 to 1048576 children, got -1"),
    "too-many-children": (set_to("schema", "n_children", 2**62), "must have 0 to 1048576 children"),
    "null-children": (set_to("schema", "children", POINTER(POINTER(Schema))()), "child 0 of a schema is a null"),
    "null-child": (lambda batch: null_child(batch.schema), "child 0 of a schema is a null pointer"),
    "contains-itself": (self_containing, "more than 64 types inside each other|more than 1048576 types"),
    "list-without-items": (set_to("quote_schema", "format", b"+l"), "must have 1 children, got 0"),
    "negative-size": (set_to("quote_schema", "format", b"w:-1"), "negative size"),
}


def parameters(changes):
    """Return each change with its message, by name."""
    return [pytest.param(*change, id=name) for name, change in changes.items()]


ENTRANCES = {
    "ground": lambda value: Grounder().ground(value),
    "sources": lambda value: SourceTable(value, id="quote", text="source"),
    "mark": lambda value: Deduplicator(text="quote").mark(value),
}


@pytest.mark.parametrize(("change", "message"), [*parameters(ARRAYS), *parameters(SCHEMAS)])
@pytest.mark.parametrize("entrance", [pytest.param(call, id=name) for name, call in ENTRANCES.items()])
def test_a_batch_that_contradicts_itself_is_refused(entrance, change, message):
    """A ValueError says what is wrong; the producer's structure is released once."""
    batch = Batch()
    change(batch)
    with pytest.raises(ValueError, match=message):
        entrance(batch)
    assert not batch.array.release
    assert batch.releases == 1


@pytest.mark.parametrize(("change", "message"), parameters(ARRAYS))
def test_a_batch_of_a_stream_that_contradicts_itself_is_the_error_of_the_stream(change, message):
    """
    The consumer of our stream gets the error with the batch; a table of sources, which reads the stream itself,
    raises it.
    """
    batches = Batches(Batch())
    change(batches.batch)
    # A producer written in Python cannot be released while an exception is raised.
    reader = pa.RecordBatchReader.from_stream(Grounder().ground(batches))
    with pytest.raises(pa.ArrowInvalid, match=message):
        reader.read_all()
    batches = Batches(Batch())
    change(batches.batch)
    with pytest.raises(ValueError, match=message):
        SourceTable(batches, id="quote", text="source")


@pytest.mark.parametrize(("change", "message"), parameters(SCHEMAS))
def test_a_schema_of_a_stream_that_contradicts_itself_is_refused(change, message):
    """The check comes before the first batch is requested."""
    batches = Batches(Batch())
    change(batches.batch)
    with pytest.raises(ValueError, match=message):
        Grounder().ground(batches)
    assert not batches.is_read


@pytest.mark.parametrize("callback", ["get_schema", "get_next", "release"])
def test_a_stream_without_a_callback_is_refused(callback):
    """It is not called as a null pointer."""
    batches = Batches(Batch())
    setattr(batches.stream, callback, type(getattr(batches.stream, callback))())
    message = "is already released" if callback == "release" else f"does not provide the required {callback} callback"
    with pytest.raises(ValueError, match=message):
        SourceTable(batches, id="quote", text="source")


@pytest.mark.parametrize(
    ("message", "expected"),
    [(b"no disk", "Error code: 5. Producer error: no disk$"), (b"\xff", "error: \ufffd$"), (None, "Error code: 5$")],
)
def test_an_error_of_the_producer_is_the_error_of_the_stream(message, expected):
    """The error has the producer's own words, if there are any."""
    with pytest.raises(ValueError, match=expected):
        SourceTable(Batches(Batch(), error=5, message=message), id="quote", text="source")


def ours() -> Stream:
    """Return the structure behind one of our own streams."""
    made = Grounder().ground(Batches(Batch())).__arrow_c_stream__()
    stream = Stream.from_address(_get(made, NAMES["arrow_array_stream"]))
    stream.kept = made
    return stream


def test_our_callbacks_refuse_null_pointers():
    """They return EINVAL and write nothing."""
    stream = ours()
    nothing = POINTER(Stream)()
    assert stream.get_schema(pointer(stream), POINTER(Schema)()) == INVALID
    assert stream.get_next(pointer(stream), POINTER(Array)()) == INVALID
    assert stream.get_next(nothing, pointer(Array())) == INVALID
    assert stream.get_last_error(nothing) is None
    stream.release(nothing)


def test_our_callbacks_refuse_a_released_stream():
    """A consumer that kept a callback gets EINVAL; a second release does nothing."""
    stream = ours()
    # A field of a structure is a view of it, so the callbacks are copied.
    callbacks = (stream.get_next, stream.get_last_error, stream.release)
    get_next, get_last_error, release = (type(each)(cast(each, c_void_p).value) for each in callbacks)
    release(pointer(stream))
    assert not stream.release
    assert get_next(pointer(stream), pointer(Array())) == INVALID
    assert get_last_error(pointer(stream)) is None
    release(pointer(stream))


SHORT_CHILD = """
import pyarrow as pa
from groundwire._engine import Grounder
from bulk.test_hostile_arrow import Batch, Batches
batches = Batches(Batch())
batches.batch.quote.length = 1
reader = pa.RecordBatchReader.from_stream(Grounder().ground(batches))
try:
    reader.read_all()
except pa.ArrowInvalid:
    print("refused")
"""


def test_a_child_shorter_than_its_struct_does_not_end_the_process():
    """A panic in a callback that C calls would abort the process."""
    tests = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", SHORT_CHILD], capture_output=True, text=True, cwd=tests)
    assert (done.returncode, done.stdout) == (0, "refused\n"), done.stderr
