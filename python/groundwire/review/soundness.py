"""Whether the queue of a database is as it was left."""

from groundwire.memory.chain import REVIEW_AUDIT
from groundwire.memory.hashes import Hasher
from groundwire.memory.protocol import Database
from groundwire.review.items import COLUMNS, digest_of, read_item

__all__ = ["faults"]

# How many claims are read at a time.
_BATCH = 1_000

_COUNTS = {
    "claims are in the audit and not in the queue": """
        SELECT count(*) FROM review_audit AS one
        WHERE after_hash IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM review_items WHERE review_items.queue_id = one.queue_id)
          AND NOT EXISTS (
              SELECT 1 FROM review_audit AS later WHERE later.queue_id = one.queue_id AND later.sequence > one.sequence
          )
    """,
    "claims are in the queue and not as the audit has them": """
        SELECT count(*) FROM review_items
        WHERE NOT EXISTS (
            SELECT 1 FROM review_audit AS one
            WHERE one.queue_id = review_items.queue_id AND one.after_hash = review_items.digest
              AND NOT EXISTS (
                  SELECT 1 FROM review_audit AS later
                  WHERE later.queue_id = one.queue_id AND later.sequence > one.sequence
              )
        )
    """,
    "claims were changed between two entries of the audit": """
        SELECT count(*) FROM (
            SELECT before_hash, LAG(after_hash) OVER (PARTITION BY queue_id ORDER BY sequence) AS left_hash
            FROM review_audit
        ) AS pairs
        WHERE coalesce(before_hash, '') <> coalesce(left_hash, '')
    """,
    "claims are not listed as what they are": """
        SELECT count(*) FROM review_items
        WHERE listed <> CASE state WHEN 'processing' THEN 'pending' ELSE state END
           OR NOT EXISTS (
              SELECT 1 FROM review_groups
              WHERE review_groups.group_id = review_items.group_id AND failed_check = ''
                AND review_groups.memory_type = review_items.memory_type
                AND review_groups.source = review_items.source
          )
    """,
    "claims wait that are not counted, or the other way round": """
        SELECT abs((SELECT items FROM review_waiting)
                   - (SELECT count(*) FROM review_items WHERE state IN ('pending', 'processing')))
    """,
}


def faults(database: Database, hasher: Hasher) -> list[str]:
    """
    Return what is wrong, in words that hold no text; empty if nothing is.

    Reads everything once.
    """
    found = []
    if (sequence := REVIEW_AUDIT.broken(database, hasher)) is not None:
        found.append(f"the audit of the queue is not as it was written from entry {sequence} on")
    counts = {words: database.execute(statement)[0][0] for words, statement in _COUNTS.items()}
    counts["claims are not as they were written"] = _altered(database, hasher)
    return found + [f"{count} {words}" for words, count in counts.items() if count]


def _altered(database: Database, hasher: Hasher) -> int:
    """How many items do not have their hash."""
    altered, place = 0, -1
    statement = f"SELECT {', '.join(COLUMNS)}, digest FROM review_items WHERE place > ? ORDER BY place LIMIT {_BATCH}"
    while rows := database.execute(statement, (place,)):
        for *values, digest in rows:
            item = read_item(values)
            altered += item is None or digest_of(item, hasher) != digest
        place = rows[-1][0]
    return altered
