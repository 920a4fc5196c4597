"""The queue in the memory of one process, as the specification prints it; it ends with the process."""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush, merge
from itertools import islice
from threading import Lock
from types import TracebackType

from groundwire.memory import Anchor, StoredMemory
from groundwire.memory.hashes import Hasher
from groundwire.review.details import Details, failed_checks, read_details
from groundwire.review.in_memory_audit import MemoryAudit
from groundwire.review.in_memory_lists import Kind, KindList
from groundwire.review.items import Excerpt, Item, excerpt_of, is_leased, is_waiting, listed_state
from groundwire.review.places import Places
from groundwire.review.records import QueueState, ReviewEntry
from groundwire.review.storage import COUNT_MAX, Deed, EntryFilters, Filters, MemoryChange

__all__ = ["InMemory"]

# Of which list: state, whose, and the hash of who was asked to decide; None for all.
_Of = tuple[QueueState, str | None, str | None]


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
        self._kinds: dict[str, list[Kind]] = {}
        self._lists: defaultdict[_Of, KindList] = defaultdict(KindList)
        self._at: dict[int, str] = {}
        self._asked: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        self._keys: dict[tuple[str, str], str] = {}
        self._expiring: list[tuple[int, str]] = []
        self._names: dict[str, str] = {}
        self._audit = MemoryAudit(hasher, self._person_hash)

    def get(self, queue_id: str) -> Item | None:
        """See `Items`."""
        return self._items.get(queue_id)

    def look_ahead(self, queue_ids: Sequence[str]) -> None:
        """See `Items`: it is all here."""

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
        return self._lists[QueueState.PENDING, None, None].length

    def waiting_of(self, user_id: str) -> int:
        """See `Items`."""
        return self._lists[QueueState.PENDING, user_id, None].length

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
        kinds = self._wanted(filters)
        if newest_first:
            places = merge(*(one.before(after or None) for one in kinds), reverse=True)
        else:
            places = merge(*(one.after(after) for one in kinds))
        items = (self._items[self._at[place]] for place in places)
        there = (item for item in items if item.state.is_final or is_waiting(item, now))
        return list(islice(there, limit))

    def excerpts(self, filters: Filters, now: int, *, after: int, limit: int, newest_first: bool) -> Sequence[Excerpt]:
        """See `Items`."""
        page = self.page(filters, now, after=after, limit=limit, newest_first=newest_first)
        return [self._excerpt(item) for item in page]

    def excerpts_of(self, queue_ids: Sequence[str]) -> Sequence[Excerpt]:
        """See `Items`."""
        return [self._excerpt(self._items[queue_id]) for queue_id in queue_ids if queue_id in self._items]

    def count(self, filters: Filters) -> int:
        """See `Items`."""
        return min(sum(map(len, self._wanted(filters))), COUNT_MAX)

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
        if before.details != after.details:
            self._details[after.queue_id] = read_details(after.details)
        moves = before.place != after.place or before.assignee_hash != after.assignee_hash
        if moves or listed_state(before) is not listed_state(after):
            self._unlist(before)
            self._list(after)
        self._keep(before, after, deed)

    def remember(self, memory: StoredMemory, deed: Deed) -> None:
        """See `Items`. Nobody calls it, for there is no memory here."""
        raise NotImplementedError

    def memory_changes(self, limit: int) -> Sequence[MemoryChange]:  # noqa: ARG002
        """See `Items`: there are no memories here, and nobody calls the methods that change one."""
        return ()

    def settle_change(self, memory_id: str) -> None:
        """See `Items`."""
        raise NotImplementedError

    def waiting_for(self, memory_id: str) -> Item | None:
        """See `Items`."""
        raise NotImplementedError

    def free_id(self, memory_id: str) -> str:
        """See `Items`."""
        raise NotImplementedError

    def reactivate(self, memory_id: str, user_id: str, deed: Deed) -> None:
        """See `Items`."""
        raise NotImplementedError

    def discard(self, memory_id: str, deed: Deed, reason: str) -> None:
        """See `Items`."""
        raise NotImplementedError

    def entries(self, filters: EntryFilters, limit: int | None) -> Sequence[ReviewEntry]:
        """See `Items`."""
        return self._audit.entries(filters, limit, self._names)

    def erase_user(self, user_id: str, deed: Deed) -> Sequence[str]:
        """See `Items`. What holds a text or a name forgets it; the audit has hashes."""
        erased = [item for item in self._items.values() if item.user_id == user_id]
        for item in erased:
            self._unlist(item)
            del self._items[item.queue_id], self._details[item.queue_id], self._kinds[item.queue_id]
            self._audit.append(item, None, deed)
        self._asked = defaultdict(list, {of: ids for of, ids in self._asked.items() if of[0] != user_id})
        self._keys = {of: queue_id for of, queue_id in self._keys.items() if of[0] != user_id}
        self._lists = defaultdict(KindList, {of: found for of, found in self._lists.items() if of[1] != user_id})
        self._expiring = [one for one in self._expiring if one[1] in self._items]
        heapify(self._expiring)
        if deed.actor is not None:
            self.keep_name(deed.actor)
        self._audit.bind()
        self._names.pop(self._person_hash(user_id), None)
        self._person_hash.cache_clear()
        return [item.queue_id for item in erased]

    def text_of(self, memory_id: str, user_id: str) -> str | None:
        """See `Items`: there are claims alone here."""
        item = self.get(memory_id)
        return item.content if item is not None and item.user_id == user_id else None

    def faults(self, anchor: Anchor | None) -> Sequence[str]:
        """See `Items`: nobody else can write here, and an anchor is of this queue or of another."""
        return () if anchor is None else self._audit.anchor_faults(anchor)

    def anchor(self) -> Anchor:
        """See `Items`: of the queue's own audit alone."""
        return self._audit.anchor()

    def _keep(self, before: Item | None, after: Item, deed: Deed) -> None:
        self._items[after.queue_id] = after
        if deed.actor is not None:
            self.keep_name(deed.actor)
        self._audit.append(before, after, deed)

    def _excerpt(self, item: Item) -> Excerpt:
        checks = [check for _, _, check in self._kinds[item.queue_id] if check]
        return excerpt_of(item, self._details[item.queue_id], checks)

    def _list(self, item: Item) -> None:
        """Put an item on the lists it belongs to."""
        self._at[item.place] = item.queue_id
        kinds = self._kinds[item.queue_id]
        for of in _lists_of(item):
            self._lists[of].add(item.place, kinds)

    def _unlist(self, item: Item) -> None:
        """Take an item from the lists it was on."""
        del self._at[item.place]
        kinds = self._kinds[item.queue_id]
        for of in _lists_of(item):
            self._lists[of].remove(item.place, kinds)

    def _wanted(self, filters: Filters) -> list[Places]:
        """The kinds of *filters*; looking for what nobody has leaves no list behind."""
        asked = filters.assigned_to
        of = (filters.state, filters.user_id, None if asked is None else self.person_hash(asked))
        return self._lists[of].wanted(filters) if of in self._lists else []


def _lists_of(item: Item) -> list[_Of]:
    """Which lists an item is on."""
    state, assignee = listed_state(item), item.assignee_hash
    lists: list[_Of] = [(state, None, None), (state, item.user_id, None)]
    return lists if assignee is None else [*lists, (state, None, assignee), (state, item.user_id, assignee)]
