"""Limits of requests and of failed sign-ins, and the fair share of the working time between people."""

import asyncio
import gc
import weakref
from collections.abc import Iterable
from dataclasses import fields

import pytest

from groundwire.http_server.responses import HttpProblem
from groundwire.review.web import RequestLimits
from groundwire.review.web.rate_limiter import FairScheduler, RateLimiter
from review.waiting import asynchronous
from review_web.site import decide


def test_signing_in_fails_only_so_often(make_site):
    """The eleventh is 429; who has a good token gets in all the same."""
    limits = RequestLimits(requests_per_s=100_000, requests_at_once=100_000, failures_per_min=0.001)
    site = make_site(app={"limits": limits})
    client = site.client()
    statuses = [client.post("/sign-in", data={"token": f"gwr_{number}"}).status_code for number in range(12)]
    assert statuses == [401] * 10 + [429] * 2
    assert int(client.post("/sign-in", data={"token": "gwr_"}).headers["retry-after"]) > 0
    assert site.client("owner").get("/").status_code == 200


def test_a_person_may_ask_only_so_often(make_site):
    """Others are not held up."""
    site = make_site(app={"limits": RequestLimits(requests_per_s=0.001, requests_at_once=5)})
    bob = site.program("other")
    statuses = [bob.get("/api/v1/claims").status_code for _ in range(7)]
    assert statuses == [200] * 5 + [429] * 2
    assert site.program("owner").get("/api/v1/claims").status_code == 200


@pytest.mark.parametrize("limit", [one.name for one in fields(RequestLimits)])
@pytest.mark.parametrize("value", [0, float("nan")])
def test_a_limit_is_positive(limit, value):
    """With a limit of zero, requests would wait for ever, or fail with an internal error."""
    with pytest.raises(ValueError, match=f"^{limit} must be positive$"):
        RequestLimits(**{limit: value})


def test_a_claim_has_a_size_in_bytes(make_site):
    """Submitted or edited: characters of four bytes count as four."""
    site = make_site(app={"limits": RequestLimits(content_bytes=100)})
    owner = site.program("owner")
    new = {"memory_type": "fact", "source": "user"}
    for content, status in (("x" * 100, 201), ("x" * 101, 422), ("\U0001f600" * 25, 201), ("\U0001f600" * 26, 422)):
        answer = owner.post("/api/v1/claims", json={**new, "content": content})
        assert answer.status_code == status
        assert status == 201 or answer.json()["field"] == "content"
    queue_id = site.submit("A claim that was there before " * 10)
    assert owner.post(f"/api/v1/claims/{queue_id}/approve", json={"content": "y" * 101}).status_code == 422
    assert decide(site.client("owner"), queue_id, "approve", content="y" * 101).status_code == 422
    assert decide(site.client("owner"), queue_id, "approve").status_code == 303


def test_a_list_has_a_size_in_bytes(make_site):
    """Claims beyond the limit are on the next page, and each page has at least one claim."""
    for most in (1, 3_000, 1_000_000):
        site = make_site(app={"limits": RequestLimits(response_bytes=most)})
        ids = [site.submit(f"{number} " + "\u00fc" * 400) for number in range(7)]
        owner, after, found, pages = site.program("owner"), 0, [], 0
        while after is not None:
            answer = owner.get("/api/v1/claims", params={"after": after, "limit": 5})
            page = answer.json()
            found += [one["queue_id"] for one in page["claims"]]
            assert len(page["claims"]) == 1 or len(answer.content) <= most + 100
            after, pages = page["next_after"], pages + 1
        assert (found, pages) == (ids, 7 if most < 4_000 else 2)


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/?a=" + "x" * 5_000, {}, 414),
        ("/api/v1/claims?" + "&".join(["a"] * 3_000), {}, 414),
        ("/", {"cookie": "a=" + "x" * 20_000}, 431),
        ("/api/v1/claims", {f"x-{number}": "y" for number in range(200)}, 431),
        ("/health?" + "x" * 5_000, {}, 414),
        ("/api/v1/claims?limit=0", {}, 422),
        ("/api/v1/claims?limit=-1", {}, 422),
        ("/api/v1/claims?limit=101", {}, 422),
        ("/api/v1/claims?limit=" + "9" * 30, {}, 422),
        ("/api/v1/claims?after=-1", {}, 422),
        ("/api/v1/claims?after=" + "9" * 19, {}, 422),
        ("/?after=1e9", {}, 422),
    ],
)
def test_excessive_requests_are_refused(site, path, headers, status):
    """Heads, queries and pages have limits, on every route."""
    client = site.program("owner")
    assert client.get(path, headers=headers).status_code == status


