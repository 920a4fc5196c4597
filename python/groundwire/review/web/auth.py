"""Authenticates requests, checks access, rejects forged forms, and assigns claims."""

import hmac
import inspect
from collections.abc import Callable
from typing import Any

from starlette.requests import Request

from groundwire.errors import NotAllowed
from groundwire.http_server.responses import HttpProblem
from groundwire.review.web.context import (
    AccessLevel,
    RequestContext,
    WebRoute,
    client_address,
    cookie,
    principal_from_header,
)
from groundwire.review.web.credentials import Principal, TokenAuthenticator
from groundwire.review.web.requests import check_field

__all__ = [
    "assign_item",
    "authenticate",
    "check_access",
    "check_form",
    "check_token",
    "known_reviewers",
]


async def authenticate(context: RequestContext, entry: WebRoute) -> RequestContext:
    """Return the context with its principal, from a token, a session, the proxy or the caller's own function."""
    site, request = context.site, context.request
    if entry.access is AccessLevel.ANONYMOUS and not entry.is_page:
        return context
    if isinstance(site.auth, TokenAuthenticator):
        if request.headers.get("authorization", "").lower().startswith("bearer "):
            return RequestContext(site, request, await _holder(context, site.auth))
        session_id = cookie(context, "session") if entry.is_page else ""
        token_id = site.sessions.token_id(session_id) if session_id else None
        person = None if token_id is None else await site.auth.holder(token_id)
        if person is not None:
            return RequestContext(site, request, person, session_id)
        return RequestContext(site, request, principal_from_header(request, site.proxy))
    return RequestContext(
        site, request, principal_from_header(request, site.proxy) or await _custom_principal(site.auth, request)
    )


async def _custom_principal(auth: Callable[[Request], Any], request: Request) -> Principal | None:
    """Return the principal of the caller's own function, which returns a `Principal`, a name, or None."""
    answer = auth(request)
    if inspect.isawaitable(answer):
        answer = await answer
    return (
        Principal(answer) if isinstance(answer, str) and answer else answer if isinstance(answer, Principal) else None
    )


async def _holder(context: RequestContext, auth: TokenAuthenticator) -> Principal:
    """Return the holder of the token in a request."""
    sent = context.request.headers.getlist("authorization")
    return (await check_token(context, auth, sent[0].partition(" ")[2].strip() if len(sent) == 1 else ""))[1]


async def check_token(context: RequestContext, auth: TokenAuthenticator, token: str) -> tuple[str, Principal]:
    """
    Return the id and the holder of a valid token.

    Failures from an address never lock out valid tokens from it, because a secret of 256 bits cannot be guessed.

    Raises:
        HttpProblem: It is not valid.
    """
    found = await auth.check(token)
    if found is not None:
        return found
    site, address = context.site, client_address(context.request, context.site.proxy)
    wait_s = site.failures.wait_s(address)
    site.failures.take(address)
    site.metrics.failed_sign_ins += 1
    raise _too_many(wait_s) if wait_s > 0 else HttpProblem(401, "bad_token", "The token is invalid or has expired.")


def check_access(context: RequestContext, entry: WebRoute) -> None:
    """Check that the visitor may use the route, and count the request."""
    if context.person is None and entry.access is not AccessLevel.ANONYMOUS:
        raise HttpProblem(401, "unknown", "Sign in first.")
    if entry.access is AccessLevel.REVIEWER and not context.is_reviewer:
        raise HttpProblem(403, "reviewers_only", "Only reviewers may do this.")
    wait_s = context.site.requests.wait_s(context.limited_as)
    if wait_s > 0:
        raise _too_many(wait_s)
    context.site.requests.take(context.limited_as)


def check_form(context: RequestContext, form_key: str) -> None:
    """
    Check that a form comes from a page that this app sent to the same visitor.

    Raises:
        HttpProblem: It does not.
    """
    if not hmac.compare_digest(form_key.encode("utf-8", "surrogatepass"), context.form_key.encode()):
        raise HttpProblem(403, "stale_form", "The form is out of date; reload the page and try again.")


def _too_many(wait_s: float) -> HttpProblem:
    seconds = max(1, round(wait_s + 0.5))
    return HttpProblem(429, "too_many", f"Too many requests; try again in {seconds} s.", retry_after_s=seconds)


async def known_reviewers(context: RequestContext) -> frozenset[str]:
    """Return the reviewers in the queue's settings, valid tokens and the proxy, and the principal if a reviewer."""
    site = context.site
    known = {*site.queue.reviewers, *(() if site.proxy is None else site.proxy.reviewers)}
    if isinstance(site.auth, TokenAuthenticator):
        known |= await site.auth.reviewers()
    return frozenset(known | {context.name} if context.is_reviewer else known)


async def assign_item(context: RequestContext, queue_id: str, assignee: str | None) -> None:
    """
    Assign a claim to a person, or to nobody. For reviewers.

    Raises:
        HttpProblem: The person cannot exist, or may not decide on the claim.
        NotFound, AlreadyDecided: As `ReviewQueue.assign`.
    """
    if assignee is not None:
        check_field(assignee, "assignee")
    queue = context.site.queue.with_reviewers(await known_reviewers(context))
    try:
        await queue.assign(queue_id, context.name, assignee)
    except NotAllowed:
        words = "The assignee must be a person who may decide on this claim."
        raise HttpProblem(403, "may_not_decide", words, field="assignee") from None
