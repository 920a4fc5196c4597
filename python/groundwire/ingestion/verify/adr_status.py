"""
Does a decision record say that it does not hold: no longer, or not yet?

Records say so in the head between `---`, in a line `Status: Superseded by ...`, or under a
heading "Status". Any of them is enough: a record in doubt goes to people.
"""

import re
from collections.abc import Iterator

__all__ = ["is_in_force"]

_NOT_IN_FORCE = re.compile(
    r"\b(?:superseded|superceded|deprecated|rejected|withdrawn|obsolete|retired)\b", re.IGNORECASE
)
# A decision that nobody has made yet, unless the same line says that somebody has.
_NOT_YET = re.compile(
    r"\b(?:proposed|draft|pending|tentative|wip|undecided|on hold|(?:in|under) (?:review|discussion))\b",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?:accepted|approved|adopted|implemented|active)\b",
    re.IGNORECASE,
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
    """Tell whether *text*, the head of a record, says that it holds, or says nothing of the kind."""
    lines = text.splitlines()
    for line in lines:
        status = _STATUS_LINE.match(line)
        if status and (_NOT_IN_FORCE.search(status[1]) or _is_open(status[1])):
            return False
        successor = _SUPERSEDED_BY.match(line)
        if successor and successor[1].strip(" \t*_|\"'.").lower() not in _EMPTY:
            return False
    section = list(_status_section(lines))
    return not any(map(_NOT_IN_FORCE.search, section)) and not _is_open("\n".join(section))


def _is_open(status: str) -> bool:
    """Whether a status says that nobody has decided yet."""
    return _NOT_YET.search(status) is not None and _DECIDED.search(status) is None


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
