"""Defines the problems that requests are refused with, and counts responses."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeAlias

__all__ = ["HttpProblem", "Metric", "ResponseMetrics"]


class HttpProblem(Exception):  # noqa: N818 # it is an answer, not an error of the program
    """
    A problem of a request. It contains no text of the user.

    Attributes:
        status: The status of the response.
        code: A stable code.
        message: A sentence for people.
        field: The field of the request that has the problem.
        retry_after_s: Seconds after which the request may succeed.
    """

    def __init__(
        self, status: int, code: str, message: str, *, field: str | None = None, retry_after_s: int | None = None
    ) -> None:
        super().__init__(status, code)
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.retry_after_s = retry_after_s


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
