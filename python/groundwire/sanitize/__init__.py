"""
Spells out hidden characters, such as `\\u200b`, so that a reader sees all of a text.

Everything that shows text to a person or a model uses this one rule: reports, the review page, the terminal, and
prompts. The gate of ingestion and the review queue use it to find claims with hidden characters.

**Hidden characters.** Controls, lone surrogates, noncharacters, separators of lines and paragraphs, every
format character without ink (the marks, embeddings and overrides of direction among them), everything
that Unicode calls default-ignorable, even if it is not assigned yet, and the few characters that
render as a blank without being a space. A carriage return is hidden unless a line feed follows. Tab and
line feed are not, and neither are the spaces of Unicode: they have a width.

**Exceptions.** Some of these characters shape the letters or emoji next to them. A single one is ordinary
in such a position, and hidden anywhere else, so that neither a run of them nor a character next to letters
of another script can carry a message:

- a selector of text or emoji presentation after an emoji, and after `0`–`9`, `#` and `*` in a keycap;
- a zero-width joiner between two pictographs;
- the tags of the flags of England, Scotland and Wales;
- a zero-width non-joiner between two letters of a cursive script, such as Arabic;
- a zero-width joiner beside exactly one such letter that it makes join;
- either of them after a virama, and a joiner between a letter and a virama;
- Mongolian selectors and the vowel separator after a Mongolian letter;
- a blank between two Braille patterns, a filler after a Khitan character, and a control between two
  hieroglyphs.

The rest of a text does not change. Time is linear in its length. `tables` has the characters, and `redaction` removes
the secrets of a connection from a server's responses.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter

from groundwire.labels import plural
from groundwire.sanitize.tables import EMOJI, HIDDEN, JOINS_NEXT, JOINS_PREVIOUS, PICTOGRAPHS, UNICODE_VERSION

__all__ = [
    "HIDDEN_UNICODE_VERSION",
    "NOTHING_HIDDEN",
    "Hidden",
    "has_hidden",
    "hidden_characters",
    "hidden_places",
    "may_hide",
    "one_line",
    "replace_hidden",
    "sanitize",
    "spelled_out",
    "without_hidden",
]

HIDDEN_UNICODE_VERSION = UNICODE_VERSION
"""The version of Unicode of the tables."""

_KINDS_NAMED = 8

_VIRAMA_CLASS = 9
# A letter can have several marks, such as a shadda and a vowel; no spelling has more.
_MARKS_MAX = 6

_COUNTRIES = "|".join("".join(chr(0xE0000 + ord(letter)) for letter in name) for name in ("gbeng", "gbsct", "gbwls"))
_TAGGED_FLAG = re.compile(f"\U0001f3f4(?:{_COUNTRIES})\U000e007f")
_TAGS_OF_FLAG = 6


_Ranges = tuple[tuple[int, int], ...]


def _class_of(ranges: _Ranges) -> str:
    return "[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges) + "]"


# For every character, `re` tries each range above the BMP in turn. A few wide ranges between emoji and Han are ten
# times as fast as those of the table, which then decides about the characters found.
_WIDE = ((0x10000, 0x1EFFF), (0x1FFFE, 0x1FFFF), (0x2FFFE, 0x2FFFF), (0x3FFFE, 0x10FFFF))
_SUSPECT = re.compile(_class_of((*(each for each in HIDDEN if each[1] <= 0xFFFF), *_WIDE)))
_MONGOLIAN = ((0x1820, 0x1878), (0x1880, 0x18AA))
_MONGOLIAN_SELECTED = ((0x180B, 0x180D), (0x180F, 0x180F), *_MONGOLIAN)
_BRAILLE = ((0x2801, 0x28FF),)
_HIEROGLYPHS = ((0x13000, 0x1342F), (0x13460, 0x143FF))
_KHITAN = ((0x18B00, 0x18CFF),)
_SKIN_TONES_AND_SELECTOR = ((0xFE0F, 0xFE0F), (0x1F3FB, 0x1F3FF))


@dataclass(frozen=True, slots=True)
class Hidden:
    """
    Holds the hidden characters of a text.

    Attributes:
        count: Number of hidden characters.
        kinds: Kinds of hidden characters, such as `U+202E`, each once, in the order of the text.
    """

    count: int
    kinds: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.count > 0

    def __str__(self) -> str:
        """Return the count and the first kinds, without the text: `3 hidden characters: U+202E, U+200B`."""
        named = ", ".join(self.kinds[:_KINDS_NAMED])
        more = len(self.kinds) - _KINDS_NAMED
        rest = f" and {plural(more, 'more kind')}" if more > 0 else ""
        return f"{plural(self.count, 'hidden character')}: {named}{rest}"


NOTHING_HIDDEN = Hidden(0, ())


def sanitize(text: str) -> str:
    """Return *text* with every hidden character spelled out; the result can be encoded in UTF-8."""
    return replace_hidden(text, spelled_out)


def has_hidden(text: str) -> bool:
    """Tell whether *text* has a hidden character."""
    return not _is_plain(text) and any(_is_hidden(text, found.start()) for found in _SUSPECT.finditer(text))


def hidden_characters(text: str) -> Hidden:
    """Return number and kinds of the hidden characters of *text*."""
    found = [text[place] for place in hidden_places(text)]
    if not found:
        return NOTHING_HIDDEN
    return Hidden(len(found), tuple(f"U+{ord(character):04X}" for character in dict.fromkeys(found)))


def hidden_places(text: str) -> list[int]:
    """Return the offsets of the hidden characters of *text*, in order."""
    if _is_plain(text):
        return []
    return [found.start() for found in _SUSPECT.finditer(text) if _is_hidden(text, found.start())]


def may_hide(character: str) -> bool:
    """Tell whether *character* can be hidden, including characters that shape letters."""
    return _is(HIDDEN, character)


def without_hidden(text: str) -> str:
    """Return *text* with every hidden character removed."""
    return replace_hidden(text, lambda _: "")


def replace_hidden(text: str, write: Callable[[str], str]) -> str:
    """
    Return *text* with every hidden character replaced by the result of *write*.

    Whether a character is hidden depends on its neighbours in *text*, not on replaced ones.
    """
    if _is_plain(text):
        return text

    def replaced(found: re.Match[str]) -> str:
        return write(found[0]) if _is_hidden(text, found.start()) else found[0]

    return _SUSPECT.sub(replaced, text)


def spelled_out(character: str) -> str:
    """Return *character* as Python would write it: `\\x1b`, `\\ud800`, `\\U000e0041`."""
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _is_plain(text: str) -> bool:
    """Tell whether a quick check of the whole text excludes hidden characters, as for most texts."""
    return text.isascii() and text.isprintable()


def _is_hidden(text: str, at: int) -> bool:
    """Tell whether the suspect at *at* is hidden."""
    is_known = text[at] <= "\uffff" or _is(HIDDEN, text[at])
    return is_known and not _is_ordinary(text, at)


def _is_ordinary(text: str, at: int) -> bool:
    """Tell whether the character at *at*, one of `HIDDEN`, shapes a neighbour."""
    character = text[at]
    rule = _RULES.get(character)
    if rule is not None:
        return rule(text, at)
    return "\U000e0020" <= character <= "\U000e007f" and _is_in_flag(text, at)


def _before(text: str, at: int) -> str:
    return text[at - 1 : at]


def _after(text: str, at: int) -> str:
    return text[at + 1 : at + 2]


def _is(ranges: _Ranges, character: str) -> bool:
    """Tell whether *character* is in one of *ranges*; "" is not."""
    if not character:
        return False
    code = ord(character)
    place = bisect_right(ranges, code, key=itemgetter(0)) - 1
    return place >= 0 and code <= ranges[place][1]


def _letter_before(text: str, at: int) -> str:
    """Return the character before *at*, without its marks; "" at the start of the text, or with too many marks."""
    for place in range(at - 1, max(at - 2 - _MARKS_MAX, -1), -1):
        if unicodedata.category(text[place]) != "Mn":
            return text[place]
    return ""


def _is_in_line_end(text: str, at: int) -> bool:
    return _after(text, at) == "\n"


def _chooses_presentation(text: str, at: int) -> bool:
    before = _before(text, at)
    if before and before in "0123456789#*":
        return text[at] == "\ufe0f" and _after(text, at) == "\u20e3"
    return _is(EMOJI, before)


def _is_in_flag(text: str, at: int) -> bool:
    start = text.rfind("\U0001f3f4", max(at - _TAGS_OF_FLAG, 0), at)
    flag = None if start < 0 else _TAGGED_FLAG.match(text, start)
    return flag is not None and at < flag.end()


def _has_virama_before(text: str, at: int) -> bool:
    """Tell whether a virama on a letter precedes *at*."""
    before = _before(text, at)
    return before != "" and unicodedata.combining(before) == _VIRAMA_CLASS and _letter_before(text, at).isalpha()


def _joins(text: str, at: int) -> bool:
    """Tell whether the zero-width joiner at *at* has a visible effect."""
    before, after = _before(text, at), _after(text, at)
    if _is(PICTOGRAPHS, after):
        # A skin tone or a selector belongs to the pictograph before it.
        has_more = _is(_SKIN_TONES_AND_SELECTOR, before)
        return _is(PICTOGRAPHS, text[at - 2 : at - 1] if has_more else before)
    if _has_virama_before(text, at):
        return True
    if after and unicodedata.combining(after) == _VIRAMA_CLASS:
        return _letter_before(text, at).isalpha()
    # If both sides join, or neither does, the joiner changes nothing.
    return _is(JOINS_NEXT, _letter_before(text, at)) != _is(JOINS_PREVIOUS, after)


def _parts(text: str, at: int) -> bool:
    """Tell whether the zero-width non-joiner at *at* is between cursive letters, or after a virama."""
    if _has_virama_before(text, at):
        return True
    # Persian and Urdu also write it after letters that never join the next one.
    before = _letter_before(text, at)
    return (_is(JOINS_NEXT, before) or _is(JOINS_PREVIOUS, before)) and _is(JOINS_PREVIOUS, _after(text, at))


def _selects_mongolian(text: str, at: int) -> bool:
    return _is(_MONGOLIAN, _before(text, at))


def _parts_mongolian_vowel(text: str, at: int) -> bool:
    return _is(_MONGOLIAN_SELECTED, _before(text, at)) and _is(_MONGOLIAN, _after(text, at))


def _is_between_braille(text: str, at: int) -> bool:
    return _is(_BRAILLE, _before(text, at)) and _is(_BRAILLE, _after(text, at))


def _is_between_hieroglyphs(text: str, at: int) -> bool:
    return _is(_HIEROGLYPHS, _before(text, at)) and _is(_HIEROGLYPHS, _after(text, at))


def _fills_khitan(text: str, at: int) -> bool:
    return _is(_KHITAN, _before(text, at))


_RULES: dict[str, Callable[[str, int], bool]] = {
    "\r": _is_in_line_end,
    "\u200c": _parts,
    "\u200d": _joins,
    "\u2800": _is_between_braille,
    "\U00016fe4": _fills_khitan,
    **dict.fromkeys("\ufe0e\ufe0f", _chooses_presentation),
    **dict.fromkeys("\u180b\u180c\u180d\u180f", _selects_mongolian),
    "\u180e": _parts_mongolian_vowel,
    **dict.fromkeys(map(chr, (*range(0x13430, 0x13440), 0x13441, 0x13442)), _is_between_hieroglyphs),
}


_LINE_ENDS = re.compile(r"\r\n|\r|\n")


def one_line(text: str, *, limit: int | None = None) -> str:
    """
    Return *text* sanitized and on one line: ` ↵ ` for a line end, a space for a tab.

    With *limit*, a longer result keeps that many characters, half from each
    end, around an ellipsis.
    """
    first, *rest = _LINE_ENDS.split(text)
    if rest:
        *middle, last = rest
        parts = [first.rstrip(" \t"), *(line.strip(" \t") for line in middle), last.lstrip(" \t")]
        text = " ↵ ".join(parts)
    line = sanitize(text.replace("\t", " "))
    if limit is None or len(line) <= limit:
        return line
    half = limit // 2
    return f"{line[:half].rstrip()} … {line[len(line) - half :].lstrip()}"
