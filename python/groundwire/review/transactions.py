"""Runs transactions off the event loop, several calls in one commit, and calls the store callback."""

import asyncio
import inspect
import os
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from groundwire.errors import (
    AlreadyDecided,
    CallbackFailed,
    HiddenCharacters,
    MemoryStoreError,
    NotAllowed,
    NotFound,
    QueueFull,
)
from groundwire.labels import is_label
from groundwire.memory import StoreFailure
from groundwire.memory.records import as_microseconds, check_text
from groundwire.review.records import PendingMemory
from groundwire.review.repository import QueueRepository, QueueTransaction

__all__ = [
    "StoreCallback",
    "TransactionRunner",
    "run_store_callback",
]

T = TypeVar("T")

_Work = Callable[[QueueTransaction, int], Any]
_Outcome = tuple[Any, BaseException | None]
_Loop = asyncio.AbstractEventLoop

CALLS_PER_COMMIT = 64
"""The maximum number of calls, or decisions of a batch, that share a commit, while other callers wait."""

# Refusals happen before the first write, so they leave nothing to undo.
_REFUSALS = (AlreadyDecided, HiddenCharacters, NotAllowed, NotFound, QueueFull)

# These failures may concern one call of several. All others concern all calls alike.
_OF_ONE_CALL = (StoreFailure.BROKEN, StoreFailure.CORRUPT)


class _Call(NamedTuple):
    """A waiting call; the future *done* belongs to *loop*."""

    work: _Work
    about: str | None
    done: asyncio.Future[Any]
    loop: _Loop


