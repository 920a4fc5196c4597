"""The page in a real browser: highlights, filters, keys, sizes; and without JavaScript."""

import json
import re

import pytest

from groundwire import read_transcript
from groundwire.report import QuoteEntry, TranscriptFile, build_guarded_report
from groundwire.report.rendering import asset, render_html
from report.page import as_shown
from report.samples_cite import CASE, cite_report
from report.samples_faithfulness import faithfulness_report
from report.samples_guarded import QUOTES, TRANSCRIPTS, guarded_report
from report.samples_ingest import ingest_report
from waits import eventually

REPORT = guarded_report()
TEXTS = [each.text for each in TRANSCRIPTS]
HTML = render_html(REPORT, TEXTS)
NUMBERS = {name: number for number, name in enumerate(QUOTES, start=1)}

# The marked text of each quote, joined, in each transcript.
MARKED = """() => {
  const found = {};
  for (const mark of document.querySelectorAll("mark")) {
    const transcript = mark.closest(".transcript").id.slice(1);
    for (const quote of mark.dataset.quotes.split(" ")) {
      const key = `${transcript} ${quote}`;
      found[key] = (found[key] || "") + mark.textContent;
    }
  }
  return found;
}"""
# The quotes of the list that are visible.
SHOWN = """() => [...document.querySelectorAll(".quote")].filter((quote) => quote.getClientRects().length)
  .map((quote) => Number(quote.id.slice(1)))"""
# The background of a quote's first mark; none for a hidden mark.
BACKGROUND = """(quote) => getComputedStyle(document.querySelector(`mark[data-quotes~="${quote}"]`)).backgroundColor"""
NOTED = (
    """() => [...document.querySelectorAll("mark .differs")].map((each) => getComputedStyle(each).backgroundColor)"""
)
CLEAR = "rgba(0, 0, 0, 0)"


def expected_marks(report, texts):
    """Return the expected text of each quote's marks: its span of the transcript, as the page spells it."""
    return {
        f"{place.transcript} {result.number}": as_shown(texts[place.transcript - 1][place.start : place.end])
        for result in report.quotes
        for place in result.places
    }


def test_every_highlight_covers_exactly_its_quote(show):
    """The text of the marks is the transcript from start to end, over lines, notes, tags and other quotes."""
    expected = expected_marks(REPORT, TEXTS)
    assert len(expected) == len(QUOTES) - 2
    assert show(HTML).evaluate(MARKED) == expected


def test_highlights_of_a_real_meeting_cover_exactly_their_quotes(show, shared_data):
    """The meeting has a hundred thousand characters and labelled quotes of all kinds."""
    name = "en_qmsum_committee_train_covid_7.txt"
    reading = read_transcript((shared_data / "corpora" / name).read_text(encoding="utf-8"), name=name)
    rows = map(json.loads, (shared_data / "quotes.jsonl").read_text(encoding="utf-8").strip().split("\n"))
    quotes = [QuoteEntry(row["quote"], id=row["kind"]) for row in rows if row["doc"] == name]
    report = build_guarded_report([TranscriptFile(name, reading.text, reading=reading)], quotes)
    page = show(render_html(report, [reading.text]))
    assert len(quotes) > 10
    assert page.evaluate(MARKED) == expected_marks(report, [reading.text])
    lines = page.evaluate('() => [...document.querySelectorAll(".line")].map((line) => line.dataset.line).length')
    assert lines == report.transcripts[0].lines


def test_differences_are_marked_on_both_sides(show):
    """The quote's words are an insertion, the transcript's a deletion, each with a label for screen readers."""
    page = show(HTML)
    card = page.locator(f"#q{NUMBERS['altered']}")
    assert card.locator("ins").all_text_contents() == ["[the quote has: 50 mg]"]
    assert card.locator("del").all_text_contents() == ["[the transcript has: 15 mg]", "[the transcript has: not ]"]
    missing = "[missing words: a negation was added, dropped or changed, or a word was replaced by its opposite]"
    assert card.locator(".lacks").all_text_contents() == [missing]
    assert "the quote has: " in card.locator("blockquote").first.aria_snapshot()
    in_transcript = page.locator(f'mark[data-quotes~="{NUMBERS["altered"]}"] .differs')
    assert [text.strip() for text in in_transcript.all_text_contents()] == ["15 mg", "not"]
    assert "has “50 mg”: a number differs" in in_transcript.first.get_attribute("title")


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
@pytest.mark.parametrize("name", ["rejected", "exact", "altered", "elided", "found_elsewhere", "blank"])
def test_filter_shows_one_verdict(show, expect, javascript, name):
    """Cards of other verdicts disappear, and their highlights fade; `all` shows them again."""
    page = show(HTML, java_script_enabled=javascript)
    chosen = [
        each.number for each in REPORT.quotes if (not each.accepted if name == "rejected" else each.status == name)
    ]
    page.locator(f'label[for="show-{name}"]').click()
    eventually(lambda: sorted(page.evaluate(SHOWN)), chosen)
    headings = page.locator(".group h2:visible")
    expect(headings).to_have_count(len({REPORT.quotes[number - 1].accepted for number in chosen}))
    page.locator('label[for="show-all"]').click()
    expect(page.locator(".quote:visible")).to_have_count(len(REPORT.quotes))


