"""Decisions by form, for one claim or several, and the assignment of claims, without a browser."""

import re
from datetime import timedelta
from html import unescape

import pytest

from groundwire.review import ReviewQueue
from groundwire.review.web import PrincipalRole, TrustedProxy
from review_web.site import decide, fields, run


def test_a_decision_needs_a_confirmation(site):
    """The first form changes nothing; the next page describes the effect."""
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


def test_a_decision_leads_to_the_next_claim(site):
    """The filters stay; after the last claim comes the first, and without claims the list."""
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
def test_a_forged_address_shows_no_decision(site, done):
    """An address may claim that a decision was made; the page checks the audit."""
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
    # A decision of another reviewer is not one's own.
    assert notice not in site.client("reviewer").get(told).text


def test_a_changed_claim_must_be_read_again(make_site):
    """An edit could not be stored: a reviewer who has seen the old text does not approve the new one."""

    def fail(_):
        raise RuntimeError

    site = make_site(callback=fail)
    queue_id = site.submit("The API uses OAuth 1")
    client = site.client("reviewer")
    stale = fields(client.get(f"/claims/{queue_id}").text, "/approve")
    failed = decide(site.client("owner"), queue_id, "approve", content="The API uses OAuth 3")
    assert (failed.status_code, "is pending again" in failed.text) == (502, True)
    answer = client.post(f"/claims/{queue_id}/approve", data={**stale, "confirmed": "yes"})
    assert answer.status_code == 409
    assert "The text of the claim has changed" in answer.text
    assert "It could not be stored: <code>raised</code>" in answer.text
    assert site.pending() == ["The API uses OAuth 3"]


@pytest.mark.parametrize(
    ("decision", "more", "words"),
    [
        ("approve", {"content": " \r\n "}, "text is empty"),
        ("approve", {"content": "a\0b"}, "NUL"),
        ("reject", {"reason": "a\0b"}, "NUL"),
        ("reject", {"reason": "x" * 4_001}, "reason has 4001 characters; at most 4000 are allowed"),
    ],
)
def test_invalid_fields_are_refused(site, decision, more, words):
    """The response is 422 with a message; nothing is decided."""
    queue_id = site.submit()
    answer = decide(site.client("owner"), queue_id, decision, **more)
    assert answer.status_code == 422
    assert words in answer.text
    assert site.pending() == ["The API uses OAuth2"]


def test_an_expired_claim_is_reported(make_site):
    """This shows on the claim's page, and after a late decision."""
    site = make_site(queue={"ttl_s": 60.0})
    queue_id = site.submit()
    client = site.client("owner")
    page = client.get(f"/claims/{queue_id}").text
    assert "<dt>Expires</dt>" in page
    site.clock.now += timedelta(minutes=2)
    answer = client.post(f"/claims/{queue_id}/approve", data={**fields(page, "/approve"), "confirmed": "yes"})
    assert answer.status_code == 409
    assert "This claim expired" in answer.text
    assert "This claim expired without a decision" in client.get(f"/claims/{queue_id}").text


def test_a_claim_in_progress_is_reported(make_site):
    """During the callback no other reviewer can decide, and the page names the current one."""
    seen = []

    def look(pending):
        seen.append(site.client("reviewer").get(f"/claims/{pending.queue_id}").text)
        return "m1"

    site = make_site(callback=look)
    queue_id = site.submit()
    assert decide(site.client("owner"), queue_id, "approve").status_code == 303
    assert "anna is deciding on this claim" in seen[0]
    assert 'class="approve"' not in seen[0]


def test_an_id_with_a_slash_has_an_address(make_site):
    """Ids are labels, and labels may contain one, written as ~ in addresses."""
    site = make_site(queue={"new_id": lambda: "team/1:a.b"})
    site.submit()
    client = site.client("owner")
    assert 'href="/claims/team~1:a.b"' in client.get("/").text
    assert decide(client, "team~1:a.b", "approve").status_code == 303
    assert site.program("owner").get("/api/v1/claims/team~1:a.b").json()["claim"]["state"] == "stored"


def test_long_texts_are_not_compared(site):
    """An edit of more than ten thousand characters is shown without a diff, which would delay others."""
    queue_id = site.submit("word " * 5_000)
    client = site.client("owner")
    sent = fields(client.get(f"/claims/{queue_id}").text, "/approve")
    asked = client.post(f"/claims/{queue_id}/approve", data={**sent, "content": "other " * 5_000})
    assert asked.status_code == 200
    assert "<ins>" not in asked.text


def choices(html: str) -> list[str]:
    """Return the values of the boxes of a page."""
    return re.findall(r'<input type="(?:checkbox|hidden)" name="chosen" value="([^"]*)"', html)


