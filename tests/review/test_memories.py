"""The queue and the memories of its database; memories that were sent back to review wait as claims do (ruling C18)."""

import asyncio
import json

import pytest

from groundwire.errors import MemoryExistsError, MemoryNotFoundError, NotFound
from groundwire.ingestion import (
    DedupChecker,
)
from groundwire.memory import MemoryStatus, MemoryStore
from groundwire.memory.audit_log import KeyedHasher
from groundwire.memory.connection import TransactionSession
from groundwire.review import QueueState, ReviewQueue
from memory.claims import claim, open_at_schema
from review.waiting import HOUR, NOON, Clock, Ids, actions, asynchronous, contents, enqueue, evidence, validation


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


def test_every_pending_claim_is_a_candidate(location):
    """Also if more claims wait than the limit allows by now, and while an approved claim is being stored."""
    seen = []

    async def work():
        async def keep(pending) -> str:
            seen.extend(await limited.candidates("", "anna"))
            return pending.queue_id

        with ReviewQueue(keep, location) as queue, ReviewQueue(keep, queue.store, per_user_limit=1) as limited:
            ids = [await enqueue(queue, f"Claim {number}") for number in range(3)]
            await queue.approve(ids[0], "anna")
            assert [record.id for record in seen] == ids
            assert [record.id for record in await limited.candidates("", "anna", "fact")] == ids[1:]
            assert await limited.candidates("", "anna", "decision") == []

    asyncio.run(work())


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


def test_claims_outlive_the_queue(location):
    """A second opening finds it."""

    async def work():
        with ReviewQueue(None, location) as queue:
            queue_id = await enqueue(queue)
        with ReviewQueue(None, location) as queue:
            assert contents(await queue.get_pending("anna")) == ["The API uses OAuth2"]
            await queue.approve(queue_id, "anna")

    asyncio.run(work())


KEY = b"k" * 16


@pytest.fixture
def open_both(location):
    """What opens a store and its queue; both are sound at the end of the test."""
    opened = []

    def open_one(store_callback=None, **settings) -> tuple[MemoryStore, ReviewQueue]:
        store = MemoryStore(location)
        queue = ReviewQueue(store_callback, store, **{"clock": Clock(), "new_id": Ids(), **settings})
        opened.append((store, queue))
        return store, queue

    yield open_one
    for store, queue in opened:
        with store.snapshot():
            assert store.integrity_errors() == []
        queue.close()
        store.close()


async def ids_of(queue, **filters) -> list[str]:
    """The ids of Anna's claims, as a list shows them."""
    return [one.queue_id for one in await queue.find("anna", **filters)]


@asynchronous
async def test_a_revoked_memory_is_listed_with_pending_claims(open_both):
    """C18: in the order of revocation, counted, found by its check, with its evidence and why it waits."""
    store, queue = open_both()
    await enqueue(queue, "The API returns XML")
    store.add(claim("m1", content="Per ADR 0003 sessions are in Redis (ADR-7)", metadata={"n": 1}), time=NOON)
    store.add(claim("m2", source_ids=(), parents=("m1",)), time=NOON)
    assert await ids_of(queue) == ["q1"]
    store.revoke_source("adr-3", time=NOON + HOUR)
    assert await ids_of(queue) == ["q1", "m1", "m2"]
    assert (await queue.counts("anna"))[QueueState.PENDING] == 3
    assert await ids_of(queue, failed_check="source_revoked") == ["m1", "m2"]
    pending = await queue.get_by_id("m1", "anna")
    assert (pending.memory_id, pending.submitted_at, pending.code) == ("m1", NOON + HOUR, "source_revoked")
    assert (pending.reason, pending.checks_failed) == (
        "One of its sources was revoked",
        ("source_revoked: ADR-003",),
    )
    assert (pending.evidence.source_id, pending.evidence.metadata) == ("ADR-003", {"n": 1})
    assert [(each.name, each.status, each.reason) for each in pending.citations] == [
        ("ADR-003", "unknown", "This source was revoked"),
        ("ADR-007", "unknown", "Not looked up again"),
    ]
    assert (await queue.get_by_id("m2", "anna")).evidence.parents == ("m1",)
    assert await queue.integrity_errors() == []


