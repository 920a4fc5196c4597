"""Queues in memory and in both databases."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from review.waiting import Clock, Ids


@pytest.fixture
def clock() -> Clock:
    """A clock for the test to move."""
    return Clock()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> str | None:
    """Where a queue is: None for memory, or an empty database."""
    return None if request.param == "memory" else request.getfixturevalue(f"{request.param}_location")


@pytest.fixture
def open_queue(place: str | None, clock: Clock) -> Iterator[Callable[..., ReviewQueue]]:
    """What opens a queue with the clock of the test and ids q1, q2, ...; sound at the end of the test."""
    ids, opened = Ids(), []

    def open_one(store_callback=None, **settings) -> ReviewQueue:
        store = None if place is None else MemoryStore(place)
        if place is None and store_callback is None:
            store_callback = _keep
        queue = ReviewQueue(store_callback, store, **{"clock": clock, "new_id": ids, **settings})
        opened.append((queue, store))
        return queue

    yield open_one
    for queue, store in opened:
        assert asyncio.run(queue.integrity_errors()) == []
        queue.close()
        if store is not None:
            store.close()


@pytest.fixture
def queue(open_queue) -> ReviewQueue:
    """A queue with the usual settings: in a database it stores there, in memory it calls back."""
    return open_queue()


def _keep(pending) -> str:
    """As a store that uses the same id: what a shared database does."""
    return pending.queue_id
