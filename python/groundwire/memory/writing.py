"""What changes memories; each change is in the audit of the same transaction."""

import json
from collections.abc import Sequence

from groundwire.errors import MemoryExistsError, MemoryNotFoundError
from groundwire.memory.audit import Deed, Subject, append
from groundwire.memory.chain import Last
from groundwire.memory.hashes import HASH_HEX_DIGITS, Hasher
from groundwire.memory.identity import is_key, rests_on, source_identity
from groundwire.memory.protocol import Database
from groundwire.memory.records import MemoryStatus, Revocation, StoredMemory
from groundwire.memory.rows import BOUND_COLUMNS, COLUMNS, Bound, bound_of, links_of, memory_digest, row_of

__all__ = [
    "add",
    "check_is_free",
    "erase",
    "insert",
    "links_hash",
    "revoke",
    "set_status",
]

_INSERT = f"INSERT INTO memories (number, content_hash, {COLUMNS}) VALUES (?, ?{', ?' * len(COLUMNS.split(','))})"

# Through memories that are no longer there as well: their links outlive them.
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

# What the review queue has to look at: see the sixth migration.
_INSERT_CHANGE = """
INSERT INTO review_inbox (memory_id, time, reason, source, digest) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (memory_id) DO UPDATE
SET time = excluded.time, reason = excluded.reason, source = excluded.source, digest = excluded.digest
"""


def add(database: Database, hasher: Hasher, memory: StoredMemory, deed: Deed) -> None:
    """
    Store one memory.

    Raises:
        MemoryExistsError: Its id is or was another one's.
        MemoryNotFoundError: A parent is not an active memory of the same user.
    """
    check_is_free(database, memory.id)
    for parent in memory.parents:
        there = "SELECT 1 FROM memories WHERE id = ? AND user_id = ? AND status = 'active'"
        if not database.execute(there, (parent, memory.user_id)):
            raise MemoryNotFoundError("a parent is not an active memory of this user")
    insert(database, hasher, memory, deed)


def check_is_free(database: Database, memory_id: str) -> None:
    """
    Check that an id is nobody's.

    Raises:
        MemoryExistsError: It is or was another one's.
    """
    if database.execute("SELECT 1 FROM memory_audit WHERE memory_id = ? LIMIT 1", (memory_id,)):
        raise MemoryExistsError("there is or was a memory with this id")


def insert(database: Database, hasher: Hasher, memory: StoredMemory, deed: Deed, last: Last | None = None) -> Last:
    """
    Store one memory of which it is known that nothing is against it, and return what is last in the audit then.

    *last* is what is last before, if that is known as well.
    """
    row, content_hash = row_of(memory), hasher.of("content", memory.content)
    after_hash = memory_digest(hasher, bound_of(content_hash, row))
    subject = Subject(memory.id, hasher.of("person", memory.user_id), content_hash, after_hash=after_hash)
    last = append(database, hasher, deed, [subject], last)
    database.write(_INSERT, (last[0], content_hash, *row))
    if memory.source_ids:
        sources = dict.fromkeys([hasher.of("source", source_id) for source_id in memory.source_ids])
        _link(database, "memory_sources (source_hash, memory_id)", [(source, memory.id) for source in sources])
    if memory.parents:
        parents = dict.fromkeys(memory.parents)
        _link(database, "memory_parents (parent_id, memory_id)", [(parent, memory.id) for parent in parents])
    return last


def set_status(
    database: Database, hasher: Hasher, memory_id: str, user_id: str, status: MemoryStatus, deed: Deed
) -> bool:
    """
    Give a memory another status; return whether it had not got it already.

    Raises:
        MemoryNotFoundError: The user has no such memory.
    """
    found = _bound(database, "id = ? AND user_id = ?", (memory_id, user_id))
    if not found:
        raise MemoryNotFoundError("the user has no such memory")
    if found[0].status == status:
        return False
    _change_status(database, hasher, found, status, deed)
    return True


