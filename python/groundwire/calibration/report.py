"""
Renders calibrations and fitted scores as text, Markdown, JSON or SVG.

In the SVG, lines differ in colour, dashes and markers; its title and description say in words what it shows.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from groundwire.calibration.measures import MEASURES
from groundwire.calibration.support import FOLDS, SubjectWords, SupportFit, subject_words
from groundwire.calibration.thresholds import Calibration, CalibrationStatus, Point, Rate

__all__ = ["better_sentence", "render"]

_LEGEND = "Rates: share (95 % Wilson interval; count/total). * marks the recommended threshold."

# The tables show every fifth threshold and the recommended one.
_TABLE_STEP = 5

_WIDTH, _PANEL_HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 24, 92, 58
_HIGH = 1.0
_MARKER_STEP = 5


def render(result: Sequence[Calibration] | SupportFit, report_format: str) -> str:
    """
    Return *result* as "text", "markdown", "json" or "svg".

    JSON has every threshold, with shares and intervals from 0.0 to 1.0. SVG shows the rates and their 95 % intervals
    against the threshold.

    Raises:
        KeyError: *report_format* is unknown.
    """
    fit, calibrations = (result, result.errors) if isinstance(result, SupportFit) else (None, result)
    return _RENDERERS[report_format](calibrations, fit)


def better_sentence(fit: SupportFit) -> str:
    """Return a sentence that says whether the fitted score is better than its baseline."""
    words = _words(fit)
    if fit.is_better:
        return f"The fitted score is better than the {words.baseline} on these {fit.score.subject}."
    return f"The fitted score is no better than the {words.baseline} on these {fit.score.subject}: {words.advice}."


def _words(fit: SupportFit) -> SubjectWords:
    return subject_words(fit.score.subject)


def _text(calibrations: Sequence[Calibration], fit: SupportFit | None) -> str:
    lines = [] if fit is None else [*_fit_sentences(fit), "", *_aligned(_fit_rows(fit)), ""]
    for calibration in calibrations:
        lines += [f"policy {calibration.policy}", *_sentences(calibration), "", *_aligned(_rows(calibration)), ""]
    return "\n".join([*lines, _LEGEND, ""])


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _markdown(calibrations: Sequence[Calibration], fit: SupportFit | None) -> str:
    lines = []
    if fit is not None:
        table = _markdown_table(_fit_rows(fit), ("---", "---:", "---:", "---:"))
        lines += ["# Score of support", "", " ".join(_fit_sentences(fit)), "", *table, ""]
    lines += ["# Calibration", ""]
    for calibration in calibrations:
        table = _markdown_table(_rows(calibration), ("---:", "---", "---"))
        lines += [f"## Policy `{calibration.policy}`", "", " ".join(_sentences(calibration)), "", *table, ""]
    return "\n".join([*lines, _LEGEND, ""])


def _markdown_table(rows: Sequence[tuple[str, ...]], alignment: tuple[str, ...]) -> list[str]:
    return ["| " + " | ".join(row) + " |" for row in (rows[0], alignment, *rows[1:])]


def _json(calibrations: Sequence[Calibration], fit: SupportFit | None) -> str:
    plain = {"schema_version": "1"} | ({} if fit is None else _plain_fit(fit))
    return json.dumps(plain | {"calibrations": [_plain_calibration(each) for each in calibrations]}, indent=2) + "\n"


def _plain_fit(fit: SupportFit) -> dict[str, Any]:
    words = _words(fit)
    sizes = dict(zip(words.labels, (fit.supported, fit.unsupported), strict=True))
    return {
        "score": {"name": fit.score.name, "sha256": fit.score.sha256, f"is_better_than_{words.key}": fit.is_better},
        fit.score.subject: {**sizes, "documents": fit.documents},
        words.key: fit.baseline._asdict(),
        "fitted": fit.fitted._asdict() | {"auroc_from": fit.auroc_from},
        "gains": {key: gain._asdict() for key, gain in zip(fit.baseline._fields, fit.gains, strict=True)},
    }


def _plain_calibration(calibration: Calibration) -> dict[str, Any]:
    recommended = calibration.recommended
    return {
        "policy": calibration.policy,
        "max_false_accept": calibration.max_false_accept,
        "outcome": str(calibration.outcome),
        "recommended_threshold": None if recommended is None else recommended.threshold,
        "is_shown": calibration.is_shown,
        "points": [
            {
                "threshold": point.threshold,
                "false_accepts": _plain_rate(point.false_accepts),
                "false_rejects": _plain_rate(point.false_rejects),
            }
            for point in calibration.points
        ],
    }


def _plain_rate(rate: Rate) -> dict[str, Any]:
    return {"count": rate.count, "total": rate.total, "share": rate.share, "interval": rate.interval}


def _fit_sentences(fit: SupportFit) -> list[str]:
    yes, no = _words(fit).labels
    sample = (
        f"{fit.supported:,} {yes} and {fit.unsupported:,} {no} {fit.score.subject} from {fit.documents:,} documents"
    )
    return [
        better_sentence(fit),
        f"Based on {sample}.",
        f"The fitted score is cross-validated in {FOLDS} folds: each document is scored by a model of the others.",
    ]


def _fit_rows(fit: SupportFit) -> list[tuple[str, ...]]:
    """Return the table of measures, its head first."""
    head = ("measure", _words(fit).key, "fitted", "gain (95 % interval)")
    columns = zip(MEASURES, fit.baseline, fit.fitted, fit.gains, strict=True)
    rows = [(name, f"{baseline:.3f}", f"{fitted:.3f}", str(gain)) for name, baseline, fitted, gain in columns]
    return [head, *rows]


def _sentences(calibration: Calibration) -> list[str]:
    """Return the recommendation and how reliable it is."""
    kind, allowed, point = calibration.kind, _percent(calibration.max_false_accept), calibration.recommended
    false, true = calibration.points[0].false_accepts.total, calibration.points[0].false_rejects.total
    if calibration.outcome is CalibrationStatus.NO_FALSE_QUOTES:
        return [f"No recommendation: none of the {true} labelled {kind}s is labelled false."]
    sample = f"Based on {false} false and {true} true {kind}s."
    if point is None:
        last = calibration.points[-1]
        rate = f"the rate at {last.threshold:.2f} is {last.false_accepts}"
        return [f"No threshold accepts at most {allowed} of the false {kind}s: {rate}.", sample]
    scope = f"the lowest that accepts at most {allowed} of the false {kind}s"
    doubt = [] if calibration.is_shown else [_doubt(calibration, point, allowed)]
    return [f"Recommended threshold: {point.threshold:.2f}, {scope}.", sample, *doubt]


def _doubt(calibration: Calibration, point: Point, allowed: str) -> str:
    """Say that the sample is too small for the recommendation, and which size would do."""
    high = _percent(point.false_accepts.interval[1])
    too_small = f"The sample is too small to be sure: the true rate may be as high as {high}."
    needed = calibration.false_labels_needed
    if point.false_accepts.count or needed is None:
        return too_small
    return f"{too_small} To show {allowed}, it takes {needed} false {calibration.kind}s of which none is accepted."


def _percent(share: float) -> str:
    return f"{round(100 * share, 1):g} %"


def _rows(calibration: Calibration) -> list[tuple[str, ...]]:
    head = "threshold", f"false {calibration.kind}s accepted", f"true {calibration.kind}s rejected"
    rows = []
    for number, point in enumerate(calibration.points):
        is_recommended = point == calibration.recommended
        if number % _TABLE_STEP == 0 or is_recommended:
            threshold = f"{point.threshold:.2f}{'*' if is_recommended else ''}"
            rows.append((threshold, str(point.false_accepts), str(point.false_rejects)))
    return [head, *rows]


class _Line(NamedTuple):
    """How a rate is drawn, in colours that colour-blind people can tell apart (Okabe and Ito)."""

    label: str
    rate: Callable[[Point], Rate]
    colour: str
    dashes: str
    marker: str


class _Share(NamedTuple):
    """A rate and its interval, at the horizontal position of its threshold."""

    x: float
    share: float
    low: float
    high: float


_LINES = (
    _Line("false {}s accepted", lambda point: point.false_accepts, "#D55E00", "none", "M-4,-4h8v8h-8z"),
    _Line("true {}s rejected", lambda point: point.false_rejects, "#0072B2", "7 4", "M0,-5L5,4H-5z"),
)


def _svg(calibrations: Sequence[Calibration], _fit: SupportFit | None) -> str:
    """Draw a panel for each calibration."""
    height = _PANEL_HEIGHT * len(calibrations)
    description = " ".join(f"Policy {each.policy}. {' '.join(_sentences(each))}" for each in calibrations)
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
    title = "no threshold recommended" if point is None else f"recommended threshold {point.threshold:.2f}"
    yield f'<text x="{_LEFT}" y="28" font-size="16">policy {escape(calibration.policy)}: {title}</text>'
    yield from _legend(calibration)
    yield from _axes(calibration)
    # All bands come first: a band over a line would dull it.
    for line in _LINES:
        yield from _band(_shares(calibration, line), line)
    for line in _LINES:
        yield from _curve(_shares(calibration, line), line, line.label.format(calibration.kind))
    if point is not None:
        x = _x(point.threshold, calibration.points[0].threshold)
        yield f'<path d="M{x},{_y(1)}V{_y(0)}" stroke="#222" stroke-dasharray="2 3"/>'
        yield f'<text x="{x}" y="{_y(1) - 8:g}" text-anchor="middle">{point.threshold:.2f}</text>'


def _legend(calibration: Calibration) -> Iterator[str]:
    for number, line in enumerate(_LINES):
        x, y = _LEFT + 230 * number, 56
        yield f'<path d="M{x},{y}h44" stroke="{line.colour}" stroke-width="2" stroke-dasharray="{line.dashes}"/>'
        yield f'<path d="{line.marker}" transform="translate({x + 22} {y})" fill="{line.colour}"/>'
        yield f'<text x="{x + 52}" y="{y + 4}">{line.label.format(calibration.kind)}</text>'
    yield f'<text x="{_LEFT + 460}" y="60">bands: 95 % intervals</text>'


def _axes(calibration: Calibration) -> Iterator[str]:
    low = calibration.points[0].threshold
    for tenths in range(0, 11, 2):
        y = _y(tenths / 10)
        yield f'<path d="M{_x(low, low)},{y}H{_x(_HIGH, low)}" stroke="#ccc"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:g}" text-anchor="end">{10 * tenths} %</text>'
    for tenths in range(11):
        threshold = low + tenths / 10 * (_HIGH - low)
        x = _x(threshold, low)
        yield f'<path d="M{x},{_y(0)}v5" stroke="#222"/>'
        yield f'<text x="{x}" y="{_y(0) + 20:g}" text-anchor="middle">{threshold:.2f}</text>'
    yield f'<path d="M{_x(low, low)},{_y(1)}V{_y(0)}H{_x(_HIGH, low)}" stroke="#222" fill="none"/>'
    yield f'<text x="{(_x(low, low) + _x(_HIGH, low)) / 2:g}" y="{_y(0) + 44:g}" text-anchor="middle">threshold</text>'
    middle = (_y(0) + _y(1)) / 2
    label = f"share of these {calibration.kind}s"
    yield f'<text transform="translate(18 {middle:g}) rotate(-90)" text-anchor="middle">{label}</text>'


def _shares(calibration: Calibration, line: _Line) -> list[_Share]:
    """Return the rate at each threshold; empty without labels to count."""
    low = calibration.points[0].threshold
    rates = [(_x(point.threshold, low), line.rate(point)) for point in calibration.points]
    return [_Share(x, rate.share, *rate.interval) for x, rate in rates if rate.share is not None]


def _band(shares: Sequence[_Share], line: _Line) -> Iterator[str]:
    if shares:
        edge = [f"{each.x},{_y(each.high)}" for each in shares] + [f"{each.x},{_y(each.low)}" for each in shares[::-1]]
        yield f'<path d="M{"L".join(edge)}z" fill="{line.colour}" fill-opacity="0.15"/>'


def _curve(shares: Sequence[_Share], line: _Line, label: str) -> Iterator[str]:
    if not shares:
        return
    through = "L".join(f"{each.x},{_y(each.share)}" for each in shares)
    yield (
        f'<path d="M{through}" fill="none" stroke="{line.colour}" stroke-width="2" stroke-dasharray="{line.dashes}">'
        f"<title>{label}</title></path>"
    )
    for each in shares[::_MARKER_STEP]:
        yield f'<path d="{line.marker}" transform="translate({each.x} {_y(each.share)})" fill="{line.colour}"/>'


_RENDERERS: dict[str, Callable[[Sequence[Calibration], SupportFit | None], str]] = {
    "text": _text,
    "markdown": _markdown,
    "json": _json,
    "svg": _svg,
}
