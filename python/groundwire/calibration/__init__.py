"""
Which threshold? How often each accepts what is not there and rejects what is, on labelled quotes.

`read_pairs` reads quotes with their sources and labels, `score_pairs` says up to
which threshold a policy accepts each, `calibrate` makes rates and a recommendation
of it. Names are imported when they are first touched (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.calibration.curve import COSINES, Calibration, Outcome, Point, calibrate
    from groundwire.calibration.drawing import draw
    from groundwire.calibration.pairs import CLAIMS, QUOTES, Keys, LabelledPairs, PairError, read_pairs
    from groundwire.calibration.rates import Rate
    from groundwire.calibration.scores import available_policies, score_pairs
    from groundwire.calibration.tables import render_json, render_markdown, render_text

__all__ = [
    "CLAIMS",
    "COSINES",
    "QUOTES",
    "Calibration",
    "Keys",
    "LabelledPairs",
    "Outcome",
    "PairError",
    "Point",
    "Rate",
    "available_policies",
    "calibrate",
    "draw",
    "read_pairs",
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
    "Keys": "groundwire.calibration.pairs",
    "LabelledPairs": "groundwire.calibration.pairs",
    "Outcome": "groundwire.calibration.curve",
    "PairError": "groundwire.calibration.pairs",
    "Point": "groundwire.calibration.curve",
    "Rate": "groundwire.calibration.rates",
    "available_policies": "groundwire.calibration.scores",
    "calibrate": "groundwire.calibration.curve",
    "draw": "groundwire.calibration.drawing",
    "read_pairs": "groundwire.calibration.pairs",
    "render_json": "groundwire.calibration.tables",
    "render_markdown": "groundwire.calibration.tables",
    "render_text": "groundwire.calibration.tables",
    "score_pairs": "groundwire.calibration.scores",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
