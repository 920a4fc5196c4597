"""The package loads a database driver only when it opens a database, and its page documents every failure."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.memory import StoreFailure

HEAVY = "*({'sqlite3', 'psycopg', 'asyncio', 'pydantic', 'numpy', 'ssl'} & (set(sys.modules) - before))"


@pytest.mark.parametrize(
    ("program", "needed"),
    [
        pytest.param("from groundwire.memory import StoredMemory, MemoryStatus, MemoryProvider", set(), id="records"),
        pytest.param("from groundwire.memory import MemoryStore", set(), id="store"),
        pytest.param("from groundwire.memory import MemoryStore; MemoryStore(':memory:')", {"sqlite3"}, id="sqlite"),
    ],
)
def test_a_database_is_loaded_when_it_is_opened(program, needed):
    """Records and protocols need none, and SQLite no driver of PostgreSQL's."""
    # Measuring coverage loads some of them before.
    whole = f"import sys\nbefore = set(sys.modules)\n{program}\nprint({HEAVY})"
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True)
    assert {*done.stdout.split()} <= needed


def test_postgres_without_its_driver_is_reported(monkeypatch):
    """With what to install."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "groundwire.memory.postgres", raising=False)
    from groundwire.memory import MemoryStore

    with pytest.raises(ImportError, match=r"pip install 'groundwire\[postgres\]'"):
        MemoryStore("postgresql://localhost/x")


PAGE = Path(__file__).resolve().parents[2] / "docs" / "memory.md"


def test_every_failure_is_in_the_table():
    """And no other."""
    table = PAGE.read_text(encoding="utf-8").partition("## What goes wrong")[2]
    assert {*re.findall(r"^\| `(\w+)` \|", table, re.M)} == {*StoreFailure}
