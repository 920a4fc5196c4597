"""
Vectors that can be relied on: of the right shape, finite, in time.

An embedder is somebody else's code. What it raises may hold the texts, what it returns
may be anything, and it may not return at all.
"""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundwire.embedding.failures import FAILED, NOT_FINITE, TIMEOUT, WRONG_SHAPE, EmbeddingError
from groundwire.embedding.protocol import name_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from groundwire.embedding.protocol import Embedder

__all__ = ["TIMEOUT_S", "CheckedEmbedder"]

TIMEOUT_S = 300.0
"""For one call of `encode`."""


class CheckedEmbedder:
    """
    An embedder whose vectors are looked at.

    Args:
        embedder: Who turns texts into vectors.
        timeout_s: For one call; None to wait for as long as it takes. What is still at work then goes
            on in a thread of its own, and nobody waits for it.

    Attributes:
        name: Its name.
        dimensions: How long vectors are; None until there is one.
    """

    def __init__(self, embedder: "Embedder", *, timeout_s: float | None = TIMEOUT_S) -> None:
        self.name = name_of(embedder)
        self.dimensions: int | None = None
        self._embedder = embedder
        self._timeout_s = timeout_s

    def encode(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """
        Return one vector for each text, shape (len(texts), dimensions); every value is finite.

        Raises:
            EmbeddingError: The embedder raises, takes too long, or returns anything else.
        """
        import numpy as np

        given = list(texts)
        if not given:
            return np.zeros((0, self.dimensions or 0), dtype=np.float32)
        returned = self._in_time(given)
        try:
            with np.errstate(over="ignore"):
                vectors = np.ascontiguousarray(returned, dtype=np.float32)
        except (TypeError, ValueError):
            # Rows of different lengths, or no numbers.
            vectors = np.zeros((0, 0), dtype=np.float32)
        dimensions = self.dimensions or (vectors.shape[1] if vectors.ndim == 2 else 0)
        if not dimensions or vectors.shape != (len(given), dimensions):
            found = " x ".join(map(str, vectors.shape))
            raise EmbeddingError(WRONG_SHAPE, f"{found} for {len(given)} texts")
        if not np.isfinite(vectors).all():
            raise EmbeddingError(NOT_FINITE)
        self.dimensions = dimensions
        return vectors

    def _in_time(self, texts: list[str]) -> object:
        """What the embedder returns; only exceptions of our own leave."""
        call = _Call(self._embedder, texts)
        if self._timeout_s is None:
            call.run()
        else:
            thread = threading.Thread(target=call.run, name="groundwire-embedder", daemon=True)
            thread.start()
            thread.join(self._timeout_s)
            if thread.is_alive():
                raise EmbeddingError(TIMEOUT)
        if call.failure is not None:
            raise call.failure
        return call.vectors


class _Call:
    """One call, whose result is fetched from another thread."""

    __slots__ = ("_embedder", "_texts", "failure", "vectors")

    def __init__(self, embedder: "Embedder", texts: list[str]) -> None:
        self._embedder = embedder
        self._texts = texts
        self.vectors: object = None
        self.failure: EmbeddingError | None = None

    def run(self) -> None:
        try:
            self.vectors = self._embedder.encode(self._texts)
        except EmbeddingError as error:
            self.failure = EmbeddingError(error.code, error.detail)
        except Exception as error:
            # Its own words may hold the texts.
            self.failure = EmbeddingError(FAILED, f"the embedder raised {type(error).__name__}")
