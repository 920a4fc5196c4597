"""
The states of a claim, and what leads from one to the next (ruling C14).

    pending ──► processing ──► stored
       ▲ │          │ lease over, or storing failed
       └─┼──────────┘
         ├──► stored      where the memory is in the same database: one transaction
         ├──► rejected
         └──► expired

A memory that was sent back to review waits as a claim does; `memory_id` says which one.

Each function runs within a transaction of *items*; all that can be refused is
refused before anything is written.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from groundwire.errors import AlreadyDecided, HiddenCharacters, NotAllowed, NotFound, QueueFull
from groundwire.memory import MemoryStatus, StoredMemory, StoreFailure
from groundwire.memory.protocol import store_error
from groundwire.memory.records import Textless, as_time
from groundwire.review.database import QueueTransaction
from groundwire.review.details import Details, Edit, reread_details, write_details
from groundwire.review.items import Item, state_at
from groundwire.review.records import QueueState, ReviewAction
from groundwire.review.rules import Rules
from groundwire.review.storage import Deed, MemoryChange
from groundwire.sanitize import NOTHING_HIDDEN, hidden_characters

__all__ = [
    "Decider",
    "NewClaim",
    "assign",
    "complete",
    "enqueue",
    "expire",
    "fail",
    "lease",
    "list_memories",
    "reject",
    "skip",
    "store",
    "store_memory_again",
    "visible",
]


# So many changes of memories are looked at together.
_CHANGES = 500


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NewClaim(Textless):
    """A claim that is submitted."""

    queue_id: str
    user_id: str
    content: str
    memory_type: str
    source: str
    details: Details
    idempotency_key: str | None


@dataclass(frozen=True, slots=True)
class Decider:
    """Who does something, when, by which rules, and whether they confirm the hidden characters of a claim."""

    person: str
    now: int
    rules: Rules
    confirms_hidden: bool = False


def enqueue(items: QueueTransaction, claim: NewClaim, rules: Rules, now: int) -> str:
    """
    Take a claim in and return its id, or the id of the same claim if it need not be asked again.

    Raises:
        QueueFull: There is no room.
        ValueError: The idempotency key belongs to another claim.
    """
    asked_hash = items.text_hash(claim.content)
    known = _known(items, claim, asked_hash, rules, now)
    if known is not None:
        return known.queue_id
    if items.waiting_of(claim.user_id) >= rules.per_user_limit:
        raise QueueFull(rules.per_user_limit, True)
    if items.waiting() >= rules.total_limit:
        raise QueueFull(rules.total_limit, False)
    item = Item(
        place=items.next_place(),
        queue_id=claim.queue_id,
        user_id=claim.user_id,
        content=claim.content,
        content_hash=asked_hash,
        asked_hash=asked_hash,
        memory_type=claim.memory_type,
        source=claim.source,
        submitted_at=now,
        expires_at=None if rules.ttl is None else now + rules.ttl,
        idempotency_key=claim.idempotency_key,
        details=write_details(claim.details),
    )
    items.add(item, claim.details, Deed(time=now, action=ReviewAction.ENQUEUED))
    return item.queue_id


def visible(items: QueueTransaction, rules: Rules, queue_id: str, person: str) -> Item:
    """
    Return an item that *person* may see.

    Raises:
        NotFound: There is none of this id, or it is somebody else's.
    """
    item = items.get(queue_id)
    if item is None or not rules.may_see(person, item.user_id):
        raise NotFound("there is no such claim")
    return item


def list_memories(items: QueueTransaction, limit: int) -> int:
    """
    List memories that were sent to review since the queue looked last, and take those off that were approved elsewhere.

    What was revoked waits as claims do, whatever the limits: it must not be lost. Returns how
    many changes were looked at, at most *limit*.
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
            items.change(waiting, stored, Deed(time=change.time, action=ReviewAction.STORED))
        items.settle_change(change.memory_id)
    if changes:
        _check_done((change.memory_id for change in changes), (one.memory_id for one in items.memory_changes(limit)))
    return len(changes)


def lease(items: QueueTransaction, queue_id: str, decider: Decider, edit: Edit | None) -> Item:
    """
    Give an item to its reviewer, who has approved it, so that it can be stored elsewhere.

    *edit* is what it says now, if the reviewer has edited it.
    """
    item = _edited(items, _approvable(items, queue_id, decider, edit), edit, decider)
    leased = item._replace(
        state=QueueState.PROCESSING,
        attempts=item.attempts + 1,
        leased_at=decider.now,
        leased_until=decider.now + decider.rules.lease,
        reviewer_hash=items.keep_name(decider.person),
    )
    items.change(item, leased, _deed(ReviewAction.APPROVING, decider))
    return leased


