"""SQLite files that are locked, damaged, full, read-only, newer or foreign give a clear error and change nothing."""

import os
import pickle
import re
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from groundwire.errors import MemoryStoreError
from groundwire.memory import MemoryStore, StoreFailure
from memory.claims import NOON, claim, ids

TEXT = "Anna takes fifty milligrams"


@contextmanager
def failing(failure: StoreFailure, words: str = "the database"):
    """The block fails so, in words that hold no text, neither themselves nor in what caused them."""
    with pytest.raises(MemoryStoreError, match=re.escape(words)) as caught:
        yield
    error = caught.value
    assert error.failure is failure
    assert TEXT not in str(error)
    assert error.__cause__ is None
    assert error.__context__ is None
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.fixture
def filled(sqlite_location) -> str:
    """A file with three memories, closed."""
    with MemoryStore(sqlite_location) as store:
        for number in range(3):
            store.add(claim(f"m{number}", content=f"{TEXT} {number}" * 200), time=NOON)
    return sqlite_location


def test_a_lock_is_waited_for_and_then_reported(filled):
    """Readers are not held up; when the other one is done, all goes on."""
    with MemoryStore(filled, timeout_s=0.05) as store, closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with failing(StoreFailure.LOCKED, "the database memories.db was locked by another process"):
            store.add(claim("m3", content=TEXT), time=NOON)
        assert len(store.find("anna")) == 3
        with MemoryStore(filled, timeout_s=0.05) as second:
            assert len(second.find("anna")) == 3
        other.execute("ROLLBACK")
        store.add(claim("m3"), time=NOON)
        assert store.integrity_errors() == []


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"no database\n" * len(data), id="another-file"),
        pytest.param(lambda data: data[:100] + b"\xff" * 3996 + data[4096:], id="first-page"),
        pytest.param(lambda data: data[: len(data) // 2], id="cut-off"),
        pytest.param(lambda data: data[:4096] + os.urandom(len(data) - 4096), id="noise"),
        pytest.param(lambda data: data[:4096] + bytes(len(data) - 4096), id="zeros"),
    ],
)
def test_damage_is_reported(filled, damage):
    """At the latest when it is looked for."""
    file = Path(filled)
    file.write_bytes(damage(file.read_bytes()))
    words = "the database memories.db is damaged, or is not a database"
    with failing(StoreFailure.CORRUPT, words), MemoryStore(filled) as store:
        store.integrity_errors()
        store.find(None, status=None)


@pytest.mark.parametrize("offset", range(0, 4096, 256))
def test_a_damaged_page_is_an_error_or_a_fault(filled, offset):
    """Whatever is overwritten: nothing else than our own error is raised, and no text is in it."""
    file = Path(filled)
    data = bytearray(file.read_bytes())
    for start in range(4096 + offset, len(data), 4096):
        data[start : start + 16] = b"\xfe\x00\xff\xd8" * 4
    file.write_bytes(data)
    found = []
    try:
        with MemoryStore(filled) as store:
            found = store.integrity_errors()
            store.find(None, status=None)
            store.add(claim("new", content=TEXT), time=NOON)
    except MemoryStoreError as error:
        found.append(str(error))
    assert found
    assert not any(TEXT in fault for fault in found)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE memories SET metadata = '{'",
        "UPDATE memories SET parents = '7'",
        "UPDATE memories SET content = CAST(x'414eff' AS TEXT)",
        "UPDATE memories SET content = x'00ff'",
        "UPDATE memories SET content = ''",
        "UPDATE memories SET capture_time = 'noon'",
        "UPDATE memories SET capture_time = 9223372036854775807",
    ],
)
def test_rows_that_the_store_did_not_write_are_damage(filled, change):
    """The error does not show their content."""
    with closing(sqlite3.connect(filled)) as other, other:
        other.execute(change)
    with MemoryStore(filled) as store, failing(StoreFailure.CORRUPT, "the database memories.db is damaged"):
        store.find("anna")


@pytest.mark.parametrize("change", ["action = 'x'", "time = 'noon'", "time = 9223372036854775807"])
def test_entries_that_the_store_did_not_write_are_damage(filled, change):
    """The same of the audit, whether it is read or checked."""
    with closing(sqlite3.connect(filled)) as other, other:
        other.execute(f"UPDATE memory_audit SET {change} WHERE sequence = 2")
    with MemoryStore(filled) as store:
        assert store.integrity_errors()[0] == "the audit was changed from entry 2 on"
        with failing(StoreFailure.CORRUPT, "the database memories.db is damaged"):
            store.audit("m1")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("DELETE FROM memory_schema", "it has no schema version"),
        ("UPDATE memory_settings SET value = 'x' WHERE name = 'hash_key'", "its key"),
    ],
)
def test_a_store_without_its_version_or_key_is_damage(filled, change, words):
    """It is unknown how to read it."""
    with closing(sqlite3.connect(filled)) as other, other:
        other.execute(change)
    with failing(StoreFailure.CORRUPT, words):
        MemoryStore(filled)


