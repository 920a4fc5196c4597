"""
Defines the states of a claim and the transitions between them (ruling C14).

    pending ──► processing ──► stored
       ▲ │          │ the lease ends, or storing failed
       └─┼──────────┘
         ├──► stored      if the memory is in the same database: one transaction
         ├──► rejected
         └──► expired

A memory that was sent back to review waits like a claim; `memory_id` names it.

Each function runs within a transaction of *items*, and refuses before it writes anything.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from groundwire.errors import AlreadyDecided, HiddenCharacters, NotAllowed, NotFound, QueueFull
from groundwire.memory import MemoryStatus, StoredMemory, StoreFailure
from groundwire.memory.protocol import store_error
from groundwire.memory.records import Textless, as_time
from groundwire.review.details import CheckDetails, Edit, reread_details, write_details
from groundwire.review.items import QueueItem, state_at
from groundwire.review.records import ChangedMemory, QueueState, ReviewAction, ReviewEventDraft
from groundwire.review.repository import QueueTransaction
from groundwire.sanitize import NOTHING_HIDDEN, hidden_characters

__all__ = [
    "NewQueueItem",
    "ReviewPolicy",
    "ReviewerContext",
    "assign",
    "complete",
    "enqueue",
    "expire",
    "fail",
    "lease",
    "list_memories",
    "make_review_policy",
    "reject",
    "skip",
    "store",
    "store_memory_again",
    "visible_item",
]

_MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPolicy:
    """
    The settings of a queue. Times are in microseconds.

    Attributes:
        per_user_limit: The maximum number of pending claims of one user.
        total_limit: The maximum number of pending claims of all users.
        lease: The time after which another person may approve a claim that is not stored yet.
        ttl: The time after which a pending claim expires; None for never.
        resubmit_after: The time after a rejection in which the same claim is not queued again.
        reviewers: The people who may see and decide on claims of others.
        require_distinct_reviewer: Whether a claim needs another reviewer than its owner (ruling C15).
    """

    per_user_limit: int
    total_limit: int
    lease: int
    ttl: int | None
    resubmit_after: int
    reviewers: frozenset[str]
    require_distinct_reviewer: bool

    def may_see_all(self, person: str) -> bool:
        """Return whether *person* may see the claims of all users."""
        return person in self.reviewers

    def may_see(self, person: str, owner: str) -> bool:
        """Return whether *person* may see a claim of *owner*."""
        return person == owner or person in self.reviewers

    def may_decide(self, person: str, owner: str) -> bool:
        """Return whether *person*, who may see a claim of *owner*, may decide on it."""
        return person != owner or not self.require_distinct_reviewer


def make_review_policy(
    *,
    per_user_limit: int,
    total_limit: int,
    lease_s: float,
    ttl_s: float | None,
    resubmit_after_s: float,
    reviewers: Collection[str],
    require_distinct_reviewer: bool,
) -> ReviewPolicy:
    """
    Return the policy, after checking the settings.

    Raises:
        ValueError: A limit or time is out of range, or distinct reviewers are required without *reviewers*.
        TypeError: *reviewers* is not a collection of str.
    """
    for name, limit in (("per_user_limit", per_user_limit), ("total_limit", total_limit)):
        if not 1 <= limit <= 2**31 - 1:
            raise ValueError(f"{name} must be 1 to {2**31 - 1}, got {limit}")
    if isinstance(reviewers, str) or not all(isinstance(reviewer, str) for reviewer in reviewers):
        raise TypeError("reviewers must be a collection of str")
    if require_distinct_reviewer and not reviewers:
        raise ValueError("require_distinct_reviewer needs at least one reviewer")
    return ReviewPolicy(
        per_user_limit=per_user_limit,
        total_limit=total_limit,
        lease=_time("lease_s", lease_s, least=0.001),
        ttl=None if ttl_s is None else _time("ttl_s", ttl_s, least=0.001),
        resubmit_after=_time("resubmit_after_s", resubmit_after_s, least=0.0),
        reviewers=frozenset(reviewers),
        require_distinct_reviewer=require_distinct_reviewer,
    )


def _time(name: str, seconds: float, *, least: float) -> int:
    """Convert seconds to microseconds: up to a hundred years, which leaves room in the databases' numbers."""
    # This form also refuses NaN, which compares false with everything.
    if not least <= seconds <= 3_155_760_000:
        raise ValueError(f"{name} must be {least:g} to 3155760000 seconds, got {seconds:g}")
    return round(seconds * _MICROSECONDS)


