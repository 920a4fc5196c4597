"""
How many requests a second `groundwire serve` answers about a source of 50 kB that it keeps by hash.

    python benches/service.py

Server and client are processes of their own, and share the same two cores. The client has some
connections, each with one request at a time, and is plain Python on sockets. "found" checks three
quotes that the source contains in another typography, "altered" has one with a word more, for which
the server searches the whole source. "cite" assesses an answer of three sentences, "validate" a
persona with three statements. Each answer is compared with the report that the library builds
itself, byte by byte, before it counts. Kinds take turns; the table has the median of the rounds.
Exit code 1: "found" or "altered" misses the bar.
"""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median

import msgspec

from groundwire import normalize
from groundwire._engine import sentences
from groundwire.benchmarks.corpus import transcript
from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.server.checks import assess_cited_answer, check_quoted, validate_personas
from groundwire.server.schemas import AnswerRequest, CitedSource, GivenSource, PersonasRequest, QuotesRequest
from groundwire.server.source_store import SourceStore, decode_source

SOURCE_BYTES = 50_000
CONNECTIONS, REQUESTS_EACH, ROUNDS = 8, 200, 7
BODIES = 40
KINDS = {"found": 500, "altered": 500, "cite": None, "validate": None}
"""The kinds of requests, with the least number a second; those without a bar have a fifth of the requests."""
CORES = 2

_HEAD = b"POST /v1/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)

Exchange = tuple[bytes, bytes]
"""A request, and the body of its response."""


def source_text() -> str:
    """Return a transcript of this size in UTF-8, with curly quotes and no-break spaces."""
    text = transcript("curly", SOURCE_BYTES).encode()[:SOURCE_BYTES]
    return text.decode(errors="ignore")


def quotes_of(text: str, count: int) -> list[str]:
    """Return whole sentences of the text, spread over it, as somebody types them."""
    said = [text[start:end].rpartition(": ")[2] for start, end, *_ in sentences(text)]
    plain = [each for each in said if 40 <= len(each) <= 120 and not {"<", "\n"} & {*each} and text.count(each) == 1]
    return [normalize(each, profile="typographic") for each in plain[:: len(plain) // count][:count]]


def exchanges(text: str, kind: str) -> list[Exchange]:
    """Return requests of a kind with their right answers."""
    store, source = SourceStore(1 << 30), decode_source(text.encode())
    store.put(source)
    quotes = quotes_of(text, BODIES * 3)
    return [exchange(kind, quotes[place : place + 3], source.sha256, store) for place in range(0, BODIES * 3, 3)]


def exchange(kind: str, three: list[str], digest: str, store: SourceStore) -> Exchange:
    """Return a request about three sentences of the source."""
    asked: msgspec.Struct
    report: msgspec.Struct
    route, given = b"check", [GivenSource(name="interview", sha256=digest)]
    if kind == "cite":
        answer = " ".join(f"{sentence.rstrip('.')} [a]." for sentence in three)
        asked = AnswerRequest(answer=answer, sources=[CitedSource(id="a", sha256=digest)])
        route, report = b"cite", assess_cited_answer(asked, store)
        assert report.summary.claims
        assert not report.summary.unread
    elif kind == "validate":
        asked = PersonasRequest(personas=[{"statements": three}], sources=given)
        route, report = b"validate", validate_personas(asked, store)
        assert report.summary.claims
    else:
        words = three[1].split(" ")
        altered = " ".join([*words[:4], "never", *words[4:]])
        asked = QuotesRequest(quotes=[three[0], altered if kind == "altered" else three[1], three[2]], sources=given)
        report = check_quoted(asked, store)
        assert report.summary.accepted == (2 if kind == "altered" else 3)
    body = msgspec.json.encode(asked)
    return _HEAD % (route, len(body)) + body, msgspec.json.encode(report)


@contextmanager
def served() -> Iterator[int]:
    """Start the command; gives its port."""
    command = [sys.executable, "-m", "groundwire", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r":(\d+)/", process.stdout.readline())
        assert found is not None
        try:
            yield int(found[1])
        finally:
            process.terminate()


def read_through(port: int, asked: Sequence[Exchange], requests: int) -> None:
    """Send some requests by one connection, one after the other, and check each answer."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for number in range(requests):
            request, expected = asked[number % len(asked)]
            connection.sendall(request)
            assert received(connection) == expected


def received(connection: socket.socket) -> bytes:
    """Return the body of the next response, which must be a success."""
    content = connection.recv(65_536)
    while (end := content.find(b"\r\n\r\n")) < 0:
        content += connection.recv(65_536)
    assert content.startswith(b"HTTP/1.1 200 ")
    length = _LENGTH.search(content, 0, end + 2)
    assert length is not None
    whole = end + 4 + int(length[1])
    while len(content) < whole:
        content += connection.recv(65_536)
    return content[end + 4 :]


def rate(port: int, asked: Sequence[Exchange], requests: int) -> float:
    """Return the requests a second of all connections together, each with this number of them."""
    threads = [threading.Thread(target=read_through, args=(port, asked, requests)) for _ in range(CONNECTIONS)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return CONNECTIONS * requests / (time.perf_counter() - start)


def main() -> int:
    """Measure all kinds of requests."""
    refuse_debug_build()
    if hasattr(os, "sched_setaffinity"):
        # The server inherits this.
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    text = source_text()
    kinds = {kind: exchanges(text, kind) for kind in KINDS}
    with served() as port:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("PUT", "/v1/sources", text.encode(), {"content-type": "text/plain"})
        kept = json.loads(connection.getresponse().read())
        print(f"{kept['chars']:,} characters are kept; {CONNECTIONS} connections, {CORES} cores; requests a second")
        for asked in kinds.values():
            read_through(port, asked, BODIES)
        rates: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(ROUNDS):
            for kind, asked in kinds.items():
                requests = REQUESTS_EACH // (5 if KINDS[kind] is None else 1)
                rates[kind].append(rate(port, asked, requests))
    reached = True
    for kind, measured in rates.items():
        least = KINDS[kind]
        is_reached = least is None or median(measured) >= least
        reached &= is_reached
        bar = "" if least is None else f"  at least {least}{'' if is_reached else ': MISSED'}"
        print(f"{kind:<8} {median(measured):6.0f}  ({min(measured):5.0f} to {max(measured):5.0f}){bar}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