def complete(items: QueueTransaction, leased: Item, memory_id: str, decider: Decider) -> AlreadyDecided | None:
    """
    Mark an item as stored; return what happened in between if somebody else has decided.

    Whoever comes back after the lease finds the item as it was, or stored by another
    with the same key; and if it was rejected meanwhile, people have to know of the memory.
    """
    item = visible(items, decider.rules, leased.queue_id, decider.person)
    if not item.state.is_final:
        items.change(
            item,
            _decided(items, item, QueueState.STORED, decider, memory_id=memory_id),
            _deed(ReviewAction.STORED, decider),
        )
        return None
    if item.memory_id is None:
        items.change(item, item._replace(memory_id=memory_id), _deed(ReviewAction.STORED_LATE, decider))
    return _already(items, item, item.state)


def fail(items: QueueTransaction, leased: Item, code: str, decider: Decider) -> None:
    """Put an item back that could not be stored, for *code*, unless somebody else is at it by now."""
    item = items.get(leased.queue_id)
    if item is None or item.state is not QueueState.PROCESSING or item.attempts != leased.attempts:
        return
    back = item._replace(state=QueueState.PENDING, failure=code, reviewer_hash=None, leased_at=None, leased_until=None)
    items.change(item, back, _deed(ReviewAction.FAILED, decider, code))


def store(items: QueueTransaction, queue_id: str, decider: Decider, edit: Edit | None) -> str:
    """
    Store an approved item as a memory of the same name, in the same transaction; return its id.

    A memory that waited for review again is active again. With another text it is another
    memory, with an id of its own, and the one before it is erased.
    """
    item = _edited(items, _approvable(items, queue_id, decider, edit), edit, decider)
    deed = _deed(ReviewAction.STORED, decider)
    memory_id = item.queue_id if item.memory_id is None else item.memory_id
    if item.memory_id is None:
        items.remember(_memory_of(item, items.details(item), memory_id), deed)
    elif item.original is None:
        items.reactivate(memory_id, item.user_id, deed)
    else:
        items.discard(memory_id, deed, "edited")
        memory_id = items.free_id(memory_id)
        items.remember(_memory_of(item, items.details(item), memory_id), deed)
    items.change(item, _decided(items, item, QueueState.STORED, decider, memory_id=memory_id), deed)
    return memory_id


def store_memory_again(items: QueueTransaction, queue_id: str, decider: Decider, edit: Edit | None) -> str | None:
    """As `store` for an item that is a memory already; None for any other, with which nothing is done."""
    item = _decidable(items, queue_id, decider)
    return None if item.memory_id is None else store(items, queue_id, decider, edit)


def reject(items: QueueTransaction, queue_id: str, decider: Decider, reason: str | None) -> None:
    """Discard an item, for *reason*, which is kept with it; and the memory that it is, if it is one."""
    item = _decidable(items, queue_id, decider)
    deed = _deed(ReviewAction.REJECTED, decider)
    if item.memory_id is not None:
        items.discard(item.memory_id, deed, "rejected")
    rejected = _decided(items, item, QueueState.REJECTED, decider, reason=reason, memory_id=None)
    items.change(item, rejected, deed)


def skip(items: QueueTransaction, queue_id: str, decider: Decider) -> None:
    """Put an item behind all others."""
    item = _decidable(items, queue_id, decider)
    items.change(item, item._replace(place=items.next_place()), _deed(ReviewAction.SKIPPED, decider))


def assign(items: QueueTransaction, queue_id: str, decider: Decider, assignee: str | None) -> None:
    """
    Ask somebody to decide about an item, or nobody in particular.

    Raises:
        NotAllowed: Who is asked, or who asks, may not decide about it.
    """
    item = _decidable(items, queue_id, decider)
    rules = decider.rules
    if assignee is not None and not (
        rules.may_see(assignee, item.user_id) and rules.may_decide(assignee, item.user_id)
    ):
        raise NotAllowed("this person may not decide about the claim")
    assigned = item._replace(assignee_hash=None if assignee is None else items.keep_name(assignee))
    items.change(item, assigned, _deed(ReviewAction.ASSIGNED, decider))


def expire(items: QueueTransaction, now: int, limit: int) -> list[str]:
    """Mark items that have expired, at most *limit*; return their ids."""
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
        items.change(item, expired, Deed(time=now, action=ReviewAction.EXPIRED))
    if overdue:
        _check_done((item.queue_id for item in overdue), (item.queue_id for item in items.overdue(now, limit)))
    return [item.queue_id for item in overdue]


