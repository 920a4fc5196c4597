"""The queue in the database of a memory store, in SQL that SQLite and PostgreSQL share."""

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
from groundwire.review.database_ahead import Ahead, item_of
from groundwire.review.database_lists import EXCERPT, UNLEASED, Lists, Page, ReadExcerpts, group_of
from groundwire.review.details import Details, read_details
from groundwire.review.entries import entry_of, fields_of
from groundwire.review.items import COLUMNS, Excerpt, Item, digest_of, listed_state
from groundwire.review.records import ReviewEntry
from groundwire.review.soundness import CHECKS
from groundwire.review.storage import Deed, EntryFilters, Filters, MemoryChange

__all__ = ["QueueRepository", "QueueTransaction"]

_COLUMNS = ", ".join(f"review_items.{name}" for name in COLUMNS)
_IN_MEMORY = ":memory:"

# So many rows are read with one statement.
_TOGETHER = 500
_INSERT = (
    f"INSERT INTO review_items ({', '.join(COLUMNS)}, digest, listed, group_id) VALUES (?{', ?' * (len(COLUMNS) + 2)})"
)

# Where an id is or was somebody's.
_IDS = (
    "SELECT 1 FROM review_items WHERE queue_id = ?",
    "SELECT 1 FROM review_audit WHERE queue_id = ? LIMIT 1",
    "SELECT 1 FROM memory_audit WHERE memory_id = ? LIMIT 1",
)


class QueueRepository:
    """
    Hands out transactions of the queue, which are those of a memory store.

    Args:
        store: A store or its location. None: a private SQLite database in memory, which ends with the process
            and keeps no memories.

    Attributes:
        keeps_memories: Whether approved claims can be stored in the same database.
    """

    def __init__(self, store: MemoryStore | str | Path | None) -> None:
        self.keeps_memories = store is not None
        self._is_own = not isinstance(store, MemoryStore)
        self._store = store if isinstance(store, MemoryStore) else MemoryStore(_IN_MEMORY if store is None else store)
        self._read = ReadExcerpts()

    @contextmanager
    def reading(self) -> Iterator["QueueTransaction"]:
        """Yield the queue as it is at one moment."""
        with self._store.snapshot() as database:
            yield QueueTransaction(self._store, database, self._read, is_ahead=False)

    @contextmanager
    def writing(self) -> Iterator["QueueTransaction"]:
        """Yield the queue to write to. The changes are committed at the end; an exception undoes all of them."""
        with self._store.transaction() as database:
            yield QueueTransaction(self._store, database, self._read)

    def close(self) -> None:
        """Close the store, unless the caller opened it."""
        if self._is_own:
            self._store.close()


