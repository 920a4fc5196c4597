"""
Finds thresholds and scores that suit labelled data.

`labels` reads labelled quotes and claims, `thresholds` counts the errors at each threshold and recommends one,
`support` fits a score of support with `regression` and compares it with its baseline by `measures`. `report` renders
both. Names are imported on first use (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.calibration.labels import (
        LabelError,
        LabelledClaim,
        LabelledQuote,
        label_subject,
        read_claims,
        read_quotes,
    )
    from groundwire.calibration.report import render
    from groundwire.calibration.support import FitError, SupportFit, fit_support
    from groundwire.calibration.thresholds import (
        POLICIES,
        Calibration,
        CalibrationStatus,
        Point,
        Rate,
        calibrate,
        score_quotes,
    )

__all__ = [
    "POLICIES",
    "Calibration",
    "CalibrationStatus",
    "FitError",
    "LabelError",
    "LabelledClaim",
    "LabelledQuote",
    "Point",
    "Rate",
    "SupportFit",
    "calibrate",
    "fit_support",
    "label_subject",
    "read_claims",
    "read_quotes",
    "render",
    "score_quotes",
]

_NAMES = {
    "labels": ("LabelError", "LabelledClaim", "LabelledQuote", "label_subject", "read_claims", "read_quotes"),
    "report": ("render",),
    "support": ("FitError", "SupportFit", "fit_support"),
    "thresholds": (
        *("POLICIES", "Calibration", "CalibrationStatus", "Point", "Rate"),
        *("calibrate", "score_quotes"),
    ),
}

__getattr__, __dir__ = lazy_names(
    globals(), {name: f"groundwire.calibration.{module}" for module, names in _NAMES.items() for name in names}
)
