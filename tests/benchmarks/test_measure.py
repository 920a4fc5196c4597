"""Measuring time, with a clock that the tests control."""

import gc

import pytest

from groundwire.benchmarks.runner import children_cpu_s, interleave


class Clock:
    """A clock that only the contestants advance."""

    def __init__(self):
        self.now = 0.0
        self.order = []

    def __call__(self):
        return self.now

    def contestant(self, name, *seconds):
        """A call that takes each of *seconds* in turn, and the last of them from then on."""
        left = list(seconds)

        def call():
            self.order.append(name)
            self.now += left.pop(0) if len(left) > 1 else left[0]

        return call


def test_contestants_take_turns():
    """The order is A, B, then B, A, so that neither always runs second."""
    clock = Clock()
    interleave({"a": clock.contestant("a", 1), "b": clock.contestant("b", 1)}, budget_s=2, clock=clock)
    assert "".join(clock.order) == "ab" + "ab" + "ba" + "ab"


def test_the_median_counts():
    """One slow round of three changes nothing; the very first call is not a sample."""
    clock = Clock()
    assert interleave({"a": clock.contestant("a", 50, 2, 90, 3)}, budget_s=90, clock=clock) == {"a": 3}


def test_a_long_round_is_not_repeated():
    """One round that takes four budgets is enough."""
    clock = Clock()
    assert interleave({"a": clock.contestant("a", 8)}, budget_s=2, clock=clock) == {"a": 8}
    assert len(clock.order) == 2


def test_rounds_have_an_end():
    """The number of rounds is limited, however much time there is."""
    clock = Clock()
    interleave({"a": clock.contestant("a", 1)}, budget_s=1e9, clock=clock)
    assert len(clock.order) == 102


def test_short_calls_are_timed_by_the_loop():
    """A sample is long enough for the clock, and is divided by its number of calls."""
    clock = Clock()
    assert interleave({"a": clock.contestant("a", 1e-7)}, budget_s=0.0, clock=clock)["a"] == pytest.approx(1e-7)


def test_garbage_is_not_collected_meanwhile():
    """Collection is enabled again afterwards."""
    seen = []
    clock = Clock()
    tick = clock.contestant("a", 1)
    interleave({"a": lambda: (seen.append(gc.isenabled()), tick())}, budget_s=2, clock=clock)
    assert seen[1:] == [False] * 3
    assert gc.isenabled()


def test_time_of_children_only_grows():
    """The clock includes child processes and never goes back."""
    assert 0 <= children_cpu_s() <= children_cpu_s()
