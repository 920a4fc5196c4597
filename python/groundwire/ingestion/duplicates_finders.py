"""The three ways to find what says the same: by words, by sketches of words, by meanings."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from groundwire._engine import JaccardIndex, MinHashIndex, VectorIndex
from groundwire.ingestion.duplicates import DedupCheckError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from groundwire.embedding.protocol import Embedder
    from groundwire.ingestion.duplicates import TokenRule

__all__ = ["MOST_DUPLICATES", "Finder", "Sketches", "Vectors", "Words"]

MOST_DUPLICATES = 16
"""So many duplicates are read, the most similar ones, to see whether one of them is no correction."""


class Index(Protocol):
    """What the engine's indexes have in common."""

    def __len__(self) -> int: ...
    def __sizeof__(self) -> int: ...
    def remove(self, number: int) -> None:
        """Remove what has *number*; `KeyError` if there is none."""


class Finder(Protocol):
    """One of the ways."""

    @property
    def index(self) -> Index:
        """Where the texts are."""

    def prepare(self, texts: Sequence[str]) -> "Sequence[Any]":
        """Return what `insert` takes for each of *texts*; what may fail fails here, before anything is added."""

    def insert(self, prepared: Any) -> int:
        """Add what `prepare` returned for a text; return its number."""

    def find(self, text: str) -> list[tuple[int, float]]:
        """Return (number, similarity) of what reaches the threshold, the most similar first."""

    def empty(self) -> "Finder":
        """Return one like this without a text."""


class Words:
    """By Jaccard similarity, exactly."""

    __slots__ = ("_threshold", "index")

    def __init__(self, index: JaccardIndex, threshold: float) -> None:
        self.index = index
        self._threshold = threshold

    def prepare(self, texts: Sequence[str]) -> Sequence[str]:
        """See `Finder`."""
        return texts

    def insert(self, prepared: str) -> int:
        """See `Finder`."""
        return self.index.insert(prepared)

    def find(self, text: str) -> list[tuple[int, float]]:
        """See `Finder`; at most `MOST_DUPLICATES`."""
        return self.index.query(text, self._threshold, limit=MOST_DUPLICATES)

    def empty(self) -> "Words":
        """See `Finder`."""
        return Words(self.index.empty(), self._threshold)


class Sketches:
    """By MinHash: what may reach the threshold, with estimates."""

    __slots__ = ("_arguments", "index")

    def __init__(self, threshold: float, tokens: "TokenRule") -> None:
        self.index = MinHashIndex(threshold=threshold, tokens=tokens)
        self._arguments = (threshold, tokens)

    def prepare(self, texts: Sequence[str]) -> Sequence[str]:
        """See `Finder`."""
        return texts

    def insert(self, prepared: str) -> int:
        """See `Finder`."""
        return self.index.insert(prepared)

    def find(self, text: str) -> list[tuple[int, float]]:
        """See `Finder`; at most `MOST_DUPLICATES`."""
        return self.index.query(text)[:MOST_DUPLICATES]

    def empty(self) -> "Sketches":
        """See `Finder`."""
        return Sketches(*self._arguments)


class Vectors:
    """By the cosine of embeddings, exactly."""

    __slots__ = ("_embedder", "_index", "_threshold")

    def __init__(self, embedder: "Embedder | None", threshold: float) -> None:
        self._embedder = embedder
        self._threshold = threshold
        self._index: VectorIndex | None = None

    @property
    def index(self) -> Index:
        """See `Finder`; how long vectors are is known with the first one."""
        return VectorIndex(dimensions=1) if self._index is None else self._index

    def prepare(self, texts: Sequence[str]) -> "Sequence[NDArray[np.float32]]":
        """See `Finder`; `DedupCheckError` if there are no embeddings."""
        return list(self._embed(texts)) if texts or self._embedder is None else []

    def insert(self, prepared: "NDArray[np.float32]") -> int:
        """See `Finder`; `DedupCheckError` if vectors before it were of another length."""
        if self._index is None:
            self._index = VectorIndex(dimensions=len(prepared))
        if len(prepared) != self._index.dimensions:
            raise _wrong_shape((1, len(prepared)))
        return self._index.insert(prepared)

    def find(self, text: str) -> list[tuple[int, float]]:
        """See `Finder`; at most `MOST_DUPLICATES`."""
        [vector] = self._embed([text])
        return [] if self._index is None else self._index.query(vector, self._threshold, limit=MOST_DUPLICATES)

    def empty(self) -> "Vectors":
        """See `Finder`."""
        return Vectors(self._embedder, self._threshold)

    def _embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """The vectors of *texts*, at least one, finite and of the length of those before: a row each."""
        if self._embedder is None:
            raise DedupCheckError("no_embedder", "method 'vector' needs an embedder")
        import numpy as np

        try:
            vectors = np.ascontiguousarray(self._embedder.encode(list(texts)), dtype=np.float32)
        except Exception as error:
            # The embedder's own words may hold the text.
            raise DedupCheckError("embedder_failed", f"the embedder raised {type(error).__name__}") from None
        dimensions = vectors.shape[-1] if self._index is None else self._index.dimensions
        if not dimensions or vectors.shape != (len(texts), dimensions) or not np.isfinite(vectors).all():
            raise _wrong_shape(vectors.shape)
        return vectors


def _wrong_shape(shape: tuple[int, ...]) -> DedupCheckError:
    found = " x ".join(map(str, shape))
    return DedupCheckError(
        "embedder_failed", f"the embedder must return a row of finite values for each text, got {found}"
    )
