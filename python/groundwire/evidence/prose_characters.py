"""What a character beside a quotation mark says about it."""

from unicodedata import category

__all__ = ["can_follow_opening", "is_inside_word", "is_word", "takes_marks"]

# Scripts that set no spaces between words, as ranges of code points.
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0xA4CF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F))
_UNSPACED_WIDE = ((0xFF00, 0xFFEF), (0x20000, 0x3FFFF))
_HEBREW = ((0x0590, 0x05FF), (0xFB1D, 0xFB4F))
# Arabic writes "and" and "for" onto the next word, whatever mark that begins with.
_ARABIC = ((0x0600, 0x08FF),)


def is_inside_word(char: str, before: str, after: str) -> bool:
    """Tell whether a mark is part of a word: don't, l’amour, צה"ל."""
    if char in "'’‘‛":
        return is_word(before) and is_word(after)
    return char == '"' and _is_in(before, _HEBREW) and _is_in(after, _HEBREW)


def can_follow_opening(char: str) -> bool:
    """Tell whether *char* may be the first of a quotation."""
    return not char.isspace() and char not in ".,;:!?)]}"


def is_word(char: str) -> bool:
    """Tell whether *char* is of a word that has spaces around it."""
    if char.isascii():
        return char.isalnum()
    return (char.isalnum() or category(char)[0] == "M") and not _is_unspaced(char)


def takes_marks(char: str) -> bool:
    """Tell whether an opening mark may stand right behind *char*, a letter: Chinese has no space before it."""
    return _is_unspaced(char) or _is_in(char, _ARABIC)


def _is_unspaced(char: str) -> bool:
    return char >= "\u0e00" and (_is_in(char, _UNSPACED) or _is_in(char, _UNSPACED_WIDE))


def _is_in(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(char) <= last for first, last in ranges)
