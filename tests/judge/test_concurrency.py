"""One judge with many callers: its limit, its thread, and its end."""

import asyncio
import gc
import itertools
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from groundwire.judge import LLMJudge
from judge.cases import ANSWER, QUESTION, RESULTS, written
from judge.scripted_server import after, chunks, stalls, writes
from waits import PATIENCE_S, eventually

CASE = (QUESTION, ANSWER, RESULTS)


EARLIER: set[threading.Thread] = set()
"""What other tests have left to end by itself."""


@pytest.fixture(autouse=True)
def _earlier_threads():
    EARLIER.update(threading.enumerate())
    yield
    EARLIER.clear()


def judge_threads() -> list[str]:
    """Return the names of the threads of judges that this test has started and that are alive."""
    threads = [thread for thread in threading.enumerate() if thread not in EARLIER]
    return [thread.name for thread in threads if thread.name.startswith("groundwire-openai")]


def threads_of_used_judges() -> list[str]:
    """Return the same after a collection: the loop of a judge may hold it for a moment after its last judgement."""
    gc.collect()
    return judge_threads()


def test_threads_and_tasks_share_one_limit(serve, judge_of):
    """Blocking callers and those of another loop together never exceed `concurrency`."""
    pair = threading.Barrier(2)

    def together(handler):
        pair.wait(PATIENCE_S)
        # A third request has time to arrive.
        after(0.05, writes(written()))(handler)

    server = serve(together)
    judge = judge_of(server, concurrency=2)

    async def ask_often():
        return await asyncio.gather(*(judge.ajudge(*CASE) for _ in range(4)))

    with ThreadPoolExecutor(5) as callers:
        tasks = callers.submit(asyncio.run, ask_often())
        blocking = [callers.submit(judge.judge, *CASE) for _ in range(4)]
        judgements = [*tasks.result(), *(each.result() for each in blocking)]
    assert [each.status for each in judgements] == ["ok"] * 8
    assert (len(server.requests), server.most_at_once) == (8, 2)


def test_waiting_for_a_turn_does_not_count(serve, judge_of):
    """The last of a long queue has as much time as the first."""
    judge = judge_of(serve(after(0.2, writes(written()))), concurrency=1, timeout_s=5.0)

    async def ask_often():
        return await asyncio.gather(*(judge.ajudge(*CASE) for _ in range(30)))

    # One after the other, they take six seconds.
    assert [each.status for each in asyncio.run(ask_often())] == ["ok"] * 30


def test_a_server_that_drips_keeps_no_caller_and_no_connection(serve, judge_of):
    """Threads and two event loops get their time-outs, and every request is aborted."""
    server = serve(chunks(itertools.repeat(b" "), pause_s=0.05))
    judge = judge_of(server, concurrency=60, timeout_s=0.5)

    async def ask_often():
        return await asyncio.gather(*(judge.ajudge(*CASE) for _ in range(10)))

    with ThreadPoolExecutor(42) as callers:
        loops = [callers.submit(lambda: asyncio.run(ask_often())) for _ in range(2)]
        blocking = [callers.submit(judge.judge, *CASE) for _ in range(40)]
        judgements = [*(each for loop in loops for each in loop.result()), *(each.result() for each in blocking)]
    assert {each.error for each in judgements} == {"timeout"}
    assert len(judgements) == 60
    eventually(lambda: server.under_way, 0)


def test_a_judge_outlives_the_loops_of_its_callers(serve, judge_of):
    """Each `asyncio.run` has its own loop; the connection is shared."""
    server = serve(writes(written()))
    judge = judge_of(server)
    for _ in range(3):
        assert asyncio.run(judge.ajudge(*CASE)).status == "ok"
    assert judge.judge(*CASE).status == "ok"
    assert len({headers["host"] for headers in server.headers}) == 1


def test_a_blocking_call_inside_a_running_loop_works(serve, judge_of):
    """It blocks that loop, as documented."""
    judge = judge_of(serve(writes(written())))

    async def ask():
        return judge.judge(*CASE)

    assert asyncio.run(ask()).status == "ok"


def test_cancelling_a_task_releases_its_slot(serve, judge_of):
    """The request is aborted."""
    server = serve(stalls, writes(written()))
    judge = judge_of(server, concurrency=1)

    async def ask():
        task = asyncio.create_task(judge.ajudge(*CASE))
        while not server.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await judge.ajudge(*CASE)

    assert asyncio.run(ask()).status == "ok"


def test_closing_ends_the_thread_and_refuses_later_calls(serve, judge_of):
    """Both methods close it, and a second call is harmless."""
    judge = judge_of(serve(writes(written())))
    judge.judge(*CASE)
    assert judge_threads()
    judge.close()
    judge.close()
    assert judge_threads() == []
    with pytest.raises(RuntimeError, match="this judge is closed"):
        judge.judge(*CASE)
    with pytest.raises(RuntimeError, match="this judge is closed"):
        asyncio.run(judge.ajudge(*CASE))


def test_closing_cancels_running_judgements(serve, judge_of):
    """The callers do not wait for the server."""
    server = serve(stalls)
    judge = judge_of(server)
    with ThreadPoolExecutor(1) as callers:
        waiting = callers.submit(judge.judge, *CASE)
        while not server.requests:
            time.sleep(0.01)
        judge.close()
        with pytest.raises(RuntimeError, match="this judge is closed"):
            waiting.result()


@pytest.mark.parametrize("way", ["with", "async-with"])
def test_a_block_closes_its_judge(serve, way):
    """This holds for `with` and `async with`."""
    server = serve(writes(written()))

    async def ask():
        async with LLMJudge("strong", base_url=server.url, two_step=False) as judge:
            return await judge.ajudge(*CASE)

    if way == "with":
        with LLMJudge("strong", base_url=server.url, two_step=False) as judge:
            assert judge.judge(*CASE).status == "ok"
    else:
        assert asyncio.run(ask()).status == "ok"
    assert judge_threads() == []


def test_a_judge_that_was_never_used_has_no_thread():
    """The thread is created on first use."""
    with LLMJudge("strong", base_url="http://127.0.0.1:1/v1"):
        assert judge_threads() == []


def test_an_unreferenced_judge_ends_its_thread(serve):
    """This holds without `close`, when it is garbage collected."""
    judge = LLMJudge("strong", base_url=serve(writes(written())).url, two_step=False)
    judge.judge(*CASE)
    del judge
    eventually(threads_of_used_judges, [])


def test_an_unreferenced_judge_ends_after_its_judgement(serve):
    """Its last task keeps it alive, and its thread cannot wait for itself."""
    judge = LLMJudge("strong", base_url=serve(after(0.3, writes(written()))).url, two_step=False)
    # No public call returns before its judgement without keeping the judge.
    future = judge._client.submit(partial(judge._judge, *CASE))  # noqa: SLF001 - as above
    assert "groundwire-openai" in judge_threads()
    del judge
    gc.collect()
    assert future.result().status == "ok"
    eventually(threads_of_used_judges, [])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_starts_a_new_thread(serve, judge_of):
    """The child has the parent's loop without its thread; it must not wait for it, nor use its connections."""
    judge = judge_of(serve(writes(written())))
    judge.judge(*CASE)
    child = os.fork()
    if not child:
        os._exit(0 if judge.judge(*CASE).status == "ok" else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert judge.judge(*CASE).status == "ok"