def test_an_audit_has_pages(site):
    """Each entry once, in order."""
    owner, queue_id = site.program("owner"), site.submit()
    for _ in range(4):
        assert owner.post(f"/api/v1/claims/{queue_id}/skip").status_code == 200
    path, after, found = f"/api/v1/claims/{queue_id}/audit", 0, []
    while after is not None:
        page = owner.get(path, params={"after": after, "limit": 2}).json()
        found += [entry["action"] for entry in page["entries"]]
        after = page["next_after"]
    assert found == ["enqueued", *["skipped"] * 4]
    assert owner.get(path, params={"limit": 501}).status_code == 422


def test_a_bucket_fills_again():
    """At its rate, up to its size; of 10,001 keys, the one idle for the longest time gets a full bucket."""
    now = [0.0]
    buckets = RateLimiter(2.0, 3, clock=lambda: now[0])
    for _ in range(3):
        assert buckets.wait_s("a") == 0
        buckets.take("a")
    assert buckets.wait_s("a") == 0.5
    now[0] = 0.5
    assert buckets.wait_s("a") == 0
    buckets.take("a")
    for number in range(10_000):
        assert buckets.wait_s("a") == 0.5
        buckets.take(str(number))
    assert buckets.wait_s("a") == 0


class Ask:
    """People who ask, each request for a time of the test's own clock."""

    def __init__(self, at_once: int = 1, of_one: int = 1, waiting_of_one: int = 100) -> None:
        self.now = 0.0
        self.turns = FairScheduler(at_once, of_one, waiting_of_one, clock=lambda: self.now)
        self.order: list[str] = []
        self.working: list[str] = []
        self.most = 0

    async def work(self, key: str, seconds: float = 1.0) -> None:
        """Wait for a turn, and use it."""
        async with self.turns.turn(key):
            self.order.append(key)
            self.working.append(key)
            self.most = max(self.most, len(self.working))
            await asyncio.sleep(0)
            self.now += seconds
            self.working.remove(key)

    def begin(self, keys: Iterable[str], seconds: float = 1.0) -> list[asyncio.Task[None]]:
        """Let these people ask, one after the other."""
        return [asyncio.ensure_future(self.work(key, seconds)) for key in keys]


@asynchronous
async def test_a_busy_client_waits_for_others():
    """Behind ten requests of one person, those of two others are second and third."""
    ask = Ask()
    await asyncio.gather(*ask.begin("aaaaaaaaaabc"))
    assert "".join(ask.order) == "abc" + "a" * 9


@asynchronous
async def test_time_counts_and_not_requests():
    """Somebody whose requests take three times as long has a third of the turns."""
    ask = Ask()
    await asyncio.gather(*ask.begin("a" * 4, 3.0), *ask.begin("b" * 12, 1.0))
    assert [ask.order[:number].count("a") for number in (4, 8, 12, 16)] == [1, 2, 3, 4]


@asynchronous
async def test_time_is_not_saved_up():
    """A user who returns after a pause starts at the level of the others, and does not delay them for long."""
    ask = Ask()
    first = ask.begin("aaaaaaaaaa")
    while len(ask.order) < 8:
        await asyncio.sleep(0)
    await asyncio.gather(*first, *ask.begin("bbbb"))
    assert sorted(ask.order[8:12]) == ["a", "a", "b", "b"]


@asynchronous
async def test_few_at_once():
    """Of all, and of one person."""
    for at_once, of_one, keys, most in ((3, 2, "aaaaaa", 2), (3, 2, "aaabbb", 3), (1, 5, "ab", 1)):
        ask = Ask(at_once, of_one)
        await asyncio.gather(*ask.begin(keys))
        assert ask.most == most


@asynchronous
async def test_few_may_wait():
    """Those beyond are refused with when to come back, and others are not."""
    ask = Ask(waiting_of_one=2)
    asked = ask.begin("aaaab")
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    refused = [one for one in outcomes if isinstance(one, HttpProblem)]
    assert [(one.status, one.retry_after_s) for one in refused] == [(429, 2)] * len(refused)
    assert 1 <= len(refused) <= 2
    assert ask.order.count("b") == 1


class Person(str):
    """A key that can be watched."""

    __slots__ = ("__weakref__",)


@asynchronous
async def test_a_disconnected_client_leaves_no_state():
    """Whether it waits or has just got its turn; the scheduler keeps nothing of a person without requests."""
    ask = Ask()
    people = [Person(name) for name in "aabcd"]
    seen = [weakref.ref(person) for person in people]
    asked = ask.begin(people)
    await asyncio.sleep(0)
    asked[1].cancel()
    asked[2].cancel()
    await asyncio.gather(*asked, return_exceptions=True)
    assert "".join(ask.order) == "acd"
    await ask.work("e")
    for kept in (people, asked, ask.order):
        kept.clear()
    gc.collect()
    assert [person() for person in seen] == [None] * 5


@asynchronous
async def test_a_turn_ends_with_an_error():
    """The next one gets it."""
    ask = Ask()
    with pytest.raises(OSError, match=r"^$"):
        async with ask.turns.turn("a"):
            raise OSError("")
    await ask.work("b")
    assert ask.order == ["b"]
