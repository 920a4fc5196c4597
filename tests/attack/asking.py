"""Ask every question about each of many damaged databases, and print the outcomes as lines of JSON."""

import asyncio
import contextlib
import faulthandler
import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from groundwire.cli import main
from groundwire.errors import GroundwireError
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from groundwire.review.web import TokenStore
from memory.claims import NOON, claim


def command(*arguments: str) -> str:
    """Run a command in this process; return its standard error and its exit code."""
    errors = io.StringIO()
    argv, sys.argv = sys.argv, ["groundwire", *arguments]
    try:
        with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())), contextlib.redirect_stderr(errors):
            code = main()
    finally:
        sys.argv = argv
    if code not in (0, 1, 2) or "unexpected" in errors.getvalue():
        raise RuntimeError(f"exit code {code}")
    return f"{code} {errors.getvalue()}"


def queue_calls(store: MemoryStore) -> dict[str, Callable]:
    """Return the questions to the review queue, each on its own queue."""

    def ask(name: str, *values: object, **more: object) -> object:
        with ReviewQueue(None, store, reviewers=("rita",)) as queue:
            return asyncio.run(getattr(queue, name)(*values, **more))

    def decide() -> object:
        waiting = ask("find", "rita", limit=3)
        return ask("approve_many", [one.queue_id for one in waiting], "rita")

    return {
        "queue": lambda: ask("verify"),
        "list": lambda: ask("find", "rita"),
        "excerpts": lambda: ask("excerpts", "rita"),
        "candidates": lambda: ask("candidates", "", "anna"),
        "counts": lambda: ask("counts", "rita", failed_check="citation_present"),
        "trail": lambda: ask("audit_trail"),
        "expire": lambda: ask("expire"),
        "decide": decide,
        "erase": lambda: ask("erase_user", "carl"),
    }


def questions(file: Path, copy: Path) -> dict[str, Callable]:
    """Return every question by name; those that write get a copy of the file."""

    def with_store(work: Callable[[MemoryStore], object]) -> Callable:
        def run() -> object:
            shutil.copyfile(file, copy)
            for log in (f"{copy}-wal", f"{copy}-shm"):
                Path(log).unlink(missing_ok=True)
            with MemoryStore(copy) as store:
                return work(store)

        return run

    calls = {
        "integrity_errors": with_store(lambda store: store.integrity_errors()),
        "find": with_store(lambda store: store.find(None, status=None)),
        "records": with_store(lambda store: list(store.records())),
        "anchor": with_store(lambda store: store.anchor().as_json()),
        "changes": with_store(lambda store: store.changes(0)),
        "tokens": with_store(lambda store: (TokenStore(store).issued(), TokenStore(store).reviewers())),
        "revoke": with_store(lambda store: store.revoke_source("ADR-004", time=NOON)),
        "add": with_store(lambda store: store.add(claim("late"), time=NOON)),
        "erase user": with_store(lambda store: store.erase_user("anna", time=NOON)),
    }
    for name in queue_calls(None):
        calls[f"queue {name}"] = with_store(lambda store, name=name: queue_calls(store)[name]())
    calls["verify-audit"] = lambda: command("review", "verify-audit", str(file))
    calls["export"] = lambda: command("memory", "export", "--database", str(file))
    calls["review export"] = lambda: command("review", "export", str(file))
    return calls


def ask_all(folder: Path, number: int) -> dict[str, object]:
    """Ask every question about one file."""
    said, broken = {}, {}
    for name, call in questions(folder / f"{number}.db", folder / "copy.db").items():
        try:
            answer = call()
        except GroundwireError as error:
            said[name] = str(error)
        except Exception as error:
            broken[name] = type(error).__name__
        else:
            if name in ("integrity_errors", "verify-audit"):
                said[name] = str(answer)
    return {"number": number, "said": said, "broken": broken}


if __name__ == "__main__":
    # A question that hangs is reported with its stack.
    for asked in range(int(sys.argv[2])):
        faulthandler.dump_traceback_later(60, exit=True, file=sys.stdout)
        print(json.dumps(ask_all(Path(sys.argv[1]), asked)), flush=True)
