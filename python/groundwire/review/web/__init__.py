"""
The review page and its JSON API (extra `review`).

`app` has the routes and answers requests; `groundwire.http_server` runs it. `context` describes a request to its
handler, and reads the headers of a trusted proxy. `auth` finds its principal and checks access, with `credentials`
(tokens, sessions) and `rate_limiter`. `requests` reads forms and filters; `responses` has problems and static files.
`pages` renders `view_models` as HTML, and `api` gives the same as JSON, described by an OpenAPI document. Names load on
first use (PEP 562): importing the package does not load Starlette.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.review.web.app import create_app
    from groundwire.review.web.context import TrustedProxy
    from groundwire.review.web.credentials import Principal, PrincipalRole, TokenAuthenticator, TokenInfo, TokenStore
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
    "TrustedProxy": "groundwire.review.web.context",
    "create_app": "groundwire.review.web.app",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
