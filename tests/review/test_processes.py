"""Four processes at once, killed at any moment: nothing is lost, nothing is stored twice, the audit is whole."""

import asyncio
import multiprocessing
import os
import random
import time
from contextlib import suppress
from pathlib import Path

import pytest

from effort import effort
from groundwire.errors import CallbackFailed
from groundwire.memory import MemoryStore
from groundwire.review import QueueState
from review.worker import LEASE_S, REVIEWER, Elsewhere, open_queue, work
from waits import PATIENCE_S, eventually

WORKERS = 4
KILLS = int(os.environ.get("GROUNDWIRE_KILLS", effort(6, 60)))

# A server that has imported everything, and of which workers are forked: the next one is there at once.
FORKS = multiprocessing.get_context("forkserver")


@pytest.mark.parametrize("is_elsewhere", [False, True], ids=["one-transaction", "callback"])
def test_killed_processes(location, tmp_path, is_elsewhere):
    """Each moment is somewhere in submitting, approving or rejecting; a killed one is followed by another."""
    FORKS.set_forkserver_preload(["review.worker", "groundwire.review.queue", "groundwire.review.repository"])
    folder = tmp_path / "elsewhere" if is_elsewhere else None
    run_and_kill(location, folder, tmp_path)
    asyncio.run(drain(location, folder))
    with MemoryStore(location) as store, open_queue(location, folder) as queue:
        assert asyncio.run(queue.integrity_errors()) == []
        told = [line.split() for log in tmp_path.glob("*.log") for line in log.read_text(encoding="utf-8").splitlines()]
        items = asyncio.run(decided(queue))
        check_what_was_told(told, items)
        memories = Elsewhere(folder).memories() if folder else {one.id: one.content for one in store.find(None)}
        check_memories(items, memories, {} if folder is None else asyncio.run(begun(queue)))


def run_and_kill(location: str, folder: Path | None, tmp_path: Path) -> None:
    """Keep four workers at work, kill one after the other, and stop."""
    chance, stop = random.Random(11), tmp_path / "stop"

    def start(number: int):
        arguments = (location, folder, f"w{number}", tmp_path / f"w{number}.log", stop)
        process = FORKS.Process(target=work, args=arguments)
        process.start()
        return process

    workers = [start(number) for number in range(WORKERS)]
    for _ in range(KILLS):
        time.sleep(chance.uniform(0.02, 0.3))
        number = chance.randrange(WORKERS)
        workers[number].kill()
        workers[number].join()
        workers[number] = start(number)
    # On a busy machine some are killed before they have done anything.
    logs = [tmp_path / f"w{number}.log" for number in range(WORKERS)]

    def is_done() -> bool:
        return sum(log.read_text(encoding="utf-8").count("\n") for log in logs if log.exists()) >= 3 * KILLS

    eventually(is_done, True)
    stop.touch()
    for process in workers:
        process.join(PATIENCE_S)
        assert process.exitcode == 0


async def drain(location: str, folder: Path | None) -> None:
    """Approve what is left, once the leases of killed ones are over."""
    time.sleep(LEASE_S)
    with open_queue(location, folder) as queue:
        while pending := await queue.find(REVIEWER):
            for one in pending:
                # On a busy machine the callback may outlast its lease; then the claim waits again.
                with suppress(CallbackFailed):
                    await queue.approve(one.queue_id, REVIEWER)
        assert (await queue.counts(REVIEWER))[QueueState.PENDING] == 0


async def decided(queue) -> dict:
    """All claims by their ids."""
    items = {}
    for state in (QueueState.STORED, QueueState.REJECTED):
        after = 0
        while page := await queue.find(REVIEWER, state=state, after=after, limit=500):
            items |= {one.queue_id: one for one in page}
            after = page[-1].place
    return items


async def begun(queue) -> dict[str, list[str]]:
    """What was done to each claim."""
    trail: dict[str, list[str]] = {}
    for entry in await queue.audit_trail():
        trail.setdefault(entry.queue_id, []).append(str(entry.action))
    return trail


def check_what_was_told(told: list[list[str]], items: dict) -> None:
    """What a worker said was done is so; each was done once; and no text was taken in twice."""
    assert len(told) >= 3 * KILLS
    for action, queue_id in told:
        assert action == "enqueued" or items[queue_id].state == action
    assert {queue_id for _, queue_id in told} <= items.keys()
    final = [queue_id for action, queue_id in told if action != "enqueued"]
    assert len(final) == len(set(final))
    assert len({one.content for one in items.values()}) == len(items)


def check_memories(items: dict, memories: dict[str, str], trail: dict[str, list[str]]) -> None:
    """
    Each memory is stored once, and nothing else is.

    Elsewhere there may be one more for a claim that was rejected after the process that stored it was killed.
    """
    stored = {queue_id: one.content for queue_id, one in items.items() if one.state is QueueState.STORED}
    assert stored.items() <= memories.items()
    assert len(set(memories.values())) == len(memories)
    assert all("approving" in trail[queue_id] for queue_id in memories.keys() - stored.keys())
