"""Calls that wait for the same disk share a commit, and nothing else."""

import asyncio
import sqlite3

import pytest

from groundwire.errors import AlreadyDecided, MemoryExistsError, MemoryStoreError, NotFound
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from memory.claims import claim
from review.waiting import NOON, actions, contents, enqueue


def begun(store, monkeypatch) -> list[bool]:
    """What fills with one entry for each transaction, true if it writes."""
    seen = []
    database = store._session._database
    begin = database.begin

    def counted(*, writes):
        seen.append(writes)
        begin(writes=writes)

    monkeypatch.setattr(database, "begin", counted)
    return seen


def test_one_commit_for_many(location, monkeypatch):
    """Each call is told its own outcome; what one of them cannot do, the others do all the same."""

    async def work(store, queue):
        ids = [await enqueue(queue, f"claim {number}") for number in range(20)]
        seen = begun(store, monkeypatch)
        results = await asyncio.gather(
            *(queue.approve(queue_id, "anna") for queue_id in ids[:10]),
            *(queue.reject(queue_id, "anna") for queue_id in ids[10:]),
            *(queue.approve(queue_id, "bob") for queue_id in ids),
            *(queue.approve(queue_id, "anna", content="edited") for queue_id in ids),
            return_exceptions=True,
        )
        assert seen.count(True) <= 3
        assert results[:20] == [*ids[:10], *[None] * 10]
        assert {type(one) for one in results[20:40]} == {NotFound}
        assert {type(one) for one in results[40:]} == {AlreadyDecided}
        assert len(store.find("anna")) == 10
        assert len(await queue.audit_trail()) == 40
        assert await queue.faults() == []

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
        assert await queue.faults() == []

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_one_that_was_changed_by_somebody_fails_alone(location):
    """What is not as it was written is not decided about; what came with it is."""

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
        assert await queue.faults() == []

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(queue))


@pytest.mark.parametrize("at_once", [1, 8])
def test_a_server_is_asked_twice(postgres_location, at_once, monkeypatch):
    """Once for all that decisions need, and once to keep what they did, however many share the commit."""

    async def work(store, queue):
        ids = [await enqueue(queue, f"claim {number}") for number in range(at_once)]
        database = store._session._database
        seen, told = [], database._told
        monkeypatch.setattr(database, "_told", lambda *one: (seen.append(one[0]), told(*one))[1])
        with store.transaction():
            # So that all of them wait: nobody else's turn comes before the end of this.
            deciding = [asyncio.ensure_future(queue.approve(one, "anna")) for one in ids]
            await asyncio.sleep(0)
            seen.clear()
        assert await asyncio.gather(*deciding) == ids
        # The first is the end of the transaction above.
        assert [one.split()[0] for one in seen] == ["COMMIT", "SELECT", "COMMIT"]
        assert await queue.faults() == []

    with MemoryStore(postgres_location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_a_queue_that_is_closed_says_so_each_time(sqlite_location):
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
    """Nobody is told that something was done."""

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


def test_what_is_cancelled_before_its_turn_is_not_done(sqlite_location):
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
