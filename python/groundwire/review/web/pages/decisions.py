"""Handles decisions on claims: approve, reject, skip and assign, for one claim or several, with confirmations."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from starlette.responses import Response

from groundwire.errors import AlreadyDecided, HiddenCharacters, NotFound
from groundwire.http_server.responses import HttpProblem
from groundwire.labels import plural
from groundwire.memory.records import textless
from groundwire.review.reader import QueueSnapshot
from groundwire.review.records import REASON_MAX_CHARS, ClaimExcerpt, DecisionOutcome, PendingMemory, QueueState
from groundwire.review.web.auth import assign_item, check_form
from groundwire.review.web.context import RequestContext, id_in_path, queue_id_from_path
from groundwire.review.web.pages.claims import changed, neighbour, show_claim
from groundwire.review.web.pages.layout import preferences, redirect, show
from groundwire.review.web.requests import check_field, check_size, read_choice, read_filters, read_form
from groundwire.review.web.responses import to_problem
from groundwire.review.web.view_models import content_mark, diff_or_none, highlighted_excerpt
from groundwire.sanitize import NOTHING_HIDDEN, has_hidden, hidden_characters

__all__ = ["approve", "assign", "decide_batch", "reject", "skip"]


async def approve(context: RequestContext) -> Response:
    """Approve a claim, edited or not."""
    return await _decide(context, "approve")


async def reject(context: RequestContext) -> Response:
    """Reject a claim, with or without a reason."""
    return await _decide(context, "reject")


async def skip(context: RequestContext) -> Response:
    """Move a claim to the end of the queue without a confirmation."""
    return await _decide(context, "skip")


async def assign(context: RequestContext) -> Response:
    """Assign a claim."""
    form = await read_form(context.request, context.site.limits)
    check_form(context, form.get("form_key", ""))
    queue_id = queue_id_from_path(context)
    await assign_item(context, queue_id, form.get("assignee") or None)
    query = read_filters(context.request.query_params).query(done="assigned", of=queue_id)
    return redirect(context.path("claim", queue_id=id_in_path(queue_id)) + query)


async def _decide(context: RequestContext, decision: str) -> Response:
    form = await read_form(context.request, context.site.limits)
    check_form(context, form.get("form_key", ""))
    queue_id = queue_id_from_path(context)
    claim = await context.queue.get_by_id(queue_id, context.name)
    content = _edited(form, claim) if decision == "approve" else None
    check_size(content, context.site.limits)
    reason = read_reason(form) if decision == "reject" else None
    try:
        if form.get("seen") != content_mark(claim.content):
            raise changed()
        asks = preferences(context).confirms and decision != "skip" and "confirmed" not in form
        confirms_hidden = "confirm_hidden" in form
        hides = decision == "approve" and not confirms_hidden and has_hidden(content or claim.content)
        if (asks or hides) and claim.state is QueueState.PENDING:
            return _confirm(context, claim, decision, content, reason)
        done = await _do(context, decision, claim, content, reason, confirms_hidden)
    except (AlreadyDecided, HiddenCharacters, HttpProblem) as error:
        problem = to_problem(error)
        if problem.status != 409:
            raise
        return await show_claim(context, queue_id, problem)
    context.site.metrics.decided(done)
    return redirect(await _way_on(context, claim, done))


async def _do(
    context: RequestContext,
    decision: str,
    claim: PendingMemory,
    content: str | None,
    reason: str | None,
    confirms_hidden: bool,
) -> str:
    """Decide, and return the name of the decision."""
    queue, name, queue_id = context.queue, context.name, claim.queue_id
    if decision == "approve":
        # Store the text that the person has seen, even if someone edits it at this moment.
        looked_at = claim.content if content is None else content
        await queue.approve(queue_id, name, content=looked_at, confirm_hidden=confirms_hidden)
        return "approved"
    if decision == "reject":
        await queue.reject(queue_id, name, reason)
        return "rejected"
    await queue.skip(queue_id, name)
    return "skipped"


def _confirm(
    context: RequestContext, claim: PendingMemory, decision: str, content: str | None, reason: str | None
) -> Response:
    """Ask the person to confirm a decision."""
    path = context.path(decision, queue_id=id_in_path(claim.queue_id))
    query = read_filters(context.request.query_params).query()
    values = {
        "title": f"{decision.capitalize()} this claim?",
        "claim": claim,
        "decision": decision,
        "content": content,
        "edits": None if content is None else diff_or_none(claim.content, content),
        "reason": reason,
        "hidden": hidden_characters(content or claim.content) if decision == "approve" else NOTHING_HIDDEN,
        "content_mark": content_mark(claim.content),
        "action": path + query,
        "back": context.path("claim", queue_id=id_in_path(claim.queue_id)) + query,
    }
    return show(context, "confirm", values)


async def _way_on(context: RequestContext, claim: PendingMemory, done: str) -> str:
    """Return the address of the next pending claim, or of the list."""
    filters = read_filters(context.request.query_params)
    there = await neighbour(context, filters, claim.place)
    # After the last claim comes the first one, which may have been skipped.
    there = there or await neighbour(context, filters, 0)
    own = context.path("claim", queue_id=id_in_path(claim.queue_id))
    query = filters.query(done=done, of=claim.queue_id)
    return (context.path("claims") if there is None or there == own else there) + query


def _edited(form: Mapping[str, str], claim: PendingMemory) -> str | None:
    """Return the edited text, or None. Browsers send each line end as two characters."""
    if "content" not in form:
        return None
    content = _lines(form["content"]).strip()
    if not content:
        raise HttpProblem(422, "invalid", "The text is empty; reject the claim instead.", field="content")
    check_field(content, "content", max_chars=None)
    return None if content == _lines(claim.content).strip() else content


def read_reason(form: Mapping[str, str]) -> str | None:
    """
    Return the reason in a form, or None.

    Raises:
        HttpProblem: It is too long, or the database cannot store it.
    """
    reason = _lines(form.get("reason", "")).strip()
    if reason:
        check_field(reason, "reason", max_chars=REASON_MAX_CHARS)
    return reason or None


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


_DONE = {"approve": "approved", "reject": "rejected"}
# The number of characters shown of each claim in a batch.
_BATCH_EXCERPT_CHARS = 200

_Seen = Mapping[str, ClaimExcerpt | None]


class _OutcomeRow(NamedTuple):
    """The outcome for one claim: its text and address if the person can see it, and the problem, if any."""

    text: str | None
    url: str | None
    problem: str | None

    def __repr__(self) -> str:
        return textless(self, self._asdict())


async def decide_batch(context: RequestContext) -> Response:
    """Approve or reject the selected claims."""
    form, chosen = await read_choice(context.request, context.site.limits, "chosen")
    check_form(context, form.get("form_key", ""))
    decision = form.get("decision", "")
    if decision not in _DONE:
        raise HttpProblem(422, "invalid", "decision must be approve or reject", field="decision")
    marks = dict(_parted(value) for value in chosen)
    if not marks:
        raise HttpProblem(422, "nothing_chosen", "No claim is selected; select at least one.", field="chosen")
    reason = read_reason(form) if decision == "reject" else None
    seen = await context.queue.snapshot(
        lambda snapshot: _seen_claims(snapshot, marks, context.name), expire_overdue=False
    )
    if "confirmed" not in form:
        return _confirm_batch(context, decision, chosen, seen)
    rows = await _decide_batch(context, decision, marks, seen, reason)
    return _show_outcomes(context, decision, rows)


def _parted(value: str) -> tuple[str, str]:
    """Split a choice into the id of a claim and the hash of its text."""
    queue_id, _, mark = value.partition(" ")
    return queue_id, mark


def _seen_claims(snapshot: QueueSnapshot, queue_ids: Mapping[str, str], viewer: str) -> _Seen:
    """Return the current excerpts of claims; None for claims that the viewer cannot see."""
    seen = snapshot.excerpts_of([*queue_ids], viewer)
    return {queue_id: seen.get(queue_id) for queue_id in queue_ids}


def _confirm_batch(context: RequestContext, decision: str, chosen: Sequence[str], seen: _Seen) -> Response:
    """Ask the person to confirm a batch of decisions."""
    query = read_filters(context.request.query_params).query()
    values = {
        "title": f"{decision.capitalize()} {_claims(len(seen))}?",
        "decision": decision,
        "chosen": chosen,
        "claims": [highlighted_excerpt(one, _BATCH_EXCERPT_CHARS) for one in seen.values() if one is not None],
        "words": f"{decision.capitalize()} {_claims(len(seen))}",
        "action": context.path("decide") + query,
        "back": context.path("claims") + query,
    }
    return show(context, "several", values)


async def _decide_batch(
    context: RequestContext, decision: str, marks: Mapping[str, str], seen: _Seen, reason: str | None
) -> list[_OutcomeRow]:
    """Decide on the claims, and return one row for each."""
    # Store the texts that the person has seen, even if someone edits them at this moment.
    contents = await context.queue.snapshot(
        lambda snapshot: snapshot.contents(marks, context.name), expire_overdue=False
    )
    if decision == "approve":
        outcomes = await context.queue.approve_many([*contents], context.name, contents=contents)
    else:
        outcomes = await context.queue.reject_many([*contents], context.name, reason)
    for outcome in outcomes:
        if outcome.error is None:
            context.site.metrics.decided(_DONE[decision])
    by_id = {outcome.queue_id: outcome for outcome in outcomes}
    return [_outcome_row(context, one, by_id.get(queue_id), queue_id) for queue_id, one in seen.items()]


def _outcome_row(
    context: RequestContext, claim: ClaimExcerpt | None, outcome: DecisionOutcome | None, queue_id: str
) -> _OutcomeRow:
    if claim is None:
        return _OutcomeRow(None, None, to_problem(NotFound()).message)
    error = changed() if outcome is None else outcome.error
    text = claim.excerpt if claim.content_chars <= _BATCH_EXCERPT_CHARS else f"{claim.excerpt[:_BATCH_EXCERPT_CHARS]}…"
    url = context.path("claim", queue_id=id_in_path(queue_id))
    return _OutcomeRow(text, url, None if error is None else to_problem(error).message)


def _show_outcomes(context: RequestContext, decision: str, rows: Sequence[_OutcomeRow]) -> Response:
    done = sum(row.problem is None for row in rows)
    values = {
        "title": f"{done} of {_claims(len(rows))} {_DONE[decision]}",
        "done": _DONE[decision],
        # Problems come first.
        "rows": sorted(rows, key=lambda row: row.problem is None),
        "back": context.path("claims") + read_filters(context.request.query_params).query(),
    }
    return show(context, "outcomes", values)


def _claims(count: int) -> str:
    return plural(count, "claim")
