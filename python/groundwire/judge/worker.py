"""
The thread in which a judge talks to its server.

One event loop serves callers of either kind, in any thread or loop: they share its
connections and its limit of requests under way, and a deadline ends a request whatever
it waits for, which a blocking socket could not promise.
"""

import asyncio
import os
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import TypeVar

from groundwire.judge.client import ChatClient

__all__ = ["Running", "Worker"]

_Result = TypeVar("_Result")
_CLOSED = "this judge is closed"


class Worker:
    """
    An event loop in a thread of its own, begun with the first task.

    Args:
        concurrency: How many tasks have a turn at once.
        connect: Makes the client that the tasks share.

    Raises:
        ValueError: *concurrency* is below 1.
    """

    def __init__(self, *, concurrency: int, connect: Callable[[], ChatClient]) -> None:
        if concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, got {concurrency}")
        self._concurrency = concurrency
        self._connect = connect
        self._lock = threading.Lock()
        self._running: Running | None = None
        self._is_closed = False

    def submit(self, task: "Callable[[Running], Coroutine[None, None, _Result]]") -> "Future[_Result]":
        """
        Run *task* in the loop. Cancelling the future cancels it.

        Raises:
            RuntimeError: The worker is closed.
        """
        with self._lock:
            if self._is_closed:
                raise RuntimeError(_CLOSED)
            # A fork has the loop and the connections of its parent, and no thread that runs it.
            if self._running is None or self._running.process != os.getpid():
                self._running = Running(self._concurrency, self._connect())
                weakref.finalize(self, self._running.stop)
            return asyncio.run_coroutine_threadsafe(task(self._running), self._running.loop)

    def run(self, task: "Callable[[Running], Coroutine[None, None, _Result]]") -> _Result:
        """
        Return what *task* returns; an interrupted wait cancels it.

        Raises:
            RuntimeError: The worker is closed, or was while the task ran.
        """
        future = self.submit(task)
        try:
            return future.result()
        except CancelledError:
            raise RuntimeError(_CLOSED) from None
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """End the loop and its thread. What is under way is cancelled, later tasks are refused."""
        with self._lock:
            running, self._running, self._is_closed = self._running, None, True
        if running is not None:
            running.stop()


class Running:
    """
    A loop, its thread, and what tasks share. Knows nothing of the worker, so as not to keep it alive.

    Attributes:
        process: Where it runs.
        loop: The event loop.
        client: The connections.
        turns: Whoever holds it has a turn.
    """

    def __init__(self, concurrency: int, client: ChatClient) -> None:
        self.process = os.getpid()
        self.loop = asyncio.new_event_loop()
        self.client = client
        self.turns = asyncio.Semaphore(concurrency)
        self._executor = ThreadPoolExecutor(max_workers=4, thread_name_prefix="groundwire-judge")
        self.loop.set_default_executor(self._executor)
        self._thread = threading.Thread(target=self._run, name="groundwire-judge", daemon=True)
        self._end: asyncio.Task[None] | None = None
        self._is_ending = False
        self._thread.start()

    def _run(self) -> None:
        self.loop.run_forever()
        self.loop.close()

    def stop(self) -> None:
        """Cancel all tasks, close the connections, end the thread. Nothing in another process, or the second time."""
        if self.process != os.getpid() or self._is_ending:
            return
        self._is_ending = True
        if threading.current_thread() is self._thread:
            # A judge that nobody holds any more ends with its last task, and that cannot wait for itself.
            self._end = self.loop.create_task(self._wind_up())
            return
        asyncio.run_coroutine_threadsafe(self._wind_up(), self.loop)
        self._thread.join()

    async def _wind_up(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.client.aclose()
        self._executor.shutdown()
        self.loop.stop()
