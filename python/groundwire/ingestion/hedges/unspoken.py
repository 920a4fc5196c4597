"""
Quotations and code: words that stand in a claim without being said by it.

A claim that is nothing but a quotation says it after all; otherwise marks around
everything would hide any hedge.
"""

import re
from bisect import bisect_right

__all__ = ["is_unspoken", "unspoken_spans"]

# Straight marks open at the beginning of a word and close at the end of one: 5" and dogs' bowls do not open. Nor
# does the apostrophe of '90s and 'tis.
_OPENING = re.compile(
    r"(?P<fence>^[ ]{0,3}(?:`{3}|~{3}))|(?P<line>^[ ]{0,3}>[^\n]*)|(?<!`)`{1,2}(?!`)"
    r"|[\u201c\u201e\u00ab\u2039\u300c\u300e]|(?<!\w)(?:\"|['\u2018](?!\d|(?:tis|twas|em|til|cause)\b))(?=\S)",
    re.MULTILINE | re.IGNORECASE,
)
_CLOSING = {
    mark: re.compile(closing, re.MULTILINE)
    for mark, closing in {
        "```": r"^[ ]{0,3}```",
        "~~~": r"^[ ]{0,3}~~~",
        "``": r"(?<!`)``(?!`)",
        "`": r"(?<!`)`(?!`)",
        "\u201c": "\u201d",
        "\u201e": "[\u201c\u201d]",
        "\u00ab": "\u00bb",
        "\u2039": "\u203a",
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
    spans: list[tuple[int, int]] = []
    # For which closing marks there is none any more: nothing is looked for twice.
    missing: set[str] = set()
    position = 0
    while opening := _OPENING.search(text, position):
        end = opening.end() if opening["line"] else _end(text, opening, missing)
        if end is None:
            position = opening.end()
            continue
        spans.append((opening.start(), end))
        position = end
    return spans if _leave_words(text, spans) else []


def is_unspoken(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Tell whether [start, end) lies inside one of *spans*."""
    index = bisect_right(spans, (start, end + 1)) - 1
    return index >= 0 and spans[index][0] <= start and end <= spans[index][1]


def _end(text: str, opening: re.Match[str], missing: set[str]) -> int | None:
    """Behind the mark that closes *opening*; None if there is none."""
    mark = opening[0].strip(" ")
    if mark in missing:
        return None
    found = _CLOSING[mark].search(text, opening.end())
    if found is None:
        missing.add(mark)
        return None
    return found.end()


def _leave_words(text: str, spans: list[tuple[int, int]]) -> bool:
    """Whether a word stands outside of all *spans*."""
    position = 0
    for start, end in spans:
        if _WORD.search(text, position, start):
            return True
        position = end
    return _WORD.search(text, position) is not None