class TransactionRunner:
    """
    Runs functions within transactions of *repository*, each with the time at which it starts.

    Calls that wait for the end of a commit share the next one. A thread of its own waits for the disk.

    Parameters:
        repository: The queue in its database.
        clock: Returns the time.
    """

    def __init__(self, repository: QueueRepository, clock: Callable[[], datetime]) -> None:
        self.repository = repository
        self.clock = clock
        self._waiting: deque[_Call] = deque()
        self._is_called = False
        self._thread: ThreadPoolExecutor | None = None
        self._process = os.getpid()

    async def read(self, work: Callable[[QueueTransaction, int], T]) -> T:
        """Return the result of *work* on the queue in its state of one moment."""
        return await asyncio.get_running_loop().run_in_executor(self._executor(), self._read, work)

    async def write(self, work: Callable[[QueueTransaction, int], T], about: str | None = None) -> T:
        """
        Return the result of *work* after its changes are committed. If it raises, it has no effect.

        *about* is the id of its first item: the items of several calls are fetched together.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        executor = self._executor()
        self._waiting.append(_Call(work, about, done, loop))
        # Submit once for all calls until the thread starts to work.
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
        """End the thread after its work, and close the repository."""
        if self._thread is not None:
            self._thread.shutdown()
        self.repository.close()

    def _executor(self) -> ThreadPoolExecutor:
        """Return the thread. One is enough for a connection, and a forked process needs its own."""
        if self._thread is None or self._process != os.getpid():
            self._process = os.getpid()
            self._waiting.clear()
            self._is_called = False
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="groundwire-review")
        return self._thread

    def _write_waiting(self) -> None:
        """Run the waiting calls in one transaction, if an earlier run has not done so."""
        # Before taking calls, because later ones submit this method again.
        self._is_called = False
        if not self._waiting:
            return
        taken: list[_Call] = []
        try:
            try:
                with self.repository.writing() as items:
                    # Take calls only now, because more may have arrived while this waited for other processes.
                    taken = self._take()
                    outcomes = self._together(items, taken)
            except Exception as error:
                if len(taken) < 2 or not _may_concern_one(error):
                    raise
                with self.repository.writing():
                    outcomes = self._one_by_one(taken)
        except BaseException as error:
            # Nothing was committed.
            taken = taken or self._take()
            outcomes = [(None, error)] * len(taken)
        if self._waiting:
            self._write_later()
        _notify(taken, outcomes)

    def _write_later(self) -> None:
        # Not at once, because readers wait as well. A closing queue takes no more calls.
        with suppress(RuntimeError):
            self._executor().submit(self._write_waiting)

    def _take(self) -> list[_Call]:
        """Return the waiting calls, without cancelled ones."""
        taken: list[_Call] = []
        while self._waiting and len(taken) < CALLS_PER_COMMIT:
            call = self._waiting.popleft()
            if not call.done.cancelled():
                taken.append(call)
        return taken

    def _together(self, items: QueueTransaction, taken: list[_Call]) -> list[_Outcome]:
        """Return the result or the refusal of each call. Any other exception passes and undoes all of them."""
        if len(taken) == 1:
            return [(taken[0].work(items, self._now()), None)]
        items.prefetch([call.about for call in taken if call.about is not None])
        outcomes: list[_Outcome] = []
        for call in taken:
            try:
                outcomes.append((call.work(items, self._now()), None))
            except _REFUSALS as error:
                outcomes.append((None, error))
        return outcomes

    def _one_by_one(self, taken: list[_Call]) -> list[_Outcome]:
        """Run each call in a savepoint of its own, so that a failing one undoes only its own changes."""
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
        return as_microseconds(self.clock(), "the clock's time")


def _may_concern_one(error: Exception) -> bool:
    return not isinstance(error, MemoryStoreError) or error.failure in _OF_ONE_CALL


def _notify(taken: list[_Call], outcomes: list[_Outcome]) -> None:
    """Settle the futures of the calls; each of their loops is woken once."""
    by_loop: dict[_Loop, list[tuple[asyncio.Future[Any], _Outcome]]] = {}
    for call, outcome in zip(taken, outcomes, strict=True):
        by_loop.setdefault(call.loop, []).append((call.done, outcome))
    for loop, settled in by_loop.items():
        # The loop may be closed by now, and then no caller waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, settled)


def _settle(settled: list[tuple[asyncio.Future[Any], _Outcome]]) -> None:
    for done, (answer, raised) in settled:
        if done.cancelled():
            continue
        done.set_result(answer) if raised is None else done.set_exception(raised)


StoreCallback = Callable[[PendingMemory], str | Awaitable[str]]

# The maximum length of the id that a callback returns, in characters.
_ID_MAX_CHARS = 256


async def run_store_callback(callback: StoreCallback, pending: PendingMemory, *, timeout_s: float) -> str:
    """
    Return the id under which *callback* has stored a claim.

    A sync callback runs in a thread of its own. If it never returns, it keeps that thread and delays no other call.

    Args:
        callback: A sync or async function.
        pending: Its argument.
        timeout_s: Its time limit in seconds.

    Raises:
        CallbackFailed: It raised, took too long, or returned no id. Exceptions that end programs and tasks pass
            through, and leave the claim leased.
    """
    try:
        if _is_async(callback):
            answer = callback(pending)
        else:
            async with asyncio.timeout(timeout_s):
                answer, raised = await _in_thread(callback, pending)
            if raised is not None:
                raise raised
        if hasattr(answer, "__await__"):
            async with asyncio.timeout(timeout_s):
                answer = await answer
    except TimeoutError:
        failure = CallbackFailed("timed_out")
    except Exception as error:
        name = type(error).__name__
        failure = CallbackFailed("raised", name if is_label(name) else None)
    else:
        return _checked(answer)
    # Raised outside the handler: the callback's exception may contain the claim.
    raise failure


def _checked(answer: object) -> str:
    try:
        check_text(answer, "the id", max_chars=_ID_MAX_CHARS)  # type: ignore[arg-type] # it checks the type
    except (TypeError, ValueError):
        raise CallbackFailed("bad_id") from None
    return str(answer)


def _is_async(callback: StoreCallback) -> bool:
    return inspect.iscoroutinefunction(callback) or inspect.iscoroutinefunction(getattr(callback, "__call__", None))  # noqa: B004 - finds an async `__call__`


async def _in_thread(callback: StoreCallback, pending: PendingMemory) -> tuple[Any, Exception | None]:
    """
    Run *callback* in a daemon thread and return its result and its exception.

    Threads of a pool would keep the process from ending. `SystemExit` and the like only end the thread, as a failure.
    """
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[tuple[Any, Exception | None]] = loop.create_future()

    def settle(answer: Any, raised: Exception | None) -> None:
        if not answered.done():
            answered.set_result((answer, raised))
        elif inspect.iscoroutine(answer):
            # Too late: nobody awaits it, which Python would report.
            answer.close()

    def run() -> None:
        answer, raised = None, None
        try:
            answer = callback(pending)
        except Exception as error:
            raised = error
        except BaseException as error:
            raised = RuntimeError(type(error).__name__)
        # The loop may be closed by now, and then no caller waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, answer, raised)

    Thread(target=run, name="groundwire-store", daemon=True).start()
    return await answered
