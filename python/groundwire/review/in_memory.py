"""The queue in the memory of one process, as the specification prints it; it ends with the process."""

import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush, merge
from itertools import islice
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

# Type, source and failed check; the empty check is that of all.
_Kind = tuple[str, str, str]


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
        self._items: dict[str, Item] = {}
        self._details: dict[str, Details] = {}
        self._kinds: dict[str, list[_Kind]] = {}
        self._lists: defaultdict[tuple[QueueState, str | None], _List] = defaultdict(_List)
        self._at: dict[int, str] = {}
        self._asked: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        self._keys: dict[tuple[str, str], str] = {}
        self._expiring: list[tuple[int, str]] = []
        self._names: dict[str, str] = {}
        self._audit = _Audit(hasher, self._person_hash)

    def get(self, queue_id: str) -> Item | None:
        """See `Items`."""
        return self._items.get(queue_id)

    def details(self, item: Item) -> Details:
        """See `Items`."""
        return self._details[item.queue_id]

    def asked(self, user_id: str, asked_hash: str) -> Sequence[Item]:
        """See `Items`."""
        items = [self._items[queue_id] for queue_id in self._asked.get((user_id, asked_hash), ())]
        return [item for item in items if not item.state.is_final or item.state is QueueState.REJECTED]

    def with_key(self, user_id: str, idempotency_key: str) -> Item | None:
        """See `Items`."""
        return self.get(self._keys.get((user_id, idempotency_key), ""))

    def waiting(self) -> int:
        """See `Items`."""
        return self._lists[QueueState.PENDING, None].length

    def waiting_of(self, user_id: str) -> int:
        """See `Items`."""
        return self._lists[QueueState.PENDING, user_id].length

    def overdue(self, now: int, limit: int) -> Sequence[Item]:
        """See `Items`."""
        due: list[Item] = []
        overdue: list[Item] = []
        while self._expiring and self._expiring[0][0] <= now and len(overdue) < limit:
            item = self._items[heappop(self._expiring)[1]]
            # Decided ones have no such time any more, and need not be looked at again.
            if item.expires_at is not None:
                due.append(item)
                if not is_leased(item, now):
                    overdue.append(item)
        for item in due:
            heappush(self._expiring, (item.expires_at or 0, item.queue_id))
        return overdue

    def page(self, filters: Filters, now: int, *, after: int, limit: int, newest_first: bool) -> Sequence[Item]:
        """See `Items`: the places of each kind that is wanted, merged until the page is full."""
        kinds = self._lists[filters.state, filters.user_id].wanted(filters)
        if newest_first:
            places = merge(*(one.before(after or None) for one in kinds), reverse=True)
        else:
            places = merge(*(one.after(after) for one in kinds))
        items = (self._items[self._at[place]] for place in places)
        there = (item for item in items if item.state.is_final or is_waiting(item, now))
        return list(islice(there, limit))

    def count(self, filters: Filters) -> int:
        """See `Items`."""
        kinds = self._lists[filters.state, filters.user_id].wanted(filters)
        return min(sum(map(len, kinds)), COUNT_MAX)

    def next_place(self) -> int:
        """See `Items`."""
        return self._audit.length + 1

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

    def add(self, item: Item, details: Details, deed: Deed) -> None:
        """See `Items`. What was written is read again: the caller's metadata may change, and what is kept may not."""
        self._details[item.queue_id] = details = read_details(item.details)
        checks = ("", *failed_checks(details))
        self._kinds[item.queue_id] = [(item.memory_type, item.source, check) for check in checks]
        self._asked[item.user_id, item.asked_hash].append(item.queue_id)
        if item.idempotency_key is not None:
            self._keys[item.user_id, item.idempotency_key] = item.queue_id
        if item.expires_at is not None:
            heappush(self._expiring, (item.expires_at, item.queue_id))
        self._list(item)
        self._keep(None, item, deed)

    def change(self, before: Item, after: Item, deed: Deed) -> None:
        """See `Items`."""
        if before.place != after.place or listed_state(before) is not listed_state(after):
            self._unlist(before)
            self._list(after)
        self._keep(before, after, deed)

    def remember(self, memory: StoredMemory, deed: Deed) -> None:
        """See `Items`. Nobody calls it, for there is no memory here."""
        raise NotImplementedError

    def entries(self, filters: EntryFilters, limit: int | None) -> Sequence[ReviewEntry]:
        """See `Items`."""
        return self._audit.entries(filters, limit, self._names)

    def text_of(self, memory_id: str, user_id: str) -> str | None:
        """See `Items`: there are claims alone here."""
        item = self.get(memory_id)
        return item.content if item is not None and item.user_id == user_id else None

    def faults(self) -> Sequence[str]:
        """See `Items`: nobody else can write here."""
        return []

    def _keep(self, before: Item | None, after: Item, deed: Deed) -> None:
        self._items[after.queue_id] = after
        if deed.actor is not None:
            self.keep_name(deed.actor)
        self._audit.append(before, after, deed)

    def _list(self, item: Item) -> None:
        """Put an item on the lists it belongs to."""
        self._at[item.place] = item.queue_id
        state, kinds = listed_state(item), self._kinds[item.queue_id]
        for user_id in (None, item.user_id):
            self._lists[state, user_id].add(item.place, kinds)

    def _unlist(self, item: Item) -> None:
        """Take an item from the lists it was on."""
        del self._at[item.place]
        state, kinds = listed_state(item), self._kinds[item.queue_id]
        for user_id in (None, item.user_id):
            self._lists[state, user_id].remove(item.place, kinds)


