"""Writers depend on their arguments only, and not on the command line."""

import ast
from pathlib import Path

import pytest

import groundwire.report

FILES = sorted(Path(groundwire.report.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_writers_read_no_clock_and_no_system(path):
    """A report is made of its arguments alone; `tests/test_layers.py` lists the packages that it may import."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module} | {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    assert not modules & {"os", "sys", "time", "datetime", "random", "subprocess", "socket", "click"}
