"""Unusual files: Arrow streams, odd CSV, odd tables of sources, no pyarrow, thousands of sources."""

import csv
import gzip
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bulk.corpora import json_lines, read, rows, write_parquet
from bulk.rows import expected
from cli.command import environment
from groundwire.bulk import BulkError, BulkStopped, ground_file
from groundwire.delimited import inert_cell
from groundwire.report.bulk import render_page

ROWS = rows(60)


def test_an_arrow_stream(tmp_path):
    """Its signature distinguishes it from a file; it is read in chunks and resumed, and an empty batch is no end."""
    table = pa.Table.from_pylist(ROWS)
    batches = table.to_batches(max_chunksize=20)
    with pa.OSFile(str(tmp_path / "in.arrows"), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        for batch in (batches[0].slice(0, 0), *batches):
            writer.write_batch(batch)
    seen: list[object] = []
    options = {"memory_bytes": 1 << 16, "partition_rows": 15, "workers": 1}
    with pytest.raises(BulkStopped):
        ground_file(
            tmp_path / "in.arrows",
            tmp_path / "out.jsonl",
            on_progress=seen.append,
            should_stop=lambda: bool(seen),
            **options,
        )
    ground_file(tmp_path / "in.arrows", tmp_path / "out.jsonl", **options)
    found = read(tmp_path / "out.jsonl")
    assert [row["grounded"] for row in found] == [expected(row["quote"], row["source"])["grounded"] for row in ROWS]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"quote,source,quote\na,b,c\n", "has two columns of the same name"),
        ("quote,source\ncafé,café\n".encode("latin-1"), "is not UTF-8"),
        (b"", 'has no column "quote"'),
        (b"quote,source," + b"x" * 200_000 + b"\na,b,c\n", "the first row of .* has a value of more than"),
        (b"quote,source\na,b\n" * 70_000 + b"\xff,b\n", r"cannot be read to its end as csv \(ArrowInvalid\)"),
    ],
)
def test_csv_that_cannot_be_read(tmp_path, content, words):
    """The error has the reason, wherever in the file it is."""
    (tmp_path / "in.csv").write_bytes(content)
    with pytest.raises(BulkError, match=words):
        ground_file(tmp_path / "in.csv", tmp_path / "out.csv")


def test_csv_with_malformed_rows_only(tmp_path, monkeypatch):
    """A run with nothing but malformed rows ends with an error before memory is full."""
    monkeypatch.setattr("groundwire.bulk.readers.delimited.MAX_MALFORMED_BYTES", 1 << 20)
    (tmp_path / "in.csv").write_bytes(b"quote,source\n" + b"a;b;c\n" * 20_000)
    with pytest.raises(BulkError, match="more or fewer values than there are columns") as error:
        ground_file(tmp_path / "in.csv", tmp_path / "out.csv")
    assert "separated by commas" in error.value.hint
    assert not (tmp_path / "out.csv").exists()


def test_csv_that_begins_with_blank_lines(tmp_path):
    """The names of the columns are in the first line that is not blank."""
    (tmp_path / "in.csv").write_bytes(b"\n\nquote,source\na,a\n")
    assert ground_file(tmp_path / "in.csv", tmp_path / "out.csv").counts.grounded == 1


def test_lists_as_csv(tmp_path):
    """CSV has no lists, so they are written as JSON."""
    (tmp_path / "in.jsonl").write_bytes(json_lines([{"quote": ["a", "b"], "source": "a"}]))
    ground_file(tmp_path / "in.jsonl", tmp_path / "out.csv")
    (row,) = read(tmp_path / "out.csv")
    assert (row["quote"], row["grounded"]) == ('["a","b"]', "[true,false]")


