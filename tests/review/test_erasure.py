"""Erasing a user also erases their claims in the queue, whose audit stays complete."""

import asyncio
import gc
import sqlite3
from types import FunctionType, ModuleType

import pytest

from groundwire.errors import NotFound
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from memory.test_erasure import bytes_of
from review.waiting import HOUR, NOON, actions, asynchronous, contents, enqueue, evidence, validation

TABLES = (
    *("memories", "memory_sources", "memory_audit", "memory_actors"),
    *("review_items", "review_groups", "review_waiting", "review_audit"),
)
SECRET = "Anna takes fifty milligrams of sertraline"


def rows_of(store: MemoryStore) -> str:
    """Every value of every table, as one text."""
    with store.transaction() as database:
        return "\n".join(str(row) for table in TABLES for row in database.execute(f"SELECT * FROM {table}"))


async def fill(queue) -> list[str]:
    """Claims of a patient in every state, and one of somebody else's that the patient decided on."""
    ids = []
    for number in range(4):
        claim = f"{SECRET} {number}"
        told = evidence(claim, source_id="https://clinic.example", metadata={"k": "v7"})
        result = validation(claim, evidence=told, checks_failed=[f"hedge_words_detected: {claim}"])
        fields = {"evidence": told, "validation_result": result, "idempotency_key": f"key of {claim}"}
        ids.append(await enqueue(queue, claim, "patient-anna", **fields))
    await queue.approve(ids[0], "patient-anna", content=f"{SECRET}, she says")
    await queue.reject(ids[1], "patient-anna", f"not {SECRET}")
    await queue.assign(ids[2], "patient-anna", "patient-anna")
    ids.append(await enqueue(queue, "Tabs, not spaces", "bob"))
    await queue.reject(ids[4], "patient-anna", "no")
    return ids


def test_a_user_is_erased_from_the_queue(location):
    """Texts, reasons, evidence, names: none of it stays in any table, and the audit keeps hashes."""

    async def work(store, queue):
        ids = await fill(queue)
        before = await queue.audit_trail()
        assert store.erase_user("patient-anna", time=NOON + HOUR, actor="officer") == [ids[0]]
        left = rows_of(store)
        found = [word for word in ("sertraline", "patient-anna", "clinic", "v7", "key of") if word in left]
        assert found == []
        with pytest.raises(NotFound):
            await queue.get_by_id(ids[1], "patient-anna")
        other = await queue.get_by_id(ids[4], "bob")
        assert (other.content, other.state, other.reviewer) == ("Tabs, not spaces", "rejected", None)
        after = await queue.audit_trail()
        assert [entry.link for entry in after[: len(before)]] == [entry.link for entry in before]
        assert actions(after[len(before) :]) == ["erased"] * 4
        assert {entry.actor for entry in after} == {None, "officer"}
        assert {entry.reason for entry in after[len(before) :]} == {"requested"}
        assert await queue.integrity_errors() == []

    with MemoryStore(location) as store, ReviewQueue(None, store, reviewers=["patient-anna"]) as queue:
        asyncio.run(work(store, queue))


def test_an_erased_memory_is_erased_from_the_queue(location):
    """The claim that it was says the same; those that wait stay."""

    async def work(store, queue):
        ids = await fill(queue)
        store.erase(ids[0], "patient-anna", time=NOON)
        assert "she says" not in rows_of(store)
        with pytest.raises(NotFound):
            await queue.get_by_id(ids[0], "patient-anna")
        assert contents(await queue.get_pending("patient-anna")) == [f"{SECRET} 2", f"{SECRET} 3"]
        assert actions(await queue.audit_trail(ids[0]))[-1] == "erased"

    with MemoryStore(location) as store, ReviewQueue(None, store, reviewers=["patient-anna"]) as queue:
        asyncio.run(work(store, queue))


def test_room_is_made_by_erasure(location):
    """What was erased does not wait any more, and may be submitted again."""

    async def work(store, queue):
        await enqueue(queue)
        store.erase_user("anna", time=NOON)
        assert await enqueue(queue, idempotency_key="k")
        store.erase_user("anna", time=NOON)
        assert await enqueue(queue, idempotency_key="k")
        assert await queue.integrity_errors() == []

    with MemoryStore(location) as store, ReviewQueue(None, store, total_limit=1) as queue:
        asyncio.run(work(store, queue))


