"""The page with the figures of many rows in a real browser: on a telephone as on a screen."""

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
    """The page of a run with verdicts, reasons, errors, and lines that are no rows."""
    folder = tmp_path_factory.mktemp("bulk")
    (folder / "in.jsonl").write_bytes(json_lines(rows(200)).replace(b"\n", b"\n{\n", 7))
    return render_page(ground_file(folder / "in.jsonl", folder / "out.jsonl", policy="guarded", memory_bytes=1 << 18))


@pytest.mark.parametrize("width", WIDTHS)
def test_every_figure_is_seen_without_scrolling_to_the_side(show, html, width):
    """Bars and columns are as wide as there is room, and their words as large as they are elsewhere."""
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
    """WCAG 2.2 AA and good practice, as far as axe-core can tell."""
    page = show(html, viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    found = axe.run(page).response["violations"]
    assert [(each["id"], each["help"]) for each in found] == []
