"""Many decisions of one call: what became of each."""

from collections.abc import Awaitable, Callable, Sequence

from groundwire.errors import AlreadyDecided, GroundwireError, HiddenCharacters, MemoryStoreError, NotAllowed, NotFound
from groundwire.memory import StoreFailure
from groundwire.review.database import QueueTransaction
from groundwire.review.records import Outcome
from groundwire.review.transitions import Decider

__all__ = ["alone", "is_of_all", "outcome_of", "together"]

Decide = Callable[[QueueTransaction, Decider, str], str | None]
"""Decides about the claim of an id, and returns the memory's id if it is stored."""


async def outcome_of(queue_id: str, deciding: Awaitable[str | None]) -> Outcome:
    """Return what becomes of one decision."""
    try:
        return Outcome(queue_id, await deciding)
    except GroundwireError as error:
        return Outcome(queue_id, error=error)


def together(decide: Decide, queue_ids: Sequence[str]) -> Callable[[QueueTransaction, Decider], list[Outcome]]:
    """
    Return what decides about several claims in one transaction.

    What is refused is refused before anything is written, so the others need nothing undone.
    """

    def work(items: QueueTransaction, who: Decider) -> list[Outcome]:
        outcomes = []
        items.look_ahead(queue_ids)
        for queue_id in queue_ids:
            try:
                outcomes.append(Outcome(queue_id, decide(items, who, queue_id)))
            except (NotFound, NotAllowed, AlreadyDecided, HiddenCharacters) as error:
                outcomes.append(Outcome(queue_id, error=error))
        return outcomes

    return work


def is_of_all(error: GroundwireError) -> bool:
    """Tell whether *error* would meet each of them alike: the database is away, and not one claim of it damaged."""
    return isinstance(error, MemoryStoreError) and error.failure != StoreFailure.CORRUPT


def alone(decide: Decide, queue_id: str) -> Callable[[QueueTransaction, Decider], str | None]:
    """Return what decides about one of them."""
    return lambda items, who: decide(items, who, queue_id)
