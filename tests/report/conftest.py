"""A real browser for the page: Debian's Chromium, steered by Playwright; without them, a visible skip."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

COMMANDS = ("chromium", "chromium-browser", "google-chrome")


# Of this package alone: while Playwright runs, no other test could start an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: the page is not looked at")
    path = next(filter(None, map(shutil.which, COMMANDS)), None)
    if path is None:
        pytest.skip(f"none of {', '.join(COMMANDS)} is there: the page is not looked at")
    with playwright.sync_playwright() as started:
        # Without its sandbox, so that it runs as root in a container too; the pages are our own.
        chromium = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """
    A function that opens a page in a window of its own, with the options of `Browser.new_context`.

    A test during which a page complains fails.
    """
    contexts, complaints = [], []

    def open_page(html: str, **options: Any) -> Any:
        file = tmp_path / f"page{len(contexts)}.html"
        file.write_bytes(html.encode("utf-8"))
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
