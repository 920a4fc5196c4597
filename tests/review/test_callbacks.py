"""Storing elsewhere (ruling C14): callbacks may be sync or async, fail, hang, or answer after the lease."""

import asyncio
import inspect
import sys
import threading
from datetime import timedelta

import pytest

from groundwire.errors import AlreadyDecided, CallbackFailed, NotFound
from groundwire.memory import MemoryStore
from groundwire.review import QueueState, ReviewQueue
from review.waiting import HOUR, NOON, actions, asynchronous, contents, enqueue
from waits import PATIENCE_S

SECRET = "Anna takes fifty milligrams of sertraline"


class Elsewhere:
    """A store that keeps one memory for each key, however often it is called."""

    def __init__(self) -> None:
        self.calls = []

    def __call__(self, pending) -> str:
        self.calls.append(pending.queue_id)
        return f"memory-{pending.queue_id}"


async def stored_async(pending) -> str:
    """A callback that gives others a turn."""
    await asyncio.sleep(0)
    return f"memory-{pending.queue_id}"


class CallableAsync:
    """An object whose call is a coroutine function."""

    async def __call__(self, pending) -> str:
        return f"memory-{pending.queue_id}"


def returns_awaitable(pending):
    """A sync callback whose answer has to be awaited."""
    return stored_async(pending)


@pytest.mark.parametrize("callback", [Elsewhere(), stored_async, CallableAsync(), returns_awaitable])
@asynchronous
async def test_sync_or_async(open_queue, callback):
    """The id that it returns is the memory's; approving and storing are in the audit."""
    queue = open_queue(callback)
    queue_id = await enqueue(queue)
    assert await queue.approve(queue_id, "anna") == f"memory-{queue_id}"
    stored = await queue.get_by_id(queue_id, "anna")
    assert (stored.state, stored.memory_id, stored.attempts) == (QueueState.STORED, f"memory-{queue_id}", 1)
    assert actions(await queue.audit_trail(queue_id)) == ["enqueued", "approving", "stored"]


@asynchronous
async def test_it_is_given_the_claim(open_queue):
    """With its id as the key, with its edited text, and in state processing."""
    seen = []
    queue = open_queue(lambda pending: seen.append(pending) or "m")
    queue_id = await enqueue(queue)
    await queue.approve(queue_id, "anna", content="edited")
    [pending] = seen
    assert (pending.queue_id, pending.content, pending.evidence.claim) == (queue_id, "edited", "edited")
    assert (pending.state, pending.reviewer, pending.attempts) == (QueueState.PROCESSING, "anna", 1)


def raising(pending):
    """A callback whose exception holds the claim."""
    raise ValueError(pending.content)


async def raising_async(pending):
    """The same, async."""
    raise LookupError(pending.content)


def exiting(pending):
    """A callback that wants to end the program."""
    raise StopIteration(pending.content)


@pytest.mark.parametrize(
    ("callback", "code", "error_type"),
    [
        pytest.param(raising, "raised", "ValueError", id="sync"),
        pytest.param(raising_async, "raised", "LookupError", id="async"),
        pytest.param(exiting, "raised", "StopIteration", id="stop-iteration"),
        pytest.param(lambda _: None, "bad_id", None, id="none"),
        pytest.param(lambda _: "", "bad_id", None, id="empty"),
        pytest.param(lambda _: "m" * 257, "bad_id", None, id="long"),
        pytest.param(lambda _: "m\ud800", "bad_id", None, id="surrogate"),
    ],
)
@asynchronous
async def test_one_that_fails(open_queue, callback, code, error_type):
    """The claim waits again, edited as it was; the error says why, without its text; a second try can succeed."""
    answers = [callback, Elsewhere()]
    queue = open_queue(lambda pending: answers.pop(0)(pending))
    queue_id = await enqueue(queue, SECRET)
    with pytest.raises(CallbackFailed) as caught:
        await queue.approve(queue_id, "anna", content=f"{SECRET}.")
    assert (caught.value.code, caught.value.error_type) == (code, error_type)
    error = caught.value
    while error is not None:
        assert "sertraline" not in repr(error)
        error = error.__cause__ or error.__context__
    [pending] = await queue.get_pending("anna")
    assert (pending.content, pending.failure, pending.attempts, pending.reviewer) == (f"{SECRET}.", code, 1, None)
    assert await queue.approve(queue_id, "anna") == f"memory-{queue_id}"
    assert actions(await queue.audit_trail(queue_id)) == [
        *("enqueued", "edited", "approving", "failed", "approving", "stored")
    ]


@asynchronous
async def test_one_that_takes_longer_than_the_lease(open_queue):
    """It is given up, and the claim waits again."""
    queue = open_queue(lambda _: asyncio.sleep(60), lease_s=0.05)
    queue_id = await enqueue(queue)
    with pytest.raises(CallbackFailed, match="timed_out"):
        await queue.approve(queue_id, "anna")
    assert (await queue.get_by_id(queue_id, "anna")).failure == "timed_out"


