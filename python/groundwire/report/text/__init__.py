"""Rows of text as columns that line up on a terminal."""

import unicodedata

from groundwire.sanitize import one_line

_GAP = "  "


def aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Join each row's cells, sanitized and on one line, all but the last padded to their column; empty columns go."""
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
    """Return how many terminal cells *text* fills: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )
