"""Reads the queue: single claims, lists, counts, the audit trail, and snapshots for several queries."""

from asyncio import to_thread
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from datetime import datetime
from typing import Self, TypeVar

from groundwire.errors import NotFound
from groundwire.labels import check_choice
from groundwire.memory import Anchor, MemoryRecord, MemoryStore
from groundwire.memory.records import check_limit, check_texts
from groundwire.review.details import ClaimConflict, word_diff
from groundwire.review.items import ItemExcerpt, QueueItem, state_at, to_excerpt_record, to_record
from groundwire.review.records import (
    ClaimExcerpt,
    EventFilter,
    PendingMemory,
    QueueFilter,
    QueueState,
    ReviewAction,
    ReviewEvent,
    Verification,
)
from groundwire.review.repository import QueueTransaction
from groundwire.review.state_machine import ITEMS_PER_TRANSACTION, ReviewPolicy, expire, list_memories, visible_item
from groundwire.review.transactions import TransactionRunner

__all__ = ["QueueReader", "QueueSnapshot", "listed", "to_pending_memory"]


class QueueSnapshot:
    """
    One state of the queue, for queries within `QueueReader.snapshot`. Its methods raise as those of the reader.

    Parameters:
        items: The queue within a transaction.
        now: Microseconds since 1970.
        policy: The settings.
        filters_of: Builds the filters of a viewer; None if the viewer may not see any of the claims.
    """

    def __init__(
        self, items: QueueTransaction, now: int, policy: ReviewPolicy, filters_of: Callable[..., QueueFilter | None]
    ) -> None:
        self._items = items
        self._now = now
        self._policy = policy
        self._filters_of = filters_of

    def claim(self, queue_id: str, viewer: str) -> PendingMemory:
        """Return one claim; raises as `get_by_id`."""
        return to_pending_memory(self._items, visible_item(self._items, self._policy, queue_id, viewer), self._now)

    def excerpts(
        self,
        viewer: str,
        *,
        state: QueueState = QueueState.PENDING,
        after: int = 0,
        newest_first: bool = False,
        limit: int = 50,
        **filters: str | None,
    ) -> list[ClaimExcerpt]:
        """Return claims as `QueueReader.excerpts` does."""
        asked = self._filters_of(viewer, state, **filters)
        if asked is None:
            return []
        page = self._items.excerpts(asked, self._now, after=after, limit=limit, newest_first=newest_first)
        return listed(self._items, page, self._now)

    def excerpts_of(self, queue_ids: Sequence[str], viewer: str) -> dict[str, ClaimExcerpt]:
        """Return the claims that *viewer* may see, by their ids."""
        found = [one for one in self._items.excerpts_of(queue_ids) if self._policy.may_see(viewer, one.item.user_id)]
        return {one.queue_id: one for one in listed(self._items, found, self._now)}

    def contents(self, hashes: Mapping[str, str], viewer: str) -> dict[str, str]:
        """Return the texts of the claims that *viewer* may see and that still have these hashes, by their ids."""
        seen = self.excerpts_of(list(hashes), viewer)
        same = [queue_id for queue_id, one in seen.items() if one.content_hash == hashes[queue_id]]
        items = [visible_item(self._items, self._policy, queue_id, viewer) for queue_id in same]
        return {item.queue_id: item.content for item in items}

    def neighbour(
        self,
        viewer: str,
        place: int,
        *,
        state: QueueState = QueueState.PENDING,
        backwards: bool = False,
        **filters: str | None,
    ) -> str | None:
        """Return the id of the next claim after *place*, or of the one before it, or None."""
        asked = self._filters_of(viewer, state, **filters)
        if asked is None:
            return None
        page = self._items.excerpts(asked, self._now, after=place, limit=1, newest_first=backwards)
        return page[0].item.queue_id if page else None

    def counts(self, viewer: str, **filters: str | None) -> Mapping[QueueState, int]:
        """Count claims as `QueueReader.counts` does."""
        listed = (state for state in QueueState if state is not QueueState.PROCESSING)
        asked = [self._filters_of(viewer, state, **filters) for state in listed]
        return {one.state: self._items.count(one) for one in asked if one is not None}

    def contradicted(self, claim: PendingMemory) -> str | None:
        """Return the text of the memory that a claim contradicts or repeats; None if it is unknown or erased."""
        memory_id = claim.conflicting_memory_id
        return None if memory_id is None else self._items.text_of(memory_id, claim.user_id)

    def excerpt(self, queue_id: str, viewer: str) -> ClaimExcerpt:
        """Return the beginning of one claim; raises as `get_by_id`."""
        found = self.excerpts_of([queue_id], viewer)
        if not found:
            raise NotFound("there is no such claim")
        return found[queue_id]

    def claim_of_memory(self, memory_id: str, viewer: str) -> str | None:
        """Return the id of the claim that waits for a memory in review; None if *viewer* can see no such claim."""
        item = self._items.waiting_for(memory_id)
        return item.queue_id if item is not None and self._policy.may_see(viewer, item.user_id) else None

    def events(self, claim: PendingMemory | ClaimExcerpt, limit: int, *, after: int = 0) -> Sequence[ReviewEvent]:
        """Return the events of a claim after the event *after*, oldest first."""
        return self._items.events(EventFilter(queue_id=claim.queue_id, after=after), limit)

    def has_done(self, queue_id: str, person: str, action: ReviewAction) -> bool:
        """Return whether *person*, who may see this claim, has an event with this action."""
        if not self.excerpts_of([queue_id], person):
            return False
        filters = EventFilter(queue_id=queue_id, action=action, actor_hash=self._items.person_hash(person))
        return bool(self._items.events(filters, 1))


