"""
The way into memory: nothing is written that was not decided.

A claim of tier 1 is stored, one of tier 2 goes to the queue, one of tier 3 nowhere. In
shadow mode everything is stored, and the decision stands beside it and in the log: so
one sees what the gate would do before it does it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from groundwire.ingestion.checks import name_of
from groundwire.ingestion.claims import MemoryClaim
from groundwire.ingestion.conclusion import conclude
from groundwire.ingestion.evidence import EvidenceObject, ValidationResult
from groundwire.ingestion.examination import Examination
from groundwire.ingestion.gate_store import GateDecision, find_same, keep, label_of, with_stored_parents
from groundwire.ingestion.tiers import Tier, known_source, known_type
from groundwire.ingestion.verify.results import VerificationStatus
from groundwire.memory.records import check_metadata
from groundwire.telemetry import Label, TextHash, claim_decided

if TYPE_CHECKING:
    from groundwire.ingestion.conversation import ConversationLike
    from groundwire.ingestion.validator import IngestionValidator
    from groundwire.memory import MemoryStore

__all__ = ["SHADOW_KEY", "GateOutcome", "IngestionGate", "Queue", "Submission"]

SHADOW_KEY = "groundwire_shadow"
"""Where the metadata of a memory that was stored in shadow mode say what would have become of it."""


class GateOutcome(StrEnum):
    """What was done with a claim."""

    STORED = "stored"
    QUEUED = "queued"
    REJECTED = "rejected"
    NEEDS_REVIEW = "needs_review"
    SHADOW_STORED = "shadow_stored"


class Queue(Protocol):
    """Whoever keeps claims until people have seen them, such as `groundwire.review.ReviewQueue`."""

    async def enqueue(
        self,
        user_id: str,
        content: str,
        memory_type: str,
        source: str,
        evidence: EvidenceObject,
        validation_result: ValidationResult,
    ) -> str:
        """Keep a claim; return what it is called there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """
    What was done with a claim, and why.

    Attributes:
        outcome: What was done. `needs_review`: people have to see it, and it is nowhere: there is no
            queue, or *failure* says why it did not take it.
        result: What the checks said.
        memory_id: The memory that it is now.
        queue_id: What the queue calls it.
        failure: The class of what the queue raised.
    """

    outcome: GateOutcome
    result: ValidationResult
    memory_id: str | None = None
    queue_id: str | None = None
    failure: str | None = None


def _now() -> datetime:
    return datetime.now(UTC)


def _new_id() -> str:
    from uuid import uuid4

    return f"mem-{uuid4().hex}"


