"""
Recommends thresholds, and fits scores of support, from labelled data.

Thresholds: `pairs` reads labelled quotes, `scores` finds the highest threshold at which a policy accepts each, `curve`
computes error rates with their intervals (`rates`) and recommends a threshold; `tables` and `drawing` show it. Scores:
`claims` reads labelled claims or quotes, `support` fits a score to them (`logistic`) and compares it with a baseline
(`measures`), `support_tables` shows it. Names are imported on first use (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.calibration.claims import LabelledClaim, label_keys, read_claims
    from groundwire.calibration.curve import COSINES, Calibration, CalibrationStatus, Point, calibrate
    from groundwire.calibration.drawing import draw
    from groundwire.calibration.pairs import CLAIMS, QUOTES, Keys, LabelledPairs, PairError, read_pairs
    from groundwire.calibration.rates import Rate
    from groundwire.calibration.scores import available_policies, score_pairs
    from groundwire.calibration.support import FitError, Gain, Measures, SupportFit, fit_support
    from groundwire.calibration.support_tables import render_fit_json, render_fit_markdown, render_fit_text
    from groundwire.calibration.tables import render_json, render_markdown, render_text

__all__ = [
    "CLAIMS",
    "COSINES",
    "QUOTES",
    "Calibration",
    "CalibrationStatus",
    "FitError",
    "Gain",
    "Keys",
    "LabelledClaim",
    "LabelledPairs",
    "Measures",
    "PairError",
    "Point",
    "Rate",
    "SupportFit",
    "available_policies",
    "calibrate",
    "draw",
    "fit_support",
    "label_keys",
    "read_claims",
    "read_pairs",
    "render_fit_json",
    "render_fit_markdown",
    "render_fit_text",
    "render_json",
    "render_markdown",
    "render_text",
    "score_pairs",
]

_HOMES = {
    "CLAIMS": "groundwire.calibration.pairs",
    "COSINES": "groundwire.calibration.curve",
    "QUOTES": "groundwire.calibration.pairs",
    "Calibration": "groundwire.calibration.curve",
    "FitError": "groundwire.calibration.support",
    "Gain": "groundwire.calibration.support",
    "Keys": "groundwire.calibration.pairs",
    "LabelledClaim": "groundwire.calibration.claims",
    "LabelledPairs": "groundwire.calibration.pairs",
    "Measures": "groundwire.calibration.support",
    "CalibrationStatus": "groundwire.calibration.curve",
    "PairError": "groundwire.calibration.pairs",
    "Point": "groundwire.calibration.curve",
    "Rate": "groundwire.calibration.rates",
    "SupportFit": "groundwire.calibration.support",
    "available_policies": "groundwire.calibration.scores",
    "calibrate": "groundwire.calibration.curve",
    "draw": "groundwire.calibration.drawing",
    "fit_support": "groundwire.calibration.support",
    "label_keys": "groundwire.calibration.claims",
    "read_claims": "groundwire.calibration.claims",
    "read_pairs": "groundwire.calibration.pairs",
    "render_fit_json": "groundwire.calibration.support_tables",
    "render_fit_markdown": "groundwire.calibration.support_tables",
    "render_fit_text": "groundwire.calibration.support_tables",
    "render_json": "groundwire.calibration.tables",
    "render_markdown": "groundwire.calibration.tables",
    "render_text": "groundwire.calibration.tables",
    "score_pairs": "groundwire.calibration.scores",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
