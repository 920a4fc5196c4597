"""Output files are complete or absent; progress bars."""

import io
import itertools
import os
import stat
from contextlib import redirect_stderr
from pathlib import Path

import pytest

from groundwire.cli.app import CommandError
from groundwire.cli.output import check_target, check_terminal, progress, write_file, write_stdout
from waits import PATIENCE_S


@pytest.fixture
def quotes(write):
    """Return the name of a file with one grounded quote."""
    write("quotes.json", {"PHQ8_Sleep": ["I can't sleep"]})
    return "quotes.json"


def test_full_device_is_an_error(run, interview, quotes):
    """A report that cannot be written is an error."""
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    result = run("check", interview, "-q", quotes, "-o", "/dev/full")
    assert (result.code, result.stderr) == (2, "error: cannot write `/dev/full`: no space left on device\n")


def test_full_standard_output_is_an_error(monkeypatch):
    """The same holds for standard output."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
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
    assert ([each.name for each in tmp_path.iterdir()], target.read_text()) == (["r.json"], "old")


def test_replaced_file_keeps_its_permissions(tmp_path):
    """A report that only its owner may read stays private."""
    target = tmp_path / "r.json"
    target.write_text("old")
    target.chmod(0o600)
    write_file(str(target), "new")
    assert (target.read_text(), stat.S_IMODE(target.stat().st_mode)) == ("new", 0o600)


def test_symbolic_link_stays_one(tmp_path):
    """The target of a link is replaced, not the link."""
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_file(str(tmp_path / "link"), "new")
    assert ((tmp_path / "link").is_symlink(), (tmp_path / "real").read_text()) == (True, "new")


def test_device_is_written_to_as_it_is():
    """/dev/null is not replaced by a file."""
    check_target(os.devnull, [])
    write_file(os.devnull, "x")
    assert Path(os.devnull).is_char_device()


class Terminal(io.StringIO):
    """A terminal as standard error that records its output."""

    def isatty(self):
        return True


def shown(stderr, *, seconds_a_step, enabled=True):
    """Return the output on *stderr* during five steps, on a clock that only they advance."""
    clock = itertools.count(0, seconds_a_step)
    with redirect_stderr(stderr), progress(5, enabled=enabled, clock=lambda: next(clock)) as advance:
        for _ in range(5):
            advance(1)
    return stderr.getvalue()


def test_long_work_shows_a_bar(monkeypatch):
    """The bar counts all steps, also those before it appeared."""
    monkeypatch.setenv("TERM", "xterm-256color")
    screen = shown(Terminal(), seconds_a_step=0.5)
    assert "checking quotes" in screen
    assert "5/5" in screen


@pytest.mark.parametrize(
    ("stderr", "options"),
    [
        pytest.param(Terminal(), {"seconds_a_step": 0.01}, id="short-work"),
        pytest.param(Terminal(), {"seconds_a_step": 10, "enabled": False}, id="disabled"),
        pytest.param(io.StringIO(), {"seconds_a_step": 10}, id="no-terminal"),
    ],
)
def test_no_bar_where_none_is_wanted(stderr, options):
    """Short work, --no-progress and log files get no bar."""
    assert shown(stderr, **options) == ""


def test_a_terminal_shows_no_binary_format(monkeypatch):
    """A workbook would only garble it; the hint names the option."""
    monkeypatch.setattr("sys.stdout", Terminal())
    check_terminal("csv")
    with pytest.raises(CommandError, match="a terminal cannot show xlsx") as caught:
        check_terminal("xlsx")
    assert caught.value.hint == "write it to a file: -o report.xlsx"


def test_a_workbook_without_its_library_is_an_error_before_any_work(run, interview, quotes, monkeypatch):
    """The hint names the extra."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    result = run("check", interview, "-q", quotes, "-o", "out.xlsx")
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr == (
        "error: a workbook needs the library openpyxl\nhint: pip install 'groundwire[documents]'\n"
    )


def test_a_workbook_goes_to_standard_output_too(interview, quotes, tmp_path):
    """Its bytes are written as they are."""
    pytest.importorskip("openpyxl")
    import subprocess

    from cli.command import COMMAND

    done = subprocess.run(
        [*COMMAND, "check", interview, "-q", quotes, "-f", "xlsx"],
        capture_output=True,
        cwd=tmp_path,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stdout[:4]) == (0, b"PK\x03\x04")
