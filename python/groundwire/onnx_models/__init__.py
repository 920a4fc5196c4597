"""
Classifiers in ONNX from local folders.

Names are imported when they are first touched (PEP 562).
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
