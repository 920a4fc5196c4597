"""Paths of inputs and outputs: no input is overwritten, and no name is misread."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bulk.corpora import json_lines, read, rows, write_parquet
from cli.command import environment
from groundwire.bulk import BulkError, ground_file

ROWS = rows(40)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file of rows."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(json_lines(ROWS))
    return path


@pytest.mark.parametrize(
    ("given", "target"),
    [
        ("in", "in/out.jsonl"),
        ("in", "in/out/"),
        ("link", "in/out/"),
        ("in", "link/inner/out.jsonl"),
        ("in/*.jsonl", "in/out.jsonl"),
        ("in/*.jsonl", "in/out.parquet"),
        ("in/*.jsonl", "in/out/"),
        ("in/*/*.jsonl", "in/out/"),
    ],
)
def test_an_output_in_the_input_is_refused(source, tmp_path, given, target):
    """The next run would read it, or a file beside it, as rows."""
    (tmp_path / "in" / "inner").mkdir(parents=True)
    for place in ("in/a.jsonl", "in/inner/b.jsonl"):
        (tmp_path / place).write_bytes(source.read_bytes())
    (tmp_path / "link").symlink_to("in")
    with pytest.raises(BulkError, match="it is in the input") as error:
        ground_file(tmp_path / given, f"{tmp_path}/{target}")
    assert "begins with `_`" in error.value.hint
    assert sorted(path.name for path in (tmp_path / "in").rglob("*")) == ["a.jsonl", "b.jsonl", "inner"]


@pytest.mark.parametrize(("given", "target"), [("in", "in/_out.jsonl"), ("in/a*.jsonl", "in/out/")])
def test_an_output_beside_the_input_that_no_run_reads(source, tmp_path, given, target):
    """Names that begin with an underscore are skipped, and a pattern matches nothing else."""
    (tmp_path / "in").mkdir()
    source.rename(tmp_path / "in" / "a.jsonl")
    first = ground_file(tmp_path / given, f"{tmp_path}/{target}")
    assert ground_file(tmp_path / given, f"{tmp_path}/{target}") == first


def test_an_input_under_another_name_is_not_overwritten(source, tmp_path):
    """A link leads to the same file; this holds for the table of sources too."""
    (tmp_path / "link").symlink_to(tmp_path)
    before = source.read_bytes()
    with pytest.raises(BulkError, match="is, or contains, one of the inputs"):
        ground_file(source, tmp_path / "link" / "in.jsonl", resume=False)
    (tmp_path / "sources.jsonl").write_bytes(json_lines([{"id": "a", "text": "a"}]))
    with pytest.raises(BulkError, match="is, or contains, the table of sources"):
        ground_file(source, tmp_path / "link" / "sources.jsonl", sources=str(tmp_path / "sources.jsonl"), resume=False)
    assert source.read_bytes() == before


@pytest.mark.parametrize("end", [".errors.jsonl", ".manifest.json", ".groundwire/part-000000.arrow"])
@pytest.mark.parametrize("what", ["one of the inputs", "the table of sources"])
def test_an_input_beside_the_output_is_not_replaced(source, tmp_path, end, what):
    """A run writes more files than its output, and deletes those that it does not need."""
    beside = tmp_path / f"out.jsonl{end}"
    beside.parent.mkdir(exist_ok=True)
    beside.write_bytes(json_lines([{"id": "a", "text": "a"}]))
    given = (beside, None) if what == "one of the inputs" else (source, str(beside))
    before = beside.read_bytes()
    with pytest.raises(BulkError, match=f"a file beside it would replace {what}"):
        ground_file(given[0], tmp_path / "out.jsonl", sources=given[1], format="jsonl", resume=False)
    assert beside.read_bytes() == before


def test_circular_links(source, tmp_path):
    """A folder that links to itself has its files once, under their shortest names."""
    folder = tmp_path / "in"
    (folder / "inner").mkdir(parents=True)
    source.rename(folder / "inner" / "a.jsonl")
    (folder / "inner" / "again").symlink_to(folder)
    (folder / "nowhere.jsonl").symlink_to("nowhere.jsonl")
    summary = ground_file(folder, tmp_path / "out.jsonl")
    assert (summary.files, summary.counts.rows) == (1, len(ROWS))
    assert [part.file for part in summary.slowest] == [str(folder / "inner" / "a.jsonl")]


def test_empty_text_files_are_skipped(tmp_path):
    """They have neither rows nor columns, whether they come first or last."""
    (tmp_path / "in").mkdir()
    for name in ("a.jsonl", "c.jsonl", "d.csv"):
        (tmp_path / "in" / name).touch()
    (tmp_path / "in" / "b.jsonl").write_bytes(json_lines([{"quote": "a", "source": 1}]))
    summary = ground_file(tmp_path / "in", tmp_path / "out/", sources={1: "a"})
    assert (summary.files, summary.counts.grounded) == (1, 1)


def test_json_lines_of_several_files_share_quote_and_source(tmp_path):
    """Other fields, and their order, may differ between files as between lines."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_bytes(json_lines([{"quote": "a", "source": "a"}]))
    (tmp_path / "in" / "b.jsonl").write_bytes(json_lines([{"n": 1, "source": "a", "quote": "a"}]))
    ground_file(tmp_path / "in", tmp_path / "out.jsonl")
    assert [(row.get("n"), row["grounded"]) for row in read(tmp_path / "out.jsonl")] == [(None, True), (1, True)]
    (tmp_path / "in" / "c.jsonl").write_bytes(json_lines([{"quote": ["a"], "source": "a"}]))
    with pytest.raises(BulkError, match=r"c\.jsonl` has other columns"):
        ground_file(tmp_path / "in", tmp_path / "lists.jsonl")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_that_are_not_utf_8(source, tmp_path):
    """They are errors; no input is left out, and nothing is written."""
    odd = os.fsdecode(b"caf\xe9")
    with pytest.raises(BulkError, match=r"cannot write .*: the name is not UTF-8"):
        ground_file(source, f"{tmp_path}/{odd}.jsonl")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_bytes(source.read_bytes())
    (tmp_path / "in" / f"{odd}.jsonl").write_bytes(source.read_bytes())
    for given in (tmp_path / "in", tmp_path / "in" / f"{odd}.jsonl"):
        with pytest.raises(BulkError, match=r"cannot read .*: a name there is not UTF-8"):
            ground_file(given, tmp_path / "out.jsonl")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "in.jsonl"]


