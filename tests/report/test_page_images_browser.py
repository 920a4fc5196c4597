"""Pages of PDFs in a real browser: from the verdict to the page and back, by mouse and keys, on any screen."""

import json
import re

import pytest

pytest.importorskip("pypdfium2")

import pypdfium2

from report.samples_pages import NUMBERS, long_html, paged_html
from waits import eventually

WIDE = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

# Whether the middle of an element is on the screen, and what a click there would meet.
SEEN = """(id) => {
  const box = document.getElementById(id).getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight;
}"""
# How far the boxes of a quote are from dark pixels of its image: the share of dark pixels in them.
INK = """async (id) => {
  const spot = document.getElementById(id);
  const image = spot.closest(".sheet").querySelector("img");
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const [frame, scale] = [image.getBoundingClientRect(), image.naturalWidth / image.getBoundingClientRect().width];
  const shares = [];
  for (const rect of spot.querySelectorAll(".line-box")) {
    const box = rect.getBoundingClientRect();
    const [x, y] = [(box.x - frame.x) * scale, (box.y - frame.y) * scale];
    const values = context.getImageData(x, y, box.width * scale, box.height * scale).data;
    let dark = 0;
    for (let at = 0; at < values.length; at += 4) dark += values[at] < 128;
    shares.push(dark / (values.length / 4));
  }
  return shares;
}"""


def spot(name, page):
    """Return the id of a quote's place on a page."""
    return f"t1-p{page}-q{NUMBERS[name]}"


def test_a_click_on_a_verdict_shows_its_page_and_its_text(show, expect):
    """Side by side on a wide screen: the page scrolls in its own column."""
    page = show(paged_html(), **WIDE)
    page.locator(f"#q{NUMBERS['elsewhere']} .badge").click()
    expect(page).to_have_url(re.compile(f"#t1-q{NUMBERS['elsewhere']}$"))
    eventually(lambda: page.evaluate(SEEN, spot("elsewhere", 4)), True)
    eventually(lambda: page.evaluate(SEEN, f"t1-q{NUMBERS['elsewhere']}"), True)
    expect(page.locator(f"#{spot('elsewhere', 4)}")).to_have_class(re.compile("current"))


def test_a_click_on_a_highlight_shows_its_verdict(show, expect):
    """The card is the target, and j and k go on from it."""
    page = show(paged_html(), **WIDE)
    page.locator(f"#{spot('over-lines', 1)} .line-box").first.click()
    expect(page).to_have_url(re.compile(f"#q{NUMBERS['over-lines']}$"))
    eventually(lambda: page.evaluate(SEEN, f"q{NUMBERS['over-lines']}"), True)


def test_keys_lead_to_the_page_from_the_start(show, expect):
    """No click first: j chooses a quote, Enter shows its page and its text, j goes on."""
    page = show(paged_html(), **WIDE)
    page.keyboard.press("j")
    expect(page.locator(f"#q{NUMBERS['altered']}")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"#t1-q{NUMBERS['altered']}")).to_be_focused()
    eventually(lambda: page.evaluate(SEEN, spot("altered", 2)), True)
    page.keyboard.press("j")
    expect(page.locator(f"#q{NUMBERS['elsewhere']}")).to_be_focused()


def test_the_nearest_passage_of_an_absent_quote_is_shown(show, expect):
    """With a dashed frame on its page, and at its line of the text."""
    page = show(paged_html(), **WIDE)
    page.locator(f"#q{NUMBERS['absent']}").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#t1-n{NUMBERS['absent']}")).to_be_focused()
    eventually(lambda: page.evaluate(SEEN, spot("absent", 3)), True)
    page.evaluate("() => document.querySelectorAll('.current').forEach((each) => each.classList.remove('current'))")
    frame = page.locator(f"#{spot('absent', 3)} .line-box").first
    style = frame.evaluate("(rect) => [getComputedStyle(rect).strokeDasharray, getComputedStyle(rect).fill]")
    assert style == ["6px, 4px", "rgba(0, 0, 0, 0)"]


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_links_lead_to_the_page_and_back_on_a_phone(show, expect, javascript):
    """Where page and text are below each other, each has its link."""
    page = show(paged_html(), **PHONE, java_script_enabled=javascript)
    page.locator(f"#q{NUMBERS['altered']} a.on-page").tap()
    expect(page).to_have_url(re.compile(f"#{spot('altered', 2)}$"))
    if javascript:
        eventually(lambda: page.evaluate(SEEN, spot("altered", 2)), True)
    page.locator(f"#{spot('altered', 2)} .tag").tap()
    expect(page).to_have_url(re.compile(f"#q{NUMBERS['altered']}$"))