def send(client, chosen, decision="approve", **more):
    """Send the form of the list with these boxes."""
    key = fields(client.get("/").text)["form_key"]
    return client.post("/decisions", data={"form_key": key, "decision": decision, "chosen": chosen, **more})


def told(html: str) -> list[tuple[str, str]]:
    """Return sign and words of each outcome, and its claim."""
    rows = re.findall(r"<li><p><span class=\"badge.*?</li>", html, re.S)
    plain = [unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", row))).strip() for row in rows]
    return [(row[0], row[2:]) for row in plain]


def test_a_batch_is_confirmed_and_decided(site):
    """The confirmation has the number and the claims; each outcome is shown."""
    for number in range(3):
        site.submit(f"Claim {number}")
    client = site.client("reviewer")
    chosen = choices(client.get("/").text)
    asked = send(client, chosen[:2])
    assert "Approve 2 claims?" in asked.text
    assert re.findall(r"Claim \d", asked.text) == ["Claim 0", "Claim 1"]
    assert choices(asked.text) == chosen[:2]
    assert asked.headers["hx-push-url"] == "false"
    assert len(site.pending()) == 3
    done = send(client, chosen[:2], confirmed="yes")
    assert "2 of 2 claims approved" in done.text
    assert told(done.text) == [("✓", "approved Claim 0"), ("✓", "approved Claim 1")]
    assert {one.content for one in site.store.find("anna")} == {"Claim 0", "Claim 1"}


def test_a_batch_is_confirmed_even_if_single_claims_are_not(site):
    """A batch always needs a confirmation."""
    site.submit()
    client = site.client("owner")
    client.post("/preferences", data=fields(client.get("/").text, "/preferences"))
    assert "Approve 1 claim?" in send(client, choices(client.get("/").text)).text
    assert len(site.pending()) == 1


def test_one_reason_for_all(site):
    """Each decision has it."""
    ids = [site.submit("One"), site.submit("Two")]
    client = site.client("owner")
    answer = send(client, choices(client.get("/").text), "reject", confirmed="yes", reason="We use JWT")
    assert "2 of 2 claims rejected" in answer.text
    assert [run(site.queue.get_by_id(one, "anna")).decision_reason for one in ids] == ["We use JWT"] * 2


def test_each_has_an_outcome_of_its_own(make_site):
    """Claims may be decided already, edited, unknown, or reserved for another reviewer; the others are decided."""

    def store(pending):
        if pending.content == "Edited":
            raise OSError
        return pending.queue_id

    site = make_site(callback=store, queue={"require_distinct_reviewer": True, "reviewers": ("rita",)})
    ids = [site.submit(f"Claim {number}") for number in range(4)]
    own = site.submit("Rita's own", "rita")
    client = site.client("reviewer")
    chosen = choices(client.get("/").text)
    assert [one.split()[0] for one in chosen] == ids
    decide(client, ids[1], "reject")
    assert decide(client, ids[2], "approve", content="Edited").status_code == 502
    [mark] = [one.content_hash for one in run(site.queue.excerpts("rita", user_id="rita"))]
    answer = send(client, [*chosen, f"{own} {mark}", "nope x"], confirmed="yes")
    assert "2 of 6 claims approved" in answer.text
    assert told(answer.text) == [
        ("!", "not approved rita rejected this claim at 2026-03-01 12:00:00 UTC. Claim 1"),
        ("!", "not approved The text of the claim has changed. Read it again before you decide. Edited"),
        ("!", "not approved You may not decide on this claim; another person must. Rita's own"),
        ("!", "not approved This claim does not exist, or it is not yours."),
        ("✓", "approved Claim 0"),
        ("✓", "approved Claim 3"),
    ]


def test_only_the_displayed_text_is_approved(site, monkeypatch):
    """If another reviewer edits a claim meanwhile, the new text is not approved."""
    queue_id = site.submit("As it was seen")
    seen = []

    async def approve_many(queue_ids, reviewer, *, contents):
        seen.append((queue_ids, reviewer, contents))
        return []

    monkeypatch.setattr(ReviewQueue, "approve_many", staticmethod(approve_many))
    client = site.client("owner")
    send(client, choices(client.get("/").text), confirmed="yes")
    assert seen == [([queue_id], "anna", {queue_id: "As it was seen"})]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"chosen": []}, 422),
        ({"decision": "skip"}, 422),
        ({"decision": ""}, 422),
        ({"decision": ["approve", "reject"]}, 400),
        ({"chosen": [f"q{number} x" for number in range(101)]}, 400),
        ({"form_key": "0" * 64}, 403),
        ({"decision": "reject", "reason": "x" * 4_001}, 422),
        ({"decision": "reject", "reason": "\0"}, 422),
    ],
)
def test_refused_decisions(site, sent, status):
    """They are refused before any action."""
    site.submit()
    client = site.client("owner")
    page = client.get("/").text
    usual = {"form_key": fields(page)["form_key"], "decision": "approve", "chosen": choices(page), "confirmed": "yes"}
    assert client.post("/decisions", data={**usual, **sent}).status_code == status
    assert len(site.pending()) == 1