@pytest.mark.parametrize("name", ["in.jsonl", "in.csv"])
def test_no_cell_of_csv_is_a_formula(tmp_path, name):
    """A text that a spreadsheet would run gets an apostrophe, as in the reports; numbers and other texts stay."""
    quotes = ["=1+1", "- no", "-5", "I = 5", "+49 1", "\uff1d1"]
    lines = [f'{{"quote": "{quote}", "source": "{quote}"}}' for quote in quotes]
    table = ["quote,source", *(f"{quote},{quote}" for quote in quotes)]
    (tmp_path / name).write_text("\n".join(lines if name == "in.jsonl" else table), encoding="utf-8")
    ground_file(tmp_path / name, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert [row["quote"] for row in found] == [inert_cell(quote) for quote in quotes]
    assert [row["grounded"] for row in found] == ["true"] * len(quotes)


def write_arrow(path: Path, table: pa.Table) -> Path:
    """Write a file in Arrow's format, and return its path."""
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return path


def test_a_repeated_column(tmp_path):
    """It is ambiguous, and an error."""
    path = write_arrow(tmp_path / "in.arrow", pa.table([["a"], ["a"], ["b"]], names=["quote", "source", "quote"]))
    with pytest.raises(BulkError, match='has more than one column "quote"'):
        ground_file(path, tmp_path / "out.parquet")


@pytest.mark.parametrize("end", ["parquet", "arrow", "jsonl", "csv"])
@pytest.mark.parametrize("name", ["quote", "source"])
def test_a_null_among_the_values_of_a_dictionary(tmp_path, name, end):
    """It is the same as a null among the rows."""
    values = pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 2], pa.int8()), pa.array([None, "b", "c"]))
    table = pa.table({"quote": ["b", "b", "b", "c"], "source": ["b", "b", "b", "c"]} | {name: values})
    summary = ground_file(write_arrow(tmp_path / "in.arrow", table), tmp_path / f"out.{end}")
    assert (summary.counts.grounded, summary.counts.errors) == (2, {f"the {name} is null": 2})
    assert [row[name] or None for row in read(tmp_path / f"out.{end}")] == ["b", None, None, "c"]


@pytest.mark.parametrize("end", ["parquet", "arrow", "jsonl", "csv"])
def test_views_of_strings(tmp_path, end):
    """Polars writes them."""
    table = pa.table([pa.array(texts, pa.string_view()) for texts in (["a", "b"], ["x a", "y"])], ["quote", "source"])
    summary = ground_file(write_arrow(tmp_path / "in.arrow", table), tmp_path / f"out.{end}")
    assert summary.counts.grounded == 1
    assert [row["source"] for row in read(tmp_path / f"out.{end}")] == ["x a", "y"]


@pytest.mark.parametrize(
    ("values", "of_type", "expected"),
    [
        pytest.param([0, 10**9], pa.timestamp("ns"), ["1970-01-01T00:00:00", "1970-01-01T00:00:01"], id="point"),
        pytest.param([0, 1], pa.timestamp("ns"), [f"1970-01-01 00:00:00.00000000{end}" for end in "01"], id="nano"),
        pytest.param([1], pa.timestamp("ns", "UTC"), ["1970-01-01 00:00:00.000000001Z"], id="zone"),
        pytest.param([10**9], pa.duration("ns"), ["PT1S"], id="duration"),
        pytest.param([1], pa.duration("ns"), [1], id="nano-of-a-duration"),
        pytest.param([1], pa.time64("ns"), ["00:00:00.000000001"], id="time"),
        pytest.param([[1]], pa.list_(pa.timestamp("ns")), [["1970-01-01 00:00:00.000000001"]], id="list"),
        pytest.param([{"a": 10**9}], pa.struct([("a", pa.duration("ns"))]), [{"a": "PT1S"}], id="structure"),
        pytest.param([1], pa.timestamp("us"), ["1970-01-01T00:00:00.000001"], id="microsecond"),
    ],
)
def test_times_as_json_lines(tmp_path, values, of_type, expected):
    """Those of pandas are in nanoseconds; none of these are lost."""
    table = pa.table({"quote": ["a"] * len(values), "source": ["a"] * len(values), "time": pa.array(values, of_type)})
    ground_file(write_arrow(tmp_path / "in.arrow", table), tmp_path / "out.jsonl")
    assert [row["time"] for row in read(tmp_path / "out.jsonl")] == expected


