"""Renders the common part of all pages, keeps preferences, and signs people in and out."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response

from groundwire.http_server.responses import HttpProblem
from groundwire.review.web.auth import check_form, check_token
from groundwire.review.web.context import RequestContext, cookie, local_part, safe_local, set_cookie
from groundwire.review.web.credentials import TokenAuthenticator
from groundwire.review.web.requests import read_form
from groundwire.review.web.responses import LateResponse, asset_version
from groundwire.review.web.view_models import STATES
from groundwire.templating import render

__all__ = [
    "PagePreferences",
    "choose",
    "preferences",
    "redirect",
    "refuse",
    "show",
    "sign_in",
    "sign_in_form",
    "sign_out",
]

_PREFERENCES_S = 365 * 86_400

# No inline styles, scripts or evaluated text, which the content security policy blocks; no pages in the browser's
# history, where the next person would find them; and the page is shown for every status.
_HTMX = json.dumps(
    {
        "includeIndicatorStyles": False,
        "allowEval": False,
        "allowScriptTags": False,
        # Set the focus at once, because a later one would interrupt typing.
        "defaultSettleDelay": 0,
        "historyCacheSize": 0,
        "refreshOnHistoryMiss": True,
        "responseHandling": [{"code": "...", "swap": True}],
    }
)

_TITLES = {
    400: "Invalid request",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    408: "Request timed out",
    409: "Already decided",
    413: "Too large",
    414: "Too large",
    415: "Invalid request",
    422: "Invalid input",
    429: "Too many requests",
    431: "Too large",
    500: "Something went wrong",
    502: "Not stored",
    503: "Database unavailable",
}


@dataclass(frozen=True, slots=True)
class PagePreferences:
    """
    The preferences of a visitor, stored in a cookie.

    Attributes:
        confirms: Whether decisions need a confirmation.
        has_keys: Whether single letters are shortcuts.
    """

    confirms: bool = True
    has_keys: bool = True


def preferences(context: RequestContext) -> PagePreferences:
    """Return the preferences of the visitor."""
    chosen = cookie(context, "preferences")
    return PagePreferences(confirms="q" not in chosen, has_keys="n" not in chosen)


def keep_preferences(context: RequestContext, response: Response, chosen: PagePreferences) -> None:
    """Store the preferences of the visitor."""
    flags = f"p{'' if chosen.confirms else 'q'}{'' if chosen.has_keys else 'n'}"
    set_cookie(context, response, "preferences", flags, max_age_s=_PREFERENCES_S)


def show(
    context: RequestContext,
    template: str,
    values: Mapping[str, Any] | Callable[[], Mapping[str, Any]],
    *,
    status: int = 200,
) -> Response:
    """Return a page. If its *values* take long to compute, they may be a function that a thread calls."""
    common = {
        "path": context.path,
        "asset_version": asset_version,
        "htmx_config": _HTMX,
        "is_swap": is_swap(context),
        "root": context.request.scope.get("root_path", ""),
        "form_key": context.form_key,
        "person": context.person,
        "is_reviewer": context.is_reviewer,
        "can_sign_out": context.session_id is not None,
        "preferences": preferences(context),
        "here": local_part(context),
        "states": STATES,
    }

    def make() -> str:
        filled = {**common, **(values() if callable(values) else values)}
        return render("groundwire.review.web", f"{template}.html.j2", filled)

    response = LateResponse(make, status_code=status, media_type="text/html")
    if context.request.method == "POST":
        # The target of a form is not a page, so the address bar keeps the address of the form's page.
        response.headers["hx-push-url"] = "false"
    return response


def is_swap(context: RequestContext) -> bool:
    """Return whether the page replaces another one in the same document."""
    return context.request.headers.get("hx-request") == "true"


def redirect(url: str) -> Response:
    """Redirect the browser to another page of the app, even after a form."""
    return RedirectResponse(url, status_code=303)


def refuse(context: RequestContext, problem: HttpProblem) -> Response:
    """Return a page with a problem, or send an unknown visitor to the sign-in page."""
    if problem.code == "unknown" and isinstance(context.site.auth, TokenAuthenticator):
        there = local_part(context) if context.request.method in ("GET", "HEAD") else "/"
        wanted = "" if there == "/" else f"?{urlencode({'next': there})}"
        url = context.path("sign_in") + wanted
        # No part of the earlier page may stay around the form.
        return Response(status_code=401, headers={"hx-redirect": url}) if is_swap(context) else redirect(url)
    values = {"title": _TITLES.get(problem.status, _TITLES[500]), "problem": problem}
    response = show(context, "problem", values, status=problem.status)
    if is_swap(context) and "hx-boosted" not in context.request.headers:
        # A page requests its parts by itself, and keeps the current part after a failure.
        response.headers["hx-reswap"] = "none"
    return response


async def sign_in_form(context: RequestContext) -> Response:
    """Show the sign-in form."""
    _auth(context)
    return _form(context, safe_local(context.request.query_params.get("next", "/")))


async def sign_in(context: RequestContext) -> Response:
    """Start a session with a token; it always gets a new id."""
    auth = _auth(context)
    form = await read_form(context.request, context.site.limits)
    there = safe_local(form.get("next", "/"))
    try:
        token_id, _ = await check_token(context, auth, form.get("token", "").strip())
    except HttpProblem as problem:
        response = _form(context, there, problem)
        if problem.retry_after_s is not None:
            response.headers["retry-after"] = str(problem.retry_after_s)
        return response
    context.site.sessions.end(cookie(context, "session"))
    response = redirect(context.request.scope.get("root_path", "") + there)
    session_id = context.site.sessions.begin(token_id)
    set_cookie(context, response, "session", session_id, max_age_s=round(context.site.limits.session_s))
    return response


async def sign_out(context: RequestContext) -> Response:
    """End the session."""
    form = await read_form(context.request, context.site.limits)
    check_form(context, form.get("form_key", ""))
    context.site.sessions.end(cookie(context, "session"))
    response = redirect(context.path("sign_in" if isinstance(context.site.auth, TokenAuthenticator) else "claims"))
    set_cookie(context, response, "session", "", max_age_s=0)
    return response


async def choose(context: RequestContext) -> Response:
    """Store the preferences and return to the page."""
    form = await read_form(context.request, context.site.limits)
    check_form(context, form.get("form_key", ""))
    response = redirect(context.request.scope.get("root_path", "") + safe_local(form.get("next", "/")))
    keep_preferences(context, response, PagePreferences(confirms="confirms" in form, has_keys="has_keys" in form))
    return response


def _form(context: RequestContext, there: str, problem: HttpProblem | None = None) -> Response:
    values = {"title": "Sign in", "next": there, "problem": problem}
    return show(context, "sign_in", values, status=200 if problem is None else problem.status)


def _auth(context: RequestContext) -> TokenAuthenticator:
    if not isinstance(context.site.auth, TokenAuthenticator):
        raise HttpProblem(404, "no_sign_in", "This site has no sign-in page; your identity comes from elsewhere.")
    return context.site.auth
