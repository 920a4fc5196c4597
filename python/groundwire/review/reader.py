"""The half of the queue that reads."""

from asyncio import to_thread
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Self, TypeVar

from groundwire.labels import check_choice
from groundwire.memory import Anchor, MemoryRecord
from groundwire.memory.records import check_limit, check_texts
from groundwire.review.database import QueueTransaction
from groundwire.review.details import Conflict, word_difference
from groundwire.review.items import Item
from groundwire.review.looking import Look, listed, view, views
from groundwire.review.records import ClaimExcerpt, PendingMemory, QueueState, ReviewEntry, Verification
from groundwire.review.rules import Rules
from groundwire.review.storage import EntryFilters, Filters
from groundwire.review.transitions import expire, list_memories, visible
from groundwire.review.turns import Turns

__all__ = ["QueueReader"]

T = TypeVar("T")

# So many expired claims are marked at a time.
_SWEEP = 500


class QueueReader:
    """
    What can be asked of a queue. Whoever asks says who they are: they see their own claims, reviewers all of them.

    Parameters:
        turns: The transactions.
        rules: The settings.
    """

    def __init__(self, turns: Turns, rules: Rules) -> None:
        self._turns = turns
        self._rules = rules

    def with_reviewers(self, reviewers: Collection[str]) -> Self:
        """Return the same queue, of which *reviewers* may see all and decide about it, and nobody else."""
        other = copy(self)
        other._rules = replace(self._rules, reviewers=frozenset(reviewers))
        return other

    @property
    def reviewers(self) -> Collection[str]:
        """Who may see everybody's claims and decide about them."""
        return self._rules.reviewers

    def is_reviewer(self, person: str) -> bool:
        """Tell whether *person* may see everybody's claims."""
        return self._rules.may_see_all(person)

    def may_decide(self, person: str, owner: str) -> bool:
        """Tell whether *person* may decide about claims of *owner*, if they may see them."""
        return self._rules.may_decide(person, owner)

    async def get_pending(self, user_id: str, limit: int = 10) -> list[PendingMemory]:
        """Return the claims of a user that wait, at most *limit*, in the order in which they came."""
        return await self.find(user_id, user_id=user_id, limit=limit)

    async def get_by_id(self, queue_id: str, user_id: str) -> PendingMemory:
        """
        Return one claim, for *user_id* to see.

        Raises:
            NotFound: There is none of this id, or it is somebody else's.
        """
        check_texts(user_id=user_id)
        _check_id(queue_id)
        return await self._read_listed(lambda items, now: view(items, self._visible(items, queue_id, user_id), now))

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
            viewer: Who asks.
            state: Those that wait, or were stored, rejected, or have expired.
            user_id: Whose; None for all that the viewer may see.
            memory_type: Of this type.
            source: From there.
            failed_check: That failed this check: `hedge_words_detected`, ...
            assigned_to: Who was asked to decide about them.
            after: Only those behind this `place`: the last one of the page before.
            newest_first: From the last place to the first.
            limit: How many at most.

        Raises:
            ValueError: There is no such *state*; or it is "processing": such claims are in no list until it is clear
                what becomes of them.
        """
        check_limit(limit)
        filters = self._filters(viewer, state, user_id, memory_type, source, failed_check, assigned_to)
        if filters is None:
            return []
        return await self._read_swept(
            lambda items, now: views(
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
        return await self._read_swept(
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
        Return how many claims there are that `find` would look through, by state, each up to `COUNT_MAX`.

        Those that are being decided wait as well.
        """
        filters = [
            self._filters(viewer, state, user_id, memory_type, source, failed_check, assigned_to)
            for state in QueueState
            if state is not QueueState.PROCESSING
        ]
        return await self._read_swept(
            lambda items, _: {asked.state: items.count(asked) for asked in filters if asked is not None}
        )

    async def conflict(self, queue_id: str, user_id: str) -> Conflict | None:
        """
        Return what a claim contradicts or repeats, and how they differ; None if that is unknown or no longer there.

        Raises:
            NotFound: As `get_by_id`.
        """
        check_texts(user_id=user_id)
        _check_id(queue_id)
        found = await self._read_listed(lambda items, _: self._other(items, self._visible(items, queue_id, user_id)))
        if found is None:
            return None
        memory_id, content, claim = found
        # Long texts take their time, and others are not to wait for it.
        return Conflict(memory_id, content, await to_thread(word_difference, content, claim))

    async def look(self, work: Callable[[Look], T], *, swept: bool) -> T:
        """
        Return what *work* says of the queue as it is at one moment: several questions in one transaction.

        Args:
            work: What asks; in another thread, and others wait until it is done.
            swept: Claims whose time is over are marked first, as `find` does it, so that they
                are listed as expired. Otherwise they are in no list.
        """
        read = self._read_swept if swept else self._read_listed
        return await read(lambda items, now: work(Look(items, now, self._rules, self._filters)))

    async def audit_trail(
        self, queue_id: str | None = None, user_id: str | None = None, *, after: int = 0, limit: int | None = None
    ) -> list[ReviewEntry]:
        """
        Return what was done, first to last.

        Args:
            queue_id: To one claim; None for all.
            user_id: Who asks: they see what was done to their own claims, reviewers all of
                it. None for whoever runs the queue.
            after: Only entries behind this number.
            limit: How many at most.
        """
        check_limit(limit)
        check_texts(user_id=user_id)
        if queue_id is not None:
            _check_id(queue_id)
        sees_all = user_id is None or self._rules.may_see_all(user_id)

        def entries(items: QueueTransaction, now: int) -> list[ReviewEntry]:  # noqa: ARG001
            user_hash = None if sees_all else items.person_hash(user_id or "")
            filters = EntryFilters(queue_id=queue_id, user_hash=user_hash, after=after)
            return list(items.entries(filters, limit))

        return await self._turns.read(entries)

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:  # noqa: ARG002
        """Return the claims of a user that wait: the queue is a `MemoryProvider` too (ruling C16)."""
        check_texts(user_id=user_id, memory_type=memory_type)
        filters = Filters(user_id=user_id, memory_type=memory_type)
        waiting = await self._turns.read(
            lambda items, now: items.page(filters, now, after=0, limit=self._rules.per_user_limit, newest_first=False)
        )
        return [MemoryRecord(id=item.queue_id, content=item.content, memory_type=item.memory_type) for item in waiting]

    async def candidates_many(
        self,
        contents: Sequence[str],  # noqa: ARG002
        user_id: str,
        memory_type: str | None = None,
    ) -> Sequence[MemoryRecord]:
        """Return what `candidates` does, which is the same for all of *contents*."""
        return await self.candidates("", user_id, memory_type)

    async def faults(self, anchor: Anchor | None = None) -> list[str]:
        """
        Return what is wrong with queue, audits and the memories beside them; empty if nothing is. Reads all of it.

        Args:
            anchor: How far the audits went before, as `verify` returned it; see `MemoryStore.faults`.

        Raises:
            ValueError: *anchor* belongs to another queue.
        """
        return (await self.verify(anchor)).faults

    async def verify(self, anchor: Anchor | None = None) -> Verification:
        """Return what `faults` does, and how far the audits go at the same moment."""

        def verify(items: QueueTransaction, now: int) -> Verification:  # noqa: ARG001
            found = list(items.faults(anchor))
            return Verification(found, None if found else items.anchor())

        return await self._turns.read(verify)

    async def _sweep(self) -> int:
        """Mark some claims whose time is over, and return how many."""
        return len(await self._turns.write(lambda items, now: expire(items, now, _SWEEP)))

    async def _list_memories(self) -> None:
        """List the memories that were sent to review since the queue looked last."""
        while await self._turns.write(lambda items, _: list_memories(items, _SWEEP)):
            pass

    async def _read_listed(self, work: Callable[[QueueTransaction, int], T]) -> T:
        """As `Turns.read`, once memories that were sent to review are listed."""

        def look(items: QueueTransaction, now: int) -> tuple[T] | None:
            return None if items.memory_changes(1) else (work(items, now),)

        found = await self._turns.read(look)
        if found is not None:
            return found[0]
        await self._list_memories()
        return await self._turns.read(work)

    async def _read_swept(self, work: Callable[[QueueTransaction, int], T]) -> T:
        """As `_read_listed`, once claims whose time is over are marked; mostly there are none."""

        def look(items: QueueTransaction, now: int) -> tuple[T] | None:
            return None if items.overdue(now, 1) else (work(items, now),)

        found = await self._read_listed(look)
        if found is not None:
            return found[0]
        await self._sweep()
        return await self._turns.read(work)

    def _filters(
        self,
        viewer: str,
        state: QueueState,
        user_id: str | None = None,
        memory_type: str | None = None,
        source: str | None = None,
        failed_check: str | None = None,
        assigned_to: str | None = None,
    ) -> Filters | None:
        """What is asked for; None if the viewer may not see any of it."""
        texts = {"user_id": user_id, "memory_type": memory_type, "source": source, "failed_check": failed_check}
        check_texts(viewer=viewer, assigned_to=assigned_to, **texts)
        state = check_choice("state", state, QueueState)
        if state is QueueState.PROCESSING:
            raise ValueError("claims that are being decided are not listed; ask for those that wait")
        if not self._rules.may_see_all(viewer):
            if user_id not in (None, viewer):
                return None
            user_id = viewer
        return Filters(state=state, assigned_to=assigned_to, **{**texts, "user_id": user_id})

    def _visible(self, items: QueueTransaction, queue_id: str, person: str) -> Item:
        return visible(items, self._rules, queue_id, person)

    def _other(self, items: QueueTransaction, item: Item) -> tuple[str, str, str] | None:
        """Id and text of what an item contradicts or repeats, and the item's own text."""
        memory_id = items.details(item).conflicting_memory_id
        content = None if memory_id is None else items.text_of(memory_id, item.user_id)
        return None if memory_id is None or content is None else (memory_id, content, item.content)


def _check_id(queue_id: str) -> None:
    """Check that it is a str. Which str it is says nothing: the error is that of an unknown id."""
    if not isinstance(queue_id, str):
        raise TypeError(f"queue_id must be a str, got {type(queue_id).__name__}")
