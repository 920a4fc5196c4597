"""Calls share commits and nothing else; a database that is locked, full or gone leaves nothing half-done."""

import asyncio
import sqlite3

import pytest

from groundwire.errors import AlreadyDecided, MemoryExistsError, MemoryStoreError, NotFound
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from memory.claims import claim, database_of
from review.waiting import HOUR, NOON, actions, contents, enqueue


def begun(store, monkeypatch) -> list[bool]:
    """What fills with one entry for each transaction, true if it writes."""
    seen = []
    database = database_of(store)
    begin = database.begin

    def counted(*, writes):
        seen.append(writes)
        begin(writes=writes)

    monkeypatch.setattr(database, "begin", counted)
    return seen


def test_one_commit_for_many(location, monkeypatch):
    """Each call has its own outcome; a call that fails does not affect the others."""

    async def work(store, queue):
        ids = [await enqueue(queue, f"claim {number}") for number in range(20)]
        calls = (
            *(queue.approve(queue_id, "anna") for queue_id in ids[:10]),
            *(queue.reject(queue_id, "anna") for queue_id in ids[10:]),
            *(queue.approve(queue_id, "bob") for queue_id in ids),
            *(queue.approve(queue_id, "anna", content="edited") for queue_id in ids),
        )
        with store.transaction():
            # All of them wait, because nobody else's turn comes before the end of this.
            deciding = asyncio.gather(*calls, return_exceptions=True)
            await asyncio.sleep(0)
            seen = begun(store, monkeypatch)
        results = await deciding
        assert seen == [True]
        assert results[:20] == [*ids[:10], *[None] * 10]
        assert {type(one) for one in results[20:40]} == {NotFound}
        assert {type(one) for one in results[40:]} == {AlreadyDecided}
        assert len(store.find("anna")) == 10
        assert len(await queue.audit_trail()) == 40
        assert await queue.integrity_errors() == []

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_one_that_fails_after_it_has_written_fails_alone(location):
    """Its edit is undone with it; the others of its commit are made again, each once."""

    async def work(store, queue):
        ids = [await enqueue(queue, f"claim {number}") for number in range(4)]
        store.add(claim(ids[1]), time=NOON)
        results = await asyncio.gather(
            *(queue.approve(one, "anna", content=f"edited {one}") for one in ids), return_exceptions=True
        )
        assert [type(one) for one in results] == [str, MemoryExistsError, str, str]
        assert contents(await queue.get_pending("anna")) == ["claim 1"]
        assert actions(await queue.audit_trail()) == ["enqueued"] * 4 + ["edited", "stored"] * 3
        assert await queue.integrity_errors() == []

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_a_tampered_claim_fails_alone(location):
    """The changed claim is not decided on; the others are."""

    async def work(store, queue):
        ids = [await enqueue(queue, f"claim {number}") for number in range(3)]
        with store.transaction() as database:
            database.execute("UPDATE review_items SET content = 'x' WHERE queue_id = ?", (ids[0],))
        results = await asyncio.gather(*(queue.reject(one, "anna") for one in ids), return_exceptions=True)
        assert [type(one) for one in results] == [MemoryStoreError, type(None), type(None)]

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_decisions_of_one_commit_see_each_other(location):
    """The second about a claim finds what the first has left; skipped ones have places of their own."""

    async def work(queue):
        ids = [await enqueue(queue, f"claim {number}") for number in range(4)]
        skipped, assigned, stored, late, *_ = await asyncio.gather(
            queue.skip(ids[0], "anna"),
            queue.assign(ids[1], "anna", "anna"),
            queue.approve(ids[1], "anna"),
            queue.reject(ids[1], "anna"),
            queue.skip(ids[2], "anna"),
            return_exceptions=True,
        )
        assert [skipped, assigned, stored, type(late)] == [None, None, ids[1], AlreadyDecided]
        assert contents(await queue.get_pending("anna")) == ["claim 3", "claim 0", "claim 2"]
        assert (await queue.get_by_id(ids[1], "anna")).assigned_to == "anna"
        assert await queue.integrity_errors() == []

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(queue))


