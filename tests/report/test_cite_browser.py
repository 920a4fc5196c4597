"""The citation page in a real browser: highlights, filters, keys, sizes; and without JavaScript."""

import json
import re

import pytest

from groundwire.citations import CitedClaimStatus
from groundwire.report.cite import Case, build_cite_report
from groundwire.report.rendering import render_html
from report.page import as_shown
from report.samples_cite import CASE, cite_report
from waits import eventually

REPORT = cite_report()
HTML = render_html(REPORT, [CASE])
CLAIMS = REPORT.answers[0].claims

# The joined text of the marks of each row, without labels for screen readers.
MARKED = """() => Object.fromEntries([...document.querySelectorAll(".claim")].map((row) => [row.id,
  [...row.querySelectorAll("mark")].map((mark) => {
    const copy = mark.cloneNode(true);
    copy.querySelectorAll(".label").forEach((label) => label.remove());
    return copy.textContent;
  }).join("")]))"""
SHOWN = """() => [...document.querySelectorAll(".claim")].filter((row) => row.getClientRects().length)
  .map((row) => Number(row.id.split("-c")[1]))"""
CLEAR = "rgba(0, 0, 0, 0)"


def marks_of(report):
    """Return the expected text of the marks of each row: its claim, as the page spells it."""
    return {
        f"a{answer.number}-c{claim.number}": as_shown(claim.text)
        for answer in report.answers
        for claim in answer.claims
    }


def test_every_highlight_covers_exactly_its_sentence(show):
    """This includes citations, line ends, tables, Chinese, tags and surrogate pairs."""
    assert show(HTML).evaluate(MARKED) == marks_of(REPORT)


def test_highlights_of_real_answers_cover_exactly_their_sentences(show, shared_data):
    """Long answers of language models, many on one page."""
    path = shared_data / "sets" / "seed001_expected.jsonl"
    if not path.exists():
        pytest.skip("no answers beside the project")
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines()[:60])
    cases = [Case(row["answer"], [{"id": id_} for id_ in row["result_ids"]]) for row in rows]
    report = build_cite_report(cases)
    assert sum(len(answer.claims) for answer in report.answers) > 100
    assert show(render_html(report, cases)).evaluate(MARKED) == marks_of(report)


def test_every_sentence_has_colour_and_sign(show):
    """The background of a mark is that of its status, and the sign is before it."""
    page = show(HTML)
    backgrounds = {}
    for claim in CLAIMS:
        row = page.locator(f"#a1-c{claim.number}")
        mark = row.locator("mark").first
        backgrounds[claim.status] = mark.evaluate("(mark) => getComputedStyle(mark).backgroundColor")
        assert row.locator(".said .ref").text_content().endswith(f" {claim.number}")
        assert row.locator(".evidence .badge").text_content().endswith(claim.status)
    assert len(backgrounds) == len({*backgrounds.values()}) == len(CitedClaimStatus)
    assert CLEAR not in backgrounds.values()


def test_the_passage_is_beside_its_sentence(show):
    """They have the same height; the passage is on the right, with matched words in bold."""
    row = show(HTML).locator("#a1-c1")
    said, passage = row.locator(".said").bounding_box(), row.locator(".evidence").bounding_box()
    assert said["x"] + said["width"] <= passage["x"]
    assert abs(said["y"] - passage["y"]) < 20
    assert row.locator(".passage .same").all_text_contents() == ["winter", "1887", "mill", "burned", "rebuilt"]


def test_invalid_citations_are_struck(show):
    """They are lined through, and have a label for screen readers."""
    invalid = show(HTML).locator("#a1-c2 mark del")
    assert invalid.text_content() == "invalid: 7"
    assert "line-through" in invalid.evaluate("(each) => getComputedStyle(each).textDecorationLine")


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
@pytest.mark.parametrize("status", CitedClaimStatus)
def test_filter_shows_one_status(show, expect, javascript, status):
    """Rows of other statuses disappear; `all` shows them again."""
    page = show(HTML, java_script_enabled=javascript)
    page.locator(f'label[for="show-{status}"]').click()
    eventually(lambda: page.evaluate(SHOWN), [claim.number for claim in CLAIMS if claim.status == status])
    page.locator('label[for="show-all"]').click()
    expect(page.locator(".claim:visible")).to_have_count(len(CLAIMS))


def test_the_filter_hides_answers_without_such_a_sentence(show, expect):
    """Only answers with such a sentence stay."""
    cases = [CASE._replace(answer="The mill burned down in that winter [1]."), CASE]
    page = show(render_html(build_cite_report(cases), cases))
    page.locator('label[for="show-uncited"]').click()
    expect(page.locator("#a1")).to_be_hidden()
    expect(page.locator("#a2")).to_be_visible()


def test_keys_lead_through_the_sentences_and_to_the_source(show, expect):
    """j and k move between the visible sentences, Enter goes to the first source."""
    page = show(HTML)
    page.locator("#answers").focus()
    for number in (1, 2, 3):
        page.keyboard.press("j")
        expect(page.locator(f"#a1-c{number}")).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator("#a1-c2")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#a1-s2")).to_be_focused()
    weak = [claim.number for claim in CLAIMS if claim.status == CitedClaimStatus.WEAK]
    page.locator('label[for="show-weak"]').click()
    eventually(lambda: page.evaluate(SHOWN), weak)
    page.locator("#answers").focus()
    page.keyboard.press("j")
    expect(page.locator(f"#a1-c{weak[0]}")).to_be_focused()


def test_page_is_readable_without_javascript(show, expect):
    """All text is visible, links lead to passages, and no keys are mentioned."""
    page = show(HTML, java_script_enabled=False)
    assert not page.locator(".keys").is_visible()
    page.locator("#a1-c1 .place a").click()
    expect(page).to_have_url(re.compile("#a1-s1$"))
    expect(page.locator("#a1-s1")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_page_fits_the_screen(show, width, scheme):
    """No sideways scrolling is needed, and the colours follow the system."""
    page = show(HTML, viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    paper = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(20, 23, 27)") == (scheme == "dark")


def test_hostile_text_does_nothing(show):
    """A script in an answer, a passage, an id or a title is shown as text."""
    text = "<script>document.title = 'x'</script><img src=x onerror=\"document.title = 'x'\">"
    case = Case(
        f"The mill burned down in that winter {text} [1].", [{"id": "1", "title": text, "content": text}], text, text
    )
    page = show(render_html(build_cite_report([case]), [case]))
    assert page.title().startswith("Citation check: ")
    assert page.locator("script").count() == 1
    assert text in page.locator("#a1-c1 .said").text_content()
