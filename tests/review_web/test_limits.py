"""How often somebody may ask, and fail."""

from groundwire.review.web import Limits


def test_signing_in_fails_only_so_often(make_site):
    """The eleventh is 429; who has a good token gets in all the same."""
    site = make_site(app={"limits": Limits(requests_per_s=100_000, requests_at_once=100_000)})
    client = site.client()
    statuses = [client.post("/sign-in", data={"token": f"gwr_{number}"}).status_code for number in range(12)]
    assert statuses == [401] * 10 + [429] * 2
    assert int(client.post("/sign-in", data={"token": "gwr_"}).headers["retry-after"]) > 0
    assert site.client("owner").get("/").status_code == 200


def test_a_person_may_ask_only_so_often(make_site):
    """Others are not held up."""
    site = make_site(app={"limits": Limits(requests_per_s=0.001, requests_at_once=5)})
    bob = site.program("other")
    statuses = [bob.get("/api/v1/claims").status_code for _ in range(7)]
    assert statuses == [200] * 5 + [429] * 2
    assert site.program("owner").get("/api/v1/claims").status_code == 200


def test_a_bucket_fills_again():
    """At its rate, up to its size; silent keys are forgotten."""
    from groundwire.review.web.limits import Buckets

    now = [0.0]
    buckets = Buckets(2.0, 3, clock=lambda: now[0])
    for _ in range(3):
        assert buckets.wait_s("a") == 0
        buckets.take("a")
    assert buckets.wait_s("a") == 0.5
    now[0] = 0.5
    assert buckets.wait_s("a") == 0
    for number in range(10_001):
        buckets.take(str(number))
    assert len(buckets._levels) == 10_000
