"""
Decides which claims are written to memory.

A claim of tier 1 is stored, one of tier 2 goes to the review queue, and one of tier 3 is rejected. Shadow mode stores
every claim and records the decision with the memory and in the log, so that the gate's effect can be observed before it
is enforced.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from groundwire.errors import MemoryNotFoundError
from groundwire.ingestion.checks import ValidationState, check_name
from groundwire.ingestion.records import Confidence, EvidenceObject, MemoryClaim, ValidationResult, utc_now
from groundwire.ingestion.tiers import Tier, known_source, known_type
from groundwire.ingestion.validator import build_validation_result
from groundwire.ingestion.verification.protocol import VerificationStatus
from groundwire.labels import is_label
from groundwire.memory.records import MemoryStatus, StoredMemory, check_metadata
from groundwire.telemetry import Label, TextHash, claim_decided

if TYPE_CHECKING:
    from groundwire.ingestion.conversation import ConversationLike
    from groundwire.ingestion.validator import IngestionValidator
    from groundwire.memory import MemoryStore

__all__ = [
    "SHADOW_KEY",
    "GateOutcome",
    "IngestionGate",
    "ReviewQueueProtocol",
    "Submission",
    "enqueue_claim",
    "log_submission",
]

SHADOW_KEY = "groundwire_shadow"
"""The metadata key of the decision that was not applied to a memory stored in shadow mode."""


class GateOutcome(StrEnum):
    """The outcome of a submitted claim."""

    STORED = "stored"
    QUEUED = "queued"
    REJECTED = "rejected"
    NEEDS_REVIEW = "needs_review"
    SHADOW_STORED = "shadow_stored"


class ReviewQueueProtocol(Protocol):
    """A queue that keeps claims until reviewers decide, such as `groundwire.review.ReviewQueue`."""

    async def enqueue(
        self,
        user_id: str,
        content: str,
        memory_type: str,
        source: str,
        evidence: EvidenceObject,
        validation_result: ValidationResult,
    ) -> str:
        """Add a claim and return its id in the queue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """
    The outcome of a submitted claim, with the reason.

    Attributes:
        outcome: The outcome. `needs_review`: a reviewer must see the claim, but it is stored nowhere, because there is
            no queue or the queue failed (*failure*).
        result: The result of the validation.
        memory_id: The id of the memory.
        queue_id: The id in the queue.
        failure: The class of the exception that the queue raised.
    """

    outcome: GateOutcome
    result: ValidationResult
    memory_id: str | None = None
    queue_id: str | None = None
    failure: str | None = None


@dataclass(slots=True)
class GateDecision:
    """
    The decision about a claim.

    Attributes:
        claim: The claim.
        memory_id: The id of the memory if the claim is stored.
        parents: The parents of the claim that are active memories of its user.
        result: The result of the validation.
        is_stored: Whether the claim is stored.
    """

    claim: MemoryClaim
    memory_id: str
    parents: tuple[str, ...]
    result: ValidationResult
    is_stored: bool = False


def _new_id() -> str:
    from uuid import uuid4

    return f"mem-{uuid4().hex}"


