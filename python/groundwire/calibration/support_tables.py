"""A fitted score of support as text, Markdown and JSON."""

import json

from groundwire.calibration.support import FOLDS, SupportFit, rows_of
from groundwire.calibration.tables import plain_calibration, render_markdown, render_text

__all__ = ["render_fit_json", "render_fit_markdown", "render_fit_text", "verdict"]

_HEAD = ("measure", "shipped", "fitted", "gain (95 % interval)")


def render_fit_text(fit: SupportFit) -> str:
    """Return *fit* for people: what it is worth, and the errors of both scores over the threshold."""
    rows = [_HEAD, *_rows(fit)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*_sentences(fit), "", *lines, "", render_text(fit.errors)])


def render_fit_markdown(fit: SupportFit) -> str:
    """Return *fit* as Markdown."""
    rows = [_HEAD, ("---", "---:", "---:", "---:"), *_rows(fit)]
    lines = ["# Score of support", "", " ".join(_sentences(fit)), "", *("| " + " | ".join(row) + " |" for row in rows)]
    return "\n".join([*lines, "", render_markdown(fit.errors)])


def render_fit_json(fit: SupportFit) -> str:
    """Return *fit* as JSON, with every threshold."""
    plain = {
        "score": {
            "name": fit.score.name,
            "sha256": fit.score.sha256,
            "is_better_than_shipped": fit.is_better,
        },
        "claims": {"supported": fit.supported, "unsupported": fit.unsupported, "documents": fit.documents},
        "shipped": fit.shipped._asdict(),
        "fitted": fit.fitted._asdict() | {"auroc_from": fit.auroc_from},
        "gains": {key: gain._asdict() for key, gain in zip(fit.shipped._fields, fit.gains, strict=True)},
        "calibrations": [plain_calibration(each) for each in fit.errors],
    }
    return json.dumps(plain, indent=2) + "\n"


def verdict(fit: SupportFit) -> str:
    """Return in a sentence whether the fitted score is better than the shipped one."""
    if fit.is_better:
        return "The fitted score is better than the shipped one on these claims."
    return "The fitted score is no better than the shipped one on these claims: keep the shipped one."


def _sentences(fit: SupportFit) -> list[str]:
    labelled = f"{fit.supported:,} supported and {fit.unsupported:,} unsupported claims of {fit.documents:,} documents."
    fitted = f"Fitted is what a score says of claims of documents that it was not fitted on, in {FOLDS} folds."
    return [verdict(fit), labelled, fitted]


def _rows(fit: SupportFit) -> list[tuple[str, str, str, str]]:
    return [(name, f"{shipped:.3f}", f"{fitted:.3f}", str(gain)) for name, shipped, fitted, gain in rows_of(fit)]
