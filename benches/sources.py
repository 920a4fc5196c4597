"""
Read large research files with `groundwire.faithfulness.SourceData`, and say what that takes.

    python benches/sources.py [MEGABYTES]

A file of each kind is written, 500 MB unless told otherwise, and read in a process of its
own: units, CPU time of one core, and the most memory that the process had.
"""

import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path

from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.faithfulness import SourceData

HEADS = {"csv": "name,age,job,says\n"}
LINES = {
    "csv": 'Ann{0},{1},Manager of many things,"I like it, very much, and I do it every day of the week"\n',
    "jsonl": '{{"name": "Ann{0}", "age": {1}, "says": "I like it very much, and I do it every day of the week"}}\n',
    "txt": "Ann: I like number {0} of {1} very much, and I do it every day of the week, at home.\n\nBob: So?\n\n",
}
BLOCK_LINES = 5_000


def write(path: Path, kind: str, size: int) -> None:
    """Write at least *size* characters."""
    written = number = 0
    with path.open("w", encoding="utf-8") as file:
        file.write(HEADS.get(kind, ""))
        while written < size:
            block = "".join(LINES[kind].format(each, 20 + each % 50) for each in range(number, number + BLOCK_LINES))
            file.write(block)
            written += len(block)
            number += BLOCK_LINES


def read(path: Path) -> tuple[int, float, int]:
    """Units, seconds of CPU time, and megabytes of memory at most."""
    begin = time.process_time()
    count = sum(1 for _ in SourceData(path).units())
    return count, time.process_time() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    """Write, read, print."""
    refuse_debug_build()
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    # A new interpreter each, whose memory was never anything else's.
    processes = multiprocessing.get_context("spawn")
    for kind in LINES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"large.{kind}")
            write(path, kind, megabytes * 1_000_000)
            with processes.Pool(1) as pool:
                units, seconds, peak = pool.apply(read, (path,))
        print(f"{kind}: {megabytes} MB, {units:,} units, {seconds:.0f} s of CPU time, {peak} MB of memory")


if __name__ == "__main__":
    main()
