"""Words, numbers and symbols of a text, with their places. White space, punctuation and marks are no tokens."""

import re
from functools import cache
from typing import NamedTuple

from groundwire import normalize
from groundwire.evidence.marks import DEFAULT_MARKS, MarkNames, mark_pattern

__all__ = ["SYMBOLS", "UNSPACED", "Token", "fold", "is_unspaced", "tokenize"]

# Han, kana and their marks: written without spaces.
UNSPACED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# What a number can be bounded, signed or counted by; other punctuation says nothing by itself.
SYMBOLS = "<>=+%$£€¥¢°±×÷≤≥≠‰₽₹٪"
_APOSTROPHES = "'\u00b4\u2018\u2019\u02bc\uff07`"
_PUNCTUATION = (
    r"!-/:-@\[-`{-~\u00a1-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u02bc"
    r"\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2010-\u2029\u202f-\u205e\u20a0-\u20cf\u2190-\u2bff"
    r"\u3000-\u3004\u3008-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufe10-\ufe6f"
)
_WORD = rf"[^\s\d{_PUNCTUATION}{UNSPACED}]+"
_TOKEN = (
    r"((?<![^\W_])[-\u2212]?"
    r"(?:\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?!\d)|\d+(?:[.,:/'\u2019\u2044\u066b\u066c]\d+)*|(?<!\.)\.\d+))"
    rf"|([{UNSPACED}]+|[ap]\.m\b\.?|{_WORD}(?:[{_APOSTROPHES}]{_WORD})*|\d+|[{re.escape(SYMBOLS)}])"
)
_ARABIC_MARKS = dict.fromkeys([0x640, *range(0x64B, 0x653), 0x670])


class Token(NamedTuple):
    """A token in one form of writing, and its place in the text."""

    text: str
    start: int
    end: int


def is_unspaced(character: str) -> bool:
    """Say whether *character* is one of `UNSPACED`."""
    if character < "\u3005":
        return False
    if character <= "\u9fff":
        return not "\u3008" <= character <= "\u303f" and not "\u4dc0" <= character <= "\u4dff"
    return "\uf900" <= character <= "\ufaff" or character >= "\U00020000"


def fold(word: str) -> str:
    """Return *word* in the typographic profile, which joins all ways to write it; Arabic without vowel signs."""
    if word.isascii():
        return word.lower()
    # NFKC would take the acute accent that stands for an apostrophe for a space and a combining one.
    folded = normalize(word.replace("\u00b4", "'"), profile="typographic")
    return folded.translate(_ARABIC_MARKS) if "\u0600" <= folded[:1] <= "\u06ff" else folded


@cache
def _token_finder(marks: MarkNames) -> re.Pattern[str]:
    """Find tokens, and marks, which are none: only they are without a group."""
    return re.compile(f"{mark_pattern(marks)}|{_TOKEN}")


def tokenize(
    text: str, start: int, end: int, marks: MarkNames = DEFAULT_MARKS, *, most: int | None = None
) -> list[Token]:
    """
    Return the tokens of `text[start:end]`, left to right; the first *most* of them.

    What is invisible or in *marks* is no token.
    """
    piece = text[start:end]
    if piece.isascii():
        word = piece.strip()
        if word.isalpha():
            start += piece.index(word)
            return [Token(word.lower(), start, start + len(word))]
        if not word:
            return []
    tokens: list[Token] = []
    for match in _token_finder(marks).finditer(text, start, end):
        if match.lastindex:
            word = match[0]
            folded = word.lower() if word.isascii() else fold(word)
            if folded and (folded not in "<>" or _is_bound(text, match.end())):
                tokens.append(Token(folded, match.start(), match.end()))
                if len(tokens) == most:
                    break
    return tokens


def _is_bound(text: str, end: int) -> bool:
    """Whether the angle that ends there bounds a number, and is not a bracket."""
    return text[end : end + 3].strip("= ")[:1].isdigit()
