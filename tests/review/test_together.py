"""Calls that wait for the same disk share a commit, and nothing else."""

import asyncio
import sqlite3

from groundwire.errors import AlreadyDecided, MemoryStoreError, NotFound
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from review.waiting import actions, contents, enqueue


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
