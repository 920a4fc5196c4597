"""
Defines responses: problems with status and code, bodies computed in a thread, their metrics, and the static files of
pages.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TypeAlias

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

__all__ = [
    "ASSETS",
    "HttpProblem",
    "LateResponse",
    "Metric",
    "ResponseMetrics",
    "asset",
    "asset_version",
    "to_problem",
]

_RETRY_STORE_S = 5
_RETRY_FULL_S = 60


class HttpProblem(Exception):  # noqa: N818 # it is an answer, not an error of the program
    """
    A problem of a request. It contains no text of a claim.

    Attributes:
        status: The status of the response.
        code: A stable code.
        message: A sentence for people.
        field: The field of the request that has the problem.
        retry_after_s: Seconds after which the request may succeed.
        decided: The earlier decision.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        field: str | None = None,
        retry_after_s: int | None = None,
        decided: AlreadyDecided | None = None,
    ) -> None:
        super().__init__(status, code)
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.retry_after_s = retry_after_s
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
            return HttpProblem(409, "already_decided", _who(error), decided=error)
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


Metric: TypeAlias = tuple[str, str, str, Mapping[str, str]]
"""A metric as `groundwire.telemetry.prometheus_text` takes it."""


class ResponseMetrics:
    """
    Counts responses and the time to make them since the start of the process. No label contains a name or a text.

    Args:
        prefix: The beginning of the metrics' names.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._answers: Counter[tuple[str, int]] = Counter()
        self._seconds: Counter[str] = Counter()

    def answered(self, route: str, status: int, elapsed_s: float) -> None:
        """Count a response of the route of this name."""
        self._answers[route, status] += 1
        self._seconds[route] += elapsed_s  # type: ignore[assignment] # a sum as well

    def of_responses(self) -> Iterator[Metric]:
        """Yield the counts by route and status, and the time by route."""
        answers = sorted(self._answers.items())
        by_status = {f'{{route="{route}",status="{status}"}}': str(count) for (route, status), count in answers}
        yield f"{self._prefix}_responses_total", "counter", "Responses by route and status.", by_status
        by_route = {}
        for route, seconds in sorted(self._seconds.items()):
            by_route[f'_sum{{route="{route}"}}'] = f"{seconds:.6f}"
            by_route[f'_count{{route="{route}"}}'] = str(sum(count for (name, _), count in answers if name == route))
        yield f"{self._prefix}_response_seconds", "summary", "Time to make a response, by route.", by_route


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