def test_no_byte_of_a_claim_stays_in_the_files(sqlite_location):
    """After `purge`, as for memories."""

    async def work(store, queue):
        await fill(queue)
        store.erase_user("patient-anna", time=NOON)

    with MemoryStore(sqlite_location) as store, ReviewQueue(None, store, reviewers=["patient-anna"]) as queue:
        asyncio.run(work(store, queue))
        assert store.purge()
        written = bytes_of(sqlite_location)
    assert [word for word in (b"sertraline", b"patient-anna", b"clinic") if word in written] == []
    assert b"Tabs, not spaces" in written


@asynchronous
async def test_a_queue_erases_a_user(open_queue):
    """In memory as in databases: nothing of theirs is found, their name is nobody's, and the audit is whole."""
    queue = open_queue(reviewers=["patient-anna"], per_user_limit=4, ttl_s=60.0)
    ids = await fill(queue)
    before = await queue.audit_trail()
    assert await queue.erase_user("patient-anna", actor="officer") == ids[:4]
    for queue_id in ids[:4]:
        with pytest.raises(NotFound):
            await queue.get_by_id(queue_id, "patient-anna")
    assert await queue.find("patient-anna", user_id="patient-anna") == []
    assert {*(await queue.counts("patient-anna", user_id="patient-anna")).values()} == {0}
    assert await queue.find("patient-anna", assigned_to="patient-anna") == []
    other = await queue.get_by_id(ids[4], "bob")
    assert (other.content, other.state, other.reviewer) == ("Tabs, not spaces", "rejected", None)
    after = await queue.audit_trail()
    assert [entry.link for entry in after[: len(before)]] == [entry.link for entry in before]
    erased = after[len(before) :]
    assert [(one.queue_id, one.action, one.after_hash, one.actor, one.reason) for one in erased] == [
        (queue_id, "erased", None, "officer", "requested") for queue_id in ids[:4]
    ]
    assert [one.before_hash for one in erased] == [
        [entry.after_hash for entry in before if entry.queue_id == queue_id][-1] for queue_id in ids[:4]
    ]
    assert {entry.actor for entry in after} == {None, "officer"}
    # There is room again, the key is unknown, and no claim has a time to expire.
    again = [await enqueue(queue, f"{SECRET} {number}", "patient-anna", idempotency_key="k") for number in (0,)]
    assert again[0] not in ids
    assert await queue.erase_user("nobody") == []
    assert await queue.expire() == 0


def test_no_object_in_memory_contains_erased_text():
    """Neither a Python object nor a page of the database in memory."""

    async def work():
        queue = ReviewQueue(lambda pending: pending.queue_id, reviewers=["patient-anna"])
        await fill(queue)
        await queue.erase_user("patient-anna")
        return held_by(queue)

    found, pages = asyncio.run(work())
    assert [text for text in found if "sertraline" in text or text == "patient-anna"] == []
    assert [word for word in (b"sertraline", b"patient-anna") if word in pages] == []
    assert b"Tabs, not spaces" in pages


def held_by(queue) -> tuple[set[str], bytes]:
    """Return each text that can be reached from a queue, except the names of its reviewers, and its database."""
    seen, found, pages, waiting = set(), set(), b"", [queue]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.add(one)
        elif isinstance(one, sqlite3.Connection):
            pages += one.serialize()
        elif id(one) not in seen and not isinstance(one, type | ModuleType | FunctionType | frozenset):
            seen.add(id(one))
            waiting += gc.get_referents(one)
    return found, pages


@pytest.mark.parametrize("wrong", [{"user_id": ""}, {"reason": "no label"}, {"actor": "\0"}])
@asynchronous
async def test_wrong_arguments_of_erasure(queue, wrong):
    """Refused before anything is erased."""
    await enqueue(queue)
    with pytest.raises(ValueError, match=next(iter(wrong))):
        await queue.erase_user(**{"user_id": "anna", **wrong})
    assert len(await queue.get_pending("anna")) == 1
