"""
The plots of a summary, as SVG inside a page.

Every bar has its figure above it, and every plot a title and a description in words, so that
nothing is told by colour or by length alone.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.report.markup import attribute, markup

__all__ = ["Bar", "bars", "columns"]

_ROW, _PLOT_HEIGHT, _BOTTOM, _TOP = 42, 220, 24, 34
"""Heights, in pixels. Places across are shares of the width: a telephone has half of what a screen has."""


class Bar(NamedTuple):
    """A bar: its label, its length, the figure above it, and whether it stands for something that is not there."""

    label: str
    value: float
    figure: str
    is_miss: bool = False


def bars(name: str, title: str, rows: Sequence[Bar]) -> Iterator[str]:
    """Yield bars that lie under each other, the longest as wide as the room; above each its label and its figure."""
    longest = max((row.value for row in rows), default=0) or 1
    yield from _head(name, title, len(rows) * _ROW, "; ".join(f"{row.label}: {row.figure}" for row in rows))
    for place, row in enumerate(rows):
        y, width = place * _ROW, max(round(100 * row.value / longest, 2), 0.3 if row.value else 0.0)
        kind = "miss" if row.is_miss else "bar"
        yield f'<text x="0" y="{y + 14}">{markup(row.label)}<tspan dx="10">{markup(row.figure)}</tspan></text>'
        yield f'<rect class="{kind}" x="0" y="{y + 19}" width="{width:g}%" height="14"/>\n'
    yield "</svg>\n"


def columns(name: str, title: str, counts: Sequence[int], labels: Sequence[str], below: str) -> Iterator[str]:
    """Yield a histogram: columns beside each other with their counts above, a label at each edge, and words."""
    highest = max(counts, default=0) or 1
    step = 100 / max(len(counts), 1)
    told = "; ".join(
        f"{low} to {high}: {count}" for low, high, count in zip(labels, labels[1:], counts, strict=False) if count
    )
    yield from _head(name, title, _PLOT_HEIGHT + _BOTTOM, told)
    for place, count in enumerate(counts):
        height = round(count / highest * (_PLOT_HEIGHT - _TOP), 1)
        x, y = place * step, _PLOT_HEIGHT - height
        yield f'<rect class="bar" x="{x + 0.3:g}%" y="{y:g}" width="{step - 0.6:g}%" height="{height:g}"/>'
        if count:
            yield f'<text x="{x + step / 2:g}%" y="{y - 5:g}" text-anchor="middle">{count:,}</text>'
    yield f'<line class="axis" x1="0" x2="100%" y1="{_PLOT_HEIGHT}" y2="{_PLOT_HEIGHT}"/>'
    for place, label in enumerate(labels):
        anchor = "start" if place == 0 else "end" if place == len(labels) - 1 else "middle"
        # There is room for every other one where there is little.
        kind = ' class="odd"' if place % 2 else ""
        yield f'<text{kind} x="{place * step:g}%" y="{_PLOT_HEIGHT + 17}" text-anchor="{anchor}">{markup(label)}</text>'
    yield f'\n</svg>\n<p class="note">{markup(below)}</p>\n'


def _head(name: str, title: str, height: int, description: str) -> Iterator[str]:
    yield f'<svg width="100%" height="{height}" role="img" '
    yield f'aria-labelledby="{attribute(name)}-title {attribute(name)}-words">'
    yield f'<title id="{attribute(name)}-title">{markup(title)}</title>'
    yield f'<desc id="{attribute(name)}-words">{markup(description)}</desc>\n'