@asynchronous
async def test_a_coroutine_that_comes_too_late_is_closed(open_queue):
    """A sync callback may return an awaitable; after the time limit, nothing waits for it."""
    is_over, late = threading.Event(), asyncio.sleep(0)

    def slow(_):
        is_over.wait()
        return late

    queue = open_queue(slow, lease_s=0.05)
    queue_id = await enqueue(queue)
    with pytest.raises(CallbackFailed, match="timed_out"):
        await queue.approve(queue_id, "anna")
    is_over.set()
    async with asyncio.timeout(PATIENCE_S):
        while inspect.getcoroutinestate(late) != inspect.CORO_CLOSED:
            await asyncio.sleep(0.001)


@asynchronous
async def test_a_sync_one_that_wants_to_end_the_program(open_queue):
    """`SystemExit` ends the thread of the callback, and counts as a failure."""
    queue = open_queue(lambda _: sys.exit(3))
    queue_id = await enqueue(queue)
    with pytest.raises(CallbackFailed, match="raised RuntimeError"):
        await queue.approve(queue_id, "anna")


@asynchronous
async def test_a_sync_one_that_hangs(open_queue):
    """Each callback has a thread of its own, so neither other calls nor the end of the loop wait for it."""
    never = threading.Event()
    queue = open_queue(lambda _: never.wait(), lease_s=0.05)
    ids = [await enqueue(queue, str(number)) for number in range(20)]
    results = await asyncio.gather(*(queue.approve(one, "anna") for one in ids), return_exceptions=True)
    assert {getattr(one, "code", one) for one in results} == {"timed_out"}
    assert len(await queue.get_pending("anna", limit=100)) == 20
    never.set()


@asynchronous
async def test_a_task_that_is_cancelled_leaves_the_claim_to_its_lease(open_queue, clock):
    """As for a killed process, it is unknown whether the memory was stored, so the lease decides."""
    started = asyncio.Event()

    async def hangs(_):
        started.set()
        await asyncio.Event().wait()

    queue = open_queue(hangs, lease_s=60)
    queue_id = await enqueue(queue)
    task = asyncio.create_task(queue.approve(queue_id, "anna"))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await queue.get_pending("anna") == []
    with pytest.raises(AlreadyDecided) as caught:
        await queue.reject(queue_id, "anna")
    assert (caught.value.state, caught.value.reviewer, caught.value.time) == ("processing", "anna", NOON)
    clock.now += timedelta(seconds=60)
    assert contents(await queue.get_pending("anna")) == ["The API uses OAuth2"]


@asynchronous
async def test_64_at_once_store_once(open_queue):
    """One of them stores; the others learn that the claim is in progress or decided (ruling C14)."""
    elsewhere = Elsewhere()

    async def store(pending):
        await asyncio.sleep(0.001)
        return elsewhere(pending)

    for callback in (elsewhere, store):
        queue = open_queue(callback)
        queue_id = await enqueue(queue, f"claim for {callback!r}")
        results = await asyncio.gather(*(queue.approve(queue_id, "anna") for _ in range(64)), return_exceptions=True)
        assert sorted(type(one).__name__ for one in results) == ["AlreadyDecided"] * 63 + ["str"]
        assert elsewhere.calls.count(queue_id) == 1


def test_64_threads_at_once_store_once(open_queue):
    """Each with an event loop of its own."""
    elsewhere = Elsewhere()
    queue = open_queue(elsewhere)
    queue_id = asyncio.run(enqueue(queue))
    barrier, results = threading.Barrier(64), []

    def approve():
        barrier.wait()
        try:
            results.append(asyncio.run(queue.approve(queue_id, "anna")))
        except AlreadyDecided as error:
            results.append(error)

    threads = [threading.Thread(target=approve) for _ in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(one).__name__ for one in results) == ["AlreadyDecided"] * 63 + ["str"]
    assert elsewhere.calls == [queue_id]


def test_64_at_once_store_once_in_one_transaction(location):
    """Where the memory is in the same database."""

    async def work(store, queue):
        queue_id = await enqueue(queue)
        results = await asyncio.gather(*(queue.approve(queue_id, "anna") for _ in range(64)), return_exceptions=True)
        assert sorted(type(one).__name__ for one in results) == ["AlreadyDecided"] * 63 + ["str"]
        assert len(store.find("anna")) == 1

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


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
async def test_a_late_reviewer_finds_the_claim_stored(open_queue, clock):
    """The second has stored it under the same key; the first gets that result."""
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
async def test_the_first_stored_result_counts(open_queue, clock):
    """The memory exists, whoever stored it; the second gets that result."""
    queue, queue_id, paused, first = await two_at_it(open_queue, clock)
    second = asyncio.create_task(queue.approve(queue_id, "anna"))
    await paused.reached.wait()
    paused.calls[0].set()
    assert await first == f"memory-{queue_id}"
    paused.calls[1].set()
    with pytest.raises(AlreadyDecided):
        await second


@asynchronous
async def test_a_late_callback_after_a_rejection(open_queue, clock):
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
async def test_a_late_failure_has_no_effect(open_queue, clock):
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
            assert await queue.integrity_errors() == []

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
