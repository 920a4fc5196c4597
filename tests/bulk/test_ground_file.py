"""Files of rows in every format: the results are those of `Source.find`, row by row, in every partition."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from bulk.corpora import json_lines, read, rows, sources, write_parquet
from bulk.rows import RESULTS, expected
from groundwire.bulk import BulkStopped, ground_file
from groundwire.evidence import QuotePolicy, assess_quotes
from libraries import library

ROWS = rows(300)
SUFFIXES = [".parquet", ".arrow", ".jsonl", ".jsonl.gz", ".jsonl.zst", ".csv", ".csv.gz"]
# So small that a file becomes many parts.
SMALL = {"partition_rows": 60, "memory_bytes": 1 << 16, "workers": 2}


def write(path: Path, given: list[dict]) -> Path:
    """Write rows in the format of the name's suffix."""
    table = pa.Table.from_pylist(given)
    if path.name.endswith(".parquet"):
        return write_parquet(path, given, group_rows=70)
    if path.name.endswith(".arrow"):
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=64)
        return path
    packing = {".gz": "gzip", ".zst": "zstd"}.get(path.suffix)
    with pa.output_stream(str(path), compression=packing) as file:
        if ".csv" in path.name:
            pacsv.write_csv(table, file)
        else:
            file.write(json_lines(given))
    return path


def with_results(given: list[dict], **options) -> list[dict]:
    """Return rows with their right results."""
    return [{**row, **expected(row["quote"], row["source"], **options)} for row in given]


