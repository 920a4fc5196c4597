"""Builders of memories and of databases of earlier schemas, hostile texts, and checks that tests share."""

import pickle
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from groundwire.errors import MemoryStoreError
from groundwire.memory import MemoryStore, StoredMemory
from groundwire.memory.connection import TransactionSession, connect, migrate
from groundwire.memory.protocol import Database, StoreFailure
from groundwire.memory.schema import migrations

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
# In UTC, their years are 0 and 10000. One such time in a database would make each list that contains it fail.
EARLIEST = datetime.min.replace(tzinfo=timezone(timedelta(hours=5)))
LATEST = datetime.max.replace(tzinfo=timezone(timedelta(hours=-5)))
PRIVATE_TEXT = "Anna takes fifty milligrams"

HOSTILE = [
    "'; DROP TABLE memories; --",
    "x' OR '1'='1",
    'x" OR "1"="1',
    "m1' UNION SELECT value, value, value FROM memory_settings --",
    "%' OR 1=1 --",
    "?",
    "%s",
    "%(id)s",
    "$1",
    ":id",
    "\\'; DELETE FROM memories; --",
    "$$; DELETE FROM memories; $$",
    "/**/OR/**/1=1",
    "anna'||(SELECT value FROM memory_settings)||'",
    "1); DELETE FROM memories; --",
    "ａ＇ OR 1=1",
]


def claim(memory_id: str = "m1", **fields) -> StoredMemory:
    """A memory of Anna's with the given id, and *fields* instead of the usual ones."""
    usual = {
        "content": f"The service of {memory_id} keeps its sessions in Redis",
        "memory_type": "fact",
        "user_id": "anna",
        "source": "conversation",
        "capture_time": NOON,
        "confidence": "high",
        "source_ids": ("ADR-003",),
    }
    return StoredMemory(id=memory_id, **{**usual, **fields})


def ids(memories) -> list[str]:
    """The ids of memories, in their order."""
    return [memory.id for memory in memories]


def database_of(store: MemoryStore) -> Database:
    """Return the database of a store."""
    with store.snapshot() as database:
        return database


def open_at_schema(location: str, version: int) -> TransactionSession:
    """Open a new database with the tables of an earlier schema."""
    session = TransactionSession(connect(location, timeout_s=5))
    migrate(session, {number: migrations()[number] for number in range(1, version + 1)})
    return session


def bytes_of(location: str) -> bytes:
    """Everything in the files of a SQLite database."""
    files = sorted(Path(location).parent.glob(f"{Path(location).name}*"))
    return b"".join(file.read_bytes() for file in files)


@contextmanager
def assert_fails(failure: StoreFailure, words: str = "the database") -> Iterator[None]:
    """The block fails so, in words that hold no text, neither themselves nor in what caused them."""
    with pytest.raises(MemoryStoreError, match=re.escape(words)) as caught:
        yield
    error = caught.value
    assert error.failure is failure
    assert PRIVATE_TEXT not in str(error)
    assert error.__cause__ is None
    assert error.__context__ is None
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