class IngestionGate:
    """
    Writes approved claims to memory, and claims that need review to the queue.

    Tasks may share a gate.

    Args:
        validator: Validates the claims.
        store: The memory.
        queue: The review queue. Without one the outcome is `needs_review`.
        shadow: Whether to store every claim and only report the decision.
        new_id: Returns ids for memories: labels that no other memory has or had.
        clock: Returns the time, with its time zone.
    """

    def __init__(
        self,
        validator: "IngestionValidator",
        store: "MemoryStore",
        queue: ReviewQueueProtocol | None = None,
        *,
        shadow: bool = False,
        new_id: Callable[[], str] = _new_id,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._validator = validator
        self._store = store
        self._queue = queue
        self._shadow = shadow
        self._new_id = new_id
        self._clock = clock

    async def submit(self, claim: MemoryClaim, *, conversation: "ConversationLike | None" = None) -> Submission:
        """Decide about one claim and apply the decision; see `submit_many`."""
        return (await self.submit_many([claim], conversation=conversation))[0]

    async def submit_many(
        self, claims: Sequence[MemoryClaim], *, conversation: "ConversationLike | None" = None
    ) -> list[Submission]:
        """
        Decide about claims and apply the decisions; return one submission for each claim, in order.

        A claim with exactly the text of a memory was recalled from memory and submitted again; it is rejected without a
        validation. The store decides how far parents are trusted. A parent that is not an active memory of the user is
        not trusted.

        Approved claims are stored in one transaction, before any claim goes to the queue. Submitting the same claims
        again is safe, because stored claims are recognised. Quotes of claims are checked against *conversation*, as in
        `IngestionValidator.validate_many`.

        Raises:
            ValueError: JSON cannot represent the metadata of a claim, or a custom validator returned too few or too
                many results; nothing was stored.
            MemoryStoreError: The store could not be read or written; nothing was stored.
            MemoryNotFoundError: A parent was erased or sent to review during the validation; nothing was stored.
        """
        from asyncio import to_thread

        for claim in claims:
            check_metadata(claim.metadata)
        known = await to_thread(self._read_store, claims)
        decisions = await self._decide(known, conversation)
        await to_thread(
            self._store_decisions, [decision for decision in decisions if self._shadow or decision.result.approved]
        )
        queued: dict[str, str] = {}
        submissions = []
        for decision in decisions:
            submissions.append(await self._submit(decision, queued))
            content_hash = TextHash(self._store.hash_of("content", decision.claim.content))
            log_submission(decision.claim, submissions[-1], content_hash)
        return submissions

    def _read_store(self, claims: Sequence[MemoryClaim]) -> list[tuple[MemoryClaim, tuple[str, ...], str | None]]:
        """Return claims with the trust of the store, their active parents, and the ids of memories with their text."""
        return [(*resolve_parents(self._store, claim), find_identical(self._store, claim)) for claim in claims]

    async def _decide(
        self, known: Sequence[tuple[MemoryClaim, tuple[str, ...], str | None]], conversation: "ConversationLike | None"
    ) -> list[GateDecision]:
        names = [self._new_id() for _ in known]
        fresh = [(claim, name) for (claim, _, same), name in zip(known, names, strict=True) if same is None]
        claims, fresh_names = [claim for claim, _ in fresh], [name for _, name in fresh]
        # A custom validator may not accept conversations.
        options = {} if conversation is None else {"conversation": conversation}
        validated = await self._validator.validate_many(claims, names=fresh_names, **options)
        if len(validated) != len(claims):
            raise ValueError(f"the validator must return {len(claims)} results, got {len(validated)}")
        results = iter(validated)
        return [
            GateDecision(claim, name, parents, next(results) if same is None else self._recalled(claim, same))
            for (claim, parents, same), name in zip(known, names, strict=True)
        ]

    def _recalled(self, claim: MemoryClaim, memory_id: str) -> ValidationResult:
        return build_validation_result(ValidationState(claim, recalled=memory_id), self._clock())

    def _store_decisions(self, decisions: Sequence[GateDecision]) -> None:
        """Store claims in one transaction, except those stored in the meantime."""
        if not decisions:
            return
        time = self._clock()
        with self._store.transaction():
            for decision in decisions:
                same = None if self._shadow else find_identical(self._store, decision.claim)
                if same is None:
                    store_submission(self._store, decision, time=time, metadata=self._shadow_metadata(decision.result))
                else:
                    decision.result = self._recalled(decision.claim, same)

    def _shadow_metadata(self, result: ValidationResult) -> dict[str, dict[str, str]]:
        """Return the metadata that the gate adds to those of a claim."""
        return {SHADOW_KEY: {"tier": result.tier.value, "code": str(result.code)}} if self._shadow else {}

    async def _submit(self, decision: GateDecision, queued: dict[str, str]) -> Submission:
        """Return the submission of a claim, queued if it needs review. *queued* has the queue ids of earlier claims."""
        result = decision.result
        if decision.is_stored:
            outcome = GateOutcome.SHADOW_STORED if self._shadow else GateOutcome.STORED
            return Submission(outcome=outcome, result=result, memory_id=decision.memory_id)
        if result.conflicting_memory_id in queued:
            result = _with_queue_id(result, result.conflicting_memory_id, queued[result.conflicting_memory_id])
        if result.tier is Tier.BLOCK:
            return Submission(outcome=GateOutcome.REJECTED, result=result)
        if self._queue is None:
            return Submission(outcome=GateOutcome.NEEDS_REVIEW, result=result)
        try:
            queue_id = await enqueue_claim(self._queue, decision.claim, result)
        except Exception as error:  # full or unreachable: the claim is stored nowhere, and the outcome says so
            return Submission(outcome=GateOutcome.NEEDS_REVIEW, result=result, failure=type(error).__name__)
        queued[decision.memory_id] = queue_id
        return Submission(outcome=GateOutcome.QUEUED, result=result, queue_id=queue_id)


def log_submission(claim: MemoryClaim, submission: Submission, content_hash: TextHash) -> None:
    """Log the outcome of a submitted claim, with the hash of its text."""
    result = submission.result
    states = [each.result.status for each in result.citations]
    claim_decided(
        outcome=submission.outcome,
        tier=result.tier,
        code=result.code,
        checks_failed=[Label(check_name(entry)) for entry in result.checks_failed],
        content_hash=content_hash,
        content_len=len(claim.content),
        memory_type=known_type(claim.memory_type),
        source=known_source(claim.source),
        citation_count=len(states),
        verified_count=states.count(VerificationStatus.VERIFIED),
        failure=None if submission.failure is None else Label(submission.failure),
    )


async def enqueue_claim(queue: ReviewQueueProtocol, claim: MemoryClaim, result: ValidationResult) -> str:
    """Add a claim with the result of its validation to *queue*; return its id in the queue."""
    return await queue.enqueue(
        user_id=claim.user_id,
        content=claim.content,
        memory_type=label_of(claim.memory_type),
        source=label_of(claim.source),
        evidence=result.evidence,
        validation_result=result,
    )


def _with_queue_id(result: ValidationResult, name: str, queue_id: str) -> ValidationResult:
    """Return *result* with the queue id of another claim of the batch in place of its name."""
    failed = [check.replace(name, queue_id) if check.endswith(f": {name}") else check for check in result.checks_failed]
    return replace(result, conflicting_memory_id=queue_id, checks_failed=failed)


def label_of(name: str) -> str:
    """Return a source or type for store and queue, or `unknown` if it is not a label."""
    return str(name) if is_label(name) else "unknown"


def find_identical(store: "MemoryStore", claim: MemoryClaim) -> str | None:
    """Return the id of the memory with exactly the text of *claim*, including memories in review."""
    found = store.find(claim.user_id, content=claim.content, status=None, limit=1)
    return found[0].id if found else None


def resolve_parents(store: "MemoryStore", claim: MemoryClaim) -> tuple[MemoryClaim, tuple[str, ...]]:
    """Return *claim* with each parent trusted no more than by *store*, and the ids of active parents."""
    known: dict[str, StoredMemory] = {}
    for parent in claim.parents:
        try:
            memory = store.get(parent, claim.user_id)
        except MemoryNotFoundError:
            continue
        if memory.status is MemoryStatus.ACTIVE:
            known[parent] = memory
    parents = {name: _less_trusted(given, known.get(name)) for name, given in claim.parents.items()}
    return replace(claim, parents=parents), tuple(known)


def store_submission(
    store: "MemoryStore", decision: GateDecision, *, time: datetime, metadata: Mapping[str, Any]
) -> None:
    """Store the claim of *decision*, with *metadata* in addition to its own."""
    claim, evidence = decision.claim, decision.result.evidence
    memory = StoredMemory(
        id=decision.memory_id,
        content=claim.content,
        memory_type=label_of(claim.memory_type),
        user_id=claim.user_id,
        source=label_of(claim.source),
        capture_time=evidence.capture_time,
        confidence=evidence.confidence,
        source_ids=decision.result.source_ids,
        validity_horizon=evidence.validity_horizon,
        metadata={**evidence.metadata, **metadata},
        parents=decision.parents,
    )
    store.add(memory, time=time)
    decision.is_stored = True


def _less_trusted(given: EvidenceObject, stored: StoredMemory | None) -> EvidenceObject:
    """Return the evidence of a parent with the lower trust of both; a parent that is not stored has low confidence."""
    if stored is None:
        return replace(given, confidence=Confidence.LOW)
    horizons = [each for each in (given.validity_horizon, stored.validity_horizon) if each is not None]
    confidence = min(given.confidence, Confidence(stored.confidence), key=lambda each: each.rank)
    return replace(given, confidence=confidence, validity_horizon=min(horizons, default=None))
