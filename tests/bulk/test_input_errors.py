"""Errors name the problem, and nothing is lost: neither rows nor finished partitions."""

import errno
import json
import multiprocessing
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bulk.corpora import json_lines, read, rows, write_parquet
from bulk.rows import expected
from cli.command import environment
from groundwire.bulk import BulkError, ground_file
from groundwire.bulk.checkpoint import Checkpoint

ROWS = rows(120)
SMALL = {"partition_rows": 30, "memory_bytes": 1 << 16, "workers": 2}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file of rows."""
    return write_parquet(tmp_path / "in.parquet", ROWS)


@pytest.mark.parametrize(
    ("options", "words", "hint"),
    [
        ({"quote": "qoute"}, 'has no column "qoute"', 'did you mean "quote"?'),
        ({"source": "text"}, 'has no column "text"', 'its columns: "number", "quote", "source"'),
        ({"quote": "number"}, 'column "number" must have strings, or lists of strings, has int64', None),
        ({"source": "number"}, 'column "number" must have texts, has int64', "the table of sources"),
    ],
)
def test_a_wrong_column_is_named(source, tmp_path, options, words, hint):
    """The error comes before anything is written, and has the closest name."""
    with pytest.raises(BulkError) as error:
        ground_file(source, tmp_path / "out.parquet", **options)
    assert words in str(error.value)
    assert (error.value.hint is None) if hint is None else hint in error.value.hint
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_a_wrong_field_of_json_lines_is_named(tmp_path):
    """The hint is the closest field of the first line."""
    (tmp_path / "in.jsonl").write_bytes(json_lines([{"quotes": "a", "source": "a"}] * 3))
    with pytest.raises(BulkError, match='no column "quote"') as error:
        ground_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert error.value.hint == 'did you mean "quotes"?'


def test_a_column_with_the_name_of_a_result_is_refused(source, tmp_path):
    """An output is not grounded again by mistake."""
    ground_file(source, tmp_path / "out.parquet")
    with pytest.raises(BulkError, match='has a column "grounded" already'):
        ground_file(tmp_path / "out.parquet", tmp_path / "again.parquet")


@pytest.mark.parametrize("keep", [0.999, 0.5, 0.0])
def test_a_truncated_file(source, tmp_path, keep):
    """Parquet without its footer is no file of rows."""
    whole = source.read_bytes()
    source.write_bytes(whole[: int(len(whole) * keep)])
    with pytest.raises(BulkError, match="cannot be read as parquet"):
        ground_file(source, tmp_path / "out.parquet")


def test_a_file_that_is_broken_inside(source, tmp_path):
    """Partitions before the broken row group are kept, and the file is named."""
    content = bytearray(source.read_bytes())
    place = pq.read_metadata(source).row_group(5).column(1).dictionary_page_offset
    content[place : place + 200] = b"\xff" * 200
    source.write_bytes(content)
    with pytest.raises(BulkError, match="cannot be read to its end as parquet"):
        ground_file(source, tmp_path / "out.parquet", partition_rows=20, workers=1)
    assert (tmp_path / "out.parquet.groundwire" / "partitions.jsonl").read_bytes().count(b"\n") == 5


def test_malformed_lines_are_kept(tmp_path):
    """Each has its number and content, beside the output; they count as quotes that are not grounded."""
    good = json_lines([{"quote": "a", "source": "a"}]).strip()
    bad = [
        b"{",
        b"[1]",
        b'{"quote": 1, "source": "a"}',
        b'{"quote":"a","grounded":1}',
        b'"\xff"',
        b'{"quote":"\\ud800","source":"a"}',
    ]
    (tmp_path / "in.jsonl").write_bytes(b"\n".join([good, *(line for each in bad for line in (each, good))]))
    summary = ground_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    told = [json.loads(line) for line in (tmp_path / "out.jsonl.errors.jsonl").read_bytes().splitlines()]
    assert [each["line"] for each in told] == [2, 4, 6, 8, 10, 12]
    assert told[0] | {"file": ""} == {"file": "", "line": 2, "error": "the line is not JSON", "text": "{"}
    assert told[2]["error"] == '"quote" must be a string, as before, or null'
    assert told[4]["base64"] == "Iv8i"
    assert len(read(tmp_path / "out.jsonl")) == 7
    assert (summary.counts.malformed, summary.rate) == (6, 7 / 13)


def test_csv_rows_with_a_wrong_number_of_values(tmp_path):
    """They are malformed lines, with the number of the row."""
    (tmp_path / "in.csv").write_text('quote,source\na,a\n1,2,3\n"x\ny","x y"\n7\n', encoding="utf-8")
    summary = ground_file(tmp_path / "in.csv", tmp_path / "out.csv")
    told = [json.loads(line) for line in (tmp_path / "out.csv.errors.jsonl").read_bytes().splitlines()]
    assert [(each["line"], each["text"]) for each in told] == [(3, "1,2,3"), (5, "7")]
    assert [row["grounded"] for row in read(tmp_path / "out.csv")] == ["true", "true"]
    assert summary.counts.malformed == 2


def test_later_fields_make_a_line_malformed(tmp_path):
    """If fields become columns, a line with another field or another type does not fit."""
    lines = [b'{"quote":"a","source":"a","n":1}', b'{"quote":"a","source":"a","n":"x"}', b'{"quote":"a","source":"a"}']
    first = b"\n".join([lines[0]] * 40)
    (tmp_path / "in.jsonl").write_bytes(first + b"\n" + b"\n".join(lines))
    summary = ground_file(tmp_path / "in.jsonl", tmp_path / "out.parquet", memory_bytes=4096, workers=1)
    assert (summary.counts.rows, summary.counts.malformed) == (42, 1)
    assert pq.read_table(tmp_path / "out.parquet").column("n").to_pylist() == [1] * 41 + [None]


def test_invalid_utf8(tmp_path):
    """A broken value is an error of its row under either policy."""
    quotes = pa.array([b"a\xff", b"a"], pa.binary())
    quotes = pa.StringArray.from_buffers(2, *quotes.buffers()[1:])
    table = pa.table({"quote": quotes, "source": ["a", "a"]})
    with pa.OSFile(str(tmp_path / "in.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    for policy in ("literal", "guarded"):
        ground_file(tmp_path / "in.arrow", tmp_path / f"{policy}.parquet", policy=policy)
        found = pq.read_table(tmp_path / f"{policy}.parquet", columns=["grounded", "error"]).to_pylist()
        assert found == [
            {"grounded": False, "error": "the quote is not valid UTF-8"},
            {"grounded": True, "error": None},
        ]


def test_files_with_other_columns(tmp_path):
    """All files of a folder must have the columns of the first one."""
    (tmp_path / "in").mkdir()
    write_parquet(tmp_path / "in" / "a.parquet", ROWS)
    write_parquet(tmp_path / "in" / "b.parquet", [{"quote": "a", "source": "a"}])
    with pytest.raises(BulkError, match=r"b\.parquet` has other columns than `.*a\.parquet"):
        ground_file(tmp_path / "in", tmp_path / "out/")


def test_a_column_that_parquet_cannot_store(tmp_path):
    """It is named before the work begins; Arrow can store it."""
    interval = pa.array([(1, 15, -30)], pa.month_day_nano_interval())
    table = pa.table({"quote": ["a"], "source": ["a"], "length": interval})
    with pa.OSFile(str(tmp_path / "in.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(BulkError, match='column "length" has a type that Parquet cannot store: month_day_nano'):
        ground_file(tmp_path / "in.arrow", tmp_path / "out.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["in.arrow"]
    assert ground_file(tmp_path / "in.arrow", tmp_path / "out.arrow").counts.grounded == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nothing.parquet", "no file"),
        ("no such folder/*.parquet", "no files of rows"),
        ("in.txt", "the format of .* is unknown"),
        ("gopher://host/in.parquet", "begin with `gopher:`"),
    ],
)
def test_a_missing_input(tmp_path, name, words):
    """The error names the missing file or format."""
    (tmp_path / "in.txt").write_bytes(b"x")
    with pytest.raises(BulkError, match=words):
        ground_file(name if "://" in name else tmp_path / name, tmp_path / "out.parquet")


def test_an_impossible_output(source, tmp_path):
    """The input is not overwritten, a missing folder is not made, an unknown format is not guessed."""
    for target, words in (
        (source, "is, or contains, one of the inputs"),
        (tmp_path, "is, or contains, one of the inputs"),
        (tmp_path / "no" / "out.parquet", "there is no folder"),
        (tmp_path / "out.txt", "the format of .* is unknown"),
        ("gs://bucket/out.parquet", "outputs are local files or go to s3://"),
    ):
        with pytest.raises(BulkError, match=words):
            ground_file(source, target)
    (tmp_path / "out.parquet").write_bytes(b"mine")
    with pytest.raises(BulkError, match="already exists") as error:
        ground_file(source, tmp_path / "out.parquet")
    assert "--no-resume" in error.value.hint
    ground_file(source, tmp_path / "out.parquet", resume=False)
    assert len(read(tmp_path / "out.parquet")) == len(ROWS)


def half(source: Path, target: Path) -> None:
    """Start a run and stop it after one part."""
    seen: list[object] = []
    with pytest.raises(Exception, match="the same call resumes"):
        ground_file(source, target, on_progress=seen.append, should_stop=lambda: bool(seen), **SMALL)


def test_a_changed_input_is_not_resumed(source, tmp_path):
    """The error offers to start over, which works."""
    target = tmp_path / "out.parquet"
    half(source, target)
    write_parquet(source, ROWS[:50])
    with pytest.raises(BulkError, match="was started with a different input"):
        ground_file(source, target, **SMALL)
    ground_file(source, target, resume=False, **SMALL)
    assert len(read(target)) == 50
    write_parquet(source, ROWS)
    with pytest.raises(BulkError, match="a different input"):
        ground_file(source, target, **SMALL)


def test_changed_options_are_not_resumed(source, tmp_path):
    """Otherwise half of the rows would follow one policy and half another."""
    half(source, tmp_path / "out.parquet")
    with pytest.raises(BulkError, match="different options: mode, threshold"):
        ground_file(source, tmp_path / "out.parquet", mode="fuzzy", threshold=0.9, **SMALL)


def test_other_limits_keep_the_partitions(source, tmp_path):
    """Workers and memory may change between runs; the rows of each partition stay the same."""
    half(source, tmp_path / "out.parquet")
    summary = ground_file(source, tmp_path / "out.parquet", workers=1)
    assert summary.partitions > 3
    assert [row["number"] for row in read(tmp_path / "out.parquet")] == list(range(len(ROWS)))


@pytest.mark.parametrize("harm", ["gone", "cut", "changed", "journal"])
def test_a_changed_partition_is_made_again(source, tmp_path, harm):
    """The output is complete after any damage."""
    half(source, tmp_path / "out.parquet")
    folder = tmp_path / "out.parquet.groundwire"
    part = next(folder.glob("part-*"))
    if harm == "gone":
        part.unlink()
    elif harm == "cut":
        part.write_bytes(part.read_bytes()[:-1])
    elif harm == "changed":
        part.write_bytes(part.read_bytes()[:-9] + b"x" * 9)
    else:
        with (folder / "partitions.jsonl").open("ab") as journal:
            journal.write(b'{"number": 3, "fi')
    ground_file(source, tmp_path / "out.parquet", **SMALL)
    assert [row["number"] for row in read(tmp_path / "out.parquet")] == list(range(len(ROWS)))


def try_at_once(source: Path, target: Path, told) -> None:
    """Start the same run as another process."""
    try:
        ground_file(source, target)
    except BulkError as error:
        told.put(str(error))
    else:
        told.put("done")


def test_two_runs_for_one_output(source, tmp_path):
    """The second one names the process of the first, and changes nothing."""
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    target = tmp_path / "out.parquet"
    with Checkpoint(target, "out.parquet", is_folder=False).locked():
        process = context.Process(target=try_at_once, args=(source, target, told))
        process.start()
        assert "another run (process" in told.get(timeout=120)
        process.join()
    assert not target.exists()
    ground_file(source, target)
    assert len(read(target)) == len(ROWS)


@pytest.mark.parametrize("name", ["out.parquet", "out.jsonl", "out.jsonl.gz", "out.arrow", "out.csv"])
def test_a_partition_that_does_not_fit_on_the_disk(tmp_path, name):
    """Every writer reports the reason, and nothing is left of the partition."""
    source = write_parquet(tmp_path / "in.parquet", rows(2000), group_rows=2000)
    program = (
        "import resource, sys; from groundwire.bulk import BulkError, ground_file\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))\n"
        "try: ground_file(sys.argv[1], sys.argv[2], workers=1)\n"
        "except BulkError as error: print(error)"
    )
    command = [sys.executable, "-c", program, str(source), str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.endswith("file too large; finished partitions are kept: 0\n")
    assert not list((tmp_path / f"{name}.groundwire").glob("part-*"))


def test_a_full_disk(source, tmp_path):
    """The error has the reason, and the next run resumes."""
    program = (
        "import resource, sys; from groundwire.bulk import BulkError, ground_file\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, 12_000))\n"
        "try: ground_file(sys.argv[1], sys.argv[2], partition_rows=20, workers=1)\n"
        "except BulkError as error: print(error, '|', error.hint)"
    )
    target = tmp_path / "out.parquet"
    command = [sys.executable, "-c", program, str(source), str(target)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
    reason = "file too large"
    assert reason in done.stdout
    assert "finished partitions are kept: 6 | the same call resumes" in done.stdout
    assert not target.exists()
    summary = ground_file(source, target)
    assert summary.counts.rows == len(ROWS)
    assert [row["grounded"] for row in read(target)] == [
        expected(row["quote"], row["source"])["grounded"] for row in ROWS
    ]


def test_no_space_for_a_partition(source, tmp_path, monkeypatch):
    """The partition that did not fit leaves nothing behind, and those before it are kept."""
    from groundwire.bulk import executor

    calls = []

    def write_partition(path, *args, **options):
        calls.append(path)
        if len(calls) == 3:
            path.write_bytes(b"half of it")
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, *args, **options)

    write = executor.write_partition
    monkeypatch.setattr(executor, "write_partition", write_partition)
    with pytest.raises(BulkError, match=r"no space left on device; finished partitions are kept: [23]"):
        ground_file(source, tmp_path / "out.parquet", partition_rows=20, workers=1)
    assert not calls[2].exists()
    # A waiting partition may have been written meanwhile; partitions that are kept are not written again.
    kept = (tmp_path / "out.parquet.groundwire" / "partitions.jsonl").read_bytes().count(b"\n")
    before = len(calls)
    ground_file(source, tmp_path / "out.parquet", partition_rows=20, workers=1)
    assert len(calls) == before + 6 - kept
    assert [row["number"] for row in read(tmp_path / "out.parquet")] == list(range(len(ROWS)))


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"mode": "exact"}, ValueError, "mode must be"),
        ({"policy": "strict"}, ValueError, 'policy must be "literal" or "guarded", got "strict"'),
        ({"policy": "guarded", "mode": "fuzzy"}, ValueError, "mode is an option of the literal policy"),
        ({"threshold": 2.0}, ValueError, "threshold must be from 0 to 1"),
        ({"quote": 1}, TypeError, "quote must be a str"),
        ({"quote": "a", "source": "a"}, ValueError, "two columns"),
        ({"workers": 0}, ValueError, "workers must be at least 1"),
        ({"memory_bytes": "1G"}, TypeError, "memory_bytes must be an int"),
        ({"format": "parket"}, BulkError, "there is no format `parket`"),
        ({"sources": 5}, TypeError, "sources must be"),
        ({"sources": {1: "a", "1": "b"}}, BulkError, "all numbers or all text"),
    ],
)
def test_options_are_checked_first(source, tmp_path, options, error, words):
    """A wrong option is an error before anything is read or written."""
    with pytest.raises(error, match=words):
        ground_file(source, tmp_path / "out.parquet", **options)
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_an_invalid_table_of_sources(source, tmp_path):
    """Missing columns, null ids and repeated ids are errors."""
    for table, words in (
        ({"id": [1], "txt": ["a"]}, 'sources has no column "text"'),
        ({"id": [1, 1], "text": ["a", "b"]}, "1 source has the id of another one"),
        ({"id": [1, None], "text": ["a", "b"]}, "1 source has no id"),
    ):
        with pytest.raises(BulkError, match=words):
            ground_file(source, tmp_path / "out.parquet", sources=pa.table(table))


def test_errors_contain_no_text_of_the_rows(tmp_path):
    """They have neither the broken line nor the name of a column that may be a sentence."""
    secret = "my neighbour cannot sleep"
    (tmp_path / "in.jsonl").write_bytes(json_lines([{secret: "a", "source": secret}]))
    with pytest.raises(BulkError) as error:
        ground_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert secret not in f"{error.value} {error.value.hint}"
