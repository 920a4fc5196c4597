"""A memory as a row of its table, and back."""

import json

from groundwire.memory.failures import StoreFailure, store_error
from groundwire.memory.protocol import Row
from groundwire.memory.records import MemoryRecord, MemoryStatus, StoredMemory, as_microseconds, as_time

__all__ = ["COLUMNS", "RECORD_COLUMNS", "memory_of", "record_of", "row_of"]

RECORD_COLUMNS = "id, content, memory_type"
COLUMNS = (
    f"{RECORD_COLUMNS}, user_id, source, capture_time, confidence, source_ids, validity_horizon, metadata, parents, "
    "status"
)


def row_of(memory: StoredMemory) -> Row:
    """Return the values of `COLUMNS`. Texts are plain str: drivers know no subclasses."""
    horizon = memory.validity_horizon
    return (
        memory.id,
        str(memory.content),
        str(memory.memory_type),
        str(memory.user_id),
        str(memory.source),
        as_microseconds(memory.capture_time, "capture_time"),
        str(memory.confidence),
        json.dumps(memory.source_ids),
        None if horizon is None else as_microseconds(horizon, "validity_horizon"),
        json.dumps(dict(memory.metadata)),
        json.dumps(memory.parents),
        str(memory.status),
    )


def record_of(row: Row) -> MemoryRecord:
    """Return the record with the values of `RECORD_COLUMNS`."""
    return MemoryRecord(id=row[0], content=row[1], memory_type=row[2])


def memory_of(row: Row, place: str) -> StoredMemory:
    """
    Return the memory with the values of `COLUMNS`.

    Raises:
        MemoryStoreError: They are not what `row_of` writes.
    """
    try:
        return _memory_of(row)
    except (TypeError, ValueError, OverflowError, RecursionError):
        pass
    # Outside the handler: the other exception may carry values.
    raise store_error(StoreFailure.CORRUPT, place, "a memory's row")


def _memory_of(row: Row) -> StoredMemory:
    (
        memory_id,
        content,
        memory_type,
        user_id,
        source,
        capture_time,
        confidence,
        source_ids,
        horizon,
        metadata,
        parents,
        status,
    ) = row
    return StoredMemory(
        id=memory_id,
        content=content,
        memory_type=memory_type,
        user_id=user_id,
        source=source,
        capture_time=as_time(capture_time),
        confidence=confidence,
        source_ids=tuple(json.loads(source_ids)),
        validity_horizon=None if horizon is None else as_time(horizon),
        metadata=json.loads(metadata),
        parents=tuple(json.loads(parents)),
        status=MemoryStatus(status),
    )