@pytest.mark.parametrize("mode", ["substring", "fuzzy"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_each_format_gets_results(tmp_path, suffix, mode):
    """The columns of the input come first and are unchanged; CSV has no nulls."""
    given = (
        ROWS
        if ".csv" not in suffix
        else [{**row, "quote": row["quote"] or "", "source": row["source"] or ""} for row in ROWS]
    )
    source, target = write(tmp_path / f"in{suffix}", given), tmp_path / f"out{suffix}"
    summary = ground_file(source, target, mode=mode, **SMALL)
    wanted = with_results(given, mode=mode)
    found = read(target)
    if ".csv" in suffix:
        wanted = [{name: as_csv(value) for name, value in row.items()} for row in wanted]
    assert found == wanted
    assert list(found[0]) == ["number", "quote", "source", *RESULTS]
    assert summary.partitions > 3
    assert summary.counts.grounded == sum(row["grounded"] in (True, "true") for row in wanted)


def as_csv(value: object) -> str:
    """Return a value in the form that CSV has."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value).removesuffix(".0")


@pytest.mark.parametrize("target", [".parquet", ".arrow", ".jsonl", ".csv"])
@pytest.mark.parametrize("source", [".parquet", ".arrow", ".jsonl.gz", ".csv"])
def test_one_format_becomes_another(tmp_path, source, target):
    """Any format can be read and any written."""
    given = [row for row in ROWS if row["quote"] and row["source"]]
    ground_file(write(tmp_path / f"in{source}", given), tmp_path / f"out{target}", **SMALL)
    found = read(tmp_path / f"out{target}")
    wanted = with_results(given)
    assert [str(row["number"]) for row in found] == [str(row["number"]) for row in wanted]
    assert [str(row["grounded"]).lower() for row in found] == [str(row["grounded"]).lower() for row in wanted]
    assert [as_csv(row["start"]) for row in found] == [as_csv(row["start"]) for row in wanted]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_types_of_columns_are_kept(tmp_path, kind):
    """Readers of Parquet see the types of the input, although repeated texts are stored in dictionaries."""
    table = pa.Table.from_pylist(ROWS)
    column = table.column("source").combine_chunks().dictionary_encode().cast(kind)
    table = table.set_column(2, "source", column)
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=100)
    ground_file(tmp_path / "in.parquet", tmp_path / "out.parquet", **SMALL)
    found = pq.read_table(tmp_path / "out.parquet")
    assert found.schema.field("source").type == pq.read_schema(tmp_path / "in.parquet").field("source").type
    assert found.select(RESULTS).to_pylist() == [expected(row["quote"], row["source"]) for row in ROWS]


def test_repeated_long_texts_are_stored_once(tmp_path):
    """Transcripts of 50 KB in each of many rows take their space once in each partition."""
    texts = sources(3, words=10_000)
    given = [{"quote": "my neighbour", "source": texts[number % 3]} for number in range(2_000)]
    ground_file(write_parquet(tmp_path / "in.parquet", given, group_rows=500), tmp_path / "out.parquet")
    assert (tmp_path / "out.parquet").stat().st_size < 3 * sum(len(text.encode()) for text in texts)


def test_sources_by_id(tmp_path):
    """A table of sources may be a file, a table or a mapping; ids may be text in one and numbers in the other."""
    texts = sources()
    given = [{"quote": row["quote"], "source": texts.index(row["source"])} for row in ROWS if row["source"]]
    given.append({"quote": "x", "source": 99})
    path = write_parquet(tmp_path / "in.parquet", given)
    table = pa.table({"id": list(range(len(texts))), "text": texts})
    pacsv.write_csv(table, tmp_path / "sources.csv")
    found = []
    for place, each in enumerate([tmp_path / "sources.csv", table, dict(enumerate(texts))]):
        summary = ground_file(path, tmp_path / f"{place}.parquet", sources=each, **SMALL)
        found.append(read(tmp_path / f"{place}.parquet"))
        assert {source.source for source in summary.sources} == {*map(str, range(len(texts))), "99"}
    wanted = [expected(row["quote"], texts[row["source"]]) for row in given[:-1]]
    assert [{name: row[name] for name in RESULTS} for row in found[0][:-1]] == wanted
    assert found[0][-1]["error"] == "no source has this id"
    assert found[0] == found[1] == found[2]


def test_an_id_beyond_the_type_of_the_table(tmp_path):
    """An id with more digits than those of the table is an unknown one."""
    path = write_parquet(tmp_path / "in.parquet", [{"quote": "a", "source": 300}, {"quote": "a", "source": 1}])
    table = pa.table({"id": pa.array([1], pa.int8()), "text": ["a"]})
    summary = ground_file(path, tmp_path / "out.parquet", sources=table)
    assert (summary.counts.grounded, summary.counts.errors) == (1, {"no source has this id": 1})


def test_lists_of_quotes(tmp_path):
    """A row with a list of quotes has lists of results, and every quote is counted."""
    given = [{"quote": ["sleep", "never said", None], "source": "I sleep"}, {"quote": [], "source": "x"}]
    path = tmp_path / "in.jsonl"
    path.write_bytes(json_lines(given))
    summary = ground_file(path, tmp_path / "out.jsonl")
    first, second = read(tmp_path / "out.jsonl")
    assert first["grounded"] == [True, False, False]
    assert first["start"] == [2, None, None]
    assert first["error"] == [None, None, "the quote is null"]
    assert second["grounded"] == second["error"] == []
    assert (summary.counts.rows, summary.counts.quotes, summary.counts.grounded) == (2, 3, 1)


def test_the_guarded_policy_has_the_verdicts_of_assess_quotes(tmp_path):
    """Verdicts are those of the evidence package; status and reasons come last."""
    given = [row for row in ROWS if row["quote"] and row["source"]][:80]
    summary = ground_file(write_parquet(tmp_path / "in.parquet", given), tmp_path / "out.parquet", policy="guarded")
    for row in read(tmp_path / "out.parquet"):
        verdict = assess_quotes([row["quote"]], row["source"], policy=QuotePolicy(threshold=0.85))[0]
        match = verdict.match
        assert row["grounded"] == verdict.accepted
        assert (row["status"], row["reasons"]) == (verdict.status, [*verdict.reasons])
        assert row["score"] == verdict.score
        assert (row["start"], row["end"]) == ((None, None) if match is None else (match.start, match.end))
    assert sum(summary.counts.statuses.values()) == 80
    assert summary.counts.statuses["absent"] > 0


def test_a_folder_and_a_pattern(tmp_path):
    """Files are read in the order of their names, with those in subfolders; partitions have the same order."""
    folder = tmp_path / "in"
    (folder / "inner").mkdir(parents=True)
    for name, start in (("b.jsonl", 100), ("a.jsonl", 0), ("inner/c.jsonl", 200)):
        (folder / name).write_bytes(json_lines(ROWS[start : start + 100]))
    (folder / "_other.jsonl").write_bytes(b"not to be read")
    (folder / "notes.txt").write_bytes(b"not to be read")
    ground_file(folder, tmp_path / "out/", **SMALL)
    assert read(tmp_path / "out") == with_results(ROWS)
    ground_file(folder / "*.jsonl", tmp_path / "out.jsonl", **SMALL)
    assert read(tmp_path / "out.jsonl") == with_results(ROWS[:200])
    ground_file((folder / "a.jsonl").as_uri(), tmp_path / "url.jsonl")
    assert read(tmp_path / "url.jsonl") == with_results(ROWS[:100])


def test_an_input_without_rows(tmp_path):
    """The output has the columns, and no rows; there is no rate."""
    table = pa.Table.from_pylist(ROWS[:3]).slice(0, 0)
    pq.write_table(table, tmp_path / "in.parquet")
    summary = ground_file(tmp_path / "in.parquet", tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").schema.names == ["number", "quote", "source", *RESULTS]
    assert summary.rate is None
    (tmp_path / "in.jsonl").write_bytes(b"\n\n")
    assert ground_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl").counts.rows == 0


def test_json_lines_are_kept(tmp_path):
    """If JSON lines are written again, other fields keep every character; blank lines are dropped."""
    line = b'{ "n" : 1.50, "quote":"a", "deep": {"x":[1e3, null]}, "source" :"a"  }'
    (tmp_path / "in.jsonl").write_bytes(line + b"\r\n\n{}\n")
    ground_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    first, second = (tmp_path / "out.jsonl").read_bytes().splitlines()
    assert first.startswith(line.removesuffix(b"  }") + b',"grounded":true,"kind":"exact","score":1.0,"start":0,')
    assert json.loads(second)["error"] == "the source is null"


def test_a_finished_run_is_not_repeated(tmp_path):
    """The same call again returns the summary of the first one, and writes nothing."""
    path = write_parquet(tmp_path / "in.parquet", ROWS)
    first = ground_file(path, tmp_path / "out.parquet")
    written = (tmp_path / "out.parquet").stat().st_mtime_ns
    assert ground_file(path, tmp_path / "out.parquet") == first
    assert (tmp_path / "out.parquet").stat().st_mtime_ns == written
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "in.parquet",
        "out.parquet",
        "out.parquet.manifest.json",
    ]


def test_progress(tmp_path):
    """The progress never decreases, whichever partition is finished first."""
    path = write_parquet(tmp_path / "in.parquet", ROWS)
    seen = []
    summary = ground_file(path, tmp_path / "out.parquet", on_progress=seen.append, **SMALL)
    assert len(seen) == summary.partitions > 2
    shares = [progress.share for progress in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert seen[-1].rows == len(ROWS)


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_stopped_run_is_resumed(tmp_path, after):
    """Finished partitions are not repeated, and the output is that of an undisturbed run."""
    path = write_parquet(tmp_path / "in.parquet", ROWS)
    seen = []
    with pytest.raises(BulkStopped, match="the same call resumes") as stopped:
        ground_file(
            path, tmp_path / "out.parquet", on_progress=seen.append, should_stop=lambda: len(seen) >= after, **SMALL
        )
    assert stopped.value.partitions >= after
    assert not (tmp_path / "out.parquet").exists()
    again = []
    summary = ground_file(path, tmp_path / "out.parquet", on_progress=again.append, **SMALL)
    assert len(again) == summary.partitions - stopped.value.partitions
    assert again[0].rows_before == stopped.value.rows
    assert again[-1].rows == len(ROWS)
    assert read(tmp_path / "out.parquet") == with_results(ROWS)


def test_counts_by_source_are_summed_over_partitions_and_runs(tmp_path):
    """A source has its quotes of all partitions, including those of an earlier run; too many sources have no rates."""
    path = write_parquet(tmp_path / "in.parquet", ROWS)
    whole = ground_file(path, tmp_path / "whole.parquet", **SMALL)
    assert sum(each.quotes for each in whole.sources) == sum(row["source"] is not None for row in ROWS)
    seen = []
    with pytest.raises(BulkStopped):
        ground_file(path, tmp_path / "out.parquet", on_progress=seen.append, should_stop=lambda: bool(seen), **SMALL)
    assert ground_file(path, tmp_path / "out.parquet", **SMALL).sources == whole.sources
    many = [{"quote": "a", "source": f"a {number}"} for number in range(5_000)]
    summary = ground_file(write_parquet(tmp_path / "many.parquet", many, group_rows=1_000), tmp_path / "m.parquet")
    assert summary.sources is None


def test_concatenated_gzip_is_one_file(tmp_path):
    """Other programs read the gzip members of all partitions as one file."""
    ground_file(write(tmp_path / "in.jsonl", ROWS), tmp_path / "out.jsonl.gz", **SMALL)
    with gzip.open(tmp_path / "out.jsonl.gz") as file:
        assert [json.loads(line) for line in file] == with_results(ROWS)


@pytest.mark.parametrize("first", ["a", "b"])
def test_a_column_that_is_a_dictionary_in_one_file_and_text_in_another(tmp_path, first):
    """Readers see text in one output, and every value is there."""
    few, many = ["one", "two"] * 100, [f"number {number} of many" for number in range(200)]
    (tmp_path / "in").mkdir()
    for name, notes in ((first, few), ("b" if first == "a" else "a", many)):
        table = pa.table({"quote": ["word"] * 200, "source": ["a word"] * 200, "note": notes})
        pq.write_table(table, tmp_path / "in" / f"{name}.parquet", row_group_size=50)
    ground_file(tmp_path / "in", tmp_path / "out.parquet", **SMALL)
    found = pq.read_table(tmp_path / "out.parquet")
    assert found.schema.field("note").type == pa.string()
    assert found.column("note").to_pylist() == (few + many if first == "a" else many + few)
    assert found.column("grounded").to_pylist() == [True] * 400


def test_other_readers_of_parquet_agree(tmp_path):
    """Polars and DuckDB read an output of several partitions."""
    polars = library("polars")
    ground_file(write_parquet(tmp_path / "in.parquet", ROWS), tmp_path / "out.parquet", **SMALL)
    wanted = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert polars.read_parquet(tmp_path / "out.parquet").to_dicts() == wanted
    duckdb = library("duckdb")
    found = duckdb.sql(f"SELECT * FROM '{tmp_path / 'out.parquet'}'").to_arrow_table()
    assert found.to_pylist() == wanted
