"""Where files are and where they go: nothing that is read is written over, and no name leads astray."""

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
    """The next run would read it, or what stands beside it, as rows."""
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
    """What begins with an underscore is passed over, and a pattern names what it names."""
    (tmp_path / "in").mkdir()
    source.rename(tmp_path / "in" / "a.jsonl")
    first = ground_file(tmp_path / given, f"{tmp_path}/{target}")
    assert ground_file(tmp_path / given, f"{tmp_path}/{target}") == first


def test_an_input_by_another_name_is_not_written_over(source, tmp_path):
    """Through a link it is the same file, and the same is true of the table of sources."""
    (tmp_path / "link").symlink_to(tmp_path)
    before = source.read_bytes()
    with pytest.raises(BulkError, match="is, or contains, one of the inputs"):
        ground_file(source, tmp_path / "link" / "in.jsonl", resume=False)
    (tmp_path / "sources.jsonl").write_bytes(json_lines([{"id": "a", "text": "a"}]))
    with pytest.raises(BulkError, match="is, or contains, the table of sources"):
        ground_file(source, tmp_path / "link" / "sources.jsonl", sources=str(tmp_path / "sources.jsonl"), resume=False)
    assert source.read_bytes() == before


def test_links_that_lead_in_a_circle(source, tmp_path):
    """A folder that links to itself has its files once, by their shortest names."""
    folder = tmp_path / "in"
    (folder / "inner").mkdir(parents=True)
    source.rename(folder / "inner" / "a.jsonl")
    (folder / "inner" / "again").symlink_to(folder)
    (folder / "nowhere.jsonl").symlink_to("nowhere.jsonl")
    summary = ground_file(folder, tmp_path / "out.jsonl")
    assert (summary.files, summary.counts.rows) == (1, len(ROWS))
    assert [part.file for part in summary.slowest] == [str(folder / "inner" / "a.jsonl")]


def test_empty_files_of_text_say_nothing(tmp_path):
    """Programs leave them among others, first or last; they have neither rows nor other columns."""
    (tmp_path / "in").mkdir()
    for name in ("a.jsonl", "c.jsonl", "d.csv"):
        (tmp_path / "in" / name).touch()
    (tmp_path / "in" / "b.jsonl").write_bytes(json_lines([{"quote": "a", "source": 1}]))
    summary = ground_file(tmp_path / "in", tmp_path / "out/", sources={1: "a"})
    assert (summary.files, summary.counts.grounded) == (1, 1)


def test_lines_of_several_files_need_the_asked_fields_alone(tmp_path):
    """Other fields, and their order, may differ from file to file as they do from line to line."""
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
    """They are told; neither a part of the input is left out nor something half made."""
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


def test_names_of_several_lines(source, tmp_path):
    """A name may have a line's end in it, and characters that patterns have."""
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
def test_a_place_that_cannot_be_the_output(tmp_path, monkeypatch, given, target, words):
    """It is told, and what is there stays, for one a folder that has the name of ours."""
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


# Whoever runs the tests may be allowed everything: then the process becomes somebody else, with everything loaded.
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
# What is measured while tests run could not be written either.
os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_files_that_one_may_not_read_or_write(public_folder):
    """Each is named with the reason, before anything is made."""
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


def test_a_table_of_sources_of_other_types(tmp_path):
    """It is told before a run is begun, so that the right table can be given."""
    path = write_parquet(tmp_path / "in.parquet", [{"quote": "a", "source": 1}])
    for table, words in (
        ([{"id": 1, "text": 5}], 'column "text" must have strings, has int64'),
        ([{"id": 1.5, "text": "a"}], 'column "id" must have strings or integers, has double'),
        ([{"id": "one", "text": "a"}], "the table of sources has ids that are no numbers"),
    ):
        write_parquet(tmp_path / "sources.parquet", table)
        with pytest.raises(BulkError, match=words):
            ground_file(path, tmp_path / "out.parquet", sources=tmp_path / "sources.parquet")
    assert ground_file(path, tmp_path / "out.parquet", sources={1: "a"}).counts.grounded == 1
