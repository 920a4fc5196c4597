"""
The readable text of an answer, block by block, with the way back to its offsets.

markdown-it-py says what is a paragraph, a list, a block quote or a code fence:
that a fence ends with its list item, or that a line without `>` still belongs to
the quoted paragraph, is what its authors get right and a rule of thumb does not.
Of what stands inside a paragraph it gives no positions, so links, code spans and
tags are read by `prose_marks`.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["Block", "Prose", "read_prose"]

# Deeper lists and block quotes are read as plain lines. The parser's time is lines times depth at worst.
_MAX_NESTING = 10

# Where markdown-it-py ends a line. `str.splitlines` ends one in more places.
_LINE_END = re.compile(r"\r\n?|\n")

_CODE_ELEMENT = re.compile(r"[ \t]*<(?:script|style|pre|textarea)\b", re.IGNORECASE)

# What lists and block quotes put before a line.
_MARKERS = re.compile(r"[\s>*+-]*+")

_CONTAINERS = frozenset({"blockquote_open", "list_item_open"})
_LEAVES = frozenset({"inline", "fence", "html_block"})


@dataclass(frozen=True, slots=True)
class Block:
    """
    A paragraph, a heading, or another block that holds text.

    Attributes:
        start, end: Its place in `Prose.text`.
        container: The number of the innermost block quote or list item it stands in, or None.
    """

    start: int
    end: int
    container: int | None


@dataclass(slots=True)
class Prose:
    """
    What there is to read: no code block, no marks of lists and block quotes.

    Attributes:
        text: The blocks, a blank line between two; their lines end in LF.
        blocks: In the order of the text.
        quotations: The block quotes as [first, end) of *blocks*, by where they begin.
    """

    text: str = ""
    blocks: list[Block] = field(default_factory=list)
    quotations: list[tuple[int, int]] = field(default_factory=list)
    _places: list[int] = field(default_factory=list)
    _origins: list[int] = field(default_factory=list)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the original of the characters [start, end), at least one."""
        return self._original(start), self._original(end - 1) + 1

    def _original(self, place: int) -> int:
        line = bisect_right(self._places, place) - 1
        return self._origins[line] + place - self._places[line]


def read_prose(text: str) -> Prose:
    """
    Return what of *text*, Markdown or plain, is there to be read.

    Indented code is read as text: answers have more indented prose than indented
    code, and a quotation that is overlooked is one that nobody checks.
    """
    lines = _lines(text)
    leaves, quotations = _structure(text, lines)
    prose = Prose(quotations=quotations)
    parts: list[str] = []
    place = 0
    for leaf in leaves:
        start = place
        for (offset, line), content in zip(lines[leaf.first : leaf.end], leaf.contents, strict=False):
            words = content.strip()
            # What the parser took off a line are marks before it and, of headings, after it.
            column = max(0, line.replace("\0", "\ufffd").rfind(words))
            prose._places.append(place)
            prose._origins.append(offset + column)
            parts.append(line[column : column + len(words)])
            place += len(words) + 1
        prose.blocks.append(Block(start, place - 1, leaf.container))
        parts.append("")
        place += 1
    prose.text = "\n".join(parts)
    return prose


Line = tuple[int, str]
"""Where a line begins in the original, and its characters without the line end."""


@dataclass(frozen=True, slots=True)
class _Leaf:
    """The lines [first, end) of a block, what the parser made of each, and what is around them, as in `Block`."""

    first: int
    end: int
    contents: list[str]
    container: int | None


def _lines(text: str) -> list[Line]:
    ends = [(match.start(), match.end()) for match in _LINE_END.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(text)]
    return [(start, text[start:stop]) for start, stop in zip(starts, stops, strict=True)]


def _structure(text: str, lines: list[Line]) -> tuple[list[_Leaf], list[tuple[int, int]]]:
    """Return the blocks of *text* that hold text, and its block quotes as ranges of them."""
    leaves: list[_Leaf] = []
    quotations: dict[int, tuple[int, int]] = {}
    around: list[int] = []
    read = containers = 0
    for token in _parser().parse(text):
        if token.type in _CONTAINERS:
            around.append(containers)
            containers += 1
            if token.type == "blockquote_open":
                quotations[containers - 1] = (len(leaves), len(leaves))
        elif token.type in ("blockquote_close", "list_item_close"):
            number = around.pop()
            if number in quotations:
                quotations[number] = (quotations[number][0], len(leaves))
        elif token.map is not None and token.type in _LEAVES:
            container = around[-1] if around else None
            first, end = token.map
            leaves += _passed_over(lines, read, first, container)
            if not _is_code(token):
                leaves.append(_Leaf(first, end, token.content.rstrip("\n").split("\n"), container))
            read = end
    leaves += _passed_over(lines, read, len(lines), None)
    return leaves, list(quotations.values())


def _passed_over(lines: list[Line], first: int, end: int, container: int | None) -> "Iterator[_Leaf]":
    """Yield the paragraphs in the lines [first, end), which the parser found to be nested too deep."""
    contents: list[str] = []
    for number in range(first, end + 1):
        content = _MARKERS.sub("", lines[number][1], count=1) if number < end else ""
        if content:
            contents.append(content)
        elif contents:
            yield _Leaf(number - len(contents), number, contents, container)
            contents = []


def _is_code(token: "Token") -> bool:
    return token.type == "fence" or (token.type == "html_block" and _CODE_ELEMENT.match(token.content) is not None)


@cache
def _parser() -> "MarkdownIt":
    """Return a parser of blocks alone. Links' definitions stay paragraphs, which `prose_marks` knows to pass over."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).disable(["code", "reference", "lheading"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
