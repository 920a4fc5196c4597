"""The page of the queue names what there is, with its defaults."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import environment
from groundwire.review import QueueState, ReviewQueue

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "review.md").read_text(encoding="utf-8")
SETTINGS = inspect.signature(ReviewQueue).parameters
WRITTEN = {None: "none", (): "none", False: "no", 30 * 86_400.0: "30 days"}


@pytest.mark.parametrize(
    "name", [name for name in SETTINGS if name not in ("store_callback", "store", "clock", "new_id")]
)
def test_every_setting_is_in_the_table(name):
    """With its default."""
    default = SETTINGS[name].default
    assert f"| `{name}` | {WRITTEN.get(default, f'{default:,g}' if default else '')} |" in PAGE


def test_every_call_is_in_the_table():
    """And every state in the picture."""
    calls = {name for name, _ in inspect.getmembers(ReviewQueue, inspect.iscoroutinefunction) if name[0] != "_"}
    rows = re.findall(r"^\| (`.*?) \|", PAGE.partition("## Calls")[2].partition("\n## ")[0], re.M)
    assert calls - {"candidates", "candidates_many"} == set(re.findall(r"`(\w+)[(`]", " ".join(rows)))
    picture = PAGE.partition("## States")[2].partition("- **")[0]
    assert all(state in picture for state in QueueState)


@pytest.mark.parametrize("command", ["list", "show", "approve", "reject", "verify-audit", "export"])
def test_every_option_of_the_commands_is_in_the_table(command):
    """Those that the help lists."""
    called = [sys.executable, "-m", "groundwire", "review", command, "--help"]
    shown = subprocess.run(called, capture_output=True, text=True, env=environment(), check=True).stdout
    section = PAGE.partition("## On the command line")[2].partition("\n## ")[0]
    options = set(re.findall(r"(?<=  )(--[a-z-]+)|(?<=  -)\w, (--[a-z-]+)", shown))
    named = {one or other for one, other in options} - {"--help"}
    short = {"--output": "-o"}
    assert f"groundwire review {command} DATABASE" in section
    assert {name for name in named if f"`{short.get(name, name)}" not in section} == set()