def test_unusual_names(source, tmp_path):
    """A name may contain a line end, and wildcards."""
    odd = tmp_path / "new\nline [1]*.jsonl"
    source.rename(odd)
    ground_file(odd, tmp_path / "new\nline.jsonl")
    assert len(read(tmp_path / "new\nline.jsonl")) == len(ROWS)


@pytest.mark.parametrize(
    ("given", "target", "words"),
    [
        ("/dev/null", "out.jsonl", "is neither a file nor a folder"),
        ("", "out.jsonl", "the input has an empty name"),
        ("in.jsonl", "", "the output has an empty name"),
        ("in.jsonl", "notes", "exists already, and is no folder"),
        ("in.jsonl", "/dev/null", "exists already, and is no folder"),
        ("in.jsonl", "inner/..", "is, or contains, one of the inputs"),
        ("in.jsonl", "taken.jsonl", r"`.*taken\.jsonl\.groundwire` exists already, and no run made it"),
        ("in.jsonl", "file.jsonl", "cannot write .*: (not a directory|file exists)"),
    ],
)
@pytest.mark.usefixtures("source")
def test_a_path_that_cannot_be_the_output(tmp_path, monkeypatch, given, target, words):
    """It is an error, and existing files stay, for example a folder with the name of a checkpoint."""
    monkeypatch.chdir(tmp_path)
    for folder in ("inner", "taken.jsonl.groundwire"):
        (tmp_path / folder).mkdir()
    for name in ("notes", "file.jsonl.groundwire", "taken.jsonl.groundwire/mine"):
        (tmp_path / name).write_bytes(b"mine")
    for resume in (True, False):
        with pytest.raises(BulkError, match=words):
            ground_file(given, target, resume=resume)
    for name in ("notes", "file.jsonl.groundwire", "taken.jsonl.groundwire/mine"):
        assert (tmp_path / name).read_bytes() == b"mine"
    assert len(list(tmp_path.iterdir())) == 5