@pytest.mark.parametrize(
    "chosen", ["", " ", "no label x", "\x00 x", "../.. x", "'; DROP TABLE review_items; -- x", "é"]
)
def test_hostile_selections_are_unknown_claims(site, chosen):
    """The answer is that for every unknown id."""
    answer = send(site.client("owner"), [chosen], confirmed="yes")
    assert answer.status_code == 200
    assert told(answer.text) == [("!", "not approved This claim does not exist, or it is not yours.")]


def test_only_decidable_claims_have_boxes(make_site):
    """Decided claims have none, nor do one's own claims if another person has to decide."""
    site = make_site(queue={"require_distinct_reviewer": True, "reviewers": ("rita",)})
    own, others = site.submit("Own", "rita"), site.submit("Another's")
    client = site.client("reviewer")
    assert [one.split()[0] for one in choices(client.get("/").text)] == [others]
    assert choices(site.client("owner").get("/").text) == []
    decide(client, others, "reject")
    assert choices(client.get("/?state=rejected").text) == []
    assert own in client.get("/").text


def test_a_long_history_shows_that_it_goes_on(site):
    """The page has a hundred events, and says so if there are more."""
    queue_id = site.submit()
    for _ in range(99):
        run(site.queue.skip(queue_id, "anna"))
    page = site.client("owner").get(f"/claims/{queue_id}").text
    assert (page.count(" skipped by anna"), "Only the first" in page) == (99, False)
    run(site.queue.skip(queue_id, "anna"))
    page = site.client("owner").get(f"/claims/{queue_id}").text
    assert (page.count(" skipped by anna"), "Only the first 100 events are shown." in page) == (99, True)


def test_links_keep_a_filter_that_is_called_like_a_state(site):
    """A type may have any name, that of the default list too."""
    for number in range(21):
        site.submit(f"Claim {number}", memory_type="pending")
    site.submit("Another", memory_type="fact")
    client = site.client("owner")
    more = re.search(r'rel="next" href="([^"]*)"', client.get("/?memory_type=pending").text)[1].replace("&amp;", "&")
    page = client.get(more).text
    assert "Claim 20" in page
    assert "Another" not in page


def test_a_link_selects_all_claims_of_a_page(site):
    """The same link deselects them; it stays on the page with its filters."""
    for number in range(25):
        site.submit(f"Claim {number}")
    client = site.client("owner")
    more = re.search(r'rel="next" href="([^"]*)"', client.get("/?memory_type=fact").text)[1].replace("&amp;", "&")
    page = client.get(more).text
    every = re.search(r'class="all" href="([^"]*)">Select all', page)[1].replace("&amp;", "&")
    chosen = client.get(every).text
    assert chosen.count(" checked>") - page.count(" checked>") == 5
    none = re.search(r'class="all" href="([^"]*)">Select none', chosen)[1].replace("&amp;", "&")
    assert none == more


def test_the_api_decides_on_a_batch(site):
    """Each outcome is that of a single decision: state and memory, or the same failure."""
    ids = [site.submit(f"Claim {number}") for number in range(3)]
    foreign = site.submit("Zoe's", "zoe")
    program = site.program("owner")
    program.post(f"/api/v1/claims/{ids[1]}/reject")
    answer = program.post("/api/v1/decisions", json={"decision": "approve", "queue_ids": [*ids, foreign, ids[0]]})
    assert answer.status_code == 200
    outcomes = answer.json()["outcomes"]
    assert [one["queue_id"] for one in outcomes] == [*ids, foreign, ids[0]]
    assert [one["state"] for one in outcomes] == ["stored", None, "stored", None, None]
    assert [one["memory_id"] for one in outcomes] == [ids[0], None, ids[2], None, None]
    failures = [one["failure"] for one in outcomes]
    assert [one and one["error"] for one in failures] == [
        *(None, "already_decided", None, "not_found", "already_decided")
    ]
    assert failures[1]["decided"]["state"] == "rejected"
    assert failures[3] == program.post(f"/api/v1/claims/{foreign}/approve").json()
    assert site.pending() == ["Zoe's"]
    rejected = program.post("/api/v1/decisions", json={"decision": "reject", "queue_ids": ["nope"], "reason": "no"})
    assert rejected.json()["outcomes"][0]["failure"]["error"] == "not_found"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"queue_ids": ["q1"]}, "decision"),
        ({"decision": "skip", "queue_ids": ["q1"]}, "decision"),
        ({"decision": "approve"}, "queue_ids"),
        ({"decision": "approve", "queue_ids": []}, "queue_ids"),
        ({"decision": "approve", "queue_ids": ["q"] * 101}, "queue_ids"),
        ({"decision": "approve", "queue_ids": [1]}, "queue_ids[0]"),
        ({"decision": "approve", "queue_ids": ["q1"], "reason": "so"}, "reason"),
        ({"decision": "reject", "queue_ids": ["q1"], "reason": ""}, "reason"),
    ],
)
def test_wrong_bodies_name_the_field(site, body, field):
    """The response is 422, and nothing is done."""
    answer = site.program("owner").post("/api/v1/decisions", json=body)
    assert (answer.status_code, answer.json()["field"]) == (422, field)


