"""
The plots of a summary, as SVG inside a page.

Every bar has its figure beside it, and every plot a title and a description in words, so that
nothing is told by colour or by length alone.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.report.markup import attribute, markup

__all__ = ["Bar", "bars", "columns"]

_WIDTH, _LABEL, _FIGURE, _ROW = 720, 190, 130, 26
_PLOT_HEIGHT, _BOTTOM, _TOP = 220, 44, 14


class Bar(NamedTuple):
    """A bar: its label, its length, the figure beside it, and whether it stands for something that is not there."""

    label: str
    value: float
    figure: str
    is_miss: bool = False


def bars(name: str, title: str, rows: Sequence[Bar]) -> Iterator[str]:
    """Yield bars that lie under each other, the longest as wide as the room."""
    longest = max((row.value for row in rows), default=0) or 1
    room = _WIDTH - _LABEL - _FIGURE
    yield from _head(name, title, len(rows) * _ROW + 4, "; ".join(f"{row.label}: {row.figure}" for row in rows))
    for place, row in enumerate(rows):
        y, width = place * _ROW, max(round(row.value / longest * room, 1), 1.0 if row.value else 0.0)
        kind = "miss" if row.is_miss else "bar"
        yield f'<text x="{_LABEL - 10}" y="{y + 18}" text-anchor="end">{markup(row.label)}</text>'
        yield f'<rect class="{kind}" x="{_LABEL}" y="{y + 4}" width="{width:g}" height="18"/>'
        yield f'<text x="{_LABEL + width + 8:g}" y="{y + 18}">{markup(row.figure)}</text>\n'
    yield "</svg>\n"


def columns(name: str, title: str, counts: Sequence[int], labels: Sequence[str], below: str) -> Iterator[str]:
    """Yield a histogram: columns beside each other with their counts above, and a label at each edge between them."""
    highest = max(counts, default=0) or 1
    step = (_WIDTH - 40) / max(len(counts), 1)
    told = "; ".join(
        f"{low} to {high}: {count}" for low, high, count in zip(labels, labels[1:], counts, strict=False) if count
    )
    yield from _head(name, title, _PLOT_HEIGHT + _BOTTOM, told)
    for place, count in enumerate(counts):
        x, height = 20 + place * step, round(count / highest * (_PLOT_HEIGHT - _TOP - 20), 1)
        y = _PLOT_HEIGHT - height
        yield f'<rect class="bar" x="{x + 2:g}" y="{y:g}" width="{step - 4:g}" height="{height:g}"/>'
        if count:
            yield f'<text x="{x + step / 2:g}" y="{y - 5:g}" text-anchor="middle">{count:,}</text>'
    yield f'<path class="axis" d="M20,{_PLOT_HEIGHT}H{_WIDTH - 20}"/>'
    for place, label in enumerate(labels):
        yield f'<text x="{20 + place * step:g}" y="{_PLOT_HEIGHT + 17}" text-anchor="middle">{markup(label)}</text>'
    yield f'<text x="{_WIDTH / 2:g}" y="{_PLOT_HEIGHT + 38}" text-anchor="middle">{markup(below)}</text>\n</svg>\n'


def _head(name: str, title: str, height: int, description: str) -> Iterator[str]:
    yield f'<svg viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img" '
    yield f'aria-labelledby="{attribute(name)}-title {attribute(name)}-words">'
    yield f'<title id="{attribute(name)}-title">{markup(title)}</title>'
    yield f'<desc id="{attribute(name)}-words">{markup(description)}</desc>\n'
