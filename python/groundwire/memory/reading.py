"""What can be asked about memories."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from groundwire.memory.audit import last_sequence
from groundwire.memory.protocol import Database
from groundwire.memory.records import Change, MemoryRecord, MemoryStatus, StoredMemory, as_microseconds
from groundwire.memory.rows import COLUMNS, RECORD_COLUMNS, memory_of, record_of

__all__ = ["Filters", "candidates", "changes", "find", "records_after"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which memories are wanted: those of which everything is true that is not None."""

    user_id: str | None = None
    memory_id: str | None = None
    memory_type: str | None = None
    source: str | None = None
    confidence: str | None = None
    status: MemoryStatus | None = None
    content_hash: str | None = None
    source_hash: str | None = None
    valid_at: datetime | None = None
    after: str | None = None

    def conditions(self) -> Iterator[tuple[str, object]]:
        """Yield SQL with one mark each, and the value for it. Only what is written here becomes SQL."""
        # A source has few memories and a user many. Nothing tells SQLite so; an expression it has no index for does.
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
            # At the horizon itself it is out of date.
            yield "(validity_horizon IS NULL OR validity_horizon > ?)", time
        if self.after is not None:
            # By the audit, which knows erased ones as well.
            yield "number > (SELECT min(sequence) FROM memory_audit WHERE memory_id = ?)", self.after


def find(database: Database, filters: Filters, limit: int | None = None) -> list[StoredMemory]:
    """Return the memories of *filters* in the order of storing, at most *limit*."""
    conditions = list(filters.conditions())
    where = " AND ".join(["1 = 1", *(condition for condition, _ in conditions)])
    values = [value for _, value in conditions]
    statement = f"SELECT {COLUMNS} FROM memories WHERE {where} ORDER BY number"
    if limit is not None:
        statement += " LIMIT ?"
        values.append(limit)
    return [memory_of(row, database.place) for row in database.execute(statement, values)]


def candidates(database: Database, user_id: str, memory_type: str | None) -> list[MemoryRecord]:
    """Return the memories of one user, those in review too (ruling C16)."""
    statement, values = f"SELECT {RECORD_COLUMNS} FROM memories WHERE user_id = ?", [user_id]
    if memory_type is not None:
        statement += " AND memory_type = ?"
        values.append(memory_type)
    return [record_of(row) for row in database.execute(f"{statement} ORDER BY number", values)]


def records_after(database: Database, number: int, limit: int) -> list[tuple[int, str, MemoryRecord]]:
    """Return number, user and record of the memories after *number*, at most *limit*."""
    statement = f"SELECT number, user_id, {RECORD_COLUMNS} FROM memories WHERE number > ? ORDER BY number LIMIT ?"
    return [(row[0], row[1], record_of(row[2:])) for row in database.execute(statement, (number, limit))]


def changes(database: Database, sequence: int, limit: int) -> list[Change]:
    """Return the entries of the audit after *sequence* with what is left of their memories, at most *limit*."""
    # What is asked most often, and a join that PostgreSQL may plan badly: has anything been done at all?
    if last_sequence(database) <= sequence:
        return []
    rows = database.execute(
        """
        SELECT memory_audit.sequence, memory_audit.memory_id, memories.user_id,
               memories.id, memories.content, memories.memory_type
        FROM memory_audit LEFT JOIN memories ON memories.id = memory_audit.memory_id
        WHERE memory_audit.sequence > ? ORDER BY memory_audit.sequence LIMIT ?
        """,
        (sequence, limit),
    )
    return [
        Change(sequence=row[0], memory_id=row[1], user_id=row[2], record=None if row[3] is None else record_of(row[3:]))
        for row in rows
    ]
