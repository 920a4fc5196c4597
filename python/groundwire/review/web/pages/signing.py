"""Signing in and out, and what somebody has chosen."""

from starlette.responses import Response

from groundwire.review.web.bodies import read_form
from groundwire.review.web.cookies import cookie, set_cookie
from groundwire.review.web.entrance import check_form, sign_in
from groundwire.review.web.pages.frame import Preferences, keep_preferences, redirect, show
from groundwire.review.web.paths import safe_local
from groundwire.review.web.problems import Problem
from groundwire.review.web.tokens import TokenAuth
from groundwire.review.web.visits import Visit

__all__ = ["choose", "enter", "leave", "sign_in_form"]


async def sign_in_form(visit: Visit) -> Response:
    """Ask for a token."""
    _auth(visit)
    return _form(visit, safe_local(visit.request.query_params.get("next", "/")))


async def enter(visit: Visit) -> Response:
    """Begin a session with a token. Its id is new, whatever the browser had before."""
    auth = _auth(visit)
    form = await read_form(visit.request, visit.site.limits)
    there = safe_local(form.get("next", "/"))
    try:
        token_id, _ = await sign_in(visit, auth, form.get("token", "").strip())
    except Problem as problem:
        response = _form(visit, there, problem)
        if problem.retry_after_s is not None:
            response.headers["retry-after"] = str(problem.retry_after_s)
        return response
    visit.site.sessions.end(cookie(visit, "session"))
    response = redirect(visit.request.scope.get("root_path", "") + there)
    session_id = visit.site.sessions.begin(token_id)
    set_cookie(visit, response, "session", session_id, max_age_s=round(visit.site.limits.session_s))
    return response


async def leave(visit: Visit) -> Response:
    """End the session."""
    form = await read_form(visit.request, visit.site.limits)
    check_form(visit, form.get("form_key", ""))
    visit.site.sessions.end(cookie(visit, "session"))
    response = redirect(visit.path("sign_in" if isinstance(visit.site.auth, TokenAuth) else "claims"))
    set_cookie(visit, response, "session", "", max_age_s=0)
    return response


async def choose(visit: Visit) -> Response:
    """Keep what somebody has chosen, and lead back."""
    form = await read_form(visit.request, visit.site.limits)
    check_form(visit, form.get("form_key", ""))
    response = redirect(visit.request.scope.get("root_path", "") + safe_local(form.get("next", "/")))
    keep_preferences(visit, response, Preferences(confirms="confirms" in form, has_keys="has_keys" in form))
    return response


def _form(visit: Visit, there: str, problem: Problem | None = None) -> Response:
    values = {"title": "Sign in", "next": there, "problem": problem}
    return show(visit, "sign_in", values, status=200 if problem is None else problem.status)


def _auth(visit: Visit) -> TokenAuth:
    if not isinstance(visit.site.auth, TokenAuth):
        raise Problem(404, "no_sign_in", "There is no signing in here: who you are is known otherwise, or not at all.")
    return visit.site.auth
