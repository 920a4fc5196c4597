"""Requests and responses of the API."""

import asyncio
import json

import pytest
from starlette.testclient import TestClient

from groundwire.errors import MemoryStoreError
from groundwire.ingestion.records import CitedPassage
from groundwire.review.web import RequestLimits, create_app
from memory.claims import claim, database_of
from review.waiting import NOON, evidence
from review_web.site import HOST, NO_LIMITS

NEW = {"content": "The API uses OAuth2", "memory_type": "fact", "source": "user"}


def test_a_claim_from_its_submission_to_its_memory(site):
    """It is submitted, listed, shown and approved, and its audit is read."""
    owner = site.program("owner")
    made = owner.post("/api/v1/claims", json={**NEW, "metadata": {"model": "small"}, "source_id": "ADR-003"})
    assert made.status_code == 201
    queue_id = made.json()["queue_id"]
    [listed] = owner.get("/api/v1/claims").json()["claims"]
    shown = owner.get(f"/api/v1/claims/{queue_id}").json()
    assert shown["conflict"] is None
    assert (listed["excerpt"], listed["user_id"], listed["state"]) == ("The API uses OAuth2", "anna", "pending")
    assert {**shown["claim"], "excerpt": "The API uses OAuth2", "content_chars": 19} == {**shown["claim"], **listed}
    assert shown["claim"]["evidence"]["metadata"] == {"model": "small"}
    approved = owner.post(f"/api/v1/claims/{queue_id}/approve", json={"content": "The API uses OAuth 2.1"})
    assert approved.json() == {"queue_id": queue_id, "memory_id": queue_id}
    assert site.store.get(queue_id, "anna").content == "The API uses OAuth 2.1"
    trail = owner.get(f"/api/v1/claims/{queue_id}/audit").json()["entries"]
    assert [entry["action"] for entry in trail] == ["enqueued", "edited", "stored"]
    assert owner.get("/api/v1/counts").json() == {"pending": 0, "stored": 1, "rejected": 0, "expired": 0}


def test_a_revoked_memory_waits_in_list_and_page(site):
    """C18: the API lists it with the other claims, the page describes it, and approval makes it active again."""
    site.store.add(claim("m1", content="Per ADR 0003 sessions are in Redis", source_ids=("adr 3",)), time=NOON)
    site.store.revoke_source("ADR-3", time=NOON)
    owner = site.program("owner")
    [listed] = owner.get("/api/v1/claims", params={"failed_check": "source_revoked"}).json()["claims"]
    assert (listed["queue_id"], listed["memory_id"], listed["checks_failed"]) == (
        "m1",
        "m1",
        ["source_revoked: ADR-003"],
    )
    page = site.client("owner").get("/claims/m1").text
    assert "Approving makes it active again; rejecting erases it." in page
    assert "<dt>Rests on</dt><dd>ADR-003</dd>" in page
    assert "Per ADR 0003 sessions are in Redis" in site.client("owner").get("/").text
    assert owner.post("/api/v1/claims/m1/approve", json={}).json() == {"queue_id": "m1", "memory_id": "m1"}
    assert site.store.get("m1", "anna").status == "active"


def test_a_claim_is_returned_with_all_its_data(site):
    """The API returns checks, hedges, citations with their statuses, evidence, and the conflict as a word diff."""
    queue_id = site.rich()
    shown = site.program("reviewer").get(f"/api/v1/claims/{queue_id}").json()
    claim, conflict = shown["claim"], shown["conflict"]
    assert claim["checks_failed"] == ["hedge_words_detected: may", "conflict_detected: known-anna"]
    assert claim["hedges"] == [{"text": "may", "start": 15, "end": 18, "category": "technical_hedge"}]
    assert [(one["name"], one["status"]) for one in claim["citations"]] == [("ADR-003", "verified")]
    assert claim["evidence"]["parents"] == ["m1", "m2"]
    assert conflict["memory_id"] == "known-anna"
    assert "".join(one["words"] for one in conflict["parts"] if one["kind"] != "removed") == claim["content"]


