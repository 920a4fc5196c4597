"""Decisions by form, without a browser: what is asked, what is refused, and where it leads."""

from datetime import timedelta

import pytest

from review_web.site import decide, fields


def test_a_decision_is_asked_about_once_more(site):
    """The first form changes nothing; the page that it leads to says what would be done."""
    queue_id = site.submit()
    client = site.client("owner")
    sent = fields(client.get(f"/claims/{queue_id}").text, "/reject")
    asked = client.post(f"/claims/{queue_id}/reject", data={**sent, "reason": "We use <JWT>"})
    assert asked.status_code == 200
    assert "We use &lt;JWT&gt;" in asked.text
    assert site.pending() == ["The API uses OAuth2"]
    done = client.post(f"/claims/{queue_id}/reject", data={**fields(asked.text, "/reject"), "reason": "We use <JWT>"})
    assert done.status_code == 303
    assert site.pending() == []


def test_it_leads_to_the_claim_that_waits_next(site):
    """With the same filters; behind the last one the first, and to the list when none is left."""
    ids = [site.submit(f"Claim {number}", source="user" if number != 1 else "other") for number in range(3)]
    client = site.client("owner")

    def after(queue_id: str) -> str:
        sent = {**fields(client.get(f"/claims/{queue_id}").text, "/approve"), "confirmed": "yes"}
        return client.post(f"/claims/{queue_id}/approve?source=user", data=sent).headers["location"]

    assert after(ids[0]) == f"/claims/{ids[2]}?source=user&done=approved&of={ids[0]}"
    site.submit("Claim 3", source="user")
    assert "Claim 3" in client.get(after(ids[2])).text
    [last] = site.program("owner").get("/api/v1/claims", params={"source": "user"}).json()["claims"]
    assert after(last["queue_id"]) == f"/?source=user&done=approved&of={last['queue_id']}"


@pytest.mark.parametrize("done", ["approved", "rejected", "skipped", "assigned"])
def test_what_was_not_done_is_not_told(site, done):
    """An address may say that something was done, about any claim; the page believes the audit."""
    queue_id = site.submit()
    notice = 'class="notice"'
    client = site.client("owner")
    for of in (queue_id, "q99", "x"):
        for page in ("/", f"/claims/{queue_id}"):
            assert notice not in client.get(f"{page}?done={done}&of={of}").text
    other = site.submit()
    sent = {**fields(client.get(f"/claims/{other}").text, "/reject"), "confirmed": "yes"}
    told = client.post(f"/claims/{other}/reject", data=sent).headers["location"]
    assert notice in client.get(told).text
    # What somebody else did, one has not done oneself.
    assert notice not in site.client("reviewer").get(told).text


def test_a_claim_that_reads_otherwise_is_looked_at_again(make_site):
    """Somebody edited it and could not store it: who has seen the old text does not approve the new one."""

    def fail(_):
        raise RuntimeError

    site = make_site(callback=fail)
    queue_id = site.submit("The API uses OAuth 1")
    client = site.client("reviewer")
    stale = fields(client.get(f"/claims/{queue_id}").text, "/approve")
    failed = decide(site.client("owner"), queue_id, "approve", content="The API uses OAuth 3")
    assert (failed.status_code, "waits again" in failed.text) == (502, True)
    answer = client.post(f"/claims/{queue_id}/approve", data={**stale, "confirmed": "yes"})
    assert answer.status_code == 409
    assert "reads otherwise by now" in answer.text
    assert "Storing it failed: <code>raised</code>" in answer.text
    assert site.pending() == ["The API uses OAuth 3"]


@pytest.mark.parametrize(
    ("decision", "more", "words"),
    [
        ("approve", {"content": " \r\n "}, "text is empty"),
        ("approve", {"content": "a\0b"}, "NUL"),
        ("reject", {"reason": "a\0b"}, "NUL"),
        ("reject", {"reason": "x" * 4_001}, "4,000 characters"),
    ],
)
def test_fields_that_cannot_be(site, decision, more, words):
    """422, in words; nothing is decided."""
    queue_id = site.submit()
    answer = decide(site.client("owner"), queue_id, decision, **more)
    assert answer.status_code == 422
    assert words in answer.text
    assert site.pending() == ["The API uses OAuth2"]


def test_what_has_expired_is_told(make_site):
    """On the claim's page and when somebody decides too late."""
    site = make_site(queue={"ttl_s": 60.0})
    queue_id = site.submit()
    client = site.client("owner")
    page = client.get(f"/claims/{queue_id}").text
    assert "Waits until" in page
    site.clock.now += timedelta(minutes=2)
    answer = client.post(f"/claims/{queue_id}/approve", data={**fields(page, "/approve"), "confirmed": "yes"})
    assert answer.status_code == 409
    assert "The claim has expired" in answer.text
    assert "It expired undecided" in client.get(f"/claims/{queue_id}").text


def test_what_somebody_is_deciding_is_told(make_site):
    """While the callback is at work nobody else decides, and the page says who does."""
    seen = []

    def look(pending):
        seen.append(site.client("reviewer").get(f"/claims/{pending.queue_id}").text)
        return "m1"

    site = make_site(callback=look)
    queue_id = site.submit()
    assert decide(site.client("owner"), queue_id, "approve").status_code == 303
    assert "anna is deciding about it right now" in seen[0]
    assert 'class="approve"' not in seen[0]


def test_an_id_with_a_slash_has_an_address(make_site):
    """Ids are labels, and labels may have one: it stands as ~ there."""
    site = make_site(queue={"new_id": lambda: "team/1:a.b"})
    site.submit()
    client = site.client("owner")
    assert 'href="/claims/team~1:a.b"' in client.get("/").text
    assert decide(client, "team~1:a.b", "approve").status_code == 303
    assert site.program("owner").get("/api/v1/claims/team~1:a.b").json()["claim"]["state"] == "stored"


def test_long_texts_are_not_compared(site):
    """An edit of more than ten thousand characters is shown as it is: others do not wait for a diff."""
    queue_id = site.submit("word " * 5_000)
    client = site.client("owner")
    sent = fields(client.get(f"/claims/{queue_id}").text, "/approve")
    asked = client.post(f"/claims/{queue_id}/approve", data={**sent, "content": "other " * 5_000})
    assert asked.status_code == 200
    assert "<ins>" not in asked.text
