"""Extracts the readable text of an answer or a note, block by block, with a map to the original offsets."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from groundwire._engine import markdown_blocks

__all__ = ["BLANK_LINE_AT_END", "LINE_END", "Block", "Prose"]

LINE_END = re.compile(r"\r\n?|\n")
"""Line ends of Markdown. `str.splitlines` knows more."""

BLANK_LINE_AT_END = re.compile(r"(?>\r\n?|\n)[ \t]*(?:\r\n?|\n)\Z")
"""A line end with a blank line after it, at the end of a text."""

_QUOTE_SIGN = re.compile(r"[ \t]*+>")
# Markup of lists, block quotes and headings before or below a line.
_MARKERS = re.compile(r"(?:[\s>*+=#-]|\d{1,9}[.)](?!\S))*+")
_ITEM_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}")
# Characters that are masked outside of prose, because they would quote, emphasise or cite.
_MASKED = re.compile(r"[^\w\s]")


class Block(NamedTuple):
    """
    Holds a paragraph, a heading, or another block with text.

    Attributes:
        kind: The engine's name: "paragraph", "heading", "indented", "html"; "" for whole lines outside of blocks.
        start, end: Offsets in `Prose.text`.
        container: Number of the block quote or list item around it, or None.
        list_around: Number from 1 of the block quote or list item around the list, or 0; None outside of lists.
    """

    kind: str
    start: int
    end: int
    container: int | None
    list_around: int | None = None


class _Container(NamedTuple):
    """Holds a block quote or a list item: its end, its number, and the number of the block quote."""

    end: int
    number: int
    quotation: int | None


class Prose:
    """
    Holds the readable text of *text*, Markdown or plain, without fenced code and markup of lists and block quotes.

    Whole lines outside of blocks, such as definitions of links and deeply nested text, are included, because skipped
    text would not be checked.

    Attributes:
        text: The blocks, separated by a blank line; lines end in LF.
        masked: The same text with `_` for marks in code, in tags and in link targets.
        blocks: Blocks in the order of the text.
        quotations: Block quotes as [first, end) of *blocks*, in the order of their starts.
    """

    def __init__(self, text: str) -> None:
        self.blocks: list[Block] = []
        self.quotations: list[tuple[int, int]] = []
        self._original = text
        # Start of each line in the new text and in the original.
        self._places: list[int] = []
        self._origins: list[int] = []
        self._around: list[_Container] = []
        blocks = markdown_blocks(text)
        masked = _masked(text, [(start, end) for kind, start, end in blocks if kind == "hidden"])
        lines = self._read(blocks)
        self.text, self.masked = ("\n".join(each[start:end] for start, end in lines) for each in (text, masked))

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the original of the characters [start, end), at least one."""
        return self._origin(start), self._origin(end - 1) + 1

    def start_of_last_block(self) -> int:
        """
        Return where the last block starts in the original, if it can be read without the text before it; otherwise 0.

        That is so for a paragraph after a blank line, and for an item of a list that is in no other list. A block that
        begins with a bracket may be a citation of the block before it.
        """
        text, block = self._original, self.blocks[-1]
        start = self._origin(block.start)
        line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        if block.container is None:
            is_alone = line == start and block.kind == "paragraph" and BLANK_LINE_AT_END.search(text, 0, line)
        else:
            is_alone = _ITEM_MARKER.fullmatch(text, line, start)
        return line if is_alone and text[start] not in "[【(" else 0

    def _origin(self, place: int) -> int:
        line = bisect_right(self._places, place) - 1
        return self._origins[line] + place - self._places[line]

    def _read(self, blocks: Sequence[tuple[str, int, int]]) -> list[tuple[int, int]]:
        """Record the blocks, and return the lines of the text with an empty one after each block."""
        lines: list[tuple[int, int]] = []
        done = containers = 0
        for kind, start, end in [*blocks, ("", len(self._original), len(self._original))]:
            if kind == "hidden":
                continue
            for paragraph in self._passed_over(done, start):
                lines += self._placed("", paragraph)
            self._leave(start)
            done = start
            if kind in ("quote", "item"):
                quotation = len(self.quotations) if kind == "quote" else None
                self._around.append(_Container(end, containers, quotation))
                containers += 1
                if quotation is not None:
                    self.quotations.append((len(self.blocks), len(self.blocks)))
            elif kind:
                done = end
                if kind != "fenced":
                    lines += self._placed(kind, [*self._lines(start, end)])
        self._leave(len(self._original) + 1)
        return lines

    def _leave(self, start: int) -> None:
        """Close the containers that end before *start*."""
        while self._around and self._around[-1].end <= start:
            quotation = self._around.pop().quotation
            if quotation is not None:
                self.quotations[quotation] = (self.quotations[quotation][0], len(self.blocks))

    def _lines(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the text of each line of a block, without the markers of block quotes."""
        text = self._original
        depth = sum(each.quotation is not None for each in self._around)
        for place, line_end in _line_spans(text, start, end):
            words = place
            for _ in range(depth if place > start else 0):
                if (sign := _QUOTE_SIGN.match(text, words, line_end)) is None:
                    break
                words = sign.end()
            said = text[words:line_end]
            words += len(said) - len(said.lstrip())
            yield words, words + len(said.strip())

    def _passed_over(self, start: int, end: int) -> Iterator[list[tuple[int, int]]]:
        """Yield the paragraphs in the whole lines of [start, end), which are outside of blocks."""
        text = self._original
        if start and text[start - 1] not in "\r\n":
            rest = LINE_END.search(text, start, end)
            start = end if rest is None else rest.end()
        if end < len(text):
            end = 1 + max(text.rfind("\n", start, end), text.rfind("\r", start, end))
        if start >= end:
            return
        self._leave(start)
        lines: list[tuple[int, int]] = []
        for place, line_end in self._lines(start, end):
            marks = _MARKERS.match(text, place, line_end)
            words = place if marks is None else marks.end()
            if words < line_end:
                lines.append((words, line_end))
            elif lines:
                yield lines
                lines = []
        if lines:
            yield lines

    def _placed(self, kind: str, lines: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Record a block with these *lines*, and return them with an empty one."""
        size = first = self.blocks[-1].end + 2 if self.blocks else 0
        for start, end in lines:
            self._places.append(size)
            self._origins.append(start)
            size += end - start + 1
        container = self._around[-1] if self._around else None
        is_item = container is not None and container.quotation is None
        list_around = (self._around[-2].number + 1 if len(self._around) > 1 else 0) if is_item else None
        self.blocks.append(Block(kind, first, size - 1, container and container.number, list_around))
        return [*lines, (0, 0)]


def _masked(text: str, hidden: Iterable[tuple[int, int]]) -> str:
    pieces, done = [], 0
    for start, end in hidden:
        pieces += [text[done:start], _MASKED.sub("_", text[start:end])]
        done = end
    return "".join([*pieces, text[done:]])


def _line_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the lines of [start, end) without line ends; nothing after the last line end."""
    for line in LINE_END.finditer(text, start, end):
        yield start, line.start()
        start = line.end()
    if start < end:
        yield start, end
