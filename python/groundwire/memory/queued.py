"""What the review queue of the same database keeps of people, as far as erasure has to reach it."""

from collections.abc import Sequence

from groundwire.memory.audit import Deed, keep_actor
from groundwire.memory.chain import REVIEW_AUDIT
from groundwire.memory.hashes import Hasher
from groundwire.memory.protocol import Database

__all__ = ["erase_items", "erase_items_of_memories"]

_FORGET_GROUP = """
DELETE FROM review_groups WHERE group_id = ? AND NOT EXISTS (
    SELECT 1 FROM review_items
    WHERE listed IN ('pending', 'stored', 'rejected', 'expired') AND review_items.group_id = review_groups.group_id
)
"""


def erase_items(database: Database, hasher: Hasher, condition: str, values: Sequence[object], deed: Deed) -> list[str]:
    """Erase the items of which *condition* is true, with all their texts; return their ids. The audit stays."""
    columns = "place, queue_id, user_id, content_hash, state, digest, group_id"
    rows = database.execute(f"SELECT {columns} FROM review_items WHERE {condition} ORDER BY place", values)
    if not rows:
        return []
    actor_hash = keep_actor(database, hasher, deed.actor)
    said = [
        (
            deed.time,
            str(deed.action),
            queue_id,
            hasher.of("person", user_id),
            text,
            actor_hash,
            digest,
            None,
            deed.reason,
        )
        for _, queue_id, user_id, text, _, digest, _ in rows
    ]
    database.write_many("DELETE FROM review_items WHERE place = ?", [(row[0],) for row in rows])
    # Types and sources that nobody else has may tell of somebody.
    database.write_many(_FORGET_GROUP, [(group_id,) for group_id in {row[6] for row in rows}])
    waiting = sum(row[4] in ("pending", "processing") for row in rows)
    database.write("UPDATE review_waiting SET items = items - ?", (waiting,))
    REVIEW_AUDIT.append(database, hasher, said)
    return [row[1] for row in rows]


def erase_items_of_memories(database: Database, hasher: Hasher, memory_ids: Sequence[str], deed: Deed) -> None:
    """Erase the items that became these memories: they say the same."""
    for memory_id in memory_ids:
        erase_items(database, hasher, "queue_id = ? AND memory_id = ?", (memory_id, memory_id), deed)
        erase_items(database, hasher, "memory_id = ? AND memory_id <> queue_id", (memory_id,), deed)
