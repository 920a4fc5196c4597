"""
Turns texts into vectors.

`protocol` defines an embedder, and `checked` verifies the shape, the values and the time of its vectors. `openai`
asks a server; `static`, `onnx` and `sentence_transformers` read models in local folders, which `folders` checks.
`chosen` finds the embedder for a name, and `cached` keeps vectors in a SQLite file. Names are imported on first use
(PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.embedding.cached import CachedEmbedder
    from groundwire.embedding.checked import CheckedEmbedder
    from groundwire.embedding.chosen import embedder_in, embedder_named, local_embedder
    from groundwire.embedding.failures import EmbeddingError
    from groundwire.embedding.onnx import OnnxEmbedder
    from groundwire.embedding.openai import ServerEmbedder
    from groundwire.embedding.protocol import Embedder
    from groundwire.embedding.sentence_transformers import SentenceTransformerEmbedder
    from groundwire.embedding.static import StaticEmbedder

__all__ = [
    "CachedEmbedder",
    "CheckedEmbedder",
    "Embedder",
    "EmbeddingError",
    "OnnxEmbedder",
    "SentenceTransformerEmbedder",
    "ServerEmbedder",
    "StaticEmbedder",
    "embedder_in",
    "embedder_named",
    "local_embedder",
]

_HOMES = {
    "CachedEmbedder": "groundwire.embedding.cached",
    "CheckedEmbedder": "groundwire.embedding.checked",
    "Embedder": "groundwire.embedding.protocol",
    "EmbeddingError": "groundwire.embedding.failures",
    "OnnxEmbedder": "groundwire.embedding.onnx",
    "SentenceTransformerEmbedder": "groundwire.embedding.sentence_transformers",
    "ServerEmbedder": "groundwire.embedding.openai",
    "StaticEmbedder": "groundwire.embedding.static",
    "embedder_in": "groundwire.embedding.chosen",
    "embedder_named": "groundwire.embedding.chosen",
    "local_embedder": "groundwire.embedding.chosen",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
