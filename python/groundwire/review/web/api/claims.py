"""Claims, for programs: what the pages show and do, as JSON."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import accumulate

from starlette.responses import Response

from groundwire.ingestion.records import Confidence, EvidenceObject
from groundwire.memory.records import check_metadata, check_texts
from groundwire.review.records import ClaimExcerpt, Outcome, QueueState
from groundwire.review.web import assigning
from groundwire.review.web.api import converted, types
from groundwire.review.web.api.exchange import as_json, read_json, reply
from groundwire.review.web.bodies import check_size
from groundwire.review.web.filters import read_filters, read_place
from groundwire.review.web.limits import Limits
from groundwire.review.web.paths import queue_id_of
from groundwire.review.web.problems import Problem, problem_of
from groundwire.review.web.visits import Visit

__all__ = ["approve", "assign", "audit", "claim", "claims", "counts", "decide", "reject", "skip", "submit"]

_LIMIT_MAX = 100
_ENTRIES_MAX = 500


async def claims(visit: Visit) -> Response:
    """Return the beginnings of claims that the caller may see."""
    said = visit.request.query_params
    filters, after, limit = read_filters(said), read_place(said), _limit(said.get("limit", "50"), _LIMIT_MAX)
    found = await visit.queue.look(lambda look: filters.page(look, visit.name, after=after, limit=limit), swept=True)
    return reply(lambda: _claim_page(found, limit, visit.site.limits))


def _claim_page(found: Sequence[ClaimExcerpt], limit: int, limits: Limits) -> str:
    """Return a `types.ClaimPage` of as many of *found* as a response may hold, and of one at least."""
    claims = [as_json(converted.excerpt_of(one)) for one in found]
    room = sum(size <= limits.response_bytes for size in accumulate(map(len, claims)))
    there = claims[: max(room, 1)]
    is_all = len(there) == len(found) < limit
    last = None if is_all or not there else found[len(there) - 1].place
    return f'{{"claims":[{",".join(there)}],"next_after":{as_json(last)}}}'


async def claim(visit: Visit) -> Response:
    """Return one claim, and what it contradicts."""
    queue, queue_id = visit.queue, queue_id_of(visit)
    one = await queue.get_by_id(queue_id, visit.name)
    conflict = await queue.conflict(queue_id, visit.name)
    return reply(
        lambda: types.ClaimDetail(claim=converted.claim_of(one), conflict=converted.contradiction_of(conflict))
    )


async def audit(visit: Visit) -> Response:
    """Return what was done to one claim."""
    queue_id, said = queue_id_of(visit), visit.request.query_params
    after, limit = read_place(said), _limit(said.get("limit", str(_ENTRIES_MAX)), _ENTRIES_MAX)
    trail = await visit.queue.look(
        lambda look: look.entries(look.excerpt(queue_id, visit.name), limit, after=after), swept=False
    )
    last = trail[-1].sequence if len(trail) == limit else None
    return reply(lambda: types.Entries(entries=[converted.entry_of(entry) for entry in trail], next_after=last))


async def counts(visit: Visit) -> Response:
    """Return how many claims there are by state."""
    filters = read_filters(visit.request.query_params)
    found = await visit.queue.look(lambda look: filters.counts(look, visit.name), swept=True)
    return reply({str(state): found.get(state, 0) for state in QueueState if state is not QueueState.PROCESSING})


async def submit(visit: Visit) -> Response:
    """Take a claim of the caller in."""
    new = await read_json(visit, types.NewClaim)
    _check_content(visit, new.content)
    _check("source_id", check_texts, source_id=new.source_id)
    _check("metadata", check_metadata, metadata=new.metadata)
    _check("idempotency_key", check_texts, idempotency_key=new.idempotency_key)
    evidence = EvidenceObject(
        claim=new.content,
        capture_time=datetime.now(UTC),
        confidence=Confidence(new.confidence),
        source_id=new.source_id,
        metadata=new.metadata,
    )
    try:
        queue_id = await visit.queue.enqueue(
            visit.name, new.content, new.memory_type, new.source, evidence, idempotency_key=new.idempotency_key
        )
    except ValueError as error:
        raise Problem(409, "key_in_use", str(error), field="idempotency_key") from None
    return reply(types.Queued(queue_id=queue_id), status=201)


async def approve(visit: Visit) -> Response:
    """Approve a claim."""
    approval = await read_json(visit, types.Approval)
    _check_content(visit, approval.content)
    queue_id = queue_id_of(visit)
    memory_id = await visit.queue.approve(
        queue_id, visit.name, content=approval.content, confirm_hidden=approval.confirm_hidden
    )
    visit.site.metrics.decided("approved")
    return reply(types.Stored(queue_id=queue_id, memory_id=memory_id))


async def reject(visit: Visit) -> Response:
    """Reject a claim."""
    rejection = await read_json(visit, types.Rejection)
    _check("reason", check_texts, reason=rejection.reason)
    queue_id = queue_id_of(visit)
    await visit.queue.reject(queue_id, visit.name, rejection.reason)
    visit.site.metrics.decided("rejected")
    return reply(types.Decided(queue_id=queue_id, state="rejected"))


async def skip(visit: Visit) -> Response:
    """Put a claim behind all others."""
    queue_id = queue_id_of(visit)
    await visit.queue.skip(queue_id, visit.name)
    visit.site.metrics.decided("skipped")
    return reply(types.Decided(queue_id=queue_id, state="pending"))


async def assign(visit: Visit) -> Response:
    """Ask somebody to decide about a claim."""
    assignment = await read_json(visit, types.Assignment)
    queue_id = queue_id_of(visit)
    await assigning.assign(visit, queue_id, assignment.assignee)
    return reply(types.Assigned(queue_id=queue_id, assigned_to=assignment.assignee))


async def decide(visit: Visit) -> Response:
    """Decide about several claims."""
    asked: types.Approvals | types.Rejections = await read_json(visit, types.DECISIONS)
    if isinstance(asked, types.Approvals):
        outcomes = await visit.queue.approve_many(asked.queue_ids, visit.name)
        done, state = "approved", "stored"
    else:
        _check("reason", check_texts, reason=asked.reason)
        outcomes = await visit.queue.reject_many(asked.queue_ids, visit.name, asked.reason)
        done = state = "rejected"
    return reply(types.Outcomes(outcomes=[_outcome(visit, done, state, one) for one in outcomes]))


def _outcome(visit: Visit, done: str, state: str, one: Outcome) -> types.Outcome:
    if one.error is not None:
        failure = converted.failure_of(problem_of(one.error))
        return types.Outcome(queue_id=one.queue_id, state=None, memory_id=None, failure=failure)
    visit.site.metrics.decided(done)
    return types.Outcome(queue_id=one.queue_id, state=state, memory_id=one.memory_id, failure=None)


def _check(field: str, check: Callable[..., None], **value: object) -> None:
    """Say to which field an error belongs. Its words name lengths and kinds, never the text."""
    try:
        check(**value)
    except (ValueError, TypeError) as error:
        raise Problem(422, "invalid", str(error), field=field) from None


def _check_content(visit: Visit, content: str | None) -> None:
    """Check the text of a claim, and its size."""
    _check("content", check_texts, content=content)
    check_size(content, visit.site.limits)


def _limit(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= most):
        raise Problem(422, "invalid", f"limit must be 1 to {most}", field="limit")
    return int(text)
