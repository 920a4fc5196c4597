"""Choosing several claims in a real browser: by mouse, by keys, without JavaScript."""

import pytest

CHOSEN = ".choose input:checked"


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_several_are_approved_and_rejected(site, visit, expect, javascript):
    """Boxes, the question with its number, the outcome of each, and the way back."""
    for number in range(5):
        site.submit(f"Claim {number}")
    page = visit(java_script_enabled=javascript)
    page.locator(".choose input").nth(0).check()
    page.locator(".choose input").nth(2).check()
    page.locator("button:text('Approve chosen')").click()
    expect(page.locator("h1")).to_have_text("Approve 2 claims?")
    page.locator("button:text('Approve 2 claims')").click()
    expect(page.locator("h1")).to_have_text("2 of 2 claims approved")
    page.locator("[data-up]").click()
    expect(page.locator(".card")).to_have_count(3)
    page.locator(".all").click()
    expect(page.locator(CHOSEN)).to_have_count(3)
    page.locator(".choose input").nth(1).uncheck()
    page.locator("button:text('Reject chosen')").click()
    expect(page.locator("h1")).to_have_text("Reject 2 claims?")
    page.fill("#reason", "not so")
    page.keyboard.press("Enter")
    expect(page.locator(".outcomes .badge")).to_have_text(["✓ rejected"] * 2)
    assert site.pending() == ["Claim 3"]
    assert {one.content for one in site.store.find("anna")} == {"Claim 0", "Claim 2"}


def test_x_chooses(site, visit, expect):
    """With j and k; on a box Space does the same, and the card's link stays where it was."""
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
    page.locator("button:text('Approve chosen')").click()
    expect(page.locator("button:text('Approve 2 claims')")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("2 of 2 claims approved")
    expect(page.locator("h1")).to_be_focused()
    assert site.pending() == ["Claim 2"]
    assert ids


def test_nothing_chosen_is_said(site, visit, expect):
    """And leads back."""
    site.submit()
    page = visit()
    page.locator("button:text('Approve chosen')").click()
    expect(page.get_by_role("alert")).to_contain_text("No claim is chosen")
    page.locator("[data-up]").click()
    expect(page.locator(".card")).to_have_count(1)


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_a_claim_is_assigned(site, visit, expect, javascript):
    """To oneself, and found again among what one is asked; then to nobody."""
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
    expect(page.locator("[aria-labelledby=asked]")).to_contain_text("Nobody in particular")


def test_the_card_opens_beside_its_box(site, visit, expect):
    """The link covers the card, and not the box."""
    queue_id = site.submit()
    page = visit()
    page.locator(".choose").click()
    expect(page.locator(CHOSEN)).to_have_count(1)
    page.locator(".card").click(position={"x": 300, "y": 20})
    page.wait_for_url(f"**/claims/{queue_id}")