def test_the_passage_of_a_citation_is_given_and_shown(site):
    """Ruling C19: the reviewer reads the source's text and location; the text is escaped."""
    passages = (
        CitedPassage("ADR-003", "contradicts", "Tokens <b>expire</b> after 15 minutes.", 20, 57, 7),
        CitedPassage("issue:12", "unread"),
    )
    queue_id = site.submit(evidence=evidence(passages=passages))
    shown = site.program("owner").get(f"/api/v1/claims/{queue_id}").json()["claim"]["evidence"]["passages"]
    assert [(one["source"], one["verdict"], one["line"]) for one in shown] == [
        ("ADR-003", "contradicts", 7),
        ("issue:12", "unread", None),
    ]
    assert shown[0]["text"] == "Tokens <b>expire</b> after 15 minutes."
    page = site.client("owner").get(f"/claims/{queue_id}").text
    assert "Tokens &lt;b&gt;expire&lt;/b&gt; after 15 minutes." in page
    for words in ("Cited passages", "ADR-003</strong>, line 7", "contradicts the claim", "could not be read"):
        assert words in page


def test_pages_of_claims(site):
    """Each claim occurs once, in the order of the queue."""
    ids = [site.submit(f"Claim {number}") for number in range(7)]
    owner, found, after = site.program("owner"), [], 0
    while after is not None:
        page = owner.get("/api/v1/claims", params={"after": after, "limit": 3}).json()
        found += [one["queue_id"] for one in page["claims"]]
        after = page["next_after"]
    assert found == ids


def test_filters(site):
    """Filters are type, source, failed check, owner and state."""
    site.submit("One", memory_type="decision")
    kept = site.submit("Two", "bob", source="user")
    reviewer = site.program("reviewer")
    for said in ({"source": "user"}, {"user_id": "bob"}, {"source": "user", "failed_check": "citation_present"}):
        assert [one["queue_id"] for one in reviewer.get("/api/v1/claims", params=said).json()["claims"]] == [kept]
    reviewer.post(f"/api/v1/claims/{kept}/reject", json={"reason": "no"})
    [gone] = reviewer.get("/api/v1/claims", params={"state": "rejected"}).json()["claims"]
    assert (gone["queue_id"], gone["reviewer"], gone["decision_reason"]) == (kept, "rita", "no")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({**NEW, "content": 5}, "content"),
        ({**NEW, "content": ""}, "content"),
        ({**NEW, "content": None}, "content"),
        ({**NEW, "content": "a\0b"}, "content"),
        ({"memory_type": "fact", "source": "user"}, "content"),
        ({**NEW, "memory_type": "no label"}, "memory_type"),
        ({**NEW, "memory_type": "fact\n"}, "memory_type"),
        ({**NEW, "source": ["user"]}, "source"),
        ({**NEW, "source": "user\n"}, "source"),
        ({**NEW, "confidence": "sure"}, "confidence"),
        ({**NEW, "confidence": "low\n"}, "confidence"),
        ({**NEW, "source_id": ""}, "source_id"),
        ({**NEW, "metadata": [1]}, "metadata"),
        ({**NEW, "idempotency_key": "x" * 129}, "idempotency_key"),
        ({**NEW, "idempotency_key": "a\0"}, "idempotency_key"),
        ({**NEW, "user_id": "zoe"}, "user_id"),
    ],
)
def test_wrong_types_are_reported_by_field(site, body, field):
    """The response is 422 with the name of the field, and nothing of its value; nothing is stored."""
    answer = site.program("owner").post("/api/v1/claims", json=body)
    assert answer.status_code == 422
    assert answer.json()["field"] == field
    assert "zoe" not in answer.text
    assert site.pending() == []


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"state": "processing"}, "state"),
        ({"state": "PENDING"}, "state"),
        ({"limit": "0"}, "limit"),
        ({"limit": "101"}, "limit"),
        ({"limit": "٣"}, "limit"),
        ({"after": "-1"}, "after"),
        ({"after": str(2**63)}, "after"),
        ({"after": "1e3"}, "after"),
        ({"user_id": "a\0"}, "user_id"),
        ({"source": "x" * 257}, "source"),
    ],
)
def test_wrong_parts_of_an_address_are_reported_by_field(site, said, field):
    """The same holds for addresses, on pages too."""
    answer = site.program("owner").get("/api/v1/claims", params=said)
    assert (answer.status_code, answer.json()["field"]) == (422, field)
    if field != "limit":
        assert site.client("owner").get("/", params=said).status_code == 422


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[" * 100_000, "application/json", 422),
        (b'{"metadata": {"a": ' + b"[" * 100_000, "application/json", 400),
        (b'"text"', "application/json", 422),
        (b"null", "application/json", 422),
        (json.dumps(NEW).encode(), "text/plain", 415),
        (json.dumps(NEW).encode(), "application/x-www-form-urlencoded", 415),
        (b"x" * (256 * 1024 + 1), "application/json", 413),
    ],
)
def test_bodies_that_are_not_json(site, content, kind, status):
    """A body is refused by its length before it is read; other sites' pages cannot send an accepted one."""
    answer = site.program("owner").post("/api/v1/claims", content=content, headers={"content-type": kind})
    assert answer.status_code == status
    assert site.pending() == []


