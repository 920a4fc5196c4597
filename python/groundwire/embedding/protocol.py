"""
Defines embedders and their errors, and checks their vectors.

An embedder is third-party code: its exceptions may contain the texts, its result may be anything, and a call may never
return. `CheckedEmbedder` returns finite vectors of the right shape in time, or raises `EmbeddingError`.
"""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from groundwire.errors import GroundwireError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "FAILED",
    "NOT_FINITE",
    "NOT_THERE",
    "TIMEOUT",
    "TIMEOUT_S",
    "WRONG_SHAPE",
    "CheckedEmbedder",
    "Embedder",
    "EmbeddingError",
    "name_of",
]

TIMEOUT_S = 300.0
"""The timeout of one call of `encode`, in seconds, above 0."""

FAILED = "failed"
"""The embedder raised an exception."""
NOT_FINITE = "not_finite"
"""A value of a vector is NaN or infinite."""
NOT_THERE = "not_there"
"""The files of a model, or the package that reads them, are missing."""
TIMEOUT = "timeout"
"""The embedder took too long."""
WRONG_SHAPE = "wrong_shape"
"""The result is not one row for each text, all of the same length."""


class EmbeddingError(GroundwireError):
    """
    An embedder failed. The error contains nothing of the texts.

    Attributes:
        code: The reason: one of the codes above, or a server's "unreachable", "rate_limited", ... as for a judge.
        detail: Further information; "" without any.
    """

    def __init__(self, code: str, detail: str | None = None) -> None:
        # Both are arguments so that the exception can be pickled.
        super().__init__(code, detail)
        self.code = code
        self.detail = detail

    def __str__(self) -> str:
        return f"no embeddings: {self.code}{f', {self.detail}' if self.detail else ''}"


class Embedder(Protocol):
    """
    An embedding model.

    It may have a `name`, under which its calibration and its vectors are stored.
    """

    def encode(self, texts: list[str]) -> "ArrayLike":
        """Return one vector for each text, shape (len(texts), dimensions)."""


def name_of(embedder: Embedder) -> str:
    """Return the `name` of *embedder*, or the name of its class."""
    name = getattr(embedder, "name", None)
    return name if isinstance(name, str) and name else type(embedder).__name__


class CheckedEmbedder:
    """
    An embedder whose vectors are checked.

    Args:
        embedder: The embedder.
        timeout_s: The timeout of one call, in seconds; None for no timeout. A call that is still running then continues
            in its own thread, and its result is ignored.

    Attributes:
        name: The embedder's name.
        dimensions: The length of the vectors; None before the first one.
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
            EmbeddingError: The embedder raises an exception, takes too long, or returns anything else.
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
            # Rows of different lengths, or values that are not numbers.
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
        """Return the embedder's result. Only our own exceptions pass through."""
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
    """A call whose result another thread fetches."""

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
            # The embedder's own message may contain the texts.
            self.failure = EmbeddingError(FAILED, f"the embedder raised {type(error).__name__}")
