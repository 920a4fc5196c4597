"""Who makes a request, and whether they may."""

import hmac
import inspect
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request

from groundwire.review.web.cookies import cookie
from groundwire.review.web.limits import Limits
from groundwire.review.web.people import Person
from groundwire.review.web.problems import Problem
from groundwire.review.web.proxies import address_of, person_named
from groundwire.review.web.tokens import TokenAuth
from groundwire.review.web.visits import Access, Entry, Visit

__all__ = ["check_access", "check_form", "check_head", "check_origin", "recognise", "sign_in"]


async def recognise(visit: Visit, entry: Entry) -> Visit:
    """Return the visit of whoever it is: known by a token, a session, the proxy or the caller's own function."""
    site, request = visit.site, visit.request
    if entry.access is Access.ANYBODY and not entry.is_page:
        return visit
    if isinstance(site.auth, TokenAuth):
        if request.headers.get("authorization", "").lower().startswith("bearer "):
            return Visit(site, request, await _holder(visit, site.auth))
        session_id = cookie(visit, "session") if entry.is_page else ""
        token_id = site.sessions.token_id(session_id) if session_id else None
        person = None if token_id is None else await site.auth.holder(token_id)
        if person is not None:
            return Visit(site, request, person, session_id)
        return Visit(site, request, person_named(request, site.proxy))
    return Visit(site, request, person_named(request, site.proxy) or await _told(site.auth, request))


async def _told(auth: Callable[[Request], Any], request: Request) -> Person | None:
    """Whom the caller's own function names: a `Person`, a name, or None."""
    said = auth(request)
    if inspect.isawaitable(said):
        said = await said
    return Person(said) if isinstance(said, str) and said else said if isinstance(said, Person) else None


async def _holder(visit: Visit, auth: TokenAuth) -> Person:
    """Whose token a request holds."""
    sent = visit.request.headers.getlist("authorization")
    return (await sign_in(visit, auth, sent[0].partition(" ")[2].strip() if len(sent) == 1 else ""))[1]


async def sign_in(visit: Visit, auth: TokenAuth, token: str) -> tuple[str, Person]:
    """
    Return the id and the holder of a good token.

    Those of an address from which others have failed too often still get in with theirs:
    nobody can be locked out, and no secret of 256 bits is guessed.

    Raises:
        Problem: It is not good.
    """
    found = await auth.check(token)
    if found is not None:
        return found
    site, address = visit.site, address_of(visit.request, visit.site.proxy)
    wait_s = site.failures.wait_s(address)
    site.failures.take(address)
    site.metrics.failed_sign_ins += 1
    raise _too_many(wait_s) if wait_s > 0 else Problem(401, "bad_token", "The token is not good, or not any more.")


def check_access(visit: Visit, entry: Entry) -> None:
    """Check that the visitor may use the route, and not too often."""
    if visit.person is None and entry.access is not Access.ANYBODY:
        raise Problem(401, "unknown", "Sign in first.")
    if entry.access is Access.REVIEWER and not visit.is_reviewer:
        raise Problem(403, "reviewers_only", "This is for reviewers.")
    wait_s = visit.site.requests.wait_s(visit.limited_as)
    if wait_s > 0:
        raise _too_many(wait_s)
    visit.site.requests.take(visit.limited_as)


def check_head(request: Request, limits: Limits) -> None:
    """
    Check the size of a request's head, before anything in it is looked at.

    Raises:
        Problem: It is too large.
    """
    if len(request.scope["query_string"]) > limits.query_bytes:
        raise Problem(414, "too_long", f"The query of the address is longer than {limits.query_bytes:,} bytes.")
    fields = request.scope["headers"]
    if len(fields) > limits.head_fields or sum(len(name) + len(value) for name, value in fields) > limits.head_bytes:
        words = f"The head of the request has more than {limits.head_fields} fields or {limits.head_bytes:,} bytes."
        raise Problem(431, "head_too_large", words)


def check_origin(request: Request) -> None:
    """
    Check that no other site's page has sent a form.

    All browsers say where a form comes from. What says nothing is none, and cannot be made to
    use somebody's cookies.
    """
    fetched = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if fetched is not None:
        is_own = fetched in ("same-origin", "none")
    else:
        is_own = origin is None or urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower()
    if not is_own:
        raise Problem(403, "other_site", "The form comes from another site.")


def check_form(visit: Visit, form_key: str) -> None:
    """
    Check that a form comes from a page that we have made for the same visitor.

    Raises:
        Problem: It does not.
    """
    if not hmac.compare_digest(form_key.encode("utf-8", "surrogatepass"), visit.form_key.encode()):
        raise Problem(403, "stale_form", "The form is out of date: open the page again, and repeat what you did.")


def _too_many(wait_s: float) -> Problem:
    seconds = max(1, round(wait_s + 0.5))
    return Problem(429, "too_many", f"Too many requests: try again in {seconds} s.", retry_after_s=seconds)