class IngestionGate:
    """
    Writes to memory what may be written, and to the queue what people have to see.

    Tasks may share one.

    Args:
        validator: Who decides.
        store: The memory.
        queue: Where people find what they have to see. None: the outcome says that they should.
        shadow: Store everything, and only tell what would have become of it.
        new_id: Makes the ids of memories: labels that no other memory has or had.
        clock: The time, with its zone.
    """

    def __init__(
        self,
        validator: "IngestionValidator",
        store: "MemoryStore",
        queue: Queue | None = None,
        *,
        shadow: bool = False,
        new_id: Callable[[], str] = _new_id,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._validator = validator
        self._store = store
        self._queue = queue
        self._shadow = shadow
        self._new_id = new_id
        self._clock = clock

    async def submit(self, claim: MemoryClaim, *, conversation: "ConversationLike | None" = None) -> Submission:
        """Decide about one claim, and do it; see `submit_many`."""
        return (await self.submit_many([claim], conversation=conversation))[0]

    async def submit_many(
        self, claims: Sequence[MemoryClaim], *, conversation: "ConversationLike | None" = None
    ) -> list[Submission]:
        """
        Decide about claims, and do it; return what was done with each, in their order.

        A claim that is a memory already, word for word, is one that was recalled and is
        offered again: it is rejected without being looked at. How far parents are trusted is
        read from the store; what is no active memory of the user is not trusted.

        What is approved is stored in one transaction, before anything goes to the queue.
        Submitting the same claims again is safe: what is there already is recognised.
        What claims quote is checked against *conversation*, as in `IngestionValidator.validate_many`.

        Raises:
            ValueError: The metadata of a claim are not what JSON can keep; nothing was done.
            MemoryStoreError: The store could not be asked, or not be written to; nothing was stored.
            MemoryNotFoundError: A parent was erased, or sent to review, while its child was looked at;
                nothing was stored.
        """
        from asyncio import to_thread

        for claim in claims:
            check_metadata(claim.metadata)
        known = await to_thread(self._look_up, claims)
        offers = await self._decide(known, conversation)
        await to_thread(self._keep, [offer for offer in offers if self._shadow or offer.result.approved])
        queued: dict[str, str] = {}
        submissions = []
        for offer in offers:
            submissions.append(await self._settle(offer, queued))
            self._log(offer.claim, submissions[-1])
        return submissions

    def _look_up(self, claims: Sequence[MemoryClaim]) -> list[tuple[MemoryClaim, tuple[str, ...], str | None]]:
        """Return claims as the store trusts them, with their active parents and the memories that they are already."""
        return [(*with_stored_parents(self._store, claim), find_same(self._store, claim)) for claim in claims]

    async def _decide(
        self, known: Sequence[tuple[MemoryClaim, tuple[str, ...], str | None]], conversation: "ConversationLike | None"
    ) -> list[GateDecision]:
        names = [self._new_id() for _ in known]
        fresh = [(claim, name) for (claim, _, same), name in zip(known, names, strict=True) if same is None]
        claims, fresh_names = [claim for claim, _ in fresh], [name for _, name in fresh]
        # A validator of one's own need not know of conversations.
        options = {} if conversation is None else {"conversation": conversation}
        results = iter(await self._validator.validate_many(claims, names=fresh_names, **options))
        return [
            GateDecision(claim, name, parents, next(results) if same is None else self._recalled(claim, same))
            for (claim, parents, same), name in zip(known, names, strict=True)
        ]

    def _recalled(self, claim: MemoryClaim, memory_id: str) -> ValidationResult:
        return conclude(Examination(claim, recalled=memory_id), self._clock())

    def _keep(self, offers: Sequence[GateDecision]) -> None:
        """Store claims in one transaction, unless somebody else has stored the very same meanwhile."""
        if not offers:
            return
        time = self._clock()
        with self._store.transaction():
            for offer in offers:
                same = None if self._shadow else find_same(self._store, offer.claim)
                if same is None:
                    keep(self._store, offer, time=time, metadata=self._beside(offer.result))
                else:
                    offer.result = self._recalled(offer.claim, same)

    def _beside(self, result: ValidationResult) -> dict[str, dict[str, str]]:
        """What is kept beside the metadata of a claim."""
        return {SHADOW_KEY: {"tier": result.tier.value, "code": str(result.code)}} if self._shadow else {}

    async def _settle(self, offer: GateDecision, queued: dict[str, str]) -> Submission:
        """Say what was done with a claim; put it into the queue if nothing was. *queued* knows claims before it."""
        result = offer.result
        if offer.is_stored:
            outcome = GateOutcome.SHADOW_STORED if self._shadow else GateOutcome.STORED
            return Submission(outcome=outcome, result=result, memory_id=offer.memory_id)
        if result.conflicting_memory_id in queued:
            result = _renamed(result, result.conflicting_memory_id, queued[result.conflicting_memory_id])
        if result.tier is Tier.BLOCK:
            return Submission(outcome=GateOutcome.REJECTED, result=result)
        if self._queue is None:
            return Submission(outcome=GateOutcome.NEEDS_REVIEW, result=result)
        try:
            queue_id = await _enqueue(self._queue, offer.claim, result)
        except Exception as error:  # full, or not to be reached: the claim is nowhere, and the outcome says so
            return Submission(outcome=GateOutcome.NEEDS_REVIEW, result=result, failure=type(error).__name__)
        queued[offer.memory_id] = queue_id
        return Submission(outcome=GateOutcome.QUEUED, result=result, queue_id=queue_id)

    def _log(self, claim: MemoryClaim, submission: Submission) -> None:
        result = submission.result
        states = [each.result.status for each in result.citations]
        claim_decided(
            outcome=submission.outcome,
            tier=result.tier,
            code=result.code,
            checks_failed=[Label(name_of(entry)) for entry in result.checks_failed],
            content_hash=TextHash(self._store.hash_of("content", claim.content)),
            content_len=len(claim.content),
            memory_type=known_type(claim.memory_type),
            source=known_source(claim.source),
            citation_count=len(states),
            verified_count=states.count(VerificationStatus.VERIFIED),
            failure=None if submission.failure is None else Label(submission.failure),
        )


async def _enqueue(queue: Queue, claim: MemoryClaim, result: ValidationResult) -> str:
    return await queue.enqueue(
        user_id=claim.user_id,
        content=claim.content,
        memory_type=label_of(claim.memory_type),
        source=label_of(claim.source),
        evidence=result.evidence,
        validation_result=result,
    )


def _renamed(result: ValidationResult, name: str, queue_id: str) -> ValidationResult:
    """Return *result* with a claim of the same batch called as the queue calls it."""
    failed = [check.replace(name, queue_id) if check.endswith(f": {name}") else check for check in result.checks_failed]
    return replace(result, conflicting_memory_id=queue_id, checks_failed=failed)
