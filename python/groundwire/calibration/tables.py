"""A calibration as text, Markdown and JSON."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from groundwire.calibration.curve import Calibration, CalibrationStatus, Point, false_quotes_needed
from groundwire.calibration.rates import Rate

__all__ = ["plain_calibration", "render_json", "render_markdown", "render_text", "sentences"]

# Every so many hundredths of the threshold have a line; the recommendation has one anyway.
_STEP = 5


def render_text(calibrations: Sequence[Calibration]) -> str:
    """Return *calibrations* for people: a recommendation and a table for each, lines that end in LF."""
    lines: list[str] = []
    for calibration in calibrations:
        rows = [_head(calibration), *(_cells(calibration, point) for point in _shown(calibration))]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines += [f"policy {calibration.policy}", *sentences(calibration), ""]
        lines += [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        ]
        lines.append("")
    return "\n".join([*lines, _LEGEND, ""])


def render_markdown(calibrations: Sequence[Calibration]) -> str:
    """Return *calibrations* as Markdown."""
    lines = ["# Calibration", ""]
    for calibration in calibrations:
        lines += [f"## Policy `{calibration.policy}`", "", " ".join(sentences(calibration)), ""]
        rows = [
            _head(calibration),
            ("---:", "---", "---"),
            *(_cells(calibration, point) for point in _shown(calibration)),
        ]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
        lines.append("")
    return "\n".join([*lines, _LEGEND, ""])


def render_json(calibrations: Sequence[Calibration]) -> str:
    """Return *calibrations* as JSON, with every threshold; shares and intervals are 0.0 to 1.0."""
    return json.dumps({"calibrations": [plain_calibration(each) for each in calibrations]}, indent=2) + "\n"


_LEGEND = "Rates: share (95 % Wilson interval; count/all). * the recommended threshold."


def _head(calibration: Calibration) -> tuple[str, str, str]:
    return "threshold", f"false {calibration.what}s accepted", f"true {calibration.what}s rejected"


def sentences(calibration: Calibration) -> list[str]:
    """Return what came out, and how far it can be relied on."""
    allowed = _percent(calibration.max_false_accept)
    point = calibration.points[0] if calibration.recommended is None else calibration.recommended
    accepts, rejects, what = point.false_accepts, point.false_rejects, calibration.what
    sizes = f"{accepts.total} false and {rejects.total} true {what}s stand behind it."
    if calibration.outcome is CalibrationStatus.NO_FALSE_QUOTES:
        return [f"No recommendation: no {what} is labelled false, {rejects.total} are labelled true."]
    if calibration.outcome is CalibrationStatus.NOT_REACHED:
        last, left = calibration.points[-1].threshold, calibration.points[-1].false_accepts
        return [f"No threshold accepts at most {allowed} of the false {what}s: at {last:.2f} it is {left}.", sizes]
    first = (
        f"Recommended threshold: {point.threshold:.2f}, the lowest that accepts at most {allowed} of the false {what}s."
    )
    if calibration.is_shown:
        return [first, sizes]
    return [first, sizes, _doubt(calibration, accepts, allowed)]


def _doubt(calibration: Calibration, accepts: Rate, allowed: str) -> str:
    """Say that the sample is too small for the recommendation, and how large it would have to be."""
    high = _percent(accepts.interval[1])
    needed = false_quotes_needed(calibration.max_false_accept)
    few = f"They are too few to be sure: the true rate may be up to {high}."
    if accepts.count or needed is None:
        return few
    return f"{few} It takes {needed} false {calibration.what}s, none of them accepted, to show {allowed}."


def _percent(share: float) -> str:
    return f"{round(100 * share, 1):g} %"


def _shown(calibration: Calibration) -> Iterator[Point]:
    for number, point in enumerate(calibration.points):
        if number % _STEP == 0 or point == calibration.recommended:
            yield point


def _cells(calibration: Calibration, point: Point) -> tuple[str, str, str]:
    mark = "*" if point == calibration.recommended else " "
    return f"{point.threshold:.2f}{mark}".rstrip(), str(point.false_accepts), str(point.false_rejects)


def plain_calibration(calibration: Calibration) -> dict[str, Any]:
    """Return *calibration* as JSON has it."""
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
                "false_accepts": _rate(point.false_accepts),
                "false_rejects": _rate(point.false_rejects),
            }
            for point in calibration.points
        ],
    }


def _rate(rate: Rate) -> dict[str, Any]:
    return {"count": rate.count, "total": rate.total, "share": rate.share, "interval": rate.interval}
