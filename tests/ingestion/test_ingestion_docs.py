"""docs/ingestion.md has the checks, outcomes and settings that are there."""

from dataclasses import fields
from pathlib import Path

from groundwire.ingestion import CHECKS, GateOutcome, GroundedIngestionConfig
from groundwire.ingestion.validator import MOST_CITATIONS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "ingestion.md").read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """The rows of the table under a heading line, cell by cell."""
    lines = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_check_is_in_the_table():
    """In the order and the words of CHECKS, with its side."""
    sides = {True: "passed", False: "failed"}
    assert table("check") == [[f"`{check.name}`", sides[check.passes], check.meaning] for check in CHECKS]


def test_names_of_checks_differ_and_are_plain():
    """One for each, in small letters: a program goes by them."""
    names = [check.name for check in CHECKS]
    assert len({*names}) == len(names)
    assert all(name.replace("_", "").isalpha() and name.islower() for name in names)
    assert {"citation_present", "no_speculation", "hedge_words_detected"} <= {*names}  # as printed


def test_every_outcome_is_in_the_table():
    """In the order of the enum."""
    assert [cells[0] for cells in table("outcome")] == [f"`{each}`" for each in GateOutcome]


def test_every_setting_is_in_the_table_with_its_default():
    """In the order of the fields; the languages are not listed."""
    rows = table("field")
    assert [cells[0] for cells in rows] == [f"`{each.name}`" for each in fields(GroundedIngestionConfig)]
    defaults = {
        each.name: f'"{each.default}"' if isinstance(each.default, str) else str(each.default)
        for each in fields(GroundedIngestionConfig)
    }
    assert {cells[0].strip("`"): cells[1].strip("`") for cells in rows} == {**defaults, "lexicons": "all seven"}


def test_the_limit_of_citations_is_told():
    """The number of the code."""
    assert f"more than {MOST_CITATIONS} citations" in PAGE
