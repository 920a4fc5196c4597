"""Every route, requested by each kind of user: anonymous, the owner of the claim, another user, a reviewer."""

import re

import pytest
from starlette.routing import Route

from memory.claims import NOON, claim
from review_web.site import KINDS, Site, decide, fields

# In a batch each claim has its own outcome, so the request is answered, and nothing is done.
SIGN_IN, DONE, NOT_THIS = "sign in", "done", "not this one"

# The outcomes for anonymous, owner, other and reviewer. A new route fails the test below.
TABLE = {
    ("GET", "/"): (SIGN_IN, DONE, DONE, DONE),
    ("GET", "/claims/{queue_id}"): (SIGN_IN, DONE, 404, DONE),
    ("POST", "/claims/{queue_id}/approve"): (SIGN_IN, DONE, 404, DONE),
    ("POST", "/claims/{queue_id}/reject"): (SIGN_IN, DONE, 404, DONE),
    ("POST", "/claims/{queue_id}/skip"): (SIGN_IN, DONE, 404, DONE),
    ("POST", "/claims/{queue_id}/assign"): (SIGN_IN, 403, 403, DONE),
    ("POST", "/decisions"): (SIGN_IN, DONE, NOT_THIS, DONE),
    ("GET", "/memories"): (SIGN_IN, DONE, DONE, DONE),
    ("GET", "/memories/export"): (SIGN_IN, DONE, DONE, DONE),
    ("POST", "/memories/revoke"): (SIGN_IN, 403, 403, DONE),
    ("GET", "/memories/{memory_id}"): (SIGN_IN, DONE, 404, DONE),
    ("POST", "/preferences"): (SIGN_IN, DONE, DONE, DONE),
    ("GET", "/sign-in"): (DONE, DONE, DONE, DONE),
    ("POST", "/sign-in"): (401, DONE, DONE, DONE),
    ("POST", "/sign-out"): (SIGN_IN, DONE, DONE, DONE),
    ("GET", "/assets/{name}"): (DONE, DONE, DONE, DONE),
    ("GET", "/health"): (DONE, DONE, DONE, DONE),
    ("GET", "/metrics"): (401, 403, 403, DONE),
    ("GET", "/api/v1/openapi.json"): (DONE, DONE, DONE, DONE),
    ("GET", "/api/v1/claims"): (401, DONE, DONE, DONE),
    ("POST", "/api/v1/claims"): (401, DONE, DONE, DONE),
    ("GET", "/api/v1/counts"): (401, DONE, DONE, DONE),
    ("GET", "/api/v1/claims/{queue_id}"): (401, DONE, 404, DONE),
    ("GET", "/api/v1/claims/{queue_id}/audit"): (401, DONE, 404, DONE),
    ("POST", "/api/v1/claims/{queue_id}/approve"): (401, DONE, 404, DONE),
    ("POST", "/api/v1/claims/{queue_id}/reject"): (401, DONE, 404, DONE),
    ("POST", "/api/v1/claims/{queue_id}/skip"): (401, DONE, 404, DONE),
    ("POST", "/api/v1/claims/{queue_id}/assign"): (401, 403, 403, DONE),
    ("POST", "/api/v1/decisions"): (401, DONE, NOT_THIS, DONE),
}
BODIES = {
    "/api/v1/claims": {"content": "A claim of one's own", "memory_type": "fact", "source": "user"},
    "/api/v1/claims/{queue_id}/assign": {"assignee": "rita"},
}
CASES = [
    pytest.param(method, path, kind, expected, id=f"{method} {path} by {kind}")
    for (method, path), row in TABLE.items()
    for kind, expected in zip(KINDS, row, strict=True)
]


def outcome(response) -> str | int:
    """Return the outcome of a request."""
    if response.status_code == 303 and response.headers["location"].startswith("/sign-in"):
        return SIGN_IN
    if "This claim does not exist, or it is not yours." in response.text and response.status_code == 200:
        return NOT_THIS
    return DONE if response.status_code in (200, 201, 303) else response.status_code


def ask(site: Site, method: str, path: str, kind: str, queue_id: str):
    """Send the request as this kind of user, with everything that the page or the API needs."""
    url = path.format(queue_id=queue_id, memory_id="m1", name="review.css")
    if path == "/api/v1/decisions":
        return site.program(kind).post(url, json={"decision": "approve", "queue_ids": [queue_id]})
    if path.startswith("/api/") or path == "/metrics":
        return site.program(kind).request(method, url, json=BODIES.get(path, {}) if method == "POST" else None)
    client = site.client(kind)
    if method == "GET":
        return client.get(url)
    sent = {"token": site.token.get(kind, "gwr_no")} if path == "/sign-in" else fields(client.get("/").text)
    if kind != "nobody" and path == "/decisions":
        chosen = re.findall(r'name="chosen" value="([^"]*)"', site.client("owner").get("/").text)
        sent |= {"decision": "approve", "confirmed": "yes", "chosen": chosen}
    if path == "/memories/revoke":
        sent["source"] = "adr-3"
    if kind != "nobody" and "/claims/" in path:
        # A user who may not see the page sends its form with their own key and the claim's data.
        seen = site.client("owner").get(f"/claims/{queue_id}").text
        sent |= {"seen": fields(seen, "/approve")["seen"], "confirmed": "yes"}
    return client.post(url, data=sent)


