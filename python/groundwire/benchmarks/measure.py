"""
Time by turns.

Contestants run A, B, A, B, …, and every other round B, A: whatever else the
machine does then falls on all of them alike, and the ratio of two medians means
something where the times themselves do not.
"""

import gc
from collections.abc import Callable, Mapping
from itertools import repeat
from statistics import median
from time import perf_counter

__all__ = ["children_cpu_s", "interleave", "is_long", "samples"]

# A sample is a loop of calls at least this long, so that the clock's own cost does not show.
_SAMPLE_S = 0.001

_MIN_ROUNDS = 3
_MAX_ROUNDS = 101

# A round that takes longer than this many budgets is not repeated.
_LONG_ROUND = 4


def interleave(
    runs: Mapping[str, Callable[[], object]], *, budget_s: float, clock: Callable[[], float] = perf_counter
) -> dict[str, float]:
    """
    Return the median time of a call of each of *runs*, in seconds.

    The times are those of `samples`.
    """
    return {name: median(times) for name, times in samples(runs, budget_s=budget_s, clock=clock).items()}


def is_long(seconds: float, budget_s: float) -> bool:
    """Tell whether what takes *seconds* is too long to be done again."""
    return seconds >= budget_s * _LONG_ROUND


def samples(
    runs: Mapping[str, Callable[[], object]], *, budget_s: float, clock: Callable[[], float] = perf_counter
) -> dict[str, list[float]]:
    """
    Return the times of a call of each of *runs*, in seconds, one for each round.

    Each has run at least once before it is timed. Rounds go on until *budget_s*
    of *clock* is used up; there are at least three, unless one takes four times
    the budget.
    """
    loops = {name: _loops(run, clock) for name, run in runs.items()}
    times: dict[str, list[float]] = {name: [] for name in runs}
    order = list(runs)
    started = clock()
    is_gc_enabled = gc.isenabled()
    gc.disable()
    try:
        for number in range(_MAX_ROUNDS):
            for name in order if number % 2 == 0 else reversed(order):
                times[name].append(_time(runs[name], loops[name], clock) / loops[name])
            spent = clock() - started
            if is_long(spent, budget_s) or (number + 1 >= _MIN_ROUNDS and spent >= budget_s):
                break
    finally:
        if is_gc_enabled:
            gc.enable()
    return times


def _loops(run: Callable[[], object], clock: Callable[[], float]) -> int:
    """Return how many calls make a sample."""
    loops = 1
    while _time(run, loops, clock) < _SAMPLE_S:
        loops *= 2
    return loops


def _time(run: Callable[[], object], loops: int, clock: Callable[[], float]) -> float:
    """Return the seconds that *loops* calls take."""
    started = clock()
    for _ in repeat(None, loops):
        run()
    return clock() - started


def children_cpu_s() -> float:
    """Return the processor time of all child processes that have ended; where there is no such count, the time."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:
        return perf_counter()
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
