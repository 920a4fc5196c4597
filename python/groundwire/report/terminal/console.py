"""Prints the lines of a report on a rich console, in colour and within its width."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from groundwire.report.terminal import INDENT, Block, Line, Row, Table
from groundwire.sanitize import one_line

__all__ = ["print_layout"]

_GAP = 2

# With less room than this, the last column goes below the others.
_MIN_TEXT_CELLS = 32

# Maximum length of a text on a screen; the other formats show everything.
_PART_LIMIT = 400
_LINE_LIMIT = 800


def print_layout(layout: Iterable[Block], console: Console) -> None:
    """Print *layout*; long texts are shortened in the middle, and long cells are wrapped."""
    for block in layout:
        if isinstance(block, Table):
            _print_table(block.rows, console)
        else:
            console.print(_text(block))


def _print_table(rows: Sequence[Row], console: Console) -> None:
    """Print the rows, with the last cell beside the others or below them, followed by the row's other lines."""
    cells = [[_text(cell) for cell in row.cells] for row in rows]
    widths = _widths([each[:-1] for each in cells], console.width)
    is_wide = console.width - sum(width + _GAP for width in widths if width) >= _MIN_TEXT_CELLS
    grid = _grid(widths, has_text=is_wide)
    for row, (*heads, last) in zip(rows, cells, strict=True):
        shown = [cell for cell, width in zip(heads, widths, strict=True) if width]
        grid.add_row(*shown, *([last] if is_wide else []))
        if row.below or not is_wide:
            console.print(grid)
            for text in [*([] if is_wide else [last]), *map(_text, row.below)]:
                console.print(Padding(text, (0, 0, 0, len(INDENT))))
            grid = _grid(widths, has_text=is_wide)
    if grid.row_count:
        console.print(grid)


def _widths(rows: Sequence[Sequence[Text]], room: int) -> list[int]:
    """Return the widths of the columns: the longest cells, with the widest reduced until all fit into *room*."""
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    while sum(width + _GAP for width in widths if width) > room + _GAP:
        widths[widths.index(max(widths))] -= 1
    return widths


def _grid(widths: Sequence[int], *, has_text: bool) -> Grid:
    """Return a grid without rows for the non-empty columns, and with *has_text* one for the remaining width."""
    grid = Grid.grid(padding=(0, _GAP, 0, 0), expand=has_text)
    for width in filter(None, widths):
        grid.add_column(width=width, overflow="fold")
    if has_text:
        grid.add_column(ratio=1, overflow="fold")
    return grid


def _text(line: Line) -> Text:
    """Return *line* as sanitized rich text, with long parts shortened in the middle."""
    text = Text()
    for part in line:
        if len(text) > _LINE_LIMIT:
            text.append(" …")
            break
        text.append(one_line(part.text, limit=_PART_LIMIT), part.style)
    return text
