"""
Race batches of quotes against Python loops, polars and duckdb.

    pip install "groundwire[bulk]" rapidfuzz polars duckdb
    python benches/bulk.py                     a million rows, some minutes
    python benches/bulk.py --rows 100000       fewer

600 overlapping transcripts of 50 KB, quotes of 10 to 30 words: three fifths occur in their
transcript, some of them in other letters; of the others half are quotes with a few letters
changed and half are from another text. The transcripts are real where the folder `shared` is
beside the project, or where GROUNDWIRE_SHARED says; else synthetic.

Each rival takes as many rows as last about as long as all rows of ours, and a row's time is
compared. Rounds take turns, answers are compared before anything is timed, and times are those of
one thread, but for the table of forms: there it is the clock. Peaks are those of a process that does nothing
but to read the same rows from Parquet and to ground them.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq
from rapidfuzz.fuzz import partial_ratio

from corpora import CORPORA, english
from groundwire import reference
from groundwire.benchmarks.corpus import Corpus
from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.bulk import Grounder, SourceTable

TEXT_CHARS, TRANSCRIPTS, TRANSCRIPT_CHARS, ROWS, BATCH_ROWS, ROUNDS = 5_000_000, 600, 50_000, 1_000_000, 1 << 16, 3
THRESHOLD = 0.85
LEAST = {
    "specification": {"substring": 200.0, "fuzzy": 200.0},
    "Python loop": {"substring": 8.0, "fuzzy": 40.0},
    "polars": {"substring": 10.0, "fuzzy": 10.0},
    "duckdb": {"substring": 10.0, "fuzzy": 10.0},
}
LEAST_SCALING, MOST_MB = 1.8, 1000
# Rows of each rival, for each mode.
RIVAL_ROWS = {
    "specification": {"substring": 300, "fuzzy": 300},
    "Python loop": {"substring": 60_000, "fuzzy": 2_000},
    "polars": {"substring": 60_000, "fuzzy": 2_000},
    "duckdb": {"substring": 60_000, "fuzzy": 2_000},
}

Row = tuple[str, int]
"""A quote, and the number of its transcript."""


def transcripts() -> tuple[list[str], str]:
    """Windows of one long text, and another text."""
    corpus = english()
    if corpus.files:
        # Transcripts are spoken.
        corpus = Corpus((CORPORA / "en_changelog_concat_5mb.txt",), corpus.elsewhere)
    text = corpus.text(TEXT_CHARS, is_normalized=False).read()
    other = corpus.other(TEXT_CHARS // 10, is_normalized=False).read()
    step = (len(text) - TRANSCRIPT_CHARS) // TRANSCRIPTS
    return [text[start : start + TRANSCRIPT_CHARS] for start in range(0, step * TRANSCRIPTS, step)], other


def passage(text: str, chance: random.Random) -> str:
    """Return 10 to 30 consecutive words, unchanged."""
    start = chance.randrange(len(text) - 400)
    start = text.index(" ", start) + 1
    end = start
    for _ in range(chance.randint(10, 30)):
        end = text.find(" ", end + 1)
        if end < 0:
            end = len(text)
            break
    return text[start:end]


def quotes(texts: list[str], other: str, count: int) -> Iterator[Row]:
    """Quotes of random transcripts."""
    chance = random.Random(9)
    for _ in range(count):
        number, kind = chance.randrange(len(texts)), chance.random()
        quote = passage(other if kind > 0.8 else texts[number], chance)
        if 0.45 < kind <= 0.6:
            quote = quote.upper().replace(" ", "  ")
        elif 0.6 < kind <= 0.8:
            letters = list(quote)
            for _ in range(chance.randint(1, 1 + len(letters) // 8)):
                letters[chance.randrange(len(letters))] = chance.choice("etaoin")
            quote = "".join(letters)
        yield quote, number


def judge_loop(texts: list[str], mode: str) -> Callable[[list[Row]], list[bool]]:
    """The best loop: transcripts normalised once, quotes found as they are before anything is scored."""
    normalize = reference.normalize_for_quote_match
    normalized = [normalize(text) for text in texts]

    def substring(rows: list[Row]) -> list[bool]:
        return [normalize(quote) in normalized[number] for quote, number in rows]

    def fuzzy(rows: list[Row]) -> list[bool]:
        def one(quote: str, text: str) -> bool:
            return quote in text or partial_ratio(quote, text, score_cutoff=100 * THRESHOLD) > 0

        return [one(normalize(quote), normalized[number]) for quote, number in rows]

    return substring if mode == "substring" else fuzzy


def judge_specification(texts: list[str], mode: str) -> Callable[[list[Row]], list[bool]]:
    """The specification's function, once for each row."""

    def one(quote: str, text: str) -> bool:
        evidence = {"quote": [quote]}
        kept, _ = reference.validate_evidence_grounding(
            evidence, text, mode=mode, fuzzy_threshold=THRESHOLD, log_rejections=False
        )
        return bool(kept["quote"])

    return lambda rows: [one(quote, texts[number]) for quote, number in rows]


