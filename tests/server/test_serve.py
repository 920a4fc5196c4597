"""`groundwire serve` on a socket: addresses, tokens, signals, slow and hostile clients, and many at once."""

import json
import os
import signal
import threading
from functools import partial
from http.client import HTTPResponse

import pytest

pytest.importorskip("starlette", reason="no starlette: pip install 'groundwire[review]'")
httpx = pytest.importorskip("httpx2", reason="no httpx2: pip install 'groundwire[judge]'")

from cli.command import run_here
from groundwire.server import ServiceLimits, app, create_app
from http_server.serving import (
    address_of,
    answer_to,
    await_continue,
    commands,
    connect,
    is_listening,
    live,
    start,
    status_of,
)
from server.service import DIGEST, INTERVIEW, SLEEP, TOKEN, keep, quotes_of
from waits import PATIENCE_S, eventually

SERVE = ("-m", "groundwire", "serve", "--port", "0")
get, post = (partial(call, timeout=PATIENCE_S) for call in (httpx.get, httpx.post))


@pytest.fixture
def serve():
    """Return a function that starts the command, and returns the process and its address."""
    with commands("serve") as start_command:
        yield start_command


def head(path: str, length: int, *fields: str) -> bytes:
    """Return the head of a request with a body."""
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {length}", *fields]
    return "".join(f"{line}\r\n" for line in [*lines, "Content-Type: application/json", ""]).encode()


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_and_stops_cleanly(serve, number):
    """It listens on this machine only, becomes ready, and a signal ends it with 0 and without output."""
    process, address = serve()
    assert address.startswith("http://127.0.0.1:")
    assert get(f"{address}/health").json() == {"status": "ok"}
    eventually(lambda: get(f"{address}/ready").status_code, 200)
    assert get(f"{address}/health", headers={"host": "evil.example"}).status_code == 400
    process.send_signal(number)
    assert process.communicate(timeout=PATIENCE_S) == ("", "")
    assert process.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
def test_a_request_in_progress_is_finished_first(serve):
    """A request whose body arrives at the signal gets its report; new connections are refused."""
    process, address = serve()
    body = json.dumps({"quotes": [SLEEP], "sources": [{"text": INTERVIEW}]}).encode()
    with connect(address) as client:
        client.sendall(head("/v1/check", len(body), "Expect: 100-continue"))
        await_continue(client)
        process.send_signal(signal.SIGTERM)
        eventually(lambda: is_listening(address), False)
        client.sendall(body)
        assert status_of(client) == 200
    assert process.wait(PATIENCE_S) == 0


_STUCK = """
import time
from groundwire.cli import main
from groundwire.server import app
app.decode_json = lambda *_: time.sleep(3600)
main(["serve", "--port", "0", "--deadline", "1"])
"""


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
def test_work_that_does_not_end_does_not_keep_the_process():
    """Its client has its answer already, and nothing is lost."""
    process = start("-c", _STUCK)
    address = address_of(process)
    eventually(lambda: get(f"{address}/ready").status_code, 200)
    late = post(f"{address}/v1/check", json={"quotes": ["a"], "sources": [{"text": "a"}]})
    assert late.json()["code"] == "deadline_exceeded"
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=PATIENCE_S) == ("", "")
    assert process.returncode == 0


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # as tested
def test_another_address_needs_a_token(host):
    """It refuses to start, and names both ways to give one."""
    process = start(*SERVE, "--host", host)
    out, error = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out) == (2, "")
    assert error.splitlines() == [
        f"error: {host} is reachable from other machines, so a token is required",
        "hint: set GROUNDWIRE_SERVE_TOKEN, or name a file with --token-file",
    ]


def test_the_token_comes_from_a_file(serve, tmp_path):
    """A line end after it is ignored; the warning is about the missing encryption, and shows no token."""
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o600)
    process, address = serve("--host", "0.0.0.0", "--token-file", str(file))
    port = address.rpartition(":")[2]
    for sent, status in ((TOKEN, 200), ("wrong", 401)):
        headers = {"authorization": f"Bearer {sent}"}
        assert get(f"http://127.0.0.1:{port}/metrics", headers=headers).status_code == status
    process.terminate()
    error = process.communicate(timeout=PATIENCE_S)[1]
    assert error.startswith("warning: 0.0.0.0 is reachable from other machines: put a TLS proxy in front")
    assert error.count("\n") == 1
    assert TOKEN not in error


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"\n", "`<stdin>` is empty", id="empty"),
        pytest.param(b"short\n", "a token has at least 16 visible characters of ASCII", id="read"),
    ],
)
def test_the_token_may_come_from_standard_input(tmp_path, content, words):
    """A program that keeps secrets writes it there, so that no file is left."""
    assert run_here("serve", "--token-file", "-", cwd=tmp_path, stdin=content) == (2, "", f"error: {words}\n")