def test_a_new_file_with_a_reader_is_waited_for(sqlite_location):
    """The switch to WAL needs it alone; SQLite would not wait."""
    with closing(sqlite3.connect(sqlite_location, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM sqlite_master").fetchall()
        with failing(StoreFailure.LOCKED):
            MemoryStore(sqlite_location, timeout_s=0.05)
    with MemoryStore(sqlite_location) as store:
        assert store.integrity_errors() == []


def test_a_read_only_file_can_be_read(filled, public_folder, nobody):
    """Up to the first write."""
    folder = Path(filled).parent
    assert folder == public_folder
    # The files of the log stay with another process that has the database open.
    with MemoryStore(filled):
        for file in folder.iterdir():
            file.chmod(0o444)
        folder.chmod(0o555)
        nobody()
        with MemoryStore(filled) as store:
            assert len(store.find("anna")) == 3
            with failing(StoreFailure.READ_ONLY, "the database memories.db is read-only"):
                store.add(claim("m3", content=TEXT), time=NOON)
            assert len(store.find("anna")) == 3


@pytest.mark.parametrize("name", [".", "missing/memories.db"])
def test_files_that_cannot_be_opened_are_reported(tmp_path, name):
    """A folder is no file, and a file in no folder cannot be made."""
    with failing(StoreFailure.UNAVAILABLE, "cannot be opened"):
        MemoryStore(tmp_path / name)


def test_a_full_database_keeps_its_rows(filled):
    """The memory that did not fit is not there, nor any trace of it; smaller ones still go in."""
    with MemoryStore(filled) as store:
        with store.transaction() as database:
            [(pages,)] = database.execute("PRAGMA page_count")
        with store.transaction() as database:
            database.execute(f"PRAGMA max_page_count = {pages + 3}")
        for number in range(20):
            with failing(StoreFailure.FULL, "the database memories.db is full"):
                store.add(claim(f"big{number}", content=TEXT * 5000), time=NOON)
        assert store.integrity_errors() == []
        assert store.position() == 3
        store.add(claim("small"), time=NOON)
        assert ids(store.find("anna")) == ["m0", "m1", "m2", "small"]


def test_after_a_full_disk_nothing_of_the_transaction_is_done(filled):
    """SQLite rolls back by itself; what its caller does then, having caught the error, is not done by itself."""
    with MemoryStore(filled) as store:
        with store.transaction() as database:
            [(pages,)] = database.execute("PRAGMA page_count")
            database.execute(f"PRAGMA max_page_count = {pages + 3}")
        with failing(StoreFailure.BROKEN, "the transaction has already failed"), store.transaction() as database:
            store.add(claim("first"), time=NOON)
            with failing(StoreFailure.FULL):
                database.execute("INSERT INTO memory_settings VALUES ('x', ?)", (TEXT * 5000,))
            database.execute("INSERT INTO memory_settings VALUES ('y', 'z')")
        assert ids(store.find("anna")) == ["m0", "m1", "m2"]
        assert store.integrity_errors() == []


def test_a_newer_schema_is_not_touched(location):
    """On either database."""
    with MemoryStore(location) as store, store.transaction() as database:
        database.execute("INSERT INTO memory_schema (version) VALUES (99)")
    with failing(StoreFailure.NEWER_SCHEMA, "was written by a newer groundwire (schema 99, this one knows"):
        MemoryStore(location)


@pytest.mark.parametrize(
    "statement", ["CREATE TABLE notes (text)", "PRAGMA application_id = 7", "CREATE TABLE memories (id)"]
)
def test_files_of_other_programs_are_not_touched(sqlite_location, statement):
    """Not even by the switch to another kind of log."""
    with closing(sqlite3.connect(sqlite_location)) as other, other:
        other.execute(statement)
    before = Path(sqlite_location).read_bytes()
    with failing(StoreFailure.FOREIGN, "the database memories.db belongs to another program"):
        MemoryStore(sqlite_location)
    assert Path(sqlite_location).read_bytes() == before


def test_an_empty_file_is_a_new_database(sqlite_location):
    """As SQLite has it."""
    Path(sqlite_location).touch()
    with MemoryStore(sqlite_location) as store:
        store.add(claim(), time=NOON)
        assert store.integrity_errors() == []


def test_a_fork_opens_its_own(filled):
    """A connection that two processes use damages the file."""
    with MemoryStore(filled) as store:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                store.find("anna")
            except MemoryStoreError as error:
                os.write(writing, str(error).encode())
            os._exit(0)
        os.waitpid(child, 0)
        os.close(writing)
        with os.fdopen(reading) as told:
            assert "was opened before this process was forked" in told.read()
        assert store.integrity_errors() == []


@pytest.mark.parametrize(
    "location", ["mysql://host/x", "sqlite://memories.db", "sqlite:///", "http://x", "postgresql://[/"]
)
def test_other_urls_are_refused(location):
    """The error has the expected form, and not the given URL, which may contain a password."""
    if location.startswith("postgresql:"):
        pytest.importorskip("psycopg", reason="no psycopg: python3 dev.py databases")
    with pytest.raises(ValueError, match=r"location of a store must be|URL of the database is not") as caught:
        MemoryStore(location)
    assert "memories" not in str(caught.value)


@pytest.mark.parametrize("timeout_s", [0, -1, float("nan"), float("inf"), 86_401])
def test_a_time_out_is_positive_and_ends(sqlite_location, timeout_s):
    """Nobody waits for no time at all, or for ever."""
    with pytest.raises(ValueError, match="timeout_s must be above 0 and at most 86400"):
        MemoryStore(sqlite_location, timeout_s=timeout_s)


@pytest.mark.parametrize(
    "url", ["sqlite:///{folder}/a%20b.db", "sqlite:///{folder}/file:x?mode=memory", "{folder}/c?.db"]
)
def test_names_are_taken_as_they_are(tmp_path, url):
    """No part of a file's name is an option."""
    with MemoryStore(url.format(folder=tmp_path)) as store:
        store.add(claim(), time=NOON)
    with MemoryStore(url.format(folder=tmp_path)) as store:
        assert ids(store.find("anna")) == ["m1"]


def test_in_memory_ends_with_the_store():
    """For tests and trials."""
    with MemoryStore(":memory:") as store:
        store.add(claim(), time=NOON)
        store.erase("m1", "anna", time=NOON)
        assert store.purge()
        assert store.integrity_errors() == []
    with MemoryStore(":memory:") as store:
        assert store.position() == 0
