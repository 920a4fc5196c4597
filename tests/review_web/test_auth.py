"""Signing in and out, forms of the same session only, and the headers of a trusted proxy."""

import pytest
from starlette.testclient import TestClient

from groundwire.review.web import RequestLimits, TokenAuthenticator, TrustedProxy
from groundwire.review.web.credentials import SessionStore
from review_web.cookies import cookies_of
from review_web.site import HOST, decide, fields, run


def test_a_session_is_always_a_new_one(site):
    """Session fixation: a session that the browser had before is not used, and ends."""
    client = site.client()
    client.cookies.set("groundwire-session", "chosen-by-somebody-else", domain="127.0.0.1")
    answer = client.post("/sign-in", data={"token": site.token["owner"]})
    first = cookies_of(answer)["groundwire-session"][0]
    assert first != "chosen-by-somebody-else"
    assert len(first) >= 43
    stranger = site.client()
    stranger.cookies.set("groundwire-session", "chosen-by-somebody-else", domain="127.0.0.1")
    assert stranger.get("/").status_code == 303
    client.cookies.clear()
    client.cookies.set("groundwire-session", first, domain="127.0.0.1")
    second = cookies_of(client.post("/sign-in", data={"token": site.token["owner"]}))["groundwire-session"][0]
    assert second != first
    stranger.cookies.set("groundwire-session", first, domain="127.0.0.1")
    assert stranger.get("/").status_code == 303


def test_cookies_are_for_the_server_alone(site):
    """Scripts cannot read them, other sites cannot send them, and other machines need encryption."""
    answer = site.client().post("/sign-in", data={"token": site.token["owner"]})
    _, rest = cookies_of(answer)["groundwire-session"]
    assert {"httponly", "samesite=lax", "path=/"} <= {part.strip() for part in rest.split(";")}
    assert "secure" not in rest
    for address in ("https://127.0.0.1", "http://review.example.com", "http://127.0.0.1.example.com"):
        abroad = TestClient(site.app, base_url=address, follow_redirects=False)
        answer = abroad.post("/sign-in", data={"token": site.token["owner"]})
        _, rest = cookies_of(answer)["__Host-groundwire-session"]
        assert {"secure", "path=/"} <= {part.strip() for part in rest.split(";")}


def test_sessions_end(make_site):
    """A session ends by signing out, with a revoked token, and with an expired token."""
    site = make_site()
    client = site.client("owner")
    client.post("/sign-out", data=fields(client.get("/").text))
    assert client.get("/").status_code == 303
    client = site.client("owner")
    site.tokens.revoke(site.token["owner"].split("_")[1])
    assert client.get("/").status_code == 303
    assert site.program("owner").get("/api/v1/claims").status_code == 401


def test_the_old_session_of_a_browser_does_not_outlive_signing_out(site):
    """Its id is invalid afterwards."""
    client = site.client("owner")
    session = client.cookies.get("groundwire-session")
    client.post("/sign-out", data=fields(client.get("/").text))
    thief = site.client()
    thief.cookies.set("groundwire-session", session, domain="127.0.0.1")
    assert thief.get("/").status_code == 303


def test_sessions_have_an_end():
    """They expire, whatever the browser says."""
    now = [0.0]
    sessions = SessionStore(60.0, clock=lambda: now[0])
    session_id = sessions.begin("t1")
    assert sessions.token_id(session_id) == "t1"
    now[0] = 60.0
    assert sessions.token_id(session_id) is None


def test_a_session_is_cached_for_a_second(make_site):
    """Pages do not read the database each time: a session ends one second after its token is revoked."""
    now = [0.0]
    site = make_site()
    auth = TokenAuthenticator(site.tokens, clock=lambda: now[0])
    token_id = site.token["owner"].split("_")[1]
    assert run(auth.holder(token_id)).name == "anna"
    site.tokens.revoke(token_id)
    assert run(auth.holder(token_id)).name == "anna"
    now[0] = 1.0
    assert run(auth.holder(token_id)) is None
    assert run(auth.check(site.token["owner"])) is None


def test_the_number_of_sessions_is_limited():
    """Beyond ten thousand, the oldest end."""
    sessions = SessionStore(60.0)
    first = sessions.begin("t1")
    for _ in range(10_000):
        last = sessions.begin("t2")
    assert (sessions.token_id(first), sessions.token_id(last)) == (None, "t2")


