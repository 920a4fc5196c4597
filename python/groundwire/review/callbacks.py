"""Calling whoever stores approved claims: it may be sync or async, raise, hang, or return nonsense."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from threading import Thread
from typing import Any

from groundwire.errors import CallbackFailed
from groundwire.labels import is_label
from groundwire.memory.records import check_text
from groundwire.review.records import PendingMemory

__all__ = ["StoreCallback", "call"]

StoreCallback = Callable[[PendingMemory], str | Awaitable[str]]

_ID_MAX_CHARS = 256


async def call(callback: StoreCallback, pending: PendingMemory, *, timeout_s: float) -> str:
    """
    Return the id under which *callback* has stored a claim.

    A sync callback runs in a thread of its own. If it never returns, it keeps the thread and delays nobody.

    Args:
        callback: Sync or async.
        pending: What it is given.
        timeout_s: How long it may take, in seconds.

    Raises:
        CallbackFailed: It raised, took too long, or returned no id. The exceptions that
            end programs and tasks pass through, and leave the claim to its lease.
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
    # Outside the handler: what it raised may hold the claim.
    raise failure


def _checked(answer: object) -> str:
    try:
        check_text(answer, "the id", max_chars=_ID_MAX_CHARS)  # type: ignore[arg-type] # it says so itself
    except (TypeError, ValueError):
        raise CallbackFailed("bad_id") from None
    return str(answer)


def _is_async(callback: StoreCallback) -> bool:
    # The class's, for objects that are called.
    return inspect.iscoroutinefunction(callback) or inspect.iscoroutinefunction(getattr(callback, "__call__", None))  # noqa: B004


async def _in_thread(callback: StoreCallback, pending: PendingMemory) -> tuple[Any, Exception | None]:
    """
    Return what *callback* returned or raised, in a thread that does not keep the process from ending.

    Threads of a pool do. What ends a program ends that thread alone, as a failure.
    """
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[tuple[Any, Exception | None]] = loop.create_future()

    def settle(answer: Any, raised: Exception | None) -> None:
        if not answered.done():
            answered.set_result((answer, raised))

    def run() -> None:
        answer, raised = None, None
        try:
            answer = callback(pending)
        except Exception as error:
            raised = error
        except BaseException as error:
            raised = RuntimeError(type(error).__name__)
        # The loop may have been closed meanwhile: then nobody waits any more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, answer, raised)

    Thread(target=run, name="groundwire-store", daemon=True).start()
    return await answered
