"""The schema of a database is compared with what the migrations make."""

import os
from importlib.resources import files

import pytest

from groundwire.memory import MemoryStore
from groundwire.memory.schema import schema_faults

LISTING = files("groundwire.memory") / "migrations" / "postgres_schema.tsv"


def test_the_kept_listing_is_what_the_migrations_make(postgres_location):
    """A new migration renews it: GROUNDWIRE_RENEW=1 with this test writes the file."""
    with MemoryStore(postgres_location) as store, store.snapshot() as database:
        listed = "".join(f"{line}\n" for line in sorted(database.schema()))
    if os.environ.get("GROUNDWIRE_RENEW"):
        LISTING.write_text(listed, encoding="utf-8")
    assert LISTING.read_text(encoding="utf-8") == listed


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("CREATE INDEX mine ON memories (status)", ["definitions that the migrations do not make"]),
        ("DROP INDEX memories_by_user", ["the schema lacks or has another index memories_by_user"]),
        ("CREATE VIEW mine AS SELECT 1 AS one", ["definitions that the migrations do not make"]),
    ],
)
def test_a_difference_is_told(store, change, words):
    """What is missing by its name; what was added by its number alone, for a name can be any text."""
    told = []

    def look() -> None:
        with store.transaction() as database:
            database.execute(change)
            told.extend([" ".join(schema_faults(database)), *store.faults()])
            raise InterruptedError

    with pytest.raises(InterruptedError):
        look()
    assert [word for word in words if word not in told[0]] == []
    assert "mine" not in told[0]
    assert told[-1] == "nothing else was checked"


def test_statistics_are_no_difference(sqlite_location):
    """ANALYZE keeps them in a table of its own."""
    with MemoryStore(sqlite_location) as store:
        with store.transaction() as database:
            database.execute("ANALYZE")
        assert store.faults() == []
