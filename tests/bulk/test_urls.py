"""Files behind S3 URLs: results are those of local files, and keys are never shown."""

import json

import pytest

from bulk.corpora import json_lines, read, rows, sources, write_parquet
from bulk.object_store import BUCKET, KEY, SECRET, holds_keys
from bulk.test_ground_file import SUFFIXES, write
from groundwire.bulk import BulkError, ground_file
from groundwire.bulk.inputs import redact_url
from groundwire.bulk.spark import FileTask
from groundwire.cli import main

ROWS = [{**row, "quote": row["quote"] or "", "source": row["source"] or ""} for row in rows(120)]
# So small that a file becomes several parts.
SMALL = {"partition_rows": 30, "memory_bytes": 1 << 20, "workers": 2}
SMALLER = {"partition_rows": 20, "memory_bytes": 1 << 14, "workers": 2}


@pytest.fixture(autouse=True)
def _in_folder(tmp_path, monkeypatch):
    """Outputs for URLs are made in the current folder."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_urls_give_the_output_of_local_files(store, tmp_path, suffix):
    """With input and output behind URLs the bytes are those of a local run, and a second run does nothing."""
    source = write(tmp_path / f"in{suffix}", ROWS)
    ground_file(source, tmp_path / f"out{suffix}", **SMALL)
    url, target = store.write(f"same{suffix}/in{suffix}", source.read_bytes()), store.url(f"same{suffix}/out{suffix}")
    summary = ground_file(url, target, **SMALL)
    assert store.read(f"same{suffix}/out{suffix}") == (tmp_path / f"out{suffix}").read_bytes()
    assert store.names(f"same{suffix}") == [f"in{suffix}", f"out{suffix}", f"out{suffix}.manifest.json"]
    assert summary.output == f"s3://{BUCKET}/same{suffix}/out{suffix}"
    assert ground_file(url, target, **SMALL) == summary
    assert not holds_keys(store.read(f"same{suffix}/out{suffix}.manifest.json").decode())


def test_a_folder_a_pattern_and_a_table_of_sources_behind_urls(store, tmp_path):
    """The same files are found as locally; sources by id come from a URL too, and partitions go into a folder."""
    texts = sources()
    (tmp_path / "in").mkdir()
    for number in range(3):
        given = [{"quote": row["quote"], "source": number} for row in ROWS[40 * number : 40 * number + 40]]
        path = tmp_path / "in" / f"{number}.jsonl"
        path.write_bytes(json_lines(given))
        store.write(f"several/in/{number}.jsonl", path.read_bytes())
    store.write("several/in/_passed_over.jsonl", b"not to be read")
    table = json_lines([{"id": number, "text": text} for number, text in enumerate(texts)])
    (tmp_path / "sources.jsonl").write_bytes(table)
    ground_file(tmp_path / "in", tmp_path / "out/", sources=tmp_path / "sources.jsonl", **SMALL)
    wanted = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    table_url = store.write("several/sources.jsonl", table)
    for place, name in enumerate(["several/in", "several/in/*.jsonl"]):
        ground_file(store.url(name), store.url(f"several/out{place}/"), sources=table_url, **SMALL)
        found = {name: store.read(f"several/out{place}/{name}") for name in store.names(f"several/out{place}")}
        assert found == wanted


def test_a_spark_task_reads_and_writes_urls(store, tmp_path):
    """The options of both URLs follow the names of the files."""
    rows_of_file = json_lines(ROWS)
    (tmp_path / "a.jsonl").write_bytes(rows_of_file)
    store.write("task/in/deep/a.jsonl", rows_of_file)
    ground_file(tmp_path / "a.jsonl", tmp_path / "out.jsonl", **SMALL)
    FileTask(store.url("task/in"), store.url("task/out"), SMALL)("deep/a.jsonl")
    assert store.read("task/out/deep/a.jsonl") == (tmp_path / "out.jsonl").read_bytes()


def test_malformed_lines_are_uploaded(store):
    """They are beside the output with their numbers; a new output without malformed lines removes them."""
    content = json_lines(ROWS).replace(b"\n", b"\nbroken\n", 3)
    url = store.write("lines/in.jsonl", content)
    ground_file(url, store.url("lines/out.jsonl"), **SMALL)
    told = [json.loads(line) for line in store.read("lines/out.jsonl.errors.jsonl").splitlines()]
    assert [(each["file"], each["line"], each["text"]) for each in told] == [
        (f"{BUCKET}/lines/in.jsonl", number, "broken") for number in (2, 4, 6)
    ]
    ground_file(store.write("lines/in.jsonl", json_lines(ROWS)), store.url("lines/out.jsonl"), resume=False, **SMALL)
    assert store.names("lines") == ["in.jsonl", "out.jsonl", "out.jsonl.manifest.json"]


def test_the_command_takes_urls(store, tmp_path, capsys):
    """Rows, output and summary may be URLs; messages have no keys."""
    url = store.write("command/in.parquet", write_parquet(tmp_path / "in.parquet", ROWS).read_bytes())
    summaries = [store.url(f"command/found{end}") for end in (".json", ".html")]
    for place, summary in enumerate(summaries):
        target = store.url(f"command/{place}.parquet")
        assert main(["bulk", url, target, "--min-score", "0", "--summary", summary]) == 0
    told = capsys.readouterr()
    assert f"written: s3://{BUCKET}/command/0.parquet" in told.out
    assert json.loads(store.read("command/found.json"))["counts"]["rows"] == len(ROWS)
    page = store.read("command/found.html").decode()
    assert page.startswith("<!DOCTYPE html>")
    assert not holds_keys(told.out + told.err + page)


@pytest.mark.parametrize(
    ("name", "words", "hint"),
    [
        ("there/no.parquet", f"no file `s3://{BUCKET}/there/no.parquet`", "did you mean `in.parquet`?"),
        ("there/*.csv", f"no files of rows in `s3://{BUCKET}/there/*.csv`", "names end in"),
        ("there/cut.parquet", "cannot be read as parquet", None),
    ],
)
def test_a_missing_object(store, tmp_path, name, words, hint):
    """The error names it without the keys of its URL."""
    whole = write_parquet(tmp_path / "in.parquet", ROWS).read_bytes()
    store.write("there/in.parquet", whole)
    store.write("there/cut.parquet", whole[:-9])
    with pytest.raises(BulkError) as error:
        ground_file(store.url(name), tmp_path / "out.parquet")
    assert words in str(error.value)
    assert (error.value.hint is None) if hint is None else hint in error.value.hint
    assert not holds_keys(f"{error.value} {error.value.hint} {error.value.__cause__}")


def test_a_missing_bucket(store, tmp_path):
    """It is an error for an input, and for an output before anything is read."""
    source = write_parquet(tmp_path / "in.parquet", ROWS)
    nowhere = store.url("in.parquet").replace(f"@{BUCKET}", "@elsewhere")
    with pytest.raises(BulkError, match=r"no file `s3://elsewhere/in.parquet`") as error:
        ground_file(nowhere, tmp_path / "out.parquet")
    assert error.value.hint == "there is no bucket `elsewhere` either"
    with pytest.raises(BulkError, match=r"cannot write `s3://elsewhere/in.parquet`: no such bucket"):
        ground_file(source, nowhere)


def test_wrong_keys(mortal, tmp_path):
    """The error has the code of the server, and neither the keys nor its message."""
    source = write_parquet(tmp_path / "in.parquet", ROWS)
    url = mortal.write("in.parquet", source.read_bytes())
    mortal.post("/moto-api/reset-auth", b"0")
    for given, target in ((url, tmp_path / "out.parquet"), (source, mortal.url("out.parquet"))):
        with pytest.raises(
            BulkError, match=r"cannot (read|write) `s3://.*`: (access denied|invalid access key id)"
        ) as error:
            ground_file(given, target)
        assert not holds_keys(f"{error.value} {error.value.hint} {error.value.__cause__}")


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("s3://key:secret@bucket/a/b.parquet?region=x", "s3://bucket/a/b.parquet"),
        ("s3://key:sec/ret@bucket/a.parquet", "s3://bucket/a.parquet"),
        ("s3://bucket/user@host/a.parquet", "s3://bucket/user@host/a.parquet"),
        ("abfs://box@account.dfs.core.windows.net/a?client_secret=x", "abfs://account.dfs.core.windows.net/a"),
        ("in/a@b?.csv", "in/a@b?.csv"),
    ],
)
def test_redacted_urls(url, wanted):
    """Keys and options are removed; a path stays unchanged."""
    assert redact_url(url) == wanted


def test_an_invalid_url(tmp_path):
    """A slash in a key breaks a URL; neither the error nor its cause repeats it."""
    with pytest.raises(BulkError, match="is not a valid URL") as error:
        ground_file(f"s3://{KEY}:{SECRET}@{BUCKET}/in.parquet", tmp_path / "out.parquet")
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__
    assert "%2F" in error.value.hint
    assert not holds_keys(str(error.value))


def test_impossible_outputs_behind_urls(store, tmp_path):
    """The input is not overwritten, a bucket is no folder, and an existing output is not replaced."""
    url = store.write("taken/in.parquet", write_parquet(tmp_path / "in.parquet", ROWS).read_bytes())
    store.write("taken/out.parquet", b"mine")
    for target, words in (
        (url, "is, or contains, one of the inputs"),
        (store.url("taken/"), "is, or contains, one of the inputs"),
        (store.url("taken/out.txt"), "the format of .* is unknown"),
        (store.url(""), "is a whole bucket"),
        (store.url("taken/out.parquet"), "already exists"),
    ):
        with pytest.raises(BulkError, match=words):
            ground_file(url if "bucket" not in words else tmp_path / "in.parquet", target)
    assert store.read("taken/out.parquet") == b"mine"
    assert store.names("taken") == ["in.parquet", "out.parquet"]
    ground_file(url, store.url("taken/out.parquet"), resume=False)
    assert store.read("taken/out.parquet")[:4] == b"PAR1"


def test_a_file_url_is_a_path(tmp_path):
    """It is read and written as that path."""
    source = write_parquet(tmp_path / "in.parquet", ROWS)
    summary = ground_file(source.as_uri(), (tmp_path / "out.parquet").as_uri())
    assert summary.output == str(tmp_path / "out.parquet")
    ground_file(source.as_uri(), f"{(tmp_path / 'out').as_uri()}/")
    assert len(read(tmp_path / "out.parquet")) == len(read(tmp_path / "out")) == len(ROWS)


@pytest.mark.parametrize(
    ("given", "target", "words"),
    [
        ("apart/in", "apart/in/out.jsonl", "it is in the input"),
        ("apart/in/*.jsonl", "apart/in/out/", "it is in the input"),
        ("apart/in/a.jsonl", "apart/in/a.jsonl", "is, or contains, one of the inputs"),
        ("apart/in", "apart", "is, or contains, one of the inputs"),
        ("apart/in", "apart/sources.jsonl", "is, or contains, the table of sources"),
    ],
)
def test_an_output_that_overlaps_the_input(store, given, target, words):
    """It is refused before anything is written, even when starting over."""
    store.write("apart/in/a.jsonl", json_lines([{"quote": "a", "source": "1"}]))
    table = store.write("apart/sources.jsonl", json_lines([{"id": "1", "text": "a"}]))
    with pytest.raises(BulkError, match=words):
        ground_file(store.url(given), store.url(target), sources=table, resume=False)
    assert store.names("apart") == ["in/a.jsonl", "sources.jsonl"]


@pytest.mark.parametrize("name", ["out.jsonl", "out/"])
def test_a_changed_output_behind_a_url_is_not_complete(store, tmp_path, name):
    """The old summary is not returned for a missing partition or a replaced file."""
    (tmp_path / "in.jsonl").write_bytes(json_lines(ROWS[:60]))
    target = store.url(f"changed/{name}")
    first = ground_file(tmp_path / "in.jsonl", target, **SMALLER)
    assert ground_file(tmp_path / "in.jsonl", target, **SMALLER) == first
    if name == "out/":
        store.filesystem.delete_file(f"{BUCKET}/changed/out/part-000001.jsonl")
    else:
        store.write(f"changed/{name}", b"{}\n")
    with pytest.raises(BulkError, match="already exists, and is not the output of this call"):
        ground_file(tmp_path / "in.jsonl", target, **SMALLER)
    again = ground_file(tmp_path / "in.jsonl", target, resume=False, **SMALLER)
    assert again.counts == first.counts
