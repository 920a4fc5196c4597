"""What is counted of the page, for Prometheus."""

from collections import Counter
from collections.abc import Iterator, Mapping

from groundwire.review.records import QueueState
from groundwire.telemetry import prometheus_text

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
        return prometheus_text(self._metrics(claims))

    def _metrics(self, claims: Mapping[QueueState, int]) -> Iterator[tuple[str, str, str, Mapping[str, str]]]:
        by_state = {f'{{state="{state}"}}': str(count) for state, count in claims.items()}
        yield "review_claims", "gauge", "Claims in the queue by state, each counted up to 1000.", by_state
        kinds = ("approved", "rejected", "skipped")
        decisions = {f'{{decision="{each}"}}': str(self._decisions[each]) for each in kinds}
        yield "review_decisions_total", "counter", "Claims decided through this process.", decisions
        failed = {"": str(self.failed_sign_ins)}
        yield "review_sign_in_failures_total", "counter", "Tokens that were not good.", failed
        answers = sorted(self._answers.items())
        by_status = {f'{{route="{route}",status="{status}"}}': str(count) for (route, status), count in answers}
        yield "review_responses_total", "counter", "Responses by route and status.", by_status
        by_route = {}
        for route, seconds in sorted(self._seconds.items()):
            by_route[f'_sum{{route="{route}"}}'] = f"{seconds:.6f}"
            by_route[f'_count{{route="{route}"}}'] = str(sum(count for (name, _), count in answers if name == route))
        yield "review_response_seconds", "summary", "Time to make a response, by route.", by_route
