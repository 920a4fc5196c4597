"""The tables of docs/ingestion.md and docs/ingestion-citations.md are those of the code."""

import inspect
import re
from dataclasses import fields
from pathlib import Path

from groundwire.ingestion import CHECKS, CitationType, CitationVerifier, GateOutcome, GroundedIngestionConfig
from groundwire.ingestion.validator import MAX_CITATIONS
from groundwire.ingestion.verification import REASONS

DOCS = Path(__file__).resolve().parents[2] / "docs"
VALIDATION = (DOCS / "ingestion.md").read_text(encoding="utf-8")
CITATIONS = (DOCS / "ingestion-citations.md").read_text(encoding="utf-8")


def table(page: str, heading: str) -> list[list[str]]:
    """The rows of the table under a heading line of *page*, cell by cell."""
    lines = page.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_check_is_in_the_table():
    """In the order and the words of CHECKS, with its side."""
    sides = {True: "passed", False: "failed"}
    assert table(VALIDATION, "check") == [[f"`{check.name}`", sides[check.passes], check.meaning] for check in CHECKS]


def test_names_of_checks_differ_and_are_plain():
    """One for each, in small letters: a program goes by them."""
    names = [check.name for check in CHECKS]
    assert len({*names}) == len(names)
    assert all(name.replace("_", "").isalpha() and name.islower() for name in names)
    assert {"citation_present", "no_speculation", "hedge_words_detected"} <= {*names}  # as printed


def test_every_outcome_is_in_the_table():
    """In the order of the enum."""
    assert [cells[0] for cells in table(VALIDATION, "outcome")] == [f"`{each}`" for each in GateOutcome]


def test_every_setting_is_in_the_table_with_its_default():
    """In the order of the fields; the languages are not listed."""
    rows = table(VALIDATION, "field")
    assert [cells[0] for cells in rows] == [f"`{each.name}`" for each in fields(GroundedIngestionConfig)]
    defaults = {
        each.name: f'"{each.default}"' if isinstance(each.default, str) else str(each.default)
        for each in fields(GroundedIngestionConfig)
    }
    assert {cells[0].strip("`"): cells[1].strip("`") for cells in rows} == {**defaults, "lexicons": "all seven"}


def test_the_limit_of_citations_is_told():
    """The number of the code."""
    assert f"more than {MAX_CITATIONS} citations" in VALIDATION


def test_every_reason_is_in_the_table():
    """In the order and the words of REASONS, with its status."""
    rows = [[f"`{code}`", status.value, words.format(detail="…")] for code, (status, words) in REASONS.items()]
    assert table(CITATIONS, "code") == [*rows, ["`custom`", "any", "the words of a verifier of one's own"]]


def test_every_type_is_in_the_table():
    """In the order of the enum."""
    assert [cells[0] for cells in table(CITATIONS, "type")] == [f"`{each}`" for each in CitationType]


def test_every_option_of_the_verifier_is_named():
    """All but the clock, which is for tests."""
    options = {*inspect.signature(CitationVerifier).parameters} - {"clock"}
    assert {name for name in options if re.search(rf"`{name}\b", CITATIONS)} == options
