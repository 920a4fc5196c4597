"""Where the report goes, and that a file is either whole or not there."""

import json
import os
import stat
from pathlib import Path

import pytest

from groundwire.cli.app import CommandError
from groundwire.cli.output import check_target, write_file, write_stdout


@pytest.fixture
def quotes(write):
    """The name of a file with one grounded quote."""
    write("quotes.json", {"PHQ8_Sleep": ["I can't sleep"]})
    return "quotes.json"


@pytest.fixture
def inputs(write, interview, quotes):
    """Small inputs of every command that writes a report, and the arguments that read them."""
    write("answer.md", "The mill is closed [1].\n")
    write("results.json", [{"title": "Mill", "content": "The mill is closed."}])
    write("personas.json", {"age": 34})
    write("data.csv", "age,x\n34,1\n")
    pair = {"quote": "sleep", "source": "I sleep", "label": True}
    write("labels.jsonl", "\n".join(map(json.dumps, [pair, {**pair, "quote": "quay", "label": False}])))
    return {
        "check": [interview, "-q", quotes],
        "cite": ["answer.md", "-r", "results.json"],
        "ingest": ["The mill is closed."],
        "validate": ["personas.json", "--faithfulness", "-s", "data.csv"],
        "calibrate": ["labels.jsonl", "--policy", "fuzzy", "--max-false-accept", "0.5"],
    }


BEGINS = {"json": "{\n", "jsonl": '{"number":1,', "md": "# ", "html": "<!DOCTYPE html>", "xml": "<?xml"}
FORMATS = {
    **dict.fromkeys(("check", "cite", "ingest"), ("json", "jsonl", "md", "html")),
    "validate": ("json", "jsonl", "md", "html", "xml"),
    "calibrate": ("json", "md"),
}


@pytest.mark.parametrize(("command", "suffix"), [(name, each) for name in FORMATS for each in FORMATS[name]])
def test_output_adds_a_file_in_the_format_of_its_suffix(run, tmp_path, inputs, command, suffix):
    """Standard output shows what it shows without the option."""
    alone = run(command, *inputs[command])
    assert run(command, *inputs[command], "-o", f"r.{suffix}") == alone
    assert alone.stdout
    assert (tmp_path / f"r.{suffix}").read_text(encoding="utf-8").startswith(BEGINS[suffix])


@pytest.mark.parametrize("command", FORMATS)
def test_output_has_the_format_of_the_option_where_its_suffix_names_none(run, tmp_path, inputs, command):
    """Several files are written, and `-` is none."""
    shown = run(command, *inputs[command], "-f", "json", "-o", "r.txt", "-o", "r.md").stdout
    assert (tmp_path / "r.txt").read_text(encoding="utf-8") == shown
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("# ")
    refused = run(command, *inputs[command], "-o", "-")
    assert (refused.code, refused.stdout) == (2, "")
    assert refused.stderr.startswith("error: --output needs a file\n")


@pytest.mark.parametrize(("command", "suffix"), [("check", "xml"), ("ingest", "xml"), ("calibrate", "html")])
def test_a_suffix_of_a_format_that_the_command_lacks_is_refused(run, tmp_path, inputs, command, suffix):
    """No text in a file that is called a page."""
    refused = run(command, *inputs[command], "-o", f"r.{suffix}")
    assert (refused.code, refused.stdout) == (2, "")
    assert f"error: cannot write `r.{suffix}`: this command has no " in refused.stderr
    assert not (tmp_path / f"r.{suffix}").exists()


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
