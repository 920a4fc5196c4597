"""
What differs between a quote and its passage, and whether that changes the meaning (rulings A9, A17, A18).

The engine aligns characters; the language layer compares what the words say. The kinds of `MEANING`
are what a quote may not change, however high its score.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from groundwire._engine import normalize
from groundwire.language import reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.marks import MarkNames

__all__ = ["FORM", "MEANING", "Difference", "DifferenceKind", "classify", "difference_of"]


class DifferenceKind(StrEnum):
    """What kind of a change leads from the source's words to the quote's."""

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
        # Nobody has looked whether it touches meaning.
        DifferenceKind.UNREAD,
    }
)


FORM = frozenset({DifferenceKind.CASE, DifferenceKind.WHITESPACE, DifferenceKind.PUNCTUATION})
"""Kinds of differences that leave the words as they are."""


_POINTS = " \t\n.,;:!?()[]\"'-\u2013\u2014"


@dataclass(frozen=True, slots=True)
class Difference:
    """
    One change: `quote_text` stands where the source has `source_text`; either may be empty.

    Spans are code points of the original texts.
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
    marks: "MarkNames" = ("angle",),
) -> list[Difference]:
    """
    Return what differs between *quote* and `source[start:end]`, from left to right in the quote.

    Args:
        quote: The quote.
        source: The whole text that the passage is a part of.
        start, end: The passage, in code points.
        edits: Where the characters of both differ: quote start and end, source start and end of each.
        language: The language of the source, one of `groundwire.language.LANGUAGES`; None to detect it.
        marks: Which transcript marks were taken out, as `Source.marks` names them.

    Returns:
        Every difference in meaning, and for each edit without one how its form differs. Words that say
        the same in another form (15 and fifteen, can't and cannot) are `SPELLING`.
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
    """The kind of an edit between words that say the same: their spelling, or only what is between letters."""
    written, meant = quote[edit[0] : edit[1]].lower(), source[edit[2] : edit[3]].lower()
    letters, other_letters = ("".join(filter(str.isalnum, text)) for text in (written, meant))
    # What is inside a number belongs to how it is written: 10,000 and 10000.
    if letters == other_letters and _asks(written) != _asks(meant):
        return DifferenceKind.WORDING
    is_number = any(map(str.isdigit, letters)) and letters not in (written.strip(_POINTS), meant.strip(_POINTS))
    is_inside = is_number or (letters[:1].isdigit() and written.strip(_POINTS) != meant.strip(_POINTS))
    return DifferenceKind.PUNCTUATION if letters == other_letters and not is_inside else DifferenceKind.SPELLING


def difference_of(row: "tuple[str, int, int, int, int]", quote: str, source: str) -> Difference:
    """Return a row of `LanguageReader.differences` as a difference; words that one side lacks with the space behind."""
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
    """How much white space follows."""
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
    """Whether an edit is a part of a difference, on either side."""
    (quote_start, quote_end), (source_start, source_end) = difference.quote_span, difference.source_span
    in_quote = edit[0] <= quote_end and quote_start <= edit[1] and (edit[0] < edit[1] or quote_start < quote_end)
    in_source = edit[2] <= source_end and source_start <= edit[3] and (edit[2] < edit[3] or source_start < source_end)
    return in_quote or in_source


def _asks(text: str) -> bool:
    """Whether a question mark is in *text*: to ask is not to say."""
    return any(mark in text for mark in "?\uff1f\u061f")


def _kind_of_form(written: str, meant: str, marks: "MarkNames") -> DifferenceKind | None:
    """The kind where both sides are the same but for their form; None if words differ."""
    if written.split() == meant.split():
        return DifferenceKind.WHITESPACE
    written, meant = written.lower(), meant.lower()
    if written.split() == meant.split():
        return DifferenceKind.CASE
    # What only one side writes high, or with a sign in front, is another number.
    if any(map(str.isnumeric, written + meant)) or any(sign in written + meant for sign in "-\u2212<>=\u2264\u2265"):
        return None
    is_same = normalize(written, profile="typographic", marks=marks) == normalize(
        meant, profile="typographic", marks=marks
    )
    if is_same and _asks(written) != _asks(meant):
        return DifferenceKind.WORDING
    return DifferenceKind.PUNCTUATION if is_same else None
