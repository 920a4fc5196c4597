"""Measure whether time grows linearly with size: ratios of times of one machine, never a time alone."""

import time
from collections.abc import Callable

__all__ = ["SHARE_MAX", "growth"]

# Eight times the size takes eight times as long if the work is linear, and 64 times if it is quadratic. If only the
# smaller size fits into the processor's caches, linear work may look like 12 or 15 times.
_STEP = 8
SHARE_MAX = 30.0
# Constants dominate shorter work. Quadratic work on some thousand characters is far above it.
_FLOOR_S = 0.02
_TRIES = 5


def growth(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """
    Return how many times longer the work of four times *size* takes than that of half of *size*.

    *work* prepares the work of a size. 1.0 for work that is too short to tell, also at four times
    the size; infinite for work that takes seconds at a 64th of it, which nothing linear does.
    """
    if _seconds(work(max(size // 64, 4))) > 100 * _FLOOR_S:
        return float("inf")
    large = work(4 * size)
    if _seconds(large) < _FLOOR_S:
        return 1.0
    small = work(4 * size // _STEP)
    shares = []
    for _ in range(_TRIES):
        # The minimum of several times excludes other load on the machine.
        shares.append(_seconds(large) / max(_seconds(small), _FLOOR_S / 2 / _STEP))
        if min(shares) <= SHARE_MAX:
            break
    return min(shares)


def _seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin
