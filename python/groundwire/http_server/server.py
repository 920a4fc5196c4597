"""Runs an app over HTTP: one uvicorn process with strict parsing, time-outs, and a limit of connections."""

import asyncio
import re
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

__all__ = [
    "CONNECTIONS_MAX",
    "HEAD_BYTES_MAX",
    "HEAD_TIMEOUT_S",
    "READ_BYTES_MIN",
    "READ_TIMEOUT_S",
    "HttpProtocol",
    "StrictConnection",
    "bind",
    "configuration",
    "serve",
]

_SHUTDOWN_S = 5
_SWITCH_S = 0.001


def bind(host: str, port: int) -> socket.socket:
    """
    Return a listening socket; port 0 selects any free port.

    Raises:
        OSError: The address is in use, or not an address of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family)
    listening.setblocking(False)
    return listening


def serve(app: ASGIApp, listening: socket.socket, *, started: Callable[[], None]) -> None:
    """
    Serve *app* until SIGINT or SIGTERM, and finish active requests first.

    Args:
        app: The app.
        listening: The socket.
        started: Called when the server accepts connections.
    """
    # Threads that make bodies must yield often to the loop, which takes many short steps for a request.
    sys.setswitchinterval(_SWITCH_S)
    asyncio.run(_Server(configuration(app), started).serve(sockets=[listening]))


def configuration(app: ASGIApp) -> uvicorn.Config:
    """Return the configuration of uvicorn."""
    return uvicorn.Config(
        app,
        http=HttpProtocol,
        ws="none",
        loop="asyncio",
        lifespan="on",
        # uvicorn's log would contain addresses with names, and tracebacks with texts.
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        # The app itself decides which proxies it trusts.
        proxy_headers=False,
        timeout_graceful_shutdown=_SHUTDOWN_S,
    )


class _Server(uvicorn.Server):
    """A server that calls back when it accepts connections, and ends without an error on a signal."""

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


HEAD_TIMEOUT_S = 10.0
"""The maximum time for the head of a request, in seconds."""

READ_TIMEOUT_S = 10.0
"""The maximum time in which a client reads `READ_BYTES_MIN` of its response, in seconds."""

READ_BYTES_MIN = 16 * 1024
"""The minimum number of bytes that a client reads within `READ_TIMEOUT_S`."""

CONNECTIONS_MAX = 500
"""The maximum number of open connections; beyond it, those that waited longest for their client are closed."""


class HttpProtocol(H11Protocol):
    """
    HTTP/1.1 with time-outs for slow clients.

    uvicorn only limits the pause between two requests. This protocol also limits the arrival of heads and the reading
    of responses; the app limits bodies.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn: StrictConnection = StrictConnection(h11.SERVER, HEAD_BYTES_MAX)
        self._head_timer: asyncio.TimerHandle | None = None
        self._read_timer: asyncio.TimerHandle | None = None
        self._unread_bytes = 0
        self._waits_since = 0.0

    def connection_made(self, transport: Any) -> None:
        """Start to wait for a head."""
        super().connection_made(transport)
        # asyncio does this only for sockets that name their protocol, which those of `create_server` do not. Without
        # it, the body of a response waits 40 ms until the client has acknowledged the head.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Call `pause_writing` from the first byte on.
        transport.set_write_buffer_limits(high=0)
        self._waits_since = self.loop.time()
        self._make_room()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Process bytes from the client."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._waits_since = self.loop.time()
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        super().connection_lost(exc)
        self._stop_head_timer()
        self._stop_read_timer()

    def pause_writing(self) -> None:
        """Start to wait for the client to read."""
        super().pause_writing()
        self._unread_bytes = self.transport.get_write_buffer_size()
        self._read_timer = self.loop.call_later(READ_TIMEOUT_S, self._check_reader)

    def resume_writing(self) -> None:
        """Continue, because the client has read everything."""
        super().resume_writing()
        self._stop_read_timer()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 # `refusal` says more than h11's message
        """Refuse the request, and close the connection."""
        status, words = self.conn.refusal
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            headers = [("content-type", "text/plain; charset=utf-8"), ("connection", "close")]
            body = words.encode()
            response = h11.Response(
                status_code=status,
                headers=[*headers, ("content-length", str(len(body)))],
                reason=STATUS_PHRASES[status],
            )
            messages = (self.conn.send(event) for event in (response, h11.Data(data=body), h11.EndOfMessage()))
            self.transport.write(b"".join(part or b"" for part in messages))
        self.transport.close()

    def waits_for_client(self) -> bool:
        """Return whether the connection waits for its client: for a head, for a body, or until it reads."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body or self.flow.write_paused

    def _watch(self) -> None:
        """Start or stop the time-out of a head; bodies and responses have their own."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_head_timer()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_TIMEOUT_S, self.transport.close)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _stop_read_timer(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def _check_reader(self) -> None:
        """Abort the connection of a client that reads too slowly. `close` would wait until it has read everything."""
        left = self.transport.get_write_buffer_size()
        if self._unread_bytes - left < READ_BYTES_MIN:
            self.transport.abort()
            return
        self._unread_bytes = left
        self._read_timer = self.loop.call_later(READ_TIMEOUT_S, self._check_reader)

    def _make_room(self) -> None:
        """With too many connections, abort the one that has waited longest for its client, or else answer with 503."""
        if len(self.connections) <= CONNECTIONS_MAX:
            return
        others = (one for one in self.connections if isinstance(one, HttpProtocol) and one is not self)
        waiting = [one for one in others if one.waits_for_client()]
        if not waiting:
            self.limit_concurrency = 0
            return
        given_up = min(waiting, key=lambda one: one._waits_since)
        # Remove it at once, because the loop reports the end of the connection later.
        self.connections.discard(given_up)
        given_up.transport.abort()


