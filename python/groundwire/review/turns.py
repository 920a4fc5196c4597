"""Transactions for tasks: those that wait for a disk run in a thread of their own, several calls in one."""

import asyncio
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from typing import Any, TypeVar

from groundwire.memory.records import as_microseconds
from groundwire.review.storage import Items, Storage

__all__ = ["Turns"]

T = TypeVar("T")

_Work = Callable[[Items, int], Any]
_Call = tuple[_Work, Future[Any]]

# So many calls may share a commit: a disk takes as long for one as for many.
_TOGETHER = 64


class Turns:
    """
    Runs functions within transactions of *storage*, each with the time at which its turn came.

    Parameters:
        storage: Where the queue is.
        clock: What tells the time.
    """

    def __init__(self, storage: Storage, clock: Callable[[], datetime]) -> None:
        self.storage = storage
        self._clock = clock
        self._waiting: deque[_Call] = deque()
        self._thread: ThreadPoolExecutor | None = None
        self._process = os.getpid()

    async def read(self, work: Callable[[Items, int], T]) -> T:
        """Return what *work* says of the queue as it is at one moment."""
        if not self.storage.waits:
            return self._read(work)
        return await asyncio.get_running_loop().run_in_executor(self._executor(), self._read, work)

    async def write(self, work: Callable[[Items, int], T]) -> T:
        """Return what *work* says, once what it did is kept; nothing of it is if it raises."""
        if not self.storage.waits:
            return self._write(work)
        executor, done = self._executor(), Future[T]()
        self._waiting.append((work, done))
        executor.submit(self._write_waiting)
        return await asyncio.wrap_future(done)

    def close(self) -> None:
        """End the thread, once it is done, and the storage."""
        if self._thread is not None:
            self._thread.shutdown()
        self.storage.close()

    def _executor(self) -> ThreadPoolExecutor:
        """One thread is enough: a connection has one transaction at a time. After a fork it is in the other process."""
        if self._thread is None or self._process != os.getpid():
            self._process = os.getpid()
            self._waiting.clear()
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="groundwire-review")
        return self._thread

    def _write_waiting(self) -> None:
        """Do what waits, in one transaction; an earlier turn may have done it."""
        if not self._waiting:
            return
        taken: list[_Call] = []
        try:
            with self.storage.writing() as items:
                # Not before: waiting for other processes takes its time, and more may have come.
                taken = self._take()
                settled = self._outcomes(items, [work for work, _ in taken])
        except BaseException as error:
            # Nothing of it was kept.
            taken = taken or self._take()
            settled = [(None, error)] * len(taken)
        for (_, done), (answer, raised) in zip(taken, settled, strict=True):
            done.set_result(answer) if raised is None else done.set_exception(raised)

    def _take(self) -> list[_Call]:
        """The calls that wait, without those that were cancelled."""
        taken: list[_Call] = []
        while self._waiting and len(taken) < _TOGETHER:
            work, done = self._waiting.popleft()
            if done.set_running_or_notify_cancel():
                taken.append((work, done))
        return taken

    def _outcomes(self, items: Items, works: list[_Work]) -> list[tuple[Any, BaseException | None]]:
        """What each of *works* returned or raised; of several, one that raises undoes its own part alone."""
        if len(works) == 1:
            return [(works[0](items, self._now()), None)]
        outcomes: list[tuple[Any, BaseException | None]] = []
        for work in works:
            try:
                outcomes.append((self._write(work), None))
            except Exception as error:
                outcomes.append((None, error))
        return outcomes

    def _read(self, work: Callable[[Items, int], T]) -> T:
        with self.storage.reading() as items:
            return work(items, self._now())

    def _write(self, work: Callable[[Items, int], T]) -> T:
        with self.storage.writing() as items:
            return work(items, self._now())

    def _now(self) -> int:
        return as_microseconds(self._clock(), "the clock's time")
