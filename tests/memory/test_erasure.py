"""Erased text is gone, and that it was there and was erased can still be shown."""

import itertools
import random
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from groundwire.memory import AuditAction, MemoryStatus, MemoryStore
from memory.claims import HOUR, NOON, claim, ids

SECRET = "Anna takes fifty milligrams of sertraline"


def rows_of(store: MemoryStore) -> str:
    """Every value of every table, as one text."""
    tables = ("memory_settings", "memories", "memory_sources", "memory_parents", "memory_audit", "memory_actors")
    with store.transaction() as database:
        return "\n".join(str(row) for table in tables for row in database.execute(f"SELECT * FROM {table}"))


def bytes_of(location: str) -> bytes:
    """Everything in the files of a SQLite database."""
    files = sorted(Path(location).parent.glob(f"{Path(location).name}*"))
    return b"".join(file.read_bytes() for file in files)


def test_an_erased_memory_leaves_its_id_and_hashes(store):
    """Neither text nor user, source, metadata or type stay in any table."""
    store.add(
        claim(
            content=SECRET, user_id="patient-anna", source_ids=("https://clinic.example/anna",), metadata={"k": "v7"}
        ),
        time=NOON,
    )
    store.erase("m1", "patient-anna", time=NOON + HOUR, actor="officer")
    left = rows_of(store)
    assert [word for word in ("sertraline", "patient-anna", "clinic", "v7", "conversation") if word in left] == []
    assert store.find(None, status=None) == []


def test_an_erasure_can_be_shown_with_the_text(store):
    """The audit knows it by its keyed hash: when it was stored, and when and why it was erased."""
    store.add(claim(content=SECRET), time=NOON)
    store.erase("m1", "anna", time=NOON + HOUR)
    assert [(entry.memory_id, entry.action, entry.time, entry.reason) for entry in store.audit_of_text(SECRET)] == [
        ("m1", AuditAction.STORED, NOON, None),
        ("m1", AuditAction.ERASED, NOON + HOUR, "requested"),
    ]
    assert store.audit_of_text(SECRET + ".") == []
    assert {entry.user_hash for entry in store.audit("m1")} == {store.hash_of("person", "anna")}


def test_a_user_is_erased_with_all_memories_and_as_an_actor(store):
    """Others keep theirs; what the user did stays in the audit without the name."""
    store.add(claim("a"), time=NOON)
    store.add(claim("b", status=MemoryStatus.REVIEW), time=NOON)
    store.add(claim("c", user_id="bob"), time=NOON, actor="anna")
    assert store.erase_user("anna", time=NOON + HOUR, actor="anna") == ["a", "b"]
    assert ids(store.find(None, status=None)) == ["c"]
    assert [entry.actor for memory_id in "abc" for entry in store.audit(memory_id)] == [None] * 5
    assert "anna" not in rows_of(store).replace(claim("c").content, "")
    assert store.erase_user("anna", time=NOON) == []


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        pytest.param({"expired_at": NOON + HOUR}, ["b"], id="horizon-reached"),
        pytest.param({"expired_at": NOON + HOUR - timedelta(microseconds=1)}, [], id="just-before-the-horizon"),
        pytest.param({"captured_before": NOON}, ["a"], id="old"),
        pytest.param({"captured_before": NOON - HOUR}, [], id="as-old-as-allowed"),
        pytest.param({"captured_before": NOON, "expired_at": NOON + HOUR}, ["a", "b"], id="either"),
    ],
)
def test_retention(store, limits, expected):
    """Expired and old memories of all users are erased; those without an end stay."""
    store.add(claim("a", capture_time=NOON - HOUR), time=NOON)
    store.add(claim("b", validity_horizon=NOON + HOUR, user_id="bob"), time=NOON)
    store.add(claim("c"), time=NOON)
    assert store.erase_expired(time=NOON + HOUR, **limits) == expected
    assert all(store.audit(memory_id)[-1].reason == "retention" for memory_id in expected)


def test_retention_needs_a_limit(store):
    """Without one nothing is erased, and certainly not everything."""
    store.add(claim(), time=NOON)
    with pytest.raises(ValueError, match="expired_at or captured_before must be given"):
        store.erase_expired(time=NOON)
    assert ids(store.find("anna")) == ["m1"]


