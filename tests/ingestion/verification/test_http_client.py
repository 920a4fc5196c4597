"""The guarded client: redirects, limits of time and size, and private text (ruling C12)."""

import asyncio
import gzip
import itertools
import logging
import socket
import time

import pytest

from groundwire.ingestion.citation_detector import Citation, CitationType
from groundwire.ingestion.verification.protocol import VerificationLookupError
from groundwire.ingestion.verification.web import UrlVerifier
from ingestion.verification.servers import HOST, Server, answer, client_for, client_of, redirect, serve, url_of


def verify(server, target: str = "/page", **options):
    """Return the result for *target*."""
    citation = Citation(CitationType.URL, url_of(server, target), 0, 1)
    return asyncio.run(UrlVerifier(client_of(server, **options)).verify(citation))


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        *[(status, "verified") for status in (200, 201, 203, 204, 206, 226, 299)],
        *[(status, "refuted") for status in (404, 410)],
        *[(status, "unknown") for status in (300, 304, 305, 400, 401, 402, 403, 405, 407, 408, 418, 429, 451)],
        *[(status, "unknown") for status in (500, 501, 502, 503, 504, 599, 999)],
    ],
)
def test_status_codes(status, expected):
    """2xx is verified, 404 and 410 are refuted, others are unknown; the words are the specified ones."""
    with serve(lambda _: answer(status)) as server:
        result = verify(server)
    assert (result.status.value, result.reason) == (expected, f"HTTP {status}")
    assert result.valid is (expected == "verified")


@pytest.mark.parametrize("status", [400, 403, 404, 405, 410, 501])
def test_get_replaces_an_unsupported_head(status):
    """Some servers support only GET, and report it in various ways."""
    with serve(lambda request: answer(status if request.method == "HEAD" else 200)) as server:
        assert verify(server).code == "http_success"
    assert server.methods == ["HEAD", "GET"]


@pytest.mark.parametrize("status", [200, 401, 429, 500, 503])
def test_other_answers_to_head_are_not_retried(status):
    """A busy server gets no second request."""
    with serve(lambda _: answer(status)) as server:
        verify(server)
    assert server.methods == ["HEAD"]


def test_a_request_sends_no_private_data():
    """It has the host as written, and no cookie, referrer or user name."""
    with serve(lambda _: answer(200)) as server:
        verify(server, "/a%20b?q=é#part")
    head = server.requests[0].head.split("\r\n")
    assert head[0] == "HEAD /a%20b?q=%C3%A9 HTTP/1.1"
    assert {line.partition(":")[0] for line in head[1:-2]} == {"Host", "User-Agent", "Accept-Encoding", "Connection"}
    assert f"Host: {HOST}:{server.port}" in head


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("target", ["/there", "there", "//{authority}/there", "http://{authority}/there", "?there"])
def test_redirects_are_followed(status, target):
    """Targets may be absolute, or relative to the host, the path and the scheme; HEAD stays HEAD."""

    def handle(request):
        if "there" in request.target:
            return answer(204)
        return redirect(target.format(authority=f"{HOST}:{server.port}"), status)

    with serve(handle) as server:
        assert verify(server).reason == "HTTP 204"
    assert server.methods == ["HEAD", "HEAD"]


@pytest.mark.parametrize(("count", "code"), [(5, "http_success"), (6, "too_many_redirects")])
def test_five_redirects_at_most(count, code):
    """Ruling C12."""

    def handle(request):
        number = int(request.target[1:])
        return answer(200) if number == 0 else redirect(f"/{number - 1}")

    with serve(handle) as server:
        assert verify(server, f"/{count}").code == code
    assert server.contacts == 6


def test_a_redirect_to_a_missing_page_is_refuted():
    """The last page counts."""
    with serve(lambda request: answer(404) if request.target == "/gone" else redirect("/gone")) as server:
        assert verify(server).code == "http_gone"
    assert server.requests[-1].target == "/gone"


@pytest.mark.parametrize(
    "lines",
    [[], ["Location: /a", "Location: /b"], [b"Location: /\xff"], ["Location:"]],
    ids=["none", "two", "no-text", "empty"],
)
def test_a_redirect_to_nowhere_is_unknown(lines):
    """There is no single target to follow."""
    raw = [line if isinstance(line, bytes) else line.encode("ascii") for line in lines]
    with serve(lambda _: [b"\r\n".join([b"HTTP/1.1 302 Found", *raw, b"Content-Length: 0", b"", b""])]) as server:
        assert verify(server).status.value == "unknown"


def test_no_cookie_is_kept():
    """This holds even between redirects."""
    with serve(lambda request: answer(200) if request.target == "/b" else redirect("/b", Set_Cookie="a=b")) as server:
        assert verify(server, "/a").valid
    assert all("cookie" not in request.head.lower() for request in server.requests)


def drip(*pieces: bytes, pause_s: float = 0.05):
    """Send *pieces*, with a pause before each."""
    for piece in pieces:
        time.sleep(pause_s)
        yield piece


SLOW = {
    "no-answer": lambda _: drip(b"", pause_s=30),
    "a-head-without-end": lambda _: drip(b"HTTP/1.1 200 OK\r\n", *[b"X: y\r\n"] * 600),
    "a-word-without-end": lambda _: drip(b"HTTP/1.1 200 ", *[b"O"] * 600),
    "only-on-the-way": lambda _: drip(*[b"HTTP/1.1 103 Early Hints\r\n\r\n"] * 600),
    "redirects-on-the-way": lambda _: drip(*redirect("/again"), pause_s=0.3),
}


