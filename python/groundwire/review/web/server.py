"""Serving the page: one process, until it is told to stop."""

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["bind", "configuration", "serve"]

HEAD_TIMEOUT_S = 10.0
"""How long the head of a request may take to arrive. uvicorn itself would wait for ever."""

_CONNECTIONS_MAX = 500
_SHUTDOWN_S = 5


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
    asyncio.run(_Server(configuration(app), started).serve(sockets=[listening]))


def configuration(app: ASGIApp) -> uvicorn.Config:
    """Return how *app* is served."""
    return uvicorn.Config(
        app,
        http=_ImpatientProtocol,
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
        limit_concurrency=_CONNECTIONS_MAX,
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


class _ImpatientProtocol(H11Protocol):
    """HTTP/1.1 that does not wait for heads of requests that come too slowly."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._forget()

    def _watch(self) -> None:
        """Begin to wait for a head, go on with it, or end it."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._forget()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_TIMEOUT_S, self.transport.close)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
