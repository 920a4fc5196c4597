#!/usr/bin/env python3
"""
Take the pictures of the review page for docs/figures/, with the sample queue of examples/review_queue.py.

    python tools/review_pictures.py

Serves the page on a free port of this machine. Needs playwright (group `test`) and a chromium.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, ViewportSize, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "docs" / "figures"
GROUNDWIRE = [sys.executable, "-m", "groundwire"]
CONFLICT = "Sessions of the web shop"


class Picture(NamedTuple):
    """A picture: its name, the size of the window, the colour scheme, and whether it shows a claim or the list."""

    name: str
    width: int
    height: int
    scheme: Literal["light", "dark"]
    is_claim: bool


PICTURES = (
    Picture("review-list-desktop-light", 1000, 760, "light", is_claim=False),
    Picture("review-claim-desktop-dark", 1000, 760, "dark", is_claim=True),
    Picture("review-claim-phone-light", 390, 780, "light", is_claim=True),
    Picture("review-list-phone-dark", 390, 780, "dark", is_claim=False),
)


def main() -> int:
    """Write the pictures; 2 if there is no browser."""
    browser = shutil.which("chromium")
    if browser is None:
        print("error: no chromium", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        database = str(Path(folder) / "review.db")
        output([sys.executable, "examples/review_queue.py", database])
        token = output([*GROUNDWIRE, "review", "token", database, "--user", "rita", "--reviewer"]).strip()
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        with serve(database) as address:
            for picture in PICTURES:
                take(chromium, address, token, picture)
        chromium.close()
    return 0


def output(command: list[str]) -> str:
    """Return what a command prints."""
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


@contextmanager
def serve(database: str) -> Iterator[str]:
    """Serve the page; yield its address."""
    command = [*GROUNDWIRE, "review", "serve", database, "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield next(word for word in server.stdout.readline().split() if word.startswith("http"))
        finally:
            server.terminate()


def take(chromium: Browser, address: str, token: str, picture: Picture) -> None:
    """Sign in, go to the list or the claim, and take the picture."""
    size: ViewportSize = {"width": picture.width, "height": picture.height}
    page = chromium.new_page(viewport=size, color_scheme=picture.scheme)
    page.goto(address)
    page.fill("#token", token)
    page.click("button[type=submit]")
    page.locator("[data-item]").first.wait_for()
    if picture.is_claim:
        page.locator("[data-item]", has_text=CONFLICT).locator(".open").click()
        page.locator("[data-approve]").first.wait_for()
    else:
        for number in range(2):
            page.locator("[data-item] input[type=checkbox]").nth(number).check()
    page.screenshot(path=FIGURES / f"{picture.name}.png")
    page.close()


if __name__ == "__main__":
    raise SystemExit(main())
