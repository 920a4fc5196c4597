"""
Binding the rows of a database from before schema 7 to its audits, once, when it is opened with its key.

The rows are taken as they are found: what was changed in them earlier, and fitted what
earlier versions checked, is not noticed later. A new database is sealed in the same way.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from groundwire.memory.admin import TOKEN_COLUMNS, AdminAction, AdminKind, Change, record, token_digest
from groundwire.memory.audit import Deed, Subject, append
from groundwire.memory.failures import StoreFailure, store_error
from groundwire.memory.hashes import GIVEN_KEY, LINKS_MODULUS, OWN_KEY, Hasher
from groundwire.memory.protocol import Database, Row
from groundwire.memory.records import AuditAction, as_microseconds
from groundwire.memory.rows import BOUND_COLUMNS, Bound, linked_of, memory_digest
from groundwire.memory.session import Session
from groundwire.memory.writing import links_hash

__all__ = ["seal"]

# How many rows are in memory at a time.
_BATCH = 1_000

_INSERT_SOURCE = "INSERT INTO memory_sources (source_hash, memory_id) VALUES (?, ?)"
_INSERT_PARENT = "INSERT INTO memory_parents (parent_id, memory_id) VALUES (?, ?)"

# The last entry of each memory that is no longer there.
_GONE = """
SELECT memory_id, user_hash, content_hash FROM memory_audit AS one
WHERE NOT EXISTS (SELECT 1 FROM memories WHERE memories.id = one.memory_id)
  AND NOT EXISTS (
      SELECT 1 FROM memory_audit AS later WHERE later.memory_id = one.memory_id AND later.sequence > one.sequence
  )
ORDER BY sequence
"""

_LINKS = (
    ("source", "SELECT source_hash, memory_id FROM memory_sources"),
    ("parent", "SELECT parent_id, memory_id FROM memory_parents"),
)


def seal(session: Session, hasher: Hasher, *, has_own_key: bool) -> None:
    """
    Write the hashes of all rows into the audits, unless that was done before.

    Args:
        session: The database's.
        hasher: With its key.
        has_own_key: Whether the database keeps the key itself.

    Raises:
        MemoryStoreError: It asks for this again: then somebody else has written to it.
    """
    with session.reading() as database:
        if not _is_unsealed(database):
            return
    time = as_microseconds(datetime.now(UTC), "the time")
    with session.writing() as database:
        # Another process may have been here in the meantime.
        if not _is_unsealed(database):
            return
        if database.execute("SELECT 1 FROM admin_audit LIMIT 1") or database.execute(
            "SELECT 1 FROM memory_audit WHERE after_hash IS NOT NULL LIMIT 1"
        ):
            raise store_error(StoreFailure.CORRUPT, database.place, "it was sealed before")
        subject = OWN_KEY if has_own_key else GIVEN_KEY
        record(database, hasher, time, Change(AdminAction.SEALED, AdminKind.DATABASE, subject))
        _name_sources(database, hasher)
        _seal_memories(database, hasher, time)
        _seal_changes(database, hasher)
        _sort_checks(database)
        _seal_tokens(database, hasher, time)
        database.write("DELETE FROM memory_settings WHERE name IN ('rows', 'sources')")


def _is_unsealed(database: Database) -> bool:
    return bool(database.execute("SELECT 1 FROM memory_settings WHERE name = 'rows' AND value = 'unsealed'"))


def _name_sources(database: Database, hasher: Hasher) -> None:
    """
    Give memories the links that their rows name: before schema 6 their hashes were those of spellings.

    What a damaged row names is unknown: its links stay, and the row is told as damaged when it is read.

    Raises:
        MemoryStoreError: More than a thousand rows are damaged.
    """
    batches = _batches(database, f"SELECT {BOUND_COLUMNS} FROM memories ORDER BY number")
    found = [(row[1], linked_of(hasher, Bound._make(row))) for batch in batches for row in batch]
    damaged = [memory_id for memory_id, linked in found if linked is None]
    if len(damaged) > _BATCH:
        raise store_error(StoreFailure.CORRUPT, database.place, "the rows of memories")
    kept = ", ".join("?" * len(damaged)) or "''"
    for table in ("memory_sources", "memory_parents"):
        # In one pass: no index has the links of one memory.
        others = f"memory_id IN (SELECT id FROM memories WHERE id NOT IN ({kept}))"
        database.write(f"DELETE FROM {table} WHERE {others}", damaged)
    named = [(memory_id, *linked) for memory_id, linked in found if linked is not None]
    for start in range(0, len(named), _BATCH):
        some = named[start : start + _BATCH]
        database.write_many(_INSERT_SOURCE, [(source, row[0]) for row in some for source in row[1]])
        database.write_many(_INSERT_PARENT, [(parent, row[0]) for row in some for parent in row[2]])


def _seal_memories(database: Database, hasher: Hasher, time: int) -> None:
    """Write an entry for each memory with the hash of its row, and for each erased one with that of its links."""
    deed = Deed(time=time, action=AuditAction.SEALED)
    gone: dict[str, int] = dict.fromkeys((row[0] for row in database.execute(_GONE)), 0)
    for kind, statement in _LINKS:
        for linked, memory_id in database.execute(statement):
            if memory_id in gone:
                sources, parents = ((linked,), ()) if kind == "source" else ((), (linked,))
                gone[memory_id] = (gone[memory_id] + hasher.links(memory_id, sources, parents)) % LINKS_MODULUS
    left = [
        Subject(memory_id, user_hash, content_hash, after_hash=links_hash(gone[memory_id]))
        for memory_id, user_hash, content_hash in database.execute(_GONE)
    ]
    for batch in _batches(database, f"SELECT {BOUND_COLUMNS} FROM memories ORDER BY number"):
        found = [Bound._make(row) for row in batch]
        subjects = [
            Subject(one.id, hasher.of("person", one.user_id), one.content_hash, after_hash=memory_digest(hasher, one))
            for one in found
        ]
        append(database, hasher, deed, subjects)
    append(database, hasher, deed, left)


def _seal_changes(database: Database, hasher: Hasher) -> None:
    """Write the hashes of changes that the review queue has not looked at."""
    rows = database.execute("SELECT memory_id, time, reason, source FROM review_inbox")
    digests = [(hasher.digest("change", row), row[0]) for row in rows]
    database.write_many("UPDATE review_inbox SET digest = ? WHERE memory_id = ?", digests)


def _sort_checks(database: Database) -> None:
    """Put the checks of each group in the order of new groups: the fifth migration used the database's own."""
    rows = database.execute("SELECT DISTINCT group_id, checks FROM review_groups")
    ordered = [(" ".join(["", *sorted(checks.split())]), group_id) for group_id, checks in rows]
    database.write_many("UPDATE review_groups SET checks = ? WHERE group_id = ?", ordered)


def _seal_tokens(database: Database, hasher: Hasher, time: int) -> None:
    """Write an entry for each token with the hash of its row."""
    for row in database.execute(f"SELECT {', '.join(TOKEN_COLUMNS)} FROM review_tokens ORDER BY token_id"):
        after_hash = token_digest(hasher, row)
        record(database, hasher, time, Change(AdminAction.SEALED, AdminKind.TOKEN, row[0], after_hash=after_hash))


def _batches(database: Database, statement: str) -> Sequence[list[Row]]:
    """The rows of a statement in lists: all are read before anything is written."""
    rows = database.execute(statement)
    return [rows[start : start + _BATCH] for start in range(0, len(rows), _BATCH)]
