"""
Measure what Spark adds to `ground_file`: the same Parquet in and out, on as many cores, executors warm.

    python benches/bulk_spark.py                 both modes on one core and on two; a quarter of an hour, and Java 17
    python benches/bulk_spark.py --rows 200000   fewer rows; the record stays as it is

Quotes and transcripts are those of benches/bulk.py, transcripts by id. All ways read the same rows, ground them and
write Parquet: `ground` by rows, `ground_files` by files, of which there are two; and Spark alone, where a `mapInArrow`
returns the rows as they come: no grounding by rows can take less. Rounds alternate, medians count, and results are
compared first. The first runs of Spark are not counted: they start Python workers, prepare sources and compile.
The comparison is of processor time, summed over all processes and threads, those of Java included. The clock time of
the fastest round is in brackets.

The record is benches/record/bulk.json. Ends with 1 where Spark adds more than is wanted to grounding by files.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from bulk import quotes, transcripts
from groundwire.benchmarks.runner import machine, refuse_debug_build
from groundwire.bulk import ground_file
from groundwire.bulk.spark import ground, ground_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RECORD = Path(__file__).parent / "record" / "bulk.json"
ROWS, GROUP_ROWS, FILES, ROUNDS = 1_000_000, 1 << 16, 2, 3
MOST_ADDED = 0.15
WAYS = ("ground_file", "ground", "ground_files")
ALONE = "spark_alone"
"""Spark without grounding."""
MODES = ("substring", "fuzzy")


def make(folder: Path, rows: int) -> tuple[Path, Path]:
    """Write quotes and transcripts, and return where they are."""
    texts, other = transcripts()
    made = list(quotes(texts, other, rows))
    table = pa.table({"quote": [quote for quote, _ in made], "source": pa.array([number for _, number in made])})
    pq.write_table(table, folder / "quotes.parquet", row_group_size=GROUP_ROWS)
    pq.write_table(pa.table({"id": range(len(texts)), "text": texts}), folder / "transcripts.parquet")
    # The same rows as files, for tasks of Spark's.
    (folder / "files").mkdir()
    step = -(-rows // FILES)
    for number in range(FILES):
        pq.write_table(
            table.slice(number * step, step), folder / "files" / f"{number}.parquet", row_group_size=GROUP_ROWS
        )
    return folder / "quotes.parquet", folder / "transcripts.parquet"


def session(cores: int) -> "SparkSession":
    """Start Spark in one process with this many cores, and a Python worker for each."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(GROUP_ROWS),
        # The maximum. With any other value, Spark adds up the size of a batch for each row.
        "spark.sql.execution.arrow.maxBytesPerBatch": str((1 << 31) - 1),
    }
    builder = SparkSession.builder.master(f"local[{cores}]").appName("bulk_spark")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def by_spark(spark: "SparkSession", rows: Path, sources: Path, target: Path, mode: Any) -> None:
    """Ground *rows* into a folder."""
    grounded = ground(spark.read.parquet(str(rows)), sources=str(sources), mode=mode)
    grounded.write.mode("overwrite").parquet(str(target))


def by_spark_alone(spark: "SparkSession", rows: Path, target: Path) -> None:
    """Read *rows*, hand them to Python and back, and write them."""
    frame = spark.read.parquet(str(rows))
    frame.mapInArrow(lambda batches: batches, frame.schema).write.mode("overwrite").parquet(str(target))


def by_tasks(spark: "SparkSession", rows: Path, sources: Path, target: Path, mode: Any) -> None:
    """Ground as many files with the same rows."""
    ground_files(spark, rows.with_name("files"), target, sources=str(sources), mode=mode, resume=False)


def by_file(rows: Path, sources: Path, target: Path, mode: Any, cores: int) -> None:
    """The same without Spark."""
    ground_file(rows, target, sources=sources, mode=mode, workers=cores, resume=False)


def descendants() -> Iterator[tuple[int, float]]:
    """Yield this process and all that it started, and theirs, each with the processor time that it has taken."""
    parents, times = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        process = int(path.parent.name)
        parents[process] = int(fields[1])
        times[process] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    for process in times:
        ancestor = process
        while ancestor in parents and ancestor != os.getpid():
            ancestor = parents[ancestor]
        if ancestor == os.getpid():
            yield process, times[process]


