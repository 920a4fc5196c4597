"""
Does a decision record say that it no longer holds?

Records say so in the head between `---`, in a line `Status: Superseded by ...`, or under a
heading "Status". Any of them is enough: a record in doubt goes to people.
"""

import re
from collections.abc import Iterator

__all__ = ["is_in_force"]

_NOT_IN_FORCE = re.compile(
    r"\b(?:superseded|superceded|deprecated|rejected|withdrawn|obsolete|retired)\b", re.IGNORECASE
)
# `Status: ...`, also bold, in a list, in a table or quoted.
_STATUS_LINE = re.compile(r"[\s>*_+|-]*status[\s*_|]*[:=|](.*)", re.IGNORECASE)
_SUPERSEDED_BY = re.compile(r"[\s>*_+|-]*(?:superseded|replaced|deprecated)[-_ ]?by[\s*_|]*[:=|](.*)", re.IGNORECASE)
_HEADING = re.compile(r"\s{0,3}(?:#{1,6}|={1,6})\s+(.*)")
_STATUS_HEADING = re.compile(r"(?:[0-9]+[.)]?\s*)?\W*status\W*", re.IGNORECASE)
_UNDERLINE = re.compile(r"[-=~^]{3,}\s*")
# A key that is there and says nothing.
_EMPTY = frozenset({"", "-", "~", "[]", "n/a", "na", "no", "none", "null", "nobody", "nothing", "tbd"})


def is_in_force(text: str) -> bool:
    """Tell whether *text*, the head of a record, says nowhere that it is superseded, deprecated or rejected."""
    lines = text.splitlines()
    for line in lines:
        status = _STATUS_LINE.match(line)
        if status and _NOT_IN_FORCE.search(status[1]):
            return False
        successor = _SUPERSEDED_BY.match(line)
        if successor and successor[1].strip(" \t*_|\"'.").lower() not in _EMPTY:
            return False
    return not any(_NOT_IN_FORCE.search(line) for line in _status_section(lines))


def _status_section(lines: list[str]) -> Iterator[str]:
    """Yield the lines under a heading "Status", up to the next heading."""
    inside = False
    for number, line in enumerate(lines):
        heading = _HEADING.match(line)
        underlined = number + 1 < len(lines) and line.strip() and _UNDERLINE.fullmatch(lines[number + 1])
        if heading or underlined:
            inside = _STATUS_HEADING.fullmatch(heading[1] if heading else line.strip()) is not None
        elif inside:
            yield line
