"""JSON in and out."""

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from groundwire.review.web.api.converted import to_failure_body
from groundwire.review.web.bodies import read_body
from groundwire.review.web.late import LateResponse
from groundwire.review.web.problems import Problem
from groundwire.review.web.visits import Visit

__all__ = ["as_json", "read_json", "refuse", "reply"]

T = TypeVar("T", bound=msgspec.Struct)

Said = msgspec.Struct | dict[str, Any]

_FIELD = re.compile(r" - at `\$\.?([A-Za-z_][A-Za-z0-9_.\[\]]*)`$")
_NAMED = re.compile(r"^Object (?:missing required field|contains unknown field) `([A-Za-z_][A-Za-z0-9_]{0,63})`")


async def read_json(visit: Visit, kind: type[T]) -> T:
    """
    Return the body of a request; none at all is an empty object.

    Raises:
        Problem: It is too large or too slow, no JSON, or not of this kind: names the field.
    """
    request = visit.request
    body = await read_body(request, visit.site.limits)
    # Other sites' pages cannot send this kind without being asked first, and then they are refused.
    if body and _media_type(request) != "application/json":
        raise Problem(415, "not_json", "The body has to be application/json.")
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except msgspec.ValidationError as error:
        field, words = _field(str(error))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise Problem(400, "bad_json", "The body is no JSON.") from None
    raise Problem(422, "invalid", f"{field or 'the body'}: {words}", field=field)


def reply(said: Said | Callable[[], Said | str], *, status: int = 200) -> Response:
    """Return *said* as JSON. A function is called in a thread, and may return a str that is JSON already."""

    def make() -> str:
        made = said() if callable(said) else said
        return made if isinstance(made, str) else as_json(made)

    return LateResponse(make, status_code=status, media_type="application/json")


def as_json(said: Said | int | None) -> str:
    """Return *said* as JSON in ASCII, which has a form for lone surrogates too: UTF-8 has none."""
    return json.dumps(msgspec.to_builtins(said), separators=(",", ":"))


def refuse(visit: Visit, problem: Problem) -> Response:  # noqa: ARG001 # as the pages' one
    """Tell what went wrong."""
    response = reply(to_failure_body(problem), status=problem.status)
    if problem.status == 401:
        response.headers["www-authenticate"] = 'Bearer realm="groundwire review"'
    return response


def _field(message: str) -> tuple[str | None, str]:
    """Which field it is about, and what is wrong with it; a name that nobody gave it here is not repeated."""
    place = _FIELD.search(message)
    words = message[: place.start()] if place else message
    named = _NAMED.match(words)
    if words.startswith("Object contains unknown field"):
        return (named[1] if named else None), "there is no such field"
    if named:
        return named[1], "is missing"
    if words.startswith("Invalid value"):
        words = "is none of the values that there are"
    return (place[1] if place else None), words


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()
