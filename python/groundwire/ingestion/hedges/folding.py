"""
Claims as the lexicons spell them, and the way back.

Lower case, one blank between words, straight apostrophes, no invisible characters,
no emphasis (`I *think*`), no full-width or mathematical letters, accents on their
letters: a hedge is not hidden by how it is set.
"""

import re
import unicodedata
from dataclasses import dataclass

__all__ = ["Folded", "fold"]

_WHITE = r"\t-\r\x1c-\x1f\x85\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_INVISIBLE = r"\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f"
_EMPHASIS = r"*_~"
_ACCENTS = r"\u0300-\u034e\u0350-\u0362"
# Letters and digits in another dress, and the one capital whose small letter is two characters.
_DRESSED = (
    r"\u0130\u2100-\u214f\u2460-\u24ff\ufb00-\ufb06\uff07\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f"
    r"\U0001d400-\U0001d7ff\U0001f110-\U0001f189"
)
# What is not written as the lexicons have it. One class comes first: `re` looks for that quickly.
_UNLIKE = re.compile(
    rf"[{_WHITE}{_INVISIBLE}{_EMPHASIS}{_ACCENTS}{_DRESSED}]"
    rf"(?:(?<=[{_WHITE}])\s*|(?<=[{_INVISIBLE}])[{_INVISIBLE}]*|(?<=[{_EMPHASIS}])[{_EMPHASIS}]*|(?<=[{_ACCENTS}])[{_ACCENTS}]*)?"
)
_BLANKS = re.compile(rf"{_UNLIKE.pattern}|[ ]{{2,}}")
_IS_INVISIBLE = re.compile(f"[{_INVISIBLE}]").match


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
    if text.isascii() and text.isprintable() and "  " not in text and not ("*" in text or "_" in text or "~" in text):
        return Folded(text, text.lower(), [], [])
    text = text.replace("\u2019", "'")
    unlike = _BLANKS if "  " in text else _UNLIKE
    folded = Folded(text, "", [], [])
    pieces: list[str] = []
    position = 0
    for found in unlike.finditer(text):
        start, end = found.span()
        piece = _alike(text, start, end)
        if piece == found[0]:
            continue
        _keep(folded, pieces, text, position, start)
        if "\u0300" <= text[start] <= "\u0362" and start > position:
            # Its letter has been kept already.
            start -= 1
            pieces[-1] = pieces[-1][:-1]
            del folded.starts[-1], folded.ends[-1]
            piece = unicodedata.normalize("NFKC", text[start:end])
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


def _alike(text: str, start: int, end: int) -> str:
    """What text[start:end] is replaced by: one blank for white space, nothing for what is not seen, NFKC for letters."""
    piece = text[start:end]
    if piece.isspace():
        return "" if text[start - 1 : start] == " " else " "
    if piece[0] in "*_~":
        is_inside = text[start - 1 : start].isalnum() and text[end : end + 1].isalnum()
        return piece if piece == "~" or (is_inside and piece.strip("_") == "") else ""
    if _IS_INVISIBLE(piece):
        return ""
    return "i" if piece == "\u0130" else unicodedata.normalize("NFKC", piece)
