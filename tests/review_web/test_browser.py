"""The page in a real browser: with mouse and keyboard, without JavaScript, for one claim and several."""

import re

import pytest

from review_web.site import decide


def states(site) -> dict[str, int]:
    """Return the number of claims in each state."""
    return site.program("reviewer").get("/api/v1/counts").json()


def test_ten_claims_are_cleared_by_the_keyboard_alone(site, visit, expect):
    """Only single keys and Enter are used, also to sign in."""
    ids = [site.submit(f"Claim {number}") for number in range(10)]
    page = visit("nobody")
    expect(page.locator("#token")).to_be_focused()
    page.keyboard.type(site.token["reviewer"])
    page.keyboard.press("Enter")
    expect(page.locator(".card")).to_have_count(10)
    page.wait_for_load_state()
    page.keyboard.press("j")
    expect(page.locator(".open").first).to_be_focused()
    page.keyboard.press("Enter")
    for number, queue_id in enumerate(ids):
        page.wait_for_url(re.compile(f"/claims/{queue_id}"))
        expect(page.locator("article > blockquote")).to_have_text(f"Claim {number}")
        page.wait_for_load_state()
        if number % 3 == 0:
            page.keyboard.press("a")
        elif number % 3 == 1:
            page.keyboard.press("r")
            expect(page.locator("#reason")).to_be_focused()
            page.keyboard.type(f"a reason, number {number}")
            page.keyboard.press("Enter")
        else:
            page.keyboard.press("e")
            expect(page.locator("#content")).to_be_focused()
            page.keyboard.press("End")
            page.keyboard.type(", edited")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        expect(page.locator(".confirm button")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator(".empty")).to_contain_text("No claims to review")
    assert states(site) == {"pending": 0, "stored": 7, "rejected": 3, "expired": 0}
    assert {one.content for one in site.store.find("anna")} == {
        *(f"Claim {number}" for number in (0, 3, 6, 9)),
        *(f"Claim {number}, edited" for number in (2, 5, 8)),
    }
    rejected = site.program("reviewer").get("/api/v1/claims", params={"state": "rejected"}).json()["claims"]
    assert [one["decision_reason"] for one in rejected] == [f"a reason, number {number}" for number in (1, 4, 7)]


def test_keys_on_the_list_and_on_claims(site, visit, expect):
    """j and k move on both; e and r open their forms, Escape closes them; typed text is text."""
    ids = [site.submit(f"Claim {number}") for number in range(3)]
    page = visit()
    for key, at in (("j", 0), ("j", 1), ("j", 2), ("j", 2), ("k", 1)):
        page.keyboard.press(key)
        expect(page.locator(".open").nth(at)).to_be_focused()
    page.keyboard.press("Enter")
    for key, at in (("j", 1), ("k", 2), ("", 1)):
        page.wait_for_url(f"**/claims/{ids[at]}")
        expect(page.locator("article > blockquote")).to_have_text(f"Claim {at}")
        page.wait_for_load_state()
        if key:
            page.keyboard.press(key)
    page.keyboard.press("r")
    expect(page.locator("#reason")).to_be_focused()
    page.keyboard.type("jkaer")
    expect(page.locator("#reason")).to_have_value("jkaer")
    page.keyboard.press("Escape")
    expect(page.locator("[data-reject]")).not_to_have_attribute("open", "")
    page.keyboard.press("Control+a")
    page.keyboard.press("e")
    expect(page.locator("#content")).to_be_focused()
    expect(page).to_have_url(re.compile(f"/claims/{ids[1]}$"))
    assert states(site)["pending"] == 3


def test_keys_can_be_turned_off(site, visit, expect):
    """Letters then do nothing (WCAG 2.1.4), and the hints are hidden."""
    site.submit()
    page = visit()
    expect(page.locator(".keys")).to_be_visible()
    page.locator(".menu summary").click()
    page.locator("input[name=has_keys]").uncheck()
    page.locator(".menu button").click()
    expect(page.locator("#page:not([data-keys])")).to_have_count(1)
    page.wait_for_load_state()
    expect(page.locator(".keys")).to_be_hidden()
    expect(page.locator("h1")).to_be_focused()
    page.keyboard.press("j")
    # The next key was handled, so the previous one was too: Tab moves from the heading to the first tab.
    page.keyboard.press("Tab")
    expect(page.locator("#tab-pending")).to_be_focused()


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_confirmation_can_be_turned_off(site, visit, expect, javascript):
    """A decision then takes one press."""
    ids = [site.submit("One"), site.submit("Two")]
    page = visit(path=f"/claims/{ids[0]}", java_script_enabled=javascript)
    page.locator(".menu summary").click()
    page.locator("input[name=confirms]").uncheck()
    page.locator(".menu button").click()
    expect(page.locator("input[name=confirms]:not([checked])")).to_have_count(1)
    page.locator("button.approve").first.click()
    expect(page.locator("[role=status]")).to_contain_text("Approved")
    expect(page).to_have_url(re.compile(rf"/claims/{ids[1]}\?"))
    assert states(site)["stored"] == 1


