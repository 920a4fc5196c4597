"""Work in threads: its results, and its end when the caller stops waiting."""

import asyncio
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextvars import ContextVar
from weakref import ref

import pytest

from groundwire.files import FolderFile
from groundwire.ingestion import Citation, CitationType, CitationVerifier
from groundwire.ingestion.verification import deadline
from groundwire.ingestion.verification.adr import AdrVerifier
from groundwire.ingestion.verification.deadline import Deadline, DeadlineExpiredError, run_in_thread
from groundwire.ingestion.verification.git import CommitVerifier
from groundwire.ingestion.verification.http_exchange import resolve_host
from groundwire.ingestion.verification.web import UrlVerifier
from ingestion.verification.servers import client_for
from waits import PATIENCE_S, eventually


def running() -> list[str]:
    """Return the names of the threads that verify something."""
    names = ("groundwire-verify", "groundwire-git")
    return [thread.name for thread in threading.enumerate() if thread.name in names]


@pytest.fixture(autouse=True)
def all_threads_end():
    """Check that no test leaves a thread behind."""
    yield
    eventually(running, [])


async def reached(event: threading.Event) -> None:
    """Wait until *event* is set, without blocking the event loop."""
    async with asyncio.timeout(PATIENCE_S):
        while not event.is_set():
            await asyncio.sleep(0.001)


class Endless:
    """Work that continues step by step until its deadline."""

    def __init__(self) -> None:
        self.started = threading.Event()
        self.has_ended = False
        self.deadline: Deadline | None = None

    def __call__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        try:
            for _ in deadline.each(iter(int, 1)):
                self.started.set()
        finally:
            self.has_ended = True


async def time_out(work: Endless) -> None:
    """Wait for *work*, with a time-out that comes after it has started."""
    async with asyncio.timeout(None) as limit:
        waiting = asyncio.ensure_future(run_in_thread(work))
        await reached(work.started)
        limit.reschedule(asyncio.get_running_loop().time())
        await waiting


async def cancel(work: Endless) -> None:
    """Wait for *work* in a task that is cancelled after it has started."""
    waiting = asyncio.create_task(run_in_thread(work))
    await reached(work.started)
    waiting.cancel()
    await waiting


async def press_ctrl_c(work: Endless) -> None:
    """Wait for *work*, and send SIGINT after it has started."""
    waiting = asyncio.create_task(run_in_thread(work))
    await reached(work.started)
    os.kill(os.getpid(), signal.SIGINT)
    await waiting


def test_the_result_comes_back():
    """The result is that of the work, and the deadline has expired by then."""
    deadlines = []
    assert asyncio.run(run_in_thread(lambda deadline: deadlines.append(deadline) or "done")) == "done"
    assert deadlines[0].left_s() == 0.0


@pytest.mark.parametrize("error", [OSError("no"), DeadlineExpiredError(), KeyError("x")])
def test_an_exception_comes_back(error):
    """The caller gets the same object."""

    def fail(_: Deadline) -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        asyncio.run(run_in_thread(fail))
    assert caught.value is error


def test_the_work_sees_the_context_of_its_caller():
    """As with `asyncio.to_thread`, context variables of a task apply in its threads."""
    setting: ContextVar[str] = ContextVar("setting")

    async def main() -> str:
        setting.set("of the caller")
        return await run_in_thread(lambda _: setting.get())

    assert asyncio.run(main()) == "of the caller"


def test_a_deadline_has_the_time_it_was_given():
    """Without a time it lasts until it is ended; once expired it stays expired."""
    assert Deadline().left_s() == float("inf")
    assert 0.0 < Deadline(60).left_s() <= 60.0
    assert Deadline(0).left_s() == 0.0
    deadline = Deadline(60)
    deadline.check()
    assert list(deadline.each("ab")) == ["a", "b"]
    deadline.expire()
    deadline.expire()
    assert deadline.left_s() == 0.0
    with pytest.raises(DeadlineExpiredError):
        deadline.check()
    assert list(deadline.each("")) == []


def test_items_end_where_the_deadline_expires():
    """The next item is not taken."""
    deadline = Deadline()
    items = deadline.each("abc")
    assert [next(items), next(items)] == ["a", "b"]
    deadline.expire()
    with pytest.raises(DeadlineExpiredError):
        next(items)


@pytest.mark.parametrize(
    ("stop", "error"),
    [(time_out, TimeoutError), (cancel, asyncio.CancelledError), (press_ctrl_c, KeyboardInterrupt)],
    ids=["time-out", "cancelled", "ctrl-c"],
)
@pytest.mark.skipif(sys.platform == "win32", reason="this system has no SIGINT")
def test_work_ends_with_its_caller(stop: Callable, error: type[BaseException]):
    """However the waiting ends, the deadline expires and the thread ends."""
    work = Endless()
    with pytest.raises(error):
        asyncio.run(stop(work))
    assert work.deadline.left_s() == 0.0
    eventually(running, [])
    assert work.has_ended


def test_a_cancelled_caller_waits_for_work_that_ends(monkeypatch):
    """Nothing then runs beside the next step of the event loop."""
    monkeypatch.setattr(deadline, "GRACE_S", PATIENCE_S)
    work = Endless()

    async def main() -> bool:
        with pytest.raises(asyncio.CancelledError):
            await cancel(work)
        return work.has_ended

    assert asyncio.run(main())


