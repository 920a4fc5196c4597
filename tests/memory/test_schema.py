"""Migrations bring databases of every earlier schema to the newest, and the check compares a schema with theirs."""

import os
import sqlite3
from contextlib import closing
from importlib.resources import files

import pytest

from groundwire.errors import MemoryStoreError
from groundwire.memory import MemoryStore
from groundwire.memory.audit_log import KeyedHasher
from groundwire.memory.connection import TransactionSession, connect, migrate
from groundwire.memory.schema import migrations, schema_errors, statements
from memory.claims import NOON, claim, open_at_schema

LISTING = files("groundwire.memory") / "migrations" / "postgres_schema.tsv"


def test_the_stored_listing_matches_the_migrations(postgres_location):
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
def test_a_difference_is_reported(store, change, words):
    """What is missing by its name; what was added by its number alone, for a name can be any text."""
    told = []

    def look() -> None:
        with store.transaction() as database:
            database.execute(change)
            told.extend([" ".join(schema_errors(database)), *store.integrity_errors()])
            raise InterruptedError

    with pytest.raises(InterruptedError):
        look()
    assert [word for word in words if word not in told[0]] == []
    assert "mine" not in told[0]
    assert told[-1] == "no further checks were made"


def test_statistics_are_no_difference(sqlite_location):
    """ANALYZE keeps them in a table of its own."""
    with MemoryStore(sqlite_location) as store:
        with store.transaction() as database:
            database.execute("ANALYZE")
        assert store.integrity_errors() == []


NEXT = max(migrations()) + 1
ADD_COLUMN = "ALTER TABLE memories ADD COLUMN note TEXT NOT NULL DEFAULT 'none';"


@pytest.fixture
def session(location):
    """A connection without tables."""
    opened = TransactionSession(connect(location, timeout_s=5))
    yield opened
    opened.close()


def version(session: TransactionSession) -> int:
    """The newest migration that was done."""
    with session.reading() as database:
        return database.execute("SELECT max(version) FROM memory_schema")[0][0]


def test_numbers_have_no_gap():
    """Each migration is one file, `0001_name.sql` on."""
    assert list(migrations()) == list(range(1, NEXT))


@pytest.mark.parametrize("earlier", range(1, NEXT))
def test_from_each_earlier_schema(location, earlier):
    """Stored memories are still there, and the store works."""
    session = open_at_schema(location, earlier)
    key = b"k" * 16
    rows_of_the_first_schema(session, KeyedHasher(key))
    session.close()
    with MemoryStore(location, hash_key=key) as store:
        assert store.find("anna") == [claim("m1", validity_horizon=NOON, metadata={"a": [1]}, parents=("m0",))]
        assert store.integrity_errors() == []
        store.add(claim("m2", parents=("m1",)), time=NOON)
        assert store.revoke_source("ADR-003", time=NOON) == ["m1", "m2"]
        assert store.integrity_errors() == []
        assert [entry.action for entry in store.audit("m1")] == ["stored", "sealed", "sent_to_review"]
        store.erase("m1", "anna", time=NOON)
        with store.transaction() as database:
            database.execute("UPDATE memories SET confidence = 'low'")
            database.execute("DELETE FROM memory_parents WHERE memory_id = 'm1'")
        assert store.integrity_errors() == [
            "1 memory differs from the audit in evidence, owner or status",
            "the sources or parents of memories were changed",
        ]


def test_a_database_is_sealed_once(location):
    """Who asks for it again wants changed rows to be taken over."""
    with MemoryStore(location) as store, store.transaction() as database:
        store.add(claim(), time=NOON)
        database.execute("INSERT INTO memory_settings VALUES ('rows', 'unsealed')")
    with pytest.raises(MemoryStoreError, match="it was sealed before"):
        MemoryStore(location)


def test_the_next_migration_keeps_rows(location, session):
    """The way from the newest schema to the one that comes after it."""
    with MemoryStore(location) as store:
        store.add(claim(), time=NOON)
    migrate(session, {**migrations(), NEXT: ADD_COLUMN})
    assert version(session) == NEXT
    with session.reading() as database:
        assert database.execute("SELECT id, note FROM memories") == [("m1", "none")]
    migrate(session, {**migrations(), NEXT: ADD_COLUMN})
    assert version(session) == NEXT


@pytest.mark.parametrize("is_new", [True, False])
def test_a_migration_that_fails_leaves_nothing(location, session, is_new):
    """Neither of itself nor of those before it in the same call."""
    if not is_new:
        MemoryStore(location).close()
    broken = {
        **migrations(),
        NEXT: ADD_COLUMN,
        NEXT + 1: "CREATE TABLE late (id INTEGER); SELECT nothing FROM nowhere;",
    }
    with pytest.raises(MemoryStoreError):
        migrate(session, broken)
    with MemoryStore(location) as store:
        store.add(claim(), time=NOON)
        assert store.integrity_errors() == []
    assert version(session) == NEXT - 1
    with pytest.raises(MemoryStoreError), session.reading() as database:
        database.execute("SELECT note FROM memories")


def test_a_store_of_today_is_only_read_when_it_is_opened(sqlite_location):
    """So that one that may not be written to opens too."""
    MemoryStore(sqlite_location).close()
    with closing(sqlite3.connect(sqlite_location)) as other:
        before = other.execute("PRAGMA data_version").fetchall()
        MemoryStore(sqlite_location).close()
        assert other.execute("PRAGMA data_version").fetchall() == before


def test_statements_are_split_as_sqlite_splits_them():
    """Comments are left out; the SQL of all migrations is what both databases know, without marks for values."""
    assert statements("-- a;b\nSELECT 1; -- c\n\nSELECT\n 2;") == ["SELECT 1", "SELECT\n 2"]
    for script in migrations().values():
        assert all(sqlite3.complete_statement(f"{statement};") for statement in statements(script))
        assert all("%" not in statement and "?" not in statement for statement in statements(script))


def rows_of_the_first_schema(session: TransactionSession, hasher: KeyedHasher) -> None:
    """Write a memory as the first version did, whatever the store does today."""
    content = claim("m1").content
    user_hash, content_hash = hasher.of("person", "anna"), hasher.of("content", content)
    entry = (1, 1772366400000000, "stored", "m1", user_hash, content_hash, None, None, None)
    memory = (
        *(1, "m1", "anna", content, content_hash, "fact", "conversation", 1772366400000000, "high", 1772366400000000),
        *('["ADR-003"]', '["m0"]', '{"a": [1]}', "active"),
    )
    with session.writing() as database:
        database.execute("INSERT INTO memory_settings VALUES ('hash_key_check', ?)", (hasher.check(),))
        database.execute(f"INSERT INTO memories VALUES (?{', ?' * 13})", memory)
        database.execute("INSERT INTO memory_sources VALUES (?, 'm1')", (hasher.of("source", "ADR-003"),))
        database.execute("INSERT INTO memory_parents VALUES ('m0', 'm1')")
        columns = "sequence, time, action, memory_id, user_hash, content_hash, actor_hash, reason, source_hash, link"
        values = (*entry, hasher.link("", entry))
        database.execute(f"INSERT INTO memory_audit ({columns}) VALUES (?{', ?' * 9})", values)
