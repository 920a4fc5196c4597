"""
How many pages a second 50 readers get at once, beside a bare Starlette route that renders the same template.

    python benches/review_page.py

Both apps are served alike, by uvicorn as `groundwire review serve` runs it; the readers
are another process with 50 connections. The bare route has all that is on the page at
hand, and does nothing but render it. Rounds take turns, and what counts is the CPU time of
the server, so that readers and neighbours on the machine do not. Every page is checked
first: both are the same, but for the keys of forms. Exit code 1: the bar is missed.
"""

import asyncio
import http.client
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.http_server import server
from groundwire.memory import MemoryStore
from groundwire.review.web import PrincipalRole, RequestLimits, TokenAuthenticator, TokenStore, create_app
from groundwire.review.web.pages import layout
from groundwire.templating import render
from review import claim_of, open_queue

READERS, PAGES_EACH, ROUNDS = 50, 10, 7
WAITING = 1_000
LEAST_OF_BARE = 1 / 2
NO_LIMITS = RequestLimits(requests_per_s=1e9, requests_at_once=10**9)

Values = tuple[str, str, Mapping[str, Any]]


def bare_app(package: str, template: str, values: Mapping[str, Any]) -> Starlette:
    """An app with one route, which renders what a page was made of."""

    async def page(_: Request) -> Response:
        return HTMLResponse(render(package, template, values))

    return Starlette(routes=[Route("/{path:path}", page)])


def made_of(client: TestClient, path: str) -> Values:
    """The package and the template of a page, and all that is in it."""
    kept: list[Values] = []

    def keep(package: str, template: str, values: Mapping[str, Any]) -> str:
        kept.append((package, template, values))
        return render(package, template, values)

    layout.render, before = keep, layout.render
    try:
        assert client.get(path).status_code == 200
    finally:
        layout.render = before
    return kept[0]


@contextmanager
def served(app: Starlette) -> Iterator[int]:
    """Serve an app in a thread; gives its port."""
    listening = server.bind("127.0.0.1", 0)
    serving = uvicorn.Server(server.configuration(app))
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        serving.should_exit = True
        thread.join()


def read(port: int, path: str, cookie: str, pages: int) -> bytes:
    """Read a page some times by one connection; returns the last one."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for _ in range(pages):
        connection.request("GET", path, headers={"cookie": cookie})
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200
    connection.close()
    return body


def read_together(port: int, path: str, cookie: str) -> None:
    """Read the page with READERS concurrent clients."""
    readers = [threading.Thread(target=read, args=(port, path, cookie, PAGES_EACH)) for _ in range(READERS)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()


def rate(port: int, path: str, cookie: str) -> float:
    """Pages a second of the server's CPU time, while another process reads."""
    command = [sys.executable, __file__, "read", str(port), path, cookie]
    start = time.process_time()
    subprocess.run(command, check=True)
    return READERS * PAGES_EACH / (time.process_time() - start)


def contest(app: Starlette, bare: Starlette, path: str, cookie: str) -> tuple[float, float]:
    """The median rates of both, in rounds that take turns."""
    form_key = re.compile(rb'name="form_key" value="\w+"')
    with served(app) as own_port, served(bare) as bare_port:
        pages = {form_key.sub(b"", read(port, path, cookie, 1)) for port in (own_port, bare_port)}
        assert len(pages) == 1
        measured = [(rate(own_port, path, cookie), rate(bare_port, path, cookie)) for _ in range(ROUNDS)]
    return median(own for own, _ in measured), median(other for _, other in measured)


def measure(store: MemoryStore, tell: Callable[[str], None]) -> bool:
    """Measure the list and the page of one claim; returns whether both reach the bar."""
    queue = open_queue(None, store)

    async def fill() -> list[str]:
        return [await queue.enqueue(**claim_of(number)) for number in range(WAITING)]

    ids = asyncio.run(fill())
    tokens, good = TokenStore(store), True
    app = create_app(queue, auth=TokenAuthenticator(tokens), limits=NO_LIMITS)
    client = TestClient(app, base_url="http://127.0.0.1")
    client.post("/sign-in", data={"token": tokens.issue("rita", PrincipalRole.REVIEWER)[1]})
    cookie = f"groundwire-session={client.cookies['groundwire-session']}"
    for name, path in (("list", "/"), ("claim", f"/claims/{ids[WAITING // 2]}")):
        own, bare = contest(app, bare_app(*made_of(client, path)), path, cookie)
        reached = own >= bare * LEAST_OF_BARE
        good &= reached
        bar = f"at least {LEAST_OF_BARE:.2f}x{'' if reached else ': MISSED'}"
        tell(f"{name:<6} {own:7.0f}  bare {bare:7.0f}  {own / bare:.2f}x  {bar}")
    queue.close()
    return good


def main(argv: list[str]) -> int:
    """Measure, or be the readers."""
    if argv[:1] == ["read"]:
        read_together(int(argv[1]), argv[2], argv[3])
        return 0
    refuse_debug_build()
    print(f"{READERS} readers, {WAITING:,} claims wait, SQLite; pages a second of the server's CPU time")
    with tempfile.TemporaryDirectory() as folder, MemoryStore(Path(folder) / "review.db") as store:
        return 0 if measure(store, print) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
