"""Transactions for tasks: those that wait for a disk run in a thread beside the event loop."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import TypeVar

from groundwire.memory.records import as_microseconds
from groundwire.review.storage import Items, Storage

__all__ = ["Turns"]

T = TypeVar("T")


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
        self._thread: ThreadPoolExecutor | None = None
        self._process = os.getpid()

    async def read(self, work: Callable[[Items, int], T]) -> T:
        """Return what *work* says of the queue as it is at one moment."""
        return await self._in_thread(self._read, work) if self.storage.waits else self._read(work)

    async def write(self, work: Callable[[Items, int], T]) -> T:
        """Return what *work* says, and keep what it did, unless it raises."""
        return await self._in_thread(self._write, work) if self.storage.waits else self._write(work)

    def close(self) -> None:
        """End the thread, once it is done, and the storage."""
        if self._thread is not None:
            self._thread.shutdown()
        self.storage.close()

    async def _in_thread(self, turn: Callable[[Callable[[Items, int], T]], T], work: Callable[[Items, int], T]) -> T:
        if self._thread is None or self._process != os.getpid():
            # One is enough: a connection has one transaction at a time. After a fork it is in the other process.
            self._process = os.getpid()
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="groundwire-review")
        return await asyncio.get_running_loop().run_in_executor(self._thread, turn, work)

    def _read(self, work: Callable[[Items, int], T]) -> T:
        with self.storage.reading() as items:
            return work(items, self._now())

    def _write(self, work: Callable[[Items, int], T]) -> T:
        with self.storage.writing() as items:
            return work(items, self._now())

    def _now(self) -> int:
        return as_microseconds(self._clock(), "the clock's time")