ITEMS_PER_TRANSACTION = 500
"""The maximum number of items that one transaction expires, and of changes that it processes."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NewQueueItem(Textless):
    """A submitted claim."""

    queue_id: str
    user_id: str
    content: str
    memory_type: str
    source: str
    details: CheckDetails
    idempotency_key: str | None


@dataclass(frozen=True, slots=True)
class ReviewerContext:
    """The context of a decision: the person, the time, the policy, and whether hidden characters are confirmed."""

    person: str
    now: int
    policy: ReviewPolicy
    confirms_hidden: bool = False


def enqueue(items: QueueTransaction, claim: NewQueueItem, policy: ReviewPolicy, now: int) -> str:
    """
    Add a claim and return its id, or the id of the same claim if that is pending or was recently rejected.

    Raises:
        QueueFull: A limit is reached.
        ValueError: The idempotency key belongs to another claim.
    """
    asked_hash = items.text_hash(claim.content)
    known = _known(items, claim, asked_hash, policy, now)
    if known is not None:
        return known.queue_id
    if items.waiting_of(claim.user_id) >= policy.per_user_limit:
        raise QueueFull(policy.per_user_limit, True)
    if items.waiting() >= policy.total_limit:
        raise QueueFull(policy.total_limit, False)
    item = QueueItem(
        place=items.next_place(),
        queue_id=claim.queue_id,
        user_id=claim.user_id,
        content=claim.content,
        content_hash=asked_hash,
        asked_hash=asked_hash,
        memory_type=claim.memory_type,
        source=claim.source,
        submitted_at=now,
        expires_at=None if policy.ttl is None else now + policy.ttl,
        idempotency_key=claim.idempotency_key,
        details=write_details(claim.details),
    )
    items.add(item, claim.details, ReviewEventDraft(time=now, action=ReviewAction.ENQUEUED))
    return item.queue_id


def visible_item(items: QueueTransaction, policy: ReviewPolicy, queue_id: str, person: str) -> QueueItem:
    """
    Return an item that *person* may see.

    Raises:
        NotFound: No item has this id, or *person* may not see it.
    """
    item = items.get(queue_id)
    if item is None or not policy.may_see(person, item.user_id):
        raise NotFound("there is no such claim")
    return item


def list_memories(items: QueueTransaction, limit: int) -> int:
    """
    Add memories that were newly sent to review to the queue, and settle those that were approved elsewhere.

    Revoked memories are added regardless of limits, so that none is lost. Return the number of processed changes, at
    most *limit*.
    """
    changes = items.memory_changes(limit)
    for change in changes:
        waiting, memory = items.waiting_for(change.memory_id), change.memory
        if memory is not None and memory.status is MemoryStatus.REVIEW and waiting is None:
            _list_memory(items, change, memory)
        elif memory is not None and memory.status is MemoryStatus.ACTIVE and waiting is not None:
            stored = waiting._replace(
                state=QueueState.STORED, decided_at=change.time, leased_at=None, leased_until=None
            )
            items.change(waiting, stored, ReviewEventDraft(time=change.time, action=ReviewAction.STORED))
        items.settle_change(change.memory_id)
    if changes:
        _check_done((change.memory_id for change in changes), (one.memory_id for one in items.memory_changes(limit)))
    return len(changes)


def lease(items: QueueTransaction, queue_id: str, decider: ReviewerContext, edit: Edit | None) -> QueueItem:
    """
    Lease an approved item to its reviewer, so that it can be stored elsewhere.

    *edit* is its new text, if the reviewer has edited it.
    """
    item = _edited(items, _approvable(items, queue_id, decider, edit), edit, decider)
    leased = item._replace(
        state=QueueState.PROCESSING,
        attempts=item.attempts + 1,
        leased_at=decider.now,
        leased_until=decider.now + decider.policy.lease,
        reviewer_hash=items.keep_name(decider.person),
    )
    items.change(item, leased, _audit_event(ReviewAction.APPROVING, decider))
    return leased


def complete(
    items: QueueTransaction, leased: QueueItem, memory_id: str, decider: ReviewerContext
) -> AlreadyDecided | None:
    """
    Mark an item as stored; return the other decision if another person was faster.

    After the end of the lease, the item may be unchanged, or another person may have stored it with the same key. If it
    was rejected, the audit records the memory that exists now.
    """
    item = visible_item(items, decider.policy, leased.queue_id, decider.person)
    if not item.state.is_final:
        items.change(
            item,
            _decided(items, item, QueueState.STORED, decider, memory_id=memory_id),
            _audit_event(ReviewAction.STORED, decider),
        )
        return None
    if item.memory_id is None:
        items.change(item, item._replace(memory_id=memory_id), _audit_event(ReviewAction.STORED_LATE, decider))
    return _already(items, item, item.state)


def fail(items: QueueTransaction, leased: QueueItem, code: str, decider: ReviewerContext) -> None:
    """Return an item to pending because storing failed with *code*, unless another person holds a new lease."""
    item = items.get(leased.queue_id)
    if item is None or item.state is not QueueState.PROCESSING or item.attempts != leased.attempts:
        return
    back = item._replace(state=QueueState.PENDING, failure=code, reviewer_hash=None, leased_at=None, leased_until=None)
    items.change(item, back, _audit_event(ReviewAction.FAILED, decider, code))


def store(items: QueueTransaction, queue_id: str, decider: ReviewerContext, edit: Edit | None) -> str:
    """
    Store an approved item as a memory with the same id, in the same transaction; return its id.

    A memory that was sent back to review becomes active again. With an edited text it becomes a new memory with a new
    id, and the earlier one is erased.
    """
    item = _edited(items, _approvable(items, queue_id, decider, edit), edit, decider)
    event = _audit_event(ReviewAction.STORED, decider)
    memory_id = item.queue_id if item.memory_id is None else item.memory_id
    if item.memory_id is None:
        items.remember(_to_memory(item, items.details(item), memory_id), event)
    elif item.original is None:
        items.reactivate(memory_id, item.user_id, event)
    else:
        items.discard(memory_id, event, "edited")
        memory_id = items.free_id(memory_id)
        items.remember(_to_memory(item, items.details(item), memory_id), event)
    items.change(item, _decided(items, item, QueueState.STORED, decider, memory_id=memory_id), event)
    return memory_id


def store_memory_again(
    items: QueueTransaction, queue_id: str, decider: ReviewerContext, edit: Edit | None
) -> str | None:
    """Run `store` for an item that is a memory already; return None for any other, without changing it."""
    item = _decidable(items, queue_id, decider)
    return None if item.memory_id is None else store(items, queue_id, decider, edit)


def reject(items: QueueTransaction, queue_id: str, decider: ReviewerContext, reason: str | None) -> None:
    """Reject an item; *reason* is stored with it. If it is a memory, erase the memory."""
    item = _decidable(items, queue_id, decider)
    event = _audit_event(ReviewAction.REJECTED, decider)
    if item.memory_id is not None:
        items.discard(item.memory_id, event, "rejected")
    rejected = _decided(items, item, QueueState.REJECTED, decider, reason=reason, memory_id=None)
    items.change(item, rejected, event)


def skip(items: QueueTransaction, queue_id: str, decider: ReviewerContext) -> None:
    """Move an item to the end of the queue."""
    item = _decidable(items, queue_id, decider)
    items.change(item, item._replace(place=items.next_place()), _audit_event(ReviewAction.SKIPPED, decider))


def assign(items: QueueTransaction, queue_id: str, decider: ReviewerContext, assignee: str | None) -> None:
    """
    Assign an item to a person, or to nobody.

    Raises:
        NotAllowed: The assignee, or the person who assigns, may not decide on it.
    """
    item = _decidable(items, queue_id, decider)
    policy = decider.policy
    if assignee is not None and not (
        policy.may_see(assignee, item.user_id) and policy.may_decide(assignee, item.user_id)
    ):
        raise NotAllowed("this person may not decide on the claim")
    assigned = item._replace(assignee_hash=None if assignee is None else items.keep_name(assignee))
    items.change(item, assigned, _audit_event(ReviewAction.ASSIGNED, decider))


def expire(items: QueueTransaction, now: int, limit: int) -> list[str]:
    """Mark expired items, at most *limit*; return their ids."""
    overdue = items.overdue(now, limit)
    for item in overdue:
        expired = item._replace(
            state=QueueState.EXPIRED,
            decided_at=now,
            reviewer_hash=None,
            expires_at=None,
            leased_at=None,
            leased_until=None,
        )
        items.change(item, expired, ReviewEventDraft(time=now, action=ReviewAction.EXPIRED))
    if overdue:
        _check_done((item.queue_id for item in overdue), (item.queue_id for item in items.overdue(now, limit)))
    return [item.queue_id for item in overdue]


def _check_done(done: Iterable[str], left: Iterable[str]) -> None:
    """
    Check that written changes are present, because otherwise the same work would repeat forever.

    Raises:
        MemoryStoreError: They are not, because the file is damaged or has foreign triggers.
    """
    if not set(done).isdisjoint(left):
        raise store_error(StoreFailure.CORRUPT, "the database of the queue", "written changes are missing")


def _known(
    items: QueueTransaction, claim: NewQueueItem, asked_hash: str, policy: ReviewPolicy, now: int
) -> QueueItem | None:
    """Return the item with the key of *claim*, or a pending or recently rejected one with the same text."""
    if claim.idempotency_key is not None:
        item = items.with_key(claim.user_id, claim.idempotency_key)
        if item is not None and item.asked_hash != asked_hash:
            raise ValueError("the idempotency key belongs to another claim")
        if item is not None:
            return item
    asked = items.asked(claim.user_id, asked_hash)
    waiting = (item for item in asked if state_at(item, now) in (QueueState.PENDING, QueueState.PROCESSING))
    rejected = (
        item for item in asked if item.decided_at is not None and abs(now - item.decided_at) < policy.resubmit_after
    )
    return next(waiting, None) or next(rejected, None)


def _decidable(items: QueueTransaction, queue_id: str, decider: ReviewerContext) -> QueueItem:
    """
    Return the item if *decider* may decide on it now.

    Raises:
        NotFound: As `visible_item`.
        NotAllowed: Another person must decide.
        AlreadyDecided: Another person has decided or is deciding.
    """
    if items.get(queue_id) is None:
        # It may be a memory that was newly sent to review.
        while list_memories(items, ITEMS_PER_TRANSACTION):
            pass
    item = visible_item(items, decider.policy, queue_id, decider.person)
    if not decider.policy.may_decide(decider.person, item.user_id):
        raise NotAllowed("a person other than the owner must decide on the claim")
    state = state_at(item, decider.now)
    if state is not QueueState.PENDING:
        raise _already(items, item, state)
    return item


def _approvable(items: QueueTransaction, queue_id: str, decider: ReviewerContext, edit: Edit | None) -> QueueItem:
    """
    Return the item if *decider* may approve its text, or its edited text.

    Raises:
        NotFound, NotAllowed, AlreadyDecided: As `_decidable`.
        HiddenCharacters: The text has some, and *decider* does not confirm them.
    """
    item = _decidable(items, queue_id, decider)
    hidden = NOTHING_HIDDEN if decider.confirms_hidden else hidden_characters((edit or item).content)
    if hidden:
        raise HiddenCharacters(hidden.count, hidden.kinds)
    return item


def _already(items: QueueTransaction, item: QueueItem, state: QueueState) -> AlreadyDecided:
    time = next(one for one in (item.decided_at, item.leased_at, item.expires_at, item.submitted_at) if one is not None)
    reviewer = item.reviewer_hash
    names = items.names(() if reviewer is None else (reviewer,))
    return AlreadyDecided(str(state), as_time(time), names.get(reviewer or ""), item.memory_id)


def _edited(items: QueueTransaction, item: QueueItem, edit: Edit | None, decider: ReviewerContext) -> QueueItem:
    """Return the item with its edited text and citations, after writing them if the text differs."""
    if edit is None or edit.content == item.content:
        return item
    edited = item._replace(
        content=edit.content,
        content_hash=items.text_hash(edit.content),
        original=item.content if item.original is None else item.original,
        details=write_details(reread_details(items.details(item), edit)),
    )
    items.change(item, edited, _audit_event(ReviewAction.EDITED, decider))
    return edited


def _decided(
    items: QueueTransaction, item: QueueItem, state: QueueState, decider: ReviewerContext, **more: Any
) -> QueueItem:
    return item._replace(
        state=state,
        reviewer_hash=items.keep_name(decider.person),
        decided_at=decider.now,
        expires_at=None,
        leased_at=None,
        leased_until=None,
        **more,
    )


def _list_memory(items: QueueTransaction, change: ChangedMemory, memory: StoredMemory) -> None:
    """Add a memory that is in review to the queue."""
    details = CheckDetails.of_memory(memory, reason=change.reason, source=change.source)
    content_hash = items.text_hash(memory.content)
    item = QueueItem(
        place=items.next_place(),
        queue_id=memory.id if items.get(memory.id) is None else items.free_id(memory.id),
        user_id=memory.user_id,
        content=memory.content,
        content_hash=content_hash,
        asked_hash=content_hash,
        memory_type=memory.memory_type,
        source=memory.source,
        submitted_at=change.time,
        details=write_details(details),
        memory_id=memory.id,
    )
    items.add(item, details, ReviewEventDraft(time=change.time, action=ReviewAction.ENQUEUED, reason=change.reason))


def _to_memory(item: QueueItem, details: CheckDetails, memory_id: str) -> StoredMemory:
    evidence = details.evidence
    return StoredMemory(
        id=memory_id,
        content=item.content,
        memory_type=item.memory_type,
        user_id=item.user_id,
        source=item.source,
        capture_time=evidence.capture_time,
        confidence=evidence.confidence.value,
        source_ids=details.source_ids,
        validity_horizon=evidence.validity_horizon,
        metadata=evidence.metadata,
        parents=evidence.parents,
    )


def _audit_event(action: ReviewAction, decider: ReviewerContext, reason: str | None = None) -> ReviewEventDraft:
    return ReviewEventDraft(time=decider.now, action=action, actor=decider.person, reason=reason)
