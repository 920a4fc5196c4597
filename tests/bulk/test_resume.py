"""The checkpoint of an earlier run may be changed or broken: it is checked, and partitions are made again."""

import contextlib
import errno
import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bulk.corpora import json_lines, read, rows
from cli.command import environment
from groundwire.bulk import BulkError, BulkStopped, ground_file
from groundwire.bulk.checkpoint import Checkpoint

ROWS = rows(120)
SMALL = {"partition_rows": 30, "memory_bytes": 1 << 14, "workers": 2}
BROKEN = b"{broken\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a file with rows and malformed lines."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(json_lines(ROWS).replace(b"\n", b"\n" + BROKEN))
    return path


def begin(source: Path, target: Path, parts: int = 2) -> Path:
    """Start a run, stop it after some parts, and return its checkpoint folder."""
    seen: list[object] = []
    with pytest.raises(BulkStopped):
        ground_file(source, target, on_progress=seen.append, should_stop=lambda: len(seen) >= parts, **SMALL)
    return target.with_name(f"{target.name}.groundwire")


def check_whole(source: Path, target: Path) -> None:
    """Resume a run; it has every row and every malformed line exactly once."""
    summary = ground_file(source, target, **SMALL)
    assert [row["number"] for row in read(target)] == list(range(len(ROWS)))
    told = target.with_name(f"{target.name}.errors.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["line"] for line in told] == list(range(2, 2 * len(ROWS) + 1, 2))
    assert summary.counts.malformed == len(ROWS)


def test_a_partition_that_disappears_at_the_end(source, tmp_path):
    """A folder is complete only with all partitions; the same call makes the missing one."""
    target = tmp_path / "out"
    done: list[object] = []

    def take_away(_: object) -> None:
        if not done:
            (target / "part-000000.jsonl").unlink()
        done.append(_)

    with pytest.raises(BulkError, match="another process changed partitions"):
        ground_file(source, f"{target}/", on_progress=take_away, **{**SMALL, "workers": 1})
    assert not target.with_name("out.manifest.json").exists()
    check_whole(source, target)


@pytest.mark.parametrize("keep", [0.0, 0.5])
def test_incomplete_malformed_lines(source, tmp_path, keep):
    """After a power failure their file may be shorter: the partition is made again."""
    folder = begin(source, tmp_path / "out.jsonl")
    problems = min(folder.glob("malformed-*"))
    content = problems.read_bytes()
    problems.write_bytes(content[: int(len(content) * keep)])
    check_whole(source, tmp_path / "out.jsonl")


@pytest.mark.parametrize(
    "change",
    [
        {"name": "../in.jsonl"},
        {"name": "/etc/passwd"},
        {"name": "part-000099.jsonl"},
        {"number": -1},
        {"file": 7},
        {"items": -3},
        {"counts": None},
    ],
    ids=str,
)
def test_a_changed_record_is_ignored(source, tmp_path, change):
    """It can name no other file, and its numbers select nothing."""
    folder = begin(source, tmp_path / "out.jsonl")
    journal = folder / "partitions.jsonl"
    first, *others = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(json.dumps(json.loads(first) | change).encode() + b"\n" + b"".join(others))
    check_whole(source, tmp_path / "out.jsonl")


def test_a_truncated_line_of_the_journal(source, tmp_path):
    """A full disk cuts a line off; when there is space again, the next one follows without a line end."""
    journal = begin(source, tmp_path / "out.jsonl", parts=3) / "partitions.jsonl"
    first, *others = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(first[:40] + b"".join(others))
    check_whole(source, tmp_path / "out.jsonl")


def test_a_line_of_the_journal_that_is_not_text(source, tmp_path):
    """A damaged disk may leave any bytes: the partition is made again."""
    journal = begin(source, tmp_path / "out.jsonl", parts=3) / "partitions.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"name":"part', b'"name":"\xff\xfe', 1))
    check_whole(source, tmp_path / "out.jsonl")


def test_a_disk_without_locks(source, tmp_path, monkeypatch):
    """The error has the system's reason, and does not claim that another run writes the output."""
    fcntl = pytest.importorskip("fcntl")

    def flock(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(BulkError, match=r"cannot write `.*out\.jsonl`: no locks available"):
        ground_file(source, tmp_path / "out.jsonl")


def test_a_header_with_invalid_limits(source, tmp_path):
    """It is broken, and nothing is resumed."""
    header = begin(source, tmp_path / "out.jsonl") / "header.json"
    header.write_text(json.dumps(json.loads(header.read_bytes()) | {"partition_bytes": -1}), encoding="utf-8")
    with pytest.raises(BulkError, match="is broken, or of another version"):
        ground_file(source, tmp_path / "out.jsonl", **SMALL)


@pytest.mark.parametrize("name", ["out.jsonl", "out/"])
def test_a_changed_output_is_not_complete(source, tmp_path, name):
    """The old summary would be wrong for a folder that lost a partition, or a file that was replaced."""
    ground_file(source, f"{tmp_path}/{name}", **SMALL)
    harmed = tmp_path / name if name == "out.jsonl" else max((tmp_path / name).iterdir())
    with harmed.open("ab") as file:
        file.write(b"\n")
    with pytest.raises(BulkError, match="already exists, and is not the output of this call"):
        ground_file(source, f"{tmp_path}/{name}", **SMALL)
    harmed.unlink()
    if name == "out/":
        with pytest.raises(BulkError, match="already exists, and is not the output of this call"):
            ground_file(source, f"{tmp_path}/{name}", **SMALL)
    ground_file(source, f"{tmp_path}/{name}", resume=False, **SMALL)
    assert [row["number"] for row in read(tmp_path / name)] == list(range(len(ROWS)))


def test_a_manifest_with_a_broken_summary(source, tmp_path):
    """It is an error, and nothing is computed from it."""
    ground_file(source, tmp_path / "out.jsonl")
    manifest = tmp_path / "out.jsonl.manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_bytes()) | {"summary": {"parts": []}}), encoding="utf-8")
    with pytest.raises(BulkError, match=r"the manifest of .* is broken, or of another version"):
        ground_file(source, tmp_path / "out.jsonl")


def test_an_input_that_changes_while_it_is_read(source, tmp_path):
    """The time of change shows it, wherever in the file the change is."""
    with source.open("ab") as file:
        file.write(json_lines(ROWS) * 400)
    middle = source.stat().st_size // 2

    def write(_: object) -> None:
        with source.open("rb+") as opened:
            opened.seek(middle)
            opened.write(b"{")

    with pytest.raises(BulkError, match="was changed while it was read"):
        ground_file(source, tmp_path / "out.jsonl", on_progress=write)
    with pytest.raises(BulkError, match="a different input"):
        ground_file(source, tmp_path / "out.jsonl")


def test_an_input_that_disappears(source, tmp_path):
    """The run does not take it for the end of the rows."""
    with pytest.raises(BulkError, match=r"cannot read `.*in\.jsonl`: no such file or directory"):
        ground_file(source, tmp_path / "out.jsonl", on_progress=lambda _: source.unlink(missing_ok=True), **SMALL)
    assert not (tmp_path / "out.jsonl").exists()


def test_another_format_of_the_input_is_not_resumed(source, tmp_path):
    """Rows of CSV do not follow lines of JSON."""
    source.rename(tmp_path / "in.txt")
    seen: list[object] = []
    with pytest.raises(BulkStopped):
        ground_file(
            tmp_path / "in.txt",
            tmp_path / "out.parquet",
            format="jsonl",
            on_progress=seen.append,
            should_stop=lambda: bool(seen),
            **SMALL,
        )
    with pytest.raises(BulkError, match="a different format of the input"):
        ground_file(tmp_path / "in.txt", tmp_path / "out.parquet", format="csv", **SMALL)


def test_a_run_that_ends_leaves_the_next_one_alone(tmp_path):
    """If somebody removes the folder of a run, another one may begin; its folder stays when the first one ends."""
    first, second, third = (Checkpoint(tmp_path / "out.jsonl", "out.jsonl", is_folder=False) for _ in range(3))
    folder = tmp_path / "out.jsonl.groundwire"
    with contextlib.ExitStack() as later:
        with first.locked():
            shutil.rmtree(folder)
            later.enter_context(second.locked())
        assert (folder / "lock").read_bytes() == str(os.getpid()).encode()
        with pytest.raises(BulkError, match="another run"), third.locked():
            pass
    assert not folder.exists()


def test_no_space_for_the_checkpoint(source, tmp_path):
    """A disk without space for a header is an error with the reason."""
    program = (
        "import resource, sys; from groundwire.bulk import BulkError, ground_file\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "try: ground_file(sys.argv[1], sys.argv[2])\n"
        "except BulkError as error: print(error)"
    )
    command = [sys.executable, "-c", program, str(source), str(tmp_path / "out.jsonl")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.startswith(f"cannot write `{tmp_path / 'out.jsonl'}`: file too large")
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 0
    assert ground_file(source, tmp_path / "out.jsonl").counts.rows == len(ROWS)


@pytest.mark.parametrize("memory_bytes", [16 * 3 * 30, 16 * 3 * 64])
def test_partitions_of_csv_are_always_the_same(tmp_path, memory_bytes):
    """Reading ahead does not decide on the partition of a malformed row."""
    lines = [b"a,b\n" if number % 7 == 0 else b"1,2,3\n" for number in range(90)]
    (tmp_path / "in.csv").write_bytes(b"quote,source\n" + b"".join(lines) + b"4,5,6\n" * 9)
    options = {"workers": 1, "memory_bytes": memory_bytes}
    first = ground_file(tmp_path / "in.csv", tmp_path / "first.csv", **options)
    assert (first.counts.rows, first.counts.malformed) == (13, 86)
    told = [json.loads(line)["line"] for line in (tmp_path / "first.csv.errors.jsonl").read_bytes().splitlines()]
    assert told == [number for number in range(2, 101) if number > 91 or (number - 2) % 7]
    for parts in range(1, first.partitions + 1):
        seen: list[object] = []

        def end(progress: object, seen: list[object] = seen, parts: int = parts) -> None:
            seen.append(progress)
            if len(seen) == parts:
                raise BulkStopped(parts, 0)

        with pytest.raises(BulkStopped):
            ground_file(tmp_path / "in.csv", tmp_path / "out.csv", on_progress=end, **options)
        assert ground_file(tmp_path / "in.csv", tmp_path / "out.csv", **options).counts == first.counts
        for name in (".csv", ".csv.errors.jsonl"):
            assert (tmp_path / f"out{name}").read_bytes() == (tmp_path / f"first{name}").read_bytes()
        for path in tmp_path.glob("out.csv*"):
            path.unlink()


def test_a_csv_row_that_is_larger_than_a_block(tmp_path):
    """The error does not call the file broken, and has a hint."""
    (tmp_path / "in.csv").write_text(f"quote,source\na,{'a ' * 5_000}\n", encoding="utf-8")
    with pytest.raises(BulkError, match=r"has a row of more than 1,024 bytes, which are read at once") as error:
        ground_file(tmp_path / "in.csv", tmp_path / "out.csv", memory_bytes=16 * 3 * 1024, workers=1)
    assert "--memory-limit" in error.value.hint
    assert ground_file(tmp_path / "in.csv", tmp_path / "out.csv", resume=False).counts.grounded == 1


@pytest.mark.parametrize("name", ["in.jsonl", "in.csv"])
def test_malformed_lines_count_for_the_size_of_a_partition(tmp_path, name):
    """A file of malformed lines becomes many partitions, like a file of rows."""
    head = b"quote,source\n" if name == "in.csv" else b"no row\n"
    (tmp_path / name).write_bytes(head + b"1,2,3\n" * 20_000)
    summary = ground_file(tmp_path / name, tmp_path / f"out.{name}", **SMALL)
    assert summary.counts.malformed == (20_001 if name == "in.jsonl" else 20_000)
    assert summary.partitions > 3
    assert summary.rate == 0.0
