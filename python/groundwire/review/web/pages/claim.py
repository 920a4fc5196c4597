"""One claim: what it says, what the checks said of it, and what it contradicts."""

import hashlib
from typing import Any

from starlette.responses import Response

from groundwire.review.records import PendingMemory, QueueState
from groundwire.review.web.filters import ClaimFilters, read_filters
from groundwire.review.web.pages.frame import show
from groundwire.review.web.pages.listing import done_notice
from groundwire.review.web.paths import id_in_path, queue_id_of
from groundwire.review.web.problems import Problem
from groundwire.review.web.views import check_rows, edits_of, metadata_text, stretches
from groundwire.review.web.visits import Visit

__all__ = ["claim", "content_mark", "neighbour", "show_claim"]

_HISTORY_MAX = 100


async def claim(visit: Visit) -> Response:
    """Show a claim."""
    return await show_claim(visit, queue_id_of(visit))


async def show_claim(visit: Visit, queue_id: str, problem: Problem | None = None) -> Response:
    """Show a claim, and above it what went wrong with a decision about it."""
    queue = visit.queue
    one = await queue.get_by_id(queue_id, visit.name)
    filters = read_filters(visit.request.query_params)
    values = {
        "title": "Claim",
        "claim": one,
        "stretches": stretches(one),
        "failed": list(check_rows(one.checks_failed)),
        "passed": list(check_rows(one.checks_passed)),
        "edits": None if one.original_content is None else edits_of(one.original_content, one.content),
        "conflict": await queue.conflict(queue_id, visit.name),
        "metadata": metadata_text(one.evidence.metadata),
        "history": await queue.audit_trail(queue_id, visit.name, limit=_HISTORY_MAX),
        "can_decide": one.state is QueueState.PENDING and queue.may_decide(visit.name, one.user_id),
        "is_own": one.user_id == visit.name,
        "content_mark": content_mark(one.content),
        "problem": problem,
        "notice": None if problem else done_notice(visit),
        **await _ways_on(visit, one, filters),
    }
    return show(visit, "claim.html", values, status=200 if problem is None else problem.status)


async def neighbour(visit: Visit, filters: ClaimFilters, place: int, *, backwards: bool = False) -> str | None:
    """Return where the claim is that waits next behind *place*, or before it; None if there is none."""
    found = await filters.page(visit.queue, visit.name, after=place, limit=1, newest_first=backwards)
    return visit.path("claim", queue_id=id_in_path(found[0].queue_id)) if found else None


def content_mark(content: str) -> str:
    """Return what tells a text from others: a decision is about the text that somebody has seen."""
    return hashlib.sha256(content.encode()).hexdigest()[:32]


async def _ways_on(visit: Visit, one: PendingMemory, filters: ClaimFilters) -> dict[str, Any]:
    query = filters.query()
    after = await neighbour(visit, filters, one.place)
    before = await neighbour(visit, filters, one.place, backwards=True)
    return {
        "filters": filters,
        "list_url": visit.path("claims") + query,
        "next_url": None if after is None else after + query,
        "previous_url": None if before is None else before + query,
        "decision_urls": {
            name: visit.path(name, queue_id=id_in_path(one.queue_id)) + query for name in ("approve", "reject", "skip")
        },
    }
