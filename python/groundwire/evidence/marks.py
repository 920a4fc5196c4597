"""Transcript marks, such as `<laughs>`, as the typographic profile takes them out (ruling A2)."""

import re
from functools import cache
from typing import Literal

__all__ = ["DEFAULT_MARKS", "MarkNames", "has_mark", "mark_finder", "mark_pattern"]

# As `Source.marks` names them.
MarkNames = tuple[Literal["angle", "braces", "brackets", "parentheses"], ...]
DEFAULT_MARKS: MarkNames = ("angle",)

_BRACKETS = {"angle": "<>", "braces": "{}", "brackets": "[]", "parentheses": "()"}


@cache
def mark_pattern(marks: MarkNames) -> str:
    """Return a pattern for a mark of these kinds, without a group; one that never matches for none."""
    pairs = [map(re.escape, _BRACKETS[name]) for name in marks]
    return "|".join(rf"{left}/?[^\W\d_][^{left}{right}\n]{{0,40}}{right}" for left, right in pairs) or "(?!)"


@cache
def mark_finder(marks: MarkNames) -> re.Pattern[str]:
    """Return the compiled pattern."""
    return re.compile(mark_pattern(marks))


def has_mark(text: str, marks: MarkNames) -> bool:
    """Say whether there may be a mark in *text*: something opens one."""
    for name in marks:  # noqa: SIM110 a generator takes longer than the words of an edit
        if _BRACKETS[name][0] in text:
            return True
    return False
