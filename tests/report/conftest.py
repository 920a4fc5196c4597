"""Open a report's page in the browser."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from waits import PATIENCE_S


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """
    Return a function that opens a page in a new window, with the options of `Browser.new_context`. A test fails if
    the page reports an error.
    """
    contexts, complaints = [], []

    def open_page(html: str, **options: Any) -> Any:
        file = tmp_path / f"page{len(contexts)}.html"
        file.write_bytes(html.encode("utf-8"))
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        context.set_default_timeout(PATIENCE_S * 1_000)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
