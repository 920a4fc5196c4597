"""The page on claims in a real browser: filters, keys, sizes; and without JavaScript."""

import pytest

from groundwire.ingestion import Tier
from groundwire.report.rendering import render_html
from report.samples_ingest import HOSTILE, ingest_report
from waits import eventually

REPORT = ingest_report()
HTML = render_html(REPORT)


def numbers(page):
    """Return the visible claims."""
    rows = page.locator(".claim:visible")
    return [int(name[1:]) for name in rows.evaluate_all("rows => rows.map((row) => row.id)")]


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
@pytest.mark.parametrize("tier", Tier)
def test_filter_shows_one_tier(show, javascript, tier):
    """Claims of other tiers disappear; `all` shows them again."""
    page = show(HTML, java_script_enabled=javascript)
    page.locator(f'label[for="show-{tier.value}"]').click()
    eventually(lambda: numbers(page), [claim.number for claim in REPORT.claims if claim.tier is tier])
    page.locator('label[for="show-all"]').click()
    eventually(lambda: len(numbers(page)), len(REPORT.claims))


def test_every_tier_has_a_colour_of_its_own(show):
    """The colour is at the edge of its claims, and in its badge."""
    page = show(HTML)
    edges = {
        claim.tier: page.locator(f"#c{claim.number}").evaluate("(row) => getComputedStyle(row).borderLeftColor")
        for claim in REPORT.claims
    }
    assert len({*edges.values()}) == len(Tier)


def test_the_facts_are_beside_the_claim(show):
    """They have the same height; the facts are on the right."""
    row = show(HTML).locator("#c1")
    said, evidence = row.locator(".said").bounding_box(), row.locator(".evidence").bounding_box()
    assert said["x"] + said["width"] <= evidence["x"]
    assert abs(said["y"] - evidence["y"]) < 20


def test_refuted_citations_are_struck(show):
    """They are lined through in the text."""
    mark = show(HTML).locator("#c2 mark.refuted")
    assert "line-through" in mark.evaluate("(each) => getComputedStyle(each).textDecorationLine")


def test_keys_lead_through_the_claims_and_to_similar_ones(show, expect):
    """j and k move between the visible claims, Enter goes to the similar claim."""
    page = show(HTML)
    page.locator("#claims").focus()
    for number in (1, 2, 3):
        page.keyboard.press("j")
        expect(page.locator(f"#c{number}")).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator("#c2")).to_be_focused()
    page.locator('label[for="show-tier_3"]').click()
    eventually(lambda: numbers(page), [claim.number for claim in REPORT.claims if claim.tier is Tier.BLOCK])
    page.locator("#claims").focus()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("#c5")).to_be_focused()
    page.locator('label[for="show-all"]').click()
    eventually(lambda: len(numbers(page)), len(REPORT.claims))
    page.locator("#c5").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#c1")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_page_fits_the_screen(show, width, scheme):
    """No sideways scrolling is needed, and the colours follow the system."""
    claims = [
        f"See https://example.org/{'long' * 100} and {'word' * 100}.",
        *(claim.content for claim in REPORT.claims),
    ]
    page = show(render_html(ingest_report(claims)), viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    paper = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(20, 23, 27)") == (scheme == "dark")


def test_hostile_text_does_nothing(show):
    """A script in a claim is text; the page keeps its title."""
    page = show(render_html(ingest_report([HOSTILE, f"I think {HOSTILE}"], user_id=HOSTILE)))
    assert page.title().startswith("Ingestion check: ")
    assert page.locator("script").count() == 1
    assert "<script>document.title = 'x'</script>" in page.locator("#c2 .said").text_content()
