"""Who can be asked to decide about a claim, and asking them."""

from groundwire.errors import NotAllowed
from groundwire.memory.records import USER_ID_MAX_CHARS, check_text
from groundwire.review.web.problems import Problem
from groundwire.review.web.tokens import TokenAuth
from groundwire.review.web.visits import Visit

__all__ = ["assign", "known_reviewers"]


async def known_reviewers(visit: Visit) -> frozenset[str]:
    """Return the reviewers: of the queue's settings, of good tokens, of the proxy; and who asks, if they are one."""
    site = visit.site
    known = {*site.queue.reviewers, *(() if site.proxy is None else site.proxy.reviewers)}
    if isinstance(site.auth, TokenAuth):
        known |= await site.auth.reviewers()
    return frozenset(known | {visit.name} if visit.is_reviewer else known)


async def assign(visit: Visit, queue_id: str, assignee: str | None) -> None:
    """
    Ask somebody to decide about a claim, or nobody in particular. For reviewers.

    Raises:
        Problem: There can be no such person, or they may not decide about it.
        NotFound, AlreadyDecided: As `ReviewQueue.assign`.
    """
    if assignee is not None:
        try:
            check_text(assignee, "assignee", max_chars=USER_ID_MAX_CHARS)
        except ValueError as error:
            raise Problem(422, "invalid", str(error), field="assignee") from None
    queue = visit.site.queue.with_reviewers(await known_reviewers(visit))
    try:
        await queue.assign(queue_id, visit.name, assignee)
    except NotAllowed:
        words = "Whoever is asked has to be somebody who may decide about this claim."
        raise Problem(403, "may_not_decide", words, field="assignee") from None
