"""SQL that reads memories, and the conversion of rows to records."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from groundwire.memory.audit_log import KeyedHasher, last_sequence
from groundwire.memory.identity import is_key, rests_on
from groundwire.memory.protocol import Database, Row, StoreFailure, check_increasing, store_error
from groundwire.memory.records import (
    MemoryChange,
    MemoryRecord,
    MemoryStatus,
    StoredMemory,
    Textless,
    as_microseconds,
    as_time,
    textless,
)
from groundwire.memory.schema import check_version

__all__ = [
    "BOUND_COLUMNS",
    "COLUMNS",
    "BoundRow",
    "MemoryFilter",
    "bound_values",
    "candidates",
    "changes",
    "find",
    "memory_digest",
    "memory_to_row",
    "numbered",
    "records_after",
    "row_links",
    "row_links_sum",
]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MemoryFilter(Textless):
    """
    The conditions of a search; None leaves a condition out.

    Attributes:
        source_hash: Hash of a source that memories cite.
        cited_source: The same source, because commits whose ids begin alike share a hash.
        after: The id of a memory of the user, even of an erased one.
        user_hash: Hash of the user, by which an erased memory is known.
    """

    user_id: str | None = None
    memory_id: str | None = None
    memory_type: str | None = None
    source: str | None = None
    confidence: str | None = None
    status: MemoryStatus | None = None
    content_hash: str | None = None
    source_hash: str | None = None
    cited_source: str | None = None
    valid_at: datetime | None = None
    after: str | None = None
    user_hash: str | None = None

    def conditions(self) -> Iterator[tuple[str, object]]:
        """Yield each condition as SQL with one placeholder, and its value. No value becomes part of the SQL."""
        # A source has few memories and a user many. SQLite does not know that; an expression without an index keeps
        # it from using the index of users.
        user = "user_id" if self.source_hash is None else "user_id || ''"
        equal = {
            "id": self.memory_id,
            user: self.user_id,
            "memory_type": self.memory_type,
            "source": self.source,
            "confidence": self.confidence,
            "status": self.status,
            "content_hash": self.content_hash,
        }
        for column, value in equal.items():
            if value is not None:
                yield f"{column} = ?", str(value)
        if self.source_hash is not None:
            yield "id IN (SELECT memory_id FROM memory_sources WHERE source_hash = ?)", self.source_hash
        if self.valid_at is not None:
            time = as_microseconds(self.valid_at, "valid_at")
            # At the horizon itself, a memory is out of date.
            yield "(validity_horizon IS NULL OR validity_horizon > ?)", time


def find(database: Database, filters: MemoryFilter, limit: int | None = None) -> list[StoredMemory]:
    """Return the memories that fit *filters*, in the order of storing, at most *limit*."""
    conditions, start = list(filters.conditions()), 0
    if filters.after is not None:
        number = _number_of(database, filters.after, filters.user_id, filters.user_hash)
        if number is None:
            return []
        conditions.append(("number > ?", number))
        start = number
    where = " AND ".join(["1 = 1", *(condition for condition, _ in conditions)])
    values = [value for _, value in conditions]
    statement = f"SELECT {COLUMNS}, number FROM memories WHERE {where} ORDER BY number"
    cited = None if filters.cited_source is None or is_key(filters.cited_source) else filters.cited_source
    if limit is not None and cited is None:
        statement += " LIMIT ?"
        values.append(limit)
    rows = database.execute(statement, values)
    check_increasing((row[-1] for row in rows), start, database.place)
    found = [row_to_memory(row[:-1], database.place) for row in rows]
    # A source has few memories, so a loop finds them.
    return found if cited is None else [memory for memory in found if rests_on(memory.source_ids, cited)][:limit]


def _number_of(database: Database, memory_id: str, user_id: str | None, user_hash: str | None) -> int | None:
    """Return the number of a memory, from the audit if it was erased; None for an unknown id or another user's."""
    found = database.execute("SELECT number, user_id FROM memories WHERE id = ?", (memory_id,))
    if not found:
        audited = "SELECT sequence, user_hash FROM memory_audit WHERE memory_id = ? ORDER BY sequence LIMIT 1"
        found, user_id = database.execute(audited, (memory_id,)), user_hash
    return next((number for number, owner in found if user_id is None or owner == user_id), None)


def candidates(database: Database, user_id: str, memory_type: str | None) -> list[MemoryRecord]:
    """Return the memories of one user, those in review too (ruling C16)."""
    statement, values = f"SELECT {RECORD_COLUMNS} FROM memories WHERE user_id = ?", [user_id]
    if memory_type is not None:
        statement += " AND memory_type = ?"
        values.append(memory_type)
    return [row_to_record(row) for row in database.execute(f"{statement} ORDER BY number", values)]


