"""Writers are pure and know nothing of the command line."""

import ast
from pathlib import Path

import pytest

import groundwire.report

FILES = sorted(Path(groundwire.report.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_report_imports_only_downwards(path):
    """A report module imports the engine's face, what it reports on and its own package, never the command line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module} | {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    own = {module for module in modules if module.startswith("groundwire")}
    parts = ("report", "evidence", "citations", "faithfulness", "judgement", "settings", "ingestion")
    allowed = tuple(f"groundwire.{part}" for part in parts)
    assert all(module == "groundwire" or module.startswith(allowed) for module in own)
    assert not modules & {"os", "sys", "time", "datetime", "random", "subprocess", "socket", "typer"}
