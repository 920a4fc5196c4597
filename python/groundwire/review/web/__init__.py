"""
The review page and its JSON API (extra `review`).

`app` has the routes and answers requests, and `server` runs it over HTTP. `context` describes a request to its handler.
`auth` finds its principal and checks access, with `credentials` (tokens, sessions), `hosts` (known hosts, proxies) and
`rate_limiter`. `requests` reads bodies, forms and filters; `responses` has problems and static files.
`pages` renders `view_models` as HTML, and `api` gives the same as JSON, described by an OpenAPI document.
Names load on first use (PEP 562): importing the package does not load Starlette.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.review.web.app import create_app
    from groundwire.review.web.credentials import Principal, PrincipalRole, TokenAuthenticator, TokenInfo, TokenStore
    from groundwire.review.web.hosts import TrustedProxy
    from groundwire.review.web.rate_limiter import RequestLimits

__all__ = [
    "Principal",
    "PrincipalRole",
    "RequestLimits",
    "TokenAuthenticator",
    "TokenInfo",
    "TokenStore",
    "TrustedProxy",
    "create_app",
]

_HOMES = {
    "TokenInfo": "groundwire.review.web.credentials",
    "RequestLimits": "groundwire.review.web.rate_limiter",
    "Principal": "groundwire.review.web.credentials",
    "PrincipalRole": "groundwire.review.web.credentials",
    "TokenAuthenticator": "groundwire.review.web.credentials",
    "TokenStore": "groundwire.review.web.credentials",
    "TrustedProxy": "groundwire.review.web.hosts",
    "create_app": "groundwire.review.web.app",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
