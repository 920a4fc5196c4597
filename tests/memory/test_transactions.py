"""Transactions of several processes and threads, also of killed ones, are complete or have no effect."""

import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from effort import effort
from groundwire.errors import MemoryExistsError
from groundwire.memory import MemoryStatus, MemoryStore
from memory.claims import NOON, claim, ids
from memory.writer import GROUP
from waits import PATIENCE_S

WRITER = Path(__file__).with_name("writer.py")
KILLS = effort(4, 40)


def start(location: str, name: str, groups: int) -> subprocess.Popen:
    """A writer that waits for a line."""
    command = [sys.executable, str(WRITER), location, name, str(groups)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def go(process: subprocess.Popen) -> None:
    """Send it the line."""
    process.stdin.write("\n")
    process.stdin.flush()


def test_a_killed_writer_leaves_whole_transactions(location):
    """Confirmed work is in the database, unconfirmed work completely or not at all, and the audit agrees."""
    chance = random.Random(3)
    for turn in range(KILLS):
        name = f"w{turn}"
        process = start(location, name, 1000)
        go(process)
        said = [process.stdout.readline() for _ in range(1 + chance.randrange(4))]
        time.sleep(chance.random() * 0.03)
        process.kill()
        # Not `communicate`, which loses lines that `readline` has read ahead.
        with process:
            said += process.stdout.read().splitlines()
        with MemoryStore(location) as store:
            assert store.integrity_errors() == []
            check_groups(store, name, {tuple(line.split()) for line in said})


def check_groups(store: MemoryStore, name: str, said: set[tuple[str, str]]) -> None:
    """Each group is there wholly, in review, or not at all; at most one is ahead of what was said."""
    there = ids(store.find(name, status=None))
    assert there == ids(store.find(name, status=MemoryStatus.REVIEW))
    groups = {memory_id.split("-")[1] for memory_id in there}
    assert len(there) == GROUP * len(groups)
    stored = {group for action, group in said if action == "stored"}
    erased = {group for action, group in said if action == "erased"}
    last = str(max(map(int, stored)))
    assert stored - erased - groups <= {last}
    assert groups & erased == set()
    assert groups - stored <= {str(int(last) + 1)}


def test_four_processes_open_and_fill_a_new_database(location):
    """All at once: each of them may be the one that makes the tables, and none of them loses a write."""
    writers = {f"w{number}": start(location, f"w{number}", 10) for number in range(4)}
    for process in writers.values():
        go(process)
    for process in writers.values():
        process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0
    with MemoryStore(location) as store:
        assert store.integrity_errors() == []
        for name in writers:
            assert len(store.find(name, status=None)) == 5 * GROUP
        changes = store.changes(0)
        assert [change.sequence for change in changes] == list(range(1, 4 * (10 * 2 + 5) * GROUP + 1))
        # What belongs to one transaction stands together: a group is stored and then sent to review.
        firsts = [change.memory_id for change in changes if change.memory_id.endswith("-0")]
        assert len(firsts) == 4 * (10 * 2 + 5)


def test_threads_share_a_store(store):
    """They take turns: each write happens once, and readers see whole transactions."""

    def work(number: int) -> int:
        with store.transaction():
            store.add(claim(f"a{number}"), time=NOON)
            store.add(claim(f"b{number}"), time=NOON)
        return len(store.find("anna"))

    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(work, range(40)))
    assert all(count % 2 == 0 for count in seen)
    assert len(store.find("anna")) == 80


@pytest.mark.parametrize("is_caught", [True, False])
def test_a_transaction_is_done_wholly_or_not_at_all(store, is_caught):
    """An inner failure that is caught undoes its own part; one that passes undoes everything."""

    mine = store.hash_of("person", "?%s")

    def both() -> None:
        with store.transaction() as database:
            store.add(claim("a"), time=NOON)
            database.execute("INSERT INTO memory_actors (actor_hash, actor) VALUES (?, ?)", (mine, "?%s"))
            try:
                with store.transaction():
                    store.add(claim("b"), time=NOON)
                    store.add(claim("a"), time=NOON)
            except MemoryExistsError:
                if not is_caught:
                    raise
            store.add(claim("c"), time=NOON)

    if is_caught:
        both()
    else:
        with pytest.raises(MemoryExistsError):
            both()
    assert ids(store.find("anna")) == (["a", "c"] if is_caught else [])
    assert store.position() == (2 if is_caught else 0)
    with store.transaction() as database:
        rows = database.execute("SELECT actor FROM memory_actors WHERE actor_hash = ?", (mine,))
    assert rows == ([("?%s",)] if is_caught else [])


def test_an_interrupted_transaction_is_undone(store):
    """Ctrl-C is no reason to keep half of it, and the store goes on."""

    def interrupted() -> None:
        with store.transaction():
            store.add(claim("a"), time=NOON)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert store.position() == 0
    store.add(claim("a"), time=NOON)
    assert ids(store.find("anna")) == ["a"]


def test_a_reading_transaction_cannot_write(store):
    """Whoever reads while changing would see neither the one state nor the other."""
    with store.snapshot(), pytest.raises(RuntimeError):
        store.add(claim(), time=NOON)
    assert store.find("anna") == []