# If the tests run as root, a process of another user runs instead, with everything loaded.
AS_SOMEBODY = """
import os, sys
from groundwire.bulk import BulkError, ground_file
ground_file("in.jsonl", "done.jsonl", sources="sources.jsonl")
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
for given, target, sources in (
    ("closed.jsonl", "out.jsonl", "sources.jsonl"),
    ("in.jsonl", "out.jsonl", "closed.jsonl"),
    ("in.jsonl", "shut/out.jsonl", "sources.jsonl"),
    ("in.jsonl", "hidden/inner/out.jsonl", "sources.jsonl"),
    ("hidden", "out.jsonl", "sources.jsonl"),
):
    try: ground_file(given, target, sources=sources)
    except BulkError as error: print(error, flush=True)
# That user could not write the coverage data either.
os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_missing_permissions(public_folder):
    """The error names the file and the reason, before anything is written."""
    folder = public_folder
    folder.chmod(0o777)
    for name in ("in.jsonl", "closed.jsonl"):
        (folder / name).write_bytes(json_lines([{"quote": "a", "source": "1"}]))
    (folder / "sources.jsonl").write_bytes(json_lines([{"id": "1", "text": "a"}]))
    for path in folder.iterdir():
        path.chmod(0o644)
    for name, mode in (("shut", 0o555), ("hidden", 0o000)):
        (folder / name).mkdir(mode=mode)
    (folder / "closed.jsonl").chmod(0o000)
    command = [sys.executable, "-c", AS_SOMEBODY]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), cwd=folder)
    for name in ("shut", "hidden"):
        (folder / name).chmod(0o755)
    assert (done.stderr, done.returncode) == ("", 0)
    told = [line.replace(f"{folder}/", "") for line in done.stdout.splitlines()]
    assert [line.partition(";")[0] for line in told] == [
        "cannot read `closed.jsonl`: permission denied",
        "cannot read `closed.jsonl`: permission denied",
        "cannot write `shut/out.jsonl`: permission denied",
        "cannot write `hidden/inner/out.jsonl`: permission denied",
        "cannot read `hidden`: permission denied",
    ]
    made = {path.name for path in folder.rglob("*")} - {"done.jsonl", "done.jsonl.manifest.json"}
    assert made == {"in.jsonl", "closed.jsonl", "sources.jsonl", "shut", "hidden"}


def test_a_table_of_sources_with_other_types(tmp_path):
    """It is an error before the run begins, so that the right table can be given."""
    path = write_parquet(tmp_path / "in.parquet", [{"quote": "a", "source": 1}])
    for table, words in (
        ([{"id": 1, "text": 5}], 'column "text" must have strings, has int64'),
        ([{"id": 1.5, "text": "a"}], 'column "id" must have strings or integers, has double'),
        ([{"id": "one", "text": "a"}], "the ids in the table of sources are not numbers"),
    ):
        write_parquet(tmp_path / "sources.parquet", table)
        with pytest.raises(BulkError, match=words):
            ground_file(path, tmp_path / "out.parquet", sources=tmp_path / "sources.parquet")
    assert ground_file(path, tmp_path / "out.parquet", sources={1: "a"}).counts.grounded == 1
