"""Decides on the texts that an agent writes to a memory of another library."""

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from itertools import compress
from typing import TYPE_CHECKING, Any, TypeVar

from groundwire.errors import MemoryRefusedError
from groundwire.ingestion.gate import GateOutcome, ReviewQueueProtocol, Submission, enqueue_claim, log_submission
from groundwire.ingestion.records import MemoryClaim, ValidationResult
from groundwire.ingestion.tiers import Tier, TierReason
from groundwire.labels import is_label
from groundwire.telemetry import text_hasher

if TYPE_CHECKING:
    from groundwire.ingestion.validator import IngestionValidator

__all__ = ["AgentMemoryGate", "is_replaced", "memory_label", "run_blocking"]

T = TypeVar("T")

_replaced: ContextVar[frozenset[str]] = ContextVar("groundwire_replaced_memories", default=frozenset())


def is_replaced(memory_id: str) -> bool:
    """Return whether a memory is no candidate, because the claim at hand replaces it."""
    return memory_id in _replaced.get()


def memory_label(*parts: str) -> str:
    """Return the id of a memory for results and audits: *parts*, or their hash if they are no label."""
    name = "/".join(parts)
    if is_label(name):
        return name
    from hashlib import sha256

    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class AgentMemoryGate:
    """
    Decides on claims before they are written.

    Args:
        validator: Validates the claims.
        queue: The review queue. Without one, claims that need review are refused.
    """

    def __init__(self, validator: "IngestionValidator", queue: ReviewQueueProtocol | None = None) -> None:
        self._validator = validator
        self._queue = queue

    async def admit(self, claims: Sequence[MemoryClaim], names: Sequence[str]) -> list[str | None]:
        """
        Return None for each approved claim, which the caller writes, and the id in the queue for each other one.

        A claim that repeats the memory it replaces is no duplicate. One that contradicts it needs review.

        Args:
            claims: The claims.
            names: The ids of the memories that they become or replace.

        Raises:
            MemoryRefusedError: A claim is blocked; or it needs review, and there is no queue or the queue failed. None
                of the claims may be written; before a failure of the queue, others may be queued.
        """
        results = await self._validate(claims, names)
        queue = self._queue
        planned = [_planned(result, has_queue=queue is not None) for result in results]
        _check(claims, planned)
        queued: list[str | None] = []
        for place, (claim, result) in enumerate(zip(claims, results, strict=True)):
            if result.approved or queue is None:
                queued.append(None)
                continue
            try:
                queued.append(await enqueue_claim(queue, claim, result))
            except Exception as error:  # full or unreachable: the claim is stored nowhere
                failure = type(error).__name__
                planned[place] = Submission(outcome=GateOutcome.NEEDS_REVIEW, result=result, failure=failure)
                break
        _check(claims, planned)
        for claim, submission, queue_id in zip(claims, planned, queued, strict=True):
            _log(claim, submission if queue_id is None else _queued(submission, queue_id))
        return queued

    async def _validate(self, claims: Sequence[MemoryClaim], names: Sequence[str]) -> list[ValidationResult]:
        results = await self._validator.validate_many(claims, names=names)
        again = [place for place, result in enumerate(results) if _repeats_itself(result, names[place])]
        if again:
            with _replacing({names[place] for place in again}):
                fresh = await self._validator.validate_many(
                    [claims[place] for place in again], names=[names[place] for place in again]
                )
            for place, result in zip(again, fresh, strict=True):
                results[place] = result
        return results


def _check(claims: Sequence[MemoryClaim], planned: Sequence[Submission]) -> None:
    """Log the refused claims, and raise if there are any."""
    refused = [each.outcome in (GateOutcome.REJECTED, GateOutcome.NEEDS_REVIEW) for each in planned]
    if not any(refused):
        return
    for claim, submission in compress(zip(claims, planned, strict=True), refused):
        _log(claim, submission)
    codes = tuple(each.failure or str(each.result.code) for each in planned)
    raise MemoryRefusedError(tuple(str(each.outcome) for each in planned), codes)


def _planned(result: ValidationResult, *, has_queue: bool) -> Submission:
    if result.approved:
        return Submission(outcome=GateOutcome.STORED, result=result)
    if result.tier is Tier.BLOCK:
        return Submission(outcome=GateOutcome.REJECTED, result=result)
    return Submission(outcome=GateOutcome.QUEUED if has_queue else GateOutcome.NEEDS_REVIEW, result=result)


def _queued(submission: Submission, queue_id: str) -> Submission:
    return Submission(outcome=GateOutcome.QUEUED, result=submission.result, queue_id=queue_id)


def _log(claim: MemoryClaim, submission: Submission) -> None:
    log_submission(claim, submission, text_hasher()(claim.content))


def _repeats_itself(result: ValidationResult, name: str) -> bool:
    return result.code is TierReason.DUPLICATE and result.conflicting_memory_id == name


@contextmanager
def _replacing(memory_ids: set[str]) -> Iterator[None]:
    """Leave out these memories in the searches for duplicates of this task."""
    token = _replaced.set(frozenset(memory_ids))
    try:
        yield
    finally:
        _replaced.reset(token)


def run_blocking(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of *work*; in a thread with a running event loop, another thread runs it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(copy_context().run, asyncio.run, work).result()
