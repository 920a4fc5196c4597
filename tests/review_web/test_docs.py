"""docs/review-page.md has every route with who may use it, every status, option and key."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import environment
from groundwire.review.web.api.openapi import document
from groundwire.review.web.app import ENTRIES
from groundwire.review.web.context import AccessLevel

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "review-page.md").read_text(encoding="utf-8")
WHO = {AccessLevel.ANYBODY: "anybody", AccessLevel.PERSON: "a person", AccessLevel.REVIEWER: "a reviewer"}


def test_routes_of_programs_are_in_the_table():
    """Those that are no part of the pages, and nothing else."""
    told = re.findall(r"^\| `(GET|POST) (/\S+)` \| ([a-z ]+) \|", PAGE, re.M)
    assert told == [
        (method, path, who)
        for method, path, who in told
        if any((one.method, one.path, WHO[one.access]) == (method, path, who) for one in ENTRIES)
    ]
    programs = {(one.method, one.path) for one in ENTRIES if not one.is_page and one.name != "asset"}
    assert {(method, path) for method, path, _ in told} == programs


def test_statuses_are_in_the_table():
    """Each that the OpenAPI document has, but success and a body that is too slow."""
    described = {status for of in document()["paths"].values() for one in of.values() for status in one["responses"]}
    rows = re.findall(r"^\| ([0-9, ]+) \|", PAGE, re.M)
    assert {status for row in rows for status in row.split(", ")} == described - {"200", "201", "408"}


@pytest.mark.parametrize("command", ["serve", "token"])
def test_options_are_in_the_table(command):
    """What the help lists, and nothing else."""
    called = [sys.executable, "-m", "groundwire", "review", command, "--help"]
    shown = subprocess.run(called, capture_output=True, text=True, env=environment(), check=True).stdout
    table = PAGE.partition(f"| option of `groundwire review {command}")[2].partition("\n\n")[0]
    assert {*re.findall(r"^\| `(--[a-z-]+)", table, re.M)} == {*re.findall(r"(--[a-z-]+)", shown)} - {"--help"}


def test_keys_are_in_the_table():
    """Those of the script."""
    script = (ROOT / "python" / "groundwire" / "review" / "web" / "static" / "review.js").read_text(encoding="utf-8")
    keys = re.findall(r"^  ([a-z]): ", script, re.M)
    table = PAGE.partition("| key | |")[2].partition("\n\n")[0]
    assert {*re.findall(r"`([a-z])`", table)} == {*keys}
