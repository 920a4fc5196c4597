"""
Finds the hedges of claims and the action that they require.

The engine finds the phrases of the lexicons, and the lexicons' rules check their context. Before that, a claim is
normalised to the spelling of the lexicons: lower case, one blank between words, straight apostrophes, precomposed
accents, and no invisible characters, emphasis (`I *think*`), full-width or mathematical letters. So typography cannot
hide a hedge. Hedges inside quotations and code do not count, unless the whole claim is a quotation; otherwise quotation
marks could hide any hedge.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from groundwire import Patterns
from groundwire.ingestion.hedges.lexicon import (
    ACTIONS,
    LANGUAGES,
    HedgeAction,
    HedgeCategory,
    HedgePhrase,
    check_languages,
    load_lexicon,
)
from groundwire.unicode_forms import nfkc

__all__ = ["HedgeCue", "HedgeDetector", "HedgeResult", "normalize_for_lexicon", "quoted_and_code_spans"]

_Chosen = tuple[HedgePhrase, HedgeCategory, int, int]
"""A hedge, its category, and its span in the given text."""

# White space other than a blank, invisible characters, and marks of emphasis, all of which may separate words.
_BETWEEN = (
    r"*_\t-\r\x1c-\x1f\x85\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U000e0000-\U000e0fff"
)
_ACCENTS = r"\u0300-\u034e\u0350-\u0362"
# Stylistic variants of letters and digits, and the one capital whose small letter is two characters.
_STYLED_LETTERS = (
    r"\u0130\u2100-\u214f\u2460-\u24ff\ufb00-\ufb06\uff07\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f"
    r"\U0001d400-\U0001d7ff\U0001f110-\U0001f189"
)
# Characters that the lexicons spell differently. One character class comes first, which `re` searches quickly.
_OTHER_FORMS = re.compile(
    f"[{_BETWEEN}{_ACCENTS}{_STYLED_LETTERS}](?:(?<=[{_BETWEEN}])[ {_BETWEEN}]*|(?<=[{_ACCENTS}])[{_ACCENTS}]*)?"
)
_OTHER_FORMS_OR_BLANKS = re.compile(f"{_OTHER_FORMS.pattern}|[ ]{{2,}}[ {_BETWEEN}]*")
_IS_BETWEEN = re.compile(f"[ {_BETWEEN}]").match
_HAS_WHITE_SPACE = re.compile(r"\s").search
_MARK = re.compile("[>`~\u201c\u201e\u00ab\u00bb\u2039\u300a\u300c\u300e\u2018\"']")
# Opening marks. Straight marks open at the start of a word (not in 5", dogs' bowls, '90s or 'tis), fences and quoted
# lines at the start of a line (`_begins_line`).
_OPENING = re.compile(
    r"(?<!`)(?:`{1,2}(?!`))|`{3,}|~{3,}|>[^\n]*|[\u201c\u201e\u00ab\u2039\u300a\u300c\u300e]|(?<!\S)\u00bb(?=\S)"
    r"|(?<!\w)(?:\"|['\u2018](?!\d|(?:tis|twas|em|til|cause)\b))(?=\S)",
    re.IGNORECASE,
)
_CLOSING = {
    mark: re.compile(closing, re.MULTILINE)
    for mark, closing in {
        "```": r"^[ ]{0,3}```+",
        "~~~": r"^[ ]{0,3}~~~+",
        "``": r"(?<!`)``(?!`)",
        "`": r"(?<!`)`(?!`)",
        "\u201c": "\u201d",
        "\u201e": "[\u201c\u201d]",
        "\u00ab": "\u00bb",
        "\u00bb": "\u00ab",
        "\u2039": "\u203a",
        "\u300a": "\u300b",
        "\u300c": "\u300d",
        "\u300e": "\u300f",
        "\u2018": r"(?<=\S)\u2019(?!\w)",
        '"': r'(?<=\S)"(?!\w)',
        "'": r"(?<=\S)'(?!\w)",
    }.items()
}
_WORD = re.compile(r"\w")
# A closing quotation mark, or another sign that looks like an apostrophe between letters: don\u2018t.
_APOSTROPHE = re.compile("\u2019|(?<=[A-Za-z\u00c0-\u024f])[\u2018\u201b\u02bc\u2032\u00b4](?=[A-Za-z\u00c0-\u024f])")


@dataclass(frozen=True, slots=True)
class HedgeCue:
    """
    One hedge: `claim[start:end] == text`, in code points.

    Attributes:
        text: Its words in the claim.
        start: Its start.
        end: Its end, which is not included.
        category: Its category.
        language: The language of its lexicon.
    """

    text: str = field(repr=False)
    start: int
    end: int
    category: HedgeCategory
    language: str

    @property
    def action(self) -> HedgeAction:
        """The action that this cue requires."""
        return ACTIONS[self.category]


@dataclass(frozen=True, slots=True)
class HedgeResult:
    """
    The hedges of a claim and the strictest action: BLOCK, then REVIEW, then CONTINUE.

    Two results are equal if their printed fields are equal.

    Attributes:
        is_speculative: Whether the claim has any hedge.
        action: The action that the hedges require.
        hedge_words: The words of each cue as in the claim, left to right.
        cues: The cues with span and category.
    """

    is_speculative: bool
    action: HedgeAction
    hedge_words: list[str] = field(default_factory=list, repr=False)
    cues: tuple[HedgeCue, ...] = field(default=(), compare=False)


class HedgeDetector:
    """
    Finds the hedges of a claim.

    Matching runs left to right, with the longest phrase first, on whole words (anywhere in Chinese and Japanese). Case,
    white space, character width and emphasis do not matter. Hedges in quotations and code count only if they are the
    whole claim.

    Immutable and safe to share between threads. Detectors of the same lexicons share their prepared data.

    Args:
        lexicons: Languages of `HedgeDetector.LANGUAGES`; all of them by default, because a hedge in an unexpected
            language is a hedge too.
        scientific: Whether to treat the words of English research prose as hedges (`indicates that`, `whether`,
            `putative`), which they are not in most other texts (ruling C6).

    Raises:
        ValueError: A lexicon is unknown, or the list is empty.
        TypeError: *lexicons* is a single str.
    """

    LANGUAGES = LANGUAGES

    __slots__ = ("_entries", "_patterns")

    def __init__(self, lexicons: Sequence[str] = LANGUAGES, *, scientific: bool = False) -> None:
        names = (*check_languages(lexicons), *(("scientific",) if scientific else ()))
        self._entries, self._patterns = _prepare(names)

    @property
    def patterns(self) -> Patterns:
        """All phrases. A normalised text without any of them has no hedge."""
        return self._patterns

    def analyze(self, text: str) -> HedgeResult:
        """
        Return the hedges of *text* and the action that they require.

        Takes time linear in the length of *text*.

        Raises:
            TypeError: *text* is not a str.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, got {type(text).__name__}")
        folded = normalize_for_lexicon(text)
        found = self._patterns.find_all(folded.lowered)
        chosen = self._chosen(text, folded.plain, found, folded) if found else []
        if not chosen:
            return HedgeResult(False, HedgeAction.CONTINUE)
        cues = tuple(
            HedgeCue(text[first:last], first, last, category, entry.language) for entry, category, first, last in chosen
        )
        return HedgeResult(True, _action(chosen), [cue.text for cue in cues], cues)

    def analyze_plain(self, text: str, found: list[tuple[int, int, int]]) -> tuple[HedgeAction, list[str]]:
        """
        Return the action that the hedges of *text* require, and their words, as `analyze` does.

        Args:
            text: A text in the spelling of the lexicons, except for case and curly apostrophes.
            found: The matches of `patterns` in that spelling.
        """
        chosen = self._chosen(text, _APOSTROPHE.sub("'", text), found)
        return _action(chosen), [text[first:last] for _, _, first, last in chosen]

    def _chosen(
        self, text: str, plain: str, found: list[tuple[int, int, int]], folded: "FoldedText | None" = None
    ) -> list[_Chosen]:
        """
        Choose cues among the matches in *plain*, by start, the longest first; *folded* maps them to *text*.

        An exception hides the matches inside it, and a cue those that overlap it; but a cue for review hides no
        blocking one.
        """
        skipped = quoted_and_code_spans(text)
        exception_end = cue_end = block_end = 0
        chosen: list[_Chosen] = []
        for index, start, end in found:
            entry = self._entries[index]
            if end <= exception_end or start < (block_end if entry.blocks else cue_end):
                continue
            if not entry.holds(plain, start):
                continue
            if entry.category is None:
                exception_end = end
                continue
            first, last = (start, end) if folded is None else folded.origin(start, end)
            if skipped and is_quoted_or_code(skipped, first, last):
                continue
            cue_end = max(cue_end, end)
            block_end = end if entry.blocks else block_end
            chosen.append((entry, entry.category, first, last))
        return chosen


