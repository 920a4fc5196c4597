"""Import the scripts of benches/, which do not belong to the package, as modules."""

import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def benches() -> None:
    """Put benches/ on the import path."""
    folder = str(Path(__file__).resolve().parents[2] / "benches")
    if folder not in sys.path:
        sys.path.append(folder)