def test_a_step_that_cannot_be_interrupted_is_not_awaited(monkeypatch):
    """The event loop ends although such a thread still runs."""
    monkeypatch.setattr(deadline, "GRACE_S", 0.0)
    started, release, ended = threading.Event(), threading.Event(), threading.Event()

    def deaf(_: Deadline) -> None:
        started.set()
        release.wait(PATIENCE_S)
        ended.set()

    async def main() -> None:
        waiting = asyncio.create_task(run_in_thread(deaf))
        await reached(started)
        waiting.cancel()
        await waiting

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    assert not ended.is_set()
    release.set()
    eventually(ended.is_set, True)


def test_a_process_ends_although_a_thread_is_in_a_long_step():
    """The process would wait for an executor's thread."""
    program = (
        "import asyncio, time\n"
        "from groundwire.ingestion.verification.deadline import run_in_thread\n"
        "async def main():\n"
        "    waiting = asyncio.create_task(run_in_thread(lambda _: time.sleep(3600)))\n"
        "    await asyncio.sleep(0)\n"
        "    waiting.cancel()\n"
        "    await asyncio.wait([waiting])\n"
        "asyncio.run(main())\n"
        "print('ended')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    assert (done.stdout, done.stderr) == ("ended\n", "")


def test_threads_at_the_same_time_are_limited(monkeypatch):
    """A service with a thousand claims must not have a thousand threads; each event loop has its own limit."""
    monkeypatch.setattr(deadline, "MAX_THREADS", 3)
    lock, most, now = threading.Lock(), 0, 0

    def work(_: Deadline) -> None:
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
        threading.Event().wait(0.005)
        with lock:
            now -= 1

    async def main() -> None:
        loops.append(ref(asyncio.get_running_loop()))
        await asyncio.gather(*(run_in_thread(work) for _ in range(20)))

    loops: list[ref[asyncio.AbstractEventLoop]] = []
    for _ in range(2):
        asyncio.run(main())
        assert 1 <= most <= 3
    # An ended loop is not kept. A thread that has told its result may not have ended yet.
    eventually(running, [])
    gc.collect()
    assert [loop() for loop in loops] == [None, None]


class Watched(AdrVerifier):
    """Decision records that keep the deadlines of their calls."""

    def __init__(self, folders):
        super().__init__(folders)
        self.deadlines = []

    def verify_ids(self, ids, deadline=None):
        """Verify as usual."""
        self.deadlines.append(deadline)
        return super().verify_ids(ids, deadline)


@pytest.fixture
def read_records(tmp_path, monkeypatch):
    """
    Records of which the third is read until the deadline expires.

    Returns the verifier, the citations, the names of the records read, and what is set at the third.
    """
    for number in range(20):
        (tmp_path / f"ADR-{number}-a.md").write_text("status: accepted\n" * 100, encoding="utf-8")
    records, names, third = Watched([tmp_path]), [], threading.Event()
    read = FolderFile.open

    def opened(file):
        names.append(file.name)
        if len(names) == 3:
            third.set()
            eventually(records.deadlines[0].left_s, 0.0)
        return read(file)

    monkeypatch.setattr(FolderFile, "open", opened)
    return records, [Citation(CitationType.ADR, str(number), 0, 1) for number in range(20)], names, third


def test_a_time_out_ends_the_reading_of_records(read_records):
    """All are unknown, and no further record is read."""
    records, citations, names, _ = read_records
    verifier = CitationVerifier(verifiers={"adr": records}, timeout_s=0.2)
    results = asyncio.run(verifier.verify_many(citations))
    assert {(each.code.value, each.status.value) for each in results} == {("timed_out", "unknown")}
    eventually(running, [])
    assert len(names) <= 3


def test_a_cancelled_task_ends_the_reading_of_records(read_records):
    """The caller is in the middle of its records."""
    records, citations, names, third = read_records
    verifier = CitationVerifier(verifiers={"adr": records}, timeout_s=3600)

    async def main() -> None:
        waiting = asyncio.create_task(verifier.verify_many(citations))
        await reached(third)
        waiting.cancel()
        await waiting

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    eventually(running, [])
    assert len(names) == 3


@pytest.mark.parametrize("call", [CommitVerifier.verify, CommitVerifier.read], ids=["verify", "read"])
@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_a_cancelled_task_kills_git(tmp_path, call):
    """It does not wait for git's own time limit."""
    program, pid_file = tmp_path / "git", tmp_path / "pid"
    program.write_text(f"#!/bin/sh\necho $$ > {pid_file}.new; mv {pid_file}.new {pid_file}\nexec sleep 3600\n")
    program.chmod(0o755)
    commits = CommitVerifier(tmp_path, git=str(program), timeout_s=3600)

    async def main() -> None:
        waiting = asyncio.create_task(call(commits, Citation(CitationType.COMMIT, "0" * 7, 0, 7)))
        async with asyncio.timeout(PATIENCE_S):
            while not pid_file.exists():
                await asyncio.sleep(0.001)
        waiting.cancel()
        await waiting

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    eventually(running, [])
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


def test_a_time_out_does_not_wait_for_the_name_server(monkeypatch):
    """Nothing can interrupt the system's resolver; the result comes without it."""
    monkeypatch.setattr(deadline, "GRACE_S", 0.0)
    release, answered = threading.Event(), threading.Event()

    def ask(*_, **__):
        release.wait(PATIENCE_S)
        answered.set()
        return []

    monkeypatch.setattr(socket, "getaddrinfo", ask)
    client = client_for(timeout_s=0.2, resolver=resolve_host)
    page = Citation(CitationType.URL, "http://slow.com/", 0, 1)
    result = asyncio.run(UrlVerifier(client).verify(page))
    assert (result.code, answered.is_set()) == ("timed_out", False)
    release.set()
