"""Hostile texts in every field, and what is logged of it all: nothing."""

import pytest

from review_web.site import Site, decide

SQL = ("' OR '1'='1", "'; DROP TABLE review_items; --", '" OR ""="', "1; SELECT 1", "%' ESCAPE '\\", "\\'; --")


@pytest.mark.parametrize("text", SQL)
def test_sql_is_text(site, text):
    """In every field that reaches the database."""
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


def test_what_goes_wrong_is_logged_without_its_words(site, monkeypatch, caplog):
    """A fault of ours: the route and the class of the exception, and for the visitor less than that."""

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
    """Neither of claims nor of tokens, whatever is done."""
    caplog.set_level("DEBUG")
    queue_id = site.submit("The secret claim")
    client = site.client("owner")
    client.get("/", params={"source": "the secret filter"})
    decide(client, queue_id, "reject", reason="the secret reason")
    # The test's own client logs what it asks for.
    logged = "".join(str(vars(one)) for one in caplog.records if not one.name.startswith("httpx"))
    assert "secret" not in logged
    assert site.token["owner"] not in logged
