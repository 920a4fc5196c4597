"""Changes memories by SQL. Each change adds an event to the audit log in the same transaction."""

import json
from collections.abc import Sequence

from groundwire.errors import MemoryExistsError, MemoryNotFoundError
from groundwire.memory.audit_log import (
    KEYED_HASH_HEX_DIGITS,
    REVIEW_AUDIT,
    TOKEN_COLUMNS,
    AdminAction,
    AdminEvent,
    AdminKind,
    AuditEventDraft,
    AuditSubject,
    ChainEnd,
    KeyedHasher,
    append,
    append_admin_event,
    store_actor_name,
    token_digest,
)
from groundwire.memory.identity import is_key, rests_on, source_identity
from groundwire.memory.protocol import Database
from groundwire.memory.queries import (
    BOUND_COLUMNS,
    COLUMNS,
    BoundRow,
    bound_values,
    memory_digest,
    memory_to_row,
    row_links_sum,
)
from groundwire.memory.records import MemoryStatus, Revocation, StoredMemory

__all__ = [
    "INSERT_PARENT",
    "INSERT_SOURCE",
    "add",
    "check_id_unused",
    "erase",
    "erase_actor_name",
    "erase_items",
    "erase_items_of_memories",
    "erase_tokens",
    "insert",
    "links_hash",
    "revoke",
    "update_status",
]

_INSERT = f"INSERT INTO memories (number, content_hash, {COLUMNS}) VALUES (?, ?{', ?' * len(COLUMNS.split(','))})"

# The links of a memory.
INSERT_SOURCE = "INSERT INTO memory_sources (source_hash, memory_id) VALUES (?, ?)"
INSERT_PARENT = "INSERT INTO memory_parents (parent_id, memory_id) VALUES (?, ?)"

# This includes erased memories, whose links remain.
_RESTING_ON = """
WITH RECURSIVE resting (id) AS (
    SELECT memory_id FROM memory_sources WHERE source_hash IN (?, ?) AND memory_id NOT IN ({others})
    UNION
    SELECT memory_parents.memory_id FROM memory_parents JOIN resting ON memory_parents.parent_id = resting.id
)
SELECT {bound} FROM memories WHERE id IN (SELECT id FROM resting) ORDER BY number
"""

_CITING = """
SELECT memories.id, memories.source_ids FROM memories JOIN memory_sources ON memory_sources.memory_id = memories.id
WHERE memory_sources.source_hash IN (?, ?)
"""

# The changes that the review queue has to process: see the sixth migration.
_INSERT_CHANGE = """
INSERT INTO review_inbox (memory_id, time, reason, source, digest) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (memory_id) DO UPDATE
SET time = excluded.time, reason = excluded.reason, source = excluded.source, digest = excluded.digest
"""


def add(database: Database, hasher: KeyedHasher, memory: StoredMemory, event: AuditEventDraft) -> None:
    """
    Store one memory.

    Raises:
        MemoryExistsError: Another memory has or had its id.
        MemoryNotFoundError: A parent is not an active memory of the same user.
    """
    check_id_unused(database, memory.id)
    for parent in memory.parents:
        there = "SELECT 1 FROM memories WHERE id = ? AND user_id = ? AND status = 'active'"
        if not database.execute(there, (parent, memory.user_id)):
            raise MemoryNotFoundError("a parent is not an active memory of this user")
    insert(database, hasher, memory, event)


def check_id_unused(database: Database, memory_id: str) -> None:
    """
    Check that no memory has or had this id.

    Raises:
        MemoryExistsError: One has or had it.
    """
    if database.execute("SELECT 1 FROM memory_audit WHERE memory_id = ? LIMIT 1", (memory_id,)):
        raise MemoryExistsError("a memory has or had this id")


