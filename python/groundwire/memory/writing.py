"""What changes memories; each change is in the audit of the same transaction."""

import json
from collections.abc import Sequence

from groundwire.errors import MemoryExistsError, MemoryNotFoundError
from groundwire.memory.audit import Deed, Subject, append
from groundwire.memory.chain import Last
from groundwire.memory.hashes import Hasher
from groundwire.memory.identity import is_key, rests_on, source_identity
from groundwire.memory.protocol import Database
from groundwire.memory.records import MemoryStatus, Revocation, StoredMemory
from groundwire.memory.rows import COLUMNS, row_of
from groundwire.memory.session import Session

__all__ = [
    "add",
    "check_is_free",
    "erase",
    "forget_actor",
    "insert",
    "name_sources",
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
SELECT id, user_id, content_hash, status FROM memories WHERE id IN (SELECT id FROM resting) ORDER BY number
"""

_CITING = """
SELECT memories.id, memories.source_ids FROM memories JOIN memory_sources ON memory_sources.memory_id = memories.id
WHERE memory_sources.source_hash IN (?, ?)
"""

_INSERT_SOURCE = "INSERT INTO memory_sources (source_hash, memory_id) VALUES (?, ?) ON CONFLICT DO NOTHING"

# What the review queue has to look at: see the sixth migration.
_INSERT_CHANGE = """
INSERT INTO review_inbox (memory_id, time, reason, source) VALUES (?, ?, ?, ?)
ON CONFLICT (memory_id) DO UPDATE SET time = excluded.time, reason = excluded.reason, source = excluded.source
"""

# How many memories are read at a time.
_BATCH = 1_000


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
    subject = Subject(memory.id, hasher.of("person", memory.user_id), hasher.of("content", memory.content))
    last = append(database, hasher, deed, [subject], last)
    database.write(_INSERT, (last[0], subject.content_hash, *row_of(memory)))
    sources = dict.fromkeys(hasher.of("source", source_id) for source_id in memory.source_ids)
    _link(database, "memory_sources (source_hash, memory_id)", [(source, memory.id) for source in sources])
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
    rows = database.execute(
        "SELECT status, content_hash FROM memories WHERE id = ? AND user_id = ?", (memory_id, user_id)
    )
    if not rows:
        raise MemoryNotFoundError("the user has no such memory")
    [(known, content_hash)] = rows
    if known == status:
        return False
    database.write("UPDATE memories SET status = ? WHERE id = ?", (str(status), memory_id))
    database.write(_INSERT_CHANGE, (memory_id, deed.time, deed.reason, None))
    append(database, hasher, deed, [Subject(memory_id, hasher.of("person", user_id), content_hash)])
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
    statement = _RESTING_ON.format(others=", ".join("?" * len(others)) or "''")
    rows = database.execute(statement, (*hashes, *others))
    subjects = _subjects(hasher, [row[:3] for row in rows if row[3] == MemoryStatus.ACTIVE])
    ids = [subject.memory_id for subject in subjects]
    database.write_many("UPDATE memories SET status = 'review' WHERE id = ?", [(memory_id,) for memory_id in ids])
    database.write_many(_INSERT_CHANGE, [(memory_id, deed.time, deed.reason, identity) for memory_id in ids])
    append(database, hasher, deed, subjects)
    already = tuple(row[0] for row in rows if row[3] == MemoryStatus.REVIEW)
    return Revocation(ids, source=identity, already_in_review=already)


def name_sources(session: Session, hasher: Hasher) -> None:
    """
    Give the sources of a database the hashes of their identities, once.

    The database may come from a version before schema 6, whose hashes were those of spellings.
    """
    setting = "SELECT 1 FROM memory_settings WHERE name = 'sources' AND value = 'as_spelled'"
    with session.reading() as database:
        if not database.execute(setting):
            return
    with session.writing() as database:
        number = 0
        statement = "SELECT number, id, source_ids FROM memories WHERE number > ? ORDER BY number LIMIT ?"
        while rows := database.execute(statement, (number, _BATCH)):
            named = [(hasher.of("source", source), row[1]) for row in rows for source in json.loads(row[2])]
            database.write_many(_INSERT_SOURCE, named)
            number = rows[-1][0]
        database.write("DELETE FROM memory_settings WHERE name = 'sources'")


def erase(database: Database, hasher: Hasher, condition: str, values: Sequence[object], deed: Deed) -> list[str]:
    """Erase the memories of which *condition* is true; return their ids. Links and audit stay, without any text."""
    rows = database.execute(f"SELECT id, user_id, content_hash FROM memories WHERE {condition} ORDER BY number", values)
    subjects = _subjects(hasher, rows)
    ids = [subject.memory_id for subject in subjects]
    for table, column in (("memories", "id"), ("review_inbox", "memory_id")):
        database.write_many(f"DELETE FROM {table} WHERE {column} = ?", [(memory_id,) for memory_id in ids])
    append(database, hasher, deed, subjects)
    return ids


def forget_actor(database: Database, hasher: Hasher, actor: str) -> None:
    """Erase the name of an actor, which stands beside the audit."""
    database.write("DELETE FROM memory_actors WHERE actor_hash = ?", (hasher.of("person", actor),))


def _link(database: Database, table: str, rows: Sequence[tuple[str, str]]) -> None:
    """Write what a memory rests on; a server is not asked for nothing."""
    if rows:
        database.write_many(f"INSERT INTO {table} VALUES (?, ?)", rows)


def _subjects(hasher: Hasher, rows: Sequence[tuple[str, str, str]]) -> list[Subject]:
    """The memories of rows of id, user and hash; a user's id is hashed once."""
    users = {user_id: hasher.of("person", user_id) for _, user_id, _ in rows}
    return [Subject(memory_id, users[user_id], content_hash) for memory_id, user_id, content_hash in rows]
