"""Turns exceptions into problems, computes bodies in a thread, and has the static files of pages."""

import hashlib
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from starlette.responses import Response

from groundwire.errors import (
    AlreadyDecided,
    CallbackFailed,
    HiddenCharacters,
    MemoryExistsError,
    MemoryStoreError,
    NotAllowed,
    NotFound,
    QueueFull,
)
from groundwire.http_server.responses import HttpProblem
from groundwire.memory import StoreFailure

__all__ = [
    "ASSETS",
    "DecidedProblem",
    "LateResponse",
    "asset",
    "asset_version",
    "to_problem",
]

_RETRY_STORE_S = 5
_RETRY_FULL_S = 60


class DecidedProblem(HttpProblem):
    """
    Somebody has already decided on the claim.

    Attributes:
        decided: The earlier decision.
    """

    def __init__(self, decided: AlreadyDecided) -> None:
        super().__init__(409, "already_decided", _who(decided))
        self.decided = decided


def to_problem(error: Exception) -> HttpProblem:
    """Return the problem for an exception. An unknown exception becomes an internal error without details."""
    match error:
        case HttpProblem():
            return error
        case NotFound():
            return HttpProblem(404, "not_found", "This claim does not exist, or it is not yours.")
        case NotAllowed():
            return HttpProblem(403, "not_allowed", "You may not decide on this claim; another person must.")
        case AlreadyDecided():
            return DecidedProblem(error)
        case HiddenCharacters():
            return HttpProblem(409, "hidden_characters", f"{str(error).capitalize()}.", field="confirm_hidden")
        case QueueFull():
            return HttpProblem(429, "queue_full", f"{str(error).capitalize()}.", retry_after_s=_RETRY_FULL_S)
        case CallbackFailed():
            return HttpProblem(
                502, "not_stored", "The claim could not be stored, and is pending again. Try again later."
            )
        case MemoryExistsError():
            return HttpProblem(502, "not_stored", "A memory with this id already exists; the claim is pending again.")
        case MemoryStoreError(failure=StoreFailure.CORRUPT):
            words = "The data in the database is damaged. Nothing was changed; ask the operator to verify the audit."
            return HttpProblem(503, "database_damaged", words)
        case MemoryStoreError():
            words = "The database is unavailable. Nothing was changed; you can repeat the request."
            return HttpProblem(503, "database_unavailable", words, retry_after_s=_RETRY_STORE_S)
    return HttpProblem(500, "internal", "An internal error occurred. Nothing was changed.")


def _who(error: AlreadyDecided) -> str:
    """Describe the earlier decision, for people who may see the claim."""
    when = f"{error.time:%Y-%m-%d %H:%M:%S} UTC"
    if error.state == "expired":
        return f"This claim expired at {when}."
    who = error.reviewer or "Someone"
    words = {"stored": "approved this claim", "rejected": "rejected this claim", "processing": "is deciding on it"}
    return f"{who} {words[error.state]}{', since' if error.state == 'processing' else ' at'} {when}."


class LateResponse(Response):
    """
    A response whose body is computed later, in any thread.

    Args:
        make: Returns the body; called once.
        status_code: The status.
        media_type: The media type of the body.
    """

    def __init__(self, make: Callable[[], str], *, status_code: int, media_type: str) -> None:
        super().__init__(status_code=status_code, media_type=media_type)
        self._make = make

    def make(self) -> None:
        """Compute the body."""
        self.body = self.render(self._make())
        self.headers["content-length"] = str(len(self.body))


_SCRIPT = "text/javascript; charset=utf-8"

ASSETS = {
    "review.css": ("review.css", "text/css; charset=utf-8"),
    "review.js": ("review.js", _SCRIPT),
    "htmx.min.js": ("vendor/htmx.min.js", _SCRIPT),
}
"""The static files of pages, with their path below `static` and their media type."""


@cache
def asset(name: str) -> bytes:
    """Return the content of a static file."""
    return (files("groundwire.review.web") / "static" / ASSETS[name][0]).read_bytes()


@cache
def asset_version(name: str) -> str:
    """Return a hash that identifies the version of a file."""
    return hashlib.sha256(asset(name)).hexdigest()[:16]
