"""What waits for review, what became of it, and who did what to it. Times have their zone."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from groundwire.memory.textless import Textless

if TYPE_CHECKING:
    from groundwire.ingestion.hedges import HedgeCue
    from groundwire.ingestion.records import EvidenceObject
    from groundwire.memory import Anchor

__all__ = [
    "ClaimExcerpt",
    "Outcome",
    "PendingCitation",
    "PendingMemory",
    "QueueState",
    "ReviewAction",
    "ReviewEntry",
    "Verification",
]


class QueueState(StrEnum):
    """Where a claim is on its way through the queue (ruling C14)."""

    PENDING = "pending"
    PROCESSING = "processing"
    STORED = "stored"
    REJECTED = "rejected"
    EXPIRED = "expired"

    @property
    def is_final(self) -> bool:
        """Whether nothing can be decided any more."""
        return self in (QueueState.STORED, QueueState.REJECTED, QueueState.EXPIRED)


class ReviewAction(StrEnum):
    """What was done to a claim."""

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
    A citation of the claim, and what its verification said.

    Attributes:
        type: `adr`, `commit`, `url`, ...
        name: What it is called: `ADR-003`, `commit:a1b2c3d`, the URL.
        value: Its id as written.
        start: Where it begins, in code points of the claim as it was edited last.
        end: Behind its last character.
        status: `verified`, `refuted` or `unknown`.
        reason: Why, in words.
        code: The same as a stable code.
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
    A claim in the queue: the printed fields, then what the checks said, then what people did.

    Whoever asks gets one of their own. As printed it is not frozen: that would take as long
    as all the rest of a decision in memory.

    Attributes:
        queue_id: Its id, and the key by which a callback tells that it was called for it before.
        user_id: Whose it is.
        content: The claim, as it was edited last.
        memory_type: `preference`, `fact`, `decision`: a label.
        source: `ai_synthesis`, ...: a label.
        evidence: Where it comes from.
        submitted_at: When it was.
        state: Where it is.
        reason: Why it has to be reviewed, in words.
        code: The same as a stable code, where the guarded table decided.
        checks_passed: As in `ValidationResult`.
        checks_failed: As in `ValidationResult`.
        similarity_score: How like the most similar memory is, 0.0 to 1.0.
        conflicting_memory_id: The memory that says the same or the opposite.
        hedges: The hedges of the claim as it was submitted.
        citations: The citations of the claim as it was edited last.
        original_content: What it said before it was edited; None if it was not.
        assigned_to: Who is asked to decide.
        attempts: How often it was approved; above 1, storing has failed before.
        failure: Why storing failed last: a code of `CallbackFailed`.
        expires_at: When it expires undecided; None for never, and once it is decided.
        reviewer: Who decided, or is at it.
        decided_at: When.
        decision_reason: Why it was rejected, in the reviewer's words.
        memory_id: As what it is stored; while it waits, the memory that was sent back to review.
        place: Its place in the queue: the next page begins after the last one's.
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
    A claim as lists show it. Attributes not listed here are those of `PendingMemory`.

    Attributes:
        excerpt: The beginning of the claim as it was edited last: up to 400 characters.
        content_chars: How long the whole claim is, in characters.
        content_hash: The keyed hash of the whole claim, as in the audit.
        checks_failed: As in `ValidationResult`; the names of the checks alone if there is too much to say of them.
        hedges: Those that begin in the excerpt; none of a claim that was edited.
        citations: Those that begin in the excerpt.
        decision_reason: Up to 400 characters of it.
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
class ReviewEntry:
    """
    One thing that was done to one claim. It holds no text: hashes are keyed, and stay when the text is erased.

    Attributes:
        sequence: Its number, from 1 without a gap.
        time: When, by the queue's clock.
        action: What was done.
        queue_id: To which claim.
        user_hash: The hash of whose claim it is.
        content_hash: The hash of what it says after this.
        actor: Who did it; None for nobody, or if the name was erased.
        before_hash: The hash of all that was known of the claim before; None when it was enqueued.
        after_hash: The same after; None when it was erased.
        reason: Why: a code, or None. A reviewer's own words are kept with the claim.
        link: The hash of this entry and of the one before it.
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
        """Return the entry as JSON has it: times in ISO 8601."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {**fields, "time": self.time.isoformat(), "action": str(self.action)}


@dataclass(frozen=True, slots=True)
class Verification:
    """
    Whether all is as it was written.

    Attributes:
        faults: What is not, in words that hold no text; empty if all is.
        anchor: How far the audits go, to be kept elsewhere; None if there are faults.
    """

    faults: list[str]
    anchor: "Anchor | None"


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    What became of one of many decisions.

    Attributes:
        queue_id: About which claim.
        memory_id: As what it is stored; None if it was rejected, or nothing was decided.
        error: Why nothing was decided; None if it was.
    """

    queue_id: str
    memory_id: str | None = None
    error: Exception | None = None
