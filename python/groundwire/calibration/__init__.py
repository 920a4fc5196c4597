"""
Which threshold? How often each accepts what is not there and rejects what is, on labelled quotes.

`read_pairs` reads quotes with their sources and labels, `score_pairs` says up to
which threshold a policy accepts each, `calibrate` makes rates and a recommendation
of it. Names are imported when they are first touched (PEP 562).
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.calibration.curve import Calibration, Outcome, Point, calibrate
    from groundwire.calibration.drawing import draw
    from groundwire.calibration.pairs import LabelledPairs, PairError, read_pairs
    from groundwire.calibration.rates import Rate
    from groundwire.calibration.scores import available_policies, score_pairs
    from groundwire.calibration.tables import render_json, render_markdown, render_text

__all__ = [
    "Calibration",
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
    "Calibration": "curve",
    "LabelledPairs": "pairs",
    "Outcome": "curve",
    "PairError": "pairs",
    "Point": "curve",
    "Rate": "rates",
    "available_policies": "scores",
    "calibrate": "curve",
    "draw": "drawing",
    "read_pairs": "pairs",
    "render_json": "tables",
    "render_markdown": "tables",
    "render_text": "tables",
    "score_pairs": "scores",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
