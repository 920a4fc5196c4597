"""Computes NFKC in linear time."""

import re
from functools import cache
from unicodedata import combining, decomposition, normalize

__all__ = ["nfkc"]

# In shorter texts, quadratic time is only milliseconds.
_SHORT_CHARS = 1 << 12
# No language has this many consecutive marks.
_LONG_RUN_CHARS = 64
# All marks of Unicode are in the first two planes.
_MARKS_END = 0x20000


def nfkc(text: str) -> str:
    """
    Return *text* in NFKC, like `unicodedata.normalize`.

    That function sorts the marks on a letter by insertion, so forty thousand of them take seconds in which it cannot be
    interrupted. This one sorts long runs of marks first.
    """
    # A long run has a mark at one of every `_LONG_RUN_CHARS` offsets.
    if len(text) < _SHORT_CHARS or text.isascii() or _marks().isdisjoint(text[::_LONG_RUN_CHARS]):
        return normalize("NFKC", text)
    return normalize("NFKC", _long_run().sub(_in_order, text))


@cache
def _marks() -> frozenset[str]:
    """Return the characters that are marks, or decompose into marks only."""
    known = filter(lambda character: combining(character) or decomposition(character), map(chr, range(_MARKS_END)))
    return frozenset(one for one in known if all(map(combining, normalize("NFKD", one))))


@cache
def _long_run() -> re.Pattern[str]:
    """Return a pattern for long runs of marks."""
    marks = "".join(sorted(_marks()))
    return re.compile(f"(?<![{marks}])[{marks}]{{{_LONG_RUN_CHARS},}}+")


def _in_order(run: re.Match[str]) -> str:
    marks = "".join(normalize("NFKD", mark) for mark in run[0])
    return "".join(sorted(marks, key=combining))
