"""One decision about several claims of the list: always asked about once more, and told for each of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from starlette.responses import Response

from groundwire.errors import NotFound
from groundwire.review.reader import QueueSnapshot
from groundwire.review.records import ClaimExcerpt, DecisionOutcome
from groundwire.review.web.bodies import read_choice
from groundwire.review.web.entrance import check_form
from groundwire.review.web.filters import read_filters
from groundwire.review.web.pages.claim import changed
from groundwire.review.web.pages.deciding import read_reason
from groundwire.review.web.pages.frame import show
from groundwire.review.web.paths import id_in_path
from groundwire.review.web.problems import Problem, problem_of
from groundwire.review.web.views import excerpt_stretches
from groundwire.review.web.visits import Visit

__all__ = ["decide"]

_DONE = {"approve": "approved", "reject": "rejected"}
_SHOWN_CHARS = 200

_Seen = Mapping[str, ClaimExcerpt | None]


class _Row(NamedTuple):
    """What became of a claim: what it says and where it is, if it may be seen, and why nothing was done."""

    text: str | None
    url: str | None
    problem: str | None


async def decide(visit: Visit) -> Response:
    """Approve or reject the claims that were chosen."""
    form, chosen = await read_choice(visit.request, visit.site.limits, "chosen")
    check_form(visit, form.get("form_key", ""))
    decision = form.get("decision", "")
    if decision not in _DONE:
        raise Problem(422, "invalid", "decision must be approve or reject", field="decision")
    marks = dict(_parted(value) for value in chosen)
    if not marks:
        raise Problem(422, "nothing_chosen", "No claim is chosen: choose some first.", field="chosen")
    reason = read_reason(form) if decision == "reject" else None
    seen = await visit.queue.snapshot(lambda snapshot: _look(snapshot, marks, visit.name), expire_overdue=False)
    if "confirmed" not in form:
        return _ask(visit, decision, chosen, seen)
    rows = await _do(visit, decision, marks, seen, reason)
    return _tell(visit, decision, rows)


def _parted(value: str) -> tuple[str, str]:
    """Id of a claim, and what tells the text that was looked at from others."""
    queue_id, _, mark = value.partition(" ")
    return queue_id, mark


def _look(snapshot: QueueSnapshot, queue_ids: Mapping[str, str], viewer: str) -> _Seen:
    """What they say now; None for those that may not be seen, or are not there."""
    seen = snapshot.excerpts_of([*queue_ids], viewer)
    return {queue_id: seen.get(queue_id) for queue_id in queue_ids}


def _ask(visit: Visit, decision: str, chosen: Sequence[str], seen: _Seen) -> Response:
    """Show what would be done, to how many."""
    query = read_filters(visit.request.query_params).query()
    values = {
        "title": f"{decision.capitalize()} {_claims(len(seen))}?",
        "decision": decision,
        "chosen": chosen,
        "claims": [excerpt_stretches(one, _SHOWN_CHARS) for one in seen.values() if one is not None],
        "words": f"{decision.capitalize()} {_claims(len(seen))}",
        "action": visit.path("decide") + query,
        "back": visit.path("claims") + query,
    }
    return show(visit, "several", values)


async def _do(visit: Visit, decision: str, marks: Mapping[str, str], seen: _Seen, reason: str | None) -> list[_Row]:
    """Decide, and return what became of each."""
    # What was looked at is what is stored, even if somebody edits it at this moment.
    contents = await visit.queue.snapshot(lambda snapshot: snapshot.contents(marks, visit.name), expire_overdue=False)
    if decision == "approve":
        outcomes = await visit.queue.approve_many([*contents], visit.name, contents=contents)
    else:
        outcomes = await visit.queue.reject_many([*contents], visit.name, reason)
    for outcome in outcomes:
        if outcome.error is None:
            visit.site.metrics.decided(_DONE[decision])
    by_id = {outcome.queue_id: outcome for outcome in outcomes}
    return [_row(visit, one, by_id.get(queue_id), queue_id) for queue_id, one in seen.items()]


def _row(visit: Visit, claim: ClaimExcerpt | None, outcome: DecisionOutcome | None, queue_id: str) -> _Row:
    if claim is None:
        return _Row(None, None, problem_of(NotFound()).message)
    error = changed() if outcome is None else outcome.error
    text = claim.excerpt if claim.content_chars <= _SHOWN_CHARS else f"{claim.excerpt[:_SHOWN_CHARS]}…"
    url = visit.path("claim", queue_id=id_in_path(queue_id))
    return _Row(text, url, None if error is None else problem_of(error).message)


def _tell(visit: Visit, decision: str, rows: Sequence[_Row]) -> Response:
    done = sum(row.problem is None for row in rows)
    values = {
        "title": f"{done} of {_claims(len(rows))} {_DONE[decision]}",
        "done": _DONE[decision],
        # What went otherwise comes first.
        "rows": sorted(rows, key=lambda row: row.problem is None),
        "back": visit.path("claims") + read_filters(visit.request.query_params).query(),
    }
    return show(visit, "outcomes", values)


def _claims(count: int) -> str:
    return f"{count} {'claim' if count == 1 else 'claims'}"
