"""What a transaction knows of its database: items, and what deciding about them needs besides, read in one question."""

from collections.abc import Sequence
from typing import Any

from groundwire.labels import is_label
from groundwire.memory import StoreFailure
from groundwire.memory.audit_log import MEMORY_AUDIT, REVIEW_AUDIT, ChainEnd, HashChain, KeyedHasher
from groundwire.memory.protocol import Database, Row, store_error
from groundwire.review.items import COLUMNS, Item, digest_of, read_item

__all__ = ["Ahead", "item_of"]

_ITEM = f"{', '.join(COLUMNS)}, digest"

# What is last in both audits, and whether the item's id is free for a memory: a second question would be a round trip.
_ITEM_AND_NEEDS = ", ".join(
    (
        *(f"review_items.{name}" for name in (*COLUMNS, "digest")),
        *("coalesce(review.sequence, 0)", "coalesce(review.link, '')"),
        *("coalesce(memory.sequence, 0)", "coalesce(memory.link, '')"),
        "EXISTS (SELECT 1 FROM memory_audit WHERE memory_audit.memory_id = review_items.queue_id)",
    )
)
_NEEDS = f"""
LEFT JOIN ({REVIEW_AUDIT.last_row}) AS review ON 1 = 1
LEFT JOIN ({MEMORY_AUDIT.last_row}) AS memory ON 1 = 1
"""


class Ahead:
    """
    What is known within one transaction, in which nobody else writes.

    Parameters:
        database: The transaction.
        hasher: Its hashes.
        with_needs: Whether an item is read with what a decision about it needs.

    Attributes:
        lasts: What is last in an audit, once that is known.
    """

    def __init__(self, database: Database, hasher: KeyedHasher, *, with_needs: bool) -> None:
        self._database = database
        self._hasher = hasher
        self._with_needs = with_needs
        self._rows: dict[str, Row] = {}
        self._items: dict[str, Item | None] = {}
        self._free: set[str] = set()
        self._digest: tuple[Item | None, str] = (None, "")
        self.lasts: dict[HashChain, ChainEnd] = {}

    def item(self, queue_id: str) -> Item | None:
        """
        Return the item, or None if there is none.

        Raises:
            MemoryStoreError: It is not as it was written.
        """
        if queue_id not in self._rows and queue_id not in self._items:
            self.look([queue_id])
        if queue_id in self._rows:
            *values, digest = self._rows[queue_id]
            item = item_of(values, self._database)
            if self.digest(item) != digest:
                raise store_error(StoreFailure.CORRUPT, self._database.place, "a claim is not as it was written")
            del self._rows[queue_id]
            self._items[queue_id] = item
        return self._items[queue_id]

    def look(self, queue_ids: Sequence[str]) -> None:
        """Read these items, and their needs."""
        self._items |= dict.fromkeys(queue_ids)
        # PostgreSQL refuses some of what is no id.
        asked = [queue_id for queue_id in queue_ids if is_label(queue_id)]
        if not asked:
            return
        what, joined = (_ITEM_AND_NEEDS, _NEEDS) if self._with_needs else (_ITEM, "")
        marks = ", ".join("?" * len(asked))
        statement = f"SELECT {what} FROM review_items {joined} WHERE queue_id IN ({marks})"
        for row in self._database.execute(statement, asked):
            queue_id = row[1]
            self._rows[queue_id], needs = row[: len(COLUMNS) + 1], row[len(COLUMNS) + 1 :]
            if needs:
                *lasts, is_taken = needs
                self.lasts[REVIEW_AUDIT], self.lasts[MEMORY_AUDIT] = (lasts[0], lasts[1]), (lasts[2], lasts[3])
                self._free |= set() if is_taken else {queue_id}

    def keep(self, item: Item, digest: str) -> None:
        """Know an item that was written."""
        self._items[item.queue_id] = item
        self._digest = (item, digest)

    def digest(self, item: Item) -> str:
        """Return the hash of an item; mostly of the one that was asked for last."""
        if self._digest[0] is not item:
            self._digest = (item, digest_of(item, self._hasher))
        return self._digest[1]

    def last(self, audit: HashChain) -> ChainEnd:
        """Return what is last in an audit."""
        if audit not in self.lasts:
            self.lasts[audit] = audit.last(self._database)
        return self.lasts[audit]

    def takes(self, memory_id: str) -> bool:
        """Tell whether an id is known to be free, and take it for a memory."""
        is_free = memory_id in self._free
        self._free.discard(memory_id)
        return is_free

    def forget(self) -> None:
        """Know nothing any more: something else has written."""
        self._rows, self._items, self._free, self.lasts = {}, {}, set(), {}


def item_of(values: Sequence[Any], database: Database) -> Item:
    """
    Return the item of a row's `COLUMNS`.

    Raises:
        MemoryStoreError: They cannot be those of one.
    """
    item = read_item(values)
    if item is None:
        raise store_error(StoreFailure.CORRUPT, database.place, "a claim's row")
    return item
