"""The cookies of the page."""

from starlette.responses import Response

from groundwire.review.web.proxies import is_secure
from groundwire.review.web.visits import Visit

__all__ = ["cookie", "cookie_name", "set_cookie"]


def cookie(visit: Visit, what: str) -> str:
    """Return what a cookie of ours says; empty if there is none."""
    return visit.request.cookies.get(cookie_name(visit, what), "")


def cookie_name(visit: Visit, what: str) -> str:
    """Return what a cookie of ours is called; by `__Host-` browsers know that no other host may set it."""
    prefix = "__Host-" if is_secure(visit.request, visit.site.proxy) else ""
    return f"{prefix}groundwire-{what}"


def set_cookie(visit: Visit, response: Response, what: str, value: str, *, max_age_s: int) -> None:
    """Give the visitor a cookie that no script and no other site can use; an age of 0 takes it away."""
    secure = is_secure(visit.request, visit.site.proxy)
    name = cookie_name(visit, what)
    response.set_cookie(name, value, max_age=max_age_s, path="/", secure=secure, httponly=True, samesite="lax")