def records_after(database: Database, number: int, limit: int) -> list[tuple[int, str, MemoryRecord]]:
    """Return number, user and record of the memories after *number*, at most *limit*."""
    statement = f"SELECT number, user_id, {RECORD_COLUMNS} FROM memories WHERE number > ? ORDER BY number LIMIT ?"
    rows = database.execute(statement, (number, limit))
    check_increasing((row[0] for row in rows), number, database.place)
    return [(row[0], row[1], row_to_record(row[2:])) for row in rows]


def numbered(database: Database, numbers: Sequence[int], user_id: str) -> list[MemoryRecord]:
    """Return the user's memories with these *numbers*, in their order, without erased ones."""
    marks = ", ".join("?" * len(numbers))
    statement = f"SELECT number, {RECORD_COLUMNS} FROM memories WHERE number IN ({marks}) AND user_id = ?"
    records = {row[0]: row_to_record(row[1:]) for row in database.execute(statement, (*numbers, user_id))}
    return [records[number] for number in numbers if number in records]


def changes(database: Database, sequence: int, limit: int) -> list[MemoryChange]:
    """
    Return the events after *sequence*, at most *limit*, with the present content of their memories.

    Raises:
        MemoryStoreError: The audit ends before *sequence*, or the tables are newer than this program.
    """
    check_version(database)
    # Usually nothing has changed; and PostgreSQL may plan the join below badly.
    last = last_sequence(database)
    if last < sequence:
        detail = f"the audit ends with entry {last}, and entry {sequence} was there"
        raise store_error(StoreFailure.CORRUPT, database.place, detail)
    if last == sequence:
        return []
    rows = database.execute(
        """
        SELECT memory_audit.sequence,
               (SELECT min(stored.sequence) FROM memory_audit AS stored
                WHERE stored.memory_id = memory_audit.memory_id),
               memory_audit.memory_id, memories.user_id, memories.id, memories.content, memories.memory_type
        FROM memory_audit LEFT JOIN memories ON memories.id = memory_audit.memory_id
        WHERE memory_audit.sequence > ? ORDER BY memory_audit.sequence LIMIT ?
        """,
        (sequence, limit),
    )
    check_increasing((row[0] for row in rows), sequence, database.place)
    return [
        MemoryChange(
            sequence=row[0],
            number=row[1],
            memory_id=row[2],
            user_id=row[3],
            record=None if row[4] is None else row_to_record(row[4:]),
        )
        for row in rows
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
"""All columns, which the hash of a memory's row covers: the text by its own hash. The number is that of an event."""


class BoundRow(NamedTuple):
    """The values of `BOUND_COLUMNS` as they were read. Another program may have written them."""

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


def bound_values(content_hash: str, row: Row) -> Row:
    """Convert the values of `COLUMNS` to those of `BOUND_COLUMNS`."""
    return (content_hash, row[0], *row[2:])


def memory_digest(hasher: KeyedHasher, bound: Row) -> str:
    """Return the hash of a memory's row."""
    return hasher.digest("memory", bound)


def row_links_sum(hasher: KeyedHasher, bound: BoundRow) -> int | None:
    """Return the sum of the hashes of a memory's links; None if its row is damaged."""
    linked = row_links(hasher, bound)
    return None if linked is None else hasher.links(bound.id, *linked)


def row_links(hasher: KeyedHasher, bound: BoundRow) -> tuple[list[str], list[str]] | None:
    """Return the hashes of a memory's sources and the ids of its parents, each once; None if its row is damaged."""
    try:
        sources, parents = json.loads(bound.source_ids), json.loads(bound.parents)
        return list(dict.fromkeys(hasher.of("source", source) for source in sources)), list(dict.fromkeys(parents))
    except (TypeError, ValueError, AttributeError, RecursionError):
        return None


def memory_to_row(memory: StoredMemory) -> Row:
    """Return the values of `COLUMNS`. Texts are plain str, because drivers do not accept subclasses."""
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


def row_to_record(row: Row) -> MemoryRecord:
    """Return the record with the values of `RECORD_COLUMNS`."""
    return MemoryRecord(id=row[0], content=row[1], memory_type=row[2])


def row_to_memory(row: Row, place: str) -> StoredMemory:
    """
    Return the memory with the values of `COLUMNS`.

    Raises:
        MemoryStoreError: `memory_to_row` cannot have written them.
    """
    try:
        return _row_to_memory(row)
    except (TypeError, ValueError, OverflowError, RecursionError):
        pass
    # Raised outside the handler: the other exception may contain values.
    raise store_error(StoreFailure.CORRUPT, place, "a memory's row")


def _row_to_memory(row: Row) -> StoredMemory:
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
