"""Dates as far as they are told: a year, a month of a year, a day."""

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["PartDate", "Written", "read_dates"]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"""(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?
    |sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"""
_DATE = re.compile(
    rf"""(?<![\d/.-])(?:
    (?P<iso_year>\d{{4}})-(?P<iso_month>\d{{2}})(?:-(?P<iso_day>\d{{2}}))?(?!\d)
    |(?:(?P<day_before>\d{{1,2}})(?:st|nd|rd|th|\.)?\s(?:of\s)?)?{_MONTH}
     (?:\s(?P<day_behind>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?(?:,?\s(?:of\s)?(?P<year>\d{{4}}))?\b
    |(?P<alone>(?:19|20)\d{{2}})(?![\d/.-]\d|\d)
    )""",
    re.IGNORECASE | re.VERBOSE,
)


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
    for match in _DATE.finditer(text):
        date = _date(match)
        if date is not None:
            yield Written(date, match.start(), match.end())


def _date(match: re.Match[str]) -> PartDate | None:
    if match["iso_year"]:
        date = PartDate(int(match["iso_year"]), int(match["iso_month"]), _number(match["iso_day"]))
    elif match["alone"]:
        return PartDate(int(match["alone"]), None, None)
    else:
        day = _number(match["day_before"]) or _number(match["day_behind"])
        date = PartDate(_number(match["year"]), _MONTHS.index(match["month"][:3].lower()) + 1, day)
        if date.year is None and day is None:
            # `may` and `march` alone are words.
            return None
    is_possible = 1 <= (date.month or 1) <= 12 and 1 <= (date.day or 1) <= 31
    return date if is_possible else None


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None
