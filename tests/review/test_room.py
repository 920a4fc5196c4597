"""How much waits, how long, and what is not asked twice."""

import pickle
from datetime import timedelta

import pytest

from groundwire.errors import AlreadyDecided, QueueFull
from groundwire.review import QueueState
from review.waiting import HOUR, actions, asynchronous, contents, enqueue


@asynchronous
async def test_full_for_one_user(open_queue):
    """Nothing is evicted, nothing approved; others still may; a decision makes room."""
    queue = open_queue(per_user_limit=2)
    first = await enqueue(queue, "1")
    await enqueue(queue, "2")
    with pytest.raises(QueueFull) as caught:
        await enqueue(queue, "3")
    assert (caught.value.limit, caught.value.of_user) == (2, True)
    assert pickle.loads(pickle.dumps(caught.value)).limit == 2
    await enqueue(queue, "4", "bob")
    assert contents(await queue.get_pending("anna")) == ["1", "2"]
    await queue.reject(first, "anna")
    await enqueue(queue, "3")
    assert contents(await queue.get_pending("anna")) == ["2", "3"]


@asynchronous
async def test_full_for_all(open_queue):
    """The limit of all users together."""
    queue = open_queue(total_limit=2)
    await enqueue(queue, "1", "anna")
    await enqueue(queue, "2", "bob")
    with pytest.raises(QueueFull) as caught:
        await enqueue(queue, "3", "cleo")
    assert (caught.value.limit, caught.value.of_user) == (2, False)
    assert await queue.get_pending("cleo") == []


@asynchronous
async def test_the_printed_limits(queue):
    """100 of one user."""
    for number in range(100):
        await enqueue(queue, f"claim {number}")
    with pytest.raises(QueueFull):
        await enqueue(queue, "one more")
    assert len(await queue.get_pending("anna", limit=1000)) == 100


@asynchronous
async def test_the_same_is_not_asked_twice(queue, clock):
    """Neither while it waits nor for thirty days after it was rejected; other users are asked."""
    queue_id = await enqueue(queue)
    assert await enqueue(queue) == queue_id
    assert await enqueue(queue, user_id="bob") != queue_id
    await queue.reject(queue_id, "anna")
    clock.now += timedelta(days=29)
    assert await enqueue(queue) == queue_id
    clock.now += timedelta(days=1)
    assert await enqueue(queue) != queue_id


@asynchronous
async def test_what_was_stored_may_be_asked_again(queue):
    """Whether it is a duplicate, the check for duplicates says: the memory may have been erased."""
    queue_id = await enqueue(queue)
    await queue.approve(queue_id, "anna")
    assert await enqueue(queue) != queue_id


@asynchronous
async def test_idempotency_keys(queue):
    """The same key gives the same id whatever became of the claim; another claim may not have it."""
    queue_id = await enqueue(queue, idempotency_key="k")
    await queue.approve(queue_id, "anna")
    assert await enqueue(queue, idempotency_key="k") == queue_id
    with pytest.raises(ValueError, match="the idempotency key belongs to another claim"):
        await enqueue(queue, "another", idempotency_key="k")
    assert await enqueue(queue, "another", "bob", idempotency_key="k") != queue_id


@asynchronous
async def test_expiry(open_queue, clock):
    """After its time a claim is in no list of what waits, cannot be decided, and its end is in the audit."""
    queue = open_queue(ttl_s=3600, per_user_limit=1)
    queue_id = await enqueue(queue)
    clock.now += HOUR - timedelta(microseconds=1)
    assert len(await queue.get_pending("anna")) == 1
    clock.now += timedelta(microseconds=1)
    with pytest.raises(AlreadyDecided) as caught:
        await queue.approve(queue_id, "anna")
    assert (caught.value.state, caught.value.reviewer) == ("expired", None)
    assert (await queue.get_by_id(queue_id, "anna")).state is QueueState.EXPIRED
    assert await enqueue(queue) != queue_id
    assert contents(await queue.find("anna", state=QueueState.EXPIRED)) == ["The API uses OAuth2"]
    assert actions(await queue.audit_trail(queue_id)) == ["enqueued", "expired"]


@asynchronous
async def test_lists_mark_what_has_expired(open_queue, clock):
    """So that counts are right without anybody's doing; `expire` does it at once."""
    queue = open_queue(ttl_s=3600)
    for number in range(3):
        await enqueue(queue, str(number))
    clock.now += HOUR
    assert dict(await queue.counts("anna")) == {"pending": 0, "stored": 0, "rejected": 0, "expired": 3}
    assert await queue.expire() == 0
    await enqueue(queue, "late")
    clock.now += HOUR
    assert await queue.expire() == 1
