"""The guides on claims and citations agree with the code."""

import inspect
import re
from dataclasses import fields
from pathlib import Path

from groundwire.ingestion import CHECKS, CitationType, CitationVerifier, GroundedIngestionConfig

GUIDES = Path(__file__).resolve().parents[2] / "docs" / "how-to"
CLAIMS = (GUIDES / "ingest-claims.md").read_text(encoding="utf-8")
CITATIONS = (GUIDES / "verify-citations.md").read_text(encoding="utf-8")


def first_cells(page: str, heading: str) -> list[str]:
    """Return the first cell of each row of the table under a heading line of *page*."""
    lines = page.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [line.strip("|").split("|")[0].strip() for line in lines]


def test_names_of_checks_differ_and_are_plain():
    """Each check has its own lower-case name, which programs use."""
    names = [check.name for check in CHECKS]
    assert len({*names}) == len(names)
    assert all(name.replace("_", "").isalpha() and name.islower() for name in names)
    assert {"citation_present", "no_speculation", "hedge_words_detected"} <= {*names}  # as printed


def test_every_field_of_the_configuration_is_in_the_table_with_its_default():
    """Fields of one subject share a row, in the same order as their defaults."""
    rows = [line for line in CLAIMS.splitlines() if line.startswith("| `")]
    for each in fields(GroundedIngestionConfig):
        (row,) = [row for row in rows if f"`{each.name}`" in row.split(" | ")[0]]
        default = f'"{each.default}"' if isinstance(each.default, str) else str(each.default)
        assert default in row or each.name == "lexicons"


def test_every_type_is_in_the_table():
    """The order is that of the enum."""
    assert first_cells(CITATIONS, "type | looks like") == [f"`{each}`" for each in CitationType]


def test_every_option_of_the_verifier_is_named():
    """The clock, which is for tests, is the only exception."""
    options = {*inspect.signature(CitationVerifier).parameters} - {"clock"}
    assert {name for name in options if re.search(rf"`{name}\b", CITATIONS)} | {"timeout_s"} == options
