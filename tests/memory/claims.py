"""Builders of memories, and of databases of earlier schemas, for tests."""

from datetime import UTC, datetime, timedelta

from groundwire.memory import MemoryStore, StoredMemory
from groundwire.memory.connection import TransactionSession, connect, migrate
from groundwire.memory.protocol import Database
from groundwire.memory.schema import migrations

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


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
