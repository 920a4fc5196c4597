"""Memory does not grow with the file. Separate processes measure it on files much larger than the limit."""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from bulk.corpora import WORDS, json_lines
from cli.command import environment
from effort import effort
from groundwire.bulk import ground_file

MEMORY_BYTES = 32 << 20
# Threads that take turns on Arrow's buffers use some memory, and more on a busy machine: then the test measures
# again. Memory that grows with the file grows each time.
MOST_GROWTH_BYTES = 128 << 20
TRIES = 3
FILE_BYTES = effort(160, 1024) << 20
BLOCK_ROWS = 1 << 14

PEAK = """
def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM"))
"""

# A small file comes first, so that the measurement excludes libraries, threads and first parts.
PROGRAM = f"""
import sys
from groundwire.bulk import ground_file

{PEAK}

def ground(name, target):
    return ground_file(name, target, memory_bytes={MEMORY_BYTES}, workers=2).counts

ground(sys.argv[1], sys.argv[3])
before = peak()
counts = ground(sys.argv[2], sys.argv[4])
print(counts.rows, counts.malformed, peak() - before)
"""

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc: it tells the peak of memory")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return a folder, in memory if possible, because each part waits for the disk."""
    memory = Path("/dev/shm")
    has_room = memory.is_dir() and shutil.disk_usage(memory).free > 8 * FILE_BYTES
    made = Path(tempfile.mkdtemp(dir=memory)) if has_room else tmp_path
    yield made
    shutil.rmtree(made)


def block() -> pa.Table:
    """Return rows with different quotes."""
    sources = [f"{' '.join(WORDS)} {number} " * 10 for number in range(BLOCK_ROWS)]
    quotes = [f"{' '.join(WORDS[number % 9 :])} {number}" for number in range(BLOCK_ROWS)]
    return pa.table({"quote": quotes, "source": sources})


def write(path: Path, rows: pa.Table, size_bytes: int) -> int:
    """Write *rows* repeatedly until the file has *size_bytes*; return the number of rows."""
    if path.suffix == ".parquet":
        times = -(-size_bytes // rows.nbytes)
        # One row group, without compression.
        whole = pa.concat_tables([rows] * times)
        pq.write_table(whole, path, compression="none", use_dictionary=False, row_group_size=len(whole))
        assert pq.read_metadata(path).num_row_groups == 1
    else:
        content = json_lines(rows.to_pylist()) if path.suffix == ".jsonl" else as_csv(rows)
        times = -(-size_bytes // len(content))
        with path.open("wb") as file:
            if path.suffix == ".csv":
                file.write(b"quote,source\n")
            for _ in range(times):
                file.write(content)
    assert path.stat().st_size >= size_bytes
    return times * len(rows)


def as_csv(rows: pa.Table) -> bytes:
    """Return rows as CSV, without the header."""
    sink = pa.BufferOutputStream()
    pacsv.write_csv(rows, sink, pacsv.WriteOptions(include_header=False))
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl", ".csv"])
def test_a_file_may_be_larger_than_the_memory_limit(folder, suffix):
    """A file of five times the limit, Parquet in one row group, takes hardly more memory than a small one."""
    rows = block()
    small, large = folder / f"small{suffix}", folder / f"large{suffix}"
    write(small, rows, 1)
    count = write(large, rows, FILE_BYTES)
    targets = [folder / f"{name}{suffix}" for name in ("out-small", "out-large")]
    found, malformed, growth = ground_both(small, large, *targets)
    assert (found, malformed) == (count, 0)
    assert growth < MOST_GROWTH_BYTES


def ground_both(*paths: Path) -> list[int]:
    """
    Ground a small and a large file; return rows and malformed lines of the large one, and its additional peak
    memory.
    """
    *inputs, small, large = paths
    for attempt in range(TRIES):
        # A finished output is not written again.
        targets = [path.with_stem(f"{path.stem}-{attempt}") if attempt else path for path in (small, large)]
        command = [sys.executable, "-c", PROGRAM, *map(str, [*inputs, *targets])]
        done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
        rows, malformed, growth = map(int, done.stdout.split())
        if growth < MOST_GROWTH_BYTES:
            break
    return [rows, malformed, growth]


def test_repeated_long_quotes_stay_in_dictionaries(tmp_path):
    """A few long quotes take little space in Parquet; as separate texts they would take a gigabyte."""
    quotes = [f"{number} {'word ' * 2_000}".strip() for number in range(10)]
    places = pa.array([number % 10 for number in range(100_000)], pa.int32())
    table = pa.table({"quote": pa.DictionaryArray.from_arrays(places, pa.array(quotes)), "source": ["word"] * 100_000})
    pq.write_table(table, tmp_path / "in.parquet", store_schema=False)
    pq.write_table(table.slice(0, 10), tmp_path / "few.parquet", store_schema=False)
    paths = [tmp_path / f"{name}.parquet" for name in ("few", "in", "out-few", "out")]
    rows, malformed, growth = ground_both(*paths)
    assert (rows, malformed) == (100_000, 0)
    assert growth < MOST_GROWTH_BYTES
    found = pq.read_table(paths[-1], read_dictionary=["quote"])
    assert found.column("quote").unique().to_pylist() == quotes
    assert paths[-1].stat().st_size < 1 << 20


def test_repeated_lists_of_quotes_come_in_small_batches(tmp_path):
    """The first rows show the size of a row if no dictionary holds the lists."""
    quotes = [["word " * 1_000] * 3] * 2_000
    pq.write_table(pa.table({"quote": quotes, "source": ["word"] * 2_000}), tmp_path / "in.parquet")
    summary = ground_file(tmp_path / "in.parquet", tmp_path / "out.parquet", memory_bytes=16 << 20)
    assert summary.counts.quotes == 6_000
    assert summary.partitions > 30


def test_a_line_without_an_end_is_malformed(tmp_path, monkeypatch):
    """It is not read into memory as a whole; its beginning is kept, and the lines around it are rows."""
    from groundwire.bulk.readers import delimited

    monkeypatch.setattr(delimited, "MAX_LINE_BYTES", 1 << 20)
    good = json_lines([{"quote": "a", "source": "a"}])
    path = tmp_path / "in.jsonl"
    path.write_bytes(good + b"x" * (3 << 20) + b"\n" + good + b"\n" + good + b"y" * (2 << 20))
    summary = ground_file(path, tmp_path / "out.jsonl", memory_bytes=1 << 20)
    assert (summary.counts.rows, summary.counts.malformed) == (3, 2)
    told = [json.loads(line) for line in (tmp_path / "out.jsonl.errors.jsonl").read_bytes().splitlines()]
    assert [(each["line"], each["text"]) for each in told] == [(2, "x" * 1024), (6, "y" * 1024)]
    assert {each["error"] for each in told} == {"the line has more than 1 MiB; this is its beginning"}
