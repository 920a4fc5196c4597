"""One claim: what it says, what the checks said of it, and what it contradicts."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from starlette.responses import Response

from groundwire.memory import source_identity
from groundwire.review.reader import QueueSnapshot
from groundwire.review.records import PendingMemory, QueueState, ReviewEvent
from groundwire.review.web.assigning import known_reviewers
from groundwire.review.web.filters import ClaimFilters, read_filters
from groundwire.review.web.pages.frame import show
from groundwire.review.web.pages.listing import done_notice
from groundwire.review.web.paths import id_in_path, queue_id_of
from groundwire.review.web.problems import Problem
from groundwire.review.web.views import check_rows, content_mark, edits_of, metadata_text, stretches
from groundwire.review.web.visits import Visit

__all__ = ["changed", "claim", "neighbour", "show_claim"]

_HISTORY_MAX = 100


async def claim(visit: Visit) -> Response:
    """Show a claim."""
    return await show_claim(visit, queue_id_of(visit))


async def show_claim(visit: Visit, queue_id: str, problem: Problem | None = None) -> Response:
    """Show a claim, and above it what went wrong with a decision about it."""
    filters = read_filters(visit.request.query_params)
    seen = await visit.queue.snapshot(
        lambda snapshot: _see(snapshot, queue_id, visit.name, filters), expire_overdue=False
    )
    one = seen.claim
    waits = one.state is QueueState.PENDING
    assignees = await _assignees(visit, one.user_id) if waits and visit.is_reviewer else []
    notice = None if problem else await done_notice(visit)

    def values() -> Mapping[str, Any]:
        return _values(visit, seen, filters, assignees=assignees, notice=notice, problem=problem)

    return show(visit, "claim", values, status=200 if problem is None else problem.status)


def _values(visit: Visit, seen: "_Seen", filters: ClaimFilters, **more: object) -> Mapping[str, Any]:
    """What the template shows."""
    one = seen.claim
    return {
        "title": "Claim",
        "claim": one,
        "stretches": stretches(one),
        "failed": list(check_rows(one.checks_failed)),
        "passed": list(check_rows(one.checks_passed)),
        "edits": None if one.original_content is None else edits_of(one.original_content, one.content),
        "remembered": seen.remembered,
        "differences": None if seen.remembered is None else edits_of(seen.remembered, one.content),
        "rests_on": None if (named := one.evidence.source_id) is None else source_identity(named),
        "metadata": metadata_text(one.evidence.metadata),
        "history": seen.history,
        "can_decide": one.state is QueueState.PENDING and visit.queue.may_decide(visit.name, one.user_id),
        "is_own": one.user_id == visit.name,
        "content_mark": content_mark(one.content),
        **more,
        **_ways_on(visit, seen, filters),
    }


async def neighbour(visit: Visit, filters: ClaimFilters, place: int) -> str | None:
    """Return where the claim is that waits next behind *place*; None if there is none."""
    found = await visit.queue.snapshot(
        lambda snapshot: filters.neighbour(snapshot, visit.name, place), expire_overdue=False
    )
    return None if found is None else visit.path("claim", queue_id=id_in_path(found))


async def _assignees(visit: Visit, owner: str) -> list[str]:
    """Who can be asked to decide about a claim of *owner*: the reviewers that there are."""
    return sorted(name for name in await known_reviewers(visit) if visit.queue.may_decide(name, owner))


def changed() -> Problem:
    """Return what is told when somebody has edited the claim meanwhile."""
    return Problem(409, "changed", "The claim reads otherwise by now. Look at it again before you decide.")


class _Seen(NamedTuple):
    """A claim, what it contradicts says, what was done to it, and those before and behind it."""

    claim: PendingMemory
    remembered: str | None
    history: Sequence[ReviewEvent]
    before: str | None
    after: str | None


def _see(snapshot: QueueSnapshot, queue_id: str, viewer: str, filters: ClaimFilters) -> _Seen:
    one = snapshot.claim(queue_id, viewer)
    return _Seen(
        one,
        snapshot.contradicted(one),
        snapshot.events(one, _HISTORY_MAX),
        filters.neighbour(snapshot, viewer, one.place, backwards=True),
        filters.neighbour(snapshot, viewer, one.place),
    )


def _ways_on(visit: Visit, seen: _Seen, filters: ClaimFilters) -> dict[str, Any]:
    query = filters.query()

    def url(route: str, queue_id: str | None) -> str | None:
        return None if queue_id is None else visit.path(route, queue_id=id_in_path(queue_id)) + query

    return {
        "filters": filters,
        "list_url": visit.path("claims") + query,
        "next_url": url("claim", seen.after),
        "previous_url": url("claim", seen.before),
        "decision_urls": {name: url(name, seen.claim.queue_id) for name in ("approve", "reject", "skip", "assign")},
    }