def test_everything_can_be_done_without_javascript(site, visit, expect):
    """Signing in, filters, pages, approving, editing, rejecting, postponing and signing out work."""
    for number in range(25):
        site.submit(f"Claim {number}", memory_type="decision" if number == 24 else "fact")
    page = visit("nobody", java_script_enabled=False)
    page.fill("#token", site.token["reviewer"])
    page.locator("main button").click()
    expect(page.locator(".card")).to_have_count(20)
    expect(page.locator(".keys")).to_be_hidden()
    page.locator("a[rel=next]").click()
    expect(page.locator(".card")).to_have_count(5)
    page.locator(".filters summary").click()
    page.fill("#memory_type", "decision")
    page.locator(".filters button").click()
    expect(page.locator(".card")).to_have_count(1)
    page.locator(".open").click()
    page.locator("[data-edit] summary").click()
    page.fill("#content", "Edited\nin two lines")
    page.locator("[data-edit] button").click()
    expect(page.locator("main ins").first).to_be_visible()
    page.locator(".confirm button").click()
    expect(page.locator("[role=status]")).to_contain_text("Approved")
    page.locator("[role=status] a").click()
    expect(page.locator(".outcome")).to_contain_text("rita approved this claim")
    page.goto("/")
    page.locator(".open").first.click()
    page.locator("[data-reject] summary").click()
    page.fill("#reason", "not so")
    page.locator("[data-reject] button").click()
    expect(page.locator("main .note q")).to_have_text("not so")
    page.locator(".confirm button").click()
    expect(page.locator("[role=status]")).to_contain_text("Rejected")
    page.locator("button:text('Later')").click()
    expect(page.locator("[role=status]")).to_contain_text("Moved to the end of the queue")
    assert states(site) == {"pending": 23, "stored": 1, "rejected": 1, "expired": 0}
    assert site.store.find("anna")[0].content == "Edited\nin two lines"
    page.locator("button:text('Sign out')").click()
    expect(page.locator("#token")).to_be_visible()


def test_the_second_reviewer_sees_the_first_decision(site, visit, expect):
    """The page shows the claim as it is now, the reviewer, the time, and the next step."""
    queue_id, following = site.submit(), site.submit("The next one")
    page = visit(path=f"/claims/{queue_id}")
    decide(site.client("owner"), queue_id, "reject", reason="We use JWT")
    page.keyboard.press("a")
    expect(page.get_by_role("alert")).to_contain_text("anna rejected this claim at 2026-03-01 12:00:00 UTC")
    expect(page.locator(".outcome")).to_contain_text("We use JWT")
    expect(page.locator(".decide")).to_have_count(0)
    page.wait_for_load_state()
    page.keyboard.press("j")
    page.wait_for_url(re.compile(f"/claims/{following}"))
    page.locator("[data-up]").click()
    expect(page.locator(".card")).to_have_count(1)


def test_a_claim_shows_the_results_of_its_checks(site, visit):
    """
    Hedges and citations are in the text, with words for readers who do not see colours; checks, conflict and
    evidence follow.
    """
    page = visit(path=f"/claims/{site.rich()}")
    marks = page.locator("article > blockquote mark")
    assert [re.sub(r"\s+", " ", text) for text in marks.all_text_contents()] == [
        "ADR-003 [citation ADR-003: verified]",
        "may [hedge: technical hedge]",
    ]
    assert "✓ verified ADR-003" in re.sub(r"\s+", " ", page.text_content(".citations"))
    conflict = page.locator("[aria-labelledby=conflict]")
    assert conflict.locator("del").all_text_contents() == ["[removed: uses]", "[removed: Memcached]"]
    assert conflict.locator("ins").all_text_contents() == ["[added: may ]", "[added: use]", "[added: Redis]"]
    facts = page.text_content("[aria-labelledby=evidence]")
    assert all(word in facts for word in ("medium", "ADR-003", "m1", "2026-03-31"))
    assert "hedge_words_detected" in page.text_content("[aria-labelledby=why]")


def test_an_edit_keeps_every_visible_character(site, visit, expect):
    """Line ends, leading empty lines and markup stay; only typed changes count. Hidden characters are removed."""
    text = "\n\nfirst </textarea> & line\r\n\tsecond ‚quoted‘ می\u200cخواهم\n"
    queue_id = site.submit(text.replace("line", "\u202eline\x1b"))
    page = visit(path=f"/claims/{queue_id}")
    page.keyboard.press("e")
    expect(page.locator("#content")).to_be_focused()
    assert page.input_value("#content") == text.replace("\r\n", "\n")
    page.keyboard.press("Control+End")
    page.keyboard.type("!")
    page.locator("[data-edit] button").click()
    page.locator(".confirm button").click()
    expect(page.get_by_role("status")).to_contain_text("Approved")
    assert site.store.find("anna")[0].content == f"{text.strip()}\n!".replace("\r\n", "\n")