@asynchronous
async def test_an_approved_memory_is_active_again(open_both):
    """C18: under its own id, exactly once; both audits say who approved it."""
    store, queue = open_both()
    store.add(claim("m1"), time=NOON)
    store.revoke_source("ADR-3", time=NOON)
    assert await queue.approve("m1", "anna") == "m1"
    assert store.get("m1", "anna").status is MemoryStatus.ACTIVE
    assert [(str(entry.action), entry.actor) for entry in store.audit("m1")] == [
        ("stored", None),
        ("sent_to_review", None),
        ("approved", "anna"),
    ]
    assert actions(await queue.audit_trail("m1")) == ["enqueued", "stored"]
    assert await ids_of(queue) == []
    assert await ids_of(queue, state=QueueState.STORED) == ["m1"]
    assert await queue.integrity_errors() == []


@asynchronous
async def test_a_rejected_memory_is_erased(open_both):
    """C18: as a claim that is rejected it is not stored; the queue keeps why."""
    store, queue = open_both()
    store.add(claim("m1"), time=NOON)
    store.revoke_source("ADR-3", time=NOON)
    await queue.reject("m1", "anna", "The record was withdrawn")
    with pytest.raises(MemoryNotFoundError):
        store.get("m1", "anna")
    assert store.audit("m1")[-1].reason == "rejected"
    rejected = await queue.get_by_id("m1", "anna")
    assert (rejected.state, rejected.decision_reason, rejected.memory_id) == (
        QueueState.REJECTED,
        "The record was withdrawn",
        None,
    )
    assert await queue.integrity_errors() == []


@asynchronous
async def test_an_edited_memory_takes_the_place_of_the_one_before_it(open_both):
    """C18: it rests on what its new text cites; the audit of the old one stays whole."""
    store, queue = open_both()
    store.add(claim("m1", content="Per ADR-3 sessions are in Redis"), time=NOON)
    store.revoke_source("ADR-3", time=NOON)
    assert await queue.approve("m1", "anna", content="Per ADR-7 sessions are in PostgreSQL") == "m1.2"
    [memory] = store.find("anna", status=None)
    assert (memory.id, memory.content, memory.source_ids) == (
        "m1.2",
        "Per ADR-7 sessions are in PostgreSQL",
        ("ADR-007",),
    )
    assert (await queue.get_by_id("m1", "anna")).memory_id == "m1.2"
    assert store.revoke_source("adr-7", time=NOON) == ["m1.2"]
    assert await queue.integrity_errors() == []


@asynchronous
async def test_a_memory_that_came_from_the_queue_is_listed_again(open_both):
    """C18: under an id of its own, since the first decision on it stays as it was."""
    store, queue = open_both()
    queue_id = await enqueue(queue, "Per ADR-3 sessions are in Redis")
    await queue.approve(queue_id, "anna", content="Per ADR-003 all sessions are in Redis")
    for expected in ("q1.2", "q1.3"):
        assert store.revoke_source("adr-3", time=NOON) == ["q1"]
        assert await ids_of(queue) == [expected]
        assert await queue.approve(expected, "anna") == "q1"
    assert (await queue.get_by_id("q1", "anna")).state is QueueState.STORED
    assert await queue.integrity_errors() == []


@asynchronous
async def test_a_memory_that_is_approved_in_the_store_waits_no_longer(open_both):
    """Whichever way it is decided on, both say the same."""
    store, queue = open_both()
    store.add(claim("m1"), time=NOON)
    store.send_to_review("m1", "anna", time=NOON, reason="doubt")
    [pending] = await queue.find("anna")
    assert pending.checks_failed == ("sent_to_review: doubt",)
    store.approve("m1", "anna", time=NOON)
    assert await ids_of(queue) == []
    assert await ids_of(queue, state=QueueState.STORED) == ["m1"]
    store.send_to_review("m1", "anna", time=NOON, reason="doubt")
    store.approve("m1", "anna", time=NOON)
    assert await ids_of(queue) == []
    assert await queue.integrity_errors() == []


