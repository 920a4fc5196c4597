"""Provide a page for each test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="no starlette: pip install 'groundwire[review]'")

from http_server.serving import SLOW_PAGES_S, live
from review_web.site import Site
from waits import PATIENCE_S


@pytest.fixture
def make_site() -> Iterator[Callable[..., Site]]:
    """Return a function that makes pages with other settings."""
    made = []

    def make(**settings) -> Site:
        made.append(Site(**settings))
        return made[-1]

    yield make
    for site in made:
        site.close()


@pytest.fixture
def site(make_site) -> Site:
    """Return a page with the usual settings."""
    return make_site()


@pytest.fixture
def visit(browser: Any, site: Site) -> Iterator[Callable[..., Any]]:
    """
    Return a function that opens a page of the site in a new window, signed in. A test fails if the page reports an
    error.
    """
    contexts, complaints = [], []
    with live(site.app) as address:

        def open_page(kind: str = "reviewer", path: str = "/", **options: Any) -> Any:
            context = browser.new_context(base_url=address, **{"viewport": {"width": 1100, "height": 850}, **options})
            contexts.append(context)
            context.set_default_timeout(PATIENCE_S * 1_000)
            if kind != "nobody":
                value = site.client(kind).cookies["groundwire-session"]
                context.add_cookies([{"name": "groundwire-session", "value": value, "url": address}])
            page = context.new_page()
            if SLOW_PAGES_S:
                context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("dialog", lambda dialog: (complaints.append("a dialog"), dialog.dismiss()))
            page.goto(path)
            return page

        yield open_page
        for context in contexts:
            context.close()
    # The browser also reports pages with an error status, such as those about conflicts.
    assert [one for one in complaints if not one.startswith("Failed to load resource")] == []
