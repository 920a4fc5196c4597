"""
What an answer puts in quotation marks, or in a block quote.

An answer is plain text or Markdown. What it says in somebody's words is what has
to be checked, so these passages are pulled out, with their places. Apostrophes,
inches, code, the targets of links and the attributes of tags are no quotations;
《…》 and 〈…〉 are not either, for they name books and songs.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from groundwire.evidence.prose_blocks import Prose, read_prose
from groundwire.evidence.prose_marks import Pair, Pairing, pair_marks

__all__ = ["QuotedSpan", "quotes_in"]

_EMPHASIS = "*_~"

_HAS_LETTER = re.compile(r"[^\W_]")

# A note box of GitHub's Markdown is written as a block quote, but quotes nobody.
_NOTE_BOX = re.compile(r"\[![A-Za-z]+\]")

# The last line of a block quote that says whose words they are.
_SIGNATURE = re.compile(r"[*_~]*+(?:—|–|―|--)\s*\S")

# What may stand between a closing mark and the end of a block quote: references, then a name behind a dash.
_AFTER_QUOTE = re.compile(r"[*_~]*+(?:\s*+(?:\[[^\]\n]*+\]|\([^()\n]*+\)))*+[*_~]*+[\s,]*+(?:(?:—|–|―|--?)[^\n]*+)?")

# Numbers in brackets behind the last word: a reference. They are looked for in so many last characters.
_REFERENCES = re.compile(r"(?:\s*\[\^?\d[\d,\s–-]*\])+$")
_REFERENCES_MAX_CHARS = 60


@dataclass(frozen=True, slots=True)
class QuotedSpan:
    """
    A passage that a text quotes.

    Attributes:
        text: The passage, without marks, spaces and emphasis around it. It is the slice [start, end)
            of the text that was read, unless it spans lines: then line ends are LF, what Markdown
            puts before the lines of a block is left out, and so is a quotation mark that is repeated
            where a paragraph begins.
        start, end: Its place, in code points of the text that was read.
        marks: The marks around it, as written; of a block quote without any (">", "").
        kind: "inline" within quotation marks, "block" for a block quote. A block quote
            that is all in quotation marks is one span, of kind "block".
        depth: How many other spans it stands in.
    """

    text: str
    start: int
    end: int
    marks: tuple[str, str]
    kind: Literal["inline", "block"]
    depth: int


@dataclass(frozen=True, slots=True)
class _Span:
    """The characters [start, end) of a `Prose` that are quoted."""

    start: int
    end: int
    marks: tuple[str, str]
    kind: Literal["inline", "block"]


def quotes_in(text: str, *, min_chars: int = 1) -> list[QuotedSpan]:
    """
    Return the passages that *text* quotes.

    Quotation marks are those of European and East Asian languages, straight ones
    included, in each direction that a language uses them. A mark that is never
    closed quotes nothing, unless the next paragraph begins with it again. An
    apostrophe behind a plural ends a quotation in single marks only if nothing
    else does: `'The dogs' bowls are empty.'` is one passage.

    Args:
        text: Plain text or Markdown.
        min_chars: Leave out passages of fewer characters. A passage without a letter
            or digit is always left out.

    Returns:
        The passages by where they start, outer ones before those in them. They
        hold each other or are apart.

    Raises:
        TypeError: *text* is not a str.
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, got {type(text).__name__}")
    prose = read_prose(text)
    pairing = pair_marks(prose.text, prose.blocks)
    inline = {pair.start: _trimmed(prose.text, _inside(pair)) for pair in pairing.pairs}
    ends = {pair.start: pair.end for pair in pairing.pairs}
    found = [*_block_spans(prose, inline, ends), *inline.values()]
    return list(_placed(prose, pairing, found, min_chars))


def _inside(pair: Pair) -> _Span:
    return _Span(pair.inside, pair.outside, pair.marks, "inline")


def _trimmed(text: str, span: _Span) -> _Span:
    """Return *span* without the spaces and the emphasis around its words."""
    start, end = span.start, span.end
    while start < end:
        if text[start].isspace():
            start += 1
        elif text[end - 1].isspace():
            end -= 1
        elif text[start] == text[end - 1] and text[start] in _EMPHASIS and end - start > 1:
            start, end = start + 1, end - 1
        else:
            break
    return replace(span, start=start, end=end)


def _block_spans(prose: Prose, inline: dict[int, _Span], ends: dict[int, int]) -> Iterator[_Span]:
    """Yield the block quotes; take out of *inline* the passage that is all of one."""
    seen = set()
    # From the inside: of two block quotes around the same words the inner one stays.
    for first, end in reversed(prose.quotations):
        if first == end or (first, end) in seen:
            continue
        seen.add((first, end))
        span = _Span(prose.blocks[first].start, prose.blocks[end - 1].end, (">", ""), "block")
        if _NOTE_BOX.match(prose.text, span.start) is None:
            span = _unsigned(prose.text, span)
            opening = span.start + _emphasis_chars(prose.text, span)
            if opening in inline and _AFTER_QUOTE.fullmatch(prose.text, ends[opening], span.end):
                yield replace(inline.pop(opening), kind="block")
            else:
                yield span


def _unsigned(text: str, span: _Span) -> _Span:
    """Return a block quote without the line that says whose it is, and without references at its end."""
    span = _trimmed(text, span)
    line = text.rfind("\n", span.start, span.end) + 1
    if line > 0 and _SIGNATURE.match(text, line, span.end):
        span = _trimmed(text, replace(span, end=line))
    tail = max(span.start, span.end - _REFERENCES_MAX_CHARS)
    references = _REFERENCES.search(text, tail, span.end)
    return span if references is None else _trimmed(text, replace(span, end=references.start()))


def _emphasis_chars(text: str, span: _Span) -> int:
    """Return how many signs of emphasis *span* begins with."""
    words = text[span.start : span.end]
    return len(words) - len(words.lstrip(_EMPHASIS))


def _placed(prose: Prose, pairing: Pairing, spans: list[_Span], min_chars: int) -> Iterator[QuotedSpan]:
    """Yield *spans* with their words, their places in the original and their depth."""
    around: list[int] = []
    for span in sorted(spans, key=lambda each: (each.start, -each.end)):
        words = _words(pairing, span)
        if len(words) < min_chars or not _HAS_LETTER.search(words):
            continue
        while around and around[-1] <= span.start:
            around.pop()
        start, end = prose.original(span.start, span.end)
        yield QuotedSpan(words, start, end, span.marks, span.kind, depth=len(around))
        around.append(span.end)


def _words(pairing: Pairing, span: _Span) -> str:
    """Return the text of *span* without the marks that its paragraphs repeat."""
    parts = []
    place = span.start
    repeated = pairing.repeated
    for start, end in repeated[bisect_left(repeated, (span.start, 0)) : bisect_left(repeated, (span.end, 0))]:
        parts.append(pairing.text[place:start])
        place = end
    return "".join([*parts, pairing.text[place : span.end]])
