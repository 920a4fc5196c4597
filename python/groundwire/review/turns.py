"""Transactions for tasks: those that wait for a disk run in a thread of their own, several calls in one."""

import asyncio
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from groundwire.errors import AlreadyDecided, HiddenCharacters, MemoryStoreError, NotAllowed, NotFound, QueueFull
from groundwire.memory import StoreFailure
from groundwire.memory.records import as_microseconds
from groundwire.review.database import QueueRepository, QueueTransaction

__all__ = ["Turns"]

T = TypeVar("T")

_Work = Callable[[QueueTransaction, int], Any]
_Outcome = tuple[Any, BaseException | None]
_Loop = asyncio.AbstractEventLoop

# So many calls may share a commit: a disk takes as long for one as for many.
_TOGETHER = 64

# What is refused is refused before anything is written: nothing has to be undone.
_REFUSALS = (AlreadyDecided, HiddenCharacters, NotAllowed, NotFound, QueueFull)

# These may be the fault of one call of several. The others meet all of them alike.
_OF_ONE = (StoreFailure.BROKEN, StoreFailure.CORRUPT)


class _Call(NamedTuple):
    """What waits for its turn: *done* is of *loop*."""

    work: _Work
    about: str | None
    done: asyncio.Future[Any]
    loop: _Loop


class Turns:
    """
    Runs functions within transactions of *repository*, each with the time at which its turn came.

    Parameters:
        repository: Where the queue is.
        clock: What tells the time.
    """

    def __init__(self, repository: QueueRepository, clock: Callable[[], datetime]) -> None:
        self.repository = repository
        self._clock = clock
        self._waiting: deque[_Call] = deque()
        self._is_called = False
        self._thread: ThreadPoolExecutor | None = None
        self._process = os.getpid()

    async def read(self, work: Callable[[QueueTransaction, int], T]) -> T:
        """Return what *work* says of the queue as it is at one moment."""
        return await asyncio.get_running_loop().run_in_executor(self._executor(), self._read, work)

    async def write(self, work: Callable[[QueueTransaction, int], T], about: str | None = None) -> T:
        """
        Return what *work* says, once what it did is kept; nothing of it is if it raises.

        *about* is the id of the item that it begins with: those of several calls are read together.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        executor = self._executor()
        self._waiting.append(_Call(work, about, done, loop))
        # Once for all that come before the thread is there.
        if not self._is_called:
            self._is_called = True
            try:
                executor.submit(self._write_waiting)
            except RuntimeError:
                # The queue is closed.
                self._is_called = False
                done.cancel()
                raise
        return await done

    def close(self) -> None:
        """End the thread, once it is done, and the storage."""
        if self._thread is not None:
            self._thread.shutdown()
        self.repository.close()

    def _executor(self) -> ThreadPoolExecutor:
        """One thread is enough: a connection has one transaction at a time. After a fork it is in the other process."""
        if self._thread is None or self._process != os.getpid():
            self._process = os.getpid()
            self._waiting.clear()
            self._is_called = False
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="groundwire-review")
        return self._thread

    def _write_waiting(self) -> None:
        """Do what waits, in one transaction; an earlier turn may have done it."""
        # Before anything is taken: who comes from now on calls again.
        self._is_called = False
        if not self._waiting:
            return
        taken: list[_Call] = []
        try:
            try:
                with self.repository.writing() as items:
                    # Not before: waiting for other processes takes its time, and more may have come.
                    taken = self._take()
                    outcomes = self._together(items, taken)
            except Exception as error:
                if len(taken) < 2 or not _may_be_of_one(error):
                    raise
                with self.repository.writing():
                    outcomes = self._one_by_one(taken)
        except BaseException as error:
            # Nothing of it was kept.
            taken = taken or self._take()
            outcomes = [(None, error)] * len(taken)
        if self._waiting:
            self._write_later()
        _tell(taken, outcomes)

    def _write_later(self) -> None:
        # Not at once: who reads has been waiting too. A queue that is being closed takes no more.
        with suppress(RuntimeError):
            self._executor().submit(self._write_waiting)

    def _take(self) -> list[_Call]:
        """The calls that wait, without those that were cancelled."""
        taken: list[_Call] = []
        while self._waiting and len(taken) < _TOGETHER:
            call = self._waiting.popleft()
            if not call.done.cancelled():
                taken.append(call)
        return taken

    def _together(self, items: QueueTransaction, taken: list[_Call]) -> list[_Outcome]:
        """What each of the calls returned, or why it was refused. Any other exception passes: all is to be undone."""
        if len(taken) == 1:
            return [(taken[0].work(items, self._now()), None)]
        items.look_ahead([call.about for call in taken if call.about is not None])
        outcomes: list[_Outcome] = []
        for call in taken:
            try:
                outcomes.append((call.work(items, self._now()), None))
            except _REFUSALS as error:
                outcomes.append((None, error))
        return outcomes

    def _one_by_one(self, taken: list[_Call]) -> list[_Outcome]:
        """The same where one of them raises: it undoes its own part alone."""
        outcomes: list[_Outcome] = []
        for call in taken:
            try:
                outcomes.append((self._write(call.work), None))
            except Exception as error:
                outcomes.append((None, error))
        return outcomes

    def _read(self, work: Callable[[QueueTransaction, int], T]) -> T:
        with self.repository.reading() as items:
            return work(items, self._now())

    def _write(self, work: Callable[[QueueTransaction, int], T]) -> T:
        with self.repository.writing() as items:
            return work(items, self._now())

    def _now(self) -> int:
        return as_microseconds(self._clock(), "the clock's time")


def _may_be_of_one(error: Exception) -> bool:
    return not isinstance(error, MemoryStoreError) or error.failure in _OF_ONE


def _tell(taken: list[_Call], outcomes: list[_Outcome]) -> None:
    """Tell those who wait; each of their loops is woken once."""
    by_loop: dict[_Loop, list[tuple[asyncio.Future[Any], _Outcome]]] = {}
    for call, outcome in zip(taken, outcomes, strict=True):
        by_loop.setdefault(call.loop, []).append((call.done, outcome))
    for loop, settled in by_loop.items():
        # It may have been closed meanwhile: then nobody waits any more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, settled)


def _settle(settled: list[tuple[asyncio.Future[Any], _Outcome]]) -> None:
    for done, (answer, raised) in settled:
        if done.cancelled():
            continue
        done.set_result(answer) if raised is None else done.set_exception(raised)
