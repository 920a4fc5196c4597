"""The served page: addresses, signals, slow bodies, and many readers at once."""

import os
import re
import signal
import subprocess
import sys
import threading
from functools import partial

import pytest

from cli.command import environment
from groundwire.memory import MemoryStore
from groundwire.review.web import PrincipalRole, RequestLimits, TokenStore
from http_server.serving import await_continue, commands, connect, is_listening, live, status_of
from waits import PATIENCE_S, eventually

httpx = pytest.importorskip("httpx2", reason="no httpx2: pip install 'groundwire[judge]'")

get = partial(httpx.get, timeout=PATIENCE_S)


@pytest.fixture
def database(tmp_path) -> str:
    """Return an empty file."""
    path = str(tmp_path / "review.db")
    MemoryStore(path).close()
    return path


@pytest.fixture
def serve(database):
    """Return a function that starts `groundwire review serve`, and returns the process and its address."""
    with commands("review", "serve", database) as start:
        yield start


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_and_stops_cleanly(serve, number):
    """It listens on 127.0.0.1, with a hint if there is no token; both signals end it with 0 and without output."""
    process, address = serve()
    assert address.startswith("http://127.0.0.1:")
    assert get(f"{address}/health").json() == {"status": "ok"}
    assert get(f"{address}/", headers={"host": "evil.example"}).status_code == 400
    process.send_signal(number)
    out, error = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out) == (0, "")
    assert error == ("warning: there are no tokens yet; `groundwire review token DATABASE --user NAME` creates one\n")


def test_tokens_work_while_it_runs(serve, database):
    """A new token is valid at once, and a revoked one is not."""
    _, address = serve()
    with MemoryStore(database) as store:
        token_id, token = TokenStore(store).issue("rita", PrincipalRole.REVIEWER)
        headers = {"authorization": f"Bearer {token}"}
        assert get(f"{address}/api/v1/counts", headers=headers).status_code == 200
        TokenStore(store).revoke(token_id)
        assert get(f"{address}/api/v1/counts", headers=headers).status_code == 401


def test_a_proxy_names_people(serve):
    """This needs configuration; reviewers are given by name."""
    _, address = serve("--trusted-proxy", "127.0.0.1", "--user-header", "X-Remote-User", "--trusted-reviewer", "rita")
    for name, status in (("rita", 200), ("anna", 403), ("", 401)):
        assert get(f"{address}/metrics", headers={"x-remote-user": name}).status_code == status


@pytest.mark.parametrize(
    ("host", "there"),
    [
        ("::1", "[::1]"),
        ("[::1]", "[::1]"),
        ("0:0:0:0:0:0:0:1", "[::1]"),
        ("::", "[::]"),
        ("0.0.0.0", "0.0.0.0"),  # what is tested
        ("localhost", "localhost"),
    ],
)
def test_it_is_reached_where_it_listens(serve, database, host, there):
    """
    The printed address works, brackets included, for the page, signing in and its cookie; other hosts are refused.
    """
    with MemoryStore(database) as store:
        _, token = TokenStore(store).issue("anna")
    _, address = serve("--host", host)
    assert re.fullmatch(rf"http://{re.escape(there)}:\d+", address)
    port = address.rpartition(":")[2]
    loopback = "[::1]" if ":" in host else "127.0.0.1"
    for reached in (address, f"http://{loopback}:{port}"):
        with httpx.Client(base_url=reached, timeout=PATIENCE_S) as client:
            assert client.get("/sign-in").status_code == 200
            assert client.post("/sign-in", data={"token": token}, headers={"origin": reached}).status_code == 303
            if reached != address or host not in ("::", "0.0.0.0"):
                assert client.get("/").status_code == 200
            assert client.get("/sign-in", headers={"host": f"evil.example:{port}"}).status_code == 400


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--host", "fe80::1%eth0"), "error: --host: an address with a zone (%) cannot be part of a URL"),
        (
            ("--host", "http://localhost"),
            "error: --host: a host is a name or an address, without scheme, port and path",
        ),
        (
            ("--allow-host", "x:80"),
            "error: --allow-host: a host is a name or an address, without scheme, port and path",
        ),
    ],
)
def test_invalid_hosts_are_refused_at_the_start(database, options, words):
    """The error comes before it listens."""
    command = [sys.executable, "-m", "groundwire", "review", "serve", database, "--port", "0", *options]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, words)


def test_requests_at_work_are_finished_first(serve, database):
    """A request that is being answered at the signal gets its answer."""
    with MemoryStore(database) as store:
        _, token = TokenStore(store).issue("anna")
    process, address = serve()
    body = b'{"content": "A claim", "memory_type": "fact", "source": "user"}'
    with connect(address) as client:
        client.sendall(
            f"POST /api/v1/claims HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
            "Content-Type: application/json\r\nExpect: 100-continue\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
        )
        # It prints a line when the application reads the body.
        await_continue(client)
        process.send_signal(signal.SIGTERM)
        eventually(lambda: is_listening(address), False)
        client.sendall(body)
        assert status_of(client) == 201
    assert process.wait(PATIENCE_S) == 0


def test_slow_bodies_are_given_up(make_site):
    """The response is 408 after the time limit of a body."""
    site = make_site(app={"limits": RequestLimits(body_timeout_s=0.5, requests_per_s=1_000)})
    with live(site.app) as address, connect(address) as client:
        client.sendall(
            f"POST /api/v1/claims HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {site.token['owner']}\r\n"
            "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{".encode()
        )
        assert status_of(client) == 408


def test_fifty_readers_at_once(site):
    """Each gets its right answer."""
    queue_ids = [site.submit(f"Claim {number}") for number in range(20)]
    answers = []

    def read(number: int) -> None:
        headers = {"authorization": f"Bearer {site.token['reviewer']}"}
        with httpx.Client(base_url=address, headers=headers, timeout=PATIENCE_S) as client:
            for step in range(10):
                queue_id = queue_ids[(number + step) % 20]
                answers.append(client.get(f"/api/v1/claims/{queue_id}").json()["claim"]["queue_id"] == queue_id)

    with live(site.app) as address:
        readers = [threading.Thread(target=read, args=(number,)) for number in range(50)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
    assert answers == [True] * 500
