"""
The review page and its JSON API (extra `review`).

Names are imported when they are first touched (PEP 562): Starlette is loaded by
whoever makes an app.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.review.web.app import create_app
    from groundwire.review.web.limits import Limits
    from groundwire.review.web.people import Person, Role
    from groundwire.review.web.proxies import TrustedProxy
    from groundwire.review.web.tokens import IssuedToken, TokenAuth, Tokens

__all__ = ["IssuedToken", "Limits", "Person", "Role", "TokenAuth", "Tokens", "TrustedProxy", "create_app"]

_HOMES = {
    "IssuedToken": "groundwire.review.web.tokens",
    "Limits": "groundwire.review.web.limits",
    "Person": "groundwire.review.web.people",
    "Role": "groundwire.review.web.people",
    "TokenAuth": "groundwire.review.web.tokens",
    "Tokens": "groundwire.review.web.tokens",
    "TrustedProxy": "groundwire.review.web.proxies",
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