class _List:
    """
    The items of one state, of one user or of all: the places of each kind.

    An item is of as many kinds as it failed checks, and of one more; of those with one and
    the same check it is of one.
    """

    __slots__ = ("kinds", "length")

    def __init__(self) -> None:
        self.length = 0
        self.kinds: defaultdict[_Kind, Places] = defaultdict(Places)

    def add(self, place: int, kinds: Sequence[_Kind]) -> None:
        """Add an item of those kinds."""
        self.length += 1
        for kind in kinds:
            self.kinds[kind].add(place)

    def remove(self, place: int, kinds: Sequence[_Kind]) -> None:
        """Remove an item that is there."""
        self.length -= 1
        for kind in kinds:
            self.kinds[kind].remove(place)

    def wanted(self, filters: Filters) -> list[Places]:
        """Return the kinds of *filters*; no item is in two of them."""
        return [
            places
            for (memory_type, source, check), places in self.kinds.items()
            if check == (filters.failed_check or "")
            and filters.memory_type in (None, memory_type)
            and filters.source in (None, source)
        ]


class _Audit:
    """What was done, bound entry by entry when somebody asks for it: items are never changed, only replaced."""

    def __init__(self, hasher: Hasher, person_hash: Callable[[str], str]) -> None:
        self._hasher = hasher
        self._person_hash = person_hash
        self._done: list[tuple[Item | None, Item, Deed]] = []
        self._bound: list[tuple[tuple[Any, ...], str]] = []
        self._numbers: defaultdict[str, list[int]] = defaultdict(list)

    @property
    def length(self) -> int:
        """How many entries there are."""
        return len(self._done)

    def append(self, before: Item | None, after: Item, deed: Deed) -> None:
        """Add an entry."""
        self._done.append((before, after, deed))

    def entries(self, filters: EntryFilters, limit: int | None, names: Mapping[str, str]) -> list[ReviewEntry]:
        """Return entries, as `Items` says."""
        for done in self._done[len(self._bound) :]:
            self._bind(*done)
        numbers: Iterable[int] = range(filters.after + 1, self.length + 1)
        if filters.queue_id is not None:
            numbers = (number for number in self._numbers.get(filters.queue_id, ()) if number > filters.after)
        rows = (self._bound[number - 1] for number in numbers)
        wanted = ((row, link) for row, link in rows if filters.user_hash in (None, row[4]))
        return [entry_of(row, link, names.get(row[6])) for row, link in islice(wanted, limit)]

    def _bind(self, before: Item | None, after: Item, deed: Deed) -> None:
        fields = fields_of(
            after,
            deed,
            user_hash=self._person_hash(after.user_id),
            actor_hash=None if deed.actor is None else self._person_hash(deed.actor),
            before_hash=None if before is None else digest_of(before, self._hasher),
            after_hash=digest_of(after, self._hasher),
        )
        row = (len(self._bound) + 1, *fields)
        self._bound.append((row, self._hasher.link(self._bound[-1][1] if self._bound else "", row)))
        self._numbers[after.queue_id].append(len(self._bound))
