"""
Prints reports as lines for people: in coloured columns on a terminal, and as the same lines without colour elsewhere.

Each module of this package lays out one report: its `layout` yields lines and tables of text, each part with a style.
`render_plain` joins them; `groundwire.report.terminal.console` prints them with rich, which only a terminal loads. A
layout escapes nothing, because both outputs sanitize every text and keep it on one line.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from groundwire.sanitize import one_line

__all__ = ["INDENT", "Block", "Line", "Row", "StyledText", "Table", "aligned", "line", "render_plain"]

_GAP = "  "

INDENT = "    "
"""Indent of the lines below a row of a table."""


class StyledText(NamedTuple):
    """Holds a text and the name of its style in rich."""

    text: str
    style: str = ""


Line: TypeAlias = tuple[StyledText, ...]


class Row(NamedTuple):
    """Holds the cells of one item, and the lines below it; only the last cell may be long."""

    cells: tuple[Line, ...]
    below: tuple[Line, ...] = ()


class Table(NamedTuple):
    """Holds rows with aligned columns."""

    rows: Sequence[Row]


Block: TypeAlias = Line | Table


def line(text: str = "", style: str = "") -> Line:
    """Return a line with one part."""
    return (StyledText(text, style),)


def render_plain(layout: Iterable[Block]) -> str:
    """Return *layout* without colour, one line per row; the last cell is never cut or wrapped."""
    return "".join(f"{each}\n" for block in layout for each in _plain_lines(block))


def _plain_lines(block: Block) -> Iterator[str]:
    if not isinstance(block, Table):
        yield one_line(_joined(block))
        return
    rows = aligned([tuple(map(_joined, row.cells)) for row in block.rows])
    for text, row in zip(rows, block.rows, strict=True):
        yield text
        yield from (INDENT + one_line(_joined(below)) for below in row.below)


def _joined(parts: Line) -> str:
    return parts[0].text if len(parts) == 1 else "".join([part.text for part in parts])


def aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Join the sanitized cells of each row, padded to the width of their columns; empty columns are dropped."""
    if not rows:
        return []
    rows = [tuple(map(one_line, row)) for row in rows]
    widths = [max(_cells(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return [
        _GAP.join(
            [cell + " " * (width - _cells(cell)) for cell, width in zip(row[:-1], widths, strict=True) if width]
            + [row[-1]]
        )
        for row in rows
    ]


def _cells(text: str) -> int:
    """Return the width of *text* in terminal cells: two for wide characters, none for combining ones."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )
