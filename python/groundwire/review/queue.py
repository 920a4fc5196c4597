"""The review queue: what it says to its callers. `transitions` says what happens."""

from collections.abc import Callable, Collection
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self
from uuid import uuid4

from groundwire.errors import QueueFull
from groundwire.ingestion.records import EvidenceObject, ValidationResult
from groundwire.memory import MemoryStore
from groundwire.memory.records import USER_ID_MAX_CHARS, check_label, check_text
from groundwire.review import transitions
from groundwire.review.callbacks import StoreCallback
from groundwire.review.database import QueueRepository, QueueTransaction
from groundwire.review.decider import QueueDecider
from groundwire.review.details import Details
from groundwire.review.records import ReviewAction
from groundwire.review.rules import make_rules
from groundwire.review.storage import Deed
from groundwire.review.transitions import NewClaim
from groundwire.review.turns import Turns

if TYPE_CHECKING:
    from groundwire.ingestion.verification.protocol import BatchVerifier

__all__ = ["ReviewQueue"]

# Keys are beside users' ids in an index, whose entries have an end.
_KEY_MAX_CHARS = 128


def _new_id() -> str:
    return uuid4().hex


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ReviewQueue(QueueDecider):
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
        verifier: Who verifies what an edited claim cites, such as a `CitationVerifier`. None:
            its citations are unknown.
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
        verifier: "BatchVerifier | None" = None,
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
        super().__init__(Turns(QueueRepository(store), clock), rules, store_callback, lease_s, verifier)
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

    async def erase_user(self, user_id: str, *, reason: str = "requested", actor: str | None = None) -> list[str]:
        """
        Erase a user's claims, in whatever state, and the user's name wherever it acted; return the claims' ids.

        The audit keeps ids and hashes. In a database the user's memories and tokens go with
        them, as by `MemoryStore.erase_user`.

        Args:
            user_id: Whose.
            reason: Why: a label.
            actor: Who erases them.
        """
        check_text(user_id, "user_id", max_chars=USER_ID_MAX_CHARS)
        check_label(reason, "reason")
        if actor is not None:
            check_text(actor, "actor", max_chars=USER_ID_MAX_CHARS)

        def erase(items: QueueTransaction, now: int) -> list[str]:
            deed = Deed(time=now, action=ReviewAction.ERASED, actor=actor, reason=reason)
            return list(items.erase_user(user_id, deed))

        return await self._turns.write(erase)

    async def expire(self) -> int:
        """Mark the claims whose time is over, as lists do before they are made; return how many they were."""
        marked = 0
        while found := await self._sweep():
            marked += found
        return marked

    async def _enqueue(self, claim: NewClaim) -> str:
        return await self._turns.write(lambda items, now: transitions.enqueue(items, claim, self._rules, now))