@pytest.mark.parametrize(
    ("values", "end"),
    [
        pytest.param(pa.array([b"\xff"]), "csv", id="bytes-that-are-no-text"),
        pytest.param(pa.array([pa.MonthDayNano([1, 2, 3])]), "csv", id="interval"),
        pytest.param(pa.array([10**18], pa.timestamp("s")), "jsonl", id="a-year-after-9999"),
        pytest.param(pa.array([10**18], pa.timestamp("s")), "parquet", id="a-year-that-overflows"),
    ],
)
def test_a_value_that_the_format_cannot_store(tmp_path, values, end):
    """The error names the format and no value, has a hint, and leaves no incomplete partition."""
    path = write_arrow(tmp_path / "in.arrow", pa.table({"quote": ["a"], "source": ["a"], "value": values}))
    with pytest.raises(BulkError, match=rf"the rows have a value that {end} cannot store \(\w+\)$") as error:
        ground_file(path, tmp_path / f"out.{end}")
    assert error.value.hint == "write to a name that ends in .arrow"
    assert not list((tmp_path / f"out.{end}.groundwire").glob("part-*.tmp"))
    assert ground_file(path, tmp_path / "out.arrow").counts.grounded == 1


def test_ids_of_another_type(tmp_path):
    """Floating-point numbers are no ids."""
    path = write_parquet(tmp_path / "in.parquet", [{"quote": "a", "source": 1.0}])
    with pytest.raises(BulkError, match='column "source" must have ids, strings or integers, has double'):
        ground_file(path, tmp_path / "out.parquet", sources={1: "a"})


def test_a_table_of_sources_that_cannot_be_read(tmp_path):
    """A malformed line would be a missing source; several files are no table."""
    (tmp_path / "in.jsonl").write_bytes(json_lines([{"quote": "a", "source": 1}]))
    (tmp_path / "all").mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / "all" / name).write_bytes(json_lines([{"id": 1, "text": "a"}]) + b"{broken\n")
    for given, words in (
        ("all", "has 2 files, but the table of sources must be one"),
        ("all/a.jsonl", "line 2: the line is no"),
    ):
        with pytest.raises(BulkError, match=words):
            ground_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", sources=tmp_path / given)


def test_the_page_without_rates_by_source(tmp_path):
    """With too many sources the page says so, and has everything else."""
    many = [{"quote": "a", "source": f"a {number}"} for number in range(5_000)]
    pq.write_table(pa.Table.from_pylist(many), tmp_path / "in.parquet")
    page = render_page(ground_file(tmp_path / "in.parquet", tmp_path / "out.parquet"))
    assert "There are too many sources to show a rate for each." in page
    assert "5,000 (100.00%)" in page


def test_without_pyarrow(tmp_path):
    """The error says what to install, from Python and on the command line."""
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "try: from groundwire.bulk import ground_file\n"
        "except ImportError as error: print(error, error.name)\n"
        "from groundwire.cli import main\n"
        "print(main(['bulk', 'in.jsonl', 'out.jsonl']))"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), cwd=tmp_path, check=True)
    reason = "files of rows need pyarrow: pip install 'groundwire[bulk]'"
    assert done.stdout == f"{reason} pyarrow\n2\n"
    assert done.stderr == f"error: {reason}\n"


def test_the_format_option(tmp_path):
    """The option replaces the suffix; the compression still follows from the name."""
    write_parquet(tmp_path / "in.parquet", ROWS).rename(tmp_path / "rows.1")
    (tmp_path / "rows.2.gz").write_bytes(gzip.compress(json_lines(ROWS)))
    (tmp_path / "rows.csv").write_bytes(json_lines(ROWS))
    given = {"rows.1": "parquet", "rows.2.gz": "jsonl", "rows.csv": "jsonl"}
    found = [
        ground_file(tmp_path / name, tmp_path / f"out.{place}.jsonl", format=form).counts
        for place, (name, form) in enumerate(given.items())
    ]
    assert found[0] == found[1] == found[2]
    assert found[0].rows == len(ROWS)


def test_a_pattern_with_any_folders(tmp_path):
    """`**` matches folders in folders, and no folder."""
    for place in ("a.jsonl", "x/b.jsonl", "x/y/c.jsonl", "x/y/d.csv"):
        (tmp_path / "in" / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / place).write_bytes(json_lines([{"quote": "a", "source": "a"}]))
    summary = ground_file(f"{tmp_path}/in/**/*.jsonl", tmp_path / "out.jsonl")
    assert (summary.files, summary.counts.grounded) == (3, 3)
