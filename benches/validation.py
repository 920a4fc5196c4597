"""
Time the validation of a claim among many memories, and what knowing them costs.

    python benches/validation.py [--sizes 100000 1000000]

Memories are in a file of SQLite, a million of one user; the validator asks
`StoreBackedIndex`, and citations are verified by nobody, as without a network or a
repository. Times are of the whole `await validate(...)`: wall-clock time of one claim
after the other, and CPU time of the process. Answers are checked: every second claim is
a copy of a memory with a word more.
"""

import argparse
import asyncio
import gc
import os
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from dedup import claims, queries
from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.ingestion import CitationVerifier, IngestionValidator, StoreBackedIndex
from groundwire.memory import MemoryStore

QUERIES, WARM = 1_000, 50
MOST_MEDIAN_S, MOST_P99_S, MOST_GROWTH, MOST_BYTES = 1e-3, 5e-3, 2.0, 200


def fill(store: MemoryStore, size: int) -> None:
    """Write generated claims of one user as the store would, but for the hashes, which nobody reads here."""
    contents = enumerate(claims(size, seed=2), 1)
    with store.transaction() as database:
        database.execute_many(
            "INSERT INTO memories (number, id, user_id, content, content_hash, memory_type, source, capture_time, "
            "confidence, source_ids, parents, metadata, status) "
            "VALUES (?, ?, 'anna', ?, ?, 'fact', 'user', 0, 'high', '[]', '[]', '{}', 'active')",
            ((number, f"m{number}", content, f"{number:032x}") for number, content in contents),
        )
        database.execute_many(
            "INSERT INTO memory_audit (sequence, time, action, memory_id, user_hash, content_hash, link) "
            "VALUES (?, 0, 'stored', ?, '', ?, '')",
            ((number, f"m{number}", f"{number:032x}") for number in range(1, size + 1)),
        )


def resident_bytes() -> int:
    """The memory of this process."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def times(validator: IngestionValidator, asked: list[str]) -> list[tuple[float, float]]:
    """Return the seconds and CPU seconds of each validation, after checking the results."""
    measured = []
    for place, text in enumerate(asked):
        begin, cpu_begin = time.perf_counter(), time.process_time()
        result = await validator.validate(text, "fact", "user", "anna")
        measured.append((time.perf_counter() - begin, time.process_time() - cpu_begin))
        if result.code is None or result.code.value == "dedup_failed":
            raise SystemExit("the check for duplicates failed")
        # Of a shorter claim a word more is more than the threshold allows.
        is_copy = place < len(asked) // 2 and len(set(text.split())) > 13
        if is_copy and result.code.value not in ("duplicate", "conflict"):
            raise SystemExit(f"a copy was taken for {result.code.value}")
    return measured


def percentile(values: list[float], share: float) -> float:
    """The value that *share* of *values* is not above."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def measure(folder: Path, size: int) -> tuple[float, bool]:
    """Print one row; return the median and whether its figures are reached."""
    asked = queries(list(claims(size, seed=2)), QUERIES)
    with MemoryStore(folder / f"{size}.db") as store:
        fill(store, size)
        before, begin = resident_bytes(), time.process_time()
        indexed = StoreBackedIndex(store)
        indexed.rebuild()
        rebuild_s, resident = time.process_time() - begin, resident_bytes() - before
        validator = IngestionValidator(indexed, verifier=CitationVerifier())
        asyncio.run(times(validator, asked[:: QUERIES // WARM]))
        measured = asyncio.run(times(validator, asked))
    wall, cpu = ([each[kind] for each in measured] for kind in (0, 1))
    median, p99 = statistics.median(wall), percentile(wall, 0.99)
    index_bytes = sys.getsizeof(indexed) / size
    cpu_times = f"{statistics.median(cpu) * 1e6:.0f} | {percentile(cpu, 0.99) * 1e6:.0f}"
    print(
        f"| {size:,} | {median * 1e6:.0f} | {p99 * 1e6:.0f} | {cpu_times} | {rebuild_s:.1f} "
        f"| {index_bytes:.0f} | {resident / size:.0f} |",
        flush=True,
    )
    return statistics.median(cpu), median <= MOST_MEDIAN_S and p99 <= MOST_P99_S and index_bytes <= MOST_BYTES


def main() -> int:
    """Print the table; exit code 1: a figure is not reached."""
    refuse_debug_build()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    sizes = parser.parse_args().sizes
    print("| memories | median, µs | 99 %, µs | CPU, median | CPU, 99 % | rebuild, s | bytes a memory | resident |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    with TemporaryDirectory() as folder:
        results = [measure(Path(folder), size) for size in sizes]
    growth = results[-1][0] / results[0][0]
    print(f"\nGrowth of the median of CPU time: {growth:.2f}")
    # Queries go to the largest memory: in a small one, the fixed cost of an index is spread over few entries.
    return 0 if results[-1][1] and growth < MOST_GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
