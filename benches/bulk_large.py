"""
Ground files that are larger than the memory limit, and print the time and memory taken.

    python benches/bulk_large.py                     files of 5 GB: Parquet in one row group, JSON lines, CSV
    python benches/bulk_large.py --gigabytes 0.5     smaller ones
    python benches/bulk_large.py --only parquet

Quotes and transcripts are those of benches/bulk.py: in Parquet the transcripts are given by id, in the lines of text
each row has a tenth of its own. Each file is made on the fly, grounded by the command in a process of its own, and
removed with its output; twice its size has to be free. Peak memory is the greatest that the process ever had
(VmHWM), interpreter and libraries in it. Ends with 1 where a peak is above a gigabyte.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from bulk import quotes, transcripts
from groundwire.benchmarks.runner import refuse_debug_build

BLOCK_ROWS = 1 << 17
TEXT_BLOCK_ROWS = 1 << 12
PASSAGE_CHARS = 5_000
SOURCES = "transcripts.parquet"
MOST_BYTES = 1_000_000_000
# One after the other is a file: a process that has grounded nothing yet tells its own peak in the end.
PROGRAM = """
import sys
from groundwire.cli import main
code = main(sys.argv[1:])
lines = open("/proc/self/status").read().splitlines()
print(next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM")), file=sys.stderr)
sys.exit(code)
"""


def blocks(name: str) -> Iterator[pa.Table]:
    """Yield the same rows again and again, each time with other numbers."""
    texts, other = transcripts()
    made = list(quotes(texts, other, BLOCK_ROWS if name == "parquet" else TEXT_BLOCK_ROWS))
    asked = pa.array([quote for quote, _ in made])
    if name == "parquet":
        source = pa.array([number for _, number in made], pa.int32())
    else:
        source = pa.array([texts[number][:PASSAGE_CHARS] for _, number in made])
    start = 0
    while True:
        yield pa.table({"row": pa.array(range(start, start + len(made))), "quote": asked, "source": source})
        start += len(made)


def make(path: Path, size_bytes: int) -> int:
    """Write a file of *size_bytes*, and return its number of rows."""
    rows = 0
    name = path.suffix[1:]
    if name == "parquet":
        parts = []
        for block in blocks(name):
            parts.append(block)
            rows += len(block)
            if sum(each.nbytes for each in parts) >= size_bytes:
                break
        whole = pa.concat_tables(parts)
        # No dictionary for quotes, which repeat here alone: it would make the file small.
        pq.write_table(whole, path, row_group_size=rows, compression="none", use_dictionary=False)
        texts, _ = transcripts()
        pq.write_table(pa.table({"id": range(len(texts)), "text": texts}), path.with_name(SOURCES))
        return rows
    with path.open("wb") as file:
        for place, block in enumerate(blocks(name)):
            if file.tell() >= size_bytes:
                return rows
            if name == "csv":
                pacsv.write_csv(block, file, pacsv.WriteOptions(include_header=place == 0))
            else:
                file.write(b"".join(json.dumps(row).encode() + b"\n" for row in block.to_pylist()))
            rows += len(block)
    raise AssertionError("blocks have no end")


def ground(path: Path, target: Path) -> tuple[float, int]:
    """Return the seconds and the greatest memory of the command."""
    begin = time.perf_counter()
    command = [sys.executable, "-c", PROGRAM, "bulk", str(path), str(target), "--min-score", "0", "--no-progress"]
    if path.with_name(SOURCES).exists():
        command += ["--sources", str(path.with_name(SOURCES))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return time.perf_counter() - begin, int(done.stderr.split()[-1])


def main() -> int:
    """Run what is asked for; exit code 1: a peak is too high."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gigabytes", type=float, default=5.0)
    parser.add_argument("--only", choices=["parquet", "jsonl", "csv"])
    parser.add_argument("--folder", type=Path, help="where to (default: that for temporary files)")
    arguments = parser.parse_args()
    refuse_debug_build()
    peaks = []
    print("| file | GB | rows | rows a second | peak memory, MB |\n| --- | ---: | ---: | ---: | ---: |")
    for name in [arguments.only] if arguments.only else ["parquet", "jsonl", "csv"]:
        folder = Path(tempfile.mkdtemp(prefix="bulk-large-", dir=arguments.folder))
        try:
            path = folder / f"in.{name}"
            rows = make(path, int(arguments.gigabytes * 1e9))
            size = path.stat().st_size / 1e9
            elapsed, peak = ground(path, folder / f"out.{name}")
        finally:
            shutil.rmtree(folder)
        print(f"| {name} | {size:.1f} | {rows:,} | {rows / elapsed:,.0f} | {peak / 1e6:,.0f} |", flush=True)
        peaks.append(peak)
    return 0 if max(peaks) <= MOST_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
