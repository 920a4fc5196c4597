"""
Classifies the differences between a quote and its passage by their effect on the meaning (rulings A9, A17, A18).

The engine aligns characters; the language layer compares what the words mean. A quote with a difference in `MEANING` is
altered, however high its score.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Literal
from unicodedata import category

from groundwire._engine import normalize
from groundwire.language import reader
from groundwire.unicode_forms import nfkc

__all__ = [
    "FOLDINGS",
    "FORM",
    "MEANING",
    "Difference",
    "DifferenceKind",
    "classify",
    "difference_of",
    "mark_finder",
    "mark_pattern",
    "normalization_reasons",
]

# The names are those of `Source.marks`.
_MarkNames = tuple[Literal["angle", "braces", "brackets", "parentheses"], ...]
_DEFAULT_MARKS: _MarkNames = ("angle",)

_BRACKETS = {"angle": "<>", "braces": "{}", "brackets": "[]", "parentheses": "()"}


@cache
def mark_pattern(marks: _MarkNames) -> str:
    """Return a pattern without groups for tags of these kinds; without kinds, one that never matches."""
    pairs = [map(re.escape, _BRACKETS[name]) for name in marks]
    return "|".join(rf"{left}/?[^\W\d_][^{left}{right}\n]{{0,40}}{right}" for left, right in pairs) or "(?!)"


@cache
def mark_finder(marks: _MarkNames) -> re.Pattern[str]:
    """Return the compiled pattern."""
    return re.compile(mark_pattern(marks))


def _has_mark(text: str, marks: _MarkNames) -> bool:
    """Tell whether *text* has a character that opens a tag."""
    for name in marks:  # noqa: SIM110 a generator would take longer than the loop
        if _BRACKETS[name][0] in text:
            return True
    return False


class DifferenceKind(StrEnum):
    """Names the kind of change from the source's words to the quote's."""

    CASE = "case"
    WHITESPACE = "whitespace"
    PUNCTUATION = "punctuation"
    SPELLING = "spelling"
    FILLER = "filler"
    WORD_ADDED = "word_added"
    WORD_DROPPED = "word_dropped"
    WORD_REPLACED = "word_replaced"
    WORDING = "wording"
    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    TIME = "time"
    NEGATION = "negation"
    NAME = "name"
    MODAL = "modal"
    QUANTIFIER = "quantifier"
    CONDITION = "condition"
    UNREAD = "unread"


MEANING = frozenset(
    {
        DifferenceKind.WORDING,
        DifferenceKind.NUMBER,
        DifferenceKind.UNIT,
        DifferenceKind.DATE,
        DifferenceKind.TIME,
        DifferenceKind.NEGATION,
        DifferenceKind.NAME,
        DifferenceKind.MODAL,
        DifferenceKind.QUANTIFIER,
        DifferenceKind.CONDITION,
        # Its effect on the meaning is unknown.
        DifferenceKind.UNREAD,
    }
)


FORM = frozenset({DifferenceKind.CASE, DifferenceKind.WHITESPACE, DifferenceKind.PUNCTUATION})
"""Kinds of differences that leave the words unchanged."""


_POINTS = " \t\n.,;:!?()[]\"'-\u2013\u2014"


@dataclass(frozen=True, slots=True)
class Difference:
    """
    Holds one change: `quote_text` replaces the source's `source_text`; either may be empty.

    Spans are offsets of the original texts, in code points.
    """

    kind: DifferenceKind
    quote_text: str
    source_text: str
    quote_span: tuple[int, int]
    source_span: tuple[int, int]


def classify(
    quote: str,
    source: str,
    start: int,
    end: int,
    edits: Sequence[tuple[int, int, int, int]],
    *,
    language: str | None = None,
    marks: _MarkNames = ("angle",),
) -> list[Difference]:
    """
    Return the differences between *quote* and `source[start:end]`, left to right in the quote.

    Args:
        quote: The quote.
        source: The whole text around the passage.
        start, end: The passage, in code points.
        edits: Spans with different characters: start and end in the quote, start and end in the source.
        language: The language of the source, one of `groundwire.language.LANGUAGES`; None to detect it.
        marks: Transcript tags that were removed, as `Source.marks` names them.

    Returns:
        Every difference in meaning, and for each other edit the difference in form. Words with the same meaning in
        another form (15 and fifteen, can't and cannot) are `SPELLING`.
    """
    forms = [_kind_of_form(quote[edit[0] : edit[1]], source[edit[2] : edit[3]], marks) for edit in edits]
    found: list[Difference] = []
    if None in forms:
        rows = reader().differences(quote, source, start, end, language=language)
        found = [difference_of(row, quote, source) for row in rows]
    for edit, form in zip(edits, forms, strict=True):
        if not any(_touch(edit, each) for each in found if each.kind is not DifferenceKind.SPELLING or form is None):
            found.append(_difference(form or _kind_of_same_words(edit, quote, source), quote, source, edit))
    return sorted(found, key=lambda each: (each.quote_span, each.source_span))


def _kind_of_same_words(edit: tuple[int, int, int, int], quote: str, source: str) -> DifferenceKind:
    """Return the kind of an edit between words with the same meaning: spelling, or only characters between letters."""
    written, meant = quote[edit[0] : edit[1]].lower(), source[edit[2] : edit[3]].lower()
    letters, other_letters = ("".join(filter(str.isalnum, text)) for text in (written, meant))
    # Characters inside a number belong to its spelling: 10,000 and 10000.
    if letters == other_letters and _asks(written) != _asks(meant):
        return DifferenceKind.WORDING
    is_number = any(map(str.isdigit, letters)) and letters not in (written.strip(_POINTS), meant.strip(_POINTS))
    is_inside = is_number or (letters[:1].isdigit() and written.strip(_POINTS) != meant.strip(_POINTS))
    return DifferenceKind.PUNCTUATION if letters == other_letters and not is_inside else DifferenceKind.SPELLING


def difference_of(row: "tuple[str, int, int, int, int]", quote: str, source: str) -> Difference:
    """Return a difference for a row of `LanguageReader.differences`; missing words include the space after them."""
    kind, quote_start, quote_end, source_start, source_end = row
    if quote_start == quote_end:
        space = _space(quote, quote_end)
        if space and _space(source, source_end):
            quote_start, quote_end = quote_start + space, quote_end + space
            source_end += _space(source, source_end)
    elif source_start == source_end:
        space = _space(source, source_end)
        if space and _space(quote, quote_end):
            source_start, source_end = source_start + space, source_end + space
            quote_end += _space(quote, quote_end)
    return _difference(DifferenceKind(kind), quote, source, (quote_start, quote_end, source_start, source_end))


def _space(text: str, at: int) -> int:
    """Return the number of white space characters that follow."""
    end = at
    while end < len(text) and text[end].isspace():
        end += 1
    return end - at


def _difference(kind: DifferenceKind, quote: str, source: str, spans: "tuple[int, ...]") -> Difference:
    quote_start, quote_end, source_start, source_end = spans
    return Difference(
        kind,
        quote[quote_start:quote_end],
        source[source_start:source_end],
        (quote_start, quote_end),
        (source_start, source_end),
    )


def _touch(edit: tuple[int, int, int, int], difference: Difference) -> bool:
    """Tell whether an edit is part of a difference, on either side."""
    (quote_start, quote_end), (source_start, source_end) = difference.quote_span, difference.source_span
    in_quote = edit[0] <= quote_end and quote_start <= edit[1] and (edit[0] < edit[1] or quote_start < quote_end)
    in_source = edit[2] <= source_end and source_start <= edit[3] and (edit[2] < edit[3] or source_start < source_end)
    return in_quote or in_source


def _asks(text: str) -> bool:
    """Tell whether *text* has a question mark; a question states nothing."""
    return any(mark in text for mark in "?\uff1f\u061f")


def _kind_of_form(written: str, meant: str, marks: _MarkNames) -> DifferenceKind | None:
    """Return the kind if the sides differ only in form; None if words differ."""
    if written.split() == meant.split():
        return DifferenceKind.WHITESPACE
    written, meant = written.lower(), meant.lower()
    if written.split() == meant.split():
        return DifferenceKind.CASE
    # A superscript or a sign on only one side makes another number.
    if any(map(str.isnumeric, written + meant)) or any(sign in written + meant for sign in "-\u2212<>=\u2264\u2265"):
        return None
    is_same = normalize(written, profile="typographic", marks=marks) == normalize(
        meant, profile="typographic", marks=marks
    )
    if is_same and _asks(written) != _asks(meant):
        return DifferenceKind.WORDING
    return DifferenceKind.PUNCTUATION if is_same else None


FOLDINGS = ("case", "whitespace", "typography", "marks")

_SINGLE_MARKS = "\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u2035\u300e\u300f"
_DOUBLE_MARKS = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u301d\u301e\u301f\u2e42\u2033\u2036"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_PLAIN = dict.fromkeys(_SINGLE_MARKS, "'") | dict.fromkeys(_DOUBLE_MARKS, '"') | dict.fromkeys(_DASHES, "-")
# Default_Ignorable_Code_Point without the soft hyphen, which may join the parts of a word over a line break.
_IGNORABLE = (
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_TO_DROP = re.compile(f"[{_IGNORABLE}]")
_TO_FOLD = re.compile(f"[{''.join(_PLAIN)}\u00ad{_IGNORABLE}]")
_LINE_HYPHEN = re.compile("([^\u00ad])(?:[-\u2010]\u00ad*+|\u00ad++)[^\\S\n]*+\n\\s*+(?=(.))", re.DOTALL)
_OTHER_SPACE = re.compile("([\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+)")


def normalization_reasons(quote: str, passage: str, *, marks: _MarkNames = _DEFAULT_MARKS) -> tuple[str, ...]:
    """
    Return the foldings that are needed to make *quote* and *passage* equal.

    The two are equal in the typographic profile that removes *marks*. A folding of
    `FOLDINGS` is returned, in that order, if the texts differ without it alone.
    White space of all kinds belongs to "whitespace", and a tag includes the white
    space around it. Equal texts need no folding.
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
    if _has_mark(plain + other, marks) and _spaced(plain).lower() != _spaced(other).lower():
        reasons.append("marks")
    return tuple(reasons)


def _plain(text: str) -> str:
    """Return *text* in plain typography; the same object if it is plain already."""
    if text.isascii():
        return _LINE_HYPHEN.sub(_join, text) if "-" in text and "\n" in text else text
    # NFKC would split a double prime into two.
    plain = nfkc(text.replace("\u2033", '"').replace("\u2036", '"'))
    if "\n" in plain:
        plain = _LINE_HYPHEN.sub(_join, _TO_DROP.sub("", plain))
    return _TO_FOLD.sub(_fold, plain)


def _fold(character: re.Match[str]) -> str:
    return _PLAIN.get(character[0], "")


def _plain_but_spaces(text: str, plain: str) -> str:
    """Return *text* in plain typography, without folding white space as NFKC does."""
    if text.isascii() or not _OTHER_SPACE.search(text):
        return plain
    return "".join(part if part.isspace() else _plain(part) for part in _OTHER_SPACE.split(text))


def _join(hyphenated: re.Match[str]) -> str:
    """Join two parts of a word if both are letters."""
    is_word = (hyphenated[1].isalpha() or category(hyphenated[1])[0] == "M") and hyphenated[2].isalpha()
    return hyphenated[1] if is_word else hyphenated[0]


def _unmarked(text: str, marks: _MarkNames) -> str:
    """Return *text* with one space in place of each sequence of tags and white space."""
    parts = mark_finder(marks).split(text) if _has_mark(text, marks) else [text]
    if len(parts) == 1:
        return text
    inner = (part.strip() for part in parts[1:-1])
    return " ".join(part for part in (parts[0].rstrip(), *inner, parts[-1].lstrip()) if part)


def _spaced(text: str) -> str:
    return " ".join(text.split())
