"""The page of the store names what there is."""

import re
from pathlib import Path

from groundwire.memory import StoreFailure

PAGE = Path(__file__).resolve().parents[2] / "docs" / "memory.md"


def test_every_failure_is_in_the_table():
    """And no other."""
    table = PAGE.read_text(encoding="utf-8").partition("## What goes wrong")[2]
    assert {*re.findall(r"^\| `(\w+)` \|", table, re.M)} == {*StoreFailure}
