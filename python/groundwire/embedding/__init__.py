"""
Converts texts to vectors.

`protocol` defines embedders, and checks the shape, values and time of their vectors. `openai` uses a server, `local`
loads models from local folders, and `selection` chooses the embedder for a name. `cache` stores vectors in a SQLite
file. Names are imported on first use (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.embedding.cache import CachedEmbedder
    from groundwire.embedding.local import OnnxEmbedder, SentenceTransformerEmbedder, StaticEmbedder
    from groundwire.embedding.openai import ServerEmbedder
    from groundwire.embedding.protocol import CheckedEmbedder, Embedder, EmbeddingError
    from groundwire.embedding.selection import embedder_in, embedder_named, local_embedder

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

_NAMES_OF = {
    "groundwire.embedding.cache": "CachedEmbedder",
    "groundwire.embedding.local": "OnnxEmbedder SentenceTransformerEmbedder StaticEmbedder",
    "groundwire.embedding.openai": "ServerEmbedder",
    "groundwire.embedding.protocol": "CheckedEmbedder Embedder EmbeddingError",
    "groundwire.embedding.selection": "embedder_in embedder_named local_embedder",
}
_HOMES = {name: home for home, names in _NAMES_OF.items() for name in names.split()}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
