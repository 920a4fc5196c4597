"""Attacks on the review page: hosts, redirects, tokens, and users who ask for more than their share."""

import asyncio
import hashlib
import hmac
import http.client
import random
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

import pytest

pytest.importorskip("starlette", reason="no starlette: pip install 'groundwire[review]'")

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from attack import hostile
from attack.hostile import KINDS
from cli.command import environment
from effort import IS_LONG, effort
from groundwire.http_server.requests import normalize_host
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from groundwire.review.web import PrincipalRole, TokenStore, TrustedProxy, create_app, credentials
from review.waiting import Clock, evidence
from review_web.site import HOST, Site


@pytest.fixture
def site() -> Iterator[Site]:
    """Return an empty page."""
    made = Site()
    yield made
    made.close()


LISTENING = ("::1", "fd00::5", "2001:db8::1", "::", "0.0.0.0", "127.0.0.1", "192.0.2.7", "localhost", "review.example")
SPELLINGS = {
    "::1": ("[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]"),
    "fd00::5": ("[fd00::5]", "[FD00::5]", "[fd00:0:0::5]"),
    "2001:db8::1": ("[2001:db8::1]", "[2001:DB8:0:0:0:0:0:1]"),
    "::": ("[::]", "[0::0]"),
}
FORGED = (
    "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example#127.0.0.1",
    "evil.example/127.0.0.1",
    "127.0.0.1@evil.example", "user@127.0.0.1", "127.0.0.1,evil.example", "127.0.0.1 evil.example", "evil.example\t",
    "[::1].evil.example", "evil.example[::1]", "[::1]evil.example", "[::1", "::1]", "::1", "[::2]", "[::ffff:10.0.0.1]",
    "[::1%25eth0]", "[fe80::1%eth0]", "[::1]:", "[::1]:x", "[::1]:0", "[::1]:65536", "[::1]:-1", "[::1]:80:80",
    "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:99999", "127.0.0.1:80:80", "127.1", "0x7f.0.0.1", "2130706433",
    "0177.0.0.1",
    "127.0.0.2", "localhost.", "xlocalhost", "local\u212aost", "", " ", ".", "*", "[]", "[v1.x]", "%31%32%37.0.0.1",
    "127.0.0.1\x00", "127.0.0.1\r\nX: y", "http://127.0.0.1", "x" * 300,
)  # fmt: skip


def status_for(app: Starlette, *hosts: str) -> int:
    """Return the status of a request with these `Host` header fields, on any server."""
    client = TestClient(app, base_url="http://page.invalid", follow_redirects=False)
    headers = [(b"host", host.encode("latin-1", "replace")) for host in hosts]
    return client.get("/sign-in", headers=headers).status_code


def test_hosts(site, attack):
    """The page answers to all spellings of each host that it listens on, with and without a port, and to no other."""
    for listening in LISTENING:
        app = create_app(site.queue, auth=lambda _: None, hosts=[listening, "localhost", "127.0.0.1", "::1"])
        spellings = SPELLINGS.get(listening, (listening, listening.upper()))
        for host in (*spellings, "localhost", "127.0.0.1", "[::1]", "LOCALHOST"):
            for port in ("", ":1", ":80", ":8765", ":65535"):
                with attack.attempt(f"{host}{port} at {listening}"):
                    assert status_for(app, host + port) == 404, "refused"
        for host in FORGED:
            for one in (host, f"{host}:8765"):
                with attack.attempt(f"forged {one!r} at {listening}"):
                    assert status_for(app, one) == 400, "taken"
        for two in ((HOST[7:], "evil.example"), ("evil.example", HOST[7:]), (HOST[7:], HOST[7:])):
            with attack.attempt(f"{two} at {listening}"):
                assert status_for(app, *two) == 400, "taken"