def test_keys_lead_to_the_page_on_a_narrow_screen(show, expect):
    """Enter goes to the page itself."""
    page = show(paged_html(), viewport={"width": 900, "height": 800})
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator(f"#{spot('altered', 2)}")).to_be_focused()


@pytest.mark.parametrize("width", [320, 390, 1440])
@pytest.mark.parametrize("name", ["over-lines", "altered"])
def test_highlights_are_over_the_words(show, name, width):
    """At any size, each line's box is full of ink."""
    page = show(paged_html(), viewport={"width": width, "height": 900})
    number = {"over-lines": 1, "altered": 2}[name]
    page.locator(f"#t1-p{number}").scroll_into_view_if_needed()
    # Drawing on a canvas shows nothing, so the policy has no say in it.
    shares = page.evaluate(INK, spot(name, number))
    assert len(shares) == (2 if name == "over-lines" else 1)
    assert all(share > 0.1 for share in shares)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_highlights_have_the_colour_of_the_verdict(show, scheme):
    """On white paper in both schemes, so always the light one."""
    page = show(paged_html(), color_scheme=scheme, **WIDE)
    fill = "(rect) => getComputedStyle(rect).fill"
    assert page.locator(f"#{spot('altered', 2)} .line-box").first.evaluate(fill) == "rgb(255, 223, 207)"
    paper = page.locator(".sheet").first.evaluate("(each) => getComputedStyle(each).backgroundColor")
    assert paper == "rgb(255, 255, 255)"


def test_filter_hides_the_places_of_other_quotes(show, expect):
    """What is chosen stays."""
    page = show(paged_html(), **WIDE)
    page.locator('label[for="show-altered"]').click()
    expect(page.locator(".spot:visible")).to_have_count(1)
    page.locator('label[for="show-all"]').click()
    expect(page.locator(".spot:visible")).to_have_count(5)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_images_are_decoded_when_they_are_scrolled_to(show, browser, size):
    """Of more than 30 pages, a few at first; the browser's own trace says so."""

    def decoded(action):
        browser.start_tracing(categories=["devtools.timeline", "disabled-by-default-devtools.timeline", "cc"])
        action()
        return [each["name"] for each in json.loads(browser.stop_tracing())["traceEvents"]].count("Decode Image")

    opened = []
    painted = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

    def open_page():
        opened.append(show(long_html(40), **size))
        opened[0].evaluate(painted)

    def scroll():
        opened[0].locator("#t1-p30").scroll_into_view_if_needed()
        opened[0].evaluate("() => document.querySelector('#t1-p30 img').decode()")
        opened[0].evaluate(painted)

    assert decoded(open_page) < 10
    assert opened[0].locator(".page img").count() > 30
    assert 0 < decoded(scroll) < 10


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1440])
def test_pages_fit_the_screen(show, width, scheme):
    """Nothing has to be scrolled sideways."""
    page = show(paged_html(), viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_axe_finds_nothing(show, axe, width, scheme):
    """Of all its rules, on the whole page with its legend unfolded."""
    page = show(paged_html(), viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    assert [violation["id"] for violation in axe.run(page).response["violations"]] == []


def test_the_focus_is_seen_on_a_page(show, expect):
    """Tab goes from highlight to highlight, each with a name and a frame."""
    page = show(paged_html(), **WIDE)
    page.locator(".pages").first.focus()
    page.keyboard.press("Tab")
    at = page.locator(f"#{spot('over-lines', 1)}")
    expect(at).to_be_focused()
    expect(at).to_have_accessible_name(f"quote {NUMBERS['over-lines']}, normalized; back to the list")
    assert at.locator(".line-box").first.evaluate("(rect) => getComputedStyle(rect).strokeWidth") == "4px"


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_pages_are_printed(show, tmp_path, size):
    """All of them, seen or not, with their highlights, even without the option for backgrounds."""
    page = show(paged_html(), **size)
    file = tmp_path / "printed.pdf"
    page.pdf(path=str(file))
    printed = pypdfium2.PdfDocument(file)
    kinds = [each.type for sheet in printed for each in sheet.get_objects(max_depth=8)]
    assert kinds.count(pypdfium2.raw.FPDF_PAGEOBJ_IMAGE) == 6
