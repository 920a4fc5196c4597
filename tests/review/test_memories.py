"""The queue and what is remembered beside it."""

import asyncio

import pytest

from groundwire.errors import MemoryExistsError
from groundwire.ingestion import (
    DedupChecker,
)
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from memory.claims import claim
from review.waiting import HOUR, NOON, actions, asynchronous, contents, enqueue, evidence, validation


@asynchronous
async def test_the_queue_is_a_provider(queue):
    """What waits is looked at for duplicates and conflicts, of the same user (ruling C16)."""
    queue_id = await enqueue(queue, "The service keeps its sessions in Redis for thirty days")
    await enqueue(queue, "The service keeps its sessions in Redis for thirty days", "bob")
    checker = DedupChecker(queue, tokens="unicode")
    found = await checker.check_duplicate("The service keeps its sessions in Redis for thirty days.", "anna", "fact")
    assert (found.is_duplicate, found.existing_memory_id) == (True, queue_id)
    found = await checker.check_duplicate("The service keeps its sessions in Redis for forty days", "anna", "fact")
    assert (found.conflict, found.existing_memory_id) == (True, queue_id)
    assert await queue.candidates_many(["a", "b"], "anna") == await queue.candidates("a", "anna")
    await queue.reject(queue_id, "anna")
    assert list(await queue.candidates("anything", "anna")) == []


@asynchronous
async def test_a_conflict_with_a_claim_that_waits_as_well(queue):
    """Shown word by word; to whoever may see the claim."""
    first = await enqueue(queue, "Sessions are kept in Redis")
    second = await enqueue(
        queue, "Sessions are not kept in Redis", validation_result=validation(conflicting_memory_id=first)
    )
    conflict = await queue.conflict(second, "anna")
    assert (conflict.memory_id, conflict.content) == (first, "Sessions are kept in Redis")
    assert [(part.kind, part.words) for part in conflict.parts] == [
        ("same", "Sessions are "),
        ("added", "not "),
        ("same", "kept in Redis"),
    ]
    assert await queue.conflict(first, "anna") is None
    foreign = await enqueue(queue, "x", "bob", validation_result=validation(conflicting_memory_id=first))
    assert await queue.conflict(foreign, "bob") is None


def test_an_approved_claim_is_a_memory(location):
    """In the same database, in the same transaction, under the claim's id, with its evidence (ruling C14)."""

    async def work(store, queue):
        told = evidence("x", source_id="ADR-003", validity_horizon=NOON + HOUR, metadata={"a": 1})
        queue_id = await enqueue(queue, "x", evidence=told)
        memory_id = await queue.approve(queue_id, "anna")
        memory = store.get(memory_id, "anna")
        assert (memory.id, memory.content, memory.confidence) == (queue_id, "x", "medium")
        assert (memory.source_ids, memory.validity_horizon, memory.metadata) == (("ADR-003",), NOON + HOUR, {"a": 1})
        assert [(entry.action, entry.actor) for entry in store.audit(memory_id)] == [("stored", "anna")]

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_a_memory_that_cannot_be_stored_leaves_the_claim(location):
    """The whole transaction is undone, the edit too, and the claim can be decided later."""

    async def work(store, queue):
        queue_id = await enqueue(queue)
        store.add(claim(queue_id), time=NOON)
        with pytest.raises(MemoryExistsError):
            await queue.approve(queue_id, "anna", content="edited")
        assert contents(await queue.get_pending("anna")) == ["The API uses OAuth2"]
        assert actions(await queue.audit_trail(queue_id)) == ["enqueued"]
        await queue.reject(queue_id, "anna")

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_parents_that_are_gone_are_left_out(location):
    """As the gate does: a memory rests on active memories of its user."""

    async def work(store, queue):
        store.add(claim("m1"), time=NOON)
        store.add(claim("m2", user_id="bob"), time=NOON)
        queue_id = await enqueue(queue, evidence=evidence(parents=("m1", "m2", "m3")))
        await queue.approve(queue_id, "anna")
        assert store.get(queue_id, "anna").parents == ("m1",)

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_a_conflict_with_a_memory(location):
    """The memory's text is looked up when it is shown; an erased one is not."""

    async def work(store, queue):
        store.add(claim("m1", content="Sessions end after 30 days"), time=NOON)
        queue_id = await enqueue(
            queue, "Sessions end after 15 days", validation_result=validation(conflicting_memory_id="m1")
        )
        conflict = await queue.conflict(queue_id, "anna")
        assert [part.words for part in conflict.parts] == ["Sessions end after ", "30", "15", " days"]
        store.erase("m1", "anna", time=NOON)
        assert await queue.conflict(queue_id, "anna") is None

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_what_was_enqueued_outlives_the_queue(location):
    """A second opening finds it."""

    async def work():
        with ReviewQueue(None, location) as queue:
            queue_id = await enqueue(queue)
        with ReviewQueue(None, location) as queue:
            assert contents(await queue.get_pending("anna")) == ["The API uses OAuth2"]
            await queue.approve(queue_id, "anna")

    asyncio.run(work())
