#!/usr/bin/env python3
"""
Take a picture of an HTML report, as Chromium shows it. `python3 dev.py pictures` takes those of docs/figures/.

    groundwire check examples/interview.txt -q examples/extraction.json -o report.html
    python tools/page_picture.py report.html docs/figures/report.png --quote 9 --passage
    python tools/page_picture.py examples/interview.txt interview.pdf       # prints it

Needs playwright (group `test`) and a chromium.
"""

import argparse
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright


def main() -> int:
    """Write the picture; 2 if there is no browser."""
    parser = argparse.ArgumentParser(description="Take a picture of an HTML report.")
    parser.add_argument("page", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--quote", type=int, metavar="N", help="the quote that the list is scrolled to")
    parser.add_argument("--item", metavar="ID", help="what the page is scrolled to; default: its beginning")
    parser.add_argument("--passage", action="store_true", help="go to its passage")
    parser.add_argument("--width", type=int, default=1240, metavar="N", help="the width of the window in pixels")
    options = parser.parse_args()
    browser = shutil.which("chromium")
    if browser is None:
        print("error: no chromium", file=sys.stderr)
        return 2
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": options.width, "height": 800})
        page.goto(options.page.resolve().as_uri())
        if options.target.suffix == ".pdf":
            page.pdf(
                path=options.target, format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "2.5cm")
            )
            chromium.close()
            return 0
        # The legend would take half of the picture.
        page.evaluate("document.querySelectorAll('details.legend').forEach((each) => (each.open = false))")
        if options.item is not None:
            page.locator(f"#{options.item}").evaluate("(item) => item.scrollIntoView()")
        if options.quote is not None:
            card = page.locator(f"#q{options.quote}")
            if options.passage:
                card.locator(".place a").first.click()
            card.evaluate("(card) => card.closest('.list').scrollTo(0, card.offsetTop)")
        page.screenshot(path=options.target)
        chromium.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
