"""The effort of the tests: a short form for every change, and a long one for the lane `long`."""

import os

__all__ = ["IS_LONG", "effort", "examples"]

IS_LONG = "GROUNDWIRE_LONG" in os.environ
"""Whether the long form is asked for."""


def effort(short: int, long: int) -> int:
    """Return the size, or the number of repetitions, of this run's form."""
    return long if IS_LONG else short


def examples(usual: int) -> int:
    """Return how many examples a property test tries: a quarter of *usual*, or five times as many in the long form."""
    return effort(max(usual // 4, min(usual, 20)), 5 * usual)
