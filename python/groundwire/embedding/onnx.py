"""
Vectors from a network in ONNX, by onnxruntime and tokenizers alone.

Texts are sorted by their length and computed in batches of about as many tokens, so that
little is spent on padding; the order of the result is that of the texts.
"""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from groundwire.embedding.failures import FAILED, NOT_THERE, WRONG_SHAPE, EmbeddingError
from groundwire.embedding.folders import existing_folder, fingerprint, model_file
from groundwire.errors import ModelError
from groundwire.files import MAX_SETTINGS_BYTES, open_regular, read_limited
from groundwire.onnx_models.runtime import BATCH_TOKENS, OnnxSession

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["OnnxEmbedder"]

# The tokens that a model reads whose folder states no limit: what BERT was trained with.
_MOST_TOKENS = 512


class OnnxEmbedder:
    """
    A model in a local folder. Safe to share between threads.

    `1_Pooling/config.json` says how the vectors of tokens become one, as sentence-transformers
    writes it; a model with one vector for each text needs no pooling.

    Args:
        folder: Where `tokenizer.json` and `model.onnx` or `onnx/model.onnx` are.
        prefix: What stands before every text: some models want `query: `.
        pooling: "mean" or "cls"; None for what the folder says, else "mean".
        max_tokens: Longer texts are cut; None for what the folder says, at most 512.
        threads: Of onnxruntime; None for as many as it takes.

    Attributes:
        name: The name of the folder, and a part of the hash of the model.

    Raises:
        ImportError: The extra `onnx` is not installed.
        EmbeddingError: There is no such model.
        ValueError: An argument is out of its range.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        prefix: str = "",
        pooling: Literal["mean", "cls"] | None = None,
        max_tokens: int | None = None,
        threads: int | None = None,
    ) -> None:
        path = existing_folder(folder)
        model = model_file(path)
        if model is None or not (path / "tokenizer.json").is_file():
            raise EmbeddingError(NOT_THERE, "the folder needs model.onnx and tokenizer.json")
        if pooling not in (None, "mean", "cls"):
            raise ValueError("pooling must be 'mean', 'cls' or None")
        if max_tokens is not None and max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, got {max_tokens}")
        self.name = f"{path.resolve().name}@{fingerprint(model)}"
        self._prefix = prefix
        self._pooling = pooling or _pooling_of(path)
        self._session = _load(model, path / "tokenizer.json", threads)
        self._session.tokenizer.enable_truncation(max_tokens or _max_tokens_of(path))

    def encode(self, texts: list[str]) -> "NDArray[np.float32]":
        """
        Return one vector for each text, shape (len(texts), dimensions).

        Raises:
            EmbeddingError: The model returns neither vectors of texts nor of tokens.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        encodings = self._session.tokenizer.encode_batch([self._prefix + text for text in texts])
        rows: list[NDArray[np.float32] | None] = [None] * len(texts)
        ids, types = [each.ids for each in encodings], [each.type_ids for each in encodings]
        try:
            for batch, mask, found in self._session.computed(ids, types, batch_tokens=BATCH_TOKENS):
                for place, vector in zip(batch, self._vectors(mask, found), strict=True):
                    rows[place] = vector
        except ModelError as error:
            raise EmbeddingError(FAILED, error.reason) from None
        return np.stack([row for row in rows if row is not None]).astype(np.float32, copy=False)

    def _vectors(self, mask: "NDArray[np.bool_]", found: "Sequence[NDArray[np.float32]]") -> "NDArray[np.float32]":
        vectors = next((each for each in found if each.ndim == 2), None)
        if vectors is None and found and found[0].ndim == 3:
            vectors = _pooled(found[0], mask, self._pooling)
        if vectors is None:
            raise EmbeddingError(WRONG_SHAPE, "the model returns neither vectors of texts nor of tokens")
        return vectors


def _pooled(tokens: "NDArray[np.float32]", mask: "NDArray[np.bool_]", pooling: str) -> "NDArray[np.float32]":
    """One vector of those of a text's tokens: that of the first, or the mean of all that are no padding."""
    import numpy as np

    if pooling == "cls":
        first: NDArray[np.float32] = tokens[:, 0]
        return first
    weights = mask[:, :, None].astype(np.float32)
    pooled: NDArray[np.float32] = (tokens * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
    return pooled


def _load(model: Path, tokenizer: Path, threads: int | None) -> OnnxSession:
    try:
        return OnnxSession(model, tokenizer.read_bytes(), threads=threads)
    except ImportError as error:
        raise ImportError(f"a model in ONNX needs {error.name}: pip install 'groundwire[onnx]'") from None
    except ModelError as error:
        raise EmbeddingError(NOT_THERE, error.reason) from None


def _pooling_of(folder: Path) -> str:
    return "cls" if _config(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token") is True else "mean"


def _max_tokens_of(folder: Path) -> int:
    told = _config(folder / "sentence_bert_config.json").get("max_seq_length")
    return min(told, _MOST_TOKENS) if isinstance(told, int) and told > 0 else _MOST_TOKENS


def _settings(path: Path) -> bytes:
    with open_regular(path) as file:
        return read_limited(file, path.name, MAX_SETTINGS_BYTES)


def _config(path: Path) -> dict[str, Any]:
    """The object in a file; none of a file that is not there or holds something else."""
    try:
        content = json.loads(_settings(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
