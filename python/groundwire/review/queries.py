"""Reads items by SQL: the rows that a decision needs, fetched together, and lists by index."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.labels import is_label
from groundwire.memory import StoreFailure
from groundwire.memory.audit_log import MEMORY_AUDIT, REVIEW_AUDIT, ChainEnd, HashChain, KeyedHasher
from groundwire.memory.protocol import Database, Row, store_error
from groundwire.review.details import CheckDetails, failed_checks
from groundwire.review.items import (
    COLUMNS,
    DETAILS_MAX_CHARS,
    EXCERPT_CHARS,
    ItemExcerpt,
    QueueItem,
    item_digest,
    read_item,
)
from groundwire.review.records import COUNT_MAX, QueueFilter, QueueState

__all__ = [
    "EXCERPT",
    "UNLEASED",
    "ListQueries",
    "PageQuery",
    "PrefetchedRows",
    "ReadExcerpts",
    "checks_of",
    "group_of",
    "item_of",
]

_ITEM = f"{', '.join(COLUMNS)}, digest"

# The ends of both audits, and whether a memory has or had the item's id: a second query would cost a round trip.
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


class PrefetchedRows:
    """
    The rows that one transaction has read. No other transaction writes during it.

    Parameters:
        database: The transaction.
        hasher: The hasher with the database's key.
        with_needs: Whether reading an item also fetches the rows that a decision on it needs.

    Attributes:
        lasts: The known ends of the audits.
    """

    def __init__(self, database: Database, hasher: KeyedHasher, *, with_needs: bool) -> None:
        self._database = database
        self._hasher = hasher
        self._with_needs = with_needs
        self._rows: dict[str, Row] = {}
        self._items: dict[str, QueueItem | None] = {}
        self._free: set[str] = set()
        self._digest: tuple[QueueItem | None, str] = (None, "")
        self.lasts: dict[HashChain, ChainEnd] = {}

    def item(self, queue_id: str) -> QueueItem | None:
        """
        Return the item, or None.

        Raises:
            MemoryStoreError: Another program has changed it.
        """
        if queue_id not in self._rows and queue_id not in self._items:
            self.fetch([queue_id])
        if queue_id in self._rows:
            *values, digest = self._rows[queue_id]
            item = item_of(values, self._database)
            if self.digest(item) != digest:
                raise store_error(StoreFailure.CORRUPT, self._database.place, "a claim was changed by another program")
            del self._rows[queue_id]
            self._items[queue_id] = item
        return self._items[queue_id]

    def fetch(self, queue_ids: Sequence[str]) -> None:
        """Fetch these items, and the rows that decisions need."""
        self._items |= dict.fromkeys(queue_ids)
        # PostgreSQL refuses some texts that are not labels.
        asked = [queue_id for queue_id in queue_ids if is_label(queue_id)]
        if not asked:
            return
        columns, joined = (_ITEM_AND_NEEDS, _NEEDS) if self._with_needs else (_ITEM, "")
        marks = ", ".join("?" * len(asked))
        statement = f"SELECT {columns} FROM review_items {joined} WHERE queue_id IN ({marks})"
        for row in self._database.execute(statement, asked):
            queue_id = row[1]
            self._rows[queue_id], needs = row[: len(COLUMNS) + 1], row[len(COLUMNS) + 1 :]
            if needs:
                *lasts, is_taken = needs
                self.lasts[REVIEW_AUDIT], self.lasts[MEMORY_AUDIT] = (lasts[0], lasts[1]), (lasts[2], lasts[3])
                self._free |= set() if is_taken else {queue_id}

    def keep(self, item: QueueItem, digest: str) -> None:
        """Keep an item that was written."""
        self._items[item.queue_id] = item
        self._digest = (item, digest)

    def digest(self, item: QueueItem) -> str:
        """Return the hash of an item, from the cache for the latest one."""
        if self._digest[0] is not item:
            self._digest = (item, item_digest(item, self._hasher))
        return self._digest[1]

    def last(self, audit: HashChain) -> ChainEnd:
        """Return the end of an audit."""
        if audit not in self.lasts:
            self.lasts[audit] = audit.last(self._database)
        return self.lasts[audit]

    def takes(self, memory_id: str) -> bool:
        """Return whether an id is known to be unused, and mark it as used."""
        is_free = memory_id in self._free
        self._free.discard(memory_id)
        return is_free

    def forget(self) -> None:
        """Drop everything, because another method has written."""
        self._rows, self._items, self._free, self.lasts = {}, {}, set(), {}


def item_of(values: Sequence[Any], database: Database) -> QueueItem:
    """
    Return the item with the values of `COLUMNS`.

    Raises:
        MemoryStoreError: They cannot be those of an item.
    """
    item = read_item(values)
    if item is None:
        raise store_error(StoreFailure.CORRUPT, database.place, "a claim's row")
    return item


# The negation of `is_leased`, in SQL.
UNLEASED = "(leased_until IS NULL OR leased_until <= ? OR 2 * leased_at - leased_until >= ?)"
_WAITING = f"{UNLEASED} AND (expires_at IS NULL OR expires_at > ?)"

# Excerpts in the cache, of a few kilobytes each.
_READ_MAX = 1_000

# Columns that a list shortens, so that long texts stay in the database.
_CUT = {
    "content": f"substr(review_items.content, 1, {EXCERPT_CHARS})",
    "details": f"CASE WHEN length(review_items.details) <= {DETAILS_MAX_CHARS} THEN review_items.details ELSE '' END",
    "original": "NULL",
    "reason": f"substr(review_items.reason, 1, {EXCERPT_CHARS})",
}
_CHECKS = "SELECT checks FROM review_groups WHERE review_groups.group_id = review_items.group_id AND failed_check = ''"
EXCERPT = ", ".join(
    (
        *(_CUT.get(name, f"review_items.{name}") for name in COLUMNS),
        *("length(review_items.content)", "review_items.original IS NOT NULL", f"({_CHECKS})"),
    )
)
"""The columns of an `ItemExcerpt`: those of its item, cut, then its length, whether it was edited, and its checks."""

GROUPS_MERGED_MAX = 64
"""The maximum number of groups whose index ranges a list merges. With more, it filters all claims, as many match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuery:
    """A page of a list: see `QueueTransaction.page`."""

    after: int
    limit: int
    newest_first: bool


