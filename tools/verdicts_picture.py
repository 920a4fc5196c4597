#!/usr/bin/env python3
"""
Draw docs/figures/verdicts.png: the report on the sample, as Chromium shows it.

    .venv/bin/python tools/verdicts_picture.py

Needs playwright (extra `test`) and a chromium.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from groundwire import read_transcript
from groundwire.report import Quote, Transcript, build_guarded_report
from groundwire.report.html import render_html

ROOT = Path(__file__).resolve().parents[1]
ALTERED = 9
TARGET = ROOT / "docs" / "figures" / "verdicts.png"


def main() -> int:
    """Write the picture; 2 if there is no browser."""
    browser = shutil.which("chromium")
    if browser is None:
        print("error: no chromium", file=sys.stderr)
        return 2
    reading = read_transcript(ROOT / "examples" / "interview.txt")
    evidence = json.loads((ROOT / "examples" / "extraction.json").read_text(encoding="utf-8"))
    quotes = [Quote(quote, domain) for domain, quotes in evidence.items() for quote in quotes]
    report = build_guarded_report([Transcript("interview.txt", reading.text, reading=reading)], quotes)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "report.html"
        page_file.write_text(render_html(report, [reading.text]), encoding="utf-8")
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": 1240, "height": 860})
        page.goto(page_file.as_uri())
        # Both columns where there is something to see: an altered quote, and its passage among others.
        page.locator(f"#q{ALTERED}").evaluate(
            "(card) => card.parentElement.closest('.list').scrollTo(0, card.offsetTop)"
        )
        page.screenshot(path=TARGET)
        chromium.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
