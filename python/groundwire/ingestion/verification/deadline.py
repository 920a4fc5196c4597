"""
Runs work in a thread that ends with its caller.

A timeout ends the waiting, but never the thread. So work in a thread gets a `Deadline`, which expires when its caller
times out or is cancelled, and checks it between its steps.
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
"""The maximum number of concurrent threads of one event loop."""

GRACE_S = 0.5
"""The seconds that a cancelled caller waits for its thread to end."""

# An entry lasts while a caller holds its semaphore or waits for it, so that it keeps no event loop alive.
_ROOMS: "WeakValueDictionary[AbstractEventLoop, Semaphore]" = WeakValueDictionary()


class DeadlineExpiredError(Exception):
    """The time is up, or the caller is gone."""


class Deadline:
    """
    The time by which work must end: some seconds from now, or when `expire` is called.

    Args:
        timeout_s: The time for the work, in seconds.
    """

    def __init__(self, timeout_s: float = inf) -> None:
        self._end = monotonic() + timeout_s
        self._expired = Event()

    def expire(self) -> None:
        """Make the deadline expire now. Any thread may call this, repeatedly."""
        self._expired.set()

    def left_s(self) -> float:
        """Return the remaining seconds, at least 0.0."""
        return 0.0 if self._expired.is_set() else max(0.0, self._end - monotonic())

    def check(self) -> None:
        """
        Raise an error if the time is up.

        Raises:
            DeadlineExpiredError: The time is up.
        """
        if not self.left_s():
            raise DeadlineExpiredError

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """
        Yield *items* until the time is up.

        Raises:
            DeadlineExpiredError: The time is up before an item.
        """
        for item in items:
            self.check()
            yield item


async def run_in_thread(work: Callable[[Deadline], T], *, timeout_s: float = inf) -> T:
    """
    Run *work* in a thread beside the event loop, and return its result.

    The deadline passed to *work* expires after *timeout_s*, or when the caller times out or is cancelled. Such a caller
    waits up to half a second for the thread to end, and then abandons it: a single long step, such as a DNS query,
    cannot be interrupted, but neither the event loop nor the end of the process waits for it.

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
            except BaseException as error:  # the exception belongs to the caller
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
