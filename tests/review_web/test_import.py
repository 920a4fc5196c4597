"""What is loaded when."""

import hashlib
import subprocess
import sys
from importlib.resources import files

import pytest

from cli.command import environment

HEAVY = ("starlette", "jinja2", "uvicorn")


def loaded(statement: str) -> set[str]:
    """Which of the page's libraries a fresh interpreter has loaded after *statement*."""
    program = f"import sys; {statement}; print(*(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment(), check=True
    )
    return {*done.stdout.split()}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("from groundwire.review import ReviewQueue", set()),
        ("import groundwire.review.web", set()),
        ("import groundwire.cli.review.page, groundwire.cli.review.queue", set()),
        ("from groundwire.review.web import TokenAuth, Tokens", set()),
        ("from groundwire.review import create_app", {"starlette", "jinja2"}),
    ],
)
def test_the_page_is_loaded_where_it_is_made(statement, expected):
    """Whoever only queues claims waits for none of it, and only who serves loads the server."""
    assert loaded(statement) == expected


def test_its_files_are_in_the_package():
    """Templates, style and script are read from where the package is."""
    from groundwire.review.web.rendering import ASSETS, asset

    assert all(asset(name) for name in ASSETS)


def test_htmx_is_the_one_that_was_looked_at():
    """Version 2.0.10 as its authors gave it out, to the last byte, with its licence beside it."""
    vendored = files("groundwire.review.web") / "static" / "vendor"
    script = (vendored / "htmx.min.js").read_bytes()
    assert hashlib.sha256(script).hexdigest() == "71ea67185bfa8c98c39d31717c6fce5d852370fcdfd129db4543774d3145c0de"
    assert b'version:"2.0.10"' in script
    licence = (vendored / "htmx.LICENSE.txt").read_text(encoding="utf-8")
    assert licence.startswith("htmx 2.0.10,")
    assert "Zero-Clause BSD" in licence