def test_a_lone_surrogate_is_no_text_and_breaks_nothing(site):
    """JSON can express it, but no text may contain it; metadata keep it unchanged."""
    owner = site.program("owner")
    headers = {"content-type": "application/json"}
    told = owner.post("/api/v1/claims", content=json.dumps({**NEW, "content": "\ud800"}), headers=headers)
    assert told.status_code in (400, 422)
    queue_id = site.submit(evidence=evidence(metadata={"a": "\udfff"}))
    assert owner.get(f"/api/v1/claims/{queue_id}").json()["claim"]["evidence"]["metadata"] == {"a": "\udfff"}
    assert "\\udfff" in site.client("owner").get(f"/claims/{queue_id}").text


def test_a_full_queue_is_reported_and_keeps_its_claims(make_site):
    """429 has a clear message and the time to retry."""
    site = make_site(queue={"per_user_limit": 1})
    site.submit("The first")
    answer = site.program("owner").post("/api/v1/claims", json=NEW)
    assert (answer.status_code, answer.json()["error"]) == (429, "queue_full")
    assert "1 claim of this user waits" in answer.json()["message"]
    assert int(answer.headers["retry-after"]) > 0
    assert site.pending() == ["The first"]


def test_a_second_request_gets_the_first_decision(site):
    """409 has the reviewer, the state, the time and the memory."""
    queue_id = site.submit()
    site.program("reviewer").post(f"/api/v1/claims/{queue_id}/approve")
    answer = site.program("owner").post(f"/api/v1/claims/{queue_id}/reject", json={"reason": "late"})
    assert answer.status_code == 409
    told = answer.json()["decided"]
    assert (told["reviewer"], told["state"], told["memory_id"]) == ("rita", "stored", queue_id)
    assert "rita approved this claim at 2026-03-01 12:00:00 UTC" in answer.json()["message"]


def test_a_claim_that_cannot_be_stored_is_pending_again(make_site):
    """The response is 502 if the callback fails, without its message, which may be private."""

    def fail(_):
        raise RuntimeError("the secret text")

    site = make_site(callback=fail)
    queue_id = site.submit()
    answer = site.program("owner").post(f"/api/v1/claims/{queue_id}/approve")
    assert (answer.status_code, answer.json()["error"]) == (502, "not_stored")
    assert "secret" not in answer.text
    assert site.pending() == ["The API uses OAuth2"]


def test_a_database_that_is_gone_is_503(site, monkeypatch):
    """Each route that needs it says when to retry; the request succeeds when the database is back."""
    queue_id = site.submit()
    owner, client = site.program("owner"), site.client("owner")

    def gone(**_):
        raise MemoryStoreError("unavailable", "cannot be opened")

    with monkeypatch.context() as patched:
        patched.setattr(database_of(site.store), "begin", gone)
        answers = [
            owner.get("/api/v1/claims"),
            owner.post(f"/api/v1/claims/{queue_id}/approve"),
            owner.get("/health"),
            client.get("/"),
            client.get(f"/claims/{queue_id}"),
        ]
        assert [answer.status_code for answer in answers] == [503] * 5
        assert all(int(answer.headers["retry-after"]) > 0 for answer in answers)
    assert owner.post(f"/api/v1/claims/{queue_id}/approve").status_code == 200


def test_a_repeated_submission_is_stored_once(site):
    """The key identifies it; another claim under the same key is refused."""
    owner = site.program("owner")
    first, again = (owner.post("/api/v1/claims", json={**NEW, "idempotency_key": "k"}).json() for _ in range(2))
    assert first == again
    other = owner.post("/api/v1/claims", json={**NEW, "content": "Other", "idempotency_key": "k"})
    assert (other.status_code, other.json()["field"]) == (409, "idempotency_key")


def test_metrics_count(site):
    """Prometheus' own parser reads them."""
    from prometheus_client.parser import text_string_to_metric_families

    queue_id = site.submit()
    site.submit("Another")
    site.program("owner").post(f"/api/v1/claims/{queue_id}/approve")
    site.program("reviewer").get("/api/v1/claims", headers={"authorization": "Bearer gwr_no"})
    text = site.program("reviewer").get("/metrics").text
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert samples["groundwire_review_claims", "pending"] == 1
    assert samples["groundwire_review_decisions_total", "approved"] == 1
    assert samples["groundwire_review_sign_in_failures_total",] == 1
    assert samples["groundwire_review_responses_total", "api_approve", "200"] == 1
    assert samples["groundwire_review_response_seconds_count", "api_claims"] == 1
    assert "anna" not in text


