"""A page for each test."""

from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("starlette", reason="no starlette: pip install 'groundwire[review]'")

from review_web.site import Site


@pytest.fixture
def make_site() -> Iterator[Callable[..., Site]]:
    """What makes pages with other settings."""
    made = []

    def make(**settings) -> Site:
        made.append(Site(**settings))
        return made[-1]

    yield make
    for site in made:
        site.close()


@pytest.fixture
def site(make_site) -> Site:
    """A page with the usual settings."""
    return make_site()
