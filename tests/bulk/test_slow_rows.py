"""Which rows take longest: found among the others, with the time that they take by themselves."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bulk.corpora import rows, write_parquet
from groundwire.bulk import ground_file
from groundwire.bulk import slow_rows as module
from groundwire.bulk.judging import Judge
from groundwire.bulk.options import Rule
from groundwire.bulk.slow_rows import SlowRows
from groundwire.bulk.summary_page import render_page

LONG = "a word and another one " * 2_000
HEAVY = 137


def given() -> list[dict[str, object]]:
    """Short rows, and one whose long quote nearly stands in a long source."""
    made = [{"quote": f"word {number}", "source": f"a word {number} and more"} for number in range(200)]
    made[HEAVY] = {"quote": f"x{LONG[1:1500]}", "source": LONG}
    return made


@pytest.mark.parametrize("kind", ["texts", "dictionary", "large", "lists", "ids", "jsonl"])
def test_the_row_with_most_to_compare_is_named(tmp_path, kind):
    """By its place in the output, with its lengths, however the columns are written."""
    heavy, options = given(), {}
    if kind == "ids":
        options["sources"] = {number: str(row["source"]) for number, row in enumerate(heavy)}
        heavy = [{**row, "source": number} for number, row in enumerate(heavy)]
    if kind == "lists":
        heavy = [{**row, "quote": [row["quote"]] * (3 if number == HEAVY else 1)} for number, row in enumerate(heavy)]
    path = tmp_path / ("in.jsonl" if kind == "jsonl" else "in.parquet")
    if kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in heavy))
    else:
        table = pa.Table.from_pylist(heavy)
        if kind in ("dictionary", "large"):
            texts = pa.large_string() if kind == "large" else pa.dictionary(pa.int32(), pa.string())
            table = table.set_column(
                1, "source", table.column("source").combine_chunks().dictionary_encode().cast(texts)
            )
        pq.write_table(table, path, row_group_size=60)
    summary = ground_file(path, tmp_path / "out.parquet", mode="fuzzy", part_rows=60, workers=1, **options)
    slowest = summary.slow_rows[0]
    assert (slowest.row, slowest.source_bytes) == (HEAVY, len(LONG))
    assert slowest.quote_bytes == (3 if kind == "lists" else 1500)
    assert slowest.seconds > 0
    assert [row.seconds for row in summary.slow_rows] == sorted(
        (row.seconds for row in summary.slow_rows), reverse=True
    )
    assert f"{HEAVY} of the output, in part {slowest.part} of {path}" in render_page(summary)


def slow(clock) -> SlowRows:
    """What looks for rows, by a clock of the test's."""
    rule = Rule(mode="fuzzy")
    return SlowRows(rule, Judge(rule, None, workers=1, memory_bytes=1 << 20), None, clock=clock)


def batch() -> pa.RecordBatch:
    """Rows with a result, as far as it matters here."""
    found = pa.table({**pa.Table.from_pylist(given()).to_pydict(), "score": pa.array([None] * 200, pa.float64())})
    return found.combine_chunks().to_batches()[0]


def test_it_ends_when_the_time_is_up():
    """Of a clock that jumps by 0.4 seconds with each look, three rows are all there is time for."""
    times = iter(range(100))
    looking = slow(lambda: next(times) * 0.4)
    assert len(looking.of([batch()], 1.0)) == 3
    assert looking.of([batch()], 5.0) == []


def test_only_parts_that_are_slower_than_those_before_are_looked_at():
    """A part as slow as one before has nothing new to tell."""
    looking = slow(lambda: 0.0)
    assert [len(looking.of([batch()], seconds)) for seconds in (1.0, 1.0, 0.5, 2.0)] == [10, 0, 0, 10]
    assert looking.of([batch().slice(0, 0)], 9.0) == []


def test_what_is_found_stands_in_the_manifest_after_a_resumed_run(tmp_path, monkeypatch):
    """Parts that were finished before keep what was found in them."""
    monkeypatch.setattr(module, "_TOTAL_SECONDS", 60.0)
    path = write_parquet(tmp_path / "in.parquet", rows(200))
    seen: list[object] = []
    options = {"part_rows": 40, "workers": 1}
    with pytest.raises(Exception, match="the same call goes on"):
        ground_file(path, tmp_path / "out.parquet", on_progress=seen.append, should_stop=lambda: bool(seen), **options)
    before = json.loads((tmp_path / "out.parquet.groundwire" / "parts.jsonl").read_bytes().splitlines()[0])
    assert before["slow"]
    ground_file(path, tmp_path / "out.parquet", **options)
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_bytes())
    assert manifest["parts"][before["number"]]["slow"] == before["slow"]


def test_an_id_that_the_table_could_not_hold(tmp_path):
    """An id of more digits than those of the table is an unknown one, here as elsewhere."""
    path = write_parquet(tmp_path / "in.parquet", [{"quote": "a", "source": 300}, {"quote": "a", "source": 1}])
    sources = pa.table({"id": pa.array([1], pa.int8()), "text": ["a"]})
    summary = ground_file(path, tmp_path / "out.parquet", sources=sources)
    assert (summary.counts.grounded, summary.counts.errors) == (1, {"no source has this id": 1})
    assert {row.source_bytes for row in summary.slow_rows} == {0, 1}