def insert(
    database: Database, hasher: KeyedHasher, memory: StoredMemory, event: AuditEventDraft, last: ChainEnd | None = None
) -> ChainEnd:
    """
    Store one memory whose id and parents are already checked, and return the new end of the audit.

    *last* is the end before, if the caller knows it.
    """
    row, content_hash = memory_to_row(memory), hasher.of("content", memory.content)
    after_hash = memory_digest(hasher, bound_values(content_hash, row))
    subject = AuditSubject(memory.id, hasher.of("person", memory.user_id), content_hash, after_hash=after_hash)
    last = append(database, hasher, event, [subject], last)
    database.write(_INSERT, (last[0], content_hash, *row))
    if memory.source_ids:
        sources = dict.fromkeys([hasher.of("source", source_id) for source_id in memory.source_ids])
        database.write_many(INSERT_SOURCE, [(source, memory.id) for source in sources])
    if memory.parents:
        database.write_many(INSERT_PARENT, [(parent, memory.id) for parent in dict.fromkeys(memory.parents)])
    return last


def update_status(
    database: Database, hasher: KeyedHasher, memory_id: str, user_id: str, status: MemoryStatus, event: AuditEventDraft
) -> bool:
    """
    Give a memory another status; return whether it had another one before.

    Raises:
        MemoryNotFoundError: The user has no such memory.
    """
    found = _bound(database, "id = ? AND user_id = ?", (memory_id, user_id))
    if not found:
        raise MemoryNotFoundError("this user has no memory with this id")
    if found[0].status == status:
        return False
    _change_status(database, hasher, found, status, event)
    return True


def revoke(database: Database, hasher: KeyedHasher, source: str, event: AuditEventDraft) -> Revocation:
    """
    Send every active memory that rests on *source* to review, derived ones too.

    Commits whose ids begin alike share a hash, so memories that cite another commit are left out. The commit that an
    erased memory cited is unknown, so memories derived from it go to review.
    """
    identity = source_identity(source)
    # Memories that were erased before schema 6 left the hash of a spelling.
    hashes = (hasher.of("source", source), hasher.of_spelling(source))
    citing = [] if is_key(source) else database.execute(_CITING, hashes)
    others = [memory_id for memory_id, cited in citing if not rests_on(json.loads(cited), source)]
    statement = _RESTING_ON.format(others=", ".join("?" * len(others)) or "''", bound=BOUND_COLUMNS)
    found = [BoundRow._make(row) for row in database.execute(statement, (*hashes, *others))]
    active = [memory for memory in found if memory.status == MemoryStatus.ACTIVE]
    _change_status(database, hasher, active, MemoryStatus.REVIEW, event, identity)
    already = tuple(memory.id for memory in found if memory.status == MemoryStatus.REVIEW)
    return Revocation([memory.id for memory in active], source=identity, already_in_review=already)


def erase(
    database: Database, hasher: KeyedHasher, condition: str, values: Sequence[object], event: AuditEventDraft
) -> list[str]:
    """Erase the memories that fit *condition*; return their ids. Links and audit stay, without any text."""
    found = _bound(database, condition, values)
    subjects = _subjects(hasher, [(memory, links_hash(row_links_sum(hasher, memory))) for memory in found])
    ids = [memory.id for memory in found]
    for table, column in (("memories", "id"), ("review_inbox", "memory_id")):
        database.write_many(f"DELETE FROM {table} WHERE {column} = ?", [(memory_id,) for memory_id in ids])
    append(database, hasher, event, subjects)
    return ids


def links_hash(links: int | None) -> str | None:
    """Return the sum of a memory's links in the form of the audit."""
    return None if links is None else f"{links:0{KEYED_HASH_HEX_DIGITS}x}"


def _change_status(
    database: Database,
    hasher: KeyedHasher,
    memories: Sequence[BoundRow],
    status: MemoryStatus,
    event: AuditEventDraft,
    source: str | None = None,
) -> None:
    """Give memories another status, and note the change for the review queue. *source* is the revoked one."""
    changed = [(memory, memory_digest(hasher, memory._replace(status=str(status)))) for memory in memories]
    changes = [(memory.id, event.time, event.reason, source) for memory in memories]
    database.write_many("UPDATE memories SET status = ? WHERE id = ?", [(str(status), one.id) for one in memories])
    database.write_many(_INSERT_CHANGE, [(*change, hasher.digest("change", change)) for change in changes])
    append(database, hasher, event, _subjects(hasher, changed))


