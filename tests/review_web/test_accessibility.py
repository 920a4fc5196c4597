"""The page is accessible: axe-core finds no problem, and further rules are checked here."""

import pytest

from review_web.site import decide

SCHEMES = ("light", "dark")
WIDTHS = (320, 390, 1100)

# The elements that Tab reaches, and whether the focus is visible: an outline on the element or on its label.
FOCUS = """() => {
  const at = document.activeElement;
  const outlined = (style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  const seen = outlined(getComputedStyle(at)) || outlined(getComputedStyle(at, "::after"));
  const box = at.getBoundingClientRect();
  const name = at.innerText || at.name || at.id || at.tagName;
  return [name.trim().split("\\n")[0], seen && box.width > 0 && box.height > 0];
}"""

# Controls are large enough for a finger (WCAG 2.2, 2.5.8), unless they are in a line of text.
SMALL = """() => [...document.querySelectorAll("button, summary, .tabs a, input:not([type=hidden]), select")]
  .filter((one) => one.getClientRects().length)
  .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
  .filter(([, box]) => box.height < 24 && !(box.width < 20)).map(([html]) => html)"""


@pytest.fixture
def pages(site) -> dict[str, str]:
    """Return each kind of page, and its address."""
    rich, gone = site.rich(), site.submit("Rejected")
    site.submit("A long word: " + "x" * 400, "anna", source="a-source-with-a-rather-long-name-as-well")
    decide(site.client("reviewer"), gone, "reject", reason="for a reason")
    return {
        "list": "/",
        "filtered list": "/?source=user",
        "empty list": "/?state=expired",
        "claim": f"/claims/{rich}",
        "decided claim": f"/claims/{gone}",
        "problem": "/claims/unknown",
        "memories": "/memories",
        "no memories": "/memories?status=review",
        "memory": "/memories/known-anna",
        "sign in": "/sign-in",
    }


def open_all(page) -> None:
    """Open all collapsed parts, which are checked too."""
    page.evaluate("() => { for (const one of document.querySelectorAll('main details')) one.open = true; }")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing(visit, pages, axe, expect, scheme):
    """All rules run, including best practices, on every kind of page and on the confirmation page."""
    page = visit(color_scheme=scheme)
    found = {}
    for name, path in pages.items():
        page.goto(path)
        open_all(page)
        found[name] = [violation["id"] for violation in axe.run(page).response["violations"]]
    page.goto(pages["claim"])
    page.keyboard.press("a")
    expect(page.locator(".confirm button")).to_be_focused()
    found["confirmation"] = [violation["id"] for violation in axe.run(page).response["violations"]]
    page.goto("/memories")
    page.locator("summary:text('Revoke a source')").click()
    page.locator("#source").fill("adr-3")
    page.keyboard.press("Enter")
    expect(page.locator(".confirm button")).to_be_focused()
    found["revocation"] = [violation["id"] for violation in axe.run(page).response["violations"]]
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Revoked ADR-003")
    found["revoked"] = [violation["id"] for violation in axe.run(page).response["violations"]]
    # They are checked after swapping as well.
    page.goto("/")
    page.locator(".all").click()
    expect(page.locator(".choose input:not(:checked)")).to_have_count(0)
    found["all chosen"] = [violation["id"] for violation in axe.run(page).response["violations"]]
    page.locator("button:text('Reject selected')").click()
    expect(page.locator("#reason")).to_be_focused()
    found["several"] = [violation["id"] for violation in axe.run(page).response["violations"]]
    page.keyboard.press("Enter")
    expect(page.locator(".outcomes li")).to_have_count(2)
    found["outcomes"] = [violation["id"] for violation in axe.run(page).response["violations"]]
    assert {name: violations for name, violations in found.items() if violations} == {}


def test_axe_finds_planted_faults(visit, axe):
    """This shows that the check works."""
    page = visit()
    page.evaluate("() => { document.querySelector('main').innerHTML = '<h1>x</h1><input><a href=/ class=note></a>'; }")
    found = {violation["id"] for violation in axe.run(page).response["violations"]}
    assert {"label", "link-name"} <= found


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_pages_fit_the_screen(visit, pages, width, scheme):
    """No sideways scrolling is needed, and the colours follow the system (WCAG 1.4.10)."""
    page = visit(viewport={"width": width, "height": 800}, color_scheme=scheme)
    for path in pages.values():
        page.goto(path)
        open_all(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert page.evaluate(SMALL) == []
    paper = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(20, 23, 27)") == (scheme == "dark")


def test_the_focus_goes_in_order_and_can_be_seen(visit, pages):
    """Tab moves from top to bottom: to the content first, then to the account, the links and the decisions."""
    page = visit(path=pages["claim"])
    found = []
    for _ in range(13):
        page.keyboard.press("Tab")
        found.append(page.evaluate(FOCUS))
    assert [name for name, _ in found] == [
        "Skip to the content",
        "Review",
        "Memories",
        "Options",
        "Sign out",
        "All waiting claims",
        "Next",
        "Approve",
        "Edit",
        "Reject",
        "Later",
        "Passed checks (1)",
        "Metadata",
    ]
    assert all(seen for _, seen in found)


def test_decisions_are_announced(site, visit, expect):
    """They have a status or an alert, with a heading above the rest; the confirmation button has the focus."""
    ids = [site.submit("One"), site.submit("Two")]
    page = visit(path=f"/claims/{ids[0]}")
    page.locator("button.approve").first.click()
    expect(page.locator(".confirm button")).to_be_focused()
    expect(page.locator(".confirm button")).to_have_text("Approve")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("✓ Approved. Show the claim")
    expect(page.get_by_role("heading", level=1)).to_have_text("Claim of anna")
    page.goto("/claims/unknown")
    expect(page.get_by_role("alert")).to_have_text("This claim does not exist, or it is not yours.")


def test_pages_have_names_and_one_heading(visit, pages):
    """Each has a title, one main part, one heading of the first level, and a language."""
    page = visit()
    for path in pages.values():
        page.goto(path)
        assert page.title().endswith("– groundwire review")
        assert page.locator("main").count() == page.locator("h1").count() == 1
        assert page.locator("html").get_attribute("lang") == "en"
        for control in page.locator("input:not([type=hidden]):not([hidden]), textarea, select").all():
            assert control.evaluate("one => one.labels.length") == 1


def test_signs_and_words_accompany_colours(visit, pages):
    """A status, a citation's status and a difference are clear without colours."""
    page = visit(path=pages["claim"], forced_colors="active")
    assert page.locator(".badge").first.inner_text() == "○ waiting"
    assert page.locator(".citations .badge").inner_text() == "✓ verified"
    decoration = "one => getComputedStyle(one).textDecorationLine"
    assert page.locator("del").first.evaluate(decoration) == "line-through"
    assert page.locator("ins").first.evaluate(decoration) == "underline"
