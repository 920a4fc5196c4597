"""The page on personas in a real browser: filters, keys, sizes, marks; and without JavaScript."""

import pytest

from groundwire.report.labels.faithfulness import VERDICTS
from groundwire.report.rendering import render_html
from report.samples_faithfulness import HOSTILE, PERSONAS, faithfulness_report
from waits import eventually

REPORT = faithfulness_report()
HTML = render_html(REPORT)


def claims(page):
    """Return the visible claims."""
    return [row.get_attribute("id") for row in page.locator(".claim").all() if row.is_visible()]


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
@pytest.mark.parametrize("verdict", VERDICTS)
def test_filter_shows_one_verdict(show, javascript, verdict):
    """Claims of other verdicts disappear, and personas without any; `all` shows them again."""
    page = show(HTML, java_script_enabled=javascript)
    page.locator(f'label[for="show-{verdict}"]').click()
    chosen = [
        f"p{persona.number}-c{claim.number}"
        for persona in REPORT.personas
        for claim in persona.claim_details
        if claim.verdict == verdict
    ]
    eventually(lambda: claims(page), chosen)
    page.locator('label[for="show-all"]').click()
    eventually(lambda: len(claims(page)), REPORT.summary.claims)


def test_every_verdict_has_a_colour_of_its_own(show):
    """The colour is at the edge of its claims."""
    page = show(HTML)
    edges = {
        claim.verdict: page.locator(f"#p1-c{claim.number}").evaluate("(row) => getComputedStyle(row).borderLeftColor")
        for claim in REPORT.personas[0].claim_details
    }
    assert len({*edges.values()}) == len(VERDICTS)


def test_evidence_stands_beside_the_claim_and_is_highlighted(show):
    """They have the same height; the evidence is on the right, with a coloured mark."""
    row = show(HTML).locator("#p1-c1")
    said, evidence = row.locator(".said").bounding_box(), row.locator(".evidence").bounding_box()
    assert said["x"] + said["width"] <= evidence["x"]
    assert abs(said["y"] - evidence["y"]) < 20
    mark = row.locator("mark.contradicted")
    assert mark.text_content() == "five"
    fill = mark.evaluate("(each) => getComputedStyle(each).backgroundColor")
    assert fill != row.evaluate("(each) => getComputedStyle(each).backgroundColor")


def test_near_misses_open_without_a_script(show):
    """A click on their number opens them."""
    near = show(HTML, java_script_enabled=False).locator("#p1-c4")
    assert not near.locator("mark.weak").is_visible()
    near.locator("summary").click()
    near.locator("mark.weak").wait_for(state="visible")


def test_keys_lead_through_the_claims(show, expect):
    """j and k move from claim to claim, across personas."""
    page = show(HTML)
    page.locator("#claims").focus()
    for place in ("p1-c1", "p1-c2"):
        page.keyboard.press("j")
        expect(page.locator(f"#{place}")).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator("#p1-c1")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_page_fits_the_screen(show, width, scheme):
    """No sideways scrolling is needed, and the colours follow the system."""
    long = {"motto": f"{'long' * 100} and {'word' * 100}", f"key{'x' * 200}": "value", "name": "n" * 300}
    page = show(
        render_html(faithfulness_report([*PERSONAS, long], [(f"source{'s' * 200}.txt", "Ann: I like calls.")])),
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
    )
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    paper = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(20, 23, 27)") == (scheme == "dark")


def test_words_over_columns_are_whole_on_a_phone(show):
    """Each word is on one line; the table scrolls before a word is cut."""
    page = show(HTML, viewport={"width": 360, "height": 740})
    heads = page.locator('.overview th[scope="col"]')
    assert heads.count() >= 5
    lines = "(head) => { const r = new Range(); r.selectNodeContents(head); return r.getClientRects().length }"
    assert [head.evaluate(lines) for head in heads.all()] == [1] * heads.count()


def test_hostile_text_does_nothing(show):
    """A script in a name, a claim or a source is text; the page keeps its title."""
    page = show(HTML)
    assert page.title().startswith("Faithfulness check: ")
    assert page.locator("script").count() == 1
    assert "<script>document.title = 'x'</script>" in page.locator("#p1-c7 .said").text_content()
    assert HOSTILE not in HTML


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(show, axe, scheme, width):
    """The rules are WCAG 2.2 AA and best practices, as far as axe-core can check them."""
    page = show(HTML, viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page.evaluate("() => { for (const each of document.querySelectorAll('details')) each.open = true; }")
    found = axe.run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