@pytest.mark.parametrize("at_once", [1, 8])
def test_a_server_is_asked_twice(postgres_location, at_once, monkeypatch):
    """Once for all that decisions need, and once to keep what they did, however many share the commit."""

    async def work(store, queue):
        ids = [await enqueue(queue, f"claim {number}") for number in range(at_once)]
        database = database_of(store)
        seen, told = [], database.send
        monkeypatch.setattr(database, "send", lambda *one: (seen.append(one[0]), told(*one))[1])
        with store.transaction():
            # So that all of them wait: nobody else's turn comes before the end of this.
            deciding = [asyncio.ensure_future(queue.approve(one, "anna")) for one in ids]
            await asyncio.sleep(0)
            seen.clear()
        assert await asyncio.gather(*deciding) == ids
        # The first is the end of the transaction above.
        assert [one.split()[0] for one in seen] == ["COMMIT", "SELECT", "COMMIT"]
        assert await queue.integrity_errors() == []

    with MemoryStore(postgres_location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_a_closed_queue_raises_each_time(sqlite_location):
    """Nobody waits for what is never done."""

    async def work(queue):
        await enqueue(queue)
        queue.close()
        for _ in range(2):
            with pytest.raises(RuntimeError):
                await asyncio.wait_for(queue.reject("q", "anna"), 60)

    with MemoryStore(sqlite_location) as store:
        asyncio.run(work(ReviewQueue(None, store)))


def test_a_commit_that_fails_fails_for_all(sqlite_location):
    """No call reports success."""

    async def work(queue):
        ids = [await enqueue(queue, f"claim {number}") for number in range(5)]
        other = sqlite3.connect(sqlite_location, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        results = await asyncio.gather(*(queue.approve(one, "anna") for one in ids), return_exceptions=True)
        assert {type(one) for one in results} == {MemoryStoreError}
        other.close()
        assert len(await queue.get_pending("anna")) == 5
        assert actions(await queue.audit_trail()) == ["enqueued"] * 5

    with MemoryStore(sqlite_location, timeout_s=0.05) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(queue))


def test_a_call_cancelled_before_its_turn_has_no_effect(sqlite_location):
    """And disturbs nobody."""

    async def work(store, queue):
        ids = [await enqueue(queue, f"claim {number}") for number in range(3)]
        with store.transaction():
            # Nobody else's turn comes before the end of this.
            tasks = [asyncio.ensure_future(queue.approve(one, "anna")) for one in ids]
            await asyncio.sleep(0.05)
            tasks[1].cancel()
            await asyncio.sleep(0.05)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(results[1], asyncio.CancelledError)
        assert results[::2] == ids[::2]
        assert contents(await queue.get_pending("anna")) == ["claim 1"]

    with MemoryStore(sqlite_location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_locked_by_another_process(sqlite_location):
    """Readers go on; decisions say so and can be repeated."""

    async def work(queue):
        queue_id = await enqueue(queue)
        other = sqlite3.connect(sqlite_location, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        for call in (queue.approve(queue_id, "anna"), queue.reject(queue_id, "anna"), enqueue(queue, "x")):
            with pytest.raises(MemoryStoreError, match="locked by another process"):
                await call
        assert contents(await queue.get_pending("anna")) == ["The API uses OAuth2"]
        other.close()
        await queue.approve(queue_id, "anna")
        assert actions(await queue.audit_trail()) == ["enqueued", "stored"]

    with MemoryStore(sqlite_location, timeout_s=0.05) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(queue))


def test_a_callback_that_outlives_its_database(sqlite_location, clock):
    """It has stored the claim without a record of it, so it is called again with the same key."""
    locker = sqlite3.connect(sqlite_location, isolation_level=None, check_same_thread=False)
    calls = []

    def callback(pending):
        calls.append(pending.queue_id)
        if len(calls) == 1:
            locker.execute("BEGIN IMMEDIATE")
        return "m"

    async def work(queue):
        queue_id = await enqueue(queue)
        with pytest.raises(MemoryStoreError):
            await queue.approve(queue_id, "anna")
        locker.rollback()
        with pytest.raises(AlreadyDecided, match="processing"):
            await queue.approve(queue_id, "anna")
        clock.now += HOUR
        assert await queue.approve(queue_id, "anna") == "m"
        assert calls == [queue_id, queue_id]

    with (
        MemoryStore(sqlite_location, timeout_s=0.05) as store,
        ReviewQueue(callback, store, clock=clock) as queue,
    ):
        asyncio.run(work(queue))
    locker.close()


def test_a_server_that_ends_the_connection(postgres_location):
    """At most one call is an error; whatever it did, the claim is stored once."""
    import psycopg

    async def work(store, queue):
        queue_id = await enqueue(queue)
        with psycopg.connect(postgres_location, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        results = []
        for _ in range(3):
            try:
                results.append(await queue.approve(queue_id, "anna"))
            except (MemoryStoreError, AlreadyDecided) as error:
                results.append(type(error).__name__)
        assert results in ([queue_id, *["AlreadyDecided"] * 2], ["MemoryStoreError", queue_id, "AlreadyDecided"])
        assert len(store.find("anna")) == 1
        assert await queue.integrity_errors() == []

    with MemoryStore(postgres_location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_a_clock_that_raises(location):
    """Nothing is done, and the database is not left in the middle of a transaction."""
    times = iter([NOON])

    def clock():
        try:
            return next(times)
        except StopIteration:
            raise OSError("no clock") from None

    async def safely(store, queue):
        queue_id = await enqueue(queue)
        with pytest.raises(OSError, match="no clock"):
            await queue.approve(queue_id, "anna")
        assert store.find("anna") == []

    with MemoryStore(location) as store, ReviewQueue(None, store, clock=clock) as queue:
        asyncio.run(safely(store, queue))