def to_pending_memory(items: QueueTransaction, item: QueueItem, now: int) -> PendingMemory:
    """Return the record of *item*."""
    return to_record(item, items.details(item), items.names(item.people()), now)


def listed(items: QueueTransaction, page: Sequence[ItemExcerpt], now: int) -> list[ClaimExcerpt]:
    """Return the records of the excerpts of *page*."""
    names = items.names(one for excerpt in page for one in excerpt.item.people())
    return [to_excerpt_record(excerpt, names, now) for excerpt in page]


def to_pending_memories(items: QueueTransaction, page: Sequence[QueueItem], now: int) -> list[PendingMemory]:
    """Return the records of the items of *page*."""
    names = items.names(one for item in page for one in item.people())
    return [to_record(item, items.details(item), names, now) for item in page]


T = TypeVar("T")


class QueueReader:
    """
    The methods of a queue that read. Each takes the name of a person: users see their own claims, reviewers all claims.

    Parameters:
        transactions: Runs the transactions.
        policy: The settings.
    """

    def __init__(self, transactions: TransactionRunner, policy: ReviewPolicy) -> None:
        self._transactions = transactions
        self._policy = policy

    def with_reviewers(self, reviewers: Collection[str]) -> Self:
        """Return the same queue with *reviewers* in place of its reviewers."""
        other = copy(self)
        other._policy = replace(self._policy, reviewers=frozenset(reviewers))
        return other

    @property
    def store(self) -> MemoryStore:
        """The store of the queue, with the memories of its database."""
        return self._transactions.repository.store

    def now(self) -> datetime:
        """Return the time of the queue's clock."""
        return self._transactions.clock()

    @property
    def reviewers(self) -> Collection[str]:
        """The people who may see all claims and decide on them."""
        return self._policy.reviewers

    def is_reviewer(self, person: str) -> bool:
        """Return whether *person* may see the claims of all users."""
        return self._policy.may_see_all(person)

    def may_decide(self, person: str, owner: str) -> bool:
        """Return whether *person* may decide on claims of *owner*, if they may see them."""
        return self._policy.may_decide(person, owner)

    async def get_pending(self, user_id: str, limit: int = 10) -> list[PendingMemory]:
        """Return the pending claims of a user, at most *limit*, in the order of the queue."""
        return await self.find(user_id, user_id=user_id, limit=limit)

    async def get_by_id(self, queue_id: str, user_id: str) -> PendingMemory:
        """
        Return one claim that *user_id* may see.

        Raises:
            NotFound: No claim has this id, or *user_id* may not see it.
        """
        check_texts(user_id=user_id)
        _check_id(queue_id)
        return await self._read_listed(
            lambda items, now: to_pending_memory(items, self._visible(items, queue_id, user_id), now)
        )

    async def find(
        self,
        viewer: str,
        *,
        state: QueueState = QueueState.PENDING,
        user_id: str | None = None,
        memory_type: str | None = None,
        source: str | None = None,
        failed_check: str | None = None,
        assigned_to: str | None = None,
        after: int = 0,
        newest_first: bool = False,
        limit: int = 50,
    ) -> list[PendingMemory]:
        """
        Return claims that *viewer* may see, in the order of their places.

        Args:
            viewer: The person who reads.
            state: The state: pending, stored, rejected or expired.
            user_id: The user that the claims belong to; None for all that the viewer may see.
            memory_type: The type.
            source: The source label.
            failed_check: A check that the claims failed: `hedge_words_detected`, ...
            assigned_to: The person the claims are assigned to.
            after: The `place` after which the page starts: the last one of the page before.
            newest_first: Whether the list goes from the last place to the first.
            limit: The maximum number of claims.

        Raises:
            ValueError: *state* does not exist, or is "processing", which no list contains.
        """
        check_limit(limit)
        filters = self._filters(viewer, state, user_id, memory_type, source, failed_check, assigned_to)
        if filters is None:
            return []
        return await self._read_expired(
            lambda items, now: to_pending_memories(
                items, items.page(filters, now, after=after, limit=limit, newest_first=newest_first), now
            )
        )

    async def excerpts(
        self,
        viewer: str,
        *,
        state: QueueState = QueueState.PENDING,
        user_id: str | None = None,
        memory_type: str | None = None,
        source: str | None = None,
        failed_check: str | None = None,
        assigned_to: str | None = None,
        after: int = 0,
        newest_first: bool = False,
        limit: int = 50,
    ) -> list[ClaimExcerpt]:
        """
        Return the beginnings of the claims that `find` returns, without reading long texts.

        The arguments are those of `find`. `get_by_id` returns a whole claim.

        Raises:
            ValueError: As `find`.
        """
        check_limit(limit)
        filters = self._filters(viewer, state, user_id, memory_type, source, failed_check, assigned_to)
        if filters is None:
            return []
        return await self._read_expired(
            lambda items, now: listed(
                items, items.excerpts(filters, now, after=after, limit=limit, newest_first=newest_first), now
            )
        )

    async def counts(
        self,
        viewer: str,
        *,
        user_id: str | None = None,
        memory_type: str | None = None,
        source: str | None = None,
        failed_check: str | None = None,
        assigned_to: str | None = None,
    ) -> Mapping[QueueState, int]:
        """
        Return the number of claims of `find` by state, each up to `COUNT_MAX`.

        Claims in progress count as pending.
        """
        filters = [
            self._filters(viewer, state, user_id, memory_type, source, failed_check, assigned_to)
            for state in QueueState
            if state is not QueueState.PROCESSING
        ]
        return await self._read_expired(
            lambda items, _: {asked.state: items.count(asked) for asked in filters if asked is not None}
        )

    async def conflict(self, queue_id: str, user_id: str) -> ClaimConflict | None:
        """
        Return the memory that a claim contradicts or repeats, with a word diff; None if it is unknown or erased.

        Raises:
            NotFound: As `get_by_id`.
        """
        check_texts(user_id=user_id)
        _check_id(queue_id)
        found = await self._read_listed(lambda items, _: self._other(items, self._visible(items, queue_id, user_id)))
        if found is None:
            return None
        memory_id, content, claim = found
        # The diff of long texts takes time, so it runs in a thread.
        return ClaimConflict(memory_id, content, await to_thread(word_diff, content, claim))

    async def snapshot(self, work: Callable[[QueueSnapshot], T], *, expire_overdue: bool) -> T:
        """
        Return the result of *work*, which sends several queries to one state of the queue in one transaction.

        Args:
            work: The queries. It runs in another thread, and other callers wait for its end.
            expire_overdue: Whether to mark expired claims first, as `find` does, so that the list of expired claims
                contains them. Otherwise they are in no list.
        """
        read = self._read_expired if expire_overdue else self._read_listed
        return await read(lambda items, now: work(QueueSnapshot(items, now, self._policy, self._filters)))

    async def audit_trail(
        self, queue_id: str | None = None, user_id: str | None = None, *, after: int = 0, limit: int | None = None
    ) -> list[ReviewEvent]:
        """
        Return events of the audit, oldest first.

        Args:
            queue_id: The claim; None for all.
            user_id: The person who reads: users see the events of their own claims, reviewers all. None sees all.
            after: The number of the event after which the result starts.
            limit: The maximum number of events.
        """
        check_limit(limit)
        check_texts(user_id=user_id)
        if queue_id is not None:
            _check_id(queue_id)
        sees_all = user_id is None or self._policy.may_see_all(user_id)

        def events(items: QueueTransaction, _now: int) -> list[ReviewEvent]:
            user_hash = None if sees_all else items.person_hash(user_id or "")
            filters = EventFilter(queue_id=queue_id, user_hash=user_hash, after=after)
            return list(items.events(filters, limit))

        return await self._transactions.read(events)

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:  # noqa: ARG002 - the protocol's signature
        """
        Return the pending claims of a user, including those in progress (ruling C16).

        With it, the queue is a `MemoryProvider` too.
        """
        check_texts(user_id=user_id, memory_type=memory_type)
        waiting = await self._transactions.read(
            lambda items, now: [
                item for item in items.waiting_items(user_id, memory_type) if not state_at(item, now).is_final
            ]
        )
        return [MemoryRecord(id=item.queue_id, content=item.content, memory_type=item.memory_type) for item in waiting]

    async def candidates_many(
        self,
        contents: Sequence[str],  # noqa: ARG002 - the protocol's signature
        user_id: str,
        memory_type: str | None = None,
    ) -> Sequence[MemoryRecord]:
        """Return the claims of `candidates`, which are the same for all *contents*."""
        return await self.candidates("", user_id, memory_type)

    async def integrity_errors(self, anchor: Anchor | None = None) -> list[str]:
        """
        Return the errors of the queue, its audits and memories, or an empty list. Reads everything.

        Args:
            anchor: An earlier anchor of `verify`; see `MemoryStore.integrity_errors`.

        Raises:
            ValueError: *anchor* belongs to another queue.
        """
        return (await self.verify(anchor)).errors

    async def verify(self, anchor: Anchor | None = None) -> Verification:
        """Return the errors of `integrity_errors`, and the ends of the audits at the same moment."""

        def verify(items: QueueTransaction, _now: int) -> Verification:
            found = list(items.integrity_errors(anchor))
            return Verification(found, None if found else items.anchor())

        return await self._transactions.read(verify)

    async def _sweep(self) -> int:
        """Mark some expired claims, and return their number."""
        return len(await self._transactions.write(lambda items, now: expire(items, now, ITEMS_PER_TRANSACTION)))

    async def _list_memories(self) -> None:
        """Add the memories that were newly sent to review."""
        while await self._transactions.write(lambda items, _: list_memories(items, ITEMS_PER_TRANSACTION)):
            pass

    async def _read_listed(self, work: Callable[[QueueTransaction, int], T]) -> T:
        """Run `TransactionRunner.read` after adding the memories that were newly sent to review."""

        def snapshot(items: QueueTransaction, now: int) -> tuple[T] | None:
            return None if items.memory_changes(1) else (work(items, now),)

        found = await self._transactions.read(snapshot)
        if found is not None:
            return found[0]
        await self._list_memories()
        return await self._transactions.read(work)

    async def _read_expired(self, work: Callable[[QueueTransaction, int], T]) -> T:
        """Run `_read_listed` after marking expired claims, which rarely exist."""

        def snapshot(items: QueueTransaction, now: int) -> tuple[T] | None:
            return None if items.overdue(now, 1) else (work(items, now),)

        found = await self._read_listed(snapshot)
        if found is not None:
            return found[0]
        await self._sweep()
        return await self._transactions.read(work)

    def _filters(
        self,
        viewer: str,
        state: QueueState,
        user_id: str | None = None,
        memory_type: str | None = None,
        source: str | None = None,
        failed_check: str | None = None,
        assigned_to: str | None = None,
    ) -> QueueFilter | None:
        """Return the filters of a search; None if the viewer may not see any of the claims."""
        texts = {"user_id": user_id, "memory_type": memory_type, "source": source, "failed_check": failed_check}
        check_texts(viewer=viewer, assigned_to=assigned_to, **texts)
        state = check_choice("state", state, QueueState)
        if state is QueueState.PROCESSING:
            raise ValueError("claims in state processing are not listed; use state pending")
        if not self._policy.may_see_all(viewer):
            if user_id not in (None, viewer):
                return None
            user_id = viewer
        return QueueFilter(state=state, assigned_to=assigned_to, **{**texts, "user_id": user_id})

    def _visible(self, items: QueueTransaction, queue_id: str, person: str) -> QueueItem:
        return visible_item(items, self._policy, queue_id, person)

    def _other(self, items: QueueTransaction, item: QueueItem) -> tuple[str, str, str] | None:
        """Return id and text of the memory that an item contradicts or repeats, and the item's own text."""
        memory_id = items.details(item).conflicting_memory_id
        content = None if memory_id is None else items.text_of(memory_id, item.user_id)
        return None if memory_id is None or content is None else (memory_id, content, item.content)


def _check_id(queue_id: str) -> None:
    """Check that an id is a str; an impossible id gets the error of an unknown one."""
    if not isinstance(queue_id, str):
        raise TypeError(f"queue_id must be a str, got {type(queue_id).__name__}")
