"""The audit: one entry for each thing done to a memory, never changed, each bound to the one before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from groundwire.memory.chain import MEMORY_AUDIT, Last
from groundwire.memory.failures import StoreFailure, store_error
from groundwire.memory.hashes import Hasher
from groundwire.memory.protocol import Database, Row
from groundwire.memory.records import AuditAction, AuditEntry, as_time, check_types

__all__ = ["Deed", "Subject", "append", "entries", "keep_actor", "last_sequence"]

_SELECT = f"""
SELECT {", ".join(f"memory_audit.{name}" for name in ("sequence", *MEMORY_AUDIT.fields[:-2]))}, actor
FROM memory_audit LEFT JOIN memory_actors ON memory_actors.actor_hash = memory_audit.actor_hash
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """
    What is done to one or more memories at the same time, for the same reason.

    Attributes:
        time: In microseconds since 1970.
        action: What is done.
        actor: Who does it.
        reason: Why: a label.
        source_hash: Of the source that it is about.
        actor_hash: Of the actor, if the name is kept already.
    """

    time: int
    action: AuditAction
    actor: str | None = None
    reason: str | None = None
    source_hash: str | None = None
    actor_hash: str | None = None


class Subject(NamedTuple):
    """
    The memory that something is done to.

    Attributes:
        before_hash: The hash of its row before; None if there was none.
        after_hash: The hash of its row after. Of an erased memory, that of the links it leaves.
    """

    memory_id: str
    user_hash: str
    content_hash: str
    before_hash: str | None = None
    after_hash: str | None = None


def append(
    database: Database, hasher: Hasher, deed: Deed, subjects: Sequence[Subject], last: Last | None = None
) -> Last:
    """
    Write one entry for each of *subjects*, and return what is last then; *last* is what is last before, if known.

    There is one writer at a time, so numbers have no gap.
    """
    if not subjects:
        return MEMORY_AUDIT.last(database) if last is None else last
    actor_hash = deed.actor_hash or keep_actor(database, hasher, deed.actor)
    return MEMORY_AUDIT.append(
        database,
        hasher,
        [
            (
                deed.time,
                str(deed.action),
                subject.memory_id,
                subject.user_hash,
                subject.content_hash,
                actor_hash,
                deed.reason,
                deed.source_hash,
                subject.before_hash,
                subject.after_hash,
            )
            for subject in subjects
        ],
        last,
    )


def entries(database: Database, *, memory_id: str | None = None, content_hash: str | None = None) -> list[AuditEntry]:
    """Return the entries of one memory, or of one text, first to last."""
    column, value = ("memory_id", memory_id) if memory_id is not None else ("content_hash", content_hash)
    rows = database.execute(f"{_SELECT} WHERE {column} = ? ORDER BY sequence", (value,))
    try:
        return [_entry(row) for row in rows]
    except (TypeError, ValueError, OverflowError):
        pass
    raise store_error(StoreFailure.CORRUPT, database.place, "an entry of the audit")


def last_sequence(database: Database) -> int:
    """Return the number of the last entry; 0 if there is none."""
    return MEMORY_AUDIT.last(database)[0]


def keep_actor(database: Database, hasher: Hasher, actor: str | None) -> str | None:
    """Write the actor's name beside the audit, and return its hash."""
    if actor is None:
        return None
    actor_hash = hasher.of("person", actor)
    statement = "INSERT INTO memory_actors (actor_hash, actor) VALUES (?, ?) ON CONFLICT DO NOTHING"
    database.write(statement, (actor_hash, actor))
    return actor_hash


def _entry(row: Row) -> AuditEntry:
    check_types(row)
    sequence, time, action, memory_id, user_hash, content_hash, _, reason, source_hash, actor = row
    return AuditEntry(
        sequence=sequence,
        time=as_time(time),
        action=AuditAction(action),
        memory_id=memory_id,
        user_hash=user_hash,
        content_hash=content_hash,
        actor=actor,
        reason=reason,
        source_hash=source_hash,
    )
