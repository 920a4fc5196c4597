"""
Runs classifiers in ONNX from local folders.

`folders` checks a model's files and labels, `runtime` opens it, batches its inputs and caches its scores, and `windows`
splits long contexts. `pairs` scores how far a claim follows from a passage, and `spans` finds the words of an answer
that its context does not support. Names are imported on first use (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.onnx_models.pairs import OnnxPairScorer
    from groundwire.onnx_models.spans import HallucinatedSpan, OnnxSpanScorer

__all__ = ["HallucinatedSpan", "OnnxPairScorer", "OnnxSpanScorer"]

_HOMES = {
    "HallucinatedSpan": "groundwire.onnx_models.spans",
    "OnnxPairScorer": "groundwire.onnx_models.pairs",
    "OnnxSpanScorer": "groundwire.onnx_models.spans",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
