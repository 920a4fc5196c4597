"""Serving the page: one process, until it is told to stop."""

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from groundwire.review.web.connections import PageProtocol

__all__ = ["bind", "configuration", "serve"]

_SHUTDOWN_S = 5
_SWITCH_S = 0.001


def bind(host: str, port: int) -> socket.socket:
    """
    Return a socket that listens there; 0 is any port.

    Raises:
        OSError: The address is taken, or not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family)
    listening.setblocking(False)
    return listening


def serve(app: ASGIApp, listening: socket.socket, *, started: Callable[[], None]) -> None:
    """
    Serve *app* until SIGINT or SIGTERM; requests at work are finished first.

    Args:
        app: What to serve.
        listening: Where.
        started: Called once it can be reached.
    """
    # Threads that make bodies give way to the loop, which takes many short steps for a request.
    sys.setswitchinterval(_SWITCH_S)
    asyncio.run(_Server(configuration(app), started).serve(sockets=[listening]))


def configuration(app: ASGIApp) -> uvicorn.Config:
    """Return how *app* is served."""
    return uvicorn.Config(
        app,
        http=PageProtocol,
        ws="none",
        loop="asyncio",
        lifespan="on",
        # Its own log would have the addresses of claims, and tracebacks their words.
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        # Whom to believe is decided by the app.
        proxy_headers=False,
        timeout_graceful_shutdown=_SHUTDOWN_S,
    )


class _Server(uvicorn.Server):
    """One that says when it can be reached, and for which being told to stop is no error."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._tell_started()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
