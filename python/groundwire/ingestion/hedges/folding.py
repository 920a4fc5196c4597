"""
Claims as the lexicons spell them, and the way back.

Lower case, one blank between words, straight apostrophes, no invisible characters,
no emphasis (`I *think*`), no full-width or mathematical letters, accents on their
letters: a hedge is not hidden by how it is set.
"""

import re
from dataclasses import dataclass

from groundwire.unicode_forms import nfkc

__all__ = ["Folded", "fold"]

# White space other than a blank, what is not seen, and the marks of emphasis: all that may stand between words.
_BETWEEN = (
    r"*_\t-\r\x1c-\x1f\x85\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U000e0000-\U000e0fff"
)
_ACCENTS = r"\u0300-\u034e\u0350-\u0362"
# Letters and digits in another dress, and the one capital whose small letter is two characters.
_DRESSED = (
    r"\u0130\u2100-\u214f\u2460-\u24ff\ufb00-\ufb06\uff07\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f"
    r"\U0001d400-\U0001d7ff\U0001f110-\U0001f189"
)
# What is not written as the lexicons have it. One class comes first: `re` looks for that quickly.
_UNLIKE = re.compile(
    f"[{_BETWEEN}{_ACCENTS}{_DRESSED}](?:(?<=[{_BETWEEN}])[ {_BETWEEN}]*|(?<=[{_ACCENTS}])[{_ACCENTS}]*)?"
)
_UNLIKE_OR_BLANKS = re.compile(f"{_UNLIKE.pattern}|[ ]{{2,}}[ {_BETWEEN}]*")
_IS_BETWEEN = re.compile(f"[ {_BETWEEN}]").match
_HAS_WHITE_SPACE = re.compile(r"\s").search


@dataclass(slots=True)
class Folded:
    """
    A text as it is searched: `lowered` is `plain` in lower case, character by character.

    `starts` and `ends` say which characters of the original each one stands for; empty
    where it is the one in the same place.
    """

    plain: str
    lowered: str
    starts: list[int]
    ends: list[int]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original that [start, end), not empty, stands for."""
        return (self.starts[start], self.ends[end - 1]) if self.starts else (start, end)


def fold(text: str) -> Folded:
    """Return *text* as the lexicons spell it."""
    if text.isascii() and text.isprintable() and "  " not in text and "*" not in text and "_" not in text:
        return Folded(text, text.lower(), [], [])
    text = text.replace("\u2019", "'")
    unlike = _UNLIKE_OR_BLANKS if "  " in text else _UNLIKE
    folded = Folded(text, "", [], [])
    pieces: list[str] = []
    position = 0
    for found in unlike.finditer(text):
        start, end = found.span()
        piece = _alike(text, start, end)
        is_accent = "\u0300" <= text[start] <= "\u0362"
        if piece == found[0] and not is_accent:
            continue
        _keep(folded, pieces, text, position, start)
        if is_accent and folded.starts:
            start, piece = _take_letter(folded, pieces, text[start:end])
        pieces.append(piece)
        folded.starts += [start] * len(piece)
        folded.ends += [end] * len(piece)
        position = end
    if pieces:
        _keep(folded, pieces, text, position, len(text))
        folded.plain = "".join(pieces)
    folded.lowered = folded.plain.lower()
    return folded


def _keep(folded: Folded, pieces: list[str], text: str, start: int, end: int) -> None:
    """Take over text[start:end] as it is."""
    pieces.append(text[start:end])
    folded.starts.extend(range(start, end))
    folded.ends.extend(range(start + 1, end + 1))


def _take_letter(folded: Folded, pieces: list[str], accents: str) -> tuple[int, str]:
    """Take back the last character that was kept: where it begins, and what it is with *accents*."""
    while not pieces[-1]:
        pieces.pop()
    letter = pieces[-1][-1]
    pieces[-1] = pieces[-1][:-1]
    folded.ends.pop()
    return folded.starts.pop(), nfkc(letter + accents)


def _alike(text: str, start: int, end: int) -> str:
    """What text[start:end] becomes: one blank for white space, nothing for what is not seen, NFKC for letters."""
    piece = text[start:end]
    if _IS_BETWEEN(piece):
        if _HAS_WHITE_SPACE(piece):
            return "" if text[start - 1 : start] == " " else " "
        is_inside_word = text[start - 1 : start].isalnum() and text[end : end + 1].isalnum()
        return piece if is_inside_word and piece.strip("_") == "" else ""
    return "i" if piece == "\u0130" else nfkc(piece)
