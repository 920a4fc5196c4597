"""The scripts of benches/, which are no part of the package, as modules."""

import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def benches() -> None:
    """Let tests import what stands in benches/."""
    folder = str(Path(__file__).resolve().parents[2] / "benches")
    if folder not in sys.path:
        sys.path.append(folder)
