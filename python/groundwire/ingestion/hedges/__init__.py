"""
Which words of a claim say that its speaker does not know.

`HedgeDetector` finds them and says what follows: personal speculation is blocked,
a technical hedge goes to review. The words and the rules about what stands beside
them are data: the section `hedging` of each lexicon of `groundwire.language`.
"""

from groundwire.ingestion.hedges.detector import HedgeDetector
from groundwire.ingestion.hedges.results import HedgeAction, HedgeCategory, HedgeCue, HedgeResult

__all__ = ["HedgeAction", "HedgeCategory", "HedgeCue", "HedgeDetector", "HedgeResult"]
