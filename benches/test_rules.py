"""The rules of citations, contestants side by side."""

import pytest

from contest import parameters, time_contestant
from rules import CASES


@pytest.mark.parametrize(("case", "engine"), parameters([*CASES]))
def test_rules(benchmark, case, engine):
    """The contestant gives the right answer, and takes this long."""
    time_contestant(benchmark, case, engine)
