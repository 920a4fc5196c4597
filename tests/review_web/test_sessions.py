"""Signing in and out: no session is anybody's but the one it was begun by."""

from starlette.testclient import TestClient

from groundwire.review.web import TokenAuthenticator
from groundwire.review.web.credentials import SessionStore
from review_web.cookies import cookies_of
from review_web.site import fields, run


def test_a_session_is_always_a_new_one(site):
    """Session fixation: what the browser had before is not taken up, and its session ends."""
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
    """No script reads them, no other site sends them, and beyond this machine they need encryption."""
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
    """By signing out, by revoking the token, with the token's time."""
    site = make_site()
    client = site.client("owner")
    client.post("/sign-out", data=fields(client.get("/").text))
    assert client.get("/").status_code == 303
    client = site.client("owner")
    site.tokens.revoke(site.token["owner"].split("_")[1])
    assert client.get("/").status_code == 303
    assert site.program("owner").get("/api/v1/claims").status_code == 401


def test_the_old_session_of_a_browser_does_not_outlive_signing_out(site):
    """Its id is good for nothing afterwards, whoever has kept it."""
    client = site.client("owner")
    session = client.cookies.get("groundwire-session")
    client.post("/sign-out", data=fields(client.get("/").text))
    thief = site.client()
    thief.cookies.set("groundwire-session", session, domain="127.0.0.1")
    assert thief.get("/").status_code == 303


def test_sessions_have_an_end():
    """After their time, whatever the browser says."""
    now = [0.0]
    sessions = SessionStore(60.0, clock=lambda: now[0])
    session_id = sessions.begin("t1")
    assert sessions.token_id(session_id) == "t1"
    now[0] = 60.0
    assert sessions.token_id(session_id) is None


def test_a_session_is_believed_for_a_second(make_site):
    """Pages do not look into the database each time: what is revoked has ended one second later."""
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


def test_sessions_are_not_kept_without_end():
    """Of more than ten thousand the oldest end."""
    sessions = SessionStore(60.0)
    first = sessions.begin("t1")
    for _ in range(10_000):
        last = sessions.begin("t2")
    assert (sessions.token_id(first), sessions.token_id(last)) == (None, "t2")
