"""Where the report goes, and that a file is either whole or not there."""

import os
import stat
from pathlib import Path

import pytest

from groundwire.cli.output import check_target, write_file, write_stdout
from groundwire.cli.problems import CommandError


@pytest.fixture
def quotes(write):
    """The name of a file with one grounded quote."""
    write("quotes.json", {"PHQ8_Sleep": ["I can't sleep"]})
    return "quotes.json"


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("r.json", "{\n"),
        ("r.jsonl", '{"number":1,'),
        ("r.md", "# Quote check\n"),
        ("r.html", "<!DOCTYPE html>"),
        ("r.txt", "#1  ✓ normalized"),
    ],
)
def test_format_follows_the_suffix_of_the_output(run, tmp_path, interview, quotes, name, begins):
    """Without --format the output's suffix says what is wanted; standard output stays empty."""
    assert run("check", interview, "-q", quotes, "-o", name) == (0, "", "")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


def test_format_option_is_stronger_than_the_suffix(run, tmp_path, interview, quotes):
    """--format json -o r.txt writes JSON."""
    run("check", interview, "-q", quotes, "-f", "json", "-o", "r.txt")
    assert (tmp_path / "r.txt").read_text(encoding="utf-8").startswith("{\n")


@pytest.mark.parametrize(
    ("output", "stderr"),
    [
        pytest.param("no/r.txt", "error: cannot write `no/r.txt`: there is no directory `no`\n", id="no-directory"),
        pytest.param("folder", "error: cannot write `folder`: it is a directory\n", id="directory"),
        pytest.param(
            "interview.txt", "error: cannot write `interview.txt`: it is one of the inputs\n", id="transcript"
        ),
        pytest.param("link.txt", "error: cannot write `link.txt`: it is one of the inputs\n", id="link-to-transcript"),
        pytest.param("quotes.json", "error: cannot write `quotes.json`: it is one of the inputs\n", id="quotes"),
    ],
)
def test_impossible_output_is_refused_before_the_work(run, tmp_path, interview, quotes, output, stderr):
    """The error names the output and the reason; inputs are never overwritten."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.txt").symlink_to("interview.txt")
    before = (tmp_path / interview).read_bytes()
    assert (2, "", stderr) == run("check", interview, "-q", quotes, "-o", output)
    assert before == (tmp_path / interview).read_bytes()


def test_full_device_is_an_error(run, interview, quotes):
    """A report that cannot be written is told, not lost."""
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    result = run("check", interview, "-q", quotes, "-o", "/dev/full")
    assert (result.code, result.stderr) == (2, "error: cannot write `/dev/full`: no space left on device\n")


def test_full_standard_output_is_an_error(monkeypatch):
    """The same for standard output."""
    with open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123
        monkeypatch.setattr("sys.stdout", full)
        with pytest.raises(CommandError, match="no space left on device"):
            write_stdout("x" * 100_000)
        monkeypatch.undo()
        os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())


def test_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    """The report replaces the old file only when it is complete."""
    target = tmp_path / "r.json"
    target.write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(CommandError, match="no space left"):
        write_file(str(target), "new")
    assert (os.listdir(tmp_path), target.read_text()) == (["r.json"], "old")  # noqa: PTH208


def test_replaced_file_keeps_its_permissions(tmp_path):
    """A report that only its owner may read stays one."""
    target = tmp_path / "r.json"
    target.write_text("old")
    target.chmod(0o600)
    write_file(str(target), "new")
    assert (target.read_text(), stat.S_IMODE(target.stat().st_mode)) == ("new", 0o600)


def test_symbolic_link_stays_one(tmp_path):
    """The file that a link names is replaced, not the link."""
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_file(str(tmp_path / "link"), "new")
    assert ((tmp_path / "link").is_symlink(), (tmp_path / "real").read_text()) == (True, "new")


def test_device_is_written_to_as_it_is():
    """/dev/null is not replaced by a file."""
    check_target(os.devnull, [])
    write_file(os.devnull, "x")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)  # noqa: PTH116
