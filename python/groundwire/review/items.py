"""Defines the item, a claim as a row of the queue: its state at a time, and its conversion to records."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from groundwire.memory.audit_log import KeyedHasher
from groundwire.memory.records import as_time, check_types, textless
from groundwire.review.details import CheckDetails
from groundwire.review.records import (
    ClaimExcerpt,
    PendingMemory,
    QueueState,
    ReviewAction,
    ReviewEvent,
    ReviewEventDraft,
)

__all__ = [
    "COLUMNS",
    "DETAILS_MAX_CHARS",
    "EXCERPT_CHARS",
    "ItemExcerpt",
    "QueueItem",
    "event_to_row",
    "is_leased",
    "item_digest",
    "list_group",
    "read_item",
    "row_to_event",
    "state_at",
    "to_excerpt_record",
    "to_record",
]


class QueueItem(NamedTuple):
    """
    One row of the queue. Times are microseconds since 1970; people other than the owner are keyed hashes.

    Attributes without a description here are those of `PendingMemory`.

    Attributes:
        content_hash: The hash of the latest text.
        asked_hash: The hash of the submitted text.
        original: The submitted text, if it was edited.
        idempotency_key: The key of the submission: the same key returns the same item.
        details: The results of the checks, as `write_details` writes them.
        leased_at: The beginning of the lease; None unless a person is deciding.
        leased_until: The end of the lease.
        reason: The reason of a rejection, in the reviewer's words.
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
        """Return the hashes of the people that it names."""
        return tuple(one for one in (self.reviewer_hash, self.assignee_hash) if one is not None)


COLUMNS = QueueItem._fields
"""The columns of its table."""


EXCERPT_CHARS = 400
"""The number of characters of a claim, and of the reason of its rejection, in a list."""

DETAILS_MAX_CHARS = 8_000
"""The maximum length of details in a list; for longer ones, it only names the failed checks."""


class ItemExcerpt(NamedTuple):
    """
    An item in a list.

    Attributes:
        item: The item with shortened content and reason, without details and original.
        content_chars: The length of the whole content, in characters.
        is_edited: Whether the claim was edited.
        checks: The names of the failed checks.
        details: The results of the checks; None if they are too long for a list.
    """

    item: QueueItem
    content_chars: int
    is_edited: bool
    checks: tuple[str, ...]
    details: CheckDetails | None

    def __repr__(self) -> str:
        return textless(self, self._asdict())


def read_item(values: Sequence[Any]) -> QueueItem | None:
    """Return the item with the values of `COLUMNS`, or None if they are impossible: SQLite stores any type."""
    item = QueueItem._make(values)
    try:
        check_types(values)
        for time in (item.submitted_at, item.expires_at, item.leased_at, item.leased_until, item.decided_at):
            if time is not None:
                as_time(time)
        return item._replace(state=QueueState(item.state))
    except (TypeError, ValueError, OverflowError):
        return None


def list_group(item: QueueItem) -> QueueState:
    """Return the state under which *item* is listed; an item in progress is still pending."""
    return QueueState.PENDING if item.state is QueueState.PROCESSING else item.state


def item_digest(item: QueueItem, hasher: KeyedHasher) -> str:
    """Return the hash of all values of *item*."""
    return hasher.digest("item", item)


def is_leased(item: QueueItem, now: int) -> bool:
    """
    Return whether a person holds a lease of the item.

    If the clock is set back, a lease lasts at most twice its time, because it also ends when the present is that long
    before its beginning.
    """
    if item.leased_at is None or item.leased_until is None:
        return False
    return 2 * item.leased_at - item.leased_until < now < item.leased_until


def is_expired(item: QueueItem, now: int) -> bool:
    """Return whether the item has expired without a lease."""
    return item.expires_at is not None and item.expires_at <= now and not is_leased(item, now)


