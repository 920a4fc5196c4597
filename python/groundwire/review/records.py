"""Defines the records of the queue: pending claims, excerpts, audit events, outcomes, and filters of lists."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from groundwire.memory import StoredMemory
from groundwire.memory.records import Textless

if TYPE_CHECKING:
    from groundwire.ingestion.hedges import HedgeCue
    from groundwire.ingestion.records import EvidenceObject
    from groundwire.memory import Anchor

__all__ = [
    "COUNT_MAX",
    "ChangedMemory",
    "ClaimExcerpt",
    "DecisionOutcome",
    "EventFilter",
    "PendingCitation",
    "PendingMemory",
    "QueueFilter",
    "QueueState",
    "ReviewAction",
    "ReviewEvent",
    "ReviewEventDraft",
    "Verification",
]


class QueueState(StrEnum):
    """The states of a claim (ruling C14)."""

    PENDING = "pending"
    PROCESSING = "processing"
    STORED = "stored"
    REJECTED = "rejected"
    EXPIRED = "expired"

    @property
    def is_final(self) -> bool:
        """Whether the claim is decided or expired."""
        return self in (QueueState.STORED, QueueState.REJECTED, QueueState.EXPIRED)


class ReviewAction(StrEnum):
    """The actions of the audit of claims."""

    ENQUEUED = "enqueued"
    ASSIGNED = "assigned"
    SKIPPED = "skipped"
    EDITED = "edited"
    APPROVING = "approving"
    FAILED = "failed"
    STORED = "stored"
    STORED_LATE = "stored_late"
    REJECTED = "rejected"
    EXPIRED = "expired"
    ERASED = "erased"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PendingCitation(Textless):
    """
    A citation of the claim, with the result of its verification.

    Attributes:
        type: `adr`, `commit`, `url`, ...
        name: Its name: `ADR-003`, `commit:a1b2c3d`, the URL.
        value: Its id as written.
        start: Its offset in code points of the latest text of the claim.
        end: The offset after its last character.
        status: `verified`, `refuted` or `unknown`.
        reason: The reason of the status, in words.
        code: The reason as a stable code.
    """

    _shown = ("type", "status", "code")

    type: str
    name: str
    value: str
    start: int
    end: int
    status: str
    reason: str
    code: str


@dataclass(slots=True, repr=False)
class PendingMemory(Textless):
    """
    A claim in the queue: the fields of the specification, the results of the checks, and the decisions.

    Each call returns new objects. As in the specification, it is not frozen, because that would double the time of a
    decision in memory.

    Attributes:
        queue_id: Its id, which is also the idempotency key of the store callback.
        user_id: The user that it belongs to.
        content: Its latest text.
        memory_type: A label, such as `preference`, `fact` or `decision`.
        source: A label, such as `ai_synthesis`.
        evidence: Its evidence.
        submitted_at: The time of its submission.
        state: Its state.
        reason: The reason for the review, in words.
        code: The reason as a stable code, if the guarded table decided.
        checks_passed: As in `ValidationResult`.
        checks_failed: As in `ValidationResult`.
        similarity_score: Similarity to the most similar memory, 0.0 to 1.0.
        conflicting_memory_id: The memory that it repeats or contradicts.
        hedges: The hedges of the submitted text.
        citations: The citations of the latest text.
        original_content: The submitted text if it was edited, else None.
        assigned_to: The person it is assigned to.
        attempts: The number of approvals; above 1, storing has failed before.
        failure: The latest reason why storing failed: a code of `CallbackFailed`.
        expires_at: The time at which it expires; None for never, and for decided claims.
        reviewer: The person who decided, or is deciding.
        decided_at: The time of the decision.
        decision_reason: The reason of a rejection, in the reviewer's words.
        memory_id: The id of the stored memory; of a pending claim, the id of the memory that was sent back to review.
        place: Its position in the queue; the next page starts after the last position of this one.
    """

    _shown = (
        "queue_id",
        "memory_type",
        "source",
        "code",
        "checks_passed",
        "memory_id",
        "conflicting_memory_id",
        "failure",
    )

    queue_id: str
    user_id: str
    content: str
    memory_type: str
    source: str
    evidence: "EvidenceObject"
    submitted_at: datetime
    state: QueueState = QueueState.PENDING
    reason: str = ""
    code: str | None = None
    checks_passed: tuple[str, ...] = ()
    checks_failed: tuple[str, ...] = ()
    similarity_score: float | None = None
    conflicting_memory_id: str | None = None
    hedges: "tuple[HedgeCue, ...]" = ()
    citations: tuple[PendingCitation, ...] = ()
    original_content: str | None = None
    assigned_to: str | None = None
    attempts: int = 0
    failure: str | None = None
    expires_at: datetime | None = None
    reviewer: str | None = None
    decided_at: datetime | None = None
    decision_reason: str | None = None
    memory_id: str | None = None
    place: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ClaimExcerpt(Textless):
    """
    A claim in a list. Attributes without a description here are those of `PendingMemory`.

    Attributes:
        excerpt: The beginning of the latest text, up to 400 characters.
        content_chars: The length of the whole text, in characters.
        content_hash: The keyed hash of the whole text, as in the audit.
        checks_failed: As in `ValidationResult`; only the names of the checks if their details are too long.
        hedges: The hedges that begin in the excerpt; empty if the claim was edited.
        citations: The citations that begin in the excerpt.
        decision_reason: The reason, up to 400 characters.
    """

    queue_id: str
    user_id: str
    excerpt: str
    content_chars: int
    content_hash: str
    memory_type: str
    source: str
    submitted_at: datetime
    state: QueueState
    checks_failed: tuple[str, ...]
    hedges: "tuple[HedgeCue, ...]"
    citations: tuple[PendingCitation, ...]
    assigned_to: str | None
    expires_at: datetime | None
    reviewer: str | None
    decided_at: datetime | None
    decision_reason: str | None
    memory_id: str | None
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewEvent:
    """
    One event in the audit of claims. It contains no text: its keyed hashes stay when the text is erased.

    Attributes:
        sequence: Its number, from 1 without a gap.
        time: The time by the queue's clock.
        action: The action.
        queue_id: The id of the claim.
        user_hash: The hash of the user that the claim belongs to.
        content_hash: The hash of the text after the event.
        actor: The person who acted; None for nobody, or if the name was erased.
        before_hash: The hash of the item before the event; None for a new one.
        after_hash: The hash of the item after the event; None for an erased one.
        reason: A code, or None. The reviewer's own words are stored with the claim.
        link: The hash of this event and of the one before it.
    """

    sequence: int
    time: datetime
    action: ReviewAction
    queue_id: str
    user_hash: str
    content_hash: str
    actor: str | None
    before_hash: str | None
    after_hash: str | None
    reason: str | None
    link: str

    def as_json(self) -> dict[str, Any]:
        """Return the event for JSON, with times in ISO 8601."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {**fields, "time": self.time.isoformat(), "action": str(self.action)}


