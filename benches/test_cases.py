"""Every benchmark of the table, engines side by side."""

import pytest

from contest import parameters, time_contestant
from groundwire.benchmarks.cases import CASES
from groundwire.benchmarks.runner import race
from groundwire.benchmarks.tasks import Scale


@pytest.mark.parametrize(("case", "engine"), parameters([*CASES]))
def test_case(benchmark, case, engine):
    """The engine gives the right answer, and takes this long."""
    time_contestant(benchmark, case, engine)


@pytest.mark.parametrize("case", [case for case in CASES if case.task.scale is Scale.BYTES], ids=lambda case: case.name)
def test_memory(case):
    """A prepared source takes no more than is promised."""
    outcome = race(case, budget_s=0.0)
    assert outcome.is_met, outcome.case.bar.show(outcome.value)
