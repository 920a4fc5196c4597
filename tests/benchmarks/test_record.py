"""The tables of README.md and docs/ match the record, and the pages show the figures."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIGURES = sorted((ROOT / "docs" / "figures").glob("*.svg"))


@pytest.fixture(scope="module")
def tables():
    """Return the module that makes tables, which does not belong to the package."""
    spec = importlib.util.spec_from_file_location("tables", ROOT / "benches" / "tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def record(tables):
    """The record of rows."""
    return json.loads(tables.RECORD.read_text(encoding="utf-8"))


def test_tables_are_what_the_record_makes_of_them(tables, record):
    """Tables are generated, never written by hand."""
    for page in tables.PAGES:
        assert tables.filled(page, record) == page.read_text(encoding="utf-8"), f"{record['command']} --tables"


def test_a_page_has_one_marker_for_its_table(tables, record, tmp_path):
    """A page without exactly one marker is an error."""
    page = tmp_path / "page.md"
    page.write_text("no place", encoding="utf-8")
    tables.PAGES[page] = tables.short_summary
    with pytest.raises(ValueError, match=r"^page\.md has 0 places for a table, not 1$"):
        tables.filled(page, record)
    del tables.PAGES[page]


def test_a_summary_has_every_row_of_which_it_speaks(tables, record):
    """Without this, a renamed row would silently leave the table."""
    names = {row["name"] for row in record["rows"]}
    assert [name for line in tables.LINES for name in line.names if name not in names] == []


@pytest.mark.parametrize("name", ["rows", "curves"])
def test_a_record_names_machine_and_competitors_but_no_owner(name):
    """The record has everything that the numbers depend on, and nothing about the owner of the machine."""
    text = (ROOT / "benches" / "record" / f"{name}.json").read_text(encoding="utf-8")
    machine = json.loads(text)["machine"]
    assert machine["processor"]
    assert machine["cpu_features"]
    assert "rapidfuzz" in machine["rivals"]
    assert machine["profile"] == "release"
    assert not re.search(r"/(home|work|tmp|root|Users)\b", text)


def test_figures_are_shown_and_say_how_they_were_made():
    """A page of the docs shows each figure, and its first comment is the command."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    assert FIGURES
    for figure in FIGURES:
        assert f"]({figure.name})" in pages
        assert "<!-- python benches/" in figure.read_text(encoding="utf-8").splitlines()[1]