def test_hosts_of_the_settings(attack):
    """An invalid host is refused when the page starts, not when a request arrives."""
    for name in (
        "fe80::1%eth0",
        "fe80::1%25eth0",
        "[fe80::1%1]",
        "http://x",
        "x/y",
        "x:80",
        "[::1]:80",
        "",
        "a b",
        "x" * 300,
    ):
        with attack.attempt(name), pytest.raises(ValueError, match=r"host|address"):
            normalize_host(name)
    for name, expected in (("[::1]", "::1"), ("0:0::1", "::1"), ("Review.Example", "review.example"), ("::", "::")):
        with attack.attempt(name):
            assert normalize_host(name) == expected


FORGED_HEADERS = {
    "nothing": {},
    "a host": {"host": "evil.example"},
    "a forwarded host": {"x-forwarded-host": "evil.example"},
    "a forwarded scheme": {"x-forwarded-proto": "https"},
    "a forwarded field": {"forwarded": "host=evil.example;proto=http"},
    "a host with a path": {"host": "evil.example/"},
    "a rewritten URL": {"x-original-url": "http://evil.example/", "x-rewrite-url": "//evil.example"},
}
WITH_SLASH = (
    "/sign-in/", "/health/", "/api/v1/claims/", "/claims/x/", "/claims/x//", "/api/v1/openapi.json/", "/metrics/?a=b",
    "/memories/", "/memories/x/", "/memories/export/",
    "/claims/x/?next=//evil.example", "/claims/%2F%2Fevil.example/", "/claims/evil.example%2F/", "/claims/%0d%0aX:y/",
    "//evil.example/", "//evil.example/sign-in/", "///evil.example/..", "/\\evil.example/", "/%5Cevil.example/",
    "/%2Fevil.example/",
    "/nothing/", "//", "/claims/../sign-in/", "/claims/\u00fc/", "/claims/x/?a=%0d%0aX:y",
)  # fmt: skip


def test_redirects_stay_on_the_page(site, attack):
    """Each redirect is relative, so a header cannot change its host or scheme."""
    apps = {
        "as it is": (site.app, ""),
        "behind a proxy": (
            create_app(site.queue, auth=site_auth(site), proxy=TrustedProxy(addresses=["testclient"])),
            "",
        ),
        "below a path": (Starlette(routes=[Mount("/review", site.app)]), "/review"),
    }
    redirects = 0
    for name, (app, root) in apps.items():
        client = TestClient(app, base_url="https://127.0.0.1", follow_redirects=False)
        for header, fields in FORGED_HEADERS.items():
            for path in (*WITH_SLASH, "/", "/claims/x", "/?state=stored", "/?next=//evil.example"):
                with attack.attempt(f"{path} {name} with {header}"):
                    answer = client.get(f"https://127.0.0.1{root}{path}", headers=fields)
                    if 300 <= answer.status_code < 400:
                        redirects += 1
                        there = answer.headers["location"]
                        assert there.startswith(f"{root}/"), "it leads elsewhere"
                        assert not there.startswith(("//", "/\\")), "it leads to another host"
                        assert not set(there) & set("\r\n\\ "), "it holds what is no part of a URL"
            for value in (
                "//evil.example",
                "https://evil.example",
                "/\\evil.example",
                "/claims/x/../..//evil",
                "/%0d%0a",
            ):
                with attack.attempt(f"signing in leads to {value} {name} with {header}"):
                    sent = {"token": site.token["owner"], "next": value}
                    answer = client.post(f"{root}/sign-in", data=sent, headers=fields)
                    assert answer.headers["location"] == f"{root}/"
    assert redirects > 50


def site_auth(site: Site):
    """Return the authentication by the tokens of a site."""
    return credentials.TokenAuthenticator(site.tokens, cache_ttl_s=0.0)


