"""What all pages have in common."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response

from groundwire.review.web.cookies import cookie, set_cookie
from groundwire.review.web.late import LateResponse
from groundwire.review.web.paths import local_part
from groundwire.review.web.problems import Problem
from groundwire.review.web.rendering import asset_version
from groundwire.review.web.tokens import TokenAuth
from groundwire.review.web.views import STATES
from groundwire.review.web.visits import Visit
from groundwire.templating import render

__all__ = ["Preferences", "keep_preferences", "preferences", "redirect", "refuse", "show"]

_PREFERENCES_S = 365 * 86_400

# No style, script or evaluated text in the page itself, which the policy would stop; no pages kept in the browser,
# where the next person would find them; and whatever the status is, people see the page that says why.
_HTMX = json.dumps(
    {
        "includeIndicatorStyles": False,
        "allowEval": False,
        "allowScriptTags": False,
        # At once: focus that comes later would be taken from whoever has typed a letter meanwhile.
        "defaultSettleDelay": 0,
        "historyCacheSize": 0,
        "refreshOnHistoryMiss": True,
        "responseHandling": [{"code": "...", "swap": True}],
    }
)

_TITLES = {
    400: "That cannot be read",
    401: "Not signed in",
    403: "Not allowed",
    404: "No such claim",
    405: "Not possible here",
    408: "Too slow",
    409: "Already decided",
    413: "Too large",
    414: "Too large",
    415: "That cannot be read",
    422: "That is not possible",
    429: "Too many requests",
    431: "Too large",
    500: "Something went wrong",
    502: "Not stored",
    503: "The database is away",
}


@dataclass(frozen=True, slots=True)
class Preferences:
    """
    What somebody has chosen, kept in a cookie.

    Attributes:
        confirms: Whether decisions are asked about once more.
        has_keys: Whether single letters are shortcuts.
    """

    confirms: bool = True
    has_keys: bool = True


def preferences(visit: Visit) -> Preferences:
    """Return what the visitor has chosen."""
    chosen = cookie(visit, "preferences")
    return Preferences(confirms="q" not in chosen, has_keys="n" not in chosen)


def keep_preferences(visit: Visit, response: Response, chosen: Preferences) -> None:
    """Keep what the visitor has chosen."""
    said = f"p{'' if chosen.confirms else 'q'}{'' if chosen.has_keys else 'n'}"
    set_cookie(visit, response, "preferences", said, max_age_s=_PREFERENCES_S)


def show(
    visit: Visit, template: str, values: Mapping[str, Any] | Callable[[], Mapping[str, Any]], *, status: int = 200
) -> Response:
    """Return a page. *values* that take long to work out may be a function, which is called in a thread."""
    common = {
        "path": visit.path,
        "asset_version": asset_version,
        "htmx_config": _HTMX,
        "is_swap": is_swap(visit),
        "root": visit.request.scope.get("root_path", ""),
        "form_key": visit.form_key,
        "person": visit.person,
        "is_reviewer": visit.is_reviewer,
        "can_sign_out": visit.session_id is not None,
        "preferences": preferences(visit),
        "here": local_part(visit),
        "states": STATES,
    }

    def make() -> str:
        filled = {**common, **(values() if callable(values) else values)}
        return render("groundwire.review.web", f"{template}.html.j2", filled)

    response = LateResponse(make, status_code=status, media_type="text/html")
    if visit.request.method == "POST":
        # Where a form was sent to there is nothing to come back to: the address stays that of the form's page.
        response.headers["hx-push-url"] = "false"
    return response


def is_swap(visit: Visit) -> bool:
    """Tell whether a page takes the place of another one within the same document."""
    return visit.request.headers.get("hx-request") == "true"


def redirect(url: str) -> Response:
    """Return what leads a browser to another page of ours, after a form too."""
    return RedirectResponse(url, status_code=303)


def refuse(visit: Visit, problem: Problem) -> Response:
    """Tell what went wrong, on a page that leads on."""
    if problem.code == "unknown" and isinstance(visit.site.auth, TokenAuth):
        there = local_part(visit) if visit.request.method in ("GET", "HEAD") else "/"
        wanted = "" if there == "/" else f"?{urlencode({'next': there})}"
        url = visit.path("sign_in") + wanted
        # Nothing of the page that was seen before may stay around the form.
        return Response(status_code=401, headers={"hx-redirect": url}) if is_swap(visit) else redirect(url)
    values = {"title": _TITLES.get(problem.status, _TITLES[500]), "problem": problem}
    response = show(visit, "problem", values, status=problem.status)
    if is_swap(visit) and "hx-boosted" not in visit.request.headers:
        # What a page asks for by itself is a part of it: it keeps what it has.
        response.headers["hx-reswap"] = "none"
    return response
