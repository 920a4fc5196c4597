"""
Quotations and code: words that stand in a claim without being said by it.

A claim that is nothing but a quotation says it after all; otherwise marks around
everything would hide any hedge.
"""

import re
from bisect import bisect_right

__all__ = ["is_unspoken", "unspoken_spans"]

_MARK = re.compile("[>`~\u201c\u201e\u00ab\u00bb\u2039\u300a\u300c\u300e\u2018\"']")
# What may open here. Straight marks do so at the beginning of a word (5" and dogs' bowls open nothing, nor does the
# apostrophe of '90s and 'tis), fences and quoted lines at the beginning of a line, as `_begins_line` says.
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


def unspoken_spans(text: str) -> list[tuple[int, int]]:
    """
    Return the spans of quotations, quoted lines and code in *text*, left to right, none inside another.

    A mark that nothing closes opens nothing. Empty if they hold all words of *text*.
    Takes time in proportion to the length of *text*.
    """
    mark = _MARK.search(text)
    if mark is None:
        return []
    spans: list[tuple[int, int]] = []
    # For which closing marks there is none any more: nothing is looked for twice.
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


def is_unspoken(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Tell whether [start, end) lies inside one of *spans*."""
    index = bisect_right(spans, (start, end + 1)) - 1
    return index >= 0 and spans[index][0] <= start and end <= spans[index][1]


def _end(text: str, opening: re.Match[str], missing: set[str]) -> int | None:
    """Behind what *opening* opens; None if that is nothing."""
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
    """Whether at most three blanks stand before *start* in its line."""
    before = text[max(0, start - 4) : start].rpartition("\n")
    return not before[2].strip(" ") and (bool(before[1]) or len(before[2]) < 4)


def _leave_words(text: str, spans: list[tuple[int, int]]) -> bool:
    """Whether a word stands outside of all *spans*."""
    position = 0
    for start, end in spans:
        if _WORD.search(text, position, start):
            return True
        position = end
    return _WORD.search(text, position) is not None