@pytest.mark.parametrize("seed", [5, 8, 9])
def test_no_byte_of_a_text_stays_in_the_files(sqlite_location, seed):
    """
    Texts of all lengths are stored and erased in any order among others.

    With these seeds, copies of a few stay in gaps of pages until the pages are rebuilt.
    """
    chance = random.Random(seed)
    alive = []
    with MemoryStore(sqlite_location) as store:
        for number in range(400):
            store.add(marked(number, chance), time=NOON)
            alive.append(number)
            if chance.random() < 0.5:
                gone = alive.pop(chance.randrange(len(alive)))
                store.erase(f"m{gone}", f"<user-{gone:03}>", time=NOON)
        assert store.purge()
        written = bytes_of(sqlite_location)
        assert store.integrity_errors() == []
    for number, mark in itertools.product(range(400), ("[{:03}]", "<user-{:03}>", "(source-{:03})", "/key-{:03}/")):
        assert (mark.format(number).encode() in written) is (number in alive)


def marked(number: int, chance: random.Random):
    """Return a memory whose parts can all be recognised."""
    return claim(
        f"m{number}",
        content=f"[{number:03}]" * chance.choice([1, 2, 5, 30, 90, 300, 1500]),
        user_id=f"<user-{number:03}>",
        source_ids=(f"(source-{number:03})" * chance.choice([1, 40]),),
        metadata={"k": f"/key-{number:03}/" * chance.choice([1, 60])},
    )


def test_a_reader_at_work_keeps_old_pages_until_it_ends(sqlite_location):
    """The result says that the log could not be emptied, and a later call does it."""
    with MemoryStore(sqlite_location, timeout_s=0.05) as store:
        store.add(claim(content=SECRET), time=NOON)
        reader = sqlite3.connect(sqlite_location)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memories").fetchall()
        store.erase("m1", "anna", time=NOON)
        assert not store.purge()
        assert SECRET.encode() in bytes_of(sqlite_location)
        reader.close()
        assert store.purge()
        assert SECRET.encode() not in bytes_of(sqlite_location)


def test_a_purge_keeps_other_rows(store, location):
    """It is no part of a transaction, and says what it can promise: PostgreSQL has a log of its own."""
    store.add(claim("a"), time=NOON)
    store.add(claim("b"), time=NOON)
    with store.transaction():
        store.erase("a", "anna", time=NOON)
        with pytest.raises(RuntimeError):
            store.purge()
    assert store.purge() is ("postgres" not in location)
    assert store.find("anna") == [claim("b")]


def test_the_database_does_not_know_a_key_of_the_callers(location):
    """With it in the tables, who reads them could try out what an erased text was."""
    key = bytes(range(32))
    with MemoryStore(location, hash_key=key) as store:
        store.add(claim(content=SECRET), time=NOON)
        store.erase("m1", "anna", time=NOON)
        left = rows_of(store)
        assert key.hex() not in left
        assert store.audit("m1")[0].content_hash in left
    with MemoryStore(location, hash_key=key) as store:
        assert len(store.audit_of_text(SECRET)) == 2


@pytest.mark.parametrize(
    ("made_with", "opened_with", "words"),
    [
        pytest.param(b"k" * 16, None, "needs its hash_key, and none was given", id="none"),
        pytest.param(None, b"k" * 16, "has no hash_key, and one was given", id="unexpected"),
        pytest.param(b"k" * 16, b"j" * 16, "has another hash_key", id="another"),
    ],
)
def test_another_key_is_refused(location, made_with, opened_with, words):
    """It would write hashes that belong to nothing."""
    MemoryStore(location, hash_key=made_with).close()
    with pytest.raises(ValueError, match=words):
        MemoryStore(location, hash_key=opened_with)


def test_a_key_has_sixteen_bytes(sqlite_location):
    """Shorter ones can be tried out."""
    with pytest.raises(ValueError, match="hash_key has 15 bytes; it needs at least 16"):
        MemoryStore(sqlite_location, hash_key=b"k" * 15)


def test_files_are_the_owners_alone(sqlite_location):
    """Database, log and index: mode 0600."""
    with MemoryStore(sqlite_location) as store:
        store.add(claim(), time=NOON)
        files = sorted(Path(sqlite_location).parent.glob("memories.db*"))
        assert {file.name: file.stat().st_mode & 0o777 for file in files} == {
            "memories.db": 0o600,
            "memories.db-shm": 0o600,
            "memories.db-wal": 0o600,
        }
