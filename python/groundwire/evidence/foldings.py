"""Which foldings of the typographic profile a quote needs to be its passage (rulings A2 and A3)."""

import re
from unicodedata import category

from groundwire.evidence.marks import DEFAULT_MARKS, MarkNames, has_mark, mark_finder
from groundwire.unicode_forms import nfkc

__all__ = ["FOLDINGS", "normalization_reasons"]

FOLDINGS = ("case", "whitespace", "typography", "marks")

_SINGLE_MARKS = "\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u2035\u300e\u300f"
_DOUBLE_MARKS = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u301d\u301e\u301f\u2e42\u2033\u2036"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_PLAIN = dict.fromkeys(_SINGLE_MARKS, "'") | dict.fromkeys(_DOUBLE_MARKS, '"') | dict.fromkeys(_DASHES, "-")
# Default_Ignorable_Code_Point without the soft hyphen, which joins words over a line break first.
_IGNORABLE = (
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_TO_DROP = re.compile(f"[{_IGNORABLE}]")
_TO_FOLD = re.compile(f"[{''.join(_PLAIN)}\u00ad{_IGNORABLE}]")
_LINE_HYPHEN = re.compile("([^\u00ad])(?:[-\u2010]\u00ad*+|\u00ad++)[^\\S\n]*+\n\\s*+(?=(.))", re.DOTALL)
_OTHER_SPACE = re.compile("([\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+)")


def normalization_reasons(quote: str, passage: str, *, marks: MarkNames = DEFAULT_MARKS) -> tuple[str, ...]:
    """
    Return the foldings without which *quote* and *passage* would not be equal.

    They are equal in the typographic profile that takes out *marks*; of
    `FOLDINGS`, in that order, each is named that makes them unequal when it
    alone is left out. White space of all kinds is the business of
    "whitespace", and a mark goes with the white space around it. Nothing is
    named for equal texts.
    """
    if quote == passage:
        return ()
    plain, other = _plain(quote), _plain(passage)
    reasons = []
    if _spaced(_unmarked(plain, marks)) != _spaced(_unmarked(other, marks)):
        reasons.append("case")
    exact, other_exact = _plain_but_spaces(quote, plain), _plain_but_spaces(passage, other)
    if _unmarked(exact, marks).lower() != _unmarked(other_exact, marks).lower():
        reasons.append("whitespace")
    if (plain is not quote or other is not passage) and (
        _spaced(_unmarked(quote, marks)).lower() != _spaced(_unmarked(passage, marks)).lower()
    ):
        reasons.append("typography")
    if has_mark(plain + other, marks) and _spaced(plain).lower() != _spaced(other).lower():
        reasons.append("marks")
    return tuple(reasons)


def _plain(text: str) -> str:
    """*text* in plain typography; the same object if it was already."""
    if text.isascii():
        return _LINE_HYPHEN.sub(_join, text) if "-" in text and "\n" in text else text
    # NFKC would take a double prime for two.
    plain = nfkc(text.replace("\u2033", '"').replace("\u2036", '"'))
    if "\n" in plain:
        plain = _LINE_HYPHEN.sub(_join, _TO_DROP.sub("", plain))
    return _TO_FOLD.sub(_fold, plain)


def _fold(character: re.Match[str]) -> str:
    return _PLAIN.get(character[0], "")


def _plain_but_spaces(text: str, plain: str) -> str:
    """Plain typography that leaves the kinds of white space as they are, which NFKC would fold."""
    if text.isascii() or not _OTHER_SPACE.search(text):
        return plain
    return "".join(part if part.isspace() else _plain(part) for part in _OTHER_SPACE.split(text))


def _join(hyphenated: re.Match[str]) -> str:
    """The two parts of a word as one, if both are letters."""
    is_word = (hyphenated[1].isalpha() or category(hyphenated[1])[0] == "M") and hyphenated[2].isalpha()
    return hyphenated[1] if is_word else hyphenated[0]


def _unmarked(text: str, marks: MarkNames) -> str:
    """*text* with one space for each row of marks and the white space around them."""
    parts = mark_finder(marks).split(text) if has_mark(text, marks) else [text]
    if len(parts) == 1:
        return text
    inner = (part.strip() for part in parts[1:-1])
    return " ".join(part for part in (parts[0].rstrip(), *inner, parts[-1].lstrip()) if part)


def _spaced(text: str) -> str:
    return " ".join(text.split())
