"""What an embedder is."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Embedder"]


class Embedder(Protocol):
    """Whoever turns texts into vectors."""

    def encode(self, texts: list[str]) -> "ArrayLike":
        """Return one vector for each text, shape (len(texts), dimensions)."""