@dataclass(frozen=True, slots=True)
class Verification:
    """
    The result of an integrity check.

    Attributes:
        errors: The errors, in messages without private text.
        anchor: The present ends of the audits, to be kept elsewhere; None if there are errors.
    """

    errors: list[str]
    anchor: "Anchor | None"


@dataclass(frozen=True, slots=True)
class DecisionOutcome:
    """
    The outcome of one decision of a batch.

    Attributes:
        queue_id: The id of the claim.
        memory_id: The id of the stored memory; None if the claim was rejected or is undecided.
        error: The reason why the claim is undecided; None if it is decided.
    """

    queue_id: str
    memory_id: str | None = None
    error: Exception | None = None


REASON_MAX_CHARS = 4_000
"""The maximum length of a reviewer's reason, in characters."""

COUNT_MAX = 1_000
"""The largest count of a list. Counting stops here, which limits its cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewEventDraft:
    """
    An event of the audit of claims, before it is written.

    Attributes:
        time: Microseconds since 1970.
        action: The action.
        actor: The person who acts; None for nobody.
        reason: A code, or None.
    """

    time: int
    action: ReviewAction
    actor: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class QueueFilter(Textless):
    """
    The conditions of a list; None leaves a condition out.

    Attributes:
        state: The state: pending, stored, rejected or expired.
        user_id: The user that the claims belong to.
        memory_type: The type.
        source: The source label.
        failed_check: A check that they failed: `hedge_words_detected`, ...
        assigned_to: The person they are assigned to.
    """

    state: QueueState = QueueState.PENDING
    user_id: str | None = None
    memory_type: str | None = None
    source: str | None = None
    failed_check: str | None = None
    assigned_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilter:
    """The conditions of a search in the audit: the claim, its user, the action, the actor, and the event before."""

    queue_id: str | None = None
    user_hash: str | None = None
    action: ReviewAction | None = None
    actor_hash: str | None = None
    after: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ChangedMemory(Textless):
    """
    A memory whose status has changed, and which the queue has not processed yet.

    Attributes:
        memory_id: The id of the memory.
        time: The time of the change, in microseconds since 1970.
        reason: A label, or None.
        source: The identity of the revoked source, or None.
        memory: The present memory; None if it is erased.
    """

    memory_id: str
    time: int
    reason: str | None
    source: str | None
    memory: StoredMemory | None