def judge_polars(texts: list[str], mode: str) -> Callable[[list[Row]], list[bool]]:
    """The loop as a function of a polars column."""
    judge = judge_loop(texts, mode)

    def run(rows: list[Row]) -> list[bool]:
        frame = polars.DataFrame(rows, schema=["quote", "source"], orient="row")
        verdict = polars.struct("quote", "source").map_elements(
            lambda row: judge([(row["quote"], row["source"])])[0], return_dtype=polars.Boolean
        )
        return frame.select(verdict).to_series().to_list()

    return run


def judge_duckdb(texts: list[str], mode: str) -> Callable[[list[Row]], list[bool]]:
    """The loop as a function of duckdb."""
    judge = judge_loop(texts, mode)
    connection = duckdb.connect()
    connection.execute("set threads to 1")
    connection.create_function(
        "judge", lambda quote, source: judge([(quote, source)])[0], ["VARCHAR", "BIGINT"], "BOOLEAN"
    )

    def run(rows: list[Row]) -> list[bool]:
        connection.register("rows", pa.table({"quote": [row[0] for row in rows], "source": [row[1] for row in rows]}))
        return [row[0] for row in connection.execute("select judge(quote, source) from rows").fetchall()]

    return run


JUDGES = {
    "specification": judge_specification,
    "Python loop": judge_loop,
    "polars": judge_polars,
    "duckdb": judge_duckdb,
}


def batches(texts: list[str], rows: list[Row], form: str) -> tuple[list[pa.RecordBatch], SourceTable | None]:
    """The rows in columns: sources as a dictionary, by id, or each text in its row."""
    numbers = pa.array([row[1] for row in rows], pa.int32())
    column, sources = pa.array([row[0] for row in rows], pa.utf8()), None
    if form == "id":
        source, sources = numbers, SourceTable(pa.table({"id": range(len(texts)), "text": texts}))
    else:
        source = pa.DictionaryArray.from_arrays(
            numbers, pa.array(texts, pa.large_utf8() if form == "large" else pa.utf8())
        )
    table = pa.table({"quote": column, "source": source})
    return table.to_batches(BATCH_ROWS), sources


def grounded(chunks: list[pa.RecordBatch], sources: SourceTable | None, mode: str, workers: int = 1) -> pa.ChunkedArray:
    """Ground all rows with a new grounder, whose preparation is part of the work."""
    grounder = Grounder(mode=mode, threshold=THRESHOLD, sources=sources, workers=workers)
    return pa.chunked_array([pa.record_batch(grounder.ground(chunk))["grounded"] for chunk in chunks])


def ground(chunks: list[pa.RecordBatch], sources: SourceTable | None, mode: str) -> list[bool]:
    """Return the results as a list, as rivals do."""
    verdicts: list[bool] = grounded(chunks, sources, mode).to_pylist()
    return verdicts


