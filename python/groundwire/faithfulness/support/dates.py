"""Dates as far as they are told: a year, a month of a year, a day."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from groundwire._engine import Patterns
from groundwire.faithfulness.support.amounts import lowered

__all__ = ["PartDate", "Written", "read_dates"]

_MONTHS = """
january jan
february feb
march mar
april apr
may
june jun
july jul
august aug
september sept sep
october oct
november nov
december dec
"""
_NUMBERS = {name: number for number, names in enumerate(_MONTHS.strip().splitlines(), 1) for name in names.split()}
_NAMES = tuple(_NUMBERS)
_PATTERNS = Patterns(_NAMES, word_boundaries=True)
_DIGITS = re.compile(
    r"""(?<![\d/.-])(?:(?P<year>\d{4})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?(?!\d)
    |(?P<alone>(?:19|20)\d{2})(?![\d/.-]\d|\d))""",
    re.VERBOSE,
)
_YEAR = re.compile(r"\d{4}")
_DAY_BEFORE = re.compile(r"(?<![\d/.-])(\d{1,2})(?:st|nd|rd|th|\.)?\s(?:of\s)?\Z", re.IGNORECASE)
_BEHIND = re.compile(r"\.?(?:\s(\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?:,?\s(?:of\s)?(\d{4})(?!\d))?", re.IGNORECASE)
_BEFORE_CHARS = 9


class PartDate(NamedTuple):
    """A date; None for what is not told."""

    year: int | None
    month: int | None
    day: int | None

    def agrees(self, other: "PartDate") -> bool:
        """Tell whether both can be one day: what both tell is the same, and both tell something."""
        pairs = [
            (ours, theirs) for ours, theirs in zip(self, other, strict=True) if ours is not None and theirs is not None
        ]
        return bool(pairs) and all(ours == theirs for ours, theirs in pairs)

    def tells(self, other: "PartDate") -> bool:
        """Tell whether this has all that *other* tells, and the same."""
        return self.agrees(other) and all(
            ours is not None or theirs is None for ours, theirs in zip(self, other, strict=True)
        )


class Written(NamedTuple):
    """A date, and its span in a text."""

    date: PartDate
    start: int
    end: int


def read_dates(text: str) -> list[Written]:
    """
    Return the dates of *text*, from left to right.

    `2021-03-04`, `4 March 2021`, `March 4th, 2021`, `March 2021`, `4 March`, `2021`. Dates in
    digits alone whose order is not known, such as 04/03/2021, are none.
    """
    return list(_dates(text))


def _dates(text: str) -> Iterator[Written]:
    done = 0
    for written in sorted([*_in_digits(text), *_with_months(text)], key=lambda each: each.start):
        if written.start >= done:
            done = written.end
            yield written


def _in_digits(text: str) -> Iterator[Written]:
    # Most texts have no year, which is seen sooner by looking for one.
    for match in _DIGITS.finditer(text) if _YEAR.search(text) else ():
        if match["alone"]:
            date = PartDate(int(match["alone"]), None, None)
        else:
            date = PartDate(int(match["year"]), int(match["month"]), _number(match["day"]))
        if _is_possible(date):
            yield Written(date, match.start(), match.end())


def _with_months(text: str) -> Iterator[Written]:
    for which, start, end in _PATTERNS.find_all(lowered(text)):
        before = _DAY_BEFORE.search(text, max(0, start - _BEFORE_CHARS), start)
        behind = _BEHIND.match(text, end)
        assert behind is not None
        day = _number(before[1]) if before else _number(behind[1])
        date = PartDate(_number(behind[2]), _NUMBERS[_NAMES[which]], day)
        # `may` and `march` alone are words.
        if _is_possible(date) and (date.year is not None or day is not None):
            yield Written(date, before.start() if before else start, behind.end())


def _is_possible(date: PartDate) -> bool:
    return 1 <= (date.month or 1) <= 12 and 1 <= (date.day or 1) <= 31


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None
