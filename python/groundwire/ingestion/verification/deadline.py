"""
Runs work in a thread that ends when its caller does.

A time-out ends the waiting and never the thread. So work in a thread gets a `Deadline`, which
expires when its caller is timed out or cancelled, and checks it between its steps.
"""

from collections.abc import Callable, Iterable, Iterator
from math import inf
from threading import Event, Thread
from time import monotonic
from typing import TypeVar
from weakref import WeakValueDictionary

__all__ = ["GRACE_S", "MAX_THREADS", "Deadline", "DeadlineExpiredError", "run_in_thread"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Semaphore

T = TypeVar("T")

MAX_THREADS = 32
"""The threads for which one event loop waits at the same time."""

GRACE_S = 0.5
"""How long a cancelled caller waits for its thread to end, in seconds."""

# An entry lasts while a caller holds its semaphore or waits for it, so that no event loop is kept alive.
_ROOMS: "WeakValueDictionary[AbstractEventLoop, Semaphore]" = WeakValueDictionary()


class DeadlineExpiredError(Exception):
    """The time is up, or the caller has gone away."""


class Deadline:
    """
    When a piece of work has to end: some seconds from now, or when `expire` is called.

    Args:
        timeout_s: How long the work may take, in seconds.
    """

    def __init__(self, timeout_s: float = inf) -> None:
        self._end = monotonic() + timeout_s
        self._expired = Event()

    def expire(self) -> None:
        """Let it expire now. Any thread may call this, and more than once."""
        self._expired.set()

    def left_s(self) -> float:
        """Return how many seconds are left, at least 0.0."""
        return 0.0 if self._expired.is_set() else max(0.0, self._end - monotonic())

    def check(self) -> None:
        """
        Return while there is time left.

        Raises:
            DeadlineExpiredError: No time is left.
        """
        if not self.left_s():
            raise DeadlineExpiredError

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """
        Yield *items* while there is time left.

        Raises:
            DeadlineExpiredError: No time is left before one of them.
        """
        for item in items:
            self.check()
            yield item


async def run_in_thread(work: Callable[[Deadline], T], *, timeout_s: float = inf) -> T:
    """
    Run *work* in a thread beside the event loop, and return its result.

    The deadline that *work* gets expires after *timeout_s*, or when the caller is timed out or
    cancelled. Such a caller waits up to half a second for the thread to end, and then abandons it:
    a single long step, such as a query to a name server, cannot be interrupted, but neither the
    event loop nor the end of the process waits for it.

    Raises:
        BaseException: Whatever *work* raises.
    """
    import asyncio
    from concurrent.futures import Future
    from contextlib import suppress
    from contextvars import copy_context

    loop, context = asyncio.get_running_loop(), copy_context()
    ended = asyncio.Event()
    outcome: Future[T] = Future()
    async with _room(loop):
        deadline = Deadline(timeout_s)

        def run() -> None:
            try:
                outcome.set_result(context.run(work, deadline))
            except BaseException as error:  # it belongs to the caller
                outcome.set_exception(error)
            # The loop of an abandoned thread may be closed.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(ended.set)

        # Unlike the threads of an executor, a daemon does not hold up the end of the process.
        Thread(target=run, name="groundwire-verify", daemon=True).start()
        try:
            await ended.wait()
        except asyncio.CancelledError:
            deadline.expire()
            with suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), GRACE_S)
            raise
        finally:
            deadline.expire()
    return outcome.result()


def _room(loop: "AbstractEventLoop") -> "Semaphore":
    """Return the semaphore that limits the threads of *loop*."""
    from asyncio import Semaphore

    return _ROOMS.setdefault(loop, Semaphore(MAX_THREADS))
