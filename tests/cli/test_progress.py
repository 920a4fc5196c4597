"""The progress bar: only on a terminal, only for long work."""

import io
import itertools
from contextlib import redirect_stderr

import pytest

from groundwire.cli.output import progress


class Terminal(io.StringIO):
    """Standard error as a terminal that remembers what it was shown."""

    def isatty(self):
        return True


def shown(stderr, *, seconds_a_step, enabled=True):
    """Return what *stderr* got during five steps, on a clock that only they advance."""
    clock = itertools.count(0, seconds_a_step)
    with redirect_stderr(stderr), progress(5, enabled=enabled, clock=lambda: next(clock)) as advance:
        for _ in range(5):
            advance(1)
    return stderr.getvalue()


def test_long_work_shows_a_bar(monkeypatch):
    """The bar counts the steps, those before it appeared too."""
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
    """Work that takes a moment, --no-progress and log files get no bar."""
    assert shown(stderr, **options) == ""
