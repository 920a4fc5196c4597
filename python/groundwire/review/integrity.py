"""Checks the integrity of the queue: its items, groups, counts and audit log."""

from collections.abc import Sequence

from groundwire.memory.audit_log import REVIEW_AUDIT, KeyedHasher
from groundwire.memory.integrity import counted
from groundwire.memory.protocol import Database
from groundwire.review.details import failed_checks, read_details
from groundwire.review.items import COLUMNS, QueueItem, item_digest, list_group, read_item
from groundwire.review.queries import checks_of

__all__ = [
    "CHECKS",
]

_COUNTS = {
    ("claim is", "claims are", "in the audit but not in the queue"): """
        SELECT count(*) FROM review_audit AS one
        WHERE after_hash IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM review_items WHERE review_items.queue_id = one.queue_id)
          AND NOT EXISTS (
              SELECT 1 FROM review_audit AS later WHERE later.queue_id = one.queue_id AND later.sequence > one.sequence
          )
    """,
    ("claim in the queue differs", "claims in the queue differ", "from the audit"): """
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
    ("claim was", "claims were", "changed between two audit entries"): """
        SELECT count(*) FROM (
            SELECT before_hash, LAG(after_hash) OVER (PARTITION BY queue_id ORDER BY sequence) AS left_hash
            FROM review_audit
        ) AS pairs
        WHERE coalesce(before_hash, '') <> coalesce(left_hash, '')
    """,
}

_ITEMS = f"SELECT {', '.join(COLUMNS)}, digest, listed, group_id FROM review_items ORDER BY place"
_GROUPS = "SELECT group_id, memory_type, source, checks, failed_check FROM review_groups"

# The unprocessed changes, each with the last event of the memory's status, which has the hash of the source.
_CHANGES = """
SELECT review_inbox.memory_id, review_inbox.time, review_inbox.reason, review_inbox.source, review_inbox.digest,
       memory_audit.time, memory_audit.reason, memory_audit.source_hash
FROM review_inbox LEFT JOIN memory_audit ON memory_audit.sequence = (
    SELECT max(sequence) FROM memory_audit AS changed
    WHERE changed.memory_id = review_inbox.memory_id AND changed.action IN ('approved', 'sent_to_review')
)
"""
# Two conditions, so that each uses an index.
_WAITS = """
(
    EXISTS (
        SELECT 1 FROM review_items
        WHERE queue_id = memories.id AND memory_id = queue_id AND state IN ('pending', 'processing')
    ) OR EXISTS (
        SELECT 1 FROM review_items
        WHERE memory_id = memories.id AND memory_id <> queue_id AND state IN ('pending', 'processing')
    )
)
"""
# A memory in review is in the queue, or has an unprocessed change; an active one is not, or has one.
_UNLISTED = f"""
SELECT count(*) FROM memories
WHERE NOT EXISTS (SELECT 1 FROM review_inbox WHERE review_inbox.memory_id = memories.id)
  AND CASE status WHEN 'active' THEN {_WAITS} ELSE NOT {_WAITS} AND EXISTS (
      SELECT 1 FROM memory_audit WHERE memory_audit.memory_id = memories.id AND action = 'sent_to_review'
  ) END
"""


def _check_claims(database: Database, hasher: KeyedHasher) -> list[str]:
    """Check the claims, their audit, groups and counts."""
    found = []
    if (sequence := REVIEW_AUDIT.broken(database, hasher)) is not None:
        found.append(f"the audit of the queue was changed from entry {sequence} on")
    counts = [(*words, database.execute(statement)[0][0]) for words, statement in _COUNTS.items()]
    groups, misfits = _groups(database)
    altered = unlisted = waiting = 0
    used = set()
    for *values, digest, listed, group_id in database.stream(_ITEMS):
        item = read_item(values)
        if item is None or item_digest(item, hasher) != digest:
            altered += 1
        elif listed != list_group(item) or groups.get(group_id) != _labels(item):
            unlisted += 1
        waiting += item is not None and not item.state.is_final
        used.add(group_id)
    found += counted(
        *counts,
        ("claim was", "claims were", "changed", altered),
        ("claim is", "claims are", "listed under another state", unlisted),
        ("group of claims was", "groups of claims were", "changed", misfits + len(groups.keys() - used)),
    )
    if database.execute("SELECT items FROM review_waiting") != [(waiting,)]:
        found.append("the number of pending claims was changed")
    return found


def _check_changes(database: Database, hasher: KeyedHasher) -> list[str]:
    """Check the unprocessed changes of memories, and that exactly the memories in review are in the queue."""
    other = 0
    for memory_id, time, reason, source, digest, told_time, told_reason, told_hash in database.stream(_CHANGES):
        is_told = (time, reason) == (told_time, told_reason) and (source is None) == (told_hash is None)
        is_source = source is None or hasher.of("source", str(source)) == told_hash
        other += not (is_told and is_source and hasher.digest("change", (memory_id, time, reason, source)) == digest)
    unlisted = database.execute(_UNLISTED)[0][0]
    return counted(
        ("change of a memory differs", "changes of memories differ", "from the audit", other),
        ("memory is", "memories are", "missing from the queue, or wrongly in it", unlisted),
    )


CHECKS = (_check_claims, _check_changes)
"""The checks of the queue, which run with those of the store."""


def _groups(database: Database) -> tuple[dict[object, tuple[object, ...]], int]:
    """Return the labels of each group, and the number of groups whose rows are incomplete."""
    labels: dict[object, tuple[object, ...]] = {}
    checks: dict[object, list[object]] = {}
    misfits = set()
    for group_id, *common, failed_check in database.stream(_GROUPS):
        if labels.setdefault(group_id, tuple(common)) != tuple(common):
            misfits.add(group_id)
        checks.setdefault(group_id, []).append(failed_check)
    for group_id, (_, _, written) in labels.items():
        if sorted(map(str, checks[group_id])) != ["", *str(written).split()]:
            misfits.add(group_id)
    return labels, len(misfits)


def _labels(item: QueueItem) -> Sequence[object] | None:
    """Return the labels of an item's group; None if its details are damaged."""
    try:
        failed = failed_checks(read_details(item.details))
    except (TypeError, ValueError, KeyError, RecursionError):
        return None
    return (item.memory_type, item.source, checks_of(failed))