class QueueTransaction:
    """
    The queue within one transaction.

    Parameters:
        store: Where memories are kept as well.
        database: Its transaction.
        read: The excerpts that were read before; None for none.
        is_ahead: Whether an item is read with what a decision about it needs besides.
    """

    def __init__(
        self, store: MemoryStore, database: Database, read: ReadExcerpts | None = None, *, is_ahead: bool = True
    ) -> None:
        self._store = store
        self._hasher = store.hasher
        self._database = database
        self._read = ReadExcerpts() if read is None else read
        self._ahead = Ahead(database, self._hasher, with_needs=is_ahead)
        self._kept: dict[str, str] = {}

    def get(self, queue_id: str) -> Item | None:
        """
        Return an item; raises if it is not as it was written.

        What somebody else has changed is not decided about: it is not what was submitted.
        """
        return self._ahead.item(queue_id)

    def look_ahead(self, queue_ids: Sequence[str]) -> None:
        """Read at once what `get` and a decision about each of these items will need."""
        self._ahead.look(queue_ids)

    def details(self, item: Item) -> Details:
        """Return what the checks said."""
        try:
            return read_details(item.details)
        except (TypeError, ValueError, KeyError, RecursionError):
            pass
        # Outside the handler: the other exception may carry values.
        raise store_error(StoreFailure.CORRUPT, self._database.place, "the evidence of a claim")

    def asked(self, user_id: str, asked_hash: str) -> Sequence[Item]:
        """Return the user's items that were submitted with this text, and wait or were rejected."""
        conditions = "WHERE user_id = ? AND asked_hash = ? AND state IN ('pending', 'processing', 'rejected')"
        return [self._item(row) for row in self._rows(conditions, (user_id, asked_hash))]

    def with_key(self, user_id: str, idempotency_key: str) -> Item | None:
        """Return the user's item that was submitted with this key."""
        rows = self._rows("WHERE user_id = ? AND idempotency_key = ?", (user_id, idempotency_key))
        return self._item(rows[0]) if rows else None

    def waiting(self) -> int:
        """Return how many wait, those that are being decided too."""
        return self._number("SELECT items FROM review_waiting", ())

    def waiting_of(self, user_id: str) -> int:
        """Return how many of them are one user's."""
        statement = "SELECT count(*) FROM review_items WHERE user_id = ? AND listed = 'pending'"
        return self._number(statement, (user_id,))

    def overdue(self, now: int, limit: int) -> Sequence[Item]:
        """Return those that have expired and have not been marked so."""
        conditions = f"WHERE expires_at <= ? AND {UNLEASED} ORDER BY expires_at LIMIT ?"
        return [self._item(row) for row in self._rows(conditions, (now, now, now, limit))]

    def page(self, filters: Filters, now: int, *, after: int, limit: int, newest_first: bool) -> Sequence[Item]:
        """Return items by their places: after *after*, or before it if the newest come first and it is not 0."""
        page = Page(after=after, limit=limit, newest_first=newest_first)
        items = [self._item(row) for row in self._lists(filters).page(_COLUMNS, page, now)]
        # A page that does not go on would be asked for again for ever.
        sign = -1 if newest_first else 1
        start = -sys.maxsize if newest_first and not after else sign * after
        check_increasing((sign * item.place for item in items), start, self._database.place)
        return items

    def excerpts(self, filters: Filters, now: int, *, after: int, limit: int, newest_first: bool) -> Sequence[Excerpt]:
        """Return the items of `page` as lists need them, without reading long texts."""
        page = Page(after=after, limit=limit, newest_first=newest_first)
        return self._excerpts(self._lists(filters).page("place, digest", page, now))

    def excerpts_of(self, queue_ids: Sequence[str]) -> Sequence[Excerpt]:
        """Return these items as lists need them, in any order; ids that are unknown are left out."""
        # PostgreSQL refuses some of what is no id.
        asked = [queue_id for queue_id in queue_ids if is_label(queue_id)]
        marks = ", ".join("?" * len(asked))
        return self._excerpts(
            self._rows(f"WHERE queue_id IN ({marks})", asked, columns="place, digest") if asked else []
        )

    def count(self, filters: Filters) -> int:
        """Return how many there are, those that are being decided too; up to `COUNT_MAX`."""
        return self._lists(filters).count()

    def next_place(self) -> int:
        """Return the place behind all others, which is the number of the audit's next entry."""
        return self._ahead.last(REVIEW_AUDIT)[0] + 1

    def text_hash(self, text: str) -> str:
        """Return the hash of a claim."""
        return self._hasher.of("content", text)

    def person_hash(self, person: str) -> str:
        """Return the hash of somebody's name."""
        return self._hasher.of("person", person)

    def keep_name(self, person: str) -> str:
        """Keep the name of somebody who does something, and return its hash."""
        if person not in self._kept:
            self._kept[person] = store_actor_name(self._database, self._hasher, person) or ""
        return self._kept[person]

    def names(self, hashes: Iterable[str]) -> Mapping[str, str]:
        """Return the names that are kept, by their hashes."""
        kept = {person_hash: person for person, person_hash in self._kept.items()}
        wanted = sorted(set(hashes) - kept.keys())
        if not wanted:
            return kept
        marks = ", ".join("?" * len(wanted))
        statement = f"SELECT actor_hash, actor FROM memory_actors WHERE actor_hash IN ({marks})"
        return {**kept, **dict(self._database.execute(statement, wanted))}

    def add(self, item: Item, details: Details, deed: Deed) -> None:
        """Write a new item, and *deed* in the audit."""
        digest = digest_of(item, self._hasher)
        group_id = group_of(self._database, item, details)
        self._database.write(_INSERT, (*map(_plain, item), digest, str(listed_state(item)), group_id))
        self._database.write("UPDATE review_waiting SET items = items + 1")
        self._append(item, None, digest, deed)
        self._ahead.keep(item, digest)

    def change(self, before: Item, after: Item, deed: Deed) -> None:
        """Write *after* in the place of *before*, and *deed* in the audit."""
        before_hash, after_hash = self._ahead.digest(before), digest_of(after, self._hasher)
        # What is not named is not written, nor the indexes that hold it.
        changed: dict[str, object] = {"digest": after_hash}
        changed |= {name: new for name, old, new in zip(COLUMNS, before, after, strict=True) if new != old}
        if (listed := listed_state(after)) is not listed_state(before):
            changed["listed"] = str(listed)
            self._database.write("UPDATE review_waiting SET items = items - 1")
        named = ", ".join(f"{name} = ?" for name in changed)
        values = [_plain(value) for value in changed.values()]
        self._database.write(f"UPDATE review_items SET {named} WHERE place = ?", (*values, before.place))
        self._append(after, before_hash, after_hash, deed)
        self._ahead.keep(after, after_hash)

    def remember(self, memory: StoredMemory, deed: Deed) -> None:
        """Store a memory in the same transaction, with those of its parents that are active memories of its user."""
        if memory.parents:
            active = "SELECT 1 FROM memories WHERE id = ? AND user_id = ? AND status = 'active'"
            parents = (one for one in memory.parents if self._database.execute(active, (one, memory.user_id)))
            memory = replace(memory, parents=tuple(parents))
        # Not by the store itself, whose call would be a transaction inside this one: two more questions to a server.
        stored = self._memory_deed(AuditAction.STORED, deed)
        if not self._ahead.takes(memory.id):
            mutations.check_id_unused(self._database, memory.id)
        last = mutations.insert(self._database, self._hasher, memory, stored, self._ahead.last(MEMORY_AUDIT))
        self._ahead.lasts[MEMORY_AUDIT] = last

    def memory_changes(self, limit: int) -> Sequence[MemoryChange]:
        """Return memories whose status has changed since the queue looked last, at most *limit*, oldest first."""
        statement = """
            SELECT memory_id, time, reason, review_inbox.source, digest
            FROM review_inbox LEFT JOIN memories ON memories.id = memory_id
            ORDER BY time, number LIMIT ?
        """
        changes = []
        for *said, digest in self._database.execute(statement, (limit,)):
            if self._hasher.digest("change", said) != digest:
                raise store_error(StoreFailure.CORRUPT, self._database.place, "a change is not as it was written")
            memory_id, time, reason, source = said
            found = find(self._database, MemoryFilter(memory_id=memory_id))
            memory = found[0] if found else None
            changes.append(MemoryChange(memory_id=memory_id, time=time, reason=reason, source=source, memory=memory))
        return changes

    def settle_change(self, memory_id: str) -> None:
        """Forget that the status of a memory has changed: the queue has looked at it."""
        self._database.write("DELETE FROM review_inbox WHERE memory_id = ?", (memory_id,))

    def waiting_for(self, memory_id: str) -> Item | None:
        """Return the item by which this memory waits for review again; None if it does not."""
        for condition in ("queue_id = ? AND memory_id = queue_id", "memory_id = ? AND memory_id <> queue_id"):
            if rows := self._rows(f"WHERE {condition} AND state IN ('pending', 'processing')", (memory_id,)):
                return self.get(self._item(rows[0]).queue_id)
        return None

    def free_id(self, memory_id: str) -> str:
        """Return an id that neither an item nor a memory has or had: that of a memory with a number behind it."""
        for number in count(2):
            suffix = f".{number}"
            name = f"{memory_id[: LABEL_MAX_CHARS - len(suffix)]}{suffix}"
            if not any(self._database.execute(statement, (name,)) for statement in _IDS):
                return name
        raise AssertionError  # the numbers do not end

    def reactivate(self, memory_id: str, user_id: str, deed: Deed) -> None:
        """Make a memory active again."""
        approved = self._memory_deed(AuditAction.APPROVED, deed)
        mutations.update_status(self._database, self._hasher, memory_id, user_id, MemoryStatus.ACTIVE, approved)
        self.settle_change(memory_id)
        self._ahead.lasts.pop(MEMORY_AUDIT, None)

    def discard(self, memory_id: str, deed: Deed, reason: str) -> None:
        """Erase a memory, for *reason*, a label, and leave its items."""
        erased = self._memory_deed(AuditAction.ERASED, deed, reason)
        mutations.erase(self._database, self._hasher, "id = ?", (memory_id,), erased)
        self._ahead.lasts.pop(MEMORY_AUDIT, None)

    def entries(self, filters: EntryFilters, limit: int | None) -> Sequence[ReviewEntry]:
        """Return entries of the audit, first to last."""
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

    def erase_user(self, user_id: str, deed: Deed) -> Sequence[str]:
        """
        Erase a user's items and name, and what else of them is kept in the same place; return the items' ids.

        With the user's memories and tokens.
        """
        ids = [row[0] for row in self._rows("WHERE user_id = ? ORDER BY place", (user_id,), columns="queue_id")]
        self._store.erase_user(user_id, time=as_time(deed.time), reason=deed.reason or "", actor=deed.actor)
        self._kept.pop(user_id, None)
        self._ahead.forget()
        self._read.clear()
        return ids

    def text_of(self, memory_id: str, user_id: str) -> str | None:
        """Return what the user's memory of this id says, or the claim that waits under it."""
        for statement in (
            "SELECT content FROM memories WHERE id = ? AND user_id = ?",
            "SELECT content FROM review_items WHERE queue_id = ? AND user_id = ?",
        ):
            rows = self._database.execute(statement, (memory_id, user_id)) if is_label(memory_id) else []
            if rows:
                return str(rows[0][0])
        return None

    def faults(self, anchor: Anchor | None) -> Sequence[str]:
        """
        Return what is not as it was written, or as *anchor* has it, in words that hold no text.

        And what is wrong with the store.
        """
        return self._store.faults(anchor, further=CHECKS)

    def anchor(self) -> Anchor:
        """Return how far the audits go. Of all audits of the store."""
        return self._store.anchor()

    def _memory_deed(self, action: AuditAction, deed: Deed, reason: str | None = None) -> audit_log.AuditEventDraft:
        """What the audit of memories says of a decision about one."""
        actor_hash = None if deed.actor is None else self.keep_name(deed.actor)
        return audit_log.AuditEventDraft(
            time=deed.time, action=action, actor=deed.actor, reason=reason, actor_hash=actor_hash
        )

    def _lists(self, filters: Filters) -> Lists:
        assignee = filters.assigned_to
        return Lists(self._database, filters, None if assignee is None else self.person_hash(assignee))

    def _append(self, item: Item, before_hash: str | None, after_hash: str, deed: Deed) -> None:
        fields = fields_of(
            item,
            deed,
            user_hash=self._hasher.of("person", item.user_id),
            actor_hash=None if deed.actor is None else self.keep_name(deed.actor),
            before_hash=before_hash,
            after_hash=after_hash,
        )
        last = self._ahead.last(REVIEW_AUDIT)
        self._ahead.lasts[REVIEW_AUDIT] = REVIEW_AUDIT.append(self._database, self._hasher, [fields], last)

    def _rows(self, rest: str, values: Sequence[object], *, columns: str = _COLUMNS) -> list[Row]:
        return self._database.execute(f"SELECT {columns} FROM review_items {rest}", values)

    def _number(self, statement: str, values: Sequence[object]) -> int:
        return int(self._database.execute(statement, values)[0][0])

    def _item(self, values: Sequence[Any]) -> Item:
        return item_of(values, self._database)

    def _excerpts(self, rows: Sequence[Row]) -> Sequence[Excerpt]:
        """The excerpts of rows of place and digest. A digest is of all that is known: what was read stays true."""
        found = {digest: self._read.get(digest) for _, digest in rows}
        unknown = [place for place, digest in rows if found[digest] is None]
        for start in range(0, len(unknown), _TOGETHER):
            places = unknown[start : start + _TOGETHER]
            conditions = f"WHERE place IN ({', '.join('?' * len(places))})"
            for digest, *row in self._rows(conditions, places, columns=f"digest, {EXCERPT}"):
                found[digest] = self._read.keep(digest, self._excerpt(row))
        return [excerpt for _, digest in rows if (excerpt := found[digest]) is not None]

    def _excerpt(self, row: Sequence[Any]) -> Excerpt:
        *values, content_chars, is_edited, checks = row
        item = self._item(values)
        details = self.details(item) if item.details else None
        return Excerpt(item, content_chars, bool(is_edited), tuple(checks.split()), details)

    def _entry(self, row: Row, names: Mapping[str, str]) -> ReviewEntry:
        *said, link = row
        try:
            return entry_of(said, link, names.get(said[6] or ""))
        except (TypeError, ValueError, OverflowError):
            pass
        raise store_error(StoreFailure.CORRUPT, self._database.place, "an entry of the audit")


def _plain(value: object) -> object:
    """The value without subclasses of str, which drivers do not know."""
    return str(value) if isinstance(value, str) else value
