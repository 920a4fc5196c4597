"""What an embedder is."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Embedder", "name_of"]


class Embedder(Protocol):
    """
    Whoever turns texts into vectors.

    It may have a `name`, by which its calibration and its vectors are kept.
    """

    def encode(self, texts: list[str]) -> "ArrayLike":
        """Return one vector for each text, shape (len(texts), dimensions)."""


def name_of(embedder: Embedder) -> str:
    """Return what *embedder* is called: its `name`, or that of its class."""
    name = getattr(embedder, "name", None)
    return name if isinstance(name, str) and name else type(embedder).__name__