class Work:
    """Counts reads of the database, hashes and comparisons of `TokenStore.check`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, store: MemoryStore) -> None:
        self.done: Counter[str] = Counter()
        monkeypatch.setattr(credentials, "sha256", self.counted("hash", hashlib.sha256))
        monkeypatch.setattr(credentials.hmac, "compare_digest", self.counted("compare", hmac.compare_digest))
        with store.snapshot() as database:
            monkeypatch.setattr(database, "execute", self.counted("read", database.execute, skip=("BEGIN", "COMMIT")))

    def counted(self, name: str, function, skip: tuple[str, ...] = ()):
        """Wrap a function so that it counts its calls and the sizes of its arguments."""

        def call(first, *rest):
            if not (skip and str(first).startswith(skip)):
                self.done[name] += 1
                self.done[f"{name} size"] += len(first)
            return function(first, *rest)

        return call


def kinds_of_tokens(made: TokenStore, clock: Clock) -> dict[str, str]:
    """Return a token of each kind that `TokenStore.check` can meet; it refuses all but the good ones."""
    good_id, good = made.issue("anna")
    revoked_id, revoked = made.issue("bob")
    made.revoke(revoked_id)
    _, expired = made.issue("eve", valid_for_s=1)
    _, expired_reviewer = made.issue("rita", PrincipalRole.REVIEWER, valid_for_s=1)
    clock.now += timedelta(hours=1)
    secret = good[len(good) - 43 :]
    wrong = ("a" if secret[0] != "a" else "b") + secret[1:]
    last = secret[:-1] + ("a" if secret[-1] != "a" else "b")
    return {
        "good": good,
        "good reviewer": made.issue("rita", PrincipalRole.REVIEWER)[1],
        "unknown id": f"gwr_{'0' * 15}1_{secret}",
        "another unknown id": f"gwr_{'f' * 16}_{'x' * 43}",
        "known id, first character wrong": f"gwr_{good_id}_{wrong}",
        "known id, last character wrong": f"gwr_{good_id}_{last}",
        "known id, all wrong": f"gwr_{good_id}_{'x' * 43}",
        "revoked": revoked,
        "revoked, wrong": f"gwr_{revoked_id}_{'x' * 43}",
        "expired": expired,
        "expired reviewer": expired_reviewer,
        "expired, wrong": expired[:-43] + "x" * 43,
        "no token": "gwr_",
        "empty": "",
        "a long one": "gwr_" + "0" * 10_000,
        "not ASCII": "gwr_\u00fc",
    }


def test_checking_a_token_does_the_same_work_for_all(monkeypatch, attack):
    """
    The check makes the same number of reads, hashes and comparisons, of the same sizes, for known and unknown ids.
    """
    clock = Clock()
    with MemoryStore(":memory:") as store:
        made = TokenStore(store, clock=clock)
        kinds = kinds_of_tokens(made, clock)
        work = Work(monkeypatch, store)
        made.check(kinds["good"])
        expected = dict(work.done)
        assert min(expected["read"], expected["hash"], expected["compare"]) >= 1
        for name, token in kinds.items():
            with attack.attempt(name):
                work.done.clear()
                assert (made.check(token) is not None) == name.startswith("good")
                assert dict(work.done) == expected


def test_the_time_of_a_check_says_nothing_of_the_id(attack):
    """The median times of known and unknown ids, measured in turns, have a quotient within wide bounds."""
    clock = Clock()
    with MemoryStore(":memory:") as store:
        made = TokenStore(store, clock=clock)
        kinds = kinds_of_tokens(made, clock)
        names = [name for name in kinds if "known id" in name or "wrong" in name]
        taken: dict[str, list[int]] = {name: [] for name in names}
        order = random.Random(5)
        for _ in range(effort(1_500, 20_000)):
            for name in order.sample(names, len(names)):
                started = time.perf_counter_ns()
                made.check(kinds[name])
                taken[name].append(time.perf_counter_ns() - started)
    medians = {name: statistics.median(times) for name, times in taken.items()}
    usual = statistics.median(medians.values())
    for name, median in medians.items():
        print(f"{name}: {median / 1_000:.1f} us, {median / usual:.3f} of the usual")
        with attack.attempt(name):
            assert 0.7 < median / usual < 1.4


# Anna reads a page for this long before she opens the next one.
_PAUSE_S = 0.25
LARGE = 98
HOSTILE = 50


class Served(NamedTuple):
    """
    A page in its own process, with 98 claims of 85,000 characters, and its users.

    Each kind of attack has its own hostile users, so that none of them has already reached a rate limit.
    """

    port: int
    ids: list[str]
    anna: str
    hostile: dict[tuple[str, int], list[str]]


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    """Return the page as `groundwire review serve` serves it."""
    path = str(tmp_path_factory.mktemp("page") / "review.db")
    with MemoryStore(path) as store, ReviewQueue(store=store) as queue:
        ids = asyncio.run(fill(queue))
        made = TokenStore(store)
        anna = made.issue("anna")[1]
        with store.transaction():
            hostile = {
                (kind, people): [
                    made.issue(f"{kind} {number} of {people}", PrincipalRole.REVIEWER)[1] for number in range(people)
                ]
                for kind in KINDS
                for people in (1, HOSTILE)
            }
    command = [sys.executable, "-m", "groundwire", "review", "serve", path, "--port", "0"]
    env = environment({"PYTHONUNBUFFERED": "1"})
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        port = int(re.search(r":(\d+)/", process.stdout.readline())[1])
        try:
            yield Served(port, ids, anna, hostile)
        finally:
            process.terminate()


async def fill(queue: ReviewQueue) -> list[str]:
    """Queue large claims of Mallory and twenty short ones of Anna; return the ids of the large ones."""
    words = ("The quick brown fox may jump over the lazy dog. \u202e\u00fc" * 2_000)[:85_000]
    ids = []
    for number in range(LARGE):
        claim = f"{number} {words}"
        ids.append(await queue.enqueue("mallory", claim, "fact", "chat", evidence(claim)))
    for number in range(20):
        await queue.enqueue("anna", f"Anna's claim {number}", "fact", "chat", evidence("x"))
    return ids


def page_times(served: Served, path: str, times: int) -> list[float]:
    """Return how long Anna waits for each page, in seconds."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=120)
        connection.request("GET", path, headers={"authorization": f"Bearer {served.anna}"})
        answer = connection.getresponse()
        text = answer.read()
        taken.append(time.perf_counter() - started)
        connection.close()
        assert answer.status == 200
        assert b"Anna" in text
        time.sleep(_PAUSE_S)
    return taken