def test_the_table_has_every_route(site):
    """The access to a new route has to be decided."""
    routes = {(method, route.path) for route in site.app.routes if isinstance(route, Route) for method in route.methods}
    assert {(method, path) for method, path in routes if method != "HEAD"} == TABLE.keys()
    assert len(site.app.routes) == len(TABLE)


@pytest.mark.parametrize(("method", "path", "kind", "expected"), CASES)
def test_access_by_role(site, method, path, kind, expected):
    """Access follows the table, and a refused request changes nothing."""
    queue_id = site.submit()
    site.store.add(claim("m1", content="Sessions are in Redis"), time=NOON)
    answer = ask(site, method, path, kind, queue_id)
    if path == "/sign-out" and expected == DONE:
        # Signing out leads there.
        assert outcome(answer) == SIGN_IN
        return
    assert outcome(answer) == expected
    if expected != DONE:
        assert site.pending() == ["The API uses OAuth2"]
        assert "OAuth2" not in answer.text


@pytest.mark.parametrize("queue_id", ["q99", "0" * 32, "..", "%2e%2e", "a b", "%00", "ü", "~", "x" * 70, "'--"])
@pytest.mark.parametrize("kind", ["owner", "other", "reviewer"])
def test_unknown_ids_and_ids_of_others_look_the_same(site, kind, queue_id):
    """The responses are equal to the last byte, so that probing for ids shows nothing."""
    foreign = site.submit(user_id="anna" if kind == "other" else "zoe")
    if kind == "reviewer":
        foreign = "q98"
    program = site.program(kind)
    for path in ("{}", "{}/audit"):
        answers = [program.get("/api/v1/claims/" + path.format(one)) for one in (foreign, queue_id)]
        assert [answer.status_code for answer in answers] == [404, 404]
        if "no_such_page" not in answers[1].text:
            assert answers[0].text == answers[1].text


def test_all_ids_but_ones_own_are_closed(site):
    """Bob tries every id with every action: he gets his own claims, and no other claim changes."""
    own = site.submit("Bob's", "bob")
    others = [site.submit(f"Claim {number}") for number in range(10)]
    program = site.program("other")
    for queue_id in others:
        for deed in ("approve", "reject", "skip"):
            assert program.post(f"/api/v1/claims/{queue_id}/{deed}").status_code == 404
    assert [one["queue_id"] for one in program.get("/api/v1/claims").json()["claims"]] == [own]
    assert program.get("/api/v1/claims", params={"user_id": "anna"}).json()["claims"] == []
    assert program.get("/api/v1/counts").json()["pending"] == 1
    assert len(site.pending()) == 11


def test_a_users_token_of_a_reviewer_shows_their_own_claims_alone(make_site):
    """The kind of the token decides on access, whatever role the settings give the name."""
    site = make_site(queue={"reviewers": ("anna",)})
    site.submit("Zoe's", "zoe")
    assert site.program("owner").get("/api/v1/claims").json()["claims"] == []


def test_distinct_reviewers_are_enforced_here_too(make_site):
    """Ruling C15: the owner sees the claim, and a note that another person has to decide."""
    site = make_site(queue={"require_distinct_reviewer": True, "reviewers": ("rita",)})
    queue_id = site.submit()
    page = site.client("owner").get(f"/claims/{queue_id}")
    assert page.status_code == 200
    assert "can decide on this claim" in page.text
    assert 'class="approve"' not in page.text
    assert site.program("owner").post(f"/api/v1/claims/{queue_id}/approve").status_code == 403
    assert decide(site.client("reviewer"), queue_id, "approve").status_code == 303


@pytest.mark.parametrize(
    ("path", "allowed"), [("/", "GET, HEAD"), ("/api/v1/counts", "GET, HEAD"), ("/sign-out", "POST")]
)
def test_other_methods_are_refused(site, path, allowed):
    """The response is 405 with the allowed methods."""
    answer = site.client("owner").request("DELETE", path)
    assert answer.status_code == 405
    assert {*answer.headers["allow"].split(", ")} == {*allowed.split(", ")}