class ReadExcerpts:
    """A cache of excerpts by the digests of their items, so that long texts are read once."""

    def __init__(self) -> None:
        self._read: OrderedDict[str, ItemExcerpt] = OrderedDict()

    def get(self, digest: str) -> ItemExcerpt | None:
        """Return the excerpt of the item with this digest, or None if it is not in the cache."""
        return self._read.get(digest)

    def keep(self, digest: str, excerpt: ItemExcerpt) -> ItemExcerpt:
        """Keep and return *excerpt*."""
        self._read[digest] = excerpt
        if len(self._read) > _READ_MAX:
            self._read.popitem(last=False)
        return excerpt

    def clear(self) -> None:
        """Empty the cache, so that erased texts do not stay in memory."""
        self._read.clear()


class ListQueries:
    """
    The queries of one list within a transaction.

    Parameters:
        database: The transaction.
        filters: The conditions.
        assignee_hash: The hash of the assignee, if that is a condition.
    """

    def __init__(self, database: Database, filters: QueueFilter, assignee_hash: str | None) -> None:
        self._database = database
        self._filters = filters
        people = {"user_id": filters.user_id, "assignee_hash": assignee_hash}
        there = {f"{column} = ?": value for column, value in people.items() if value is not None}
        # The state is part of the statement, so PostgreSQL plans each state by itself: one may have few items of many.
        self._conditions = [f"listed = '{QueueState(filters.state)}'", *there]
        self._values = list[object](there.values())
        labels = {"memory_type": filters.memory_type, "source": filters.source, "failed_check": filters.failed_check}
        self._has_labels = any(value is not None for value in labels.values())
        labels["failed_check"] = filters.failed_check or ""
        chosen = {f"{column} = ?": value for column, value in labels.items() if value is not None}
        self._groups = f"SELECT group_id FROM review_groups WHERE {' AND '.join(chosen)}"
        self._labels = list[object](chosen.values())

    def page(self, columns: str, page: PageQuery, now: int) -> Sequence[Row]:
        """Return the *columns* of a page's items at the time *now*."""
        conditions, values = [*self._conditions], [*self._values]
        if page.after:
            conditions.append(f"place {'<' if page.newest_first else '>'} ?")
            values.append(page.after)
        if not self._filters.state.is_final:
            conditions.append(_WAITING)
            values += [now, now, now]
        order = f"ORDER BY place {'DESC' if page.newest_first else 'ASC'}"
        groups = self._few_groups()
        if groups is None:
            there, more = self._in_groups()
            statement = f"SELECT {columns} FROM review_items WHERE {' AND '.join(conditions)}{there} {order} LIMIT ?"
            return self._database.execute(statement, [*values, *more, page.limit])
        if not groups:
            return []
        one_group = (
            f"SELECT place FROM review_items WHERE {' AND '.join([*conditions, 'group_id = ?'])} {order} LIMIT ?"
        )
        merged = " UNION ALL ".join([f"SELECT place FROM ({one_group}) AS stretch"] * len(groups))
        places = f"SELECT place FROM ({merged}) AS ranges {order} LIMIT ?"
        given = [value for group in groups for value in (*values, group, page.limit)]
        statement = f"SELECT {columns} FROM review_items WHERE place IN ({places}) {order}"
        return self._database.execute(statement, [*given, page.limit])

    def count(self) -> int:
        """Return the number of items, up to `COUNT_MAX`."""
        groups = self._few_groups()
        if groups is None:
            there, values = self._in_groups()
        elif groups:
            there, values = f" AND group_id IN ({', '.join('?' * len(groups))})", [*groups]
        else:
            return 0
        found = f"SELECT 1 FROM review_items WHERE {' AND '.join(self._conditions)}{there} LIMIT {COUNT_MAX}"
        return int(self._database.execute(f"SELECT count(*) FROM ({found}) AS found", [*self._values, *values])[0][0])

    def _few_groups(self) -> list[object] | None:
        """Return the groups whose index ranges form the list; None if the list is one range, or has too many groups."""
        if not self._has_labels:
            return None
        statement = f"{self._groups} LIMIT {GROUPS_MERGED_MAX + 1}"
        groups = [group_id for (group_id,) in self._database.execute(statement, self._labels)]
        return groups if len(groups) <= GROUPS_MERGED_MAX else None

    def _in_groups(self) -> tuple[str, list[object]]:
        """Return the condition that filters one range, and its values. `IS TRUE` keeps it from using an index."""
        return (f" AND (group_id IN ({self._groups})) IS TRUE", self._labels) if self._has_labels else ("", [])


def checks_of(failed: Sequence[str]) -> str:
    """Return the checks of a group in the form of its rows: sorted, each after a space."""
    return " ".join(["", *sorted(failed)])


def group_of(database: Database, item: QueueItem, details: CheckDetails) -> int:
    """Return the group of a new item, after adding the group if it is new."""
    failed = failed_checks(details)
    labels = (item.memory_type, item.source, checks_of(failed))
    known = (
        "SELECT group_id FROM review_groups WHERE failed_check = '' AND memory_type = ? AND source = ? AND checks = ?"
    )
    if rows := database.execute(known, labels):
        return int(rows[0][0])
    [(group_id,)] = database.execute("SELECT coalesce(max(group_id), 0) + 1 FROM review_groups")
    statement = "INSERT INTO review_groups (group_id, failed_check, memory_type, source, checks) VALUES (?, ?, ?, ?, ?)"
    database.write_many(statement, [(group_id, check, *labels) for check in ("", *failed)])
    return int(group_id)
