"""Limits the requests of a client: sizes and times, token buckets, and a fair share of the working time."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic

from groundwire.http_server.requests import HttpLimits
from groundwire.http_server.responses import HttpProblem

__all__ = ["FairScheduler", "RateLimiter", "RequestLimits"]

# The number of keys with a bucket. The keys idle for the longest time lose theirs first.
_KEYS_MAX = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits(HttpLimits):
    """
    The limits of one client, beside those of one request in `HttpLimits`.

    Attributes:
        content_bytes: The size of a submitted or edited claim in UTF-8.
        response_bytes: The size of a list in the API; further claims are on the next page.
        requests_per_s: Requests of a person per second, on average.
        requests_at_once: The largest burst of requests of a person.
        turns_at_once: Requests of all people that are active at once; the others wait.
        turns_of_one: Active requests of one person.
        waiting_of_one: Waiting requests of one person; further ones are refused.
        failures_per_min: Failed sign-ins of an address per minute, on average.
        failures_at_once: The largest burst of failed sign-ins of an address.
        session_s: The lifetime of a session, in seconds.
    """

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


class RateLimiter:
    """
    A token bucket for each key, which fills at a steady rate.

    Args:
        per_s: Permissions that a bucket gains in a second.
        most: Permissions in a full bucket.
        clock: A monotonic clock, in seconds.
    """

    def __init__(self, per_s: float, most: int, clock: Callable[[], float] = monotonic) -> None:
        self._per_s = per_s
        self._most = float(most)
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, key: str) -> float:
        """Return the seconds until *key* has a permission; 0 if it has one."""
        return max(0.0, 1.0 - self._level(key)) / self._per_s

    def take(self, key: str) -> None:
        """Use one permission, if there is one."""
        self._levels[key] = (max(0.0, self._level(key) - 1.0), self._clock())
        self._levels.move_to_end(key)
        if len(self._levels) > _KEYS_MAX:
            self._levels.popitem(last=False)

    def _level(self, key: str) -> float:
        level, since = self._levels.get(key, (self._most, 0.0))
        return min(self._most, level + (self._clock() - since) * self._per_s)


# Seconds, for `Retry-After`.
_RETRY_S = 2
# The weight of the latest request in the moving average of a turn's time.
_LATEST_WEIGHT = 0.1


class FairScheduler:
    """
    Limits active requests, and shares the working time fairly between people.

    Each person has an account of the time that their requests took, and the smallest account gets the next turn.
    Unused time cannot be saved: a person who returns starts with the account of the others.

    Source: Goyal, Vin and Cheng 1996, "Start-time Fair Queueing".

    Args:
        at_once: Requests that are active at once.
        of_one: Active requests of one person.
        waiting_of_one: Waiting requests of one person.
        clock: A monotonic clock, in seconds.
    """

    def __init__(self, at_once: int, of_one: int, waiting_of_one: int, clock: Callable[[], float] = monotonic) -> None:
        self._free = at_once
        self._of_one = of_one
        self._waiting_of_one = waiting_of_one
        self._clock = clock
        self._working: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        # Accounts in seconds, and the account with which a new person starts.
        self._accounts: dict[str, float] = {}
        self._now_s = 0.0
        self._usual_s = 0.0

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """
        Wait for a turn of the person *key*; it lasts as long as the block.

        Raises:
            HttpProblem: Too many requests of this person wait already.
        """
        await self._begin(key)
        started = self._clock()
        try:
            yield
        finally:
            self._end(key, self._clock() - started)

    async def _begin(self, key: str) -> None:
        waiting = self._waiting.setdefault(key, deque())
        if len(waiting) >= self._waiting_of_one:
            words = f"Too many requests at once; try again in {_RETRY_S} s."
            raise HttpProblem(429, "too_many", words, retry_after_s=_RETRY_S)
        if not waiting and not self._working[key]:
            self._accounts[key] = max(self._accounts.get(key, 0.0), self._now_s)
        turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        self._hand_out()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._end(key, 0.0)
            else:
                # `_hand_out` may have removed it already.
                if turn in waiting:
                    waiting.remove(turn)
                self._forget(key)
            raise

    def _end(self, key: str, elapsed_s: float) -> None:
        self._free += 1
        self._working[key] -= 1
        self._accounts[key] += elapsed_s
        self._usual_s += _LATEST_WEIGHT * (elapsed_s - self._usual_s)
        self._hand_out()
        self._forget(key)

    def _hand_out(self) -> None:
        """Give the free turns to waiting requests."""
        while self._free >= 1:
            ready = [key for key, waiting in self._waiting.items() if waiting and self._working[key] < self._of_one]
            if not ready:
                return
            key = min(ready, key=self._account)
            self._now_s = max(self._now_s, self._accounts[key])
            turn = self._waiting[key].popleft()
            if not turn.done():
                self._free -= 1
                self._working[key] += 1
                turn.set_result(None)

    def _account(self, key: str) -> float:
        """Return the account of a person, including the expected time of active requests."""
        return self._accounts[key] + self._working[key] * self._usual_s

    def _forget(self, key: str) -> None:
        """Drop accounts that no longer have an effect; all of them if no request waits or is active."""
        if self._working[key] or self._waiting.get(key):
            return
        del self._working[key]
        self._waiting.pop(key, None)
        if not self._waiting:
            self._accounts.clear()
        elif self._accounts.get(key, 0.0) <= self._now_s:
            self._accounts.pop(key, None)
