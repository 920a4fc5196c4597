"""Times as transcripts write them, in seconds."""

import re
from math import inf
from typing import NamedTuple

__all__ = ["CLOCK", "Times", "clock_seconds", "written_seconds"]

# Shape of a time, for use inside other patterns. What has the shape may still be no time: 99:99.
CLOCK = r"[0-9]{1,4}:[0-9]{1,2}(?::[0-9]{1,2})?(?:[.,][0-9]{1,9})?"
_CLOCK = re.compile(r"(?:([0-9]{1,4}):)?([0-9]{1,4}):([0-9]{1,2}(?:[.,][0-9]{1,9})?)")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,30}(?:\.[0-9]{0,99})?(?:[eE][+-]?[0-9]{1,3})?")
_LIKE_A_TIME = re.compile(r"[+-]?[0-9][0-9.,:]{0,198}(?:[eE][+-]?[0-9]{1,3})?")


class Times(NamedTuple):
    """Start and end of a turn in seconds, None where not said, and whether one is said that no clock shows."""

    start_s: float | None = None
    end_s: float | None = None
    are_unreadable: bool = False


def clock_seconds(clock: str) -> float | None:
    """
    Return the seconds of `1:02:03`, `02:03` or `02:03.5`, a comma for the point if you like.

    None if it is no such time, seconds are 60 or more, or minutes are while
    there are hours. Minutes alone may go on: 75:00 is an hour and a quarter.
    """
    parts = _CLOCK.fullmatch(clock)
    if parts is None:
        return None
    hours, minutes, seconds = parts[1], int(parts[2]), float(parts[3].replace(",", "."))
    if seconds >= 60 or (hours is not None and minutes >= 60):
        return None
    return int(hours or 0) * 3600 + minutes * 60 + seconds


def written_seconds(written: str) -> float | None:
    """
    Return the seconds of a decimal number or a clock; None if no clock shows them, or they are less than 0.

    Raises:
        ValueError: *written* does not look like a time at all.
    """
    if _LIKE_A_TIME.fullmatch(written) is None:
        raise ValueError("not a time")
    seconds = float(written) if _DECIMAL.fullmatch(written) else clock_seconds(written)
    return seconds if seconds is not None and 0 <= seconds < inf else None
