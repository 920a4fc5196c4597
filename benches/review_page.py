"""
How many pages a second 50 readers get at once, beside a bare Starlette route that renders the same template.

    python benches/review_page.py

Both apps are called as a server calls them, in one process, by 50 tasks, in rounds that
take turns; the bare one has the values of the page at hand, and does nothing but render
them. Every page is checked first: they are the same, but for the keys of forms. Exit code
1: the bar is missed.
"""

import asyncio
import re
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from groundwire.review.web import Limits, Role, TokenAuth, Tokens, create_app
from groundwire.review.web.pages import frame
from groundwire.review.web.rendering import render
from review import claim_of, open_queue

READERS, PAGES_EACH, ROUNDS = 50, 4, 9
WAITING = 1_000
LEAST_OF_BARE = 1 / 2
HOST = "http://127.0.0.1"
NO_LIMITS = Limits(requests_per_s=1e9, requests_at_once=10**9)


def rendered(values: Any) -> Starlette:
    """A bare app with one route, which renders what a page was made of."""
    template, said = values

    async def page(_: Request) -> Response:
        return HTMLResponse(render(template, said))

    return Starlette(routes=[Route("/{path:path}", page)])


def captured(client: TestClient, path: str) -> tuple[str, dict[str, Any]]:
    """The template of a page and all that is in it."""
    kept: list[tuple[str, dict[str, Any]]] = []
    before, frame.render = (
        frame.render,
        lambda template, values: kept.append((template, values)) or before(template, values),
    )
    try:
        assert client.get(path).status_code == 200
    finally:
        frame.render = before
    return kept[0]


async def ask(app: Starlette, path: str, headers: list[tuple[bytes, bytes]]) -> bytes:
    """One request, as a server passes it on; returns the body."""
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": headers,
        "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1), "state": {},
    }  # fmt: skip
    parts: list[bytes] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        parts.append(message.get("body", b""))

    await app(scope, receive, send)
    return b"".join(parts)


async def rate(app: Starlette, path: str, headers: list[tuple[bytes, bytes]]) -> float:
    """Pages a second, by the clock, that READERS tasks get."""

    async def read() -> None:
        for _ in range(PAGES_EACH):
            await ask(app, path, headers)

    start = time.perf_counter()
    await asyncio.gather(*(read() for _ in range(READERS)))
    return READERS * PAGES_EACH / (time.perf_counter() - start)


def contest(ours: Starlette, bare: Starlette, path: str, headers: list[tuple[bytes, bytes]]) -> tuple[float, float]:
    """The median rates of both, in rounds that take turns."""

    async def rounds() -> Iterable[tuple[float, float]]:
        own_keys = re.compile(rb'name="form_key" value="\w+"')
        pages = [own_keys.sub(b"", await ask(app, path, headers)) for app in (ours, bare)]
        assert pages[0] == pages[1]
        return [(await rate(ours, path, headers), await rate(bare, path, headers)) for _ in range(ROUNDS)]

    measured = asyncio.run(rounds())
    return median(one for one, _ in measured), median(other for _, other in measured)


def main() -> int:
    """Measure the list and the page of one claim."""
    refuse_debug_build()
    missed = False
    with tempfile.TemporaryDirectory() as folder, MemoryStore(Path(folder) / "review.db") as store:
        queue: ReviewQueue = open_queue(None, store)

        async def fill() -> list[str]:
            return [await queue.enqueue(**claim_of(number)) for number in range(WAITING)]

        ids = asyncio.run(fill())
        tokens = Tokens(store)
        app = create_app(queue, auth=TokenAuth(tokens), limits=NO_LIMITS)
        client = TestClient(app, base_url=HOST)
        client.post("/sign-in", data={"token": tokens.issue("rita", Role.REVIEWER)[1]})
        cookie = f"groundwire-session={client.cookies['groundwire-session']}".encode()
        headers = [(b"host", b"127.0.0.1"), (b"cookie", cookie)]
        print(f"{READERS} readers, {WAITING:,} claims wait, SQLite; pages a second")
        for name, path in (("list", "/"), ("claim", f"/claims/{ids[WAITING // 2]}")):
            own, bare = contest(app, rendered(captured(client, path)), path, headers)
            good = own >= bare * LEAST_OF_BARE
            missed |= not good
            print(
                f"{name:<6} {own:7.0f}  bare {bare:7.0f}  {own / bare:.2f}x  at least {LEAST_OF_BARE:.2f}x {'' if good else 'MISSED'}"
            )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
