"""What a proxy says counts if it is the trusted one."""

import pytest
from starlette.testclient import TestClient

from groundwire.review.web import RequestLimits, TrustedProxy
from review_web.cookies import cookies_of
from review_web.site import HOST, decide

PROXY = TrustedProxy(addresses=("testclient",), user_header="X-Remote-User", reviewers=("rita",))


def test_a_header_counts_only_if_it_is_configured(make_site):
    """And only from the proxy's own address, and once."""
    for settings in ({}, {"proxy": TrustedProxy(addresses=("10.0.0.1",), user_header="X-Remote-User")}):
        site = make_site(app=settings)
        assert site.program().get("/api/v1/claims", headers={"x-remote-user": "anna"}).status_code == 401
    site = make_site(app={"proxy": PROXY})
    site.submit("Zoe's", "zoe")
    for name, expected in (("zoe", 1), ("bob", 0), ("rita", 1), ("", 401), ("x" * 300, 401)):
        answer = site.program().get("/api/v1/claims", headers={"x-remote-user": name})
        assert expected == (len(answer.json()["claims"]) if answer.status_code == 200 else answer.status_code)
    twice = [("x-remote-user", "zoe"), ("x-remote-user", "bob")]
    assert site.program().get("/api/v1/claims", headers=twice).status_code == 401


def test_what_the_proxy_names_can_be_decided_with_forms(make_site):
    """Without a session; the key of the forms is the person's."""
    site = make_site(app={"proxy": PROXY})
    queue_id = site.submit()
    client = TestClient(site.app, base_url=HOST, headers={"x-remote-user": "anna"}, follow_redirects=False)
    assert decide(client, queue_id, "approve", form_key="0" * 64).status_code == 403
    assert decide(client, queue_id, "approve").status_code == 303


def test_forwarded_headers_of_others_do_not_count(make_site):
    """Nobody gets a limit of their own, or a cookie without encryption, by saying where they come from."""
    limits = RequestLimits(failures_at_once=2, requests_at_once=1_000)
    for proxy, expected in ((None, 429), (PROXY, 401)):
        site = make_site(app={"limits": limits, "proxy": proxy})
        answers = [
            site.client().post("/sign-in", data={"token": "x"}, headers={"x-forwarded-for": f"10.0.0.{number}"})
            for number in range(4)
        ]
        assert answers[-1].status_code == expected


def test_the_proxy_says_whether_it_is_encrypted(make_site):
    """Then cookies are kept to that."""
    site = make_site(app={"proxy": PROXY})
    headers = {"x-forwarded-proto": "https"}
    answer = site.client().post("/sign-in", data={"token": site.token["owner"]}, headers=headers)
    assert "__Host-groundwire-session" in cookies_of(answer)


def test_a_proxy_has_addresses():
    """Without any nobody would be believed; a single text would be taken letter by letter."""
    for addresses in ((), "127.0.0.1"):
        with pytest.raises(ValueError, match="needs the addresses"):
            TrustedProxy(addresses=addresses)
