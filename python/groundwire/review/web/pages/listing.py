"""The list of claims."""

from collections.abc import Mapping, Sequence

from starlette.responses import Response

from groundwire.labels import is_label
from groundwire.review.reader import QueueSnapshot
from groundwire.review.records import COUNT_MAX, ClaimExcerpt, QueueState, ReviewAction
from groundwire.review.web.filters import LISTED, ClaimFilters, read_filters, read_place
from groundwire.review.web.pages.frame import show
from groundwire.review.web.paths import id_in_path
from groundwire.review.web.views import CheckRow, Stretch, check_rows, excerpt_stretches, known_checks
from groundwire.review.web.visits import Visit

__all__ = ["DONE", "claims", "done_notice"]

_PAGE = 20

Row = tuple[ClaimExcerpt, list[Stretch], list[CheckRow], str, str | None]

DONE = {"approved": "Approved", "rejected": "Rejected", "skipped": "Put behind all others", "assigned": "Assigned"}
"""What was done, in words."""

_ACTIONS = {
    "approved": ReviewAction.STORED,
    "rejected": ReviewAction.REJECTED,
    "skipped": ReviewAction.SKIPPED,
    "assigned": ReviewAction.ASSIGNED,
}


async def claims(visit: Visit) -> Response:
    """Show the claims that wait, or were decided."""
    said = visit.request.query_params
    filters, after = read_filters(said), read_place(said)
    name = visit.name
    # What was decided last is looked for first.
    newest_first = filters.state is not QueueState.PENDING

    def ask(snapshot: QueueSnapshot) -> tuple[list[ClaimExcerpt], Mapping[QueueState, int]]:
        page = filters.page(snapshot, name, after=after, limit=_PAGE + 1, newest_first=newest_first)
        return page, filters.counts(snapshot, name)

    found, counts = await visit.queue.snapshot(ask, expire_overdue=True)
    page = found[:_PAGE]
    rows = [_row(visit, one, filters) for one in page]
    are_chosen = said.get("chosen") == "all"
    here = {"after": after or None, "chosen": None if are_chosen else "all"}
    values = {
        "title": "Claims to review",
        "filters": filters,
        "tabs": [(state, _count(counts.get(state, 0)), filters.query(state=str(state))) for state in LISTED],
        "rows": rows,
        "can_choose": any(choice for *_, choice in rows),
        "are_chosen": are_chosen,
        "all_url": visit.path("claims") + filters.query(**here),
        "more": filters.query(after=page[-1].place) if len(found) > _PAGE else None,
        "is_first": not after,
        "checks": known_checks(),
        "suggestions": _suggestions(page),
        "notice": await done_notice(visit),
    }
    return show(visit, "claims", values)


async def done_notice(visit: Visit) -> tuple[str, str] | None:
    """
    Return what the visitor did before they were led here, and where the claim is.

    The address says so, and anybody can write an address: the audit has to say so too.
    """
    said = visit.request.query_params
    done, queue_id = said.get("done", ""), said.get("of", "")
    if done not in DONE or not is_label(queue_id):
        return None
    has_done = await visit.queue.snapshot(
        lambda snapshot: snapshot.has_done(queue_id, visit.name, _ACTIONS[done]), expire_overdue=False
    )
    if not has_done:
        return None
    return DONE[done], visit.path("claim", queue_id=id_in_path(queue_id))


def _row(visit: Visit, claim: ClaimExcerpt, filters: ClaimFilters) -> Row:
    url = visit.path("claim", queue_id=id_in_path(claim.queue_id)) + filters.query()
    can_decide = claim.state is QueueState.PENDING and visit.queue.may_decide(visit.name, claim.user_id)
    choice = f"{claim.queue_id} {claim.content_hash}" if can_decide else None
    return claim, excerpt_stretches(claim), list(check_rows(claim.checks_failed)), url, choice


def _count(count: int) -> str:
    return f"{count:,}{'+' if count >= COUNT_MAX else ''}"


def _suggestions(page: Sequence[ClaimExcerpt]) -> dict[str, list[str]]:
    """What can be chosen in the filters: what stands on this page."""
    return {
        "memory_type": sorted({one.memory_type for one in page}),
        "source": sorted({one.source for one in page}),
        "user_id": sorted({one.user_id for one in page}),
    }
