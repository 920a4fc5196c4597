"""A claim in the queue as storages keep it, and what follows from the time alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from groundwire.memory.audit_log import KeyedHasher
from groundwire.memory.records import as_time, textless
from groundwire.review.details import Details
from groundwire.review.records import ClaimExcerpt, PendingMemory, QueueState

__all__ = [
    "COLUMNS",
    "DETAILS_MAX_CHARS",
    "EXCERPT_CHARS",
    "Excerpt",
    "Item",
    "digest_of",
    "excerpt_of",
    "is_leased",
    "is_overdue",
    "is_waiting",
    "listed_excerpt",
    "listed_state",
    "pending_of",
    "read_item",
    "state_at",
]


class Item(NamedTuple):
    """
    One row. Times are microseconds since 1970, people other than the owner keyed hashes.

    Attributes not told here are those of `PendingMemory`.

    Attributes:
        content_hash: The hash of the claim.
        asked_hash: The hash of the claim as it was submitted.
        original: The claim as it was submitted, once it was edited.
        idempotency_key: By which whoever submitted it tells that it was submitted before.
        details: What the checks said, as `write_details` writes it.
        leased_at: When somebody began to decide; None unless it is being decided.
        leased_until: How long nobody else can.
        reason: Why it was rejected, in the reviewer's words.
    """

    place: int
    queue_id: str
    user_id: str
    content: str
    content_hash: str
    asked_hash: str
    memory_type: str
    source: str
    submitted_at: int
    details: str
    original: str | None = None
    expires_at: int | None = None
    idempotency_key: str | None = None
    state: QueueState = QueueState.PENDING
    attempts: int = 0
    failure: str | None = None
    leased_at: int | None = None
    leased_until: int | None = None
    reviewer_hash: str | None = None
    assignee_hash: str | None = None
    decided_at: int | None = None
    reason: str | None = None
    memory_id: str | None = None

    def __repr__(self) -> str:
        return textless(self, self._asdict())

    def people(self) -> tuple[str, ...]:
        """The hashes of people whose names belong to it."""
        return tuple(one for one in (self.reviewer_hash, self.assignee_hash) if one is not None)


COLUMNS = Item._fields
"""The columns of its table."""


EXCERPT_CHARS = 400
"""How many characters of a claim, and of the reason to reject it, a list has."""

DETAILS_MAX_CHARS = 8_000
"""Longer details are not read for a list, which then names the failed checks alone."""


class Excerpt(NamedTuple):
    """
    An item as lists need it.

    Attributes:
        item: The item: its content and reason are cut, and it has no details and no original.
        content_chars: How long the whole content is, in characters.
        is_edited: Whether the claim was edited.
        checks: The names of the failed checks.
        details: What the checks said; None if that is too long for a list.
    """

    item: Item
    content_chars: int
    is_edited: bool
    checks: tuple[str, ...]
    details: Details | None

    def __repr__(self) -> str:
        return textless(self, self._asdict())


def excerpt_of(item: Item, details: Details, checks: Sequence[str]) -> Excerpt:
    """Return what a list needs of an item that is known as a whole."""
    reason = None if item.reason is None else item.reason[:EXCERPT_CHARS]
    cut = item._replace(content=item.content[:EXCERPT_CHARS], details="", original=None, reason=reason)
    is_short = len(item.details) <= DETAILS_MAX_CHARS
    return Excerpt(cut, len(item.content), item.original is not None, tuple(checks), details if is_short else None)


def read_item(values: Sequence[Any]) -> Item | None:
    """Return the item with the values of `COLUMNS`, or None if they cannot be those of one."""
    item = Item._make(values)
    try:
        return item._replace(state=QueueState(item.state))
    except ValueError:
        return None


def listed_state(item: Item) -> QueueState:
    """Return under which state *item* is listed: one that is being decided still waits."""
    return QueueState.PENDING if item.state is QueueState.PROCESSING else item.state


def digest_of(item: Item, hasher: KeyedHasher) -> str:
    """Return the hash of all that is known of *item*."""
    return hasher.digest("item", item)


def is_leased(item: Item, now: int) -> bool:
    """
    Tell whether somebody is at it.

    A clock that is set back does not make a lease longer than twice its time: it ends as
    well when the time is that much before its beginning.
    """
    if item.leased_at is None or item.leased_until is None:
        return False
    return 2 * item.leased_at - item.leased_until < now < item.leased_until


def is_overdue(item: Item, now: int) -> bool:
    """Tell whether it has expired undecided, and nobody is at it."""
    return item.expires_at is not None and item.expires_at <= now and not is_leased(item, now)


def is_waiting(item: Item, now: int) -> bool:
    """Tell whether somebody can decide."""
    return not item.state.is_final and not is_leased(item, now) and not is_overdue(item, now)


def state_at(item: Item, now: int) -> QueueState:
    """Return the state: what nobody has written down yet, because nobody was there, is so all the same."""
    if item.state.is_final:
        return item.state
    if is_leased(item, now):
        return QueueState.PROCESSING
    return QueueState.EXPIRED if is_overdue(item, now) else QueueState.PENDING


def pending_of(item: Item, details: Details, names: Mapping[str, str], now: int) -> PendingMemory:
    """Return *item* as callers see it, with the *names* of people by their hashes, as it is at the time *now*."""
    state = state_at(item, now)
    evidence = details.evidence
    return PendingMemory(
        queue_id=item.queue_id,
        user_id=item.user_id,
        content=item.content,
        memory_type=item.memory_type,
        source=item.source,
        evidence=evidence if item.original is None else replace(evidence, claim=item.content),
        submitted_at=as_time(item.submitted_at),
        state=state,
        reason=details.reason,
        code=details.code,
        checks_passed=details.checks_passed,
        checks_failed=details.checks_failed,
        similarity_score=details.similarity_score,
        conflicting_memory_id=details.conflicting_memory_id,
        hedges=details.hedges,
        citations=details.citations,
        original_content=item.original,
        assigned_to=names.get(item.assignee_hash or ""),
        attempts=item.attempts,
        failure=item.failure,
        expires_at=None if item.expires_at is None else as_time(item.expires_at),
        reviewer=None if state is QueueState.PENDING else names.get(item.reviewer_hash or ""),
        decided_at=None if item.decided_at is None else as_time(item.decided_at),
        decision_reason=item.reason,
        memory_id=item.memory_id,
        place=item.place,
    )


def listed_excerpt(excerpt: Excerpt, names: Mapping[str, str], now: int) -> ClaimExcerpt:
    """Return *excerpt* as callers see it; the arguments are those of `pending_of`."""
    item, details = excerpt.item, excerpt.details
    state, end = state_at(item, now), len(item.content)
    # Hedges are those of the text as it was submitted, citations those of the text as it was edited last.
    hedges = () if details is None or excerpt.is_edited else details.hedges
    citations = () if details is None else details.citations
    return ClaimExcerpt(
        queue_id=item.queue_id,
        user_id=item.user_id,
        excerpt=item.content,
        content_chars=excerpt.content_chars,
        content_hash=item.content_hash,
        memory_type=item.memory_type,
        source=item.source,
        submitted_at=as_time(item.submitted_at),
        state=state,
        checks_failed=excerpt.checks if details is None else details.checks_failed,
        hedges=tuple(cue for cue in hedges if cue.start < end),
        citations=tuple(cited for cited in citations if cited.start < end),
        assigned_to=names.get(item.assignee_hash or ""),
        expires_at=None if item.expires_at is None else as_time(item.expires_at),
        reviewer=None if state is QueueState.PENDING else names.get(item.reviewer_hash or ""),
        decided_at=None if item.decided_at is None else as_time(item.decided_at),
        decision_reason=item.reason,
        memory_id=item.memory_id,
        place=item.place,
    )
