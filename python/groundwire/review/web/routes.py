"""All that can be asked for, by whom, and what answers: the one table of it."""

from starlette.responses import Response

from groundwire.review.web.api import claims as api
from groundwire.review.web.api import exchange, operating
from groundwire.review.web.api.openapi import PREFIX
from groundwire.review.web.pages import claim, deciding, frame, listing, several, signing
from groundwire.review.web.problems import Problem
from groundwire.review.web.rendering import ASSETS, asset
from groundwire.review.web.visits import Access, Entry, Handler, Visit

__all__ = ["ENTRIES"]

_FOR_EVER = "public, max-age=31536000, immutable"


async def _asset(visit: Visit) -> Response:
    """Return a file that pages need: its address has its version."""
    name = visit.request.path_params["name"]
    if name not in ASSETS:
        raise Problem(404, "not_found", "There is no such file.")
    return Response(asset(name), headers={"content-type": ASSETS[name][1], "cache-control": _FOR_EVER})


def _page(method: str, path: str, name: str, handler: Handler, access: Access = Access.PERSON) -> Entry:
    return Entry(method, path, name, access, handler, frame.refuse, is_page=True)


def _api(method: str, path: str, name: str, handler: Handler, access: Access = Access.PERSON) -> Entry:
    return Entry(method, path, name, access, handler, exchange.refuse, is_page=False)


ENTRIES = (
    _page("GET", "/", "claims", listing.claims),
    _page("GET", "/claims/{queue_id}", "claim", claim.claim),
    _page("POST", "/claims/{queue_id}/approve", "approve", deciding.approve),
    _page("POST", "/claims/{queue_id}/reject", "reject", deciding.reject),
    _page("POST", "/claims/{queue_id}/skip", "skip", deciding.skip),
    _page("POST", "/claims/{queue_id}/assign", "assign", deciding.assign, Access.REVIEWER),
    _page("POST", "/decisions", "decide", several.decide),
    _page("POST", "/preferences", "choose", signing.choose),
    _page("GET", "/sign-in", "sign_in", signing.sign_in_form, Access.ANYBODY),
    _page("POST", "/sign-in", "enter", signing.enter, Access.ANYBODY),
    _page("POST", "/sign-out", "leave", signing.leave),
    _api("GET", "/assets/{name}", "asset", _asset, Access.ANYBODY),
    _api("GET", "/health", "health", operating.health, Access.ANYBODY),
    _api("GET", "/metrics", "metrics", operating.metrics, Access.REVIEWER),
    _api("GET", f"{PREFIX}/openapi.json", "openapi", operating.openapi, Access.ANYBODY),
    _api("GET", f"{PREFIX}/claims", "api_claims", api.claims),
    _api("POST", f"{PREFIX}/claims", "api_submit", api.submit),
    _api("GET", f"{PREFIX}/counts", "api_counts", api.counts),
    _api("GET", f"{PREFIX}/claims/{{queue_id}}", "api_claim", api.claim),
    _api("GET", f"{PREFIX}/claims/{{queue_id}}/audit", "api_audit", api.audit),
    _api("POST", f"{PREFIX}/claims/{{queue_id}}/approve", "api_approve", api.approve),
    _api("POST", f"{PREFIX}/claims/{{queue_id}}/reject", "api_reject", api.reject),
    _api("POST", f"{PREFIX}/claims/{{queue_id}}/skip", "api_skip", api.skip),
    _api("POST", f"{PREFIX}/claims/{{queue_id}}/assign", "api_assign", api.assign, Access.REVIEWER),
    _api("POST", f"{PREFIX}/decisions", "api_decide", api.decide),
)
