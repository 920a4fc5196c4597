"""What is counted of the page, for Prometheus."""

from collections import Counter
from collections.abc import Iterator, Mapping

from groundwire.review.records import QueueState

__all__ = ["Metrics"]


class Metrics:
    """Counts since the process began. No label holds a name or a text."""

    def __init__(self) -> None:
        self._answers: Counter[tuple[str, int]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._decisions: Counter[str] = Counter()
        self.failed_sign_ins = 0

    def answered(self, route: str, status: int, elapsed_s: float) -> None:
        """Count a response of the route of this name."""
        self._answers[route, status] += 1
        self._seconds[route] += elapsed_s  # type: ignore[assignment] # a sum as well

    def decided(self, decision: str) -> None:
        """Count a claim that was "approved", "rejected" or "skipped" here."""
        self._decisions[decision] += 1

    def text(self, claims: Mapping[QueueState, int]) -> str:
        """Return the counts in Prometheus' text format, with how many *claims* there are by state."""
        return "".join(f"{line}\n" for line in self._lines(claims))

    def _lines(self, claims: Mapping[QueueState, int]) -> Iterator[str]:
        prefix = "groundwire_review"
        yield f"# HELP {prefix}_claims Claims in the queue by state, each counted up to 1000."
        yield f"# TYPE {prefix}_claims gauge"
        for state, count in claims.items():
            yield f'{prefix}_claims{{state="{state}"}} {count}'
        yield f"# HELP {prefix}_decisions_total Claims decided through this process."
        yield f"# TYPE {prefix}_decisions_total counter"
        for decision in ("approved", "rejected", "skipped"):
            yield f'{prefix}_decisions_total{{decision="{decision}"}} {self._decisions[decision]}'
        yield f"# HELP {prefix}_sign_in_failures_total Tokens that were not good."
        yield f"# TYPE {prefix}_sign_in_failures_total counter"
        yield f"{prefix}_sign_in_failures_total {self.failed_sign_ins}"
        yield f"# HELP {prefix}_responses_total Responses by route and status."
        yield f"# TYPE {prefix}_responses_total counter"
        for (route, status), count in sorted(self._answers.items()):
            yield f'{prefix}_responses_total{{route="{route}",status="{status}"}} {count}'
        yield f"# HELP {prefix}_response_seconds Time to make a response, by route."
        yield f"# TYPE {prefix}_response_seconds summary"
        for route, seconds in sorted(self._seconds.items()):
            count = sum(number for (name, _), number in self._answers.items() if name == route)
            yield f'{prefix}_response_seconds_sum{{route="{route}"}} {seconds:.6f}'
            yield f'{prefix}_response_seconds_count{{route="{route}"}} {count}'
