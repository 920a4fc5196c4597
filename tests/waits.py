"""Wait for the effects of an action, and interrupt running work, on machines of any speed."""

import contextlib
import itertools
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import TypeVar

__all__ = ["PATIENCE_S", "deaf_share", "eventually", "interrupt", "interrupt_long_work", "scale_work"]

T = TypeVar("T")

PATIENCE_S = 120.0
"""How long tests wait for what must happen, in seconds. Nothing takes a tenth of it on an idle machine."""

# A beat is one turn of a thread that waits beside the work: a unit of time that grows with the load of the machine.
_BEAT_S = 0.002
_LONG_BEATS = 10
_LARGEST = 2**24


# The minimum duration of work for `deaf_share`, and the interval of its signals: processor time, which other load on
# the machine does not lengthen.
_HEARD_S = 0.4
_KNOCK_S = 0.01
_TRIES = 6


class WorkEndedError(AssertionError):
    """Raised if work ends before it could be interrupted."""


class InterruptError(Exception):
    """Raised by SIGINT instead of KeyboardInterrupt, which would end the whole run of tests if it came late."""


def eventually(read: Callable[[], T], expected: T) -> None:
    """Read until the value is *expected*; fail with the last value after a long time."""
    until = time.monotonic() + PATIENCE_S
    while (found := read()) != expected and time.monotonic() < until:
        time.sleep(0.01)
    assert found == expected


def scale_work(prepare: Callable[[int], Callable[[], object]]) -> tuple[int, int]:
    """
    Return a size at which the work lasts for at least ten beats, and how many it lasts.

    *prepare* returns the work of a size. Only work that leaves the interpreter free lets
    another thread beat: work that holds it fails here.
    """
    size = 1
    while size <= _LARGEST:
        beats, _ = _count_beats(prepare(size), threading.Event())
        if beats >= _LONG_BEATS:
            return size, beats
        size *= 2
    raise AssertionError(f"work of size {_LARGEST} lets no other thread run")


def interrupt_long_work(
    prepare: Callable[[int], Callable[[], object]], *, times: int = 50, tries: int = _TRIES
) -> float:
    """
    Interrupt work that is *times* as long as what lasts ten beats.

    Returns:
        How long it went on after the signal, as a share of the work: about 1 if it does
        not listen, next to 0 if it does.
    """
    shares: list[float] = []
    for _ in range(_TRIES):
        size, beats = scale_work(prepare)
        # Other load on the machine makes short work look long, and any work deaf, but hardly each time.
        with contextlib.suppress(WorkEndedError):
            before, after = interrupt(prepare(size * times), after_beats=_LONG_BEATS)
            assert before >= _LONG_BEATS
            shares.append(after / (beats * times))
        if len(shares) == tries or (shares and shares[-1] < 1 / 3):
            break
    assert shares, "the work ended before the signal each time"
    return min(shares)


def interrupt(work: Callable[[], object], *, after_beats: int) -> tuple[int, int]:
    """Send SIGINT after *work* has run for some beats; return the beats before and after the signal."""

    ended = threading.Event()

    def raise_interrupted(*_: object) -> None:
        # A signal that comes as the work ends interrupts nothing else.
        if not ended.is_set():
            raise InterruptError

    previous = signal.signal(signal.SIGINT, raise_interrupted)
    try:
        return _count_beats(work, ended, signal_after=after_beats)
    finally:
        signal.signal(signal.SIGINT, previous)


def deaf_share(prepare: Callable[[int], Callable[[], object]], *, size: int = 1) -> tuple[float, float]:
    """
    Return the longest stretch in which work handles no signal, as a share of the work, and in seconds of the processor.

    The share is about 1 for work that listens at its end only, and next to 0 for work that always
    listens. Unlike `interrupt_long_work` this also measures work that holds the interpreter. *prepare*
    returns the work of a size, which grows from *size* until the work takes long enough to tell.
    """
    while size <= _LARGEST:
        knocks = _knocked(prepare(size))
        if knocks[-1] - knocks[0] >= _HEARD_S:
            break
        size *= 2
    shares = []
    for _ in range(_TRIES):
        longest = max(after - before for before, after in itertools.pairwise(knocks))
        shares.append((longest / (knocks[-1] - knocks[0]), longest))
        # Something else may hold up this process, but hardly each time.
        if shares[-1][0] < 1 / 3:
            break
        knocks = _knocked(prepare(size))
    return min(shares)


def _knocked(work: Callable[[], object]) -> list[float]:
    """Run *work*; return the processor times of its start, of each handled signal, and of its end."""
    times: list[float] = []
    previous = signal.signal(signal.SIGPROF, lambda *_: times.append(time.process_time()))
    try:
        times.append(time.process_time())
        signal.setitimer(signal.ITIMER_PROF, _KNOCK_S, _KNOCK_S)
        result = work()
        signal.setitimer(signal.ITIMER_PROF, 0)
        times.append(time.process_time())
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)
    # Releasing millions of objects does not belong to the work.
    del result
    return times


def _count_beats(
    work: Callable[[], object], ended: threading.Event, signal_after: int | None = None
) -> tuple[int, int]:
    """
    Run *work* beside a thread that beats and may send SIGINT; return the beats before and after the signal.

    *ended* is set at the end of the work.
    """
    begun = threading.Event()
    beats = [0, 0]

    def beat() -> None:
        # On a busy machine this thread may run for long before its start returns.
        begun.wait()
        while not ended.is_set():
            time.sleep(_BEAT_S)
            if ended.is_set():
                return
            sent = signal_after is not None and beats[0] >= signal_after
            beats[sent] += 1
            if beats[0] == signal_after and not beats[1]:
                os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        begun.set()
        work()
        ended.set()
    except InterruptError:
        assert signal_after is not None
    else:
        if signal_after is not None:
            raise WorkEndedError(f"the work ended before the signal, after {beats[0]} beats")
    finally:
        ended.set()
        thread.join()
    return beats[0], beats[1]
