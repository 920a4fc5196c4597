"""Callbacks that answer when the lease is over, or the clock says so: somebody else may have decided (ruling C14)."""

import asyncio
from datetime import timedelta

import pytest

from groundwire.errors import AlreadyDecided, CallbackFailed, NotFound
from groundwire.memory import MemoryStore
from groundwire.review import QueueState, ReviewQueue
from review.waiting import HOUR, NOON, actions, asynchronous, contents, enqueue


class Paused:
    """A callback whose calls wait until each is let go."""

    def __init__(self) -> None:
        self.calls = []
        self.reached = asyncio.Event()

    async def __call__(self, pending) -> str:
        go = asyncio.Event()
        self.calls.append(go)
        self.reached.set()
        await go.wait()
        return f"memory-{pending.queue_id}"


async def two_at_it(open_queue, clock):
    """A claim whose first approval has not come back within its lease, when a second one began."""
    paused = Paused()
    queue = open_queue(paused, lease_s=60)
    queue_id = await enqueue(queue)
    first = asyncio.create_task(queue.approve(queue_id, "anna"))
    await paused.reached.wait()
    clock.now += HOUR
    paused.reached.clear()
    return queue, queue_id, paused, first


@asynchronous
async def test_who_comes_late_finds_it_stored(open_queue, clock):
    """The second has stored it under the same key; the first is told so."""
    queue, queue_id, paused, first = await two_at_it(open_queue, clock)
    second = asyncio.create_task(queue.approve(queue_id, "anna"))
    await paused.reached.wait()
    paused.calls[1].set()
    assert await second == f"memory-{queue_id}"
    paused.calls[0].set()
    with pytest.raises(AlreadyDecided) as caught:
        await first
    assert (caught.value.state, caught.value.memory_id) == ("stored", f"memory-{queue_id}")
    assert actions(await queue.audit_trail(queue_id)) == ["enqueued", "approving", "approving", "stored"]


@asynchronous
async def test_who_comes_late_and_first_is_believed(open_queue, clock):
    """The memory is there, whoever stored it; the second is told so."""
    queue, queue_id, paused, first = await two_at_it(open_queue, clock)
    second = asyncio.create_task(queue.approve(queue_id, "anna"))
    await paused.reached.wait()
    paused.calls[0].set()
    assert await first == f"memory-{queue_id}"
    paused.calls[1].set()
    with pytest.raises(AlreadyDecided):
        await second


@asynchronous
async def test_who_comes_late_after_a_rejection(open_queue, clock):
    """It stays rejected, and claim and audit say as what it is stored all the same."""
    queue, queue_id, paused, first = await two_at_it(open_queue, clock)
    await queue.reject(queue_id, "anna")
    paused.calls[0].set()
    with pytest.raises(AlreadyDecided, match="rejected"):
        await first
    rejected = await queue.get_by_id(queue_id, "anna")
    assert (rejected.state, rejected.memory_id) == (QueueState.REJECTED, f"memory-{queue_id}")
    assert actions(await queue.audit_trail(queue_id)) == ["enqueued", "approving", "rejected", "stored_late"]


@asynchronous
async def test_a_late_failure_disturbs_nobody(open_queue, clock):
    """Somebody else is at it by then."""
    calls = []

    async def fails_first(_):
        number = len(calls)
        calls.append(asyncio.Event())
        await calls[number].wait()
        if number == 0:
            raise OSError
        return "m"

    queue = open_queue(fails_first, lease_s=60)
    queue_id = await enqueue(queue)
    first = asyncio.create_task(queue.approve(queue_id, "anna"))
    while len(calls) < 1:
        await asyncio.sleep(0.001)
    clock.now += HOUR
    second = asyncio.create_task(queue.approve(queue_id, "anna"))
    while len(calls) < 2:
        await asyncio.sleep(0.001)
    calls[0].set()
    with pytest.raises(CallbackFailed):
        await first
    assert (await queue.get_by_id(queue_id, "anna")).state is QueueState.PROCESSING
    calls[1].set()
    assert await second == "m"


def test_a_claim_that_was_erased_meanwhile(location, clock):
    """Its memory elsewhere is the callback's to deal with; the queue knows nothing of it any more."""

    async def work(store):
        def erases(_):
            store.erase_user("anna", time=NOON)
            return "m"

        with ReviewQueue(erases, store, clock=clock) as queue:
            queue_id = await enqueue(queue)
            with pytest.raises(NotFound):
                await queue.approve(queue_id, "anna")
            assert actions(await queue.audit_trail(queue_id)) == ["enqueued", "approving", "erased"]
            assert await queue.faults() == []

    with MemoryStore(location) as store:
        asyncio.run(work(store))


@pytest.mark.parametrize(
    ("jump", "is_free"),
    [
        pytest.param(timedelta(seconds=59), False, id="within"),
        pytest.param(timedelta(seconds=60), True, id="over"),
        pytest.param(timedelta(days=9999), True, id="far-ahead"),
        pytest.param(timedelta(seconds=-59), False, id="a-little-back"),
        pytest.param(timedelta(seconds=-60), True, id="back"),
        pytest.param(timedelta(days=-9999), True, id="far-back"),
    ],
)
@asynchronous
async def test_clocks_that_jump(open_queue, clock, jump, is_free):
    """A lease ends after its time, and does not last for ever when the clock is set back; numbers stay in order."""
    paused = Paused()
    queue = open_queue(paused, lease_s=60)
    queue_id = await enqueue(queue)
    task = asyncio.create_task(queue.approve(queue_id, "anna"))
    await paused.reached.wait()
    clock.now += jump
    assert bool(await queue.get_pending("anna")) is is_free
    await enqueue(queue, "another")
    assert [entry.sequence for entry in await queue.audit_trail()] == [1, 2, 3]
    assert contents(await queue.get_pending("anna"))[-1:] == ["another"]
    paused.calls[0].set()
    await task
