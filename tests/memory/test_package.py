"""The package loads a database driver only when it opens a database, and its page documents every failure."""

import subprocess
import sys

import pytest

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
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "groundwire.memory.postgres", raising=False)
    from groundwire.memory import MemoryStore

    with pytest.raises(ImportError, match=r"pip install 'groundwire\[postgres\]'"):
        MemoryStore("postgresql://localhost/x")
