"""Serve apps in a thread, start the commands that serve, and connect to them."""

import asyncio
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPResponse

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from cli.command import environment
from groundwire.http_server import server
from waits import PATIENCE_S, eventually

# This proves that tests wait for pages: each answer is delayed, in seconds.
SLOW_PAGES_S = float(os.environ.get("GROUNDWIRE_SLOW_PAGES", "0"))

_ADDRESS = re.compile(r"groundwire(?: review)?: (http://\S+)/ \(Ctrl-C stops it\)\n")


@contextmanager
def live(app: Starlette) -> Iterator[str]:
    """Serve an app in a thread as the commands do; yield its address."""
    listening = server.bind("127.0.0.1", 0)
    serving = uvicorn.Server(server.configuration(_slowed(app)))
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    eventually(lambda: serving.started, True)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        serving.should_exit = True
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def _slowed(app: ASGIApp) -> ASGIApp:
    """Return the app with delayed answers, if requested."""

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await asyncio.sleep(SLOW_PAGES_S)
        await app(scope, receive, send)

    return slow if SLOW_PAGES_S else app


def start(*arguments: str, **variables: str) -> subprocess.Popen[str]:
    """Start Python with these arguments, for a command that serves."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment({"PYTHONUNBUFFERED": "1", **variables}),
    )


def address_of(process: subprocess.Popen[str]) -> str:
    """Return the address that a command prints when it serves."""
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline()
    found = _ADDRESS.fullmatch(line)
    assert found, (line, process.poll() is not None and process.stderr.read())
    return found[1]


@contextmanager
def commands(*command: str) -> Iterator[Callable[..., tuple[subprocess.Popen[str], str]]]:
    """
    Yield a function that starts `groundwire` with *command* and further options on a free port.

    It returns the process and its address. At the end, all processes end.
    """
    started = []

    def start_command(*options: str, **variables: str) -> tuple[subprocess.Popen[str], str]:
        process = start("-m", "groundwire", *command, "--port", "0", *options, **variables)
        started.append(process)
        return process, address_of(process)

    try:
        yield start_command
    finally:
        for process in started:
            process.kill()
            process.communicate()


def connect(address: str) -> socket.socket:
    """Return a connection to a server."""
    host, port = address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE_S)


def is_listening(address: str) -> bool:
    """Return whether a server accepts new connections."""
    try:
        connect(address).close()
    except ConnectionRefusedError:
        return False
    return True


def status_of(client: socket.socket) -> int:
    """Return the status of the next answer on a connection. Its head may arrive in pieces."""
    answer = HTTPResponse(client)
    answer.begin()
    return answer.status


def await_continue(client: socket.socket) -> None:
    """Wait until the server asks for the body of a request with `Expect: 100-continue`."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        part = client.recv(1)
        assert part, f"the server closed the connection after {head!r}"
        head += part
    assert head.startswith(b"HTTP/1.1 100 "), head


def answer_to(address: str, sent: bytes) -> bytes:
    """Send bytes to a server, and return its whole answer; empty if it only closes the connection."""
    answer = b""
    with connect(address) as client:
        # A client that is refused in the middle of a request cannot send the rest of it.
        with suppress(OSError):
            client.sendall(sent)
            client.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            while part := client.recv(65_536):
                answer += part
    return answer
