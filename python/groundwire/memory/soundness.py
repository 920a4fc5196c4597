"""Whether a database is as the store left it."""

from groundwire.memory.chain import MEMORY_AUDIT
from groundwire.memory.hashes import Hasher
from groundwire.memory.protocol import Database

__all__ = ["faults"]

# How many memories are read at a time.
_BATCH = 1_000

# A memory is there if and only if its last entry of these two is that it was stored.
_STORED_AND_GONE = """
SELECT count(*) FROM memory_audit AS stored
WHERE action = 'stored'
  AND NOT EXISTS (SELECT 1 FROM memory_audit AS erased WHERE erased.memory_id = stored.memory_id AND action = 'erased')
  AND NOT EXISTS (SELECT 1 FROM memories WHERE memories.id = stored.memory_id)
"""
_NOT_STORED = """
SELECT count(*) FROM memories
WHERE NOT EXISTS (
    SELECT 1 FROM memory_audit
    WHERE memory_audit.memory_id = memories.id AND action = 'stored'
      AND memory_audit.content_hash = memories.content_hash AND memory_audit.sequence = memories.number
)
"""
_ERASED_AND_THERE = """
SELECT count(*) FROM memories
JOIN memory_audit ON memory_audit.memory_id = memories.id AND memory_audit.action = 'erased'
"""


def faults(database: Database, hasher: Hasher) -> list[str]:
    """
    Return what is wrong, in words that hold no text; empty if nothing is.

    Reads everything once.
    """
    found = database.damages()
    if (sequence := MEMORY_AUDIT.broken(database, hasher)) is not None:
        found.append(f"the audit is not as it was written from entry {sequence} on")
    counts = {
        "are in the audit and not in the store": database.execute(_STORED_AND_GONE)[0][0],
        "are in the store and not as the audit has them": database.execute(_NOT_STORED)[0][0],
        "are erased in the audit and still there": database.execute(_ERASED_AND_THERE)[0][0],
        "have another text than when they were stored": _altered(database, hasher),
    }
    return found + [f"{count} memories {words}" for words, count in counts.items() if count]


def _altered(database: Database, hasher: Hasher) -> int:
    """How many memories have a text that does not have their hash."""
    altered, number = 0, 0
    statement = "SELECT number, content, content_hash FROM memories WHERE number > ? ORDER BY number LIMIT ?"
    while rows := database.execute(statement, (number, _BATCH)):
        altered += sum(hasher.of("content", content) != content_hash for _, content, content_hash in rows)
        number = rows[-1][0]
    return altered