@asynchronous
async def test_an_erased_memory_waits_no_longer(open_both):
    """Neither if it is listed already nor if it is not."""
    store, queue = open_both()
    for memory_id in ("m1", "m2"):
        store.add(claim(memory_id), time=NOON)
    store.send_to_review("m1", "anna", time=NOON, reason="doubt")
    assert await ids_of(queue) == ["m1"]
    store.send_to_review("m2", "anna", time=NOON, reason="doubt")
    for memory_id in ("m1", "m2"):
        store.erase(memory_id, "anna", time=NOON)
    assert await ids_of(queue) == []
    assert await queue.integrity_errors() == []


@asynchronous
async def test_a_callback_is_not_asked_about_memories_of_the_store(open_both):
    """A memory of the store is not stored elsewhere as well."""
    given = []

    def keep(pending):
        given.append(pending)
        return "elsewhere"

    store, queue = open_both(keep)
    store.add(claim("m1"), time=NOON)
    store.revoke_source("ADR-3", time=NOON)
    assert await queue.approve("m1", "anna") == "m1"
    assert (given, store.get("m1", "anna").status) == ([], MemoryStatus.ACTIVE)


@asynchronous
async def test_no_limit_keeps_a_memory_off_the_list(open_both):
    """What was revoked must be seen; new claims wait until there is room."""
    store, queue = open_both(per_user_limit=1, total_limit=1)
    for memory_id in ("m1", "m2"):
        store.add(claim(memory_id), time=NOON)
    store.revoke_source("ADR-3", time=NOON)
    assert await ids_of(queue) == ["m1", "m2"]


@asynchronous
async def test_others_see_nothing_of_it(open_both):
    """As with claims: an owner and reviewers see it."""
    store, queue = open_both(reviewers=["rita"])
    store.add(claim("m1"), time=NOON)
    store.revoke_source("ADR-3", time=NOON)
    for call in (queue.get_by_id("m1", "bob"), queue.approve("m1", "bob")):
        with pytest.raises(NotFound):
            await call
    assert await queue.find("bob") == []
    assert contents(await queue.find("rita")) == [claim("m1").content]


@pytest.mark.parametrize("earlier", range(2, 6))
@asynchronous
async def test_memories_revoked_under_an_earlier_schema_are_listed(location, earlier):
    """C18: databases whose memories are in review already."""
    session = open_at_schema(location, earlier)
    memory_in_review(session, KeyedHasher(KEY))
    session.close()
    with MemoryStore(location, hash_key=KEY) as store, ReviewQueue(None, store, clock=Clock()) as queue:
        [pending] = await queue.find("anna")
        assert (pending.queue_id, pending.submitted_at) == ("m1", NOON)
        assert pending.checks_failed == ("sent_to_review: source_refuted",)
        assert await queue.approve("m1", "anna") == "m1"
        assert await queue.integrity_errors() == []


def memory_in_review(session: TransactionSession, hasher: KeyedHasher) -> None:
    """Write a memory that was stored and revoked."""
    content = claim("m1").content
    hashes = (hasher.of("person", "anna"), hasher.of("content", content))
    time = 1772366400000000
    stored = (1, time, "stored", "m1", *hashes, None, None, None)
    sent = (2, time, "sent_to_review", "m1", *hashes, None, "source_refuted", hasher.of_spelling("ADR-003"))
    links = [hasher.link("", stored)]
    links.append(hasher.link(links[0], sent))
    memory = (
        *(1, "m1", "anna", content, hashes[1], "fact", "conversation", time, "high", None),
        *(json.dumps(["ADR-003"]), "[]", "{}", "review"),
    )
    with session.writing() as database:
        database.execute("INSERT INTO memory_settings VALUES ('hash_key_check', ?)", (hasher.check(),))
        database.execute(f"INSERT INTO memories VALUES (?{', ?' * 13})", memory)
        for entry, link in zip((stored, sent), links, strict=True):
            database.execute(f"INSERT INTO memory_audit VALUES (?{', ?' * 9})", (*entry, link))
