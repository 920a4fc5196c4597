"""The review queue: what it says to its callers. `transitions` says what happens."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar
from uuid import uuid4

from groundwire.errors import CallbackFailed, GroundwireError, QueueFull
from groundwire.ingestion.evidence import EvidenceObject, ValidationResult
from groundwire.memory import MemoryStore
from groundwire.memory.records import USER_ID_MAX_CHARS, check_label, check_text
from groundwire.review import transitions
from groundwire.review.callbacks import StoreCallback, call
from groundwire.review.details import Details
from groundwire.review.in_memory import InMemory
from groundwire.review.items import Item
from groundwire.review.looking import view
from groundwire.review.many import alone, is_of_all, outcome_of, together
from groundwire.review.reader import QueueReader
from groundwire.review.records import Outcome, PendingMemory
from groundwire.review.rules import make_rules
from groundwire.review.storage import Items, Storage
from groundwire.review.transitions import Decider, NewClaim
from groundwire.review.turns import Turns

__all__ = ["ReviewQueue"]

T = TypeVar("T")

# Keys are beside users' ids in an index, whose entries have an end.
_KEY_MAX_CHARS = 128
_REASON_MAX_CHARS = 4_000

# So many decisions of one call share a transaction; others wait meanwhile.
_TOGETHER = 64


def _new_id() -> str:
    return uuid4().hex


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ReviewQueue(QueueReader):
    """
    Claims that wait for a person.

    Each call is one transaction. Tasks and threads may share a queue; processes open
    their own on the same database. Never await it within `MemoryStore.transaction()`:
    that waits for itself.

    Args:
        store_callback: What stores an approved claim elsewhere: given a `PendingMemory`,
            it returns the memory's id. Sync or async. It may be called again for the same
            claim if it failed, or nobody knows whether it did: `queue_id` tells. None: an
            approved claim is stored in *store*, in the same transaction, under its id.
        store: Where the queue is: None for the memory of this process, a `MemoryStore`, a
            file, `sqlite:///...` or `postgresql://...`.
        per_user_limit: How many claims of one user may wait.
        total_limit: How many of all users together.
        lease_s: How long storing may take before somebody else may approve, in seconds.
        ttl_s: How long a claim waits before it expires, in seconds; None for ever.
        ask_again_after_s: How long after a rejection the same claim is not asked again.
        reviewers: Who may decide about everybody's claims, beside their owners.
        require_distinct_reviewer: Nobody decides about their own (ruling C15).
        clock: What tells the time, with its zone.
        new_id: What makes ids: labels that nobody can guess, each used once.

    Raises:
        ValueError: A setting is out of its range.
        MemoryStoreError: As with every method: the database cannot do it, and nothing was done.
    """

    def __init__(
        self,
        store_callback: StoreCallback | None = None,
        store: MemoryStore | str | Path | None = None,
        *,
        per_user_limit: int = 100,
        total_limit: int = 10_000,
        lease_s: float = 60.0,
        ttl_s: float | None = None,
        ask_again_after_s: float = 30 * 86_400.0,
        reviewers: Collection[str] = (),
        require_distinct_reviewer: bool = False,
        clock: Callable[[], datetime] = _utc_now,
        new_id: Callable[[], str] = _new_id,
    ) -> None:
        rules = make_rules(
            per_user_limit=per_user_limit,
            total_limit=total_limit,
            lease_s=lease_s,
            ttl_s=ttl_s,
            ask_again_after_s=ask_again_after_s,
            reviewers=reviewers,
            require_distinct_reviewer=require_distinct_reviewer,
        )
        super().__init__(Turns(_storage(store), clock), rules)
        self._callback = store_callback
        self._lease_s = lease_s
        self._new_id = new_id

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close what the queue has opened. What was called is done already."""
        self._turns.close()

    async def enqueue(
        self,
        user_id: str,
        content: str,
        memory_type: str,
        source: str,
        evidence: EvidenceObject,
        validation_result: ValidationResult | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> str:
        """
        Take a claim in; return its id in the queue.

        The same text of the same user is not asked twice: while it waits, and for some time
        after it was rejected, that claim's id is returned.

        Args:
            user_id: Whose claim it is.
            content: What it says.
            memory_type: A label.
            source: A label.
            evidence: Where it comes from.
            validation_result: What the checks said, for the reviewer to see.
            idempotency_key: Who calls again with the same key and claim gets the same id.

        Raises:
            QueueFull: There is no room; nothing gave way.
            ValueError: A text is empty or not one that databases keep, a label is none,
                metadata is no JSON, or the key belongs to another claim.
        """
        check_text(user_id, "user_id", max_chars=USER_ID_MAX_CHARS)
        check_text(content, "content")
        check_label(memory_type, "memory_type")
        check_label(source, "source")
        if idempotency_key is not None:
            check_text(idempotency_key, "idempotency_key", max_chars=_KEY_MAX_CHARS)
        queue_id = self._new_id()
        check_label(queue_id, "the id of new_id")
        claim = NewClaim(
            queue_id=queue_id,
            user_id=str(user_id),
            content=str(content),
            memory_type=str(memory_type),
            source=str(source),
            details=Details.of(evidence, validation_result),
            idempotency_key=idempotency_key,
        )
        try:
            return await self._enqueue(claim)
        except QueueFull:
            if not await self._sweep():
                raise
        return await self._enqueue(claim)

    async def approve(self, queue_id: str, reviewer: str, *, content: str | None = None) -> str:
        """
        Store a claim; return the memory's id.

        Args:
            queue_id: Which claim.
            reviewer: Who approves it.
            content: What it shall say instead; the audit has both hashes.

        Raises:
            NotFound: There is none of this id, or it is somebody else's.
            NotAllowed: It is the reviewer's own, and another person has to decide.
            AlreadyDecided: Somebody was quicker; says who, when and what.
            CallbackFailed: It could not be stored, and waits again.
        """
        _check_decision(queue_id, reviewer)
        if content is not None:
            check_text(content, "content")
        if self._callback is not None:
            return await self._approve_elsewhere(self._callback, queue_id, reviewer, content)
        if not self._turns.storage.can_remember:
            raise CallbackFailed("no_callback")
        return await self._decide(reviewer, lambda items, who: transitions.store(items, queue_id, who, content))

    async def reject(self, queue_id: str, reviewer: str, reason: str | None = None) -> None:
        """
        Discard a claim, for *reason*: words, kept with it and not in the audit.

        Raises:
            NotFound, NotAllowed, AlreadyDecided: As `approve`.
        """
        _check_decision(queue_id, reviewer)
        if reason is not None:
            check_text(reason, "reason", max_chars=_REASON_MAX_CHARS)
        await self._decide(reviewer, lambda items, who: transitions.reject(items, queue_id, who, reason))

    async def approve_many(
        self, queue_ids: Sequence[str], reviewer: str, *, contents: Mapping[str, str] | None = None
    ) -> list[Outcome]:
        """
        Approve each of several claims, in their order; what cannot be decided is told, and the others are.

        Where no callback is asked, up to 64 of them are one transaction.

        Args:
            queue_ids: Which claims.
            reviewer: Who approves them.
            contents: What some of them shall say, by their ids.
        """
        says = {} if contents is None else contents
        for content in says.values():
            check_text(content, "content")
        if self._callback is not None or not self._turns.storage.can_remember:
            return [
                await outcome_of(queue_id, self.approve(queue_id, reviewer, content=says.get(queue_id)))
                for queue_id in queue_ids
            ]
        return await self._decide_many(
            queue_ids,
            reviewer,
            lambda items, who, queue_id: transitions.store(items, queue_id, who, says.get(queue_id)),
        )

    async def reject_many(self, queue_ids: Sequence[str], reviewer: str, reason: str | None = None) -> list[Outcome]:
        """Reject each of several claims, as `approve_many`."""
        if reason is not None:
            check_text(reason, "reason", max_chars=_REASON_MAX_CHARS)
        return await self._decide_many(
            queue_ids, reviewer, lambda items, who, queue_id: transitions.reject(items, queue_id, who, reason)
        )

    async def skip(self, queue_id: str, reviewer: str) -> None:
        """Put a claim behind all others; raises as `reject`."""
        _check_decision(queue_id, reviewer)
        await self._decide(reviewer, lambda items, who: transitions.skip(items, queue_id, who))

    async def assign(self, queue_id: str, reviewer: str, assignee: str | None) -> None:
        """
        Ask *assignee* to decide about a claim, or nobody in particular. Others still may.

        Raises:
            NotAllowed: The assignee may not decide about it.
            NotFound, AlreadyDecided: As `approve`.
        """
        _check_decision(queue_id, reviewer)
        if assignee is not None:
            check_text(assignee, "assignee", max_chars=USER_ID_MAX_CHARS)
        await self._decide(reviewer, lambda items, who: transitions.assign(items, queue_id, who, assignee))

    async def expire(self) -> int:
        """Mark the claims whose time is over, as lists do before they are made; return how many they were."""
        marked = 0
        while found := await self._sweep():
            marked += found
        return marked

    async def _enqueue(self, claim: NewClaim) -> str:
        return await self._turns.write(lambda items, now: transitions.enqueue(items, claim, self._rules, now))

    async def _decide(self, reviewer: str, work: Callable[[Items, Decider], T]) -> T:
        return await self._turns.write(lambda items, now: work(items, Decider(reviewer, now, self._rules)))

    async def _decide_many(
        self, queue_ids: Sequence[str], reviewer: str, decide: Callable[[Items, Decider, str], str | None]
    ) -> list[Outcome]:
        for queue_id in queue_ids:
            _check_decision(queue_id, reviewer)
        outcomes: list[Outcome] = []
        for start in range(0, len(queue_ids), _TOGETHER):
            some = queue_ids[start : start + _TOGETHER]
            try:
                outcomes += await self._decide(reviewer, together(decide, some))
            except GroundwireError as error:
                # Nothing of it is done. If one of them cannot be, each by itself tells which.
                if is_of_all(error):
                    outcomes += [Outcome(one, error=error) for one in some]
                    continue
                outcomes += [await outcome_of(one, self._decide(reviewer, alone(decide, one))) for one in some]
        return outcomes

    async def _approve_elsewhere(
        self, callback: StoreCallback, queue_id: str, reviewer: str, content: str | None
    ) -> str:
        """Give the claim to the callback, within a lease; the transactions are those before and after it."""

        def begin(items: Items, who: Decider) -> tuple[Item, PendingMemory]:
            leased = transitions.lease(items, queue_id, who, content)
            return leased, view(items, leased, who.now)

        leased, pending = await self._decide(reviewer, begin)
        try:
            memory_id = await call(callback, pending, timeout_s=self._lease_s, in_thread=self._turns.storage.waits)
        except CallbackFailed as failure:
            code = failure.code
            await self._decide(reviewer, lambda items, who: transitions.fail(items, leased, code, who))
            raise
        late = await self._decide(reviewer, lambda items, who: transitions.complete(items, leased, memory_id, who))
        if late is not None:
            raise late
        return memory_id


def _storage(store: MemoryStore | str | Path | None) -> Storage:
    """Where the queue is; what deals with databases is loaded for those alone."""
    if store is None:
        return InMemory()
    from groundwire.review.database import InDatabase

    if isinstance(store, MemoryStore):
        return InDatabase(store, is_own=False)
    return InDatabase(MemoryStore(store), is_own=True)


def _check_decision(queue_id: str, reviewer: str) -> None:
    if not isinstance(queue_id, str):
        raise TypeError(f"queue_id must be a str, got {type(queue_id).__name__}")
    check_text(reviewer, "reviewer", max_chars=USER_ID_MAX_CHARS)