def test_filter_fades_the_other_highlights(show, expect):
    """Only the chosen verdict stays marked in the transcript."""
    page = show(HTML)
    assert page.evaluate(BACKGROUND, NUMBERS["exact"]) != CLEAR
    page.locator('label[for="show-elided"]').click()
    eventually(lambda: page.evaluate(BACKGROUND, NUMBERS["exact"]), CLEAR)
    assert page.evaluate(BACKGROUND, NUMBERS["elided"]) != CLEAR
    expect(page.locator(".ref:visible")).to_have_text([str(NUMBERS["elided"])])
    eventually(lambda: {*page.evaluate(NOTED)}, {CLEAR})


def test_filter_is_chosen_by_keyboard(show, expect):
    """The filter is a group of radio buttons: Tab reaches it, arrows move inside it."""
    page = show(HTML)
    page.locator("#show-all").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#show-rejected")).to_be_checked()
    rejected = [each.number for each in REPORT.quotes if not each.accepted]
    eventually(lambda: sorted(page.evaluate(SHOWN)), rejected)


def test_keys_lead_through_the_list_and_to_the_passage(show, expect):
    """j and k move between the visible quotes, Enter goes to the passage, from any focus."""
    page = show(HTML)
    rejected = [each.number for each in REPORT.quotes if not each.accepted]
    page.locator('label[for="show-rejected"]').click()
    eventually(lambda: sorted(page.evaluate(SHOWN)), rejected)
    order = page.evaluate(SHOWN)
    for number in order[:3]:
        page.keyboard.press("j")
        expect(page.locator(f"#q{number}")).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator(f"#q{order[1]}")).to_be_focused()
    page.locator(f"#q{NUMBERS['altered']}").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#t1-q{NUMBERS['altered']}")).to_be_focused()
    expect(page).to_have_url(re.compile(f"#t1-q{NUMBERS['altered']}$"))
    page.keyboard.press("k")
    expect(page.locator(f"#q{order[0]}")).to_be_focused()


@pytest.mark.parametrize("name", ["check", "cite", "ingest", "faithfulness"])
def test_keys_work_without_a_click_first(show, expect, name):
    """In every report j leads to the first item and then to the second, k back; one script does it for all."""
    html = {
        "check": lambda: HTML,
        "cite": lambda: render_html(cite_report(), [CASE]),
        "ingest": lambda: render_html(ingest_report()),
        "faithfulness": lambda: render_html(faithfulness_report()),
    }[name]()
    assert f"<script>{asset('report.js')}</script>" in html
    page = show(html)
    items = page.locator("[data-item]:visible")
    for key, number in (("j", 0), ("j", 1), ("k", 0)):
        page.keyboard.press(key)
        expect(items.nth(number)).to_be_focused()


def test_the_legend_explains_the_verdicts(show, expect):
    """It has every verdict of the page, and explains the score; it is open if a quote is altered at a high score."""
    page = show(HTML)
    legend = page.locator("details.legend")
    expect(legend).to_have_attribute("open", "")
    listed = {each.inner_text().split(" ", 1)[1] for each in legend.locator("dt .badge").all()}
    assert listed == {each.status.replace("_", " ") for each in REPORT.quotes}
    expect(legend).to_contain_text("The score compares characters, the verdict compares meaning.")


def test_page_is_readable_without_javascript(show, expect):
    """All text is visible, links lead to passages, and no keys are mentioned."""
    page = show(HTML, java_script_enabled=False)
    assert all(each.is_visible() for each in page.locator(".quote").all())
    assert not page.locator(".keys").is_visible()
    page.locator(f"#q{NUMBERS['altered']} .place a").click()
    expect(page).to_have_url(re.compile(f"#t1-q{NUMBERS['altered']}$"))
    expect(page.locator(f"#t1-q{NUMBERS['altered']}")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_page_fits_the_screen(show, width, scheme):
    """No sideways scrolling is needed, and the colours follow the system."""
    page = show(HTML, viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    ink, paper = page.evaluate(
        "() => [getComputedStyle(document.body).color, getComputedStyle(document.body).background]"
    )
    assert ("rgb(20, 23, 27)" in paper) == (scheme == "dark")
    assert ink != paper


def test_labels_take_no_room(show):
    """Labels for screen readers are invisible."""
    sizes = show(HTML).evaluate("""() => [...document.querySelectorAll(".label")].map((label) => label.offsetWidth)""")
    assert sizes
    assert max(sizes) <= 1
