"""NFKC in a time that grows with the length of the text."""

import re
from functools import cache
from unicodedata import combining, decomposition, normalize

__all__ = ["nfkc"]

# In shorter texts the square of the length takes milliseconds.
_SHORT_CHARS = 1 << 12
# As many marks in a row no language has.
_LONG_RUN_CHARS = 64
# Unicode has its marks in the first two planes.
_MARKS_END = 0x20000


def nfkc(text: str) -> str:
    """
    Return *text* in NFKC, as `unicodedata.normalize` does.

    That function sorts the marks on a letter by insertion: forty thousand of them take it
    seconds, in which it cannot be interrupted. A long run of marks is put into order first here.
    """
    # A long run has one of every `_LONG_RUN_CHARS` characters.
    if len(text) < _SHORT_CHARS or text.isascii() or _marks().isdisjoint(text[::_LONG_RUN_CHARS]):
        return normalize("NFKC", text)
    return normalize("NFKC", _long_run().sub(_in_order, text))


@cache
def _marks() -> frozenset[str]:
    """Return the characters that are marks, or decompose into marks alone."""
    known = filter(lambda character: combining(character) or decomposition(character), map(chr, range(_MARKS_END)))
    return frozenset(one for one in known if all(map(combining, normalize("NFKD", one))))


@cache
def _long_run() -> re.Pattern[str]:
    """Return what matches long runs of marks."""
    marks = "".join(sorted(_marks()))
    return re.compile(f"(?<![{marks}])[{marks}]{{{_LONG_RUN_CHARS},}}+")


def _in_order(run: re.Match[str]) -> str:
    marks = "".join(normalize("NFKD", mark) for mark in run[0])
    return "".join(sorted(marks, key=combining))
