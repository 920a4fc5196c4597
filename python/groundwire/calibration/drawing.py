"""
The error rates as an SVG picture, a panel for each policy.

Lines are told apart by their colour, their strokes and their markers; title and
description say in words what the picture shows.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from groundwire.calibration.curve import Calibration, Point
from groundwire.calibration.rates import Rate
from groundwire.calibration.tables import sentences

__all__ = ["draw"]

_WIDTH, _PANEL_HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 24, 92, 58
_HIGH = 1.0

# A marker stands at every so many thresholds.
_MARKER_STEP = 5


class _Line(NamedTuple):
    """How a rate is drawn: colours that people with any form of colour blindness tell apart (Okabe and Ito)."""

    label: str
    rate: Callable[[Point], Rate]
    colour: str
    dashes: str
    marker: str


class _Share(NamedTuple):
    """A rate at the threshold that is drawn at *x*, and its interval."""

    x: float
    share: float
    low: float
    high: float


_LINES = (
    _Line("false {}s accepted", lambda point: point.false_accepts, "#D55E00", "none", "M-4,-4h8v8h-8z"),
    _Line("true {}s rejected", lambda point: point.false_rejects, "#0072B2", "7 4", "M0,-5L5,4H-5z"),
)


def draw(calibrations: Sequence[Calibration]) -> str:
    """Return an SVG file: the rates and their 95 % intervals against the threshold, and the recommendations."""
    height = _PANEL_HEIGHT * len(calibrations)
    description = " ".join(
        f"Policy {calibration.policy}. {' '.join(sentences(calibration))}" for calibration in calibrations
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"',
        '  role="img" aria-labelledby="title description" font-family="sans-serif" font-size="13" fill="#222">',
        '<title id="title">Error rates against the threshold</title>',
        f'<desc id="description">{escape(description)}</desc>',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
    ]
    for number, calibration in enumerate(calibrations):
        parts += [f'<g transform="translate(0 {number * _PANEL_HEIGHT})">', *_panel(calibration), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


def _x(threshold: float, low: float) -> float:
    return round(_LEFT + (threshold - low) / (_HIGH - low) * (_WIDTH - _LEFT - _RIGHT), 1)


def _y(share: float) -> float:
    return round(_PANEL_HEIGHT - _BOTTOM - share * (_PANEL_HEIGHT - _TOP - _BOTTOM), 1)


def _panel(calibration: Calibration) -> Iterator[str]:
    point = calibration.recommended
    said = "no threshold recommended" if point is None else f"recommended threshold {point.threshold:.2f}"
    yield f'<text x="{_LEFT}" y="28" font-size="16">policy {escape(calibration.policy)}: {said}</text>'
    yield from _legend(calibration)
    yield from _axes(calibration)
    # All bands first: they would dull the lines of the others.
    for line in _LINES:
        yield from _band(_shares(calibration, line), line)
    for line in _LINES:
        yield from _curve(_shares(calibration, line), line, line.label.format(calibration.what))
    if point is not None:
        x = _x(point.threshold, calibration.points[0].threshold)
        yield f'<path d="M{x},{_y(1)}V{_y(0)}" stroke="#222" stroke-dasharray="2 3"/>'
        # Above the lines, which may be anywhere below.
        yield f'<text x="{x}" y="{_y(1) - 8:g}" text-anchor="middle">{point.threshold:.2f}</text>'


def _legend(calibration: Calibration) -> Iterator[str]:
    for number, line in enumerate(_LINES):
        x, y = _LEFT + 230 * number, 56
        yield f'<path d="M{x},{y}h44" stroke="{line.colour}" stroke-width="2" stroke-dasharray="{line.dashes}"/>'
        yield f'<path d="{line.marker}" transform="translate({x + 22} {y})" fill="{line.colour}"/>'
        yield f'<text x="{x + 52}" y="{y + 4}">{line.label.format(calibration.what)}</text>'
    yield f'<text x="{_LEFT + 460}" y="60">bands: 95 % intervals</text>'


def _axes(calibration: Calibration) -> Iterator[str]:
    low = calibration.points[0].threshold
    for tenths in range(0, 11, 2):
        y = _y(tenths / 10)
        yield f'<path d="M{_x(low, low)},{y}H{_x(_HIGH, low)}" stroke="#ccc"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:g}" text-anchor="end">{10 * tenths} %</text>'
    # Eleven of them, whatever lies between.
    for tenths in range(11):
        threshold = low + tenths / 10 * (_HIGH - low)
        x = _x(threshold, low)
        yield f'<path d="M{x},{_y(0)}v5" stroke="#222"/>'
        yield f'<text x="{x}" y="{_y(0) + 20:g}" text-anchor="middle">{threshold:.2f}</text>'
    yield f'<path d="M{_x(low, low)},{_y(1)}V{_y(0)}H{_x(_HIGH, low)}" stroke="#222" fill="none"/>'
    yield f'<text x="{(_x(low, low) + _x(_HIGH, low)) / 2:g}" y="{_y(0) + 44:g}" text-anchor="middle">threshold</text>'
    middle = (_y(0) + _y(1)) / 2
    label = f"share of these {calibration.what}s"
    yield f'<text transform="translate(18 {middle:g}) rotate(-90)" text-anchor="middle">{label}</text>'


def _shares(calibration: Calibration, line: _Line) -> list[_Share]:
    """The rate at each threshold; none where there is no quote to count."""
    low = calibration.points[0].threshold
    places = [(_x(point.threshold, low), line.rate(point)) for point in calibration.points]
    return [_Share(x, rate.share, *rate.interval) for x, rate in places if rate.share is not None]


def _band(shares: Sequence[_Share], line: _Line) -> Iterator[str]:
    """Yield the band of the intervals of a rate."""
    if shares:
        edge = [f"{each.x},{_y(each.high)}" for each in shares] + [f"{each.x},{_y(each.low)}" for each in shares[::-1]]
        yield f'<path d="M{"L".join(edge)}z" fill="{line.colour}" fill-opacity="0.15"/>'


def _curve(shares: Sequence[_Share], line: _Line, label: str) -> Iterator[str]:
    """Yield the line of a rate and its markers."""
    if not shares:
        return
    through = "L".join(f"{each.x},{_y(each.share)}" for each in shares)
    yield (
        f'<path d="M{through}" fill="none" stroke="{line.colour}" stroke-width="2" stroke-dasharray="{line.dashes}">'
        f"<title>{label}</title></path>"
    )
    for each in shares[::_MARKER_STEP]:
        yield f'<path d="{line.marker}" transform="translate({each.x} {_y(each.share)})" fill="{line.colour}"/>'
