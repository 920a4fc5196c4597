"""The page with the figures of many rows, on a phone and on a desktop."""

import pytest

from bulk.corpora import json_lines, rows
from groundwire.bulk import ground_file
from groundwire.report.bulk import render_page

WIDTHS = [360, 1280]
OUTSIDE = """() => [...document.querySelectorAll("section")].flatMap((section) => {
  const room = section.getBoundingClientRect();
  return [...section.querySelectorAll("text, rect, td, th")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width > 0 && (box.left < room.left || box.right > room.right + 0.5);
  }).map((each) => each.textContent);
})"""


@pytest.fixture(scope="module")
def html(tmp_path_factory) -> str:
    """Return the page of a run with verdicts, reasons, errors and malformed lines."""
    folder = tmp_path_factory.mktemp("bulk")
    (folder / "in.jsonl").write_bytes(json_lines(rows(200)).replace(b"\n", b"\n{\n", 7))
    return render_page(ground_file(folder / "in.jsonl", folder / "out.jsonl", policy="guarded", memory_bytes=1 << 18))


@pytest.mark.parametrize("width", WIDTHS)
def test_every_figure_is_seen_without_scrolling_to_the_side(show, html, width):
    """Bars and columns fit the width, and their text has the usual size."""
    page = show(html, viewport={"width": width, "height": 900})
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("svg").count() == 3
    assert "the quote is null" in page.locator("svg").first.text_content()
    heights = page.evaluate("[...document.querySelectorAll('svg text')].map((each) => each.getBBox().height)")
    assert min(height for height in heights if height) >= 13


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(show, html, axe, width, scheme):
    """The rules are WCAG 2.2 AA and best practices, as far as axe-core can check them."""
    page = show(html, viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    found = axe.run(page).response["violations"]
    assert [(each["id"], each["help"]) for each in found] == []
