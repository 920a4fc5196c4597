"""Renders a fitted score of support as text, Markdown and JSON."""

import json

from groundwire.calibration.support import FOLDS, SubjectWords, SupportFit, rows_of, subject_words
from groundwire.calibration.tables import plain_calibration, render_markdown, render_text

__all__ = ["render_fit_json", "render_fit_markdown", "render_fit_text", "verdict"]

_ADVICE = {"shipped": "keep the shipped score", "verdict": "rely on the verdicts alone"}


def render_fit_text(fit: SupportFit) -> str:
    """Return the measures of *fit* and its errors at each threshold, for people."""
    rows = _rows(fit)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*_sentences(fit), "", *lines, "", render_text(fit.errors)])


def render_fit_markdown(fit: SupportFit) -> str:
    """Return *fit* as Markdown."""
    head, *body = _rows(fit)
    rows = [head, ("---", "---:", "---:", "---:"), *body]
    lines = ["# Score of support", "", " ".join(_sentences(fit)), "", *("| " + " | ".join(row) + " |" for row in rows)]
    return "\n".join([*lines, "", render_markdown(fit.errors)])


def render_fit_json(fit: SupportFit) -> str:
    """Return *fit* as JSON, with every threshold."""
    words = _words(fit)
    plain = {
        "score": {
            "name": fit.score.name,
            "sha256": fit.score.sha256,
            f"is_better_than_{words.key}": fit.is_better,
        },
        fit.score.subject: {
            **dict(zip(words.labels, (fit.supported, fit.unsupported), strict=True)),
            "documents": fit.documents,
        },
        words.key: fit.baseline._asdict(),
        "fitted": fit.fitted._asdict() | {"auroc_from": fit.auroc_from},
        "gains": {key: gain._asdict() for key, gain in zip(fit.baseline._fields, fit.gains, strict=True)},
        "calibrations": [plain_calibration(each) for each in fit.errors],
    }
    return json.dumps(plain, indent=2) + "\n"


def verdict(fit: SupportFit) -> str:
    """Return a sentence that says whether the fitted score is better than its baseline."""
    words = _words(fit)
    if fit.is_better:
        return f"The fitted score is better than the {words.baseline} on these {fit.score.subject}."
    return (
        f"The fitted score is no better than the {words.baseline} on these {fit.score.subject}: {_ADVICE[words.key]}."
    )


def _sentences(fit: SupportFit) -> list[str]:
    yes, no = _words(fit).labels
    counts = f"{fit.supported:,} {yes} and {fit.unsupported:,} {no} {fit.score.subject} of {fit.documents:,} documents."
    method = f"The figures of the fitted score are cross-validated over documents, in {FOLDS} folds."
    return [verdict(fit), counts, method]


def _words(fit: SupportFit) -> SubjectWords:
    return subject_words(fit.score.subject)


def _rows(fit: SupportFit) -> list[tuple[str, str, str, str]]:
    """Return the table of measures, its head first."""
    head = ("measure", _words(fit).key, "fitted", "gain (95 % interval)")
    return [
        head,
        *((name, f"{baseline:.3f}", f"{fitted:.3f}", str(gain)) for name, baseline, fitted, gain in rows_of(fit)),
    ]