@pytest.mark.parametrize("people", [1, HOSTILE])
def test_hostile_readers_do_not_slow_other_users(served, attack, people):
    """Fifty hostile readers, of one user or of fifty users, do not slow the page down for others."""
    quiet = statistics.median(page_times(served, "/", 15))
    some = ("lists", "pages of lists", "claims", "all of it")
    for kind in KINDS if people == 1 or IS_LONG else some:
        held = ",".join(served.hostile[kind, people])
        command = [sys.executable, hostile.__file__, kind, str(served.port), ",".join(served.ids), held]
        with (
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process,
            attack.attempt(kind),
        ):
            # Fifty users may make fifty requests for each of hers, so her share of the machine is
            # smaller.
            most = max(0.2, 30 * quiet) if people == 1 else max(2.0, 150 * quiet)
            try:
                process.stdout.readline()
                time.sleep(0.3)
                # Other load on the machine may slow the page down, but hardly by a factor of three.
                for _ in range(3):
                    taken = page_times(served, "/", effort(7, 50))
                    if (median := statistics.median(taken)) < most:
                        break
            finally:
                process.stdin.close()
                process.kill()
            worst = max(taken)
            print(f"{kind}: {median * 1_000:.0f} ms, worst {worst * 1_000:.0f} ms; quiet {quiet * 1_000:.0f} ms")
            assert median < most, f"the median page takes {median * 1_000:.0f} ms"
