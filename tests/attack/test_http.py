"""Attacks on the review page's server: ambiguous requests, and clients that never send or never read."""

import contextlib
import re
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import NamedTuple

import pytest

pytest.importorskip("starlette", reason="no starlette: pip install 'groundwire[review]'")

from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from groundwire.http_server import server
from groundwire.review.web import RequestLimits
from http_server.serving import connect, live, status_of
from review_web.site import NO_LIMITS, Site
from waits import PATIENCE_S

SECOND = b"GET /health?second HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HOST = b"Host: 127.0.0.1\r\n"
# Nothing may follow an answer; a second answer would come at once.
_QUIET_S = 0.2
# This is the time from the first byte of an answer to its last.
_ANSWER = re.compile(rb"HTTP/1\.[01] (\d{3})[^\r]*\r\n")


class Kind(NamedTuple):
    """Holds a request that hides another one, and whether it must be refused; others may get one answer."""

    name: str
    sent: bytes
    is_refused: bool = True


def post(fields: bytes, body: bytes = b"", path: bytes = b"/sign-in") -> bytes:
    """Return a request with these header fields, each with its own line end."""
    return b"POST " + path + b" HTTP/1.1\r\n" + HOST + fields + b"\r\n" + body


CHUNKED = b"0\r\n\r\n" + SECOND
LENGTH = b"Content-Length: 5\r\n"
CODINGS = {
    "plain": b"Transfer-Encoding: chunked\r\n",
    "in capitals": b"TRANSFER-ENCODING: CHUNKED\r\n",
    "without a space": b"Transfer-Encoding:chunked\r\n",
    "with a tab": b"Transfer-Encoding:\tchunked\r\n",
    "with spaces behind": b"Transfer-Encoding: chunked  \r\n",
    "unknown": b"Transfer-Encoding: xchunked\r\n",
    "identity": b"Transfer-Encoding: identity\r\n",
    "identity and chunked": b"Transfer-Encoding: identity, chunked\r\n",
    "chunked and identity": b"Transfer-Encoding: chunked, identity\r\n",
    "gzip and chunked": b"Transfer-Encoding: gzip, chunked\r\n",
    "twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    "quoted": b'Transfer-Encoding: "chunked"\r\n',
    "with a parameter": b"Transfer-Encoding: chunked;q=1\r\n",
    "with a vertical tab": b"Transfer-Encoding: \x0bchunked\r\n",
    "with a NUL": b"Transfer-Encoding: chunked\0\r\n",
    "empty": b"Transfer-Encoding:\r\n",
    "on a folded line": b"Transfer-Encoding:\r\n chunked\r\n",
    "behind a space": b"Transfer-Encoding : chunked\r\n",
    "behind a bare line feed": b"X: y\nTransfer-Encoding: chunked\r\n",
    "behind a bare carriage return": b"X: y\rTransfer-Encoding: chunked\r\n",
    "on an indented line": b"X: y\r\n Transfer-Encoding: chunked\r\n",
}
LENGTHS = {
    "two that differ": b"Content-Length: 5\r\nContent-Length: 0\r\n",
    "two that agree": b"Content-Length: 5\r\nContent-Length: 5\r\n",
    "a list that differs": b"Content-Length: 5, 0\r\n",
    "a list that agrees": b"Content-Length: 5, 5\r\n",
    "with a plus": b"Content-Length: +5\r\n",
    "negative": b"Content-Length: -5\r\n",
    "hexadecimal": b"Content-Length: 0x5\r\n",
    "with an underscore": b"Content-Length: 0_5\r\n",
    "with a point": b"Content-Length: 5.0\r\n",
    "an exponent": b"Content-Length: 5e0\r\n",
    "empty": b"Content-Length:\r\n",
    "with a space inside": b"Content-Length: 5 5\r\n",
    "other digits": "Content-Length: \u0665\r\n".encode(),
    "too large": b"Content-Length: " + b"9" * 400 + b"\r\n",
    "behind a space": b"Content-Length : 5\r\n",
    "on a folded line": b"Content-Length:\r\n 5\r\n",
    "behind a bare line feed": b"X: y\nContent-Length: 5\r\n",
    "with a NUL": b"Content-Length: 5\0\r\n",
}
CHUNKS = {
    "an extension": b"5;a=b\r\nabcde\r\n0\r\n\r\n",
    "a long extension": b"5;" + b"a" * 100_000 + b"\r\nabcde\r\n0\r\n\r\n",
    "an extension with a bare line feed": b"5;\nabcde\r\n0\r\n\r\n",
    "an extension with a bare carriage return": b"5;a\rb\r\nabcde\r\n0\r\n\r\n",
    "a footer that is none": b"5\r\nabcdeXX0\r\n\r\n",
    "a size with a plus": b"+5\r\nabcde\r\n0\r\n\r\n",
    "a size with 0x": b"0x5\r\nabcde\r\n0\r\n\r\n",
    "a size that overflows": b"F" * 17 + b"\r\nabcde\r\n0\r\n\r\n",
    "a negative size": b"-5\r\nabcde\r\n0\r\n\r\n",
    "a trailer with a length": b"0\r\nContent-Length: 50\r\n\r\n",
    "bare line feeds": b"5\nabcde\n0\n\n",
}
HEADS = {
    "bare line feeds": b"GET /health HTTP/1.1\nHost: 127.0.0.1\n\n",
    "one bare line feed": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\nX: y\r\n\r\n",
    "a bare line feed at the end": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\n",
    "a folded line": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\r\n b\r\n\r\n",
    "a folded line with a tab": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\r\n\tb\r\n\r\n",
    "a first field that is folded": b"GET /health HTTP/1.1\r\n X: a\r\nHost: 127.0.0.1\r\n\r\n",
    "a space before the colon": b"GET /health HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n",
    "a field without a colon": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX\r\n\r\n",
    "a field without a name": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n: y\r\n\r\n",
    "no host": b"GET /health HTTP/1.1\r\nX: y\r\n\r\n",
    "two hosts": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    "two hosts that agree": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a target with a host": b"GET http://127.0.0.1/health HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "a target that is a host": b"CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a target that is no path": b"GET health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a target with a fragment": b"GET /health#x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "two spaces in the request line": b"GET  /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a tab in the request line": b"GET\t/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a space in the target": b"GET /health /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "no version": b"GET /health\r\nHost: 127.0.0.1\r\n\r\n",
    "version 2.0": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "version 1.2": b"GET /health HTTP/1.2\r\nHost: 127.0.0.1\r\n\r\n",
    "version 0.9": b"GET /health HTTP/0.9\r\n\r\n",
    "a NUL": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\0b\r\n\r\n",
    "bytes before the method": b"\r\nx\r\nGET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a head of 100 kB": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
    "1,000 fields": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: y\r\n" * 1_000 + b"\r\n",
    "a target of 100 kB": b"GET /health?" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x01" * 100,
}
ONCE = {
    "a length that covers the second": post(b"Content-Length: %d\r\n" % len(SECOND), SECOND),
    "a body of GET": b"GET /health HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(SECOND) + SECOND,
    "a body of an unknown page": post(b"Content-Length: %d\r\n" % len(SECOND), SECOND, b"/nothing"),
    "a body of HEAD": b"HEAD /health HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(SECOND) + SECOND,
    "an underscore for a hyphen": b"POST /sign-in HTTP/1.1\r\n" + HOST
    + b"Transfer_Encoding: chunked\r\nContent-Length: %d\r\n\r\n" % len(SECOND) + SECOND,
    "an upgrade to h2c": b"GET /health HTTP/1.1\r\n" + HOST
    + b"Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n" + SECOND,
    "version 1.0 without a host": b"GET /health HTTP/1.0\r\n\r\n" + SECOND,
    "a connection that closes": b"GET /health HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n" + SECOND,
    "an expectation": b"POST /sign-in HTTP/1.1\r\n" + HOST
    + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(SECOND) + SECOND,
    "a second length inside the body": post(b"Content-Length: %d\r\n" % (len(SECOND) + 21),
                                            b"Content-Length: 0\r\n\r\n" + SECOND),
}  # fmt: skip
KINDS = (
    *(Kind(f"length and coding {name}", post(LENGTH + one, CHUNKED)) for name, one in CODINGS.items()),
    *(Kind(f"coding {name} and length", post(one + LENGTH, CHUNKED)) for name, one in CODINGS.items()),
    *(Kind(f"coding {name}", post(one, CHUNKED)) for name, one in CODINGS.items()),
    *(Kind(f"length: {name}", post(one, b"abcde" + SECOND)) for name, one in LENGTHS.items()),
    *(Kind(f"chunks: {name}", post(CODINGS["plain"], one + SECOND)) for name, one in CHUNKS.items()),
    *(Kind(f"head: {name}", one + SECOND) for name, one in HEADS.items()),
    *(Kind(name, one, is_refused=False) for name, one in ONCE.items()),
)