def seconds(work: Callable[[], None]) -> tuple[float, float]:
    """Return processor time and time by the clock."""
    before, begin = dict(descendants()), time.perf_counter()
    work()
    elapsed, after = time.perf_counter() - begin, dict(descendants())
    return sum(taken - before.get(process, 0.0) for process, taken in after.items()), elapsed


def check(folder: Path, cores: int, mode: str) -> None:
    """Raise unless all have written the same."""
    columns = ["quote", "source", "grounded", "start", "end"]
    order = [(name, "ascending") for name in columns]
    found, wanted = (pq.read_table(folder / name, columns=columns).sort_by(order) for name in ("spark", "file.parquet"))
    files = sorted((folder / "tasks").glob("*.parquet"))
    tasks = pa.concat_tables(pq.read_table(file, columns=columns) for file in files).sort_by(order)
    if not (found.equals(wanted.cast(found.schema)) and tasks.equals(wanted.cast(tasks.schema))):
        raise SystemExit(f"Spark says something else in mode {mode} on {cores} cores")


def measure(folder: Path, paths: tuple[Path, Path], cores: int, modes: list[str]) -> list[dict[str, Any]]:
    """Time all ways by turns in each mode."""
    spark = session(cores)
    spark.sparkContext.setLogLevel("ERROR")
    found = []
    try:
        for mode in modes:
            ways = [
                partial(by_file, *paths, folder / "file.parquet", mode, cores),
                partial(by_spark, spark, *paths, folder / "spark", mode),
                partial(by_tasks, spark, *paths, folder / "tasks", mode),
                partial(by_spark_alone, spark, paths[0], folder / "alone"),
            ]
            for way in ways * 2:
                way()
            check(folder, cores, mode)
            rounds = [[seconds(way) for way in ways] for _ in range(ROUNDS)]
            row: dict[str, Any] = {"mode": mode, "cores": cores}
            for place, name in enumerate((*WAYS, ALONE)):
                row[f"{name}_s"] = statistics.median(each[place][0] for each in rounds)
                row[f"{name}_elapsed_s"] = min(each[place][1] for each in rounds)
            for place, name in enumerate(WAYS[1:], 1):
                row[f"{name}_added"] = statistics.median(each[place][0] / each[0][0] for each in rounds) - 1
            found.append(row)
    finally:
        spark.stop()
    return found


def table(record: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield "| mode | cores | `ground_file` | `spark.ground` | it adds | `spark.ground_files` | it adds | Spark alone |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for each in record["found"]:
        told = [f"{each['ground_file_s']:.1f} s ({each['ground_file_elapsed_s']:.1f} s)"]
        for name in WAYS[1:]:
            told += [f"{each[f'{name}_s']:.1f} s ({each[f'{name}_elapsed_s']:.1f} s)", f"{each[f'{name}_added']:+.0%}"]
        told.append(f"{each[f'{ALONE}_s']:.1f} s ({each[f'{ALONE}_elapsed_s']:.1f} s)")
        yield f"| {each['mode']} | {each['cores']} | {' | '.join(told)} |"


def main() -> int:
    """Run what is asked for; exit code 1: something is not reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--only", choices=MODES)
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    refuse_debug_build()
    modes = [arguments.only] if arguments.only else list(MODES)
    folder = Path(tempfile.mkdtemp(prefix="bulk-spark-"))
    try:
        paths = make(folder, arguments.rows)
        found = [each for cores in arguments.cores for each in measure(folder, paths, cores, modes)]
    finally:
        shutil.rmtree(folder)
    record = {
        "command": "python benches/bulk_spark.py",
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "rows": arguments.rows,
        "found": found,
    }
    if arguments.rows == ROWS and len(found) == 4:
        RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for line in table(record):
        print(line)
    return 0 if all(each["ground_files_added"] <= MOST_ADDED for each in found) else 1


if __name__ == "__main__":
    sys.exit(main())