def assign(client, queue_id, assignee):
    """Send the form of a claim's page."""
    key = fields(client.get(f"/claims/{queue_id}").text)["form_key"]
    return client.post(f"/claims/{queue_id}/assign", data={"form_key": key, "assignee": assignee})


def asked_of(site, queue_id) -> str | None:
    """Return the assigned reviewer according to the API."""
    return site.program("owner").get(f"/api/v1/claims/{queue_id}").json()["claim"]["assigned_to"]


def offered(html: str) -> list[str]:
    """Return the reviewers who can be chosen on a claim's page."""
    return re.findall(r'<option value="([^"]*)"', html)


@pytest.fixture
def two(site):
    """Return a site with another reviewer, and one whose token is revoked."""
    site.tokens.issue("sam", PrincipalRole.REVIEWER)
    gone, _ = site.tokens.issue("gone", PrincipalRole.REVIEWER)
    site.tokens.revoke(gone)
    site.tokens.issue("late", PrincipalRole.REVIEWER, valid_for_s=1)
    return site


def test_a_claim_can_be_assigned_to_reviewers(two):
    """A reviewer assigns the claim to themselves, to another, and to nobody; page and history show it."""
    queue_id = two.submit()
    client = two.client("reviewer")
    page = client.get(f"/claims/{queue_id}").text
    assert "Assigned to nobody" in page
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
def test_a_claim_cannot_be_assigned_to_others(two, assignee):
    """They may not decide on the claim; nothing is changed."""
    queue_id = two.submit()
    status = 422 if len(assignee) > 256 or assignee == "\0" else 403
    assert assign(two.client("reviewer"), queue_id, assignee).status_code == status
    answer = two.program("reviewer").post(f"/api/v1/claims/{queue_id}/assign", json={"assignee": assignee})
    assert (answer.status_code, answer.json()["field"]) == (status, "assignee")
    assert asked_of(two, queue_id) is None


def test_the_owner_can_be_assigned_unless_another_has_to_decide(make_site):
    """Rulings C14 and C15 apply."""
    for distinct, status in ((False, 200), (True, 403)):
        site = make_site(queue={"require_distinct_reviewer": distinct, "reviewers": ("rita",)})
        queue_id = site.submit()
        program = site.program("reviewer")
        assert program.post(f"/api/v1/claims/{queue_id}/assign", json={"assignee": "anna"}).status_code == status


def test_names_are_shown_unchanged(two):
    """Quotation marks, tags and hidden characters stay."""
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


def test_users_do_not_see_the_reviewers(two):
    """Their pages have no names of reviewers, and no choice."""
    queue_id = two.submit()
    page = two.client("owner").get(f"/claims/{queue_id}").text
    assert offered(page) == []
    assert "sam" not in page


def test_reviewers_of_the_proxy_and_of_the_settings_can_be_assigned(make_site):
    """This holds for both sources of roles."""
    proxy = TrustedProxy(addresses=["testclient"], user_header="x-user", reviewers=["petra"])
    site = make_site(queue={"reviewers": ("otto",)}, app={"proxy": proxy})
    queue_id = site.submit()
    page = site.client("reviewer").get(f"/claims/{queue_id}").text
    assert {"petra", "otto", "rita"} <= {*offered(page)}


def test_assigned_claims_have_a_list_of_their_own(two):
    """The filter of page and API has counts; decided claims stay assigned."""
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
    assert 'name="assigned_to" value="rita" checked> Assigned to me' in page
    assert "Assigned to sam" in two.client("reviewer").get("/?assigned_to=sam").text
    # A user who may not see a claim does not see it here either.
    assert two.program("other").get("/api/v1/claims", params=mine).json()["claims"] == []