def state_at(item: QueueItem, now: int) -> QueueState:
    """Return the state at a time, including an expiry or the end of a lease that no transaction has written yet."""
    if item.state.is_final:
        return item.state
    if is_leased(item, now):
        return QueueState.PROCESSING
    return QueueState.EXPIRED if is_expired(item, now) else QueueState.PENDING


def to_record(item: QueueItem, details: CheckDetails, names: Mapping[str, str], now: int) -> PendingMemory:
    """Return the record of *item* at the time *now*; *names* maps the hashes of people to their names."""
    evidence = details.evidence
    return PendingMemory(
        **_common_fields(item, names, now),
        content=item.content,
        evidence=evidence if item.original is None else replace(evidence, claim=item.content),
        reason=details.reason,
        code=details.code,
        checks_passed=details.checks_passed,
        checks_failed=details.checks_failed,
        similarity_score=details.similarity_score,
        conflicting_memory_id=details.conflicting_memory_id,
        hedges=details.hedges,
        citations=details.citations,
        original_content=item.original,
        attempts=item.attempts,
        failure=item.failure,
    )


def to_excerpt_record(excerpt: ItemExcerpt, names: Mapping[str, str], now: int) -> ClaimExcerpt:
    """Return the record of *excerpt*; the other arguments are those of `to_record`."""
    item, details = excerpt.item, excerpt.details
    end = len(item.content)
    # Hedges belong to the submitted text, citations to the latest text.
    hedges = () if details is None or excerpt.is_edited else details.hedges
    citations = () if details is None else details.citations
    return ClaimExcerpt(
        **_common_fields(item, names, now),
        excerpt=item.content,
        content_chars=excerpt.content_chars,
        content_hash=item.content_hash,
        checks_failed=excerpt.checks if details is None else details.checks_failed,
        hedges=tuple(cue for cue in hedges if cue.start < end),
        citations=tuple(cited for cited in citations if cited.start < end),
    )


def _common_fields(item: QueueItem, names: Mapping[str, str], now: int) -> dict[str, Any]:
    """Return the fields that both records of an item share."""
    state = state_at(item, now)
    return {
        "queue_id": item.queue_id,
        "user_id": item.user_id,
        "memory_type": item.memory_type,
        "source": item.source,
        "submitted_at": as_time(item.submitted_at),
        "state": state,
        "assigned_to": names.get(item.assignee_hash or ""),
        "expires_at": None if item.expires_at is None else as_time(item.expires_at),
        "reviewer": None if state is QueueState.PENDING else names.get(item.reviewer_hash or ""),
        "decided_at": None if item.decided_at is None else as_time(item.decided_at),
        "decision_reason": item.reason,
        "memory_id": item.memory_id,
        "place": item.place,
    }


def event_to_row(
    item: QueueItem,
    event: ReviewEventDraft,
    *,
    user_hash: str,
    actor_hash: str | None,
    before_hash: str | None,
    after_hash: str | None,
) -> tuple[object, ...]:
    """Convert an event to the values of the fields of `REVIEW_AUDIT`."""
    return (
        event.time,
        str(event.action),
        item.queue_id,
        user_hash,
        item.content_hash,
        actor_hash,
        before_hash,
        after_hash,
        event.reason,
    )


def row_to_event(row: Sequence[Any], link: str, actor: str | None) -> ReviewEvent:
    """
    Convert a number and the values of `event_to_row` to an event.

    Raises:
        TypeError, ValueError, OverflowError: `event_to_row` cannot have returned them.
    """
    check_types((*row, link, actor))
    sequence, time, action, queue_id, user_hash, content_hash, _, before_hash, after_hash, reason = row
    return ReviewEvent(
        sequence=sequence,
        time=as_time(time),
        action=ReviewAction(action),
        queue_id=queue_id,
        user_hash=user_hash,
        content_hash=content_hash,
        actor=actor,
        before_hash=before_hash,
        after_hash=after_hash,
        reason=reason,
        link=link,
    )