HEAD_BYTES_MAX = 16 * 1024
"""The largest head of a request in bytes: request line and fields."""

_HEAD_FIELDS_MAX = 100
_HEAD_END = re.compile(rb"\n\r?\n")
_BARE = re.compile(rb"\r(?!\n)|(?<!\r)\n")
_REQUEST_LINE = re.compile(rb"[A-Za-z-]+ /[!-\"$-~]* HTTP/1\.[01]")
_FIELD_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_LENGTH = re.compile(rb"[0-9]{1,19}")


class StrictConnection(h11.Connection):
    """
    A connection of h11 that refuses ambiguous heads.

    RFC 9112 lets servers be lenient, and h11 is: it accepts bare line feeds, folded lines, repeated lengths, and a
    length beside a transfer coding. A proxy that reads one of these differently sees other requests than the server
    behind it. Chunked bodies are refused as well (RFC 9112, 6.1), since all bodies have a length here.
    """

    refusal: tuple[int, str] = (400, "The request is not valid HTTP.")
    """Status and message of the refused request."""

    def next_event(self) -> Any:
        """
        Return the next event as h11 does.

        Raises:
            RemoteProtocolError: The request is refused; `refusal` says why.
        """
        if self.their_state is h11.IDLE:
            received = self.trailing_data[0]
            end = _HEAD_END.search(received)
            if (len(received) if end is None else end.end()) > HEAD_BYTES_MAX:
                self._refuse(431, f"The head of the request is larger than {HEAD_BYTES_MAX:,} bytes.")
            if end is not None:
                self._check_head(received[: end.end()])
        return super().next_event()

    def _check_head(self, head: bytes) -> None:
        if _BARE.search(head):
            self._refuse(400, "Each header line must end with CR LF.")
        request_line, *fields = head[:-4].split(b"\r\n")
        if not _REQUEST_LINE.fullmatch(request_line):
            self._refuse(400, "The request line must be METHOD /PATH HTTP/1.1.")
        if len(fields) > _HEAD_FIELDS_MAX:
            self._refuse(431, f"The request has more than {_HEAD_FIELDS_MAX} header fields.")
        self._check_fields([field.partition(b":") for field in fields], is_1_0=request_line.endswith(b"0"))

    def _check_fields(self, fields: Sequence[tuple[bytes, bytes, bytes]], *, is_1_0: bool) -> None:
        if not all(_FIELD_NAME.fullmatch(name) and colon for name, colon, _ in fields):
            self._refuse(400, "A header field must be NAME: VALUE on one line.")
        named: dict[bytes, list[bytes]] = {}
        for name, _, value in fields:
            named.setdefault(name.lower(), []).append(value.strip(b" \t"))
        lengths = named.get(b"content-length", [])
        if b"transfer-encoding" in named:
            words = "The body must come with Content-Length and without Transfer-Encoding."
            self._refuse(400 if lengths else 411, words)
        if len(lengths) > 1 or not all(_LENGTH.fullmatch(length) for length in lengths):
            self._refuse(400, "Content-Length must be one number.")
        hosts = named.get(b"host", [])
        if len(hosts) > 1 or (not hosts and not is_1_0):
            self._refuse(400, "There must be exactly one Host header.")

    def _refuse(self, status: int, words: str) -> None:
        self.refusal = (status, words)
        raise h11.RemoteProtocolError(words, error_status_hint=status)