def _bound(database: Database, condition: str, values: Sequence[object]) -> list[BoundRow]:
    """Return the rows that fit *condition*, in the order of storing."""
    statement = f"SELECT {BOUND_COLUMNS} FROM memories WHERE {condition} ORDER BY number"
    return [BoundRow._make(row) for row in database.execute(statement, values)]


def _subjects(hasher: KeyedHasher, memories: Sequence[tuple[BoundRow, str | None]]) -> list[AuditSubject]:
    """Return the subjects of events; each memory comes with its hash after the event. A user's id is hashed once."""
    users = {memory.user_id: hasher.of("person", memory.user_id) for memory, _ in memories}
    return [
        AuditSubject(memory.id, users[memory.user_id], memory.content_hash, memory_digest(hasher, memory), after_hash)
        for memory, after_hash in memories
    ]


_TOKENS_OF = f"SELECT {', '.join(TOKEN_COLUMNS)} FROM review_tokens WHERE person = ? ORDER BY token_id"

_FORGET_GROUP = """
DELETE FROM review_groups WHERE group_id = ? AND NOT EXISTS (
    SELECT 1 FROM review_items
    WHERE listed IN ('pending', 'stored', 'rejected', 'expired') AND review_items.group_id = review_groups.group_id
)
"""


def erase_items(
    database: Database, hasher: KeyedHasher, condition: str, values: Sequence[object], event: AuditEventDraft
) -> list[str]:
    """Erase the queue's items that fit *condition*, with all their texts; return their ids. The audit stays."""
    columns = "place, queue_id, user_id, content_hash, state, digest, group_id"
    rows = database.execute(f"SELECT {columns} FROM review_items WHERE {condition} ORDER BY place", values)
    if not rows:
        return []
    actor_hash = store_actor_name(database, hasher, event.actor)
    new_events = [
        (
            event.time,
            str(event.action),
            queue_id,
            hasher.of("person", user_id),
            text,
            actor_hash,
            digest,
            None,
            event.reason,
        )
        for _, queue_id, user_id, text, _, digest, _ in rows
    ]
    database.write_many("DELETE FROM review_items WHERE place = ?", [(row[0],) for row in rows])
    # Types and sources that only one person uses can identify that person.
    database.write_many(_FORGET_GROUP, [(group_id,) for group_id in {row[6] for row in rows}])
    waiting = sum(row[4] in ("pending", "processing") for row in rows)
    database.write("UPDATE review_waiting SET items = items - ?", (waiting,))
    REVIEW_AUDIT.append(database, hasher, new_events)
    return [row[1] for row in rows]


def erase_items_of_memories(
    database: Database, hasher: KeyedHasher, memory_ids: Sequence[str], event: AuditEventDraft
) -> None:
    """Erase the items that became these memories, because they have the same text."""
    for memory_id in memory_ids:
        erase_items(database, hasher, "queue_id = ? AND memory_id = ?", (memory_id, memory_id), event)
        erase_items(database, hasher, "memory_id = ? AND memory_id <> queue_id", (memory_id,), event)


def erase_tokens(database: Database, hasher: KeyedHasher, person: str, time: int) -> None:
    """Erase the tokens of a person; they become invalid."""
    for row in database.execute(_TOKENS_OF, (person,)):
        database.write("DELETE FROM review_tokens WHERE token_id = ?", (row[0],))
        event = AdminEvent(AdminAction.ERASED, AdminKind.TOKEN, str(row[0]), token_digest(hasher, row))
        append_admin_event(database, hasher, time, event)


def erase_actor_name(database: Database, hasher: KeyedHasher, actor: str, time: int) -> None:
    """Erase the name of an actor, which is stored outside the logs."""
    actor_hash = hasher.of("person", actor)
    if not database.execute("SELECT 1 FROM memory_actors WHERE actor_hash = ?", (actor_hash,)):
        return
    database.write("DELETE FROM memory_actors WHERE actor_hash = ?", (actor_hash,))
    append_admin_event(database, hasher, time, AdminEvent(AdminAction.ERASED, AdminKind.NAME, actor_hash))
