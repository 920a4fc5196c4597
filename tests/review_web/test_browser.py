"""The page in a real browser: by mouse, by keyboard alone, without JavaScript."""

import re

import pytest

from review_web.site import decide

FOCUSED = (
    "() => document.activeElement.getAttribute('href') || document.activeElement.id || document.activeElement.name"
)


def states(site) -> dict[str, int]:
    """How many claims there are in each state."""
    return site.program("reviewer").get("/api/v1/counts").json()


def test_ten_claims_are_cleared_by_the_keyboard_alone(site, visit):
    """Signing in included: with the single keys, Enter, and nothing else."""
    for number in range(10):
        site.submit(f"Claim {number}")
    page = visit("nobody")
    page.keyboard.type(site.token["reviewer"])
    page.keyboard.press("Enter")
    page.wait_for_selector(".claims")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    for number in range(10):
        page.wait_for_selector(f"article:has-text('Claim {number}')")
        if number % 3 == 0:
            page.keyboard.press("a")
        elif number % 3 == 1:
            page.keyboard.press("r")
            page.keyboard.type(f"a reason, number {number}")
            page.keyboard.press("Enter")
        else:
            page.keyboard.press("e")
            page.keyboard.press("End")
            page.keyboard.type(", edited")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        page.wait_for_selector(".confirm")
        page.keyboard.press("Enter")
    page.wait_for_selector(".empty")
    assert "Nothing waits" in page.text_content(".empty")
    assert states(site) == {"pending": 0, "stored": 7, "rejected": 3, "expired": 0}
    assert {one.content for one in site.store.find("anna")} == {
        *(f"Claim {number}" for number in (0, 3, 6, 9)),
        *(f"Claim {number}, edited" for number in (2, 5, 8)),
    }
    rejected = site.program("reviewer").get("/api/v1/claims", params={"state": "rejected"}).json()["claims"]
    assert [one["decision_reason"] for one in rejected] == [f"a reason, number {number}" for number in (1, 4, 7)]


def test_keys_on_the_list_and_on_claims(site, visit):
    """j and k lead through both; e and r open what they are for, Escape closes it; what is typed is text."""
    ids = [site.submit(f"Claim {number}") for number in range(3)]
    page = visit()
    for key, expected in (("j", 0), ("j", 1), ("j", 2), ("j", 2), ("k", 1)):
        page.keyboard.press(key)
        assert page.evaluate(FOCUSED) == f"/claims/{ids[expected]}"
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/claims/{ids[1]}")
    page.keyboard.press("j")
    page.wait_for_url(f"**/claims/{ids[2]}")
    page.keyboard.press("k")
    page.wait_for_url(f"**/claims/{ids[1]}")
    page.keyboard.press("r")
    assert page.evaluate(FOCUSED) == "reason"
    page.keyboard.type("jkaer")
    assert page.input_value("#reason") == "jkaer"
    page.keyboard.press("Escape")
    assert not page.locator("[data-reject]").evaluate("details => details.open")
    page.keyboard.press("Control+a")
    assert page.url.endswith(ids[1])
    assert states(site)["pending"] == 3


def test_keys_can_be_turned_off(site, visit):
    """Then letters are nothing (WCAG 2.1.4), and the hints are gone."""
    site.submit()
    page = visit()
    assert page.locator("[data-hint]").is_visible()
    page.locator(".menu summary").click()
    page.locator("input[name=has_keys]").uncheck()
    page.locator(".menu button").click()
    page.wait_for_selector("body:not([data-keys])")
    page.keyboard.press("j")
    assert page.evaluate(FOCUSED) in (None, "", "main")
    assert not page.locator("[data-hint]").is_visible()


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_confirmation_can_be_turned_off(site, visit, javascript):
    """Then a decision is one press."""
    ids = [site.submit("One"), site.submit("Two")]
    page = visit(path=f"/claims/{ids[0]}", java_script_enabled=javascript)
    page.locator(".menu summary").click()
    page.locator("input[name=confirms]").uncheck()
    page.locator(".menu button").click()
    page.wait_for_url(f"**/claims/{ids[0]}")
    page.locator("button.approve").first.click()
    page.wait_for_url(f"**/claims/{ids[1]}?**")
    assert "Approved" in page.text_content("[role=status]")
    assert states(site)["stored"] == 1


