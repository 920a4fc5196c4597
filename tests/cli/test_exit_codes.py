"""The exit codes of the commands."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import COMMAND, environment
from groundwire.cli import main
from waits import PATIENCE_S


@pytest.mark.parametrize(
    ("quotes", "code"),
    [
        pytest.param(["I can't sleep at night"], 0, id="all-grounded"),
        pytest.param(["I can't sleep at night", "I sleep well"], 1, id="one-absent"),
        pytest.param(["I sleep well"], 1, id="none-grounded"),
        pytest.param(["I can't sleep at night", " \t"], 1, id="one-blank"),
    ],
)
def test_exit_code_shows_whether_all_quotes_are_grounded(run, write, interview, quotes, code):
    """0 when every quote is grounded, 1 when at least one is not."""
    write("quotes.json", quotes)
    result = run("check", interview, "--quotes", "quotes.json")
    assert (code, "") == (result.code, result.stderr)


@pytest.mark.parametrize("quote", ["", "  ", "\u200b", "<laughter>", "\u00a0\n"], ids=ascii)
@pytest.mark.parametrize("mode", ["substring", "fuzzy"])
def test_blank_quote_is_never_grounded(run, write, quote, mode):
    """Ruling A6: a quote without letters or digits is listed as blank, at any threshold, in any text."""
    write("empty.txt", "")
    write("quotes.json", [quote])
    result = run("check", "empty.txt", "-q", "quotes.json", "--mode", mode, "--threshold", "0", "-f", "json")
    assert result.code == 1
    assert [(q["status"], q["grounded"], q["score"]) for q in result.report["quotes"]] == [("blank", False, None)]


def test_no_quotes_at_all_is_an_error(run, write, interview):
    """An empty input does not pass, because the extraction before it may have failed."""
    write("quotes.json", {"PHQ8_Sleep": []})
    result = run("check", interview, "-q", "quotes.json")
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr == "error: `quotes.json` contains no quotes\nhint: add --allow-empty to pass without quotes\n"


def test_allow_empty_makes_no_quotes_a_pass(run, write, interview):
    """With --allow-empty the report says that there was nothing to check, and has no rate."""
    write("quotes.json", {"PHQ8_Sleep": []})
    result = run("check", interview, "-q", "quotes.json", "--allow-empty", "-f", "json")
    assert (result.code, result.report["summary"]["rate"]) == (0, None)
    assert result.report["summary"]["by_domain"] == [{"domain": "PHQ8_Sleep", "quotes": 0, "grounded": 0}]


def test_version_is_that_of_the_package(run):
    """`--version` prints one line on standard output."""
    import groundwire

    assert (0, f"groundwire {groundwire.__version__}\n", "") == run("--version")


def test_interrupt_is_one_line_and_130(tmp_path, interview):
    """Ctrl-C ends a run quietly, without a traceback."""
    # Opening the pipe for writing waits until the command opens it for reading, so that the interrupt meets the
    # command at work.
    os.mkfifo(tmp_path / "quotes")
    with (
        subprocess.Popen(
            [*COMMAND, "check", interview, "-q", "quotes"],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as child,
        (tmp_path / "quotes").open("wb"),
    ):
        child.send_signal(signal.SIGINT)
        stdout, stderr = child.communicate(timeout=PATIENCE_S)
    assert (child.returncode, stdout, stderr) == (130, b"", b"error: interrupted\n")


def test_closed_output_is_quiet(tmp_path, write, interview):
    """A reader that ends early, such as `head`, causes no traceback; the code is that of a closed pipe."""
    write("quotes.json", ["I can't sleep at night"] * 5000)
    ours, theirs = os.pipe()
    os.close(ours)
    child = subprocess.run(
        [*COMMAND, "check", interview, "-q", "quotes.json", "-f", "json"],
        cwd=tmp_path,
        env=environment(),
        stdout=theirs,
        stderr=subprocess.PIPE,
        timeout=PATIENCE_S,
    )
    os.close(theirs)
    assert (child.returncode, child.stderr) == (141, b"")


def test_unexpected_exception_is_one_line_without_its_message(monkeypatch, capsys):
    """A bug shows neither a traceback nor text that the exception may contain."""

    def fail(_):
        raise RuntimeError("MARKER")

    monkeypatch.setattr("groundwire.cli.app.run", fail)
    monkeypatch.delenv("GROUNDWIRE_TRACEBACK", raising=False)
    assert main([]) == 2
    stderr = capsys.readouterr().err
    assert stderr.startswith("error: unexpected RuntimeError inside groundwire\nhint: ")
    assert "MARKER" not in stderr


def test_a_reason_of_the_system_is_named_with_the_file(run, write, interview):
    """It is no bug; a folder that the user may not search gives another such reason."""
    write("q.json", ["I can't sleep at night"])
    name = "n" * 300
    assert (2, "", f"error: `{name}`: file name too long\n") == run("check", interview, "-q", "q.json", "-o", name)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("args", "redirection", "code", "stderr"),
    [
        pytest.param("--help", ">/dev/full", 2, "error: no space left on device\n", id="overview"),
        pytest.param("--version", ">/dev/full", 2, "error: no space left on device\n", id="version"),
        pytest.param(
            "check t.txt -q q.json --policy literal --threshold 1", "2>/dev/full", 0, "", id="warning-that-has-no-room"
        ),
    ],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_full_stream_is_no_crash(tmp_path, write, args, redirection, code, stderr, unbuffered):
    """A full standard output is an error, and a warning that cannot be written changes no result."""
    write("t.txt", "It rains.")
    write("q.json", ["It rains."])
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m groundwire {args} {redirection}', sys.executable],
        cwd=tmp_path,
        env=environment({"PYTHONUNBUFFERED": unbuffered}),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (code, stderr)


@pytest.mark.parametrize(
    ("redirection", "code", "stderr"),
    [
        pytest.param(">&-", 2, "error: cannot write `<stdout>`: it is closed\n", id="stdout"),
        pytest.param("<&-", 2, "error: cannot read `<stdin>`: it is closed\n", id="stdin"),
        pytest.param("2>&-", 1, "", id="stderr"),
    ],
)
def test_closed_stream_is_no_crash(tmp_path, write, redirection, code, stderr):
    """A stream that the caller closed is reported if it is needed, and otherwise ignored."""
    write("t.txt", "x")
    quotes = "-" if redirection == "<&-" else str(write("q.json", ["y"]))
    program = f'"$0" -m groundwire check t.txt --threshold 1 --mode fuzzy -q {quotes} {redirection}'
    done = subprocess.run(
        ["sh", "-c", program, sys.executable],
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.PIPE,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stderr.decode()) == (code, stderr)
