"""Turns: whose request is worked on next, so that somebody who asks for much does not keep the others waiting."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic

from groundwire.review.web.problems import Problem

__all__ = ["FairTurns"]

_RETRY_S = 2
# How much the last request counts in the mean time of a turn.
_NEWEST = 0.1


class FairTurns:
    """
    Lets a few requests work at once, and shares the time between the people who ask.

    Each person has an account of the time that their requests took. The next turn is that of
    the smallest account. Time that somebody does not use is not saved up: whoever comes back
    begins where the others are.

    Source: Goyal, Vin and Cheng 1996, "Start-time Fair Queueing".

    Args:
        at_once: How many requests work at once.
        of_one: How many of them may be one person's.
        waiting_of_one: How many more of one person's may wait.
        clock: Seconds that only grow.
    """

    def __init__(self, at_once: int, of_one: int, waiting_of_one: int, clock: Callable[[], float] = monotonic) -> None:
        self._free = at_once
        self._of_one = of_one
        self._waiting_of_one = waiting_of_one
        self._clock = clock
        self._working: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        # Accounts in seconds, and the account at which those begin who had none.
        self._accounts: dict[str, float] = {}
        self._now_s = 0.0
        self._usual_s = 0.0

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """
        Wait for a turn of the person *key*, which lasts as long as the block.

        Raises:
            Problem: Too many requests of theirs wait already.
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
            words = f"Too many requests at once: try again in {_RETRY_S} s."
            raise Problem(429, "too_many", words, retry_after_s=_RETRY_S)
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
                # It may have been passed over already.
                if turn in waiting:
                    waiting.remove(turn)
                self._forget(key)
            raise

    def _end(self, key: str, elapsed_s: float) -> None:
        self._free += 1
        self._working[key] -= 1
        self._accounts[key] += elapsed_s
        self._usual_s += _NEWEST * (elapsed_s - self._usual_s)
        self._hand_out()
        self._forget(key)

    def _hand_out(self) -> None:
        """Give the free turns to those who wait."""
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
        """The account of somebody, with what the requests at work will take."""
        return self._accounts[key] + self._working[key] * self._usual_s

    def _forget(self, key: str) -> None:
        """Keep no account of those who begin anew anyway; none at all when nobody waits or works."""
        if self._working[key] or self._waiting.get(key):
            return
        del self._working[key]
        self._waiting.pop(key, None)
        if not self._waiting:
            self._accounts.clear()
        elif self._accounts.get(key, 0.0) <= self._now_s:
            self._accounts.pop(key, None)