@pytest.fixture
def site() -> Iterator[Site]:
    """Return an empty page."""
    made = Site(app={"limits": NO_LIMITS})
    yield made
    made.close()


def answers_to(address: str, sent: bytes, *, awaited: int = 1, closes: bool = False) -> tuple[list[int], bool]:
    """
    Return the statuses of the answers, without "100 Continue", and whether the page closes the connection.

    It waits long for the *awaited* answers, and for the end of a connection that *closes*.
    """
    received, statuses, is_closed = b"", [], False
    with connect(address) as client:
        # The server does not read the rest of a request that it refuses.
        with contextlib.suppress(ConnectionError):
            client.sendall(sent)
        with contextlib.suppress(TimeoutError):
            while not is_closed:
                client.settimeout(PATIENCE_S if closes or len(statuses) < awaited else _QUIET_S)
                try:
                    part = client.recv(65_536)
                except ConnectionError:
                    part = b""
                received, is_closed = received + part, not part
                statuses = [status for status in map(int, _ANSWER.findall(received)) if status != 100]
    return statuses, is_closed


def test_no_second_request_is_answered(site, attack):
    """Request smuggling: an ambiguous request is refused and its connection closed; the rest counts as one request."""
    with live(site.app) as address:
        for kind in KINDS:
            with attack.attempt(kind.name):
                statuses, is_closed = answers_to(address, kind.sent, closes=kind.is_refused)
                assert len(statuses) <= 1, f"{len(statuses)} requests were answered: {statuses}"
                if kind.is_refused:
                    # If the client is still sending, the system may drop the answer together with
                    # the connection.
                    assert is_closed, f"{statuses} and the connection stays open"
                    assert all(400 <= status < 500 or status == 501 for status in statuses)
        assert answers_to(address, SECOND) == ([200], False)


