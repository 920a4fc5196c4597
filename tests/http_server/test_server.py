"""The server itself: slow clients, invalid HTTP, and small writes."""

import contextlib
import socket
from functools import partial
from http.client import HTTPResponse

import pytest

pytest.importorskip("starlette", reason="no starlette: pip install 'groundwire[review]'")
httpx = pytest.importorskip("httpx2", reason="no httpx2: pip install 'groundwire[judge]'")

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from groundwire.http_server import server
from http_server.serving import answer_to, connect, live
from waits import PATIENCE_S, eventually

get = partial(httpx.get, timeout=PATIENCE_S)

APP = Starlette(routes=[Route("/health", lambda _: JSONResponse({"status": "ok"}), methods=["GET"])])


def test_slow_heads_time_out_and_delay_no_other_client(monkeypatch):
    """A client that sends its head byte by byte is disconnected; others are answered meanwhile."""
    monkeypatch.setattr(server, "HEAD_TIMEOUT_S", 1.0)
    with live(APP) as address:
        slow = [connect(address) for _ in range(50)]
        for client in slow:
            client.sendall(b"GET / HTTP/1.1\r\nX-")
        # On a busy machine, this client may be too slow as well.
        eventually(lambda: answers(address), True)
        for client in slow:
            with contextlib.suppress(ConnectionResetError):
                assert client.recv(1) == b""
            client.close()
        # A second head on a connection has the same time limit as the first.
        with connect(address) as client:
            client.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            answer = HTTPResponse(client)
            answer.begin()
            assert answer.read() == b'{"status":"ok"}'
            client.sendall(b"GET /health HTTP/1.1\r\nX-")
            assert client.recv(1) == b""


def answers(address: str) -> bool:
    """Return whether the server answers; False if it disconnects."""
    try:
        return get(f"{address}/health").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.parametrize(
    "sent",
    [
        b"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /",
        b"POST /x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: a\0b\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 10_000_000 + b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
    ids=["two-lengths", "two-numbers", "two-hosts", "space-before-colon", "nul", "large-head", "tls"],
)
def test_invalid_http_is_refused(sent):
    """Request smuggling and noise get 4xx or nothing, and the server continues."""
    with live(APP) as address:
        answer = answer_to(address, sent)
        assert answer == b"" or answer.startswith(b"HTTP/1.1 4")
        assert get(f"{address}/health").status_code == 200


def test_small_writes_are_sent_at_once(monkeypatch):
    """The body of a response does not wait until the client has acknowledged the head (Nagle's algorithm)."""
    options = []
    made = server.HttpProtocol.connection_made

    def connection_made(self, transport):
        made(self, transport)
        options.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(server.HttpProtocol, "connection_made", connection_made)
    with live(APP) as address:
        assert get(f"{address}/health").status_code == 200
    assert options == [1]
