"""How time is taken, on a clock of our own."""

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
    """A, B, then B, A: neither always follows the other."""
    clock = Clock()
    interleave({"a": clock.contestant("a", 1), "b": clock.contestant("b", 1)}, budget_s=2, clock=clock)
    assert "".join(clock.order) == "ab" + "ab" + "ba" + "ab"


def test_the_median_counts():
    """One slow round of three changes nothing; the first call of all is not a sample."""
    clock = Clock()
    assert interleave({"a": clock.contestant("a", 50, 2, 90, 3)}, budget_s=90, clock=clock) == {"a": 3}


def test_a_long_round_is_not_repeated():
    """Four budgets in one round are enough of it."""
    clock = Clock()
    assert interleave({"a": clock.contestant("a", 8)}, budget_s=2, clock=clock) == {"a": 8}
    assert len(clock.order) == 2


def test_rounds_have_an_end():
    """However much time there is."""
    clock = Clock()
    interleave({"a": clock.contestant("a", 1)}, budget_s=1e9, clock=clock)
    assert len(clock.order) == 102


def test_short_calls_are_timed_by_the_loop():
    """A sample is long enough for the clock, and still divided by its calls."""
    clock = Clock()
    assert interleave({"a": clock.contestant("a", 1e-7)}, budget_s=0.0, clock=clock)["a"] == pytest.approx(1e-7)


def test_garbage_is_not_collected_meanwhile():
    """And afterwards as before."""
    seen = []
    clock = Clock()
    tick = clock.contestant("a", 1)
    interleave({"a": lambda: (seen.append(gc.isenabled()), tick())}, budget_s=2, clock=clock)
    assert seen[1:] == [False] * 3
    assert gc.isenabled()


def test_time_of_children_only_grows():
    """It is a clock."""
    assert 0 <= children_cpu_s() <= children_cpu_s()
