"""Computes NFKC in linear time, and folds variants of Chinese and Japanese characters."""

import re
from functools import cache
from itertools import chain
from pathlib import Path
from unicodedata import combining, decomposition, normalize

__all__ = ["fold_variants", "nfkc"]

# In shorter texts, quadratic time is only milliseconds.
_SHORT_CHARS = 1 << 12
# No language has this many consecutive marks.
_LONG_RUN_CHARS = 64
# All marks of Unicode are in the first two planes.
_MARKS_END = 0x20000

# Written by tools/han_variants.py.
_HAN_VARIANTS = Path(__file__).with_name("han_variants.txt")
# Hiragana with a katakana letter of the same sound, and the iteration marks.
_HIRAGANA = (*range(0x3041, 0x3097), 0x309D, 0x309E)
_TO_KATAKANA = ord("ア") - ord("あ")
# NFKC would put a space before these voicing marks, which then join no letter.
_VOICING_MARKS = {0x309B: "\u3099", 0x309C: "\u309a"}
# Characters that NFKC makes a single Chinese character of: radicals, annotation marks, compatibility ideographs.
_COMPATIBILITY = ((0x2E80, 0x2FE0), (0x3038, 0x303B), (0x3190, 0x3400), (0xF900, 0xFB00), (0x2F800, 0x2FA20))


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


def fold_variants(text: str) -> str:
    """
    Return *text* with the same character for all variants of a character; offsets stay the same.

    Variants are the simplified and traditional forms of a Chinese character, and hiragana and katakana. The result
    serves for comparison only: simplification has united characters (后 is 后 and 後), so different words may become
    equal. Voicing marks stay characters of their own, which NFKC joins with their letters.
    """
    return text if text.isascii() else text.translate(_representatives())


@cache
def _representatives() -> dict[int, str]:
    """Return the first character of its class for all other variants, by code point."""
    lines = _HAN_VARIANTS.read_text(encoding="utf-8").splitlines()
    found = {ord(variant): line[0] for line in lines if not line.startswith("#") for variant in line[1:]}
    for code in chain.from_iterable(range(*block) for block in _COMPATIBILITY):
        plain = normalize("NFKC", chr(code))
        if len(plain) == 1 and ord(plain) in found:
            found[code] = found[ord(plain)]
    return found | {code: chr(code + _TO_KATAKANA) for code in _HIRAGANA} | _VOICING_MARKS
