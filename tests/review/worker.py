"""A process that submits, approves and rejects claims until it is killed or told to stop, and says what was done."""

import asyncio
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from groundwire.errors import AlreadyDecided, CallbackFailed, QueueFull
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from review.waiting import enqueue
from waits import PATIENCE_S

REVIEWER = "rita"
LEASE_S = 0.5


class Elsewhere:
    """A store in a folder: one file for each key, made whole or not at all, and not made twice."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def __call__(self, pending) -> str:
        beside = self.folder / f".{pending.queue_id}.{os.getpid()}"
        beside.write_text(pending.content, encoding="utf-8")
        with suppress(FileExistsError):
            os.link(beside, self.folder / pending.queue_id)
        beside.unlink()
        return pending.queue_id

    def memories(self) -> dict[str, str]:
        """What it keeps, by the keys."""
        files = (file for file in self.folder.iterdir() if not file.name.startswith("."))
        return {file.name: file.read_text(encoding="utf-8") for file in files}


@contextmanager
def open_queue(location: str, folder: Path | None) -> Iterator[ReviewQueue]:
    """The queue that all of them share; they review everybody's claims, so that they are in each other's way."""
    callback = None if folder is None else Elsewhere(folder)
    with (
        MemoryStore(location, timeout_s=PATIENCE_S) as store,
        ReviewQueue(callback, store, reviewers=(REVIEWER,), lease_s=LEASE_S, per_user_limit=50) as queue,
    ):
        yield queue


def work(location: str, folder: Path | None, name: str, log: Path, stop: Path) -> None:
    """Run until the file *stop* exists, and write each step to *log*, line by line, after it is done."""
    asyncio.run(_work(location, folder, name, log, stop))


async def _work(location: str, folder: Path | None, name: str, log: Path, stop: Path) -> None:
    chance = random.Random(os.getpid())
    number = log.read_text(encoding="utf-8").count("enqueued") if log.exists() else 0
    said = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def say(*words: str) -> None:
        os.write(said, f"{' '.join(words)}\n".encode())

    with open_queue(location, folder) as queue:
        while not stop.exists():
            with suppress(QueueFull):
                # The one that was under way when the process before this one was killed is submitted again.
                queue_id = await enqueue(queue, f"{name} {number}", name, idempotency_key=f"{name} {number}")
                say("enqueued", queue_id)
                number += 1
            # Together, so that they share a commit.
            found = await queue.find(REVIEWER, limit=8)
            chosen = chance.sample(found, k=min(chance.choice((1, 2, 4)), len(found)))
            await asyncio.gather(*(decide(queue, pending.queue_id, chance.random(), say) for pending in chosen))
    os.close(said)


async def decide(queue: ReviewQueue, queue_id: str, chance: float, say: Callable[..., None]) -> None:
    """Reject three of ten and approve the others; say so when it is done."""
    with suppress(AlreadyDecided, CallbackFailed):
        if chance < 0.3:
            await queue.reject(queue_id, REVIEWER, "no")
            say("rejected", queue_id)
        else:
            await queue.approve(queue_id, REVIEWER)
            say("stored", queue_id)
