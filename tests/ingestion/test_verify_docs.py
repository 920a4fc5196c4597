"""docs/ingestion-citations.md has the types, codes and options that are there, in the words of the code."""

import inspect
import re
from pathlib import Path

from groundwire.ingestion import CitationType, CitationVerifier
from groundwire.ingestion.verification import REASONS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "ingestion-citations.md").read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """The rows of the table under a heading line, cell by cell."""
    lines = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_reason_is_in_the_table():
    """In the order and the words of REASONS, with its status."""
    rows = [[f"`{code}`", status.value, words.format(detail="…")] for code, (status, words) in REASONS.items()]
    assert table("code") == [*rows, ["`custom`", "any", "the words of a verifier of one's own"]]


def test_every_type_is_in_the_table():
    """In the order of the enum."""
    assert [cells[0] for cells in table("type")] == [f"`{each}`" for each in CitationType]


def test_every_option_of_the_verifier_is_named():
    """All but the clock, which is for tests."""
    options = {*inspect.signature(CitationVerifier).parameters} - {"clock"}
    assert {name for name in options if re.search(rf"`{name}\b", PAGE)} == options