def test_ordinary_requests_are_answered(site, attack):
    """Each gets its answer, also several on one connection, and in pieces of any size."""
    body = b"token=x"
    form = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n" % len(body)
    ordinary: dict[str, tuple[bytes, list[int]]] = {
        "one": (SECOND, [200]),
        "two at once": (SECOND * 2, [200, 200]),
        "five at once": (SECOND * 5, [200] * 5),
        "a form": (post(form, body), [401]),
        "a form and one behind it": (post(form, body) + SECOND, [401, 200]),
        "a body of no bytes": (post(b"Content-Length: 0\r\n") + SECOND, [415, 200]),
        "version 1.0": (b"GET /health HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n", [200]),
        "an empty field": (b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX:\r\n\r\n", [200]),
        "obs-text": (b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: \xfc\r\n\r\n", [200]),
        "99 fields": (b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: y\r\n" * 99 + b"\r\n", [200]),
    }
    with live(site.app) as address:
        for name, (sent, expected) in ordinary.items():
            with attack.attempt(name):
                assert answers_to(address, sent, awaited=len(expected))[0] == expected
        with attack.attempt("byte by byte"), connect(address) as client:
            for byte in SECOND:
                client.sendall(bytes([byte]))
            assert status_of(client) == 200


def is_closed(client: socket.socket) -> bool:
    """Read to the end, and return whether there is one: False if nothing arrives for a long time."""
    try:
        while client.recv(65_536):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


def trickle(client: socket.socket, ended: threading.Event) -> None:
    """Send a byte now and then until the connection closes."""
    with contextlib.suppress(OSError):
        while not ended.wait(0.05):
            client.sendall(b"x")


SILENT: dict[str, bytes] = {
    "nothing": b"",
    "a piece of a head": b"GET / HTTP/1.1\r\nX-",
    "a head without its last line": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    "a head and no body": post(b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n"),
    "a body that ends too soon": post(
        b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n", b"token="
    ),
    "a body that no route takes": post(b"Content-Length: 100\r\n", b"abc", b"/nothing"),
    "a body of GET": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\nabc",
    "a whole request, and no other": SECOND,
    "a whole request, and a piece of another": SECOND + b"GET / HTTP/1.1\r\nX-",
}


@pytest.mark.parametrize("is_trickling", [False, True], ids=["silent", "trickling"])
def test_a_client_that_never_sends_is_disconnected(monkeypatch, attack, is_trickling):
    """This holds after any number of bytes, and for a client that continues with a byte now and then."""
    monkeypatch.setattr(server, "HEAD_TIMEOUT_S", 1.0)
    site = Site(app={"limits": RequestLimits(body_timeout_s=1.0)})
    ended = threading.Event()
    with live(site.app) as address:
        clients = {name: connect(address) for name in SILENT}
        for name, client in clients.items():
            # On a busy machine, the first may be disconnected before the last one sends.
            with contextlib.suppress(ConnectionError):
                client.sendall(SILENT[name])
            # Some prefixes are already a whole request or a bad one; they are left out.
            if is_trickling and not (name.startswith("a whole request, and no") or name == "nothing"):
                threading.Thread(target=trickle, args=(client, ended), daemon=True).start()
        for name, client in clients.items():
            with attack.attempt(f"{name}, {'trickling' if is_trickling else 'silent'}"):
                assert is_closed(client), "the connection stays open"
        ended.set()
        for client in clients.values():
            client.close()
    site.close()


def large(_: object) -> Response:
    """Return an answer that fits into no buffer."""
    return Response(b"x" * 30_000_000)


def test_a_client_that_never_reads_is_disconnected(monkeypatch, attack):
    """This also holds for a client that reads a little now and then. A client that reads everything gets everything."""
    monkeypatch.setattr(server, "READ_TIMEOUT_S", 1.0)
    given_up = threading.Event()
    lost = server.HttpProtocol.connection_lost
    monkeypatch.setattr(server.HttpProtocol, "connection_lost", lambda *each: (lost(*each), given_up.set()))
    sent = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    app = Starlette(routes=[Route("/", large)])
    with live(app) as address:
        for name, sip in (("nothing", 0), ("a byte at a time", 1), ("a hundred bytes at a time", 100)):
            with attack.attempt(f"reads {name}"), connect(address) as client:
                client.sendall(sent)
                given_up.clear()
                until = time.monotonic() + PATIENCE_S
                while not given_up.wait(0.05) and time.monotonic() < until:
                    with contextlib.suppress(ConnectionError):
                        client.recv(sip) if sip else None
                size = 0
                with contextlib.suppress(ConnectionError):
                    while part := client.recv(1_000_000):
                        size += len(part)
                assert size < 30_000_000, "all of it was kept for the client"
        monkeypatch.setattr(server, "READ_TIMEOUT_S", PATIENCE_S)
        with attack.attempt("reads all of it"), connect(address) as client:
            client.sendall(sent)
            answer = HTTPResponse(client)
            answer.begin()
            assert len(answer.read()) == 30_000_000


def seconds_to(address: str, times: int) -> float:
    """Return the median time to an answer, in seconds."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        assert answers_once(address)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def answers_once(address: str) -> bool:
    """Return whether the page answers."""
    with connect(address) as client:
        client.sendall(SECOND.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        received = b""
        while part := client.recv(65_536):
            received += part
    return received.startswith(b"HTTP/1.1 200 ")


FLOODS: dict[str, bytes] = {
    "no byte": b"",
    "half a head": b"GET / HTTP/1.1\r\nX-",
    "half a body": post(b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n", b"token="),
    "a request, and half another": SECOND + b"GET / HTTP/1.1\r\nX-",
}


@pytest.mark.parametrize("most", [500, 100], ids=["as served", "with fewer connections than come"])
def test_two_hundred_slow_connections_leave_the_page_usable(site, monkeypatch, attack, most):
    """Slowloris: other users get answers meanwhile, even with more attackers than connections."""
    monkeypatch.setattr(server, "CONNECTIONS_MAX", most)
    for name, sent in FLOODS.items():
        with live(site.app) as address, attack.attempt(f"{name}, {most} connections at most"):
            quiet = seconds_to(address, 10)
            with contextlib.ExitStack() as stack:
                for _ in range(200):
                    client = stack.enter_context(connect(address))
                    with contextlib.suppress(ConnectionError):
                        client.sendall(sent)
                under_attack = seconds_to(address, 10)
            print(f"{name}: {quiet * 1_000:.1f} ms quiet, {under_attack * 1_000:.1f} ms beside 200 connections")
