"""A memory as a row of its table, and back."""

import json
from typing import NamedTuple

from groundwire.memory.failures import StoreFailure, store_error
from groundwire.memory.hashes import Hasher
from groundwire.memory.protocol import Row
from groundwire.memory.records import MemoryRecord, MemoryStatus, StoredMemory, as_microseconds, as_time
from groundwire.memory.textless import textless

__all__ = [
    "BOUND_COLUMNS",
    "COLUMNS",
    "RECORD_COLUMNS",
    "Bound",
    "bound_of",
    "linked_of",
    "links_of",
    "memory_digest",
    "memory_of",
    "record_of",
    "row_of",
]

RECORD_COLUMNS = "id, content, memory_type"
COLUMNS = (
    f"{RECORD_COLUMNS}, user_id, source, capture_time, confidence, source_ids, validity_horizon, metadata, parents, "
    "status"
)
BOUND_COLUMNS = (
    "content_hash, id, memory_type, user_id, source, capture_time, confidence, source_ids, validity_horizon, metadata, "
    "parents, status"
)
"""What the hash of a memory's row covers: all columns, and the text by its own hash. The number is an entry's."""


class Bound(NamedTuple):
    """The values of `BOUND_COLUMNS`, as they were read: somebody else may have written them."""

    content_hash: str
    id: str
    memory_type: str
    user_id: str
    source: str
    capture_time: int
    confidence: str
    source_ids: str
    validity_horizon: int | None
    metadata: str
    parents: str
    status: str

    def __repr__(self) -> str:
        return textless(self, self._asdict())


def bound_of(content_hash: str, row: Row) -> Row:
    """Return the values of `BOUND_COLUMNS` of those of `COLUMNS`."""
    return (content_hash, row[0], *row[2:])


def memory_digest(hasher: Hasher, bound: Row) -> str:
    """Return the hash of a memory's row."""
    return hasher.digest("memory", bound)


def links_of(hasher: Hasher, bound: Bound) -> int | None:
    """Return the sum of the hashes of what a memory rests on; None if its row does not say it."""
    linked = linked_of(hasher, bound)
    return None if linked is None else hasher.links(bound.id, *linked)


def linked_of(hasher: Hasher, bound: Bound) -> tuple[list[str], list[str]] | None:
    """Return the hashes of a memory's sources and the ids of its parents, each once; None if its row is damaged."""
    try:
        sources, parents = json.loads(bound.source_ids), json.loads(bound.parents)
        return list(dict.fromkeys(hasher.of("source", source) for source in sources)), list(dict.fromkeys(parents))
    except (TypeError, ValueError, AttributeError, RecursionError):
        return None


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
        json.dumps(memory.source_ids) if memory.source_ids else "[]",
        None if horizon is None else as_microseconds(horizon, "validity_horizon"),
        json.dumps(dict(memory.metadata)) if memory.metadata else "{}",
        json.dumps(memory.parents) if memory.parents else "[]",
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