def test_an_edit_without_changes_is_none(site, visit, expect):
    """Browsers send other line ends, but the claim is stored unchanged."""
    queue_id = site.submit("one\r\ntwo ")
    page = visit(path=f"/claims/{queue_id}")
    page.keyboard.press("e")
    page.locator("[data-edit] button").click()
    page.locator(".confirm button").click()
    expect(page.get_by_role("status")).to_contain_text("Approved")
    assert site.store.find("anna")[0].content == "one\r\ntwo "


def test_empty_states(visit, expect):
    """An empty list, filters without a match, and a state without claims have their own messages."""
    page = visit()
    expect(page.locator(".empty")).to_contain_text("No claims to review")
    page.goto("/?state=rejected")
    expect(page.locator(".empty")).to_contain_text("No rejected claims yet")
    page.goto("/?source=nowhere")
    expect(page.locator(".empty")).to_contain_text("No claims match these filters")
    page.locator(".empty a").click()
    page.wait_for_url("**/?state=pending")
    page.goto("/claims/unknown")
    expect(page.get_by_role("alert")).to_contain_text("This claim does not exist")


CHOSEN = ".choose input:checked"


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_several_are_approved_and_rejected(site, visit, expect, javascript):
    """The page has boxes, a confirmation with the number, the outcome of each, and a link back."""
    for number in range(5):
        site.submit(f"Claim {number}")
    page = visit(java_script_enabled=javascript)
    page.locator(".choose input").nth(0).check()
    page.locator(".choose input").nth(2).check()
    page.locator("button:text('Approve selected')").click()
    expect(page.locator("h1")).to_have_text("Approve 2 claims?")
    page.locator("button:text('Approve 2 claims')").click()
    expect(page.locator("h1")).to_have_text("2 of 2 claims approved")
    page.locator("[data-up]").click()
    expect(page.locator(".card")).to_have_count(3)
    page.locator(".all").click()
    expect(page.locator(CHOSEN)).to_have_count(3)
    page.locator(".choose input").nth(1).uncheck()
    page.locator("button:text('Reject selected')").click()
    expect(page.locator("h1")).to_have_text("Reject 2 claims?")
    page.fill("#reason", "not so")
    page.keyboard.press("Enter")
    expect(page.locator(".outcomes .badge")).to_have_text(["✓ rejected"] * 2)
    assert site.pending() == ["Claim 3"]
    assert {one.content for one in site.store.find("anna")} == {"Claim 0", "Claim 2"}


def test_x_selects_a_claim(site, visit, expect):
    """It works with j and k; Space on a box does the same, and the card's link stays in place."""
    ids = [site.submit(f"Claim {number}") for number in range(3)]
    page = visit()
    page.keyboard.press("x")
    expect(page.locator(CHOSEN)).to_have_count(0)
    for key in "jxjjx":
        page.keyboard.press(key)
    boxes = page.locator(".choose input")
    expect(boxes.nth(0)).to_be_checked()
    expect(boxes.nth(1)).not_to_be_checked()
    expect(boxes.nth(2)).to_be_checked()
    page.keyboard.press("x")
    expect(boxes.nth(2)).not_to_be_checked()
    boxes.nth(1).focus()
    page.keyboard.press("Space")
    expect(boxes.nth(1)).to_be_checked()
    page.keyboard.press("k")
    expect(page.locator(".open").nth(0)).to_be_focused()
    page.locator("button:text('Approve selected')").click()
    expect(page.locator("button:text('Approve 2 claims')")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("2 of 2 claims approved")
    expect(page.locator("h1")).to_be_focused()
    assert site.pending() == ["Claim 2"]
    assert ids


def test_an_empty_selection_is_reported(site, visit, expect):
    """The message has a link back."""
    site.submit()
    page = visit()
    page.locator("button:text('Approve selected')").click()
    expect(page.get_by_role("alert")).to_contain_text("No claim is selected")
    page.locator("[data-up]").click()
    expect(page.locator(".card")).to_have_count(1)


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_a_claim_is_assigned(site, visit, expect, javascript):
    """The reviewer assigns it to themselves, finds it under assigned claims, and unassigns it."""
    queue_id = site.submit()
    site.submit("Another")
    page = visit(path=f"/claims/{queue_id}", java_script_enabled=javascript)
    page.locator("button:text('Assign to me')").click()
    expect(page.locator("#notice")).to_contain_text("Assigned")
    expect(page.locator("[aria-labelledby=asked]")).to_contain_text("rita")
    page.locator("[data-up]").click()
    page.locator(".filters summary").click()
    page.locator("input[name=assigned_to]").check()
    page.locator(".filters button").click()
    expect(page.locator(".card")).to_have_count(1)
    page.locator(".open").click()
    page.select_option("#assignee", "")
    page.locator("[aria-labelledby=asked] button:text-is('Assign')").click()
    expect(page.locator("[aria-labelledby=asked]")).to_contain_text("Assigned to nobody")


def test_the_card_opens_beside_its_box(site, visit, expect):
    """The link covers the card, but not the box."""
    queue_id = site.submit()
    page = visit()
    page.locator(".choose").click()
    expect(page.locator(CHOSEN)).to_have_count(1)
    page.locator(".card").click(position={"x": 300, "y": 20})
    page.wait_for_url(f"**/claims/{queue_id}")
