"""Many decisions of one call: what became of each, and what one of them does to the others."""

import asyncio

import pytest

from groundwire.errors import AlreadyDecided, MemoryExistsError, MemoryStoreError, NotAllowed, NotFound
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from memory.claims import claim
from review.waiting import NOON, actions, asynchronous, enqueue


@asynchronous
async def test_each_has_an_outcome_of_its_own(open_queue):
    """Of more than one transaction's worth: decided, decided before, named twice, not one's own, not there."""
    queue = open_queue(per_user_limit=1_000, require_distinct_reviewer=True, reviewers=("rita",))
    ids = [await enqueue(queue, f"Claim {number}") for number in range(70)]
    own = await enqueue(queue, "Rita's own", "rita")
    await queue.reject(ids[1], "rita")
    outcomes = await queue.approve_many([*ids, own, "nope", ids[0]], "rita")
    assert [one.queue_id for one in outcomes] == [*ids, own, "nope", ids[0]]
    failed = {number: type(one.error) for number, one in enumerate(outcomes) if one.error is not None}
    assert failed == {1: AlreadyDecided, 70: NotAllowed, 71: NotFound, 72: AlreadyDecided}
    assert all(one.memory_id for number, one in enumerate(outcomes) if number not in failed)
    assert [one.queue_id for one in await queue.find("rita")] == [own]
    again = await queue.reject_many(ids[:2], "rita", "no")
    assert [type(one.error) for one in again] == [AlreadyDecided] * 2


@asynchronous
async def test_some_are_stored_as_edited(queue):
    """By their ids; the audit tells it of those alone."""
    ids = [await enqueue(queue, f"Claim {number}") for number in range(3)]
    await queue.approve_many(ids, "anna", contents={ids[1]: "Another text", ids[2]: "Claim 2"})
    stored = [await queue.get_by_id(one, "anna") for one in ids]
    assert [one.content for one in stored] == ["Claim 0", "Another text", "Claim 2"]
    edited = [one for one in ids if "edited" in actions(await queue.audit_trail(one))]
    assert edited == [ids[1]]


@pytest.mark.parametrize("queue_ids", [["q1", 7], ["q1", None]])
@asynchronous
async def test_wrong_types_are_refused_before_anything_is_done(queue, queue_ids):
    """As one decision would."""
    await enqueue(queue)
    with pytest.raises(TypeError):
        await queue.reject_many(queue_ids, "anna")
    for refused in ({"contents": {"q1": ""}}, {"contents": {"q1": "\0"}}):
        with pytest.raises(ValueError, match="content"):
            await queue.approve_many(["q1"], "anna", **refused)
    assert [one.queue_id for one in await queue.get_pending("anna")] == ["q1"]


def test_one_that_cannot_be_stored_leaves_the_others(location):
    """Its part of the transaction is undone, and no other's."""

    async def work(store, queue):
        ids = [await enqueue(queue, f"Claim {number}") for number in range(3)]
        store.add(claim(ids[1]), time=NOON)
        outcomes = await queue.approve_many(ids, "anna", contents={ids[1]: "Edited"})
        assert [type(one.error) for one in outcomes] == [type(None), MemoryExistsError, type(None)]
        assert [one.content for one in await queue.get_pending("anna")] == ["Claim 1"]
        assert await queue.faults() == []

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_a_database_that_is_away_is_asked_once(sqlite_location, monkeypatch):
    """And told of each: sixty-four would wait sixty-four times as long."""

    async def work(store, queue):
        ids = [await enqueue(queue, f"Claim {number}") for number in range(5)]
        asked = []

        def away(*, writes):
            asked.append(writes)
            raise MemoryStoreError("locked", "another process is at work")

        with monkeypatch.context() as patch:
            patch.setattr(store._session._database, "begin", away)
            outcomes = await queue.reject_many(ids, "anna")
        assert [one.error.failure for one in outcomes] == ["locked"] * 5
        assert asked == [True]
        assert len(await queue.get_pending("anna")) == 5

    with MemoryStore(sqlite_location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))
