"""What a list, the audit and a changed memory are described by."""

from dataclasses import dataclass

from groundwire.memory import StoredMemory
from groundwire.memory.records import Textless
from groundwire.review.records import QueueState, ReviewAction

__all__ = ["COUNT_MAX", "Deed", "EntryFilters", "Filters", "MemoryChange"]

COUNT_MAX = 1_000
"""So far claims are counted: a longer list is only known to be longer, and costs no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """
    What is done to a claim.

    Attributes:
        time: In microseconds since 1970.
        action: What is done.
        actor: Who does it; None for nobody.
        reason: Why: a code.
    """

    time: int
    action: ReviewAction
    actor: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Filters(Textless):
    """
    Which claims are wanted: those of which everything is true that is not None.

    Attributes:
        state: Where they are: waiting, or decided in one of three ways.
        user_id: Whose.
        memory_type: Of this type.
        source: From there.
        failed_check: That failed this check: `hedge_words_detected`, ...
        assigned_to: Who was asked to decide about them.
    """

    state: QueueState = QueueState.PENDING
    user_id: str | None = None
    memory_type: str | None = None
    source: str | None = None
    failed_check: str | None = None
    assigned_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryFilters:
    """Which entries of the audit are wanted: of this claim, of this user's claims, by this actor, after that one."""

    queue_id: str | None = None
    user_hash: str | None = None
    action: ReviewAction | None = None
    actor_hash: str | None = None
    after: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MemoryChange(Textless):
    """
    A memory whose status has changed, which the queue has not looked at yet.

    Attributes:
        memory_id: Which memory.
        time: When it changed, in microseconds since 1970.
        reason: Why: a label, or None.
        source: The source that was revoked, by its identity; None if none was.
        memory: What it is now; None if it is no longer there.
    """

    memory_id: str
    time: int
    reason: str | None
    source: str | None
    memory: StoredMemory | None
