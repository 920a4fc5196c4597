"""Defines the types of the API's requests and responses, which the OpenAPI document describes."""

from datetime import datetime
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from groundwire.http_server.openapi import RequestBody, ResponseBody
from groundwire.ingestion.records import ConfidenceName
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

# Databases store no NUL character in text.
_NO_NUL = r"^[^\x00]*$"
_Text = Annotated[str, Meta(min_length=1, pattern=_NO_NUL)]
_Several = Annotated[list[_Text], Meta(min_length=1, max_length=CHOICE_MAX)]
_Reason = Annotated[str, Meta(min_length=1, max_length=REASON_MAX_CHARS, pattern=_NO_NUL)]
_Label = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.:/\-]{0,63}$")]


class SubmitRequest(RequestBody):
    """A claim that the caller submits for review."""

    content: _Text
    memory_type: _Label
    source: _Label
    confidence: ConfidenceName = "low"
    source_id: _Text | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    idempotency_key: Annotated[str, Meta(min_length=1, max_length=128, pattern=_NO_NUL)] | None = None


class ApproveRequest(RequestBody):
    """An approval of a claim or of its edited text, and of hidden characters in it."""

    content: _Text | None = None
    confirm_hidden: bool = False


class RejectRequest(RequestBody):
    """A rejection and its reason."""

    reason: _Reason | None = None


class AssignRequest(RequestBody):
    """The person a claim is assigned to; null for nobody."""

    assignee: Annotated[str, Meta(min_length=1, max_length=USER_ID_MAX_CHARS, pattern=_NO_NUL)] | None


class ApproveManyRequest(RequestBody, tag_field="decision", tag="approve"):
    """An approval of several unedited claims."""

    queue_ids: _Several


class RejectManyRequest(RequestBody, tag_field="decision", tag="reject"):
    """A rejection of several claims for one reason."""

    queue_ids: _Several
    reason: _Reason | None = None


DECISIONS: Any = ApproveManyRequest | RejectManyRequest
"""A decision on several claims; `decision` names it."""


class SubmitResponse(ResponseBody):
    """The id of a submitted claim."""

    queue_id: str


class ApproveResponse(ResponseBody):
    """The memory as which an approved claim is stored."""

    queue_id: str
    memory_id: str


class DecisionResponse(ResponseBody):
    """The new state of a claim."""

    queue_id: str
    state: str


class AssignResponse(ResponseBody):
    """The person a claim is assigned to."""

    queue_id: str
    assigned_to: str | None


class HedgeBody(ResponseBody):
    """A hedge, with its position in code points of the submitted text."""

    text: str
    start: int
    end: int
    category: str


class CitationBody(ResponseBody):
    """A citation and the result of its verification."""

    type: str
    name: str
    value: str
    start: int
    end: int
    status: str
    reason: str
    code: str


class PassageBody(ResponseBody):
    """A cited passage and its verdict on the claim: `supports`, `contradicts`, `unrelated` or `unread`."""

    source: str
    verdict: str
    text: str | None
    start: int | None
    end: int | None
    line: int | None


class EvidenceBody(ResponseBody):
    """The origin of a claim."""

    capture_time: datetime
    confidence: str
    source_id: str | None
    validity_horizon: datetime | None
    metadata: dict[str, Any]
    parents: list[str]
    passages: list[PassageBody]


class _Item(ResponseBody):
    """The fields of a claim in the queue that both of its bodies have."""

    queue_id: str
    user_id: str
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


class ItemBody(_Item):
    """A claim in the queue, with the fields of `groundwire.review.PendingMemory`."""

    content: str
    reason: str
    code: str | None
    checks_passed: list[str]
    similarity_score: float | None
    conflicting_memory_id: str | None
    hedges: list[HedgeBody]
    citations: list[CitationBody]
    evidence: EvidenceBody
    original_content: str | None
    attempts: int
    failure: str | None


class ItemExcerptBody(_Item):
    """A claim in a list, with the beginning of its text and the length of all of it in characters."""

    excerpt: str
    content_chars: int


class DiffPartBody(ResponseBody):
    """A part of a word diff."""

    kind: str
    words: str


class ConflictBody(ResponseBody):
    """The memory that a claim contradicts or repeats, and their differences."""

    memory_id: str
    content: str
    parts: list[DiffPartBody]


class ItemDetailBody(ResponseBody):
    """A claim, and the memory it contradicts or repeats, if known."""

    claim: ItemBody
    conflict: ConflictBody | None


class ItemPageBody(ResponseBody):
    """Excerpts of claims, and the position after which the next page starts, or null."""

    claims: list[ItemExcerptBody]
    next_after: int | None


class EventBody(ResponseBody):
    """An event in the life of a claim; hashes are keyed."""

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


class EventPageBody(ResponseBody):
    """The events of a claim, oldest first, and the number after which the next page starts, or null."""

    entries: list[EventBody]
    next_after: int | None


class DecisionBody(ResponseBody):
    """An earlier decision on a claim."""

    state: str
    time: datetime
    reviewer: str | None
    memory_id: str | None


class FailureBody(ResponseBody):
    """The reason why a request failed."""

    error: str
    message: str
    field: str | UnsetType = UNSET
    decided: DecisionBody | UnsetType = UNSET


class OutcomeBody(ResponseBody):
    """The outcome for one of several claims: its state and memory, or the reason of a failure."""

    queue_id: str
    state: str | None
    memory_id: str | None
    failure: FailureBody | None


class OutcomesBody(ResponseBody):
    """The outcomes for several claims, in the order of the request."""

    outcomes: list[OutcomeBody]
