"""One decision about several claims: what is asked, what becomes of each, and what is refused."""

import re
from html import unescape

import pytest

from groundwire.review import ReviewQueue
from review_web.site import decide, fields, run


def choices(html: str) -> list[str]:
    """What the boxes of a page stand for."""
    return re.findall(r'<input type="(?:checkbox|hidden)" name="chosen" value="([^"]*)"', html)


def send(client, chosen, decision="approve", **more):
    """Send the form of the list with these boxes."""
    key = fields(client.get("/").text)["form_key"]
    return client.post("/decisions", data={"form_key": key, "decision": decision, "chosen": chosen, **more})


def told(html: str) -> list[tuple[str, str]]:
    """Sign and words of each outcome, and which claim it is about."""
    rows = re.findall(r"<li><p><span class=\"badge.*?</li>", html, re.S)
    plain = [unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", row))).strip() for row in rows]
    return [(row[0], row[2:]) for row in plain]


def test_several_are_asked_about_and_decided(site):
    """The question names the number and the claims; then each is told."""
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


def test_they_are_asked_about_even_if_single_ones_are_not(site):
    """Many at once is more than a slip of the finger."""
    site.submit()
    client = site.client("owner")
    client.post("/preferences", data=fields(client.get("/").text, "/preferences"))
    assert "Approve 1 claim?" in send(client, choices(client.get("/").text)).text
    assert len(site.pending()) == 1


def test_one_reason_for_all(site):
    """It is kept with each."""
    ids = [site.submit("One"), site.submit("Two")]
    client = site.client("owner")
    answer = send(client, choices(client.get("/").text), "reject", confirmed="yes", reason="We use JWT")
    assert "2 of 2 claims rejected" in answer.text
    assert [run(site.queue.get_by_id(one, "anna")).decision_reason for one in ids] == ["We use JWT"] * 2


def test_each_has_an_outcome_of_its_own(make_site):
    """Somebody was quicker, it reads otherwise, it is not there, another has to decide; the others are decided."""

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
        ("!", "not approved The claim reads otherwise by now. Look at it again before you decide. Edited"),
        ("!", "not approved Another person has to decide about this claim. Rita's own"),
        ("!", "not approved There is no such claim, or it is not yours."),
        ("✓", "approved Claim 0"),
        ("✓", "approved Claim 3"),
    ]


def test_what_was_looked_at_is_what_is_stored(site, monkeypatch):
    """If somebody edits a claim between look and decision, their words are not approved in its place."""
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
def test_what_is_refused(site, sent, status):
    """Before anything is done."""
    site.submit()
    client = site.client("owner")
    page = client.get("/").text
    usual = {"form_key": fields(page)["form_key"], "decision": "approve", "chosen": choices(page), "confirmed": "yes"}
    assert client.post("/decisions", data={**usual, **sent}).status_code == status
    assert len(site.pending()) == 1


@pytest.mark.parametrize(
    "chosen", ["", " ", "no label x", "\x00 x", "../.. x", "'; DROP TABLE review_items; -- x", "é"]
)
def test_hostile_choices_are_unknown_claims(site, chosen):
    """Answered as every id that there is not."""
    answer = send(site.client("owner"), [chosen], confirmed="yes")
    assert answer.status_code == 200
    assert told(answer.text) == [("!", "not approved There is no such claim, or it is not yours.")]


def test_boxes_stand_where_something_can_be_decided(make_site):
    """Not beside claims that are decided, nor beside one's own where another person has to decide."""
    site = make_site(queue={"require_distinct_reviewer": True, "reviewers": ("rita",)})
    own, others = site.submit("Own", "rita"), site.submit("Another's")
    client = site.client("reviewer")
    assert [one.split()[0] for one in choices(client.get("/").text)] == [others]
    assert choices(site.client("owner").get("/").text) == []
    decide(client, others, "reject")
    assert choices(client.get("/?state=rejected").text) == []
    assert own in client.get("/").text


def test_all_on_a_page_are_chosen_by_a_link(site):
    """And none by the same one; it stays on the page, with its filters."""
    for number in range(25):
        site.submit(f"Claim {number}")
    client = site.client("owner")
    more = re.search(r'rel="next" href="([^"]*)"', client.get("/?memory_type=fact").text)[1].replace("&amp;", "&")
    page = client.get(more).text
    every = re.search(r'class="all" href="([^"]*)">Choose all', page)[1].replace("&amp;", "&")
    chosen = client.get(every).text
    assert chosen.count(" checked>") - page.count(" checked>") == 5
    none = re.search(r'class="all" href="([^"]*)">Choose none', chosen)[1].replace("&amp;", "&")
    assert none == more


def test_the_api_decides_about_several(site):
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
    """422, and nothing is done."""
    answer = site.program("owner").post("/api/v1/decisions", json=body)
    assert (answer.status_code, answer.json()["field"]) == (422, field)
