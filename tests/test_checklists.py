"""Each line of tests/checklists.md names existing tests."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
PAGE = (TESTS / "checklists.md").read_text(encoding="utf-8")
LINK = re.compile(r"\[(test_\w+)\]\((\S+)\)")
LINES = {"of the rules": 7, "of the judge": 6, "of both together": 5, "criterion": 7}


def table(heading: str) -> list[list[str]]:
    """Return the rows of the table whose first column has this heading, cell by cell."""
    lines = PAGE.partition(f"\n| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize(("heading", "count"), LINES.items())
def test_every_line_has_its_tests(heading, count):
    """The lists of the documents are complete, and each line has a test or a command."""
    rows = table(heading)
    assert len(rows) == count
    assert all(LINK.search(cells[-1]) or "dev.py" in cells[-1] for cells in rows)


@pytest.mark.parametrize(("name", "file"), LINK.findall(PAGE), ids=[name for name, _ in LINK.findall(PAGE)])
def test_every_named_test_exists(name, file):
    """The link leads to the file that has a test of this name."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