def _action(chosen: list[_Chosen]) -> HedgeAction:
    """Return the strictest action of *chosen*."""
    for entry, _, _, _ in chosen:
        if entry.blocks:
            return HedgeAction.BLOCK
    return HedgeAction.REVIEW if chosen else HedgeAction.CONTINUE


@cache
def _prepare(names: tuple[str, ...]) -> tuple[tuple[HedgePhrase, ...], Patterns]:
    """
    Return the phrases of all lexicons, the longest first, and the engine's patterns in the same order.

    Matches with the same start are ordered by index, and so by length. Among equal phrases, exceptions come first, then
    blocking ones.
    """
    entries = [entry for name in names for entry in load_lexicon(name)]
    entries.sort(key=lambda entry: (-len(entry.words), entry.category is not None, not entry.blocks))
    return tuple(entries), Patterns([entry.words for entry in entries], word_boundaries=True)


@dataclass(slots=True)
class FoldedText:
    """
    A text in the searched form: `lowered` is `plain` in lower case, character by character.

    `starts` and `ends` are the spans of its characters in the original; empty if the offsets are equal.
    """

    plain: str
    lowered: str
    starts: list[int]
    ends: list[int]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original for [start, end), which must not be empty."""
        return (self.starts[start], self.ends[end - 1]) if self.starts else (start, end)


def normalize_for_lexicon(text: str) -> FoldedText:
    """Return *text* in the spelling of the lexicons."""
    if text.isascii() and text.isprintable() and "  " not in text and "*" not in text and "_" not in text:
        return FoldedText(text, text.lower(), [], [])
    text = _APOSTROPHE.sub("'", text)
    other_forms = _OTHER_FORMS_OR_BLANKS if "  " in text else _OTHER_FORMS
    folded = FoldedText(text, "", [], [])
    pieces: list[str] = []
    position = 0
    for found in other_forms.finditer(text):
        start, end = found.span()
        piece = _lexicon_form(text, start, end)
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


def _keep(folded: FoldedText, pieces: list[str], text: str, start: int, end: int) -> None:
    """Copy text[start:end] unchanged."""
    pieces.append(text[start:end])
    folded.starts.extend(range(start, end))
    folded.ends.extend(range(start + 1, end + 1))


def _take_letter(folded: FoldedText, pieces: list[str], accents: str) -> tuple[int, str]:
    """Remove the last character; return its start, and the character with *accents*."""
    while not pieces[-1]:
        pieces.pop()
    letter = pieces[-1][-1]
    pieces[-1] = pieces[-1][:-1]
    folded.ends.pop()
    return folded.starts.pop(), nfkc(letter + accents)


def _lexicon_form(text: str, start: int, end: int) -> str:
    """
    Return text[start:end] normalised: one blank for white space, nothing for invisible characters, NFKC for letters.
    """
    piece = text[start:end]
    if _IS_BETWEEN(piece):
        if _HAS_WHITE_SPACE(piece):
            return "" if text[start - 1 : start] == " " else " "
        is_inside_word = text[start - 1 : start].isalnum() and text[end : end + 1].isalnum()
        return piece if is_inside_word and piece.strip("_") == "" else ""
    return "i" if piece == "\u0130" else nfkc(piece)


def quoted_and_code_spans(text: str) -> list[tuple[int, int]]:
    """
    Return the spans of quotations, quoted lines and code in *text*, left to right, without overlaps.

    An unclosed mark opens nothing. Returns no span if the spans cover all words of *text*. Takes time linear in the
    length of *text*.
    """
    mark = _MARK.search(text)
    if mark is None:
        return []
    spans: list[tuple[int, int]] = []
    # The closing marks that do not occur any more, so that none is searched twice.
    missing: set[str] = set()
    while mark is not None:
        opening = _OPENING.match(text, mark.start())
        position = mark.end() if opening is None else opening.end()
        end = None if opening is None else _end(text, opening, missing)
        if end is not None:
            spans.append((mark.start(), end))
            position = end
        mark = _MARK.search(text, position)
    return spans if spans and _leave_words(text, spans) else []


def is_quoted_or_code(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Return whether [start, end) lies inside one of *spans*."""
    index = bisect_right(spans, (start, end + 1)) - 1
    return index >= 0 and spans[index][0] <= start and end <= spans[index][1]


def _end(text: str, opening: re.Match[str], missing: set[str]) -> int | None:
    """Return the end of the span that *opening* opens; None if it opens none."""
    mark = opening[0][:3] if opening[0][0] in "`~" else opening[0][0]
    if mark in (">", "```", "~~~") and not _begins_line(text, opening.start()):
        return None
    if mark == ">":
        return opening.end()
    if mark in missing:
        return None
    closing = _CLOSING[mark].search(text, opening.end())
    if closing is None:
        missing.add(mark)
        return None
    return closing.end()


def _begins_line(text: str, start: int) -> bool:
    """Return whether at most three blanks precede *start* in its line."""
    before = text[max(0, start - 4) : start].rpartition("\n")
    return not before[2].strip(" ") and (bool(before[1]) or len(before[2]) < 4)


def _leave_words(text: str, spans: list[tuple[int, int]]) -> bool:
    """Return whether a word is outside all *spans*."""
    position = 0
    for start, end in spans:
        if _WORD.search(text, position, start):
            return True
        position = end
    return _WORD.search(text, position) is not None