def seconds(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Return the time of *work* by *clock*."""
    begin = clock()
    work()
    return clock() - begin


def race(texts: list[str], rows: list[Row], mode: str) -> bool:
    """Print a table of ratios; return whether all targets are reached."""
    chunks, sources = batches(texts, rows, "dictionary")
    rivals = {name: (judge(texts, mode), rows[: RIVAL_ROWS[name][mode]]) for name, judge in JUDGES.items()}
    ours = ground(chunks, sources, mode)
    for name, (judge, some) in rivals.items():
        if judge(some) != ours[: len(some)]:
            raise SystemExit(f"{name} gives other results in mode {mode}")
    print(f"\n{mode}: {len(rows):,} rows, {sum(ours) / len(ours):.0%} grounded\n")
    print("| | rows a second | groundwire is faster by | wanted |\n| --- | ---: | ---: | ---: |")
    rounds = []
    for _ in range(ROUNDS):
        times = {"groundwire": seconds(partial(ground, chunks, sources, mode), time.thread_time) / len(rows)}
        for name, (judge, some) in rivals.items():
            times[name] = seconds(partial(judge, some), time.process_time) / len(some)
        rounds.append(times)
    print(f"| groundwire | {1 / min(times['groundwire'] for times in rounds):,.0f} | | |")
    is_reached = True
    for name in rivals:
        ratio = statistics.median(times[name] / times["groundwire"] for times in rounds)
        rate, least = 1 / min(times[name] for times in rounds), LEAST[name][mode]
        print(f"| {name} | {rate:,.0f} | {ratio:.1f} | {least:.0f} |")
        is_reached &= ratio >= least
    return is_reached


def forms(texts: list[str], rows: list[Row]) -> bool:
    """Print the cost of other columns and of a second thread; return whether the second thread pays."""
    print("\n| sources | mode | one thread, s | two threads, s | ratio |\n| --- | --- | ---: | ---: | ---: |")
    is_reached = True
    for form in ("dictionary", "large", "id"):
        chunks, sources = batches(texts, rows, form)
        for mode in ("substring", "fuzzy"):
            works = [partial(grounded, chunks, sources, mode, workers) for workers in (1, 2)]
            times = [[seconds(work, time.perf_counter) for work in works] for _ in range(ROUNDS)]
            one, two = (min(pair[place] for pair in times) for place in (0, 1))
            print(f"| {form} | {mode} | {one:.2f} | {two:.2f} | {one / two:.2f} |")
            is_reached &= one / two >= LEAST_SCALING
    return is_reached


def peaks(texts: list[str], rows: list[Row]) -> bool:
    """Print the memory of grounding; return whether it is within the target."""
    chunks, _ = batches(texts, rows, "dictionary")
    is_reached = True
    print("\n| mode | threads | peak, MB | of it for sources that are kept, MB |\n| --- | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        # In practice, rows do not repeat each text.
        pq.write_table(pa.Table.from_batches(chunks), path, dictionary_pagesize_limit=1 << 30)
        for mode in ("substring", "fuzzy"):
            for workers in (1, 2):
                command = [sys.executable, __file__, "--ground", str(path), mode, str(workers)]
                told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
                print(f"| {mode} | {workers} | {told['peak_mb']:,} | {told['kept_mb']:,} |")
                is_reached &= told["peak_mb"] <= MOST_MB
    return is_reached


def ground_file(path: str, mode: str, workers: str) -> None:
    """Ground the rows of a Parquet file, and print the peak of this process."""
    grounder = Grounder(mode=mode, threshold=THRESHOLD, workers=int(workers))
    reader = pq.ParquetFile(path, read_dictionary=["source"])
    for batch in reader.iter_batches(BATCH_ROWS):
        grounder.ground(batch)
    # The peak of `resource` includes the parent's.
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    print(
        json.dumps({"peak_mb": int(status["VmHWM"].split()[0]) * 1024 // 10**6, "kept_mb": grounder.kept[1] // 10**6})
    )


def main() -> int:
    """Run the requested parts; exit code 1: a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--only", choices=["substring", "fuzzy", "forms", "peaks"])
    parser.add_argument("--ground", nargs=3, metavar=("FILE", "MODE", "WORKERS"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    refuse_debug_build()
    if arguments.ground:
        ground_file(*arguments.ground)
        return 0
    texts, other = transcripts()
    rows = list(quotes(texts, other, arguments.rows))
    parts = {
        "substring": lambda: race(texts, rows, "substring"),
        "fuzzy": lambda: race(texts, rows, "fuzzy"),
        "forms": lambda: forms(texts, rows),
        "peaks": lambda: peaks(texts, rows),
    }
    reached = {name: part() for name, part in parts.items() if arguments.only in (None, name)}
    print(json.dumps(reached))
    return 0 if all(reached.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
