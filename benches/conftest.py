"""Refuse what is not worth measuring."""

import pytest

from groundwire.benchmarks.runner import BenchmarkError, refuse_debug_build


def pytest_sessionstart() -> None:
    """Stop before the first benchmark if the engine is a debug build."""
    try:
        refuse_debug_build()
    except BenchmarkError as error:
        pytest.exit(str(error), returncode=2)
