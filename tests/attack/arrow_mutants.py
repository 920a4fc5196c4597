"""Generate damaged Arrow files and contradictory structures, and try each in a child process."""

import ctypes
import io
import json
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from ctypes import POINTER, c_void_p, pointer
from pathlib import Path

import pyarrow as pa

from bulk.test_hostile_arrow import KEPT, Array, Schema, capsule
from cli.command import environment

ROWS = 40
SAID = b"quote 1"


def tables() -> dict[str, pa.Table]:
    """Return valid tables, by the kind of their columns."""
    quotes = [None if row % 7 == 3 else f"quote {row % 5} is said" for row in range(ROWS)]
    texts = [f"before quote {row % 5} is said after it, in row {row}" for row in range(ROWS)]
    lists = [None if quote is None else [quote, f"{quote} twice"] for quote in quotes]
    structures = [[{"a": quote, "b": [row]}] for row, quote in enumerate(quotes)]

    def of_type(kind: pa.DataType) -> pa.Table:
        return pa.table({"quote": pa.array(quotes, kind), "source": pa.array(texts, kind)})

    plain = of_type(pa.string())
    return {
        "string": plain,
        "large-string": of_type(pa.large_string()),
        "string-view": of_type(pa.string_view()),
        "dictionary": pa.table({name: plain[name].dictionary_encode() for name in plain.column_names}),
        "lists": pa.table({"quote": pa.array(lists), "source": plain["source"]}),
        "large-lists": pa.table(
            {"quote": pa.array(lists, pa.large_list(pa.large_string())), "source": plain["source"]}
        ),
        "nested": plain.append_column("extra", pa.array(structures)),
        "others": plain.append_column("text", plain["quote"]).append_column(
            "flag", pa.array([True, None] * (ROWS // 2))
        ),
    }


def written(table: pa.Table, *, is_file: bool, compression: str | None) -> bytes:
    """Return *table* in several batches, as an Arrow file or a stream."""
    sink = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with (pa.ipc.new_file if is_file else pa.ipc.new_stream)(sink, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=15)
    return sink.getvalue()


def _flip(content: bytearray, place: int, draw: random.Random) -> None:
    content[place] ^= 1 << draw.randrange(8)


def _byte(content: bytearray, place: int, draw: random.Random) -> None:
    content[place] = draw.choice((0x00, 0x7F, 0x80, 0xC3, 0xFF))


def _number(content: bytearray, place: int, draw: random.Random) -> None:
    """Write a number of 4 or 8 bytes at a position that may hold an offset, a length or a key."""
    width = draw.choice((4, 8))
    place -= place % width
    value = draw.choice((-1, 0, 1, 17, 1 << 16, (1 << 31) - 1, -(1 << 31), draw.randrange(1 << 31)))
    content[place : place + width] = value.to_bytes(width, "little", signed=True)


def _swap(content: bytearray, place: int, _: random.Random) -> None:
    """Swap two neighbouring numbers, so that offsets go backwards."""
    place -= place % 4
    content[place : place + 8] = content[place + 4 : place + 8] + content[place : place + 4]


def _drop(content: bytearray, place: int, draw: random.Random) -> None:
    del content[place : place + draw.choice((1, 8, 64))]


def _cut(content: bytearray, place: int, _: random.Random) -> None:
    del content[max(place, 1) :]


def _bits(content: bytearray, place: int, draw: random.Random) -> None:
    """Damage bits that may mark null values."""
    content[place : place + 2] = draw.randbytes(2)


def _text(content: bytearray, place: int, _: random.Random) -> None:
    """Break the UTF-8 of a text that is not compressed."""
    found = content.find(SAID, place)
    content[found if found >= 0 else place] = 0xFF


HARMS = {
    "flip": _flip,
    "byte": _byte,
    "number": _number,
    "swap": _swap,
    "drop": _drop,
    "cut": _cut,
    "bits": _bits,
    "text": _text,
}


def mutants(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield damaged files, each under a name that describes the original and the damage."""
    draw = random.Random(seed)
    known = tables()
    wholes = [
        (
            f"{kind}-{'file' if is_file else 'stream'}-{compression or 'plain'}",
            written(table, is_file=is_file, compression=compression),
        )
        for kind, table in known.items()
        for is_file in (True, False)
        for compression in (None, "zstd", "lz4")
    ]
    for number in range(count):
        # The decompressor rejects damaged compressed bytes, so uncompressed ones reach more code.
        name, whole = draw.choice([one for one in wholes if "plain" in one[0] or draw.random() < 0.2])
        harms = draw.choices(sorted(HARMS), k=draw.choice((1, 1, 2, 4)))
        content = bytearray(whole)
        for harm in harms:
            if content:
                HARMS[harm](content, draw.randrange(len(content)), draw)
        yield f"{number:05}-{name}-{'-'.join(harms)}", bytes(content)


def run_child(kind: str, works: Sequence[str]) -> dict[str, str]:
    """
    Try *works* one after the other in a process, and in another one where it was ended.

    Returns:
        How each of them ended: "ok", "refused", or what went wrong.
    """
    ends: dict[str, str] = {}
    left = list(works)
    while left:
        command = [sys.executable, "-X", "faulthandler", "-m", "attack.arrow_mutants", kind]
        env = environment({"PYTHONPATH": ":".join(sys.path)})
        done = subprocess.run(command, input=json.dumps(left), capture_output=True, text=True, env=env, check=False)
        told = [json.loads(line) for line in done.stdout.splitlines()]
        ends.update(told)
        left = left[len(told) :]
        if left and done.returncode:
            ends[left.pop(0)] = f"ended the process with {done.returncode}: {_first_frame(done.stderr)}"
        else:
            assert not left, done.stderr
    return ends


def _first_frame(errors: str) -> str:
    return next((line.strip() for line in errors.splitlines() if line.startswith("  File")), "no frame")


def try_file(path: Path) -> str:
    """Ground a file into another Arrow file and into JSON lines; return the outcome."""
    from groundwire.bulk import BulkError, ground_file

    refused = 0
    for suffix in (".arrow", ".jsonl"):
        target = path.with_suffix(f".out{suffix}")
        try:
            ground_file(path, target, workers=1, partition_rows=15, resume=False)
        except BulkError as error:
            if "quote" in str(error).replace('"quote"', "").replace("'quote'", "").replace("the quote", ""):
                return "told the text"
            refused += 1
        except BaseException as error:
            return f"{type(error).__name__} for {suffix}"
        else:
            if wrong := _wrong_of(target):
                return wrong
        for part in target.parent.glob(f"{target.name}.groundwire/part-*{suffix}"):
            if wrong := _wrong_of(part):
                return f"a part of what was refused: {wrong}"
    return "refused" if refused else "ok"


def _wrong_of(path: Path) -> str | None:
    """Return what is wrong with an output; None if nothing is."""
    try:
        if path.suffix == ".arrow":
            table = pa.ipc.open_file(pa.BufferReader(path.read_bytes())).read_all()
            table.validate(full=True)
            rows = table.to_pylist()
        else:
            rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (pa.ArrowException, ValueError) as error:
        return f"the output is broken: {type(error).__name__}"
    return None if all({"grounded", "error"} <= row.keys() for row in rows) else "a row has no result"


FORMATS = (
    *[
        "n",
        "b",
        "c",
        "C",
        "s",
        "S",
        "i",
        "I",
        "l",
        "L",
        "e",
        "f",
        "g",
        "z",
        "Z",
        "u",
        "U",
        "vz",
        "vu",
        "d:5,2",
        "d:5,2,256",
        "d:99,99",
        "d:-1,5",
        "d:5,200",
        "d:",
        "w:1",
        "w:0",
        "w:x",
        "w:",
        "tdD",
        "tdm",
    ],
    *[
        "tts",
        "ttm",
        "ttu",
        "ttn",
        "tss:",
        "tss:UTC",
        "tsn:No/City",
        "tDs",
        "tiM",
        "tiD",
        "tin",
        "+l",
        "+L",
        "+vl",
        "+vL",
        "+w:1",
        "+w:0",
        "+w:-1",
        "+w:",
        "+s",
        "+m",
    ],
    *["+ud:0", "+us:0", "+ud:", "+us:0,0", "+us:5", "+r", "?", "+", "ts"],
)
# Keys of dictionaries are integers; other types contradict the format.
KEYS = ["c", "C", "s", "S", "i", "I", "l", "L", "i", "i", "i", "f", "g", "b", "tdD", "tss:", "w:1", "d:5,2", "n"]
TEXTS = ["u", "U", "vu"]
ROOM_BYTES = 1 << 14


class Contradiction:
    """
    Draw a schema and an array that may contradict each other, from a seed.

    Every buffer is a long block of zeros, so that all offsets lie inside it: no consumer can check whether a pointer
    leads to as much memory as the structures claim.
    """

    def __init__(self, seed: int) -> None:
        KEPT.append(self)
        self.draw = random.Random(seed)
        self.kept: list[object] = []
        self.zeros = (ctypes.c_byte * ROOM_BYTES)()
        self.schema, self.array = self._pair("+s", b"", 0)

    def _pair(self, form: str, name: bytes, depth: int) -> tuple[Schema, Array]:
        """Return a schema and an array that agree except for random changes in either."""
        draw = self.draw
        names = [b"quote", b"source"] if depth == 0 else [b"id", b"item"][: self._wanted(form)]
        has_dictionary = depth > 0 and draw.random() < 0.15
        if has_dictionary:
            form = draw.choice(KEYS)
        pick = [*TEXTS, "+l"] if draw.random() < 0.9 else FORMATS
        pairs = [self._pair(draw.choice(pick if depth < 3 else TEXTS), each, depth + 1) for each in names]
        schema = self._schema(form, name, [one for one, _ in pairs])
        array = self._array(form, [one for _, one in pairs])
        if has_dictionary:
            values = self._pair(draw.choice(FORMATS if draw.random() < 0.3 else TEXTS), b"", depth + 1)
            schema.dictionary = pointer(values[0])
            if draw.random() < 0.8:
                array.dictionary = pointer(values[1])
        return schema, array

    def _wanted(self, form: str) -> int:
        if form[:1] != "+":
            return int(self.draw.random() < 0.02)
        if form[:2] in ("+r", "+s"):
            return 2
        return int(self.draw.random() < 0.98)

    def _schema(self, form: str, name: bytes, children: Sequence[Schema]) -> Schema:
        if self.draw.random() < 0.02:
            children = children[::-1][: self.draw.randrange(3)]

        def release(schema):
            schema[0].release = type(schema[0].release)()

        pointers = (POINTER(Schema) * max(1, len(children)))(*map(pointer, children))
        released = Schema._fields_[7][1](release)
        flags = self.draw.choice((0, 2, 2, 2, 4, 7, -1))
        made = Schema(form.encode(), name, None, flags, len(children), pointers, None, released, None)
        self.kept.append((made, pointers, released, children))
        return made

    def _array(self, form: str, children: Sequence[Array]) -> Array:
        draw = self.draw
        if draw.random() < 0.02:
            form = draw.choice(FORMATS)
        if draw.random() < 0.02:
            children = children[::-1][: draw.randrange(3)]

        def release(array):
            array[0].release = type(array[0].release)()

        count = _buffers(form) if draw.random() < 0.98 else draw.randrange(5)
        zeros = ctypes.addressof(self.zeros)
        absent = 0.5 if draw.random() < 0.5 else 0.02
        places = [None if draw.random() < (absent if place == 0 else 0.02) else zeros for place in range(count)]
        addresses = (c_void_p * max(1, count))(*places)
        pointers = (POINTER(Array) * max(1, len(children)))(*map(pointer, children))
        released = Array._fields_[8][1](release)
        length = draw.choices((2, 0, 1, 3), (97, 1, 1, 1))[0]
        nulls = draw.choices((0 if places[:1] == [None] else length, -1, 0, 1, length), (76, 20, 2, 1, 1))[0]
        offset = draw.choices((0, 1), (98, 2))[0]
        made = Array(length, nulls, offset, count, len(children), addresses, pointers, None, released, None)
        self.kept.append((made, addresses, pointers, released, children))
        return made

    def __arrow_c_array__(self, requested_schema=None):
        return capsule(self.schema, "arrow_schema"), capsule(self.array, "arrow_array")


def _buffers(form: str) -> int:
    if form in ("n", "+r"):
        return 0
    if form in ("+s", "+us:0", "+us:0,0", "+us:5") or form.startswith("+w"):
        return 1
    return 3 if form in ("u", "U", "z", "Z", "vu", "vz", "+vl", "+vL") else 2


def try_contradiction(seed: int) -> str:
    """Pass a contradiction to every function that takes a batch; return the outcome."""
    from groundwire._engine import Deduplicator, Grounder, SourceTable, read_answers, read_claims
    from groundwire.bulk import ground_batch

    entrances = {
        "ground": lambda batch: Grounder().ground(batch),
        "rows": lambda batch: ground_batch(batch, policy="guarded"),
        "sources": lambda batch: SourceTable(batch, id="quote", text="source"),
        "mark": lambda batch: Deduplicator(text="quote").mark(batch),
        "answers": lambda batch: read_answers(batch, answer="source", results="quote"),
        "claims": lambda batch: read_claims(batch, lambda *_: (False, "", []), claim="quote"),
    }
    accepted = False
    for name, enter in entrances.items():
        try:
            made = enter(Contradiction(seed))
            if hasattr(made, "__arrow_c_array__"):
                made.__arrow_c_array__()
                made.__arrow_c_stream__()
            accepted = True
        except (ValueError, TypeError):
            pass
        except BaseException as error:
            return f"{type(error).__name__} of {name}"
    return "ok" if accepted else "refused"


def main(kind: str) -> None:
    """Try the cases named on standard input, and print the outcome of each as a line of JSON."""
    for work in json.loads(sys.stdin.read()):
        end = try_file(Path(work)) if kind == "files" else try_contradiction(int(work))
        print(json.dumps([work, end]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
