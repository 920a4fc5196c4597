"""The page of the queue names what there is, with its defaults."""

import inspect
import re
from pathlib import Path

import pytest

from groundwire.review import QueueState, ReviewQueue

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "how-to" / "review.md").read_text(encoding="utf-8")
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
    picture = PAGE.partition("```\npending")[2].partition("```")[0]
    assert all(state in f"pending{picture}" for state in QueueState)
