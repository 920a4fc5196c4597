"""Keeps the queue in the database of a memory store, in SQL that SQLite and PostgreSQL share."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from groundwire.labels import LABEL_MAX_CHARS, is_label
from groundwire.memory import (
    Anchor,
    AuditAction,
    MemoryStatus,
    MemoryStore,
    StoredMemory,
    StoreFailure,
    audit_log,
    mutations,
)
from groundwire.memory.audit_log import MEMORY_AUDIT, REVIEW_AUDIT, store_actor_name
from groundwire.memory.protocol import Database, Row, check_increasing, store_error
from groundwire.memory.queries import MemoryFilter, find
from groundwire.memory.records import as_time
from groundwire.review.details import CheckDetails, read_details
from groundwire.review.integrity import CHECKS
from groundwire.review.items import COLUMNS, ItemExcerpt, QueueItem, event_to_row, item_digest, list_group, row_to_event
from groundwire.review.queries import (
    EXCERPT,
    UNLEASED,
    ListQueries,
    PageQuery,
    PrefetchedRows,
    ReadExcerpts,
    group_of,
    item_of,
)
from groundwire.review.records import ChangedMemory, EventFilter, QueueFilter, ReviewEvent, ReviewEventDraft

__all__ = [
    "QueueRepository",
    "QueueTransaction",
]

_COLUMNS = ", ".join(f"review_items.{name}" for name in COLUMNS)
_IN_MEMORY = ":memory:"

# The number of rows that one statement reads by position.
_ROWS_PER_STATEMENT = 500
_INSERT = (
    f"INSERT INTO review_items ({', '.join(COLUMNS)}, digest, listed, group_id) VALUES (?{', ?' * (len(COLUMNS) + 2)})"
)

# An id is used if one of these finds a row.
_IDS = (
    "SELECT 1 FROM review_items WHERE queue_id = ?",
    "SELECT 1 FROM review_audit WHERE queue_id = ? LIMIT 1",
    "SELECT 1 FROM memory_audit WHERE memory_id = ? LIMIT 1",
)


class QueueRepository:
    """
    Runs the transactions of the queue, which are those of a memory store.

    Args:
        store: A store or its location. None: a private SQLite database in memory, which ends with the process
            and keeps no memories.

    Attributes:
        store: The store.
        keeps_memories: Whether approved claims can be stored in the same database.
    """

    def __init__(self, store: MemoryStore | str | Path | None) -> None:
        self.keeps_memories = store is not None
        self._is_own = not isinstance(store, MemoryStore)
        self.store = store if isinstance(store, MemoryStore) else MemoryStore(_IN_MEMORY if store is None else store)
        self._read = ReadExcerpts()

    @contextmanager
    def reading(self) -> Iterator["QueueTransaction"]:
        """Yield the queue in its state of one moment."""
        with self.store.snapshot() as database:
            yield QueueTransaction(self.store, database, self._read, prefetch=False)

    @contextmanager
    def writing(self) -> Iterator["QueueTransaction"]:
        """Yield the queue for writing. The end of the block commits all changes; an exception undoes all."""
        with self.store.transaction() as database:
            yield QueueTransaction(self.store, database, self._read)

    def close(self) -> None:
        """Close the store, unless the caller opened it."""
        if self._is_own:
            self.store.close()


class QueueTransaction:
    """
    The queue within one transaction.

    Parameters:
        store: The store of the memories and of the queue.
        database: Its transaction.
        read: The cache of excerpts; None for a new one.
        prefetch: Whether reading an item also fetches the rows that a decision on it needs.
    """

    def __init__(
        self, store: MemoryStore, database: Database, read: ReadExcerpts | None = None, *, prefetch: bool = True
    ) -> None:
        self._store = store
        self._hasher = store.hasher
        self._database = database
        self._read = ReadExcerpts() if read is None else read
        self._ahead = PrefetchedRows(database, self._hasher, with_needs=prefetch)
        self._kept: dict[str, str] = {}

    def get(self, queue_id: str) -> QueueItem | None:
        """
        Return an item, or None.

        Raises:
            MemoryStoreError: Another program has changed it, so no decision on it is possible.
        """
        return self._ahead.item(queue_id)

    def prefetch(self, queue_ids: Sequence[str]) -> None:
        """Fetch these items and the rows that decisions on them need, in one statement."""
        self._ahead.fetch(queue_ids)

    def details(self, item: QueueItem) -> CheckDetails:
        """Return the results of the checks of an item."""
        try:
            return read_details(item.details)
        except (TypeError, ValueError, KeyError, RecursionError):
            pass
        # Raised outside the handler: the other exception may contain values.
        raise store_error(StoreFailure.CORRUPT, self._database.place, "the evidence of a claim")

    def asked(self, user_id: str, asked_hash: str) -> Sequence[QueueItem]:
        """Return the user's pending and rejected items with this submitted text."""
        conditions = "WHERE user_id = ? AND asked_hash = ? AND state IN ('pending', 'processing', 'rejected')"
        return [self._item(row) for row in self._rows(conditions, (user_id, asked_hash))]

    def with_key(self, user_id: str, idempotency_key: str) -> QueueItem | None:
        """Return the user's item with this idempotency key."""
        rows = self._rows("WHERE user_id = ? AND idempotency_key = ?", (user_id, idempotency_key))
        return self._item(rows[0]) if rows else None

    def waiting(self) -> int:
        """Return the number of pending items, including those in progress."""
        return self._number("SELECT items FROM review_waiting", ())

    def waiting_of(self, user_id: str) -> int:
        """Return the number of pending items of one user."""
        statement = "SELECT count(*) FROM review_items WHERE user_id = ? AND listed = 'pending'"
        return self._number(statement, (user_id,))

    def waiting_items(self, user_id: str, memory_type: str | None) -> Sequence[QueueItem]:
        """Return all pending items of one user, of one type or all, including those in progress."""
        conditions, values = "WHERE user_id = ? AND listed = 'pending'", [user_id]
        if memory_type is not None:
            conditions += " AND memory_type = ?"
            values.append(memory_type)
        return [self._item(row) for row in self._rows(f"{conditions} ORDER BY place", values)]

    def overdue(self, now: int, limit: int) -> Sequence[QueueItem]:
        """Return expired items that are not marked as expired."""
        conditions = f"WHERE expires_at <= ? AND {UNLEASED} ORDER BY expires_at LIMIT ?"
        return [self._item(row) for row in self._rows(conditions, (now, now, now, limit))]

    def page(
        self, filters: QueueFilter, now: int, *, after: int, limit: int, newest_first: bool
    ) -> Sequence[QueueItem]:
        """Return items in the order of their places: after *after*, or before it if *newest_first* and it is not 0."""
        page = PageQuery(after=after, limit=limit, newest_first=newest_first)
        items = [self._item(row) for row in self._lists(filters).page(_COLUMNS, page, now)]
        # If positions did not grow, a reader of pages would read the same page forever.
        sign = -1 if newest_first else 1
        start = -sys.maxsize if newest_first and not after else sign * after
        check_increasing((sign * item.place for item in items), start, self._database.place)
        return items

    def excerpts(
        self, filters: QueueFilter, now: int, *, after: int, limit: int, newest_first: bool
    ) -> Sequence[ItemExcerpt]:
        """Return the excerpts of the items of `page`, without reading long texts."""
        page = PageQuery(after=after, limit=limit, newest_first=newest_first)
        return self._excerpts(self._lists(filters).page("place, digest", page, now))

    def excerpts_of(self, queue_ids: Sequence[str]) -> Sequence[ItemExcerpt]:
        """Return the excerpts of these items, in any order, without unknown ids."""
        # PostgreSQL refuses some texts that are not labels.
        asked = [queue_id for queue_id in queue_ids if is_label(queue_id)]
        marks = ", ".join("?" * len(asked))
        return self._excerpts(
            self._rows(f"WHERE queue_id IN ({marks})", asked, columns="place, digest") if asked else []
        )

    def count(self, filters: QueueFilter) -> int:
        """Return the number of items, including those in progress, up to `COUNT_MAX`."""
        return self._lists(filters).count()

    def next_place(self) -> int:
        """Return the place after all others, which is the number of the audit's next event."""
        return self._ahead.last(REVIEW_AUDIT)[0] + 1

    def text_hash(self, text: str) -> str:
        """Return the hash of a claim's text."""
        return self._hasher.of("content", text)

    def person_hash(self, person: str) -> str:
        """Return the hash of a person's name."""
        return self._hasher.of("person", person)

    def keep_name(self, person: str) -> str:
        """Store the name of an actor, and return its hash."""
        if person not in self._kept:
            self._kept[person] = store_actor_name(self._database, self._hasher, person) or ""
        return self._kept[person]

    def names(self, hashes: Iterable[str]) -> Mapping[str, str]:
        """Return the stored names, by their hashes."""
        kept = {person_hash: person for person, person_hash in self._kept.items()}
        wanted = sorted(set(hashes) - kept.keys())
        if not wanted:
            return kept
        marks = ", ".join("?" * len(wanted))
        statement = f"SELECT actor_hash, actor FROM memory_actors WHERE actor_hash IN ({marks})"
        return {**kept, **dict(self._database.execute(statement, wanted))}

    def add(self, item: QueueItem, details: CheckDetails, event: ReviewEventDraft) -> None:
        """Write a new item, and *event* to the audit."""
        digest = item_digest(item, self._hasher)
        group_id = group_of(self._database, item, details)
        self._database.write(_INSERT, (*map(_plain, item), digest, str(list_group(item)), group_id))
        self._database.write("UPDATE review_waiting SET items = items + 1")
        self._append(item, None, digest, event)
        self._ahead.keep(item, digest)

    def change(self, before: QueueItem, after: QueueItem, event: ReviewEventDraft) -> None:
        """Replace *before* by *after*, and write *event* to the audit."""
        before_hash, after_hash = self._ahead.digest(before), item_digest(after, self._hasher)
        # Write only changed columns, so that unchanged indexes are not written.
        changed: dict[str, object] = {"digest": after_hash}
        changed |= {name: new for name, old, new in zip(COLUMNS, before, after, strict=True) if new != old}
        if (listed := list_group(after)) is not list_group(before):
            changed["listed"] = str(listed)
            self._database.write("UPDATE review_waiting SET items = items - 1")
        named = ", ".join(f"{name} = ?" for name in changed)
        values = [_plain(value) for value in changed.values()]
        self._database.write(f"UPDATE review_items SET {named} WHERE place = ?", (*values, before.place))
        self._append(after, before_hash, after_hash, event)
        self._ahead.keep(after, after_hash)

    def remember(self, memory: StoredMemory, event: ReviewEventDraft) -> None:
        """Store a memory in the same transaction, without parents that are not active memories of its user."""
        if memory.parents:
            active = "SELECT 1 FROM memories WHERE id = ? AND user_id = ? AND status = 'active'"
            parents = (one for one in memory.parents if self._database.execute(active, (one, memory.user_id)))
            memory = replace(memory, parents=tuple(parents))
        # Not by the store, whose call would be a nested transaction with two more round trips.
        stored = self._memory_event(AuditAction.STORED, event)
        if not self._ahead.takes(memory.id):
            mutations.check_id_unused(self._database, memory.id)
        last = mutations.insert(self._database, self._hasher, memory, stored, self._ahead.last(MEMORY_AUDIT))
        self._ahead.lasts[MEMORY_AUDIT] = last

    def memory_changes(self, limit: int) -> Sequence[ChangedMemory]:
        """Return memories with a new status that the queue has not processed, at most *limit*, oldest first."""
        statement = """
            SELECT memory_id, time, reason, review_inbox.source, digest
            FROM review_inbox LEFT JOIN memories ON memories.id = memory_id
            ORDER BY time, number LIMIT ?
        """
        changes = []
        for *fields, digest in self._database.execute(statement, (limit,)):
            if self._hasher.digest("change", fields) != digest:
                raise store_error(StoreFailure.CORRUPT, self._database.place, "a change was changed by another program")
            memory_id, time, reason, source = fields
            found = find(self._database, MemoryFilter(memory_id=memory_id))
            memory = found[0] if found else None
            changes.append(ChangedMemory(memory_id=memory_id, time=time, reason=reason, source=source, memory=memory))
        return changes

    def settle_change(self, memory_id: str) -> None:
        """Mark the change of a memory's status as processed."""
        self._database.write("DELETE FROM review_inbox WHERE memory_id = ?", (memory_id,))

    def waiting_for(self, memory_id: str) -> QueueItem | None:
        """Return the pending item of this memory, or None."""
        for condition in ("queue_id = ? AND memory_id = queue_id", "memory_id = ? AND memory_id <> queue_id"):
            if rows := self._rows(f"WHERE {condition} AND state IN ('pending', 'processing')", (memory_id,)):
                return self.get(self._item(rows[0]).queue_id)
        return None

    def free_id(self, memory_id: str) -> str:
        """Return an id that no item and no memory has or had: a memory's id with a number as suffix."""
        for number in count(2):
            suffix = f".{number}"
            name = f"{memory_id[: LABEL_MAX_CHARS - len(suffix)]}{suffix}"
            if not any(self._database.execute(statement, (name,)) for statement in _IDS):
                return name
        raise AssertionError  # unreachable: the numbers do not end

    def reactivate(self, memory_id: str, user_id: str, event: ReviewEventDraft) -> None:
        """Make a memory active again."""
        approved = self._memory_event(AuditAction.APPROVED, event)
        mutations.update_status(self._database, self._hasher, memory_id, user_id, MemoryStatus.ACTIVE, approved)
        self.settle_change(memory_id)
        self._ahead.lasts.pop(MEMORY_AUDIT, None)

    def discard(self, memory_id: str, event: ReviewEventDraft, reason: str) -> None:
        """Erase a memory for *reason*, a label, without its items."""
        erased = self._memory_event(AuditAction.ERASED, event, reason)
        mutations.erase(self._database, self._hasher, "id = ?", (memory_id,), erased)
        self._ahead.lasts.pop(MEMORY_AUDIT, None)

    def events(self, filters: EventFilter, limit: int | None) -> Sequence[ReviewEvent]:
        """Return events of the audit, oldest first."""
        conditions = ["sequence > ?"]
        values: list[object] = [filters.after]
        for column in ("queue_id", "user_hash", "action", "actor_hash"):
            value = getattr(filters, column)
            if value is not None:
                conditions.append(f"{column} = ?")
                values.append(_plain(value))
        statement = (
            f"SELECT {REVIEW_AUDIT.columns}, link FROM review_audit WHERE {' AND '.join(conditions)} ORDER BY sequence"
        )
        if limit is not None:
            statement += " LIMIT ?"
            values.append(limit)
        rows = self._database.execute(statement, values)
        check_increasing((row[0] for row in rows), filters.after, self._database.place)
        names = self.names(row[6] for row in rows if row[6] is not None)
        return [self._entry(row, names) for row in rows]

    def erase_user(self, user_id: str, event: ReviewEventDraft) -> Sequence[str]:
        """Erase a user's items, memories, tokens and name; return the items' ids."""
        ids = [row[0] for row in self._rows("WHERE user_id = ? ORDER BY place", (user_id,), columns="queue_id")]
        self._store.erase_user(user_id, time=as_time(event.time), reason=event.reason or "", actor=event.actor)
        self._kept.pop(user_id, None)
        self._ahead.forget()
        self._read.clear()
        return ids

    def text_of(self, memory_id: str, user_id: str) -> str | None:
        """Return the text of the user's memory or item with this id, or None."""
        for statement in (
            "SELECT content FROM memories WHERE id = ? AND user_id = ?",
            "SELECT content FROM review_items WHERE queue_id = ? AND user_id = ?",
        ):
            rows = self._database.execute(statement, (memory_id, user_id)) if is_label(memory_id) else []
            if rows:
                return str(rows[0][0])
        return None

    def integrity_errors(self, anchor: Anchor | None) -> Sequence[str]:
        """Return the errors of the queue and its store, in messages without private text."""
        return self._store.integrity_errors(anchor, further=CHECKS)

    def anchor(self) -> Anchor:
        """Return the present ends of all audits of the store."""
        return self._store.anchor()

    def _memory_event(
        self, action: AuditAction, event: ReviewEventDraft, reason: str | None = None
    ) -> audit_log.AuditEventDraft:
        """Return the event of a decision for the audit of memories."""
        actor_hash = None if event.actor is None else self.keep_name(event.actor)
        return audit_log.AuditEventDraft(
            time=event.time, action=action, actor=event.actor, reason=reason, actor_hash=actor_hash
        )

    def _lists(self, filters: QueueFilter) -> ListQueries:
        assignee = filters.assigned_to
        return ListQueries(self._database, filters, None if assignee is None else self.person_hash(assignee))

    def _append(self, item: QueueItem, before_hash: str | None, after_hash: str, event: ReviewEventDraft) -> None:
        fields = event_to_row(
            item,
            event,
            user_hash=self._hasher.of("person", item.user_id),
            actor_hash=None if event.actor is None else self.keep_name(event.actor),
            before_hash=before_hash,
            after_hash=after_hash,
        )
        last = self._ahead.last(REVIEW_AUDIT)
        self._ahead.lasts[REVIEW_AUDIT] = REVIEW_AUDIT.append(self._database, self._hasher, [fields], last)

    def _rows(self, rest: str, values: Sequence[object], *, columns: str = _COLUMNS) -> list[Row]:
        return self._database.execute(f"SELECT {columns} FROM review_items {rest}", values)

    def _number(self, statement: str, values: Sequence[object]) -> int:
        return int(self._database.execute(statement, values)[0][0])

    def _item(self, values: Sequence[Any]) -> QueueItem:
        return item_of(values, self._database)

    def _excerpts(self, rows: Sequence[Row]) -> Sequence[ItemExcerpt]:
        """Return the excerpts of rows of place and digest. A digest covers the whole item, so the cache is right."""
        found = {digest: self._read.get(digest) for _, digest in rows}
        unknown = [place for place, digest in rows if found[digest] is None]
        for start in range(0, len(unknown), _ROWS_PER_STATEMENT):
            places = unknown[start : start + _ROWS_PER_STATEMENT]
            conditions = f"WHERE place IN ({', '.join('?' * len(places))})"
            for digest, *row in self._rows(conditions, places, columns=f"digest, {EXCERPT}"):
                found[digest] = self._read.keep(digest, self._excerpt(row))
        return [excerpt for _, digest in rows if (excerpt := found[digest]) is not None]

    def _excerpt(self, row: Sequence[Any]) -> ItemExcerpt:
        *values, content_chars, is_edited, checks = row
        item = self._item(values)
        if not isinstance(checks, str):
            raise store_error(StoreFailure.CORRUPT, self._database.place, "a claim's group")
        details = self.details(item) if item.details else None
        return ItemExcerpt(item, content_chars, bool(is_edited), tuple(checks.split()), details)

    def _entry(self, row: Row, names: Mapping[str, str]) -> ReviewEvent:
        *fields, link = row
        try:
            return row_to_event(fields, link, names.get(fields[6] or ""))
        except (TypeError, ValueError, OverflowError):
            pass
        raise store_error(StoreFailure.CORRUPT, self._database.place, "an entry of the audit")


def _plain(value: object) -> object:
    """Return the value; a subclass of str, which drivers do not know, as a str."""
    return str(value) if isinstance(value, str) else value
