"""
Finds hedges: words that express uncertainty.

`detector` has `HedgeDetector` and its results: personal speculation is blocked, a technical hedge goes to review.
`lexicon` reads the phrases, which are data: the section `hedging` of each lexicon of `groundwire.language`.
"""

from groundwire.ingestion.hedges.detector import HedgeCue, HedgeDetector, HedgeResult
from groundwire.ingestion.hedges.lexicon import HedgeAction, HedgeCategory

__all__ = ["HedgeAction", "HedgeCategory", "HedgeCue", "HedgeDetector", "HedgeResult"]