def revoke(database: Database, hasher: Hasher, source: str, deed: Deed) -> Revocation:
    """
    Send every active memory that rests on *source* to review, derived ones too.

    A hash is common to commits whose ids begin alike, so memories that cite another commit are
    left out. Of an erased memory nobody knows any more which one it cited: what was derived
    from it goes to review.
    """
    identity = source_identity(source)
    # Links of memories that were erased before schema 6 have the hash of a spelling.
    hashes = (hasher.of("source", source), hasher.of_spelling(source))
    citing = [] if is_key(source) else database.execute(_CITING, hashes)
    others = [memory_id for memory_id, cited in citing if not rests_on(json.loads(cited), source)]
    statement = _RESTING_ON.format(others=", ".join("?" * len(others)) or "''", bound=BOUND_COLUMNS)
    found = [Bound._make(row) for row in database.execute(statement, (*hashes, *others))]
    active = [memory for memory in found if memory.status == MemoryStatus.ACTIVE]
    _change_status(database, hasher, active, MemoryStatus.REVIEW, deed, identity)
    already = tuple(memory.id for memory in found if memory.status == MemoryStatus.REVIEW)
    return Revocation([memory.id for memory in active], source=identity, already_in_review=already)


def erase(database: Database, hasher: Hasher, condition: str, values: Sequence[object], deed: Deed) -> list[str]:
    """Erase the memories of which *condition* is true; return their ids. Links and audit stay, without any text."""
    found = _bound(database, condition, values)
    subjects = _subjects(hasher, [(memory, links_hash(links_of(hasher, memory))) for memory in found])
    ids = [memory.id for memory in found]
    for table, column in (("memories", "id"), ("review_inbox", "memory_id")):
        database.write_many(f"DELETE FROM {table} WHERE {column} = ?", [(memory_id,) for memory_id in ids])
    append(database, hasher, deed, subjects)
    return ids


def links_hash(links: int | None) -> str | None:
    """Return the sum of a memory's links as an entry has it."""
    return None if links is None else f"{links:0{HASH_HEX_DIGITS}x}"


def _change_status(
    database: Database,
    hasher: Hasher,
    memories: Sequence[Bound],
    status: MemoryStatus,
    deed: Deed,
    source: str | None = None,
) -> None:
    """Give memories another status, and tell the review queue; *source* is the one that was revoked."""
    changed = [(memory, memory_digest(hasher, memory._replace(status=str(status)))) for memory in memories]
    told = [(memory.id, deed.time, deed.reason, source) for memory in memories]
    database.write_many("UPDATE memories SET status = ? WHERE id = ?", [(str(status), one.id) for one in memories])
    database.write_many(_INSERT_CHANGE, [(*change, hasher.digest("change", change)) for change in told])
    append(database, hasher, deed, _subjects(hasher, changed))


def _bound(database: Database, condition: str, values: Sequence[object]) -> list[Bound]:
    """The memories of which *condition* is true, in the order of storing."""
    statement = f"SELECT {BOUND_COLUMNS} FROM memories WHERE {condition} ORDER BY number"
    return [Bound._make(row) for row in database.execute(statement, values)]


def _link(database: Database, table: str, rows: Sequence[tuple[str, str]]) -> None:
    """Write what a memory rests on."""
    statement = f"INSERT INTO {table} VALUES (?, ?)"
    if len(rows) == 1:
        # Drivers take longer to begin with many.
        database.write(statement, rows[0])
    elif rows:
        database.write_many(statement, rows)


def _subjects(hasher: Hasher, memories: Sequence[tuple[Bound, str | None]]) -> list[Subject]:
    """What is said of memories, each with the hash of after; a user's id is hashed once."""
    users = {memory.user_id: hasher.of("person", memory.user_id) for memory, _ in memories}
    return [
        Subject(memory.id, users[memory.user_id], memory.content_hash, memory_digest(hasher, memory), after_hash)
        for memory, after_hash in memories
    ]
