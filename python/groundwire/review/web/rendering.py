"""Templates: everything in them is escaped, and hidden characters are spelled out, unless they say otherwise."""

import hashlib
import html
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from groundwire.review.web.views import moment
from groundwire.sanitize import hidden_characters, without_hidden
from groundwire.templating import attribute, markup

__all__ = ["asset", "asset_version", "render"]

_SCRIPT = "text/javascript; charset=utf-8"

ASSETS = {
    "review.css": ("review.css", "text/css; charset=utf-8"),
    "review.js": ("review.js", _SCRIPT),
    "htmx.min.js": ("vendor/htmx.min.js", _SCRIPT),
}
"""The files that pages need: where they are, and of which kind."""


def render(template: str, values: Mapping[str, Any]) -> str:
    """Return a page."""
    return _environment().get_template(template).render(values)


@cache
def asset(name: str) -> bytes:
    """Return a file that pages need."""
    return (files("groundwire.review.web") / "static" / ASSETS[name][0]).read_bytes()


@cache
def asset_version(name: str) -> str:
    """Return what tells this version of a file from others."""
    return hashlib.sha256(asset(name)).hexdigest()[:16]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("groundwire.review.web"),
        autoescape=True,
        undefined=StrictUndefined,
        # They do not change while they are in use.
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters |= {
        "shown": _shown,
        "exact": _exact,
        "moment": moment,
        "hidden": hidden_characters,
        "without_hidden": without_hidden,
    }
    return environment


def _finalize(value: object) -> object:
    """Whatever a template writes is safe inside of an attribute too."""
    return Markup(attribute(value)) if isinstance(value, str) and not isinstance(value, Markup) else value


def _shown(text: str) -> Markup:
    """Text between tags: hidden characters are marked as such."""
    return Markup(markup(text))


def _exact(text: str) -> Markup:
    """Text that comes back in a form, character by character."""
    return Markup(html.escape(text))
