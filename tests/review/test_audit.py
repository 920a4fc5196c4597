"""Every action is in the audit, each event is bound to the one before, and the integrity check finds every change."""

import asyncio
import json
import sys

import pytest

from groundwire.errors import MemoryStoreError
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from review.waiting import HOUR, NOON, actions, asynchronous, enqueue


@asynchronous
async def test_every_action_is_in_the_audit(open_queue, clock):
    """With time and actor; each entry's before is the after of the one before it."""
    queue = open_queue(reviewers=("rita",), ttl_s=7200)
    first, second, third = [await enqueue(queue, text) for text in ("one", "two", "three")]
    clock.now += HOUR
    await queue.assign(first, "anna", "rita")
    await queue.skip(first, "rita")
    await queue.approve(first, "rita", content="One")
    await queue.reject(second, "anna")
    clock.now += HOUR
    await queue.expire()
    trail = await queue.audit_trail()
    stored = [action for action in actions(trail) if action != "approving"]
    assert stored == [*["enqueued"] * 3, "assigned", "skipped", "edited", "stored", "rejected", "expired"]
    assert [entry.sequence for entry in trail] == list(range(1, len(trail) + 1))
    assert {entry.time for entry in trail} == {NOON, NOON + HOUR, NOON + 2 * HOUR}
    actors = {str(entry.action): entry.actor for entry in trail}
    assert (actors["enqueued"], actors["skipped"], actors["rejected"], actors["expired"]) == (
        None,
        "rita",
        "anna",
        None,
    )
    for queue_id in (first, second, third):
        known = None
        for entry in await queue.audit_trail(queue_id):
            assert entry.before_hash == known
            known = entry.after_hash
    assert await queue.audit_trail(after=3, limit=2) == trail[3:5]


@asynchronous
async def test_an_entry_is_json_and_holds_no_text(queue):
    """As lines for whoever keeps audits elsewhere."""
    queue_id = await enqueue(queue, "Anna takes sertraline", "patient-anna")
    await queue.reject(queue_id, "patient-anna", "she does not say so")
    lines = [json.dumps(entry.as_json()) for entry in await queue.audit_trail()]
    assert [json.loads(line)["action"] for line in lines] == ["enqueued", "rejected"]
    assert json.loads(lines[0])["time"] == NOON.isoformat()
    text = "".join(lines).replace('"actor": "patient-anna"', "")
    assert [word for word in ("sertraline", "patient", "say so", "ai_synthesis") if word in text] == []


@pytest.fixture
def filled(location):
    """A queue with four claims: stored, rejected, waiting and edited, and erased."""

    async def fill(store, queue):
        ids = [await enqueue(queue, f"text {number}", "bob" if number == 3 else "anna") for number in range(4)]
        await queue.approve(ids[0], "anna", content="edited text")
        await queue.reject(ids[1], "anna", "no text")
        await queue.skip(ids[2], "anna")
        store.erase_user("bob", time=NOON)
        return ids

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        ids = asyncio.run(fill(store, queue))
        yield store, queue, ids


@pytest.mark.parametrize(
    ("tampering", "words"),
    [
        ("UPDATE review_audit SET time = time + 1 WHERE sequence = 3", "from entry 3 on"),
        ("UPDATE review_audit SET actor_hash = NULL WHERE sequence = 6", "from entry 6 on"),
        ("UPDATE review_audit SET after_hash = before_hash WHERE sequence = 5", "from entry 5 on"),
        ("UPDATE review_audit SET link = '' WHERE sequence = 8", "from entry 8 on"),
        ("DELETE FROM review_audit WHERE sequence = 4", "from entry 4 on"),
        ("DELETE FROM review_audit WHERE sequence >= 8", "claim in the queue differs from the audit"),
        ("DELETE FROM review_audit", "3 claims in the queue differ"),
        ("UPDATE review_items SET content = 'x' WHERE state = 'pending'", "1 claim was changed"),
        ("UPDATE review_items SET state = 'rejected' WHERE state = 'stored'", "1 claim was changed"),
        ("UPDATE review_items SET details = '{}' WHERE state = 'pending'", "1 claim was changed"),
        ("UPDATE review_items SET reason = 'yes' WHERE state = 'rejected'", "1 claim was changed"),
        ("UPDATE review_items SET digest = 'x' WHERE state = 'rejected'", "1 claim in the queue differs"),
        ("DELETE FROM review_items WHERE state = 'rejected'", "1 claim is in the audit but not in the queue"),
        ("UPDATE review_items SET listed = 'pending'", "2 claims are listed under another state"),
        ("UPDATE review_items SET group_id = 99 WHERE listed = 'stored'", "1 claim is listed under another state"),
        ("DELETE FROM review_groups", "3 claims are listed under another state"),
        ("UPDATE review_waiting SET items = 7", "the number of pending claims was changed"),
        ("UPDATE memories SET content = 'x'", "1 memory has a changed text"),
        ("DELETE FROM review_waiting", "the number of pending claims was changed"),
        ("INSERT INTO review_waiting VALUES (1)", "the number of pending claims was changed"),
        ("UPDATE review_groups SET checks = ' x'", "group of claims was changed"),
        ("DELETE FROM review_groups WHERE failed_check <> ''", "1 group of claims was changed"),
        ("INSERT INTO review_groups VALUES (9, '', 'a', 'b', '')", "1 group of claims was changed"),
        ("INSERT INTO review_inbox VALUES ('x', 1, 'y', NULL, '')", "1 change of a memory differs"),
    ],
)
def test_tampering_is_found(filled, tampering, words):
    """With words that hold no text."""
    store, queue, _ = filled
    assert asyncio.run(queue.integrity_errors()) == []
    with store.transaction() as database:
        database.execute(tampering)
    found = asyncio.run(queue.integrity_errors())
    assert any(words in fault for fault in found), found
    assert not any("text" in fault.replace("a changed text", "") for fault in found)