def test_a_function_can_authenticate(make_site):
    """It returns a name, whose role the queue's settings know, a person, an awaitable, or None."""
    from groundwire.review.web import Principal, PrincipalRole

    async def named(request):
        await asyncio.sleep(0)
        name = request.headers.get("x-test-name")
        role = {"boss": PrincipalRole.REVIEWER, "chief": "reviewer"}.get(name)
        return name if role is None else Principal("rita", role)

    site = make_site(queue={"reviewers": ("carl",)}, app={"auth": named})
    site.submit()
    seen = {}
    for name in ("anna", "bob", "boss", "chief", "carl", ""):
        answer = site.program().get("/api/v1/claims", headers={"x-test-name": name})
        seen[name] = len(answer.json()["claims"]) if answer.status_code == 200 else answer.status_code
    assert seen == {"anna": 1, "bob": 0, "boss": 1, "chief": 1, "carl": 1, "": 401}
    with pytest.raises(ValueError, match="is not a valid PrincipalRole"):
        Principal("rita", "boss")
    assert site.client().get("/").status_code == 401
    assert site.client().get("/sign-in").status_code == 404


def test_an_app_opens_and_closes_its_own_store(tmp_path):
    """`create_app(store, auth=...)` takes a file."""
    app = create_app(tmp_path / "review.db", auth=lambda _: "anna", limits=NO_LIMITS)
    with TestClient(app, base_url=HOST) as client:
        assert client.post("/api/v1/claims", json=NEW).status_code == 201
    with TestClient(
        create_app(tmp_path / "review.db", auth=lambda _: "anna", limits=RequestLimits()), base_url=HOST
    ) as client:
        assert len(client.get("/api/v1/claims").json()["claims"]) == 1


def test_a_wrong_host_opens_no_store(tmp_path):
    """The caller gets no app that could close it."""
    with pytest.raises(ValueError, match="a host is a name or an address"):
        create_app(tmp_path / "review.db", auth=lambda _: "anna", hosts=["http://review.example"])
    assert not (tmp_path / "review.db").exists()


def test_addresses_contain_the_mount_path(site):
    """Links, forms, redirects and the OpenAPI document use the mount path."""
    from starlette.applications import Starlette
    from starlette.routing import Mount

    queue_id = site.submit()
    client = TestClient(Starlette(routes=[Mount("/review", site.app)]), base_url=HOST, follow_redirects=False)
    away = client.get(f"/review/claims/{queue_id}")
    assert away.headers["location"] == f"/review/sign-in?next=%2Fclaims%2F{queue_id}"
    back = client.post("/review/sign-in", data={"token": site.token["owner"], "next": f"/claims/{queue_id}"})
    assert back.headers["location"] == f"/review/claims/{queue_id}"
    page = client.get(back.headers["location"]).text
    addresses = {url.partition('"')[0] for url in page.replace("action=", "href=").split('href="')[1:]}
    assert {url for url in addresses if not url.startswith(("/review/", "#", "data:"))} == set()
    assert client.get("/review/api/v1/openapi.json").json()["servers"] == [{"url": "/review"}]


def test_a_memory_of_the_same_id_is_reported(site):
    """The claim waits again: an id is used once."""
    queue_id = site.submit()
    site.store.add(claim(queue_id), time=NOON)
    answer = site.program("owner").post(f"/api/v1/claims/{queue_id}/approve")
    assert (answer.status_code, answer.json()["error"]) == (502, "not_stored")
    assert site.pending() == ["The API uses OAuth2"]


def test_damage_is_no_reason_to_try_again(site):
    """A claim that another program has changed stays as it is until somebody repairs the database."""
    queue_id = site.submit()
    with site.store.transaction() as database:
        database.execute("UPDATE review_items SET content = 'The API uses SAML'")
    answer = site.program("owner").post(f"/api/v1/claims/{queue_id}/approve")
    assert (answer.status_code, answer.json()["error"]) == (503, "database_damaged")
    assert "retry-after" not in answer.headers
    assert "SAML" not in answer.text


def test_an_error_of_the_error_page_is_plain_text(site, monkeypatch):
    """No error shows a traceback."""

    def broken(*_):
        raise LookupError("the secret text")

    monkeypatch.setattr("groundwire.review.web.pages.layout.render", broken)
    answer = site.client("owner").get("/")
    assert (answer.status_code, answer.text) == (500, "An internal error occurred.")
