"""What can be asked about memories."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from groundwire.memory.audit import last_sequence
from groundwire.memory.failures import StoreFailure, check_increasing, store_error
from groundwire.memory.identity import is_key, rests_on
from groundwire.memory.protocol import Database
from groundwire.memory.records import Change, MemoryRecord, MemoryStatus, StoredMemory, as_microseconds
from groundwire.memory.rows import COLUMNS, RECORD_COLUMNS, memory_of, record_of
from groundwire.memory.schema import check_version
from groundwire.memory.textless import Textless

__all__ = ["Filters", "candidates", "changes", "find", "numbered", "records_after"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Filters(Textless):
    """
    Which memories are wanted: those of which everything is true that is not None.

    Attributes:
        source_hash: The hash of a source that they cite.
        cited_source: The same source: a hash is common to commits whose ids begin alike.
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


def find(database: Database, filters: Filters, limit: int | None = None) -> list[StoredMemory]:
    """Return the memories of *filters* in the order of storing, at most *limit*."""
    conditions, start = list(filters.conditions()), 0
    if filters.after is not None:
        number = _number_of(database, filters.after)
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
    found = [memory_of(row[:-1], database.place) for row in rows]
    # A source has few memories, so these are looked through here.
    return found if cited is None else [memory for memory in found if rests_on(memory.source_ids, cited)][:limit]


def _number_of(database: Database, memory_id: str) -> int | None:
    """The number of a memory, by the audit if it was erased; None if there never was one of this id."""
    statements = (
        "SELECT number FROM memories WHERE id = ?",
        "SELECT min(sequence) FROM memory_audit WHERE memory_id = ?",
    )
    numbers = (row[0] for statement in statements for row in database.execute(statement, (memory_id,)))
    return next((number for number in numbers if number is not None), None)


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
    rows = database.execute(statement, (number, limit))
    check_increasing((row[0] for row in rows), number, database.place)
    return [(row[0], row[1], record_of(row[2:])) for row in rows]


def numbered(database: Database, numbers: Sequence[int], user_id: str) -> list[MemoryRecord]:
    """Return the user's memories of *numbers*, in the order of those; without what is no longer there."""
    marks = ", ".join("?" * len(numbers))
    statement = f"SELECT number, {RECORD_COLUMNS} FROM memories WHERE number IN ({marks}) AND user_id = ?"
    records = {row[0]: record_of(row[1:]) for row in database.execute(statement, (*numbers, user_id))}
    return [records[number] for number in numbers if number in records]


def changes(database: Database, sequence: int, limit: int) -> list[Change]:
    """
    Return the entries of the audit after *sequence* with what is left of their memories, at most *limit*.

    Raises:
        MemoryStoreError: The audit ends before *sequence*, or the tables are newer than this program.
    """
    check_version(database)
    # What is asked most often, and a join that PostgreSQL may plan badly: has anything been done at all?
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
        Change(
            sequence=row[0],
            number=row[1],
            memory_id=row[2],
            user_id=row[3],
            record=None if row[4] is None else record_of(row[4:]),
        )
        for row in rows
    ]
