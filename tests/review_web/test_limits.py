"""How often somebody may ask, and fail."""

import pytest

from groundwire.review.web import RequestLimits
from review_web.site import decide


def test_signing_in_fails_only_so_often(make_site):
    """The eleventh is 429; who has a good token gets in all the same."""
    site = make_site(app={"limits": RequestLimits(requests_per_s=100_000, requests_at_once=100_000)})
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
    """What has no room comes with the next page, and each page has one claim at least."""
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
def test_what_asks_for_too_much(site, path, headers, status):
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
    """At its rate, up to its size; silent keys are forgotten."""
    from groundwire.review.web.rate_limiter import RateLimiter

    now = [0.0]
    buckets = RateLimiter(2.0, 3, clock=lambda: now[0])
    for _ in range(3):
        assert buckets.wait_s("a") == 0
        buckets.take("a")
    assert buckets.wait_s("a") == 0.5
    now[0] = 0.5
    assert buckets.wait_s("a") == 0
    for number in range(10_001):
        buckets.take(str(number))
    assert len(buckets._levels) == 10_000
