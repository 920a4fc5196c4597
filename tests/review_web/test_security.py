"""Hostile texts in every field, security headers and redirects; logs contain no private text."""

import re

import pytest

from review_web.cookies import cookies_of
from review_web.site import Site, decide, fields

SQL = ("' OR '1'='1", "'; DROP TABLE review_items; --", '" OR ""="', "1; SELECT 1", "%' ESCAPE '\\", "\\'; --")


@pytest.mark.parametrize("text", SQL)
def test_sql_is_text(site, text):
    """This holds for every field that reaches the database."""
    queue_id = site.submit()
    owner, client = site.program("owner"), site.client("owner")
    for name in ("user_id", "memory_type", "source", "failed_check"):
        assert owner.get("/api/v1/claims", params={name: text}).json()["claims"] == []
        assert client.get("/", params={name: text}).status_code == 200
    assert owner.get(f"/api/v1/claims/{text}").status_code == 404
    assert client.post("/sign-in", data={"token": text}).status_code == 401
    assert site.program().get("/api/v1/claims", headers={"authorization": f"Bearer {text}"}).status_code == 401
    assert decide(client, queue_id, "reject", reason=text).status_code == 303
    assert owner.get(f"/api/v1/claims/{queue_id}").json()["claim"]["decision_reason"] == text
    made = owner.post("/api/v1/claims", json={"content": text, "memory_type": "fact", "source": "user"})
    assert made.status_code == 201
    assert site.pending() == [text]


def test_failures_are_logged_without_their_message(site, monkeypatch, caplog):
    """The log has the route and the class of the exception, and the response even less."""

    def broken(*_, **__):
        raise LookupError("the secret text")

    monkeypatch.setattr(site.queue, "snapshot", broken)
    monkeypatch.setattr(site.queue, "with_reviewers", lambda _: site.queue)
    answer = site.program("owner").get("/api/v1/claims")
    assert (answer.status_code, answer.json()["error"]) == (500, "internal")
    [record] = [one for one in caplog.records if one.name == "groundwire.review"]
    assert (record.getMessage(), record.route, record.error_type) == (
        "review_request_failed",
        "api_claims",
        "LookupError",
    )
    assert "secret" not in answer.text + caplog.text


def test_no_text_is_logged(site: Site, caplog):
    """This covers claims and tokens, for every action."""
    caplog.set_level("DEBUG")
    queue_id = site.submit("The secret claim")
    client = site.client("owner")
    client.get("/", params={"source": "the secret filter"})
    decide(client, queue_id, "reject", reason="the secret reason")
    # The test's own client logs its requests.
    logged = "".join(str(vars(one)) for one in caplog.records if not one.name.startswith("httpx"))
    assert "secret" not in logged
    assert site.token["owner"] not in logged


@pytest.mark.parametrize("path", ["/", "/sign-in", "/nope", "/api/v1/claims", "/health", "/assets/review.js"])
def test_every_response_is_safe(site, path):
    """It has no external or inline resource, no frames, no type sniffing and no caching."""
    headers = site.client("owner").get(path).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    # htmx requests pages that replace the current one.
    assert policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    expected = "public, max-age=31536000, immutable" if path.startswith("/assets/") else "no-store"
    assert headers["cache-control"] == expected


def test_pages_have_nothing_inline(site):
    """The policy would block it: no style, script or handler in the page itself."""
    client = site.client("owner")
    for path in ("/", f"/claims/{site.rich()}", "/sign-in", "/nope"):
        html = client.get(path).text
        assert not re.search(r"<style|<script(?! defer src=\"/assets/)|\son\w+=|\sstyle=", html)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[::1"])
def test_other_hosts_names_are_refused(make_site, host):
    """DNS rebinding: the name of another site that leads here gets nothing."""
    site = make_site(app={"hosts": ("127.0.0.1", "localhost")})
    assert site.client("owner").get("/", headers={"host": host}).status_code == 400
    assert site.client("owner").get("/").status_code == 200


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/claims/../../evil",
        "/claims/x\r\nSet-Cookie: a=b",
        "/\tx",
        "javascript:alert(1)",
        "/sign-out",
    ],
)
def test_redirects_stay_within_the_app(site, wanted):
    """Open redirects and header injection lead to the first page instead."""
    shown = site.client().get("/sign-in", params={"next": wanted}).text
    assert fields(shown)["next"] == "/"
    stranger, owner = site.client(), site.client("owner")
    for client, path, more in (
        (stranger, "/sign-in", {"token": site.token["owner"]}),
        (owner, "/preferences", fields(owner.get("/").text)),
    ):
        answer = client.post(path, data={**more, "next": wanted})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert "a" not in cookies_of(answer)


def test_filters_come_back_in_addresses_unbroken(site):
    """They may contain any characters."""
    hostile = "x\r\nSet-Cookie: a=b&state=stored#\"'<>é"
    queue_id = site.submit()
    client = site.client("owner")
    page = client.get(f"/claims/{queue_id}", params={"source": hostile})
    answer = decide(client, queue_id, "skip")
    assert page.status_code == 200
    assert "set-cookie" not in answer.headers
    assert "\n" not in answer.headers["location"]


@pytest.mark.parametrize(
    "name", ["nope.css", "..%2fapp.py", "%2e%2e", "review.css%00", "vendor%2fhtmx.min.js", "htmx.LICENSE.txt"]
)
def test_only_the_pages_own_files_are_given(site, name):
    """No path leads to other files."""
    assert site.client().get(f"/assets/{name}").status_code == 404
