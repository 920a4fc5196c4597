"""Text for people: colour and wrapped columns on a terminal, plain lines elsewhere."""

import pytest

from cli.terminal import CONTROL_SEQUENCE, run_on_terminal

QUOTES = {
    "PHQ8_Sleep": ["I can’t sleep at night.", "i can't sleep", "I sleep like a log after a long day in the garden"],
    "PHQ8_Work": ["Work is fine really", ""],
}
WIDE = ("中文" * 40, "é" * 90)


@pytest.fixture
def check(write, interview):
    """Return the arguments of a check with every verdict except fuzzy."""
    write("quotes.json", QUOTES)
    return ["check", interview, "-q", "quotes.json"]


def test_terminal_gets_colour(check, tmp_path):
    """On a terminal the verdicts are coloured, and the exit code is the same."""
    code, screen = run_on_terminal(*check, cwd=tmp_path)
    assert code == 1
    assert CONTROL_SEQUENCE.search(screen)


def test_no_color_is_respected(check, tmp_path):
    """With NO_COLOR set there is no control sequence at all."""
    code, screen = run_on_terminal(*check, cwd=tmp_path, env={"NO_COLOR": "1"})
    assert (code, CONTROL_SEQUENCE.search(screen)) == (1, None)
    assert "PHQ8_Sleep: 2 of 3 accepted" in screen


def test_dumb_terminal_gets_plain_lines(check, tmp_path):
    """TERM=dumb means no control sequences."""
    _, screen = run_on_terminal(*check, cwd=tmp_path, env={"TERM": "dumb"})
    assert "\x1b" not in screen


@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}], ids=["colour", "no-colour"])
@pytest.mark.parametrize("verdict", ["✓ exact", "✓ normalized", "✗ absent", "∅ blank"])
def test_verdict_is_a_sign_and_a_word(check, tmp_path, env, verdict):
    """Colour is never the only carrier."""
    _, screen = run_on_terminal(*check, cwd=tmp_path, env=env)
    assert verdict in CONTROL_SEQUENCE.sub("", screen)


@pytest.mark.parametrize("columns", [60, 80, 120, 200])
def test_columns_fit_the_terminal(write, tmp_path, columns):
    """No line is longer than the terminal's width, whatever the text."""
    from rich.cells import cell_len

    write("a-file-with-quite-a-long-name-that-has-to-be-cut-somewhere.txt", "\n".join([*WIDE, "x" * 500]))
    write("quotes.json", {"domain" * 5: [*WIDE, "x" * 500, "y" * 500]})
    transcript = "a-file-with-quite-a-long-name-that-has-to-be-cut-somewhere.txt"
    _, screen = run_on_terminal("check", transcript, "-q", "quotes.json", cwd=tmp_path, columns=columns)
    assert max(cell_len(line) for line in CONTROL_SEQUENCE.sub("", screen).splitlines()) <= columns


def test_pipe_gets_plain_lines_that_are_not_wrapped(check, run):
    """Piped text has one line per quote, without colour, at any width of the terminal."""
    result = run(*check, env={"COLUMNS": "20", "TERM": "xterm-256color"})
    rows = [line for line in result.stdout.splitlines() if line.startswith("#")]
    assert "\x1b" not in result.stdout
    assert len(rows) == 5
    assert "  I sleep like a log after a long day in the garden  (" in rows[2]
    assert not [line for line in result.stdout.splitlines() if line != line.rstrip()]


def test_plain_line_has_the_location(check, run):
    """The line has domain, verdict, score, name, line, column, span and speaker of a quote."""
    row = run(*check).stdout.splitlines()[0]
    expected = [
        "#1",
        "✓",
        "exact",
        "PHQ8_Sleep",
        "1.000",
        "interview.txt:2:6",
        "30–53",
        "Max",
        "I",
        "can’t",
        "sleep",
        "at",
        "night.",
    ]
    assert expected == row.split()


def test_narrow_terminal_gets_plain_lines(check, tmp_path):
    """Fewer than sixty columns are too narrow for a table."""
    _, screen = run_on_terminal(*check, cwd=tmp_path, columns=40)
    assert screen.startswith("#1  ✓ exact")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_terminal_of_another_encoding_gets_characters_it_can_show(check, tmp_path, encoding):
    """A character that the terminal's encoding lacks is spelled out and crashes nothing."""
    code, screen = run_on_terminal(*check, cwd=tmp_path, env={"PYTHONIOENCODING": encoding})
    assert code == 1
    assert "Traceback" not in screen
    assert ("✓" in screen) == (encoding == "utf-8")


def test_short_work_shows_no_progress_bar(check, tmp_path):
    """A very short check draws no bar that it would have to erase."""
    _, screen = run_on_terminal(*check, cwd=tmp_path)
    assert "checking" not in screen