def test_everything_can_be_done_without_javascript(site, visit):
    """Sign in, filter, page, approve, edit, reject, put off, sign out."""
    for number in range(25):
        site.submit(f"Claim {number}", memory_type="decision" if number == 24 else "fact")
    page = visit("nobody", java_script_enabled=False)
    page.fill("#token", site.token["reviewer"])
    page.locator("main button").click()
    assert page.locator(".card").count() == 20
    assert not page.locator("[data-hint]").is_visible()
    page.locator("a[rel=next]").click()
    assert page.locator(".card").count() == 5
    page.locator(".filters summary").click()
    page.fill("#memory_type", "decision")
    page.locator(".filters button").click()
    assert page.locator(".card").count() == 1
    page.locator(".open").click()
    page.locator("[data-edit] summary").click()
    page.fill("#content", "Edited\nin two lines")
    page.locator("[data-edit] button").click()
    assert page.locator("main ins").count() > 0
    page.locator(".confirm button").click()
    assert "Approved" in page.text_content("[role=status]")
    page.locator("[role=status] a").click()
    assert "rita approved it" in page.text_content(".outcome")
    page.goto("/")
    page.locator(".open").first.click()
    page.locator("[data-reject] summary").click()
    page.fill("#reason", "not so")
    page.locator("[data-reject] button").click()
    assert "not so" in page.text_content("main")
    page.locator(".confirm button").click()
    page.locator("button:text('Later')").click()
    assert "Put behind all others" in page.text_content("[role=status]")
    assert states(site) == {"pending": 23, "stored": 1, "rejected": 1, "expired": 0}
    assert site.store.find("anna")[0].content == "Edited\nin two lines"
    page.locator("button:text('Sign out')").click()
    assert page.locator("#token").is_visible()


def test_the_second_to_decide_sees_who_was_quicker(site, visit):
    """The claim as it is now, who decided it and when, and the way on."""
    queue_id, following = site.submit(), site.submit("The next one")
    page = visit(path=f"/claims/{queue_id}")
    decide(site.client("owner"), queue_id, "reject", reason="We use JWT")
    page.keyboard.press("a")
    page.wait_for_selector("[role=alert]")
    assert "anna rejected this claim at 2026-03-01 12:00:00 UTC" in page.text_content("[role=alert]")
    assert "We use JWT" in page.text_content(".outcome")
    assert page.locator(".decide").count() == 0
    page.keyboard.press("j")
    assert following not in page.url
    page.locator("[data-up]").click()
    page.wait_for_selector(".claims")


def test_a_claim_shows_what_its_checks_found(site, visit):
    """Hedge and citation in the text, with words for those who do not see colours; checks, conflict, evidence."""
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


def test_an_edit_keeps_every_character(site, visit):
    """Line ends, leading empty lines, hidden characters, markup: nothing changes but what was typed."""
    text = "\n\nfirst </textarea> & \u202eline\r\n\tsecond \x1b ‚quoted‘\n"
    queue_id = site.submit(text)
    page = visit(path=f"/claims/{queue_id}")
    page.keyboard.press("e")
    assert page.input_value("#content") == text.replace("\r\n", "\n")
    page.keyboard.press("Control+End")
    page.keyboard.type("!")
    page.locator("[data-edit] button").click()
    page.locator(".confirm button").click()
    page.wait_for_selector("[role=status]")
    assert site.store.find("anna")[0].content == f"{text.strip()}\n!".replace("\r\n", "\n")


def test_an_edit_that_changes_nothing_is_none(site, visit):
    """Browsers send other line ends: the claim is stored as it was."""
    queue_id = site.submit("one\r\ntwo ")
    page = visit(path=f"/claims/{queue_id}")
    page.keyboard.press("e")
    page.locator("[data-edit] button").click()
    page.locator(".confirm button").click()
    page.wait_for_selector("[role=status]")
    assert site.store.find("anna")[0].content == "one\r\ntwo "


def test_empty_states(visit):
    """Nothing waits, no claim is like that, nobody decided yet: each says what it is."""
    page = visit()
    assert "Nothing waits" in page.text_content(".empty")
    page.goto("/?state=rejected")
    assert "No claim was rejected yet" in page.text_content(".empty")
    page.goto("/?source=nowhere")
    assert "No claim is like that" in page.text_content(".empty")
    page.locator(".empty a").click()
    page.wait_for_url("**/?state=pending")
    page.goto("/claims/unknown")
    assert "There is no such claim" in page.text_content("main")
