"""SIGTERM and Ctrl-C as a wish to stop where nothing is lost."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["StopSignal", "stopping"]


class StopSignal:
    """Whether somebody wants the work to stop, and how they said so."""

    def __init__(self) -> None:
        self.is_termination = False
        self._has_come = False

    def has_come(self) -> bool:
        """Tell whether it has come."""
        return self._has_come

    def take(self, number: int, _: FrameType | None) -> None:
        """Note the signal; the second Ctrl-C ends at once."""
        if self._has_come and number == signal.SIGINT:
            raise KeyboardInterrupt
        self._has_come = True
        self.is_termination = number == signal.SIGTERM
        if sys.stderr is not None:
            print("stopping: what is begun is finished first; Ctrl-C ends at once", file=sys.stderr, flush=True)


@contextmanager
def stopping() -> Iterator[StopSignal]:
    """Take SIGTERM and Ctrl-C as a wish to stop, until the work ends."""
    asked = StopSignal()
    before = {number: signal.signal(number, asked.take) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