def test_all_of_it_is_checked(filled, monkeypatch):
    """Batch by batch."""
    _, queue, _ = filled
    for module in ("sqlite", *(["postgres"] if "groundwire.memory.postgres" in sys.modules else [])):
        monkeypatch.setattr(f"groundwire.memory.{module}.STREAM_ROWS", 3)
    assert asyncio.run(queue.integrity_errors()) == []


@pytest.mark.parametrize("call", ["approve", "reject", "skip", "get_by_id"])
def test_a_claim_that_was_changed_is_not_decided(filled, call):
    """The stored text is that of the submission or of a reviewer's edit."""
    store, queue, ids = filled
    with store.transaction() as database:
        database.execute("UPDATE review_items SET content = 'We use SAML' WHERE queue_id = ?", (ids[2],))
    with pytest.raises(MemoryStoreError, match="a claim was changed by another program") as caught:
        asyncio.run(getattr(queue, call)(ids[2], "anna"))
    assert "SAML" not in str(caught.value)
    assert [memory.content for memory in store.find(None)] == ["edited text"]


@pytest.mark.parametrize(
    ("damage", "call"),
    [
        ("UPDATE review_items SET state = 'lost' WHERE state = 'pending'", "get_by_id"),
        ("UPDATE review_items SET details = '{}' WHERE state = 'pending'", "find"),
        ("UPDATE review_audit SET action = 'lost' WHERE sequence = 3", "audit_trail"),
        *(
            (f"UPDATE review_items SET {column} = {value}", call)
            for call in ("find", "excerpts", "candidates")
            for column, value in (
                ("submitted_at", "'x'"),
                ("submitted_at", 2**62),
                ("expires_at", "'x'"),
                ("decided_at", "'x'"),
                ("assignee_hash", "x'ff'"),
            )
        ),
        ("UPDATE review_items SET group_id = 99", "excerpts"),
    ],
)
@pytest.mark.parametrize("location", ["sqlite"], indirect=True)
def test_impossible_rows_are_refused(filled, damage, call):
    """Damage is an error without the row's values."""
    store, queue, ids = filled
    with store.transaction() as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        database.execute(damage)
    arguments = {
        "find": ("anna",),
        "excerpts": ("anna",),
        "candidates": ("", "anna"),
    }.get(call, (ids[2], "anna"))
    with pytest.raises(MemoryStoreError, match="damaged"):
        asyncio.run(getattr(queue, call)(*arguments))


def test_the_clock_needs_a_zone(location):
    """And nothing is done without one."""
    with (
        ReviewQueue(None, location, clock=lambda: NOON.replace(tzinfo=None)) as queue,
        pytest.raises(ValueError, match="the clock's time must have a time zone"),
    ):
        asyncio.run(enqueue(queue))
    with ReviewQueue(None, location) as queue:
        assert asyncio.run(queue.audit_trail()) == []


@asynchronous
async def test_an_anchor_goes_on_with_the_queue(open_queue):
    """In memory too; that of another queue is refused."""
    queue = open_queue(reviewers=("rita",))
    first = (await queue.verify()).anchor
    queue_id = await enqueue(queue)
    second = (await queue.verify(first)).anchor
    assert second.last["review_audit"][0] == 1
    await queue.reject(queue_id, "anna")
    assert await queue.integrity_errors(first) == await queue.integrity_errors(second) == []
    with ReviewQueue(None) as other, pytest.raises(ValueError, match="a database with another key"):
        await other.integrity_errors(second)


@asynchronous
async def test_a_revoked_memory_that_was_taken_off_the_list_is_found(open_queue, place):
    """As is one that the queue has not looked at yet."""
    if place is None:
        return
    queue = open_queue(reviewers=("rita",))
    memory_id = await queue.approve(await enqueue(queue), "rita")
    with MemoryStore(place) as store:
        assert store.send_to_review(memory_id, "anna", time=NOON, reason="requested")
        assert await queue.integrity_errors() == []
        with store.transaction() as database:
            kept = database.execute("SELECT * FROM review_inbox")
            database.execute("DELETE FROM review_inbox")
        assert await queue.integrity_errors() == ["1 memory is missing from the queue, or wrongly in it"]
        with store.transaction() as database:
            database.execute("INSERT INTO review_inbox VALUES (?, ?, ?, ?, ?)", kept[0])


@pytest.mark.parametrize("location", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("table", "action", "call"), [("review_items", "UPDATE", "expire"), ("review_inbox", "DELETE", "get_pending")]
)
def test_work_that_is_never_done_ends(location, clock, table, action, call):
    """A trigger undoes in silence what is written: the same rows would come back for ever."""

    async def work(store, queue):
        memory_id = await queue.approve(await enqueue(queue), "anna")
        await enqueue(queue, "two")
        clock.now += 2 * HOUR
        store.send_to_review(memory_id, "anna", time=NOON, reason="requested")
        with store.transaction() as database:
            database.execute(f"CREATE TRIGGER undo BEFORE {action} ON {table} BEGIN SELECT RAISE(IGNORE); END")
        await (queue.expire() if call == "expire" else queue.get_pending("anna"))

    with MemoryStore(location) as store, ReviewQueue(None, store, clock=clock, ttl_s=3600) as queue:
        with pytest.raises(MemoryStoreError, match="written changes are missing"):
            asyncio.run(work(store, queue))
        assert "the schema has 1 definitions" in asyncio.run(queue.integrity_errors())[0]
