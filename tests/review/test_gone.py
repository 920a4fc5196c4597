"""A database that is locked, full or gone: a clear error, nothing half-done, and the same call again is safe."""

import asyncio
import sqlite3

import pytest

from groundwire.errors import AlreadyDecided, MemoryStoreError
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from review.waiting import HOUR, NOON, actions, contents, enqueue


def test_locked_by_another_process(sqlite_location):
    """Readers go on; decisions say so and can be repeated."""

    async def work(queue):
        queue_id = await enqueue(queue)
        other = sqlite3.connect(sqlite_location, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        for call in (queue.approve(queue_id, "anna"), queue.reject(queue_id, "anna"), enqueue(queue, "x")):
            with pytest.raises(MemoryStoreError, match="in use by another process"):
                await call
        assert contents(await queue.get_pending("anna")) == ["The API uses OAuth2"]
        other.close()
        await queue.approve(queue_id, "anna")
        assert actions(await queue.audit_trail()) == ["enqueued", "stored"]

    with MemoryStore(sqlite_location, timeout_s=0.05) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(queue))


def test_a_callback_that_outlives_its_database(sqlite_location, clock):
    """It has stored the claim, and nobody could write that down: it is called again with the same key."""
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
        assert await queue.faults() == []

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
