"""Asking somebody to decide: by reviewers, of reviewers; and the list of what one is asked."""

import re
from html import unescape

import pytest

from groundwire.review.web import PrincipalRole, TrustedProxy
from review_web.site import fields


def assign(client, queue_id, assignee):
    """Send the form of a claim's page."""
    key = fields(client.get(f"/claims/{queue_id}").text)["form_key"]
    return client.post(f"/claims/{queue_id}/assign", data={"form_key": key, "assignee": assignee})


def asked_of(site, queue_id) -> str | None:
    """Who is asked, by what the API says."""
    return site.program("owner").get(f"/api/v1/claims/{queue_id}").json()["claim"]["assigned_to"]


def offered(html: str) -> list[str]:
    """Who can be chosen on a claim's page."""
    return re.findall(r'<option value="([^"]*)"', html)


@pytest.fixture
def two(site):
    """A site with another reviewer, and one whose token is revoked."""
    site.tokens.issue("sam", PrincipalRole.REVIEWER)
    gone, _ = site.tokens.issue("gone", PrincipalRole.REVIEWER)
    site.tokens.revoke(gone)
    site.tokens.issue("late", PrincipalRole.REVIEWER, valid_for_s=1)
    return site


def test_reviewers_can_be_asked(two):
    """Oneself, another one, nobody again; the page says so, and so does the history."""
    queue_id = two.submit()
    client = two.client("reviewer")
    page = client.get(f"/claims/{queue_id}").text
    assert "Nobody in particular" in page
    assert {"rita", "sam"} <= {*offered(page)}
    assert not {"anna", "bob", "gone"} & {*offered(page)}
    for assignee in ("rita", "sam", ""):
        answer = assign(client, queue_id, assignee)
        assert answer.headers["location"] == f"/claims/{queue_id}?done=assigned&of={queue_id}"
        page = client.get(answer.headers["location"]).text
        assert "Assigned" in page
        assert asked_of(two, queue_id) == (assignee or None)
    assert page.count("assigned by rita") == 3


@pytest.mark.parametrize("assignee", ["bob", "gone", "nobody", "x" * 300, "\0"])
def test_others_cannot_be_asked(two, assignee):
    """Who may not decide about it; nothing is changed."""
    queue_id = two.submit()
    status = 422 if len(assignee) > 256 or assignee == "\0" else 403
    assert assign(two.client("reviewer"), queue_id, assignee).status_code == status
    answer = two.program("reviewer").post(f"/api/v1/claims/{queue_id}/assign", json={"assignee": assignee})
    assert (answer.status_code, answer.json()["field"]) == (status, "assignee")
    assert asked_of(two, queue_id) is None


def test_the_owner_can_be_asked_unless_another_has_to_decide(make_site):
    """Rulings C14 and C15."""
    for distinct, status in ((False, 200), (True, 403)):
        site = make_site(queue={"require_distinct_reviewer": distinct, "reviewers": ("rita",)})
        queue_id = site.submit()
        program = site.program("reviewer")
        assert program.post(f"/api/v1/claims/{queue_id}/assign", json={"assignee": "anna"}).status_code == status


def test_names_come_back_as_they_are(two):
    """With quotation marks, tags, and characters that are not seen."""
    name = "o'neil \" & <b> \u202e é"
    two.tokens.issue(name, PrincipalRole.REVIEWER)
    queue_id = two.submit()
    page = two.client("reviewer").get(f"/claims/{queue_id}").text
    assert name in [unescape(one) for one in offered(page)]
    assert "<b>" not in page
    assign(two.client("reviewer"), queue_id, name)
    assert asked_of(two, queue_id) == name
    mine = two.client("reviewer").get("/", params={"assigned_to": name}).text
    assert mine.count('class="card') == 1
    assert "<b>" not in mine


def test_users_are_not_told_who_reviews(two):
    """No names on their pages, and nobody to be tried."""
    queue_id = two.submit()
    page = two.client("owner").get(f"/claims/{queue_id}").text
    assert offered(page) == []
    assert "sam" not in page


def test_reviewers_of_the_proxy_and_of_the_settings_can_be_asked(make_site):
    """Whoever is one, however that is known."""
    proxy = TrustedProxy(addresses=["testclient"], user_header="x-user", reviewers=["petra"])
    site = make_site(queue={"reviewers": ("otto",)}, app={"proxy": proxy})
    queue_id = site.submit()
    page = site.client("reviewer").get(f"/claims/{queue_id}").text
    assert {"petra", "otto", "rita"} <= {*offered(page)}


def test_what_one_is_asked_is_a_list_of_its_own(two):
    """By the filter of the page and of the API, with its counts; decided ones stay theirs."""
    ids = [two.submit(f"Claim {number}") for number in range(4)]
    program = two.program("reviewer")
    for queue_id, assignee in zip(ids, ("rita", "sam", "rita", None), strict=True):
        answer = program.post(f"/api/v1/claims/{queue_id}/assign", json={"assignee": assignee})
        assert answer.json() == {"queue_id": queue_id, "assigned_to": assignee}
    program.post(f"/api/v1/claims/{ids[2]}/reject")
    mine = {"assigned_to": "rita"}
    assert [one["queue_id"] for one in program.get("/api/v1/claims", params=mine).json()["claims"]] == [ids[0]]
    counts = program.get("/api/v1/counts", params=mine).json()
    assert counts == {"pending": 1, "stored": 0, "rejected": 1, "expired": 0}
    page = two.client("reviewer").get("/", params=mine).text
    assert page.count('class="card') == 1
    assert 'name="assigned_to" value="rita" checked> Asked of me' in page
    assert "Asked of sam" in two.client("reviewer").get("/?assigned_to=sam").text
    # Whoever may not see a claim does not see it this way either.
    assert two.program("other").get("/api/v1/claims", params=mine).json()["claims"] == []
