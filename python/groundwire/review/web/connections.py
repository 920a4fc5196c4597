"""Connections: their time-outs, and which of them give way when there are too many."""

from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from groundwire.review.web.framing import HEAD_BYTES_MAX, StrictConnection

if TYPE_CHECKING:
    import asyncio

__all__ = ["CONNECTIONS_MAX", "HEAD_TIMEOUT_S", "READ_BYTES_MIN", "READ_TIMEOUT_S", "PageProtocol"]

HEAD_TIMEOUT_S = 10.0
"""How long the head of a request may take to arrive, in seconds."""

READ_TIMEOUT_S = 10.0
"""How long a client may take to read at least `READ_BYTES_MIN` of its response, in seconds."""

READ_BYTES_MIN = 16 * 1024
"""How many bytes a slow client has to read within that time."""

CONNECTIONS_MAX = 500
"""How many connections are open at once; more close those that wait longest for their client."""


class PageProtocol(H11Protocol):
    """
    HTTP/1.1 that waits for no client for ever.

    uvicorn has time-outs for the pause between two requests alone. This adds one for heads and
    one for responses that nobody reads; bodies have theirs in the app.
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
        # From the first byte on: that is when `pause_writing` is called.
        transport.set_write_buffer_limits(high=0)
        self._waits_since = self.loop.time()
        self._make_room()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take bytes of the client."""
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
        """Go on: the client has read everything."""
        super().resume_writing()
        self._stop_read_timer()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 # h11's words; ours say more
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
            said = (self.conn.send(event) for event in (response, h11.Data(data=body), h11.EndOfMessage()))
            self.transport.write(b"".join(part or b"" for part in said))
        self.transport.close()

    def waits_for_client(self) -> bool:
        """Tell whether the next thing has to come from the client: a head, a body, or that it reads."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body or self.flow.write_paused

    def _watch(self) -> None:
        """Wait for a head, or stop: a body and a response have time-outs of their own."""
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
        """Give up a client that reads too slowly. `close` would wait until it has read everything."""
        left = self.transport.get_write_buffer_size()
        if self._unread_bytes - left < READ_BYTES_MIN:
            self.transport.abort()
            return
        self._unread_bytes = left
        self._read_timer = self.loop.call_later(READ_TIMEOUT_S, self._check_reader)

    def _make_room(self) -> None:
        """Close the connection that has waited longest for its client, if there are too many; else answer with 503."""
        if len(self.connections) <= CONNECTIONS_MAX:
            return
        others = (one for one in self.connections if isinstance(one, PageProtocol) and one is not self)
        waiting = [one for one in others if one.waits_for_client()]
        if not waiting:
            self.limit_concurrency = 0
            return
        given_up = min(waiting, key=lambda one: one._waits_since)
        # Not counted from now on: the loop tells it of its end later.
        self.connections.discard(given_up)
        given_up.transport.abort()
