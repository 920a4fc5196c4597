"""Serves the endpoints of the JSON API for claims, and converts records to JSON."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET
from starlette.responses import Response

from groundwire.errors import AlreadyDecided
from groundwire.http_server.requests import decode_json, read_body
from groundwire.http_server.responses import HttpProblem
from groundwire.ingestion.records import Confidence, EvidenceObject
from groundwire.memory.records import check_label, check_metadata
from groundwire.review import records
from groundwire.review.details import ClaimConflict
from groundwire.review.records import ClaimExcerpt, DecisionOutcome, PendingMemory, QueueState, ReviewEvent
from groundwire.review.web.api import schemas
from groundwire.review.web.api.schemas import (
    CitationBody,
    ConflictBody,
    DecisionBody,
    DiffPartBody,
    EventBody,
    EvidenceBody,
    FailureBody,
    HedgeBody,
    ItemBody,
    ItemExcerptBody,
    PassageBody,
)
from groundwire.review.web.auth import assign_item
from groundwire.review.web.context import RequestContext, queue_id_from_path
from groundwire.review.web.rate_limiter import RequestLimits
from groundwire.review.web.requests import check_size, read_filters, read_place
from groundwire.review.web.responses import DecidedProblem, LateResponse, to_problem

__all__ = [
    "approve",
    "as_json",
    "assign",
    "audit",
    "claim",
    "claims",
    "counts",
    "decide",
    "read_json",
    "refuse",
    "reject",
    "reply",
    "skip",
    "submit",
]

T = TypeVar("T", bound=msgspec.Struct)

Content = msgspec.Struct | dict[str, Any]


async def read_json(context: RequestContext, kind: type[T]) -> T:
    """
    Return the body of a request; an empty body counts as an empty object.

    Raises:
        HttpProblem: The body is too large or too slow, not JSON, or not of this type; it names the field.
    """
    return decode_json(context.request, await read_body(context.request, context.site.limits), kind)


def reply(content: Content | Callable[[], Content | str], *, status: int = 200) -> Response:
    """Return *content* as JSON. A function is called in a thread, and may return JSON as a str."""

    def make() -> str:
        made = content() if callable(content) else content
        return made if isinstance(made, str) else as_json(made)

    return LateResponse(make, status_code=status, media_type="application/json")


def as_json(content: Content | int | None) -> str:
    """Return *content* as JSON in ASCII, which can represent lone surrogates, unlike UTF-8."""
    return json.dumps(msgspec.to_builtins(content), separators=(",", ":"))


def refuse(context: RequestContext, problem: HttpProblem) -> Response:  # noqa: ARG001 - the signature of `layout.refuse`
    """Return a problem as JSON."""
    response = reply(to_failure_body(problem), status=problem.status)
    if problem.status == 401:
        response.headers["www-authenticate"] = 'Bearer realm="groundwire review"'
    return response


def to_item_body(one: PendingMemory) -> ItemBody:
    """Convert a claim."""
    evidence = one.evidence
    own = ("evidence", "hedges", "citations", "checks_passed", "checks_failed", "state")
    same = {name: getattr(one, name) for name in ItemBody.__struct_fields__ if name not in own}
    return ItemBody(
        **same,
        state=str(one.state),
        checks_passed=list(one.checks_passed),
        checks_failed=list(one.checks_failed),
        hedges=[
            HedgeBody(text=cue.text, start=cue.start, end=cue.end, category=str(cue.category)) for cue in one.hedges
        ],
        citations=[
            CitationBody(**{name: getattr(each, name) for name in CitationBody.__struct_fields__})
            for each in one.citations
        ],
        evidence=EvidenceBody(
            capture_time=evidence.capture_time,
            confidence=evidence.confidence.value,
            source_id=evidence.source_id,
            validity_horizon=evidence.validity_horizon,
            metadata=dict(evidence.metadata),
            parents=list(evidence.parents),
            passages=[
                PassageBody(**{name: getattr(each, name) for name in PassageBody.__struct_fields__})
                for each in evidence.passages
            ],
        ),
    )


def to_excerpt_body(one: records.ClaimExcerpt) -> ItemExcerptBody:
    """Convert a claim in a list."""
    same = {
        name: getattr(one, name) for name in ItemExcerptBody.__struct_fields__ if name not in ("state", "checks_failed")
    }
    return ItemExcerptBody(**same, state=str(one.state), checks_failed=list(one.checks_failed))


def to_conflict_body(conflict: ClaimConflict | None) -> ConflictBody | None:
    """Convert a conflict."""
    if conflict is None:
        return None
    parts = [DiffPartBody(kind=part.kind, words=part.words) for part in conflict.parts]
    return ConflictBody(memory_id=conflict.memory_id, content=conflict.content, parts=parts)


def to_event_body(entry: ReviewEvent) -> EventBody:
    """Convert an audit event."""
    same = {name: getattr(entry, name) for name in EventBody.__struct_fields__ if name != "action"}
    return EventBody(**same, action=str(entry.action))


def _to_decision_body(error: AlreadyDecided) -> DecisionBody:
    """Convert an earlier decision."""
    return DecisionBody(state=error.state, time=error.time, reviewer=error.reviewer, memory_id=error.memory_id)


def to_failure_body(problem: HttpProblem) -> FailureBody:
    """Convert a problem."""
    return FailureBody(
        error=problem.code,
        message=problem.message,
        field=UNSET if problem.field is None else problem.field,
        decided=_to_decision_body(problem.decided) if isinstance(problem, DecidedProblem) else UNSET,
    )


# The maximum numbers of claims and of events in one response.
_CLAIMS_MAX = 100
_EVENTS_MAX = 500


async def claims(context: RequestContext) -> Response:
    """Return excerpts of the claims that the caller can see."""
    params = context.request.query_params
    filters, after, limit = read_filters(params), read_place(params), _limit(params.get("limit", "50"), _CLAIMS_MAX)
    found = await context.queue.snapshot(
        lambda snapshot: filters.page(snapshot, context.name, after=after, limit=limit), expire_overdue=True
    )
    return reply(lambda: _claim_page(found, limit, context.site.limits))


def _claim_page(found: Sequence[ClaimExcerpt], limit: int, limits: RequestLimits) -> str:
    """Return a `schemas.ItemPageBody` with as many of *found* as fit in a response, and at least one."""
    claims = [as_json(to_excerpt_body(one)) for one in found]
    room = sum(size <= limits.response_bytes for size in accumulate(map(len, claims)))
    there = claims[: max(room, 1)]
    is_all = len(there) == len(found) < limit
    last = None if is_all or not there else found[len(there) - 1].place
    return f'{{"claims":[{",".join(there)}],"next_after":{as_json(last)}}}'


async def claim(context: RequestContext) -> Response:
    """Return a claim and the memory it contradicts."""
    queue, queue_id = context.queue, queue_id_from_path(context)
    one = await queue.get_by_id(queue_id, context.name)
    conflict = await queue.conflict(queue_id, context.name)
    return reply(lambda: schemas.ItemDetailBody(claim=to_item_body(one), conflict=to_conflict_body(conflict)))


async def audit(context: RequestContext) -> Response:
    """Return the events of a claim."""
    queue_id, params = queue_id_from_path(context), context.request.query_params
    after, limit = read_place(params), _limit(params.get("limit", str(_EVENTS_MAX)), _EVENTS_MAX)
    trail = await context.queue.snapshot(
        lambda snapshot: snapshot.events(snapshot.excerpt(queue_id, context.name), limit, after=after),
        expire_overdue=False,
    )
    last = trail[-1].sequence if len(trail) == limit else None
    return reply(lambda: schemas.EventPageBody(entries=[to_event_body(entry) for entry in trail], next_after=last))


async def counts(context: RequestContext) -> Response:
    """Return the number of claims in each state."""
    filters = read_filters(context.request.query_params)
    found = await context.queue.snapshot(lambda snapshot: filters.counts(snapshot, context.name), expire_overdue=True)
    return reply({str(state): found.get(state, 0) for state in QueueState if state is not QueueState.PROCESSING})


async def submit(context: RequestContext) -> Response:
    """Add a claim of the caller."""
    new = await read_json(context, schemas.SubmitRequest)
    check_size(new.content, context.site.limits)
    # The pattern of the schema lets a line end follow.
    _check("memory_type", check_label, new.memory_type, "memory_type")
    _check("source", check_label, new.source, "source")
    _check("metadata", check_metadata, new.metadata)
    evidence = EvidenceObject(
        claim=new.content,
        capture_time=datetime.now(UTC),
        confidence=Confidence(new.confidence),
        source_id=new.source_id,
        metadata=new.metadata,
    )
    try:
        queue_id = await context.queue.enqueue(
            context.name, new.content, new.memory_type, new.source, evidence, idempotency_key=new.idempotency_key
        )
    except ValueError as error:
        raise HttpProblem(409, "key_in_use", str(error), field="idempotency_key") from None
    return reply(schemas.SubmitResponse(queue_id=queue_id), status=201)


async def approve(context: RequestContext) -> Response:
    """Approve a claim."""
    approval = await read_json(context, schemas.ApproveRequest)
    check_size(approval.content, context.site.limits)
    queue_id = queue_id_from_path(context)
    memory_id = await context.queue.approve(
        queue_id, context.name, content=approval.content, confirm_hidden=approval.confirm_hidden
    )
    context.site.metrics.decided("approved")
    return reply(schemas.ApproveResponse(queue_id=queue_id, memory_id=memory_id))


async def reject(context: RequestContext) -> Response:
    """Reject a claim."""
    rejection = await read_json(context, schemas.RejectRequest)
    queue_id = queue_id_from_path(context)
    await context.queue.reject(queue_id, context.name, rejection.reason)
    context.site.metrics.decided("rejected")
    return reply(schemas.DecisionResponse(queue_id=queue_id, state="rejected"))


async def skip(context: RequestContext) -> Response:
    """Move a claim to the end of the queue."""
    queue_id = queue_id_from_path(context)
    await context.queue.skip(queue_id, context.name)
    context.site.metrics.decided("skipped")
    return reply(schemas.DecisionResponse(queue_id=queue_id, state="pending"))


async def assign(context: RequestContext) -> Response:
    """Assign a claim."""
    assignment = await read_json(context, schemas.AssignRequest)
    queue_id = queue_id_from_path(context)
    await assign_item(context, queue_id, assignment.assignee)
    return reply(schemas.AssignResponse(queue_id=queue_id, assigned_to=assignment.assignee))


async def decide(context: RequestContext) -> Response:
    """Decide on several claims."""
    asked: schemas.ApproveManyRequest | schemas.RejectManyRequest = await read_json(context, schemas.DECISIONS)
    if isinstance(asked, schemas.ApproveManyRequest):
        outcomes = await context.queue.approve_many(asked.queue_ids, context.name)
        done, state = "approved", "stored"
    else:
        outcomes = await context.queue.reject_many(asked.queue_ids, context.name, asked.reason)
        done = state = "rejected"
    return reply(schemas.OutcomesBody(outcomes=[_outcome(context, done, state, one) for one in outcomes]))


def _outcome(context: RequestContext, done: str, state: str, one: DecisionOutcome) -> schemas.OutcomeBody:
    if one.error is not None:
        failure = to_failure_body(to_problem(one.error))
        return schemas.OutcomeBody(queue_id=one.queue_id, state=None, memory_id=None, failure=failure)
    context.site.metrics.decided(done)
    return schemas.OutcomeBody(queue_id=one.queue_id, state=state, memory_id=one.memory_id, failure=None)


def _check(field: str, check: Callable[..., None], *arguments: object) -> None:
    """Run *check*, and add the field to its error, whose message has no text."""
    try:
        check(*arguments)
    except ValueError as error:
        raise HttpProblem(422, "invalid", str(error), field=field) from None


def _limit(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= most):
        raise HttpProblem(422, "invalid", f"limit must be between 1 and {most}", field="limit")
    return int(text)
