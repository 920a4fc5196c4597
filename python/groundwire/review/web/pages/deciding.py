"""Decisions by form: asked about once more, unless somebody has turned that off."""

from collections.abc import Mapping

from starlette.responses import Response

from groundwire.errors import AlreadyDecided, HiddenCharacters
from groundwire.review.records import PendingMemory, QueueState
from groundwire.review.web import assigning
from groundwire.review.web.bodies import check_size, read_form
from groundwire.review.web.entrance import check_form
from groundwire.review.web.filters import read_filters
from groundwire.review.web.pages.claim import changed, neighbour, show_claim
from groundwire.review.web.pages.frame import preferences, redirect, show
from groundwire.review.web.paths import id_in_path, queue_id_of
from groundwire.review.web.problems import Problem, problem_of
from groundwire.review.web.views import content_mark, edits_of
from groundwire.review.web.visits import Visit
from groundwire.sanitize import NOTHING_HIDDEN, has_hidden, hidden_characters

__all__ = ["approve", "assign", "read_reason", "reject", "skip"]

_REASON_MAX_CHARS = 4_000


async def approve(visit: Visit) -> Response:
    """Approve a claim, as it is or as it was edited."""
    return await _decide(visit, "approve")


async def reject(visit: Visit) -> Response:
    """Reject a claim, for a reason or without one."""
    return await _decide(visit, "reject")


async def skip(visit: Visit) -> Response:
    """Put a claim behind all others; nobody is asked again, for it can be found again."""
    return await _decide(visit, "skip")


async def assign(visit: Visit) -> Response:
    """Ask somebody to decide about a claim."""
    form = await read_form(visit.request, visit.site.limits)
    check_form(visit, form.get("form_key", ""))
    queue_id = queue_id_of(visit)
    await assigning.assign(visit, queue_id, form.get("assignee") or None)
    query = read_filters(visit.request.query_params).query(done="assigned", of=queue_id)
    return redirect(visit.path("claim", queue_id=id_in_path(queue_id)) + query)


async def _decide(visit: Visit, decision: str) -> Response:
    form = await read_form(visit.request, visit.site.limits)
    check_form(visit, form.get("form_key", ""))
    queue_id = queue_id_of(visit)
    claim = await visit.queue.get_by_id(queue_id, visit.name)
    content = _edited(form, claim) if decision == "approve" else None
    check_size(content, visit.site.limits)
    reason = read_reason(form) if decision == "reject" else None
    try:
        if form.get("seen") != content_mark(claim.content):
            raise changed()
        asks = preferences(visit).confirms and decision != "skip" and "confirmed" not in form
        confirms_hidden = "confirm_hidden" in form
        hides = decision == "approve" and not confirms_hidden and has_hidden(content or claim.content)
        if (asks or hides) and claim.state is QueueState.PENDING:
            return _ask(visit, claim, decision, content, reason)
        done = await _do(visit, decision, claim, content, reason, confirms_hidden)
    except (AlreadyDecided, HiddenCharacters, Problem) as error:
        problem = problem_of(error)
        if problem.status != 409:
            raise
        return await show_claim(visit, queue_id, problem)
    visit.site.metrics.decided(done)
    return redirect(await _way_on(visit, claim, done))


async def _do(
    visit: Visit, decision: str, claim: PendingMemory, content: str | None, reason: str | None, confirms_hidden: bool
) -> str:
    """Decide, and return what was done."""
    queue, name, queue_id = visit.queue, visit.name, claim.queue_id
    if decision == "approve":
        # What was looked at is what is stored, even if somebody edits it at this moment.
        looked_at = claim.content if content is None else content
        await queue.approve(queue_id, name, content=looked_at, confirm_hidden=confirms_hidden)
        return "approved"
    if decision == "reject":
        await queue.reject(queue_id, name, reason)
        return "rejected"
    await queue.skip(queue_id, name)
    return "skipped"


def _ask(visit: Visit, claim: PendingMemory, decision: str, content: str | None, reason: str | None) -> Response:
    """Show what would be done."""
    path = visit.path(decision, queue_id=id_in_path(claim.queue_id))
    query = read_filters(visit.request.query_params).query()
    values = {
        "title": f"{decision.capitalize()} this claim?",
        "claim": claim,
        "decision": decision,
        "content": content,
        "edits": None if content is None else edits_of(claim.content, content),
        "reason": reason,
        "hidden": hidden_characters(content or claim.content) if decision == "approve" else NOTHING_HIDDEN,
        "content_mark": content_mark(claim.content),
        "action": path + query,
        "back": visit.path("claim", queue_id=id_in_path(claim.queue_id)) + query,
    }
    return show(visit, "confirm", values)


async def _way_on(visit: Visit, claim: PendingMemory, done: str) -> str:
    """To the claim that waits next, or to the list if none does."""
    filters = read_filters(visit.request.query_params)
    there = await neighbour(visit, filters, claim.place)
    # Behind the last one the first is next: it may have been passed over.
    there = there or await neighbour(visit, filters, 0)
    own = visit.path("claim", queue_id=id_in_path(claim.queue_id))
    query = filters.query(done=done, of=claim.queue_id)
    return (visit.path("claims") if there is None or there == own else there) + query


def _edited(form: Mapping[str, str], claim: PendingMemory) -> str | None:
    """The text as it was edited; None if it was not. Browsers send every line end as two characters."""
    if "content" not in form:
        return None
    content = _lines(form["content"]).strip()
    if not content:
        raise Problem(422, "invalid", "The text is empty: reject the claim instead.", field="content")
    if "\0" in content:
        raise Problem(422, "invalid", "The text holds a NUL character, which cannot be kept.", field="content")
    return None if content == _lines(claim.content).strip() else content


def read_reason(form: Mapping[str, str]) -> str | None:
    """
    Return the reason that a form gives; None for none.

    Raises:
        Problem: It is too long, or none that can be kept.
    """
    reason = _lines(form.get("reason", "")).strip()
    if len(reason) > _REASON_MAX_CHARS:
        raise Problem(422, "invalid", f"The reason has more than {_REASON_MAX_CHARS:,} characters.", field="reason")
    if "\0" in reason:
        raise Problem(422, "invalid", "The reason holds a NUL character, which cannot be kept.", field="reason")
    return reason or None


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
