"""Vectors from a table of tokens, with no network to compute: small, fast, and there without a server."""

import os
from typing import TYPE_CHECKING, Self

from groundwire.embedding.failures import NOT_THERE, EmbeddingError
from groundwire.embedding.folders import existing_folder, fingerprint, kind_of, package_folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["StaticEmbedder"]


class StaticEmbedder:
    """
    A model of model2vec in a local folder. Safe to share between threads.

    A text without a known token has the vector of zeros, which is near nothing.

    Args:
        folder: Where `model.safetensors`, `tokenizer.json` and `config.json` are.
        name: What the model is called; None for the name of the folder.

    Attributes:
        name: That, and a part of the hash of its weights.

    Raises:
        ImportError: The extra `embeddings` is not installed.
        EmbeddingError: There is no such model.
    """

    def __init__(self, folder: str | os.PathLike[str], *, name: str | None = None) -> None:
        path = existing_folder(folder)
        if kind_of(path) != "static":
            raise EmbeddingError(NOT_THERE, "the folder has no static model")
        try:
            from model2vec import StaticModel
        except ImportError as error:
            raise ImportError(f"a static model needs {error.name}: pip install 'groundwire[embeddings]'") from None
        self.name = f"{name or path.resolve().name}@{fingerprint(path / 'model.safetensors')}"
        try:
            self._model = StaticModel.from_pretrained(path)
        except Exception as error:
            raise EmbeddingError(NOT_THERE, f"the static model is broken: {type(error).__name__}") from None

    @classmethod
    def from_package(cls, package: str) -> Self:
        """
        Return the embedder of a model that is a file of an installed package.

        Raises as the class.
        """
        return cls(package_folder(package), name=package)

    def encode(self, texts: list[str]) -> "NDArray[np.float32]":
        """Return one vector for each text, shape (len(texts), dimensions)."""
        import numpy as np

        # Processes of its own would be started in the middle of somebody's program.
        vectors = self._model.encode(list(texts), use_multiprocessing=False) if texts else np.zeros((0, 0))
        return np.asarray(vectors, dtype=np.float32)