@pytest.mark.parametrize("handler", SLOW.values(), ids=SLOW)
def test_slow_servers_time_out(handler):
    """The limit covers the whole request, not each of its steps."""
    with serve(handler) as server:
        result = verify(server, timeout_s=0.5)
    assert result.code == "timed_out"


def test_a_slow_resolver_times_out():
    """The resolver's time counts too."""

    async def forever(*_):
        await asyncio.sleep(60)

    client = client_for(timeout_s=0.2, resolver=forever)
    result = asyncio.run(UrlVerifier(client).verify(Citation(CitationType.URL, "http://slow.com/", 0, 1)))
    assert result.code == "timed_out"


def test_an_endless_page_is_verified_unread():
    """Its head has shown that it exists."""

    def handle(request):
        if request.method == "HEAD":
            return answer(405)
        return itertools.chain([b"HTTP/1.1 200 OK\r\n\r\n"], itertools.repeat(b"x" * 65536))

    with serve(handle) as server:
        assert verify(server).code == "http_success"


BROKEN = {
    "nothing": lambda _: [],
    "no-http": lambda _: [b"SSH-2.0-OpenSSH_9.2\r\n"],
    "no-number": lambda _: [b"HTTP/1.1 two OK\r\n\r\n"],
    "cut-off": lambda _: [b"HTTP/1.1 200 OK\r\nA: "],
    "a-head-of-a-megabyte": lambda _: [b"HTTP/1.1 200 OK\r\n", *[b"X: " + b"y" * 1000 + b"\r\n"] * 1000, b"\r\n"],
    "header-without-name": lambda _: [b"HTTP/1.1 200 OK\r\n: x\r\n\r\n"],
    "two-lengths": lambda _: [b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx"],
}


@pytest.mark.parametrize("handler", BROKEN.values(), ids=BROKEN)
def test_another_protocol_verifies_and_refutes_nothing(handler):
    """The server does not speak HTTP about this page."""
    with serve(handler) as server:
        assert verify(server).code in ("protocol_failed", "connection_failed")


def test_a_closed_port_is_unknown():
    """No other program can open it meanwhile, because it is taken."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        assert verify(Server(port=taken.getsockname()[1])).code == "connection_failed"


def read(server, **options):
    """Return the body of a page, which is how issue trackers are read."""
    return asyncio.run(client_of(server, **options).read(url_of(server)))


def test_a_body_is_read_up_to_its_limit():
    """One more byte is too large, however it is sent."""
    with serve(lambda _: answer(200, b"x" * 1000)) as server:
        assert read(server).body == b"x" * 1000
    endless = itertools.chain([b"HTTP/1.1 200 OK\r\n\r\n"], itertools.repeat(b"x"))
    for handler in (lambda _: answer(200, b"x" * 1001), lambda _: endless):
        with serve(handler) as server, pytest.raises(VerificationLookupError) as caught:
            read(server)
        assert caught.value.code == "too_large"


def test_a_slow_body_times_out():
    """The body comes byte by byte, below the size limit."""
    pieces = [b"HTTP/1.1 200 OK\r\n\r\n", *[b"x"] * 600]
    with serve(lambda _: drip(*pieces)) as server, pytest.raises(VerificationLookupError) as caught:
        read(server, timeout_s=0.5)
    assert caught.value.code == "timed_out"


def test_a_compressed_body_is_not_decompressed():
    """A kilobyte that expands to a megabyte of zeros stays a kilobyte."""
    packed = gzip.compress(bytes(500_000))
    with serve(lambda _: answer(200, packed, Content_Encoding="gzip")) as server:
        assert read(server).body == packed


def test_headers_for_a_host_do_not_go_to_another():
    """A token goes to its host only, and never to the target of a redirect."""
    with serve(lambda _: answer(200)) as other:
        target = f"http://127.0.0.1:{other.port}/"
        with serve(lambda request: redirect(target) if request.target == "/b" else redirect("/b")) as server:
            allowed = [f"{HOST}:{server.port}", f"127.0.0.1:{other.port}"]
            client = client_for(allow_hosts=allowed, names={HOST: [["127.0.0.1"]]})
            asyncio.run(client.read(url_of(server), headers=[("Authorization", "Bearer secret")]))
    assert ["secret" in request.head for request in server.requests + other.requests] == [True, True, False]


def test_nothing_of_a_url_is_logged(caplog):
    """This includes the library, which logs where it connects (rule of private text)."""
    caplog.set_level(logging.DEBUG)
    with serve(lambda _: redirect("/qorvexin")) as server:
        verify(server, "/zyxwhale")
    assert server.contacts == 6
    assert [record for record in caplog.records if record.name.startswith(("httpcore2", "groundwire"))] == []
    assert not {"zyxwhale", "qorvexin", HOST} & {*caplog.text.replace("/", " ").replace(":", " ").split()}


def test_errors_hold_no_url():
    """Logs show errors."""
    with pytest.raises(VerificationLookupError) as caught:
        asyncio.run(client_for().probe("http://zyxwhale/borogroves"))
    assert "zyxwhale" not in f"{caught.value}{caught.value!r}{caught.value.args}"
