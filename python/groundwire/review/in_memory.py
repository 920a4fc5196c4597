"""The queue in the memory of one process, as the specification prints it; it ends with the process."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import islice, product
from threading import Lock
from types import TracebackType
from typing import Any

from groundwire.memory import StoredMemory
from groundwire.memory.hashes import Hasher
from groundwire.review.details import Details, failed_checks, read_details
from groundwire.review.entries import entry_of, fields_of
from groundwire.review.items import Item, digest_of, is_leased, is_waiting, listed_state
from groundwire.review.places import Places
from groundwire.review.records import QueueState, ReviewEntry
from groundwire.review.storage import COUNT_MAX, Deed, EntryFilters, Filters

__all__ = ["InMemory"]

# State, user, type, source and failed check; None where that does not matter.
_Kind = tuple[QueueState, str | None, str | None, str | None, str | None]

_ALL_WAITING: _Kind = (QueueState.PENDING, None, None, None, None)


class InMemory:
    """
    A storage whose transactions are the turns of threads.

    What is written in one of them has been checked before, so there is nothing to undo.
    """

    can_remember = False
    waits = False

    def __init__(self) -> None:
        self._lock = Lock()
        self._items = _Items(Hasher(secrets.token_bytes(32)))

    def reading(self) -> "InMemory":
        """See `Storage`."""
        return self

    writing = reading

    def __enter__(self) -> "_Items":
        self._lock.acquire()
        return self._items

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def close(self) -> None:
        """See `Storage`: what is in memory goes with it."""


class _Items:
    """See `Items`."""

    def __init__(self, hasher: Hasher) -> None:
        self._hasher = hasher
        self._person_hash = lru_cache(maxsize=1024)(lambda person: hasher.of("person", person))
        self._items: dict[str, tuple[Item, str]] = {}
        self._details: dict[str, Details] = {}
        self._at: dict[int, str] = {}
        self._listed: defaultdict[tuple[QueueState, str | None], Places] = defaultdict(Places)
        self._counts: Counter[_Kind] = Counter()
        self._asked: dict[tuple[str, str], str] = {}
        self._keys: dict[tuple[str, str], str] = {}
        self._expiring: list[tuple[int, str]] = []
        self._names: dict[str, str] = {}
        self._entries: list[tuple[tuple[Any, ...], str]] = []
        self._entries_of: defaultdict[str, list[int]] = defaultdict(list)

    def get(self, queue_id: str) -> Item | None:
        """See `Items`."""
        found = self._items.get(queue_id)
        return None if found is None else found[0]

    def details(self, item: Item) -> Details:
        """See `Items`."""
        return self._details[item.queue_id]

    def last_asked(self, user_id: str, asked_hash: str) -> Item | None:
        """See `Items`."""
        return self.get(self._asked.get((user_id, asked_hash), ""))

    def with_key(self, user_id: str, idempotency_key: str) -> Item | None:
        """See `Items`."""
        return self.get(self._keys.get((user_id, idempotency_key), ""))

    def waiting(self) -> int:
        """See `Items`."""
        return self._counts[_ALL_WAITING]

    def waiting_of(self, user_id: str) -> int:
        """See `Items`."""
        return self._counts[QueueState.PENDING, user_id, None, None, None]

    def overdue(self, now: int, limit: int) -> Sequence[Item]:
        """See `Items`."""
        due: list[Item] = []
        overdue: list[Item] = []
        while self._expiring and self._expiring[0][0] <= now and len(overdue) < limit:
            item = self._items[heappop(self._expiring)[1]][0]
            # Decided ones have no such time any more, and need not be looked at again.
            if item.expires_at is not None:
                due.append(item)
                if not is_leased(item, now):
                    overdue.append(item)
        for item in due:
            heappush(self._expiring, (item.expires_at or 0, item.queue_id))
        return overdue

    def page(self, filters: Filters, now: int, *, after: int, limit: int, newest_first: bool) -> Sequence[Item]:
        """See `Items`: reads on from a place until the page is full."""
        listed = self._listed.get((filters.state, filters.user_id))
        if listed is None:
            return []
        places = listed.before(after or None) if newest_first else listed.after(after)
        return list(islice(self._wanted(places, filters, now), limit))

    def count(self, filters: Filters) -> int:
        """See `Items`."""
        kind = (filters.state, filters.user_id, filters.memory_type, filters.source, filters.failed_check)
        return min(self._counts[kind], COUNT_MAX)

    def next_place(self) -> int:
        """See `Items`."""
        return len(self._entries) + 1

    def text_hash(self, text: str) -> str:
        """See `Items`."""
        return self._hasher.of("content", text)

    def person_hash(self, person: str) -> str:
        """See `Items`."""
        return self._person_hash(person)

    def keep_name(self, person: str) -> str:
        """See `Items`."""
        person_hash = self._person_hash(person)
        self._names[person_hash] = person
        return person_hash

    def names(self, hashes: Iterable[str]) -> Mapping[str, str]:
        """See `Items`."""
        return {one: self._names[one] for one in hashes if one in self._names}

    def add(self, item: Item, details: Details, deed: Deed) -> None:  # noqa: ARG002
        """See `Items`. What was written is read again: the caller's metadata may change, and what is kept may not."""
        self._write(item, None, deed)
        self._details[item.queue_id] = read_details(item.details)
        self._asked[item.user_id, item.asked_hash] = item.queue_id
        if item.idempotency_key is not None:
            self._keys[item.user_id, item.idempotency_key] = item.queue_id
        if item.expires_at is not None:
            heappush(self._expiring, (item.expires_at, item.queue_id))
        self._list(item)

    def change(self, before: Item, after: Item, deed: Deed) -> None:
        """See `Items`."""
        self._write(after, self._items[before.queue_id][1], deed)
        if before.place != after.place or listed_state(before) is not listed_state(after):
            self._list(before, gone=True)
            self._list(after)

    def remember(self, memory: StoredMemory, deed: Deed) -> None:
        """See `Items`. Nobody calls it, for there is no memory here."""
        raise NotImplementedError

    def entries(self, filters: EntryFilters, limit: int | None) -> Sequence[ReviewEntry]:
        """See `Items`."""
        numbers: Iterable[int] = range(filters.after + 1, len(self._entries) + 1)
        if filters.queue_id is not None:
            numbers = (number for number in self._entries_of.get(filters.queue_id, ()) if number > filters.after)
        rows = (self._entries[number - 1] for number in numbers)
        wanted = ((row, link) for row, link in rows if filters.user_hash in (None, row[4]))
        return [entry_of(row, link, self._names.get(row[6])) for row, link in islice(wanted, limit)]

    def text_of(self, memory_id: str, user_id: str) -> str | None:
        """See `Items`: there are claims alone here."""
        item = self.get(memory_id)
        return item.content if item is not None and item.user_id == user_id else None

    def faults(self) -> Sequence[str]:
        """See `Items`: nobody else can write here."""
        return []

    def _write(self, item: Item, before_hash: str | None, deed: Deed) -> None:
        """Keep the item, and what was done in the audit."""
        digest = digest_of(item, self._hasher)
        fields = fields_of(
            item,
            deed,
            user_hash=self._person_hash(item.user_id),
            actor_hash=None if deed.actor is None else self.keep_name(deed.actor),
            before_hash=before_hash,
            after_hash=digest,
        )
        row = (len(self._entries) + 1, *fields)
        previous = self._entries[-1][1] if self._entries else ""
        self._entries.append((row, self._hasher.link(previous, row)))
        self._entries_of[item.queue_id].append(len(self._entries))
        self._items[item.queue_id] = (item, digest)

    def _list(self, item: Item, *, gone: bool = False) -> None:
        """Put an item on the lists and counts it belongs to, or take it from them."""
        state = listed_state(item)
        for user_id in (None, item.user_id):
            if gone:
                self._listed[state, user_id].remove(item.place)
            else:
                self._listed[state, user_id].add(item.place)
        if gone:
            del self._at[item.place]
        else:
            self._at[item.place] = item.queue_id
        checks = (None, *failed_checks(self._details[item.queue_id]))
        kinds = product((state,), (None, item.user_id), (None, item.memory_type), (None, item.source), checks)
        change = -1 if gone else 1
        for kind in kinds:
            self._counts[kind] += change

    def _wanted(self, places: Iterable[int], filters: Filters, now: int) -> Iterator[Item]:
        for place in places:
            item = self._items[self._at[place]][0]
            if (
                filters.memory_type in (None, item.memory_type)
                and filters.source in (None, item.source)
                and (
                    filters.failed_check is None or filters.failed_check in failed_checks(self._details[item.queue_id])
                )
                and (item.state.is_final or is_waiting(item, now))
            ):
                yield item
