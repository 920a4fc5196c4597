"""The files that pages need."""

import hashlib
from functools import cache
from importlib.resources import files

__all__ = ["ASSETS", "asset", "asset_version"]

_SCRIPT = "text/javascript; charset=utf-8"

ASSETS = {
    "review.css": ("review.css", "text/css; charset=utf-8"),
    "review.js": ("review.js", _SCRIPT),
    "htmx.min.js": ("vendor/htmx.min.js", _SCRIPT),
}
"""The files that pages need: their place below `static`, and their media type."""


@cache
def asset(name: str) -> bytes:
    """Return the content of a file that pages need."""
    return (files("groundwire.review.web") / "static" / ASSETS[name][0]).read_bytes()


@cache
def asset_version(name: str) -> str:
    """Return a hash that identifies the version of a file."""
    return hashlib.sha256(asset(name)).hexdigest()[:16]
