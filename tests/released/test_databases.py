"""Databases that each release has written open in this version, with everything in them."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from cli.command import run_here
from groundwire.errors import MemoryStoreError
from groundwire.memory import MemoryStore, StoreFailure
from groundwire.review import ReviewQueue
from memory.claims import NOON, assert_fails, bytes_of, claim
from released import stored
from review.waiting import Clock

FUTURE = "INSERT INTO memory_schema (version) VALUES (99)"


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request):
    """The kind of database."""
    return request.param


@pytest.fixture
def empty(kind, request):
    """The location of an empty database of this kind."""
    return request.getfixturevalue(f"{kind}_location")


def restore(version: str, kind: str, location: str) -> dict:
    """Make the database that a release has written, and return what was seen in it then."""
    folder = stored.ROOT / version
    script = (folder / f"database.{kind}.sql").read_text(encoding="utf-8")
    (stored.restore_sqlite if kind == "sqlite" else stored.restore_postgres)(script, location)
    return stored.read_json(folder / f"database.{kind}.json")


def test_a_dump_has_all_that_a_program_sees(kind, empty, request):
    """GROUNDWIRE_RELEASE=0.2.0 with this test writes the files of that release."""
    known = stored.fill(empty)
    seen = stored.observe(empty, known)
    if kind == "sqlite":
        script, location = stored.dump_sqlite(empty), f"{empty}.copy"
        stored.restore_sqlite(script, location)
    else:
        script, location = stored.dump_postgres(empty), request.getfixturevalue("clear_postgres")()
        stored.restore_postgres(script, location)
    assert stored.observe(location, known) == seen
    folder = stored.folder_to_write()
    if folder is not None:
        (folder / f"database.{kind}.sql").write_text(script, encoding="utf-8")
        stored.write_json(folder / f"database.{kind}.json", {"known": known, "seen": seen})


@pytest.mark.parametrize("version", stored.RELEASES)
def test_a_database_of_a_release_is_read_as_it_was(version, kind, empty):
    """Memories, claims, decisions, audits and tokens are what they were, and nothing counts as changed."""
    then = restore(version, kind, empty)
    assert stored.observe(empty, then["known"]) == then["seen"]
    assert (then["seen"]["store errors"], then["seen"]["queue errors"]) == ([], [])


@pytest.mark.parametrize("version", stored.RELEASES)
def test_work_goes_on_in_a_database_of_a_release(version, kind, empty):
    """Claims are decided, sources revoked and memories erased, and the audits stay whole."""
    restore(version, kind, empty)

    async def decide(queue: ReviewQueue) -> list[str]:
        await queue.approve("q4", "raoul")
        await queue.reject("q6", "rita", "no source")
        return await queue.integrity_errors()

    with MemoryStore(empty) as store:
        store.add(claim("m6", parents=("m1",)), time=NOON)
        assert store.revoke_source("ADR-003", time=NOON) == ["m1", "m6"]
        store.erase("m3", "anna", time=NOON)
        with ReviewQueue(None, store, reviewers=stored.REVIEWERS, clock=Clock()) as queue:
            assert asyncio.run(decide(queue)) == []
        assert store.integrity_errors() == []


@pytest.mark.parametrize("version", stored.RELEASES)
@pytest.mark.parametrize(
    "change", ["UPDATE memories SET content = 'Changed'", "DELETE FROM review_audit WHERE sequence = 2"]
)
def test_a_change_of_a_database_of_a_release_is_noticed(version, change, sqlite_location):
    """The chain of the audit reaches back to what the release wrote."""
    restore(version, "sqlite", sqlite_location)
    with closing(sqlite3.connect(sqlite_location)) as database, database:
        database.execute(change)
    with MemoryStore(sqlite_location) as store, ReviewQueue(None, store) as queue:
        assert store.integrity_errors() + asyncio.run(queue.integrity_errors()) != []


@pytest.mark.parametrize("version", stored.RELEASES)
def test_a_database_of_the_future_is_refused_untouched(version, kind, empty):
    """The error names both schemas, and not one byte or row changes."""
    restore(version, kind, empty)
    with MemoryStore(empty) as store, store.transaction() as database:
        database.execute(FUTURE)
    before = state(kind, empty)
    with assert_fails(StoreFailure.NEWER_SCHEMA, "was written by a newer groundwire (schema 99, this one knows"):
        MemoryStore(empty)
    assert state(kind, empty) == before


@pytest.mark.parametrize(
    "command",
    [
        ("memory", "list", "--database"),
        ("memory", "export", "--database"),
        ("review", "list"),
        ("review", "verify-audit"),
        ("review", "token", "--list"),
    ],
    ids=" ".join,
)
def test_no_command_touches_a_database_of_the_future(command, sqlite_location, tmp_path):
    """It ends with 2 and one line that says why."""
    with MemoryStore(sqlite_location) as store, store.transaction() as database:
        database.execute(FUTURE)
    before = bytes_of(sqlite_location)
    code, output, errors = run_here(*command, sqlite_location, cwd=tmp_path)
    assert (code, output) == (2, "")
    assert "was written by a newer groundwire (schema 99, this one knows" in errors
    assert bytes_of(sqlite_location) == before


def test_a_store_that_is_open_notices_that_a_newer_version_has_migrated_it(location):
    """Its next decision is refused: the tables may mean something else now."""
    with MemoryStore(location) as store:
        with MemoryStore(location) as other, other.transaction() as database:
            database.execute(FUTURE)
        with pytest.raises(MemoryStoreError, match="newer groundwire"):
            store.changes(0)


def state(kind: str, location: str) -> object:
    """Return the bytes of a SQLite database, or the rows and definitions of one in PostgreSQL."""
    return bytes_of(location) if kind == "sqlite" else stored.dump_postgres(location)
