"""What the queue asks of whoever keeps it: of memory, or of a database."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from groundwire.memory import Anchor, StoredMemory
from groundwire.memory.textless import Textless
from groundwire.review.details import Details
from groundwire.review.items import Excerpt, Item
from groundwire.review.records import QueueState, ReviewAction, ReviewEntry

__all__ = ["COUNT_MAX", "Deed", "EntryFilters", "Filters", "Items", "MemoryChange", "Storage"]

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


class Items(Protocol):
    """The queue within one transaction."""

    def get(self, queue_id: str) -> Item | None:
        """Return an item; raises if it is not as it was written."""

    def look_ahead(self, queue_ids: Sequence[str]) -> None:
        """Read at once what `get` and a decision about each of these items will need."""

    def details(self, item: Item) -> Details:
        """Return what the checks said."""

    def asked(self, user_id: str, asked_hash: str) -> Sequence[Item]:
        """Return the user's items that were submitted with this text, and wait or were rejected."""

    def with_key(self, user_id: str, idempotency_key: str) -> Item | None:
        """Return the user's item that was submitted with this key."""

    def waiting(self) -> int:
        """Return how many wait, those that are being decided too."""

    def waiting_of(self, user_id: str) -> int:
        """Return how many of them are one user's."""

    def overdue(self, now: int, limit: int) -> Sequence[Item]:
        """Return those that have expired and have not been marked so."""

    def page(self, filters: Filters, now: int, *, after: int, limit: int, newest_first: bool) -> Sequence[Item]:
        """Return items by their places: after *after*, or before it if the newest come first and it is not 0."""

    def excerpts(self, filters: Filters, now: int, *, after: int, limit: int, newest_first: bool) -> Sequence[Excerpt]:
        """Return the items of `page` as lists need them, without reading long texts."""

    def excerpts_of(self, queue_ids: Sequence[str]) -> Sequence[Excerpt]:
        """Return these items as lists need them, in any order; ids that are unknown are left out."""

    def count(self, filters: Filters) -> int:
        """Return how many there are, those that are being decided too; up to `COUNT_MAX`."""

    def next_place(self) -> int:
        """Return the place behind all others, which is the number of the audit's next entry."""

    def text_hash(self, text: str) -> str:
        """Return the hash of a claim."""

    def person_hash(self, person: str) -> str:
        """Return the hash of somebody's name."""

    def keep_name(self, person: str) -> str:
        """Keep the name of somebody who does something, and return its hash."""

    def names(self, hashes: Iterable[str]) -> Mapping[str, str]:
        """Return the names that are kept, by their hashes."""

    def add(self, item: Item, details: Details, deed: Deed) -> None:
        """Write a new item, and *deed* in the audit."""

    def change(self, before: Item, after: Item, deed: Deed) -> None:
        """Write *after* in the place of *before*, and *deed* in the audit."""

    def remember(self, memory: StoredMemory, deed: Deed) -> None:
        """Store a memory in the same transaction, with those of its parents that are active memories of its user."""

    def memory_changes(self, limit: int) -> Sequence[MemoryChange]:
        """Return memories whose status has changed since the queue looked last, at most *limit*, oldest first."""

    def settle_change(self, memory_id: str) -> None:
        """Forget that the status of a memory has changed: the queue has looked at it."""

    def waiting_for(self, memory_id: str) -> Item | None:
        """Return the item by which this memory waits for review again; None if it does not."""

    def free_id(self, memory_id: str) -> str:
        """Return an id that neither an item nor a memory has or had: that of a memory with a number behind it."""

    def reactivate(self, memory_id: str, user_id: str, deed: Deed) -> None:
        """Make a memory active again."""

    def discard(self, memory_id: str, deed: Deed, reason: str) -> None:
        """Erase a memory, for *reason*, a label, and leave its items."""

    def entries(self, filters: EntryFilters, limit: int | None) -> Sequence[ReviewEntry]:
        """Return entries of the audit, first to last."""

    def erase_user(self, user_id: str, deed: Deed) -> Sequence[str]:
        """Erase a user's items and name, and what else of them is kept in the same place; return the items' ids."""

    def text_of(self, memory_id: str, user_id: str) -> str | None:
        """Return what the user's memory of this id says, or the claim that waits under it."""

    def faults(self, anchor: Anchor | None) -> Sequence[str]:
        """Return what is not as it was written, or as *anchor* has it, in words that hold no text."""

    def anchor(self) -> Anchor:
        """Return how far the audits go."""


class Storage(Protocol):
    """Hands out transactions."""

    @property
    def can_remember(self) -> bool:
        """Whether memories are kept in the same place."""

    @property
    def waits(self) -> bool:
        """Whether its transactions wait for a disk or a server."""

    def reading(self) -> AbstractContextManager[Items]:
        """Give the queue as it is at one moment."""

    def writing(self) -> AbstractContextManager[Items]:
        """Give the queue to write to: all of it is done at the end, or nothing if an exception passes."""

    def close(self) -> None:
        """Close what was opened."""
