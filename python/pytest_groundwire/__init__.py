"""
Provides the assertions of `groundwire.testing` as fixtures of pytest, and counts them in its summary.

pytest imports this module in every run, so it imports groundwire only for a test that uses it. The counts of a test
travel with its report, also from the workers of pytest-xdist.
"""

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

__all__ = ["assert_cited", "assert_faithful", "assert_grounded"]

_COUNTS = "groundwire_counts"


@pytest.fixture(scope="session")
def assert_grounded() -> Callable[..., None]:
    """Return `groundwire.testing.assert_grounded`: sources contain all quotes."""
    from groundwire import testing

    return testing.assert_grounded


@pytest.fixture(scope="session")
def assert_cited() -> Callable[..., None]:
    """Return `groundwire.testing.assert_cited`: the sources that an answer cites support its claims."""
    from groundwire import testing

    return testing.assert_cited


@pytest.fixture(scope="session")
def assert_faithful() -> Callable[..., None]:
    """Return `groundwire.testing.assert_faithful`: research data supports the claims of a persona."""
    from groundwire import testing

    return testing.assert_faithful


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add the counts of the test to its report, before a worker sends it."""
    testing = sys.modules.get("groundwire.testing")
    if testing is not None and not hasattr(report, _COUNTS) and (counts := testing.take_counts()):
        setattr(report, _COUNTS, counts)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the number of assertions, and those of quotes and claims by status."""
    totals: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            totals.update(getattr(report, _COUNTS, {}))
    if not totals:
        return
    terminalreporter.section("groundwire")
    for subject in sorted({key.partition(": ")[0] for key in totals}):
        prefix = f"{subject}: "
        counts = [(-count, key.removeprefix(prefix)) for key, count in totals.items() if key.startswith(prefix)]
        terminalreporter.write_line(prefix + ", ".join(f"{-count} {name}" for count, name in sorted(counts)))
