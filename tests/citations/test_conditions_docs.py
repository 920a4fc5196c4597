"""docs/citations.md has the levels, conditions, codes and thresholds that are there, in the words of the code."""

import ast
import re
from dataclasses import asdict, fields
from pathlib import Path

import pytest

from groundwire.citations import (
    ACTIONS,
    ANOMALIES,
    CLAIM_STATUSES,
    CONDITIONS,
    FINDINGS,
    LEVELS,
    REASONS,
    FoundBy,
    RiskLevel,
    RiskReasonCode,
    RiskThresholds,
)
from groundwire.citations.report import FAULTS
from groundwire.settings import RiskSettings

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "citations.md").read_text(encoding="utf-8")
LINK = re.compile(r"\[(test_\w+)\]\((\S+)\)")
TESTS = LINK.findall(PAGE)
LINES = {"of the rules": 7, "of the judge": 6, "of both together": 5}


def table(heading: str) -> list[list[str]]:
    """The rows of the table whose first column has this heading, cell by cell."""
    lines = PAGE.partition(f"\n| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_level_is_in_the_table_with_its_action():
    """In the order and the words of LEVELS."""
    rows = table("level | meaning")
    assert rows == [[f"`{level}`", words, f"`{ACTIONS[level]}`"] for level, words in LEVELS.items()]
    assert [*LEVELS] == [*RiskLevel]


def test_the_table_of_conditions_is_printed():
    """Row for row, with the default thresholds in the words."""
    limits = asdict(RiskThresholds())
    assert table("level | code") == [
        [f"`{row.level}`", f"`{row.reason}`", row.layer.value, row.words.format(**limits)] for row in CONDITIONS
    ]


def test_every_reason_is_a_condition_or_in_the_table_beside_it():
    """In the words of REASONS, none twice, none left out."""
    conditions = [row.reason for row in CONDITIONS]
    others = {reason: words for reason, words in REASONS.items() if reason not in conditions}
    assert table("reason") == [[f"`{reason}`", words] for reason, words in others.items()]
    assert sorted([*conditions, *others]) == sorted(RiskReasonCode)


def test_every_status_is_in_the_table():
    """In the order and the words of CLAIM_STATUSES."""
    assert table("status") == [[f"`{status}`", words] for status, words in CLAIM_STATUSES.items()]


def test_every_way_of_finding_is_in_the_table():
    """With the type that it finds."""
    types = {way: f"`{FAULTS[way]}`" if way in FAULTS else "any" for way in FoundBy}
    assert table("found by") == [[f"`{way}`", types[way], words] for way, words in FINDINGS.items()]


def test_every_anomaly_is_in_the_table():
    """In the order and the words of ANOMALIES."""
    assert table("anomaly") == [[f"`{anomaly}`", words] for anomaly, words in ANOMALIES.items()]


def test_every_threshold_is_in_the_table_with_its_default():
    """What can be set."""
    defaults = RiskThresholds()
    expected = [[f"`{field.name}`", f"`{getattr(defaults, field.name)}`"] for field in fields(RiskThresholds)]
    assert [cells[:2] for cells in table("threshold")] == expected


def test_every_setting_is_in_the_table_with_its_default():
    """Ruling A12: QUANTITATIVE_ and the field's name in capitals."""
    expected = [
        [f"`QUANTITATIVE_{name.upper()}`", f"`{field.default}`"] for name, field in RiskSettings.model_fields.items()
    ]
    assert [cells[:2] for cells in table("variable")] == expected


@pytest.mark.parametrize(("heading", "count"), LINES.items())
def test_every_line_of_the_checklists_is_there(heading, count):
    """The document's three lists, each line with the tests that hold it and nothing else."""
    rows = table(heading)
    assert len(rows) == count
    for question, tests in rows:
        assert question.endswith("?")
        assert all(LINK.fullmatch(test) for test in tests.split(", "))


@pytest.mark.parametrize(("name", "file"), TESTS, ids=[name for name, _ in TESTS])
def test_a_test_that_is_named_is_there(name, file):
    """The link leads to the file that has a test of this name."""
    tree = ast.parse((DOCS / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
