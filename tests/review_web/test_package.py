"""The imports and files of the package, its documentation, and the sample queue."""

import asyncio
import hashlib
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from groundwire.review import ReviewQueue
from groundwire.review.web.api.openapi import document
from groundwire.review.web.app import ROUTES
from groundwire.review.web.context import AccessLevel


def test_its_files_are_in_the_package():
    """Templates, style and script are read from the installed package."""
    from groundwire.review.web.responses import ASSETS, asset

    assert all(asset(name) for name in ASSETS)


def test_htmx_is_the_reviewed_version():
    """It is the original version 2.0.10, byte for byte, with its licence."""
    vendored = files("groundwire.review.web") / "static" / "vendor"
    script = (vendored / "htmx.min.js").read_bytes()
    assert hashlib.sha256(script).hexdigest() == "71ea67185bfa8c98c39d31717c6fce5d852370fcdfd129db4543774d3145c0de"
    assert b'version:"2.0.10"' in script
    licence = (vendored / "htmx.LICENSE.txt").read_text(encoding="utf-8")
    assert licence.startswith("htmx 2.0.10,")
    assert "Zero-Clause BSD" in licence


ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "how-to" / "review-page.md").read_text(encoding="utf-8")
WHO = {AccessLevel.ANONYMOUS: "anybody", AccessLevel.AUTHENTICATED: "a person", AccessLevel.REVIEWER: "a reviewer"}


def test_routes_of_programs_are_in_the_table():
    """The table has exactly the routes that are no pages."""
    told = re.findall(r"^\| `(GET|POST) (/\S+)` \| ([a-z ]+) \|", PAGE, re.M)
    assert told == [
        (method, path, who)
        for method, path, who in told
        if any((one.method, one.path, WHO[one.access]) == (method, path, who) for one in ROUTES)
    ]
    programs = {(one.method, one.path) for one in ROUTES if not one.is_page and one.name != "asset"}
    assert {(method, path) for method, path, _ in told} == programs


def test_statuses_are_in_the_table():
    """The table has each status of the OpenAPI document except success and a slow body."""
    described = {status for of in document()["paths"].values() for one in of.values() for status in one["responses"]}
    rows = re.findall(r"^\| ([0-9, ]+) \|", PAGE, re.M)
    assert {status for row in rows for status in row.split(", ")} == described - {"200", "201", "408"}


def test_keys_are_in_the_table():
    """They are the keys of the script."""
    script = (ROOT / "python" / "groundwire" / "review" / "web" / "static" / "review.js").read_text(encoding="utf-8")
    keys = re.findall(r"^  ([a-z]): ", script, re.M)
    table = PAGE.partition("| key | |")[2].partition("\n\n")[0]
    assert {*re.findall(r"`([a-z])`", table)} == {*keys}


SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "review_queue.py"


def test_the_sample_has_ten_claims_and_every_mark(tmp_path):
    """The claims of three people have hedges, citations in all three statuses, a conflict, and plain doubt."""
    database = str(tmp_path / "review.db")
    subprocess.run([sys.executable, str(SCRIPT), database], check=True, capture_output=True)
    with ReviewQueue(store=database, reviewers=("rita",)) as queue:
        waiting = asyncio.run(queue.find("rita"))
    assert len(waiting) >= 10
    assert len({one.user_id for one in waiting}) == 3
    assert {cited.status for one in waiting for cited in one.citations} == {"verified", "refuted", "unknown"}
    assert any(one.conflicting_memory_id for one in waiting)
    assert any(one.hedges for one in waiting)
    assert any(one.checks_failed == ("ungrounded",) for one in waiting)
