"""Shows claims: the list, and one claim with its checks, conflict and history."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from starlette.responses import Response

from groundwire.http_server.responses import HttpProblem
from groundwire.labels import is_label
from groundwire.memory import source_identity
from groundwire.memory.records import textless
from groundwire.review.reader import QueueSnapshot
from groundwire.review.records import COUNT_MAX, ClaimExcerpt, PendingMemory, QueueState, ReviewAction, ReviewEvent
from groundwire.review.web.auth import known_reviewers
from groundwire.review.web.context import RequestContext, id_in_path, queue_id_from_path
from groundwire.review.web.pages.layout import show
from groundwire.review.web.requests import LISTED, ItemListQuery, read_filters, read_place
from groundwire.review.web.view_models import (
    CheckView,
    HighlightedText,
    check_labels,
    check_rows,
    content_mark,
    diff_or_none,
    highlighted_excerpt,
    highlighted_spans,
    metadata_text,
)

__all__ = ["DONE", "changed", "claim", "claims", "neighbour", "show_claim"]

# The number of claims on a page of the list.
_CLAIMS_PER_PAGE = 20

Row = tuple[ClaimExcerpt, list[HighlightedText], list[CheckView], str, str | None]

DONE = {
    "approved": "Approved",
    "rejected": "Rejected",
    "skipped": "Moved to the end of the queue",
    "assigned": "Assigned",
}
"""The labels of decisions."""

_ACTIONS = {
    "approved": ReviewAction.STORED,
    "rejected": ReviewAction.REJECTED,
    "skipped": ReviewAction.SKIPPED,
    "assigned": ReviewAction.ASSIGNED,
}


async def claims(context: RequestContext) -> Response:
    """Show the claims of one state."""
    params = context.request.query_params
    filters, after = read_filters(params), read_place(params)
    name = context.name
    # The latest decisions come first.
    newest_first = filters.state is not QueueState.PENDING

    def ask(snapshot: QueueSnapshot) -> tuple[list[ClaimExcerpt], Mapping[QueueState, int]]:
        page = filters.page(snapshot, name, after=after, limit=_CLAIMS_PER_PAGE + 1, newest_first=newest_first)
        return page, filters.counts(snapshot, name)

    found, counts = await context.queue.snapshot(ask, expire_overdue=True)
    page = found[:_CLAIMS_PER_PAGE]
    rows = [_row(context, one, filters) for one in page]
    are_chosen = params.get("chosen") == "all"
    here = {"after": after or None, "chosen": None if are_chosen else "all"}
    values = {
        "title": "Claims to review",
        "filters": filters,
        "tabs": [(state, _count(counts.get(state, 0)), filters.query(state=str(state))) for state in LISTED],
        "rows": rows,
        "can_choose": any(choice for *_, choice in rows),
        "are_chosen": are_chosen,
        "all_url": context.path("claims") + filters.query(**here),
        "more": filters.query(after=page[-1].place) if len(found) > _CLAIMS_PER_PAGE else None,
        "is_first": not after,
        "checks": check_labels(),
        "suggestions": _suggestions(page),
        "notice": await done_notice(context),
    }
    return show(context, "claims", values)


async def done_notice(context: RequestContext) -> tuple[str, str] | None:
    """
    Return the label of the visitor's latest decision and the address of its claim.

    The address of the page names the decision. Because anyone can write an address, the audit log must confirm it.
    """
    params = context.request.query_params
    done, queue_id = params.get("done", ""), params.get("of", "")
    if done not in DONE or not is_label(queue_id):
        return None
    has_done = await context.queue.snapshot(
        lambda snapshot: snapshot.has_done(queue_id, context.name, _ACTIONS[done]), expire_overdue=False
    )
    if not has_done:
        return None
    return DONE[done], context.path("claim", queue_id=id_in_path(queue_id))


def _row(context: RequestContext, claim: ClaimExcerpt, filters: ItemListQuery) -> Row:
    url = context.path("claim", queue_id=id_in_path(claim.queue_id)) + filters.query()
    can_decide = claim.state is QueueState.PENDING and context.queue.may_decide(context.name, claim.user_id)
    choice = f"{claim.queue_id} {claim.content_hash}" if can_decide else None
    return claim, highlighted_excerpt(claim), list(check_rows(claim.checks_failed)), url, choice


def _count(count: int) -> str:
    return f"{count:,}{'+' if count >= COUNT_MAX else ''}"


def _suggestions(page: Sequence[ClaimExcerpt]) -> dict[str, list[str]]:
    """Return suggestions for the filters: the values on this page."""
    return {
        "memory_type": sorted({one.memory_type for one in page}),
        "source": sorted({one.source for one in page}),
        "user_id": sorted({one.user_id for one in page}),
    }


# The number of events in the history of a claim; the API returns the later ones too.
_HISTORY_MAX = 100


async def claim(context: RequestContext) -> Response:
    """Show a claim."""
    return await show_claim(context, queue_id_from_path(context))


async def show_claim(context: RequestContext, queue_id: str, problem: HttpProblem | None = None) -> Response:
    """Show a claim, with the problem of a decision on it above."""
    filters = read_filters(context.request.query_params)
    seen = await context.queue.snapshot(
        lambda snapshot: _see(snapshot, queue_id, context.name, filters), expire_overdue=False
    )
    one = seen.claim
    waits = one.state is QueueState.PENDING
    assignees = await _assignees(context, one.user_id) if waits and context.is_reviewer else []
    notice = None if problem else await done_notice(context)

    def values() -> Mapping[str, Any]:
        return _values(context, seen, filters, assignees=assignees, notice=notice, problem=problem)

    return show(context, "claim", values, status=200 if problem is None else problem.status)


def _values(context: RequestContext, seen: "_Seen", filters: ItemListQuery, **more: object) -> Mapping[str, Any]:
    """Return the values for the template."""
    one = seen.claim
    return {
        "title": "Claim",
        "claim": one,
        "stretches": highlighted_spans(one),
        "failed": list(check_rows(one.checks_failed)),
        "passed": list(check_rows(one.checks_passed)),
        "edits": None if one.original_content is None else diff_or_none(one.original_content, one.content),
        "remembered": seen.remembered,
        "differences": None if seen.remembered is None else diff_or_none(seen.remembered, one.content),
        "rests_on": None if (named := one.evidence.source_id) is None else source_identity(named),
        "metadata": metadata_text(one.evidence.metadata),
        "history": seen.history[:_HISTORY_MAX],
        "has_later_events": len(seen.history) > _HISTORY_MAX,
        "can_decide": one.state is QueueState.PENDING and context.queue.may_decide(context.name, one.user_id),
        "is_own": one.user_id == context.name,
        "content_mark": content_mark(one.content),
        **more,
        **_ways_on(context, seen, filters),
    }


async def neighbour(context: RequestContext, filters: ItemListQuery, place: int) -> str | None:
    """Return the address of the next pending claim after *place*, or None."""
    found = await context.queue.snapshot(
        lambda snapshot: filters.neighbour(snapshot, context.name, place), expire_overdue=False
    )
    return None if found is None else context.path("claim", queue_id=id_in_path(found))


async def _assignees(context: RequestContext, owner: str) -> list[str]:
    """Return the people a claim of *owner* can be assigned to: the known reviewers."""
    return sorted(name for name in await known_reviewers(context) if context.queue.may_decide(name, owner))


def changed() -> HttpProblem:
    """Return the problem for a claim that someone has edited in the meantime."""
    return HttpProblem(409, "changed", "The text of the claim has changed. Read it again before you decide.")


class _Seen(NamedTuple):
    """A claim, the text it contradicts, its history, and the claims before and after it."""

    claim: PendingMemory
    remembered: str | None
    history: Sequence[ReviewEvent]
    before: str | None
    after: str | None

    def __repr__(self) -> str:
        return textless(self, self._asdict())


def _see(snapshot: QueueSnapshot, queue_id: str, viewer: str, filters: ItemListQuery) -> _Seen:
    one = snapshot.claim(queue_id, viewer)
    return _Seen(
        one,
        snapshot.contradicted(one),
        snapshot.events(one, _HISTORY_MAX + 1),
        filters.neighbour(snapshot, viewer, one.place, backwards=True),
        filters.neighbour(snapshot, viewer, one.place),
    )


def _ways_on(context: RequestContext, seen: _Seen, filters: ItemListQuery) -> dict[str, Any]:
    query = filters.query()

    def url(route: str, queue_id: str | None) -> str | None:
        return None if queue_id is None else context.path(route, queue_id=id_in_path(queue_id)) + query

    return {
        "filters": filters,
        "list_url": context.path("claims") + query,
        "next_url": url("claim", seen.after),
        "previous_url": url("claim", seen.before),
        "decision_urls": {name: url(name, seen.claim.queue_id) for name in ("approve", "reject", "skip", "assign")},
    }
