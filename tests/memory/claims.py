"""Memories for tests: what does not matter is the same in all of them."""

from datetime import UTC, datetime, timedelta

from groundwire.memory import StoredMemory

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
