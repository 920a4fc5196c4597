"""When a failed request is sent again: exponential back-off with jitter, within a deadline."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from groundwire.judge.failures import TRANSIENT, FailureCode, JudgeError

__all__ = ["Deadline", "Timing", "with_retries"]

_Result = TypeVar("_Result")

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """
    The time, as retries see it.

    Attributes:
        clock: Seconds that never go back.
        sleep: Waits that many seconds.
        jitter: A random number from 0.0 to 1.0.
    """

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment of a clock."""

    timing: Timing
    at_s: float

    def remaining_s(self) -> float:
        """Return the seconds that are left, 0.0 if none."""
        return max(0.0, self.at_s - self.timing.clock())


async def with_retries(send: Callable[[float], Awaitable[_Result]], *, max_retries: int, deadline: Deadline) -> _Result:
    """
    Return what *send* returns, sent again after a failure that may pass.

    Waits for as long as the server asks, else 0.5 s, 1 s, 2 s ... up to 8 s, less up to a
    half of it by chance, so that many callers do not come back at once.

    Args:
        send: Gets the seconds that are left.
        max_retries: How often it is sent again, at most.
        deadline: When all has to be over. A wait that would go beyond it is not begun.

    Raises:
        JudgeError: That of the last time.
    """
    timing = deadline.timing
    for attempt in range(max_retries + 1):
        remaining_s = deadline.remaining_s()
        if not remaining_s:
            raise JudgeError(FailureCode.TIMEOUT)
        try:
            return await send(remaining_s)
        except JudgeError as failure:
            wait_s = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2**attempt) * (1 - timing.jitter() / 2)
            if failure.retry_after_s is not None:
                wait_s = failure.retry_after_s
            if failure.code not in TRANSIENT or attempt == max_retries or wait_s >= deadline.remaining_s():
                raise
        await timing.sleep(wait_s)
    raise AssertionError("the last attempt returns or raises")