@pytest.mark.parametrize(
    ("variable", "content", "words"),
    [
        pytest.param(TOKEN, TOKEN, "--token-file and GROUNDWIRE_SERVE_TOKEN are both given", id="both"),
        pytest.param(None, "\n", "is empty", id="empty-file"),
        pytest.param(None, "short", "a token has at least 16 visible characters of ASCII", id="short"),
    ],
)
def test_a_wrong_token_is_refused_at_the_start(tmp_path, variable, content, words):
    """The error comes before it listens."""
    file = tmp_path / "token"
    file.write_text(content)
    process = start(*SERVE, "--token-file", str(file), **({"GROUNDWIRE_SERVE_TOKEN": variable} if variable else {}))
    out, error = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out) == (2, "")
    assert words in error


@pytest.mark.skipif(os.name == "nt", reason="no such modes")
def test_a_token_file_that_others_may_read_gets_a_warning(serve, tmp_path):
    """Containers mount secrets like this, so the service starts."""
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o644)
    process, _ = serve("--token-file", str(file))
    process.terminate()
    error = process.communicate(timeout=PATIENCE_S)[1]
    assert error.startswith("warning: other users of this machine may read or change")


def test_slow_bodies_are_given_up():
    """The response is 408 after the time limit of a body, and others are answered meanwhile."""
    with live(create_app(limits=ServiceLimits(body_timeout_s=0.5))) as address, connect(address) as client:
        client.sendall(head("/v1/check", 1000) + b"{")
        assert get(f"{address}/health").status_code == 200
        # The head and the body may arrive apart.
        answer = HTTPResponse(client)
        answer.begin()
        assert (answer.status, json.load(answer)["code"]) == (408, "too_slow")


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n", id="huge"),
        pytest.param(
            b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", id="chunked"
        ),
        pytest.param(b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n", id="negative"),
        pytest.param(b"GET /v1/sources/\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", id="bytes-in-the-path"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 1_000_000 + b"\r\n\r\n", id="large-head"),
        pytest.param(head("/v1/check", 10) + b"{}", id="body-ends-early"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", id="tls"),
    ],
)
def test_hostile_requests_are_refused(sent):
    """They get 4xx or nothing, and the service continues."""
    with live(create_app()) as address:
        answer = answer_to(address, sent)
        assert answer == b"" or answer.startswith(b"HTTP/1.1 4")
        assert get(f"{address}/health").status_code == 200


def test_thirty_clients_at_once_get_their_own_reports():
    """Each answer is about the quotes of its request, while sources come and go."""
    quotes = ["I can’t sleep at night.", "I never took the tablets.", "I sleep on the sofa", "Nobody said this at all."]
    wrong = []

    def ask(number: int) -> None:
        with httpx.Client(base_url=address, timeout=PATIENCE_S) as client:
            for step in range(10):
                quote = quotes[(number + step) % 4]
                keep(client)
                body = client.post("/v1/check", json=quotes_of(DIGEST, quote)).json()
                found = [(each["quote"], each["accepted"]) for each in body["quotes"]]
                wrong.extend([body] if found != [(quote, quote != quotes[3])] else [])

    with live(create_app()) as address:
        threads = [threading.Thread(target=ask, args=(number,)) for number in range(30)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


@pytest.fixture
def gate(monkeypatch) -> threading.Event:
    """Return an event that every check waits for."""
    opened = threading.Event()
    decode = app.decode_json

    def wait(*arguments: object) -> object:
        assert opened.wait(PATIENCE_S)
        return decode(*arguments)

    monkeypatch.setattr(app, "decode_json", wait)
    return opened


def test_too_many_requests_at_once_are_refused(gate):
    """Further ones get 503 with Retry-After, health stays, and readiness says so; later ones are answered."""
    body = {"quotes": [SLEEP], "sources": [{"text": INTERVIEW}]}
    answers = []
    with live(create_app(limits=ServiceLimits(requests_at_once=3, deadline_s=PATIENCE_S))) as address:

        def ask() -> None:
            answers.append(post(f"{address}/v1/check", json=body).status_code)

        eventually(lambda: get(f"{address}/ready").status_code, 200)
        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        eventually(lambda: get(f"{address}/ready").json(), {"status": "busy"})
        refused = post(f"{address}/v1/check", json=body)
        assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (503, "busy", "1")
        assert get(f"{address}/health").status_code == 200
        gate.set()
        for thread in threads:
            thread.join()
        assert post(f"{address}/v1/check", json=body).status_code == 200
    assert answers == [200] * 3


def test_work_beyond_the_deadline_gets_no_verdict(gate):
    """The answer is a problem; the abandoned work counts as in progress until it ends."""
    body = {"quotes": [SLEEP], "sources": [{"text": INTERVIEW}]}
    limits = ServiceLimits(deadline_s=0.2, requests_at_once=1, threads=1)
    with live(create_app(limits=limits)) as address:
        eventually(lambda: get(f"{address}/ready").status_code, 200)
        late = post(f"{address}/v1/check", json=body)
        assert (late.status_code, late.json()["code"]) == (503, "deadline_exceeded")
        assert post(f"{address}/v1/check", json=body).json()["code"] == "busy"
        gate.set()
        eventually(lambda: get(f"{address}/ready").status_code, 200)