@pytest.mark.parametrize(
    "path",
    [
        *("/claims/{}/approve", "/claims/{}/reject", "/claims/{}/skip", "/claims/{}/assign"),
        *("/decisions", "/preferences", "/sign-out"),
    ],
)
@pytest.mark.parametrize("key", [None, "", "0" * 64, "anothers", "ü"])
def test_forms_need_the_key_of_this_session(site, path, key):
    """The key of another session is invalid, even of the same user."""
    queue_id = site.submit()
    client = site.client("reviewer")
    sent = {**fields(client.get(f"/claims/{queue_id}").text, "/approve"), "confirmed": "yes"}
    sent |= {"decision": "approve", "chosen": f"{queue_id} {sent['seen']}"}
    sent["form_key"] = fields(site.client("reviewer").get("/").text)["form_key"] if key == "anothers" else key
    sent = {name: value for name, value in sent.items() if value is not None}
    assert client.post(path.format(queue_id), data=sent).status_code == 403
    assert site.pending() == ["The API uses OAuth2"]
    assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": "http://127.0.0.1.evil.example"},
        {"origin": "http://127.0.0.1:8080"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "origin": HOST},
    ],
)
def test_forms_of_other_sites_are_refused(site, headers):
    """CSRF: they are refused even with the right key, also for signing in and the API."""
    queue_id = site.submit()
    client = site.client("owner")
    sent = {**fields(client.get(f"/claims/{queue_id}").text, "/approve"), "confirmed": "yes"}
    assert client.post(f"/claims/{queue_id}/approve", data=sent, headers=headers).status_code == 403
    token = {"token": site.token["owner"]}
    assert site.client().post("/sign-in", data=token, headers=headers).status_code == 403
    assert site.program("owner").post(f"/api/v1/claims/{queue_id}/approve", headers=headers).status_code == 403
    assert site.pending() == ["The API uses OAuth2"]


def test_a_session_does_not_open_the_api(site):
    """Cookies, which browsers send automatically, do not authenticate."""
    queue_id = site.submit()
    client = site.client("owner")
    assert client.get("/api/v1/claims").status_code == 401
    assert client.post(f"/api/v1/claims/{queue_id}/approve").status_code == 401


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"a=1", "multipart/form-data; boundary=x", 415),
        (b"a=1", "text/plain", 415),
        (b"a=1&a=2", "application/x-www-form-urlencoded", 400),
        (b"a", "application/x-www-form-urlencoded", 400),
        (b"a=%ff", "application/x-www-form-urlencoded", 400),
        (b"\xff=1", "application/x-www-form-urlencoded", 400),
        (b"&".join(b"a%d=1" % number for number in range(50)), "application/x-www-form-urlencoded", 400),
        (b"a=" + b"x" * 256 * 1024, "application/x-www-form-urlencoded", 413),
    ],
)
def test_foreign_forms_are_refused(site, content, kind, status):
    """The refusal comes before any action."""
    answer = site.client("owner").post("/preferences", content=content, headers={"content-type": kind})
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("length", "status"), [("x", 400), ("-1", 400), ("1e9", 400), ("", 400), ("9" * 5_000, 413), ("999999999", 413)]
)
def test_invalid_lengths_are_refused(site, length, status):
    """The response names the fault for any server, and is never an internal error."""
    headers = {"content-type": "application/json", "content-length": length}
    answer = site.program("owner").post("/api/v1/claims", content=b"{}", headers=headers)
    assert answer.status_code == status


def test_a_body_without_a_length_is_cut_off(site):
    """A chunked body is refused as soon as it is too large."""
    sent = []

    def pieces():
        for _ in range(1_000):
            sent.append(1)
            yield b"x" * 1024

    headers = {"content-type": "application/json"}
    answer = site.program("owner").post("/api/v1/claims", content=pieces(), headers=headers)
    assert answer.status_code == 413


PROXY = TrustedProxy(addresses=("testclient",), user_header="X-Remote-User", reviewers=("rita",))


def test_a_header_counts_only_if_it_is_configured(make_site):
    """It must also come from the proxy's address, and only once."""
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


def test_users_of_the_proxy_can_decide_with_forms(make_site):
    """They have no session; the key of the forms belongs to the user."""
    site = make_site(app={"proxy": PROXY})
    queue_id = site.submit()
    client = TestClient(site.app, base_url=HOST, headers={"x-remote-user": "anna"}, follow_redirects=False)
    assert decide(client, queue_id, "approve", form_key="0" * 64).status_code == 403
    assert decide(client, queue_id, "approve").status_code == 303


def test_forwarded_headers_of_others_do_not_count(make_site):
    """A client cannot get its own limit, or a cookie without encryption, by claiming an origin."""
    limits = RequestLimits(failures_at_once=2, requests_at_once=1_000)
    for proxy, expected in ((None, 429), (PROXY, 401)):
        site = make_site(app={"limits": limits, "proxy": proxy})
        answers = [
            site.client().post("/sign-in", data={"token": "x"}, headers={"x-forwarded-for": f"10.0.0.{number}"})
            for number in range(4)
        ]
        assert answers[-1].status_code == expected


def test_the_proxy_reports_encryption(make_site):
    """Cookies then require encryption."""
    site = make_site(app={"proxy": PROXY})
    headers = {"x-forwarded-proto": "https"}
    answer = site.client().post("/sign-in", data={"token": site.token["owner"]}, headers=headers)
    assert "__Host-groundwire-session" in cookies_of(answer)


def test_a_proxy_has_addresses():
    """Without any, no header would be trusted; a single text would be read letter by letter."""
    for addresses in ((), "127.0.0.1"):
        with pytest.raises(ValueError, match="needs the addresses"):
            TrustedProxy(addresses=addresses)


def test_a_proxy_has_several_reviewers():
    """The person "a" would be a reviewer because a single text "rita" contains that name."""
    with pytest.raises(TypeError, match=r"^reviewers must be a collection of str$"):
        TrustedProxy(addresses=("10.0.0.1",), user_header="x-user", reviewers="rita")
