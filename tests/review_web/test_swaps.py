"""Pages that replace each other within one document keep the behaviour of new documents."""

import re

import pytest

from groundwire.ingestion import CheckedCitation, Citation, CitationType, VerificationResult
from review.waiting import validation
from review_web.site import decide

MARK = "() => { window.sameDocument = document.querySelector('#notice').same = true; }"
IS_MARKED = "() => [window.sameDocument === true, document.querySelector('#notice')?.same === true]"


def test_title_address_and_focus_follow_the_page(site, visit, expect):
    """One document goes to a claim, to the next, back to the list and to another tab, each time with its heading."""
    ids = [site.submit("One"), site.submit("Two")]
    page = visit()
    page.evaluate(MARK)
    for selector, path, title, heading in (
        (".open >> nth=0", f"/claims/{ids[0]}", "Claim", "Claim of anna"),
        ("a[rel=next]", f"/claims/{ids[1]}", "Claim", "Claim of anna"),
        ("[data-up]", "/", "Claims to review", "Claims to review"),
        ("#tab-rejected", "/?state=rejected", "Claims to review", "Claims to review"),
    ):
        page.locator(selector).click()
        expect(page).to_have_url(re.compile(f"{re.escape(path)}$"))
        expect(page).to_have_title(f"{title} – groundwire review")
        expect(page.locator("h1")).to_have_text(heading)
        expect(page.locator("h1")).to_be_focused()
    assert page.evaluate(IS_MARKED) == [True, True]


def test_decisions_are_announced_in_one_region(site, visit, expect):
    """A region that exists before its text is read aloud; it is empty again on the next page."""
    site.submit("One"), site.submit("Two")
    page = visit()
    page.evaluate(MARK)
    page.locator(".open").first.click()
    expect(page.locator("h1")).to_have_text("Claim of anna")
    page.locator("button.approve").first.click()
    page.locator(".confirm button").click()
    expect(page.get_by_role("status")).to_have_text("✓ Approved. Show the claim")
    assert page.evaluate(IS_MARKED) == [True, True]
    page.locator("[data-up]").click()
    expect(page.locator(".card")).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text("")


def test_an_address_is_never_that_of_a_form(site, visit, expect):
    """After a confirmation and after a conflict, reloading shows the claim."""
    queue_id = site.submit()
    page = visit(path=f"/claims/{queue_id}")
    page.locator("button.approve").first.click()
    expect(page.locator(".confirm button")).to_be_focused()
    expect(page).to_have_url(re.compile(f"/claims/{queue_id}$"))
    decide(site.client("owner"), queue_id, "reject")
    page.locator(".confirm button").click()
    expect(page.get_by_role("alert")).to_contain_text("anna rejected this claim")
    expect(page).to_have_url(re.compile(f"/claims/{queue_id}$"))
    page.reload()
    expect(page.locator(".outcome")).to_contain_text("anna rejected this claim")


def test_the_browser_caches_nothing(site, visit, expect):
    """Going back requests the page again, so nothing is visible after signing out."""
    queue_id = site.submit("A private claim")
    page = visit()
    page.locator(".open").click()
    expect(page.locator("article > blockquote")).to_have_text("A private claim")
    kept = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert "private" not in kept
    decide(site.client("owner"), queue_id, "reject")
    page.go_back()
    expect(page.locator(".empty")).to_contain_text("No claims to review")
    page.locator("button:text('Sign out')").click()
    expect(page.locator("#token")).to_be_visible()
    page.go_back()
    expect(page.locator("#token")).to_be_visible()
    assert "private" not in page.content()


def test_a_session_that_is_over_leads_to_a_new_document(site, visit, expect):
    """Nothing of the old page stays around the sign-in form, which leads back to the requested page."""
    queue_id = site.submit()
    page = visit()
    page.evaluate(MARK)
    page.context.clear_cookies()
    page.locator(".open").click()
    expect(page.locator("#token")).to_be_focused()
    assert page.evaluate(IS_MARKED) == [False, False]
    expect(page.locator(".person")).to_have_count(0)
    page.keyboard.type(site.token["reviewer"])
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/claims/{queue_id}$"))


def test_counts_follow_other_people(site, visit, expect):
    """They are updated every half minute without moving the focus; a missing server removes nothing."""
    site.submit()
    page = visit(path="about:blank")
    page.clock.install()
    page.goto("/")
    page.locator("#tab-rejected").focus()
    site.submit("Another")
    page.clock.run_for(31_000)
    expect(page.locator("#tab-pending .count")).to_have_text("2")
    expect(page.locator("#tab-rejected")).to_be_focused()
    expect(page.locator(".card")).to_have_count(1)
    page.route("**/*", lambda route: route.fulfill(status=503, headers={"hx-reswap": "none"}, body="away"))
    with page.expect_response("**/*"):
        page.clock.run_for(31_000)
    expect(page.locator("#tab-pending .count")).to_have_text("2")


def test_a_part_of_a_page_stays_if_its_update_fails(site):
    """Automatic requests get no replacement page; those of users do."""
    client = site.client("owner")
    swap = {"hx-request": "true"}
    assert client.get("/?after=x", headers=swap).headers["hx-reswap"] == "none"
    assert "hx-reswap" not in client.get("/?after=x", headers={**swap, "hx-boosted": "true"}).headers


def test_an_unreachable_server_is_reported(site, visit, expect):
    """The page stays, and an alert says so; when the server is back, the same press works."""
    queue_id = site.submit()
    page = visit(path=f"/claims/{queue_id}")
    expect(page.locator("#lost")).to_be_hidden()
    # htmx logs it as well.
    page.evaluate("() => { console.error = () => {}; }")
    page.context.set_offline(True)
    page.keyboard.press("a")
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
    expect(page.locator("article > blockquote")).to_have_text("The API uses OAuth2")
    page.context.set_offline(False)
    page.keyboard.press("a")
    expect(page.locator(".confirm button")).to_be_focused()


@pytest.mark.parametrize("signed_in", [True, False])
def test_only_the_own_pages_ask_for_parts(site, signed_in):
    """An unknown user is led to sign in, within a page and without one."""
    client = site.client("owner") if signed_in else site.client()
    answer = client.get("/", headers={"hx-request": "true", "hx-boosted": "true"})
    assert answer.status_code == (200 if signed_in else 401)
    assert answer.headers.get("hx-redirect") == (None if signed_in else "/sign-in")


def test_signing_in_and_out_makes_new_documents(site):
    """The next user cannot see a part of a previous page."""
    assert 'action="/sign-in" hx-boost="false"' in site.client().get("/sign-in").text
    assert 'action="/sign-out" hx-boost="false"' in site.client("owner").get("/").text


def test_cited_addresses_open_outside_the_app(site):
    """They belong to other sites, even on this machine, and none of their pages is put into ours."""
    url = "http://127.0.0.1:9/page"
    cited = CheckedCitation(
        Citation(CitationType.URL, url, 0, 3), VerificationResult(valid=True, reason="found", status="verified")
    )
    queue_id = site.submit(validation_result=validation(citations=(cited,)))
    page = site.client("owner").get(f"/claims/{queue_id}").text
    assert f'<a href="{url}" hx-boost="false"' in page