def _check_done(done: Iterable[str], left: Iterable[str]) -> None:
    """
    Check that nothing of what was done is still to be done: it would be done again for ever.

    Raises:
        MemoryStoreError: Something is: the file is damaged, or somebody has put triggers into it.
    """
    if not set(done).isdisjoint(left):
        raise store_error(StoreFailure.CORRUPT, "the database of the queue", "what was written is not there")


def _known(items: QueueTransaction, claim: NewClaim, asked_hash: str, rules: Rules, now: int) -> Item | None:
    """The item that answers for *claim*: by its key, or the same text that waits or was rejected not long ago."""
    if claim.idempotency_key is not None:
        item = items.with_key(claim.user_id, claim.idempotency_key)
        if item is not None and item.asked_hash != asked_hash:
            raise ValueError("the idempotency key belongs to another claim")
        if item is not None:
            return item
    asked = items.asked(claim.user_id, asked_hash)
    waiting = (item for item in asked if state_at(item, now) in (QueueState.PENDING, QueueState.PROCESSING))
    rejected = (
        item for item in asked if item.decided_at is not None and abs(now - item.decided_at) < rules.ask_again_after
    )
    return next(waiting, None) or next(rejected, None)


def _decidable(items: QueueTransaction, queue_id: str, decider: Decider) -> Item:
    """
    The item, if *decider* may decide about it now.

    Raises:
        NotFound: As `visible`.
        NotAllowed: Somebody else has to decide.
        AlreadyDecided: Somebody has, or is at it.
    """
    if items.get(queue_id) is None:
        # It may be a memory that was sent to review since the queue was listed last.
        while list_memories(items, _CHANGES):
            pass
    item = visible(items, decider.rules, queue_id, decider.person)
    if not decider.rules.may_decide(decider.person, item.user_id):
        raise NotAllowed("another person than the owner has to decide about the claim")
    state = state_at(item, decider.now)
    if state is not QueueState.PENDING:
        raise _already(items, item, state)
    return item


def _approvable(items: QueueTransaction, queue_id: str, decider: Decider, edit: Edit | None) -> Item:
    """
    The item, if *decider* may approve what it says, or what it says once it is edited.

    Raises:
        NotFound, NotAllowed, AlreadyDecided: As `_decidable`.
        HiddenCharacters: It has some, and *decider* does not confirm them.
    """
    item = _decidable(items, queue_id, decider)
    hidden = NOTHING_HIDDEN if decider.confirms_hidden else hidden_characters((edit or item).content)
    if hidden:
        raise HiddenCharacters(hidden.count, hidden.kinds)
    return item


def _already(items: QueueTransaction, item: Item, state: QueueState) -> AlreadyDecided:
    time = next(one for one in (item.decided_at, item.leased_at, item.expires_at, item.submitted_at) if one is not None)
    reviewer = item.reviewer_hash
    names = items.names(() if reviewer is None else (reviewer,))
    return AlreadyDecided(str(state), as_time(time), names.get(reviewer or ""), item.memory_id)


def _edited(items: QueueTransaction, item: Item, edit: Edit | None, decider: Decider) -> Item:
    """Return the item with its new text and what that cites, written down if it is another one."""
    if edit is None or edit.content == item.content:
        return item
    edited = item._replace(
        content=edit.content,
        content_hash=items.text_hash(edit.content),
        original=item.content if item.original is None else item.original,
        details=write_details(reread_details(items.details(item), edit)),
    )
    items.change(item, edited, _deed(ReviewAction.EDITED, decider))
    return edited


def _decided(items: QueueTransaction, item: Item, state: QueueState, decider: Decider, **more: Any) -> Item:
    return item._replace(
        state=state,
        reviewer_hash=items.keep_name(decider.person),
        decided_at=decider.now,
        expires_at=None,
        leased_at=None,
        leased_until=None,
        **more,
    )


def _list_memory(items: QueueTransaction, change: MemoryChange, memory: StoredMemory) -> None:
    """Put a memory that is in review on the list of what waits."""
    details = Details.of_memory(memory, reason=change.reason, source=change.source)
    content_hash = items.text_hash(memory.content)
    item = Item(
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
    items.add(item, details, Deed(time=change.time, action=ReviewAction.ENQUEUED, reason=change.reason))


def _memory_of(item: Item, details: Details, memory_id: str) -> StoredMemory:
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


def _deed(action: ReviewAction, decider: Decider, reason: str | None = None) -> Deed:
    return Deed(time=decider.now, action=action, actor=decider.person, reason=reason)
