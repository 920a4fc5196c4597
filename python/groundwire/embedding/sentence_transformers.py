"""Vectors from a model of sentence-transformers in a local folder."""

import os
from typing import TYPE_CHECKING

from groundwire.embedding.failures import NOT_THERE, EmbeddingError
from groundwire.embedding.folders import existing_folder, fingerprint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SentenceTransformerEmbedder"]


class SentenceTransformerEmbedder:
    """
    A model of sentence-transformers, on the processor.

    Only weights in safetensors are read, no code of the folder is run, and nothing is fetched.

    Args:
        folder: Where `modules.json` is, and weights in `model.safetensors`.
        prefix: What stands before every text: some models want `query: `.
        batch: So many texts are computed together.

    Attributes:
        name: The name of the folder, and a part of the hash of its weights.

    Raises:
        ImportError: sentence-transformers is not installed.
        EmbeddingError: There is no such model.
    """

    def __init__(self, folder: str | os.PathLike[str], *, prefix: str = "", batch: int = 32) -> None:
        path = existing_folder(folder)
        weights = next((place for place in sorted(path.rglob("model.safetensors")) if place.is_file()), None)
        if weights is None or not (path / "modules.json").is_file():
            raise EmbeddingError(NOT_THERE, "the folder needs modules.json and weights in model.safetensors")
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ImportError(f"this model needs {error.name}: pip install sentence-transformers") from None
        self.name = f"{path.resolve().name}@{fingerprint(weights)}"
        self._prefix = prefix
        self._batch = batch
        try:
            self._model = SentenceTransformer(
                str(path),
                device="cpu",
                trust_remote_code=False,
                local_files_only=True,
                model_kwargs={"use_safetensors": True},
            )
        except Exception as error:
            raise EmbeddingError(NOT_THERE, f"the model is broken: {type(error).__name__}") from None

    def encode(self, texts: list[str]) -> "NDArray[np.float32]":
        """Return one vector for each text, shape (len(texts), dimensions)."""
        import numpy as np

        given = [self._prefix + text for text in texts]
        if not given:
            return np.zeros((0, 0), dtype=np.float32)
        # It sorts by length itself.
        vectors = self._model.encode(given, batch_size=self._batch, show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(vectors, dtype=np.float32)
