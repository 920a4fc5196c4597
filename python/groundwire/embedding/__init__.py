"""
Texts as vectors: what an embedder is, and those that are here.

Names are imported when they are first touched (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.embedding.checked import CheckedEmbedder
    from groundwire.embedding.failures import EmbeddingError
    from groundwire.embedding.protocol import Embedder
    from groundwire.embedding.server import ServerEmbedder

__all__ = ["CheckedEmbedder", "Embedder", "EmbeddingError", "ServerEmbedder"]

_HOMES = {
    "CheckedEmbedder": "groundwire.embedding.checked",
    "Embedder": "groundwire.embedding.protocol",
    "EmbeddingError": "groundwire.embedding.failures",
    "ServerEmbedder": "groundwire.embedding.server",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
