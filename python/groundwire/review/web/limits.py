"""How much is taken from whom: sizes, times and rates."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

__all__ = ["Buckets", "Limits"]

_KEYS_MAX = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """
    What one client can ask of the page.

    Attributes:
        head_bytes: How large the header fields of a request may be together.
        head_fields: How many of them there may be.
        query_bytes: How long the query of an address may be.
        body_bytes: How large a request's body may be.
        body_timeout_s: How long it may take to arrive, in seconds.
        content_bytes: How large the text of a claim may be that is submitted or edited, in UTF-8.
        response_bytes: How large a list in the API may be; what has no room comes with the next page.
        requests_per_s: How many requests a person may make, in the long run.
        requests_at_once: How many of them without a pause.
        turns_at_once: How many requests of all people are worked on at once; the others wait.
        turns_of_one: How many of them may be one person's.
        waiting_of_one: How many more of one person's may wait; those beyond are refused.
        failures_per_min: How often an address may try to sign in and fail, in the long run.
        failures_at_once: How often without a pause.
        session_s: How long somebody stays signed in, in seconds.
    """

    head_bytes: int = 16 * 1024
    head_fields: int = 100
    query_bytes: int = 4 * 1024
    body_bytes: int = 256 * 1024
    body_timeout_s: float = 10.0
    content_bytes: int = 64 * 1024
    response_bytes: int = 512 * 1024
    requests_per_s: float = 20.0
    requests_at_once: int = 200
    turns_at_once: int = 3
    turns_of_one: int = 2
    waiting_of_one: int = 200
    failures_per_min: float = 10.0
    failures_at_once: int = 10
    session_s: float = 12 * 3600.0


class Buckets:
    """
    A bucket of permissions for each key, which fills at a steady rate (a token bucket).

    Of more than ten thousand keys those that were silent longest begin anew.

    Args:
        per_s: How many permissions come in a second.
        most: How many a bucket holds.
        clock: Seconds that only grow.
    """

    def __init__(self, per_s: float, most: int, clock: Callable[[], float] = monotonic) -> None:
        self._per_s = per_s
        self._most = float(most)
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, key: str) -> float:
        """Return how long until *key* has a permission, in seconds; 0 if it has one."""
        return max(0.0, 1.0 - self._level(key)) / self._per_s

    def take(self, key: str) -> None:
        """Use up one permission, if there is one."""
        self._levels[key] = (max(0.0, self._level(key) - 1.0), self._clock())
        self._levels.move_to_end(key)
        if len(self._levels) > _KEYS_MAX:
            self._levels.popitem(last=False)

    def _level(self, key: str) -> float:
        level, since = self._levels.get(key, (self._most, 0.0))
        return min(self._most, level + (self._clock() - since) * self._per_s)
