"""The types of the API's requests and responses; the OpenAPI document describes them."""

from datetime import datetime
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from groundwire.memory.records import USER_ID_MAX_CHARS
from groundwire.review.records import REASON_MAX_CHARS
from groundwire.review.web.requests import CHOICE_MAX

__all__ = [
    "DECISIONS",
    "ApproveManyRequest",
    "ApproveRequest",
    "ApproveResponse",
    "AssignRequest",
    "AssignResponse",
    "CitationBody",
    "ConflictBody",
    "DecisionBody",
    "DecisionResponse",
    "DiffPartBody",
    "EventBody",
    "EventPageBody",
    "EvidenceBody",
    "FailureBody",
    "HedgeBody",
    "ItemBody",
    "ItemDetailBody",
    "ItemExcerptBody",
    "ItemPageBody",
    "OutcomeBody",
    "OutcomesBody",
    "PassageBody",
    "RejectManyRequest",
    "RejectRequest",
    "SubmitRequest",
    "SubmitResponse",
]

# No database keeps a NUL character in a text.
_NO_NUL = r"^[^\x00]*$"
_Text = Annotated[str, Meta(min_length=1, pattern=_NO_NUL)]
_Several = Annotated[list[_Text], Meta(min_length=1, max_length=CHOICE_MAX)]
_Reason = Annotated[str, Meta(min_length=1, max_length=REASON_MAX_CHARS, pattern=_NO_NUL)]
_Label = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.:/\-]{0,63}$")]


class _In(Struct, kw_only=True, forbid_unknown_fields=True):
    """A body of a request; unknown fields are refused."""


class _Out(Struct, kw_only=True):
    """A body of a response."""


class SubmitRequest(_In):
    """A claim that the caller submits for review."""

    content: _Text
    memory_type: _Label
    source: _Label
    confidence: Annotated[str, Meta(pattern="^(high|medium|low)$")] = "low"
    source_id: _Text | None = None
    metadata: dict[str, Any] = {}
    idempotency_key: Annotated[str, Meta(min_length=1, max_length=128, pattern=_NO_NUL)] | None = None


class ApproveRequest(_In):
    """An approval of the claim or of its edited text, and of the hidden characters in it."""

    content: _Text | None = None
    confirm_hidden: bool = False


class RejectRequest(_In):
    """A rejection, and why."""

    reason: _Reason | None = None


class AssignRequest(_In):
    """Who is asked to decide; null for nobody in particular."""

    assignee: Annotated[str, Meta(min_length=1, max_length=USER_ID_MAX_CHARS, pattern=_NO_NUL)] | None


class ApproveManyRequest(_In, tag_field="decision", tag="approve"):
    """Several claims are approved as they are."""

    queue_ids: _Several


class RejectManyRequest(_In, tag_field="decision", tag="reject"):
    """Several claims are rejected, for one reason."""

    queue_ids: _Several
    reason: _Reason | None = None


DECISIONS: Any = ApproveManyRequest | RejectManyRequest
"""One decision about several claims; `decision` says which."""


class SubmitResponse(_Out):
    """Under which id a claim waits."""

    queue_id: str


class ApproveResponse(_Out):
    """As which memory a claim is stored."""

    queue_id: str
    memory_id: str


class DecisionResponse(_Out):
    """What became of a claim."""

    queue_id: str
    state: str


class AssignResponse(_Out):
    """Who is asked to decide about a claim."""

    queue_id: str
    assigned_to: str | None


class HedgeBody(_Out):
    """A hedge: its place is in code points of the claim as it was submitted."""

    text: str
    start: int
    end: int
    category: str


class CitationBody(_Out):
    """A citation, and the result of its verification."""

    type: str
    name: str
    value: str
    start: int
    end: int
    status: str
    reason: str
    code: str


class PassageBody(_Out):
    """What a citation says of the claim: `supports`, `contradicts`, `unrelated` or `unread`."""

    source: str
    verdict: str
    text: str | None
    start: int | None
    end: int | None
    line: int | None


class EvidenceBody(_Out):
    """Where a claim comes from."""

    capture_time: datetime
    confidence: str
    source_id: str | None
    validity_horizon: datetime | None
    metadata: dict[str, Any]
    parents: list[str]
    passages: list[PassageBody]


class ItemBody(_Out):
    """A claim in the queue, as `groundwire.review.PendingMemory`."""

    queue_id: str
    user_id: str
    content: str
    memory_type: str
    source: str
    state: str
    submitted_at: datetime
    reason: str
    code: str | None
    checks_passed: list[str]
    checks_failed: list[str]
    similarity_score: float | None
    conflicting_memory_id: str | None
    hedges: list[HedgeBody]
    citations: list[CitationBody]
    evidence: EvidenceBody
    original_content: str | None
    assigned_to: str | None
    attempts: int
    failure: str | None
    expires_at: datetime | None
    reviewer: str | None
    decided_at: datetime | None
    decision_reason: str | None
    memory_id: str | None
    place: int


class ItemExcerptBody(_Out):
    """A claim in a list: the beginning of its text, and how long all of it is, in characters."""

    queue_id: str
    user_id: str
    excerpt: str
    content_chars: int
    memory_type: str
    source: str
    state: str
    submitted_at: datetime
    checks_failed: list[str]
    assigned_to: str | None
    expires_at: datetime | None
    reviewer: str | None
    decided_at: datetime | None
    decision_reason: str | None
    memory_id: str | None
    place: int


class DiffPartBody(_Out):
    """A stretch of a word diff."""

    kind: str
    words: str


class ConflictBody(_Out):
    """What a claim contradicts or repeats, and how they differ."""

    memory_id: str
    content: str
    parts: list[DiffPartBody]


class ItemDetailBody(_Out):
    """One claim, and what it contradicts or repeats if that is known."""

    claim: ItemBody
    conflict: ConflictBody | None


class ItemPageBody(_Out):
    """Excerpts of claims, and the place after which the next page starts, or null."""

    claims: list[ItemExcerptBody]
    next_after: int | None


class EventBody(_Out):
    """One thing that was done to a claim; hashes are keyed."""

    sequence: int
    time: datetime
    action: str
    queue_id: str
    user_hash: str
    content_hash: str
    actor: str | None
    before_hash: str | None
    after_hash: str | None
    reason: str | None
    link: str


class EventPageBody(_Out):
    """The events of a claim, oldest first, and the number after which the next page starts, or null."""

    entries: list[EventBody]
    next_after: int | None


class DecisionBody(_Out):
    """Who was quicker, and what they did."""

    state: str
    time: datetime
    reviewer: str | None
    memory_id: str | None


class FailureBody(_Out):
    """Why a request was not answered as it was meant."""

    error: str
    message: str
    field: str | UnsetType = UNSET
    decided: DecisionBody | UnsetType = UNSET


class OutcomeBody(_Out):
    """What became of one of several claims: its state and memory, or why nothing was done."""

    queue_id: str
    state: str | None
    memory_id: str | None
    failure: FailureBody | None


class OutcomesBody(_Out):
    """What became of each of several claims, in the order in which they were named."""

    outcomes: list[OutcomeBody]
