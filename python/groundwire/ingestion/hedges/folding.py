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

# What is not written as the lexicons have it: more than one blank or another one, what is not seen, emphasis at a word's
# edge, letters with accents of their own, the blocks of letters and digits in another dress, and the one capital
# whose small letter is two characters. A character of another block stays as it is.
_UNLIKE = re.compile(
    r"[ ]{2,}|(?:[^\S ]|[ ](?=[^\S ]))\s*"
    r"|[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]+"
    r"|\*+|~{2,}|(?<![^\W_])_+|_+(?![^\W_])"
    r"|\w[\u0300-\u0362]+"
    r"|[\u2100-\u214f\u2460-\u24ff\ufb00-\ufb06\uff07\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f]"
    r"|[\U0001d400-\U0001d7ff\U0001f110-\U0001f189]|\u0130"
)
_INVISIBLE = re.compile(r"[*~_\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]")


@dataclass(frozen=True, slots=True)
class Folded:
    """
    A text as it is searched: `lowered` is `plain` in lower case, character by character.

    `starts` and `ends` say which characters of the original each one stands for; None
    where it is the one in the same place.
    """

    plain: str
    lowered: str
    starts: list[int] | None = None
    ends: list[int] | None = None

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original that [start, end), not empty, stands for."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """Return *text* as the lexicons spell it. Printable ASCII with single blanks and no emphasis is lowered only."""
    if text.isascii() and text.isprintable() and "  " not in text and not ("*" in text or "_" in text or "~" in text):
        return Folded(text, text.lower())
    return _mapped(text.replace("\u2019", "'").replace("\u02bc", "'"))


def _mapped(text: str) -> Folded:
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for unlike in _UNLIKE.finditer(text):
        start, end = unlike.span()
        piece = _alike(unlike[0])
        pieces += (text[position:start], piece)
        starts.extend(range(position, start))
        ends.extend(range(position + 1, start + 1))
        starts += [start] * len(piece)
        ends += [end] * len(piece)
        position = end
    if not pieces:
        return Folded(text, text.lower())
    starts.extend(range(position, len(text)))
    ends.extend(range(position + 1, len(text) + 1))
    plain = "".join((*pieces, text[position:]))
    return Folded(plain, plain.lower(), starts, ends)


def _alike(piece: str) -> str:
    """One blank for white space, nothing for what is not seen, NFKC for letters."""
    if piece.isspace():
        return " "
    if _INVISIBLE.match(piece):
        return ""
    return "i" if piece == "\u0130" else unicodedata.normalize("NFKC", piece)
