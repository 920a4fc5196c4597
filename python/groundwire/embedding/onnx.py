"""
Vectors from a network in ONNX, by onnxruntime and tokenizers alone.

Texts are sorted by their length and computed in batches of about as many tokens, so that
little is spent on padding; the order of the result is that of the texts.
"""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from groundwire.embedding.failures import NOT_THERE, WRONG_SHAPE, EmbeddingError
from groundwire.embedding.folders import existing_folder, fingerprint, model_file
from groundwire.embedding.runtime import import_onnxruntime
from groundwire.files import MAX_SETTINGS_BYTES, open_regular, read_limited

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Encoding

__all__ = ["OnnxEmbedder"]

_MOST_TOKENS = 512
_BATCH_TOKENS = 4096


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
        self._session, self._tokenizer = _load(model, path / "tokenizer.json", threads)
        self._tokenizer.enable_truncation(max_tokens or _max_tokens_of(path))
        self._tokenizer.no_padding()
        self._inputs = [each.name for each in self._session.get_inputs()]

    def encode(self, texts: list[str]) -> "NDArray[np.float32]":
        """
        Return one vector for each text, shape (len(texts), dimensions).

        Raises:
            EmbeddingError: The model returns neither vectors of texts nor of tokens.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        encodings = self._tokenizer.encode_batch([self._prefix + text for text in texts])
        rows: list[NDArray[np.float32] | None] = [None] * len(texts)
        for batch in _batches([len(each.ids) for each in encodings]):
            vectors = self._batch([encodings[place] for place in batch])
            for place, vector in zip(batch, vectors, strict=True):
                rows[place] = vector
        return np.stack([row for row in rows if row is not None]).astype(np.float32, copy=False)

    def _batch(self, encodings: "Sequence[Encoding]") -> "NDArray[np.float32]":
        import numpy as np

        width = max(1, *(len(each.ids) for each in encodings))
        shape = (len(encodings), width)
        arrays = {name: np.zeros(shape, dtype=np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
        for row, each in enumerate(encodings):
            size = len(each.ids)
            arrays["input_ids"][row, :size] = each.ids
            arrays["attention_mask"][row, :size] = each.attention_mask
            arrays["token_type_ids"][row, :size] = each.type_ids
        found = self._session.run(None, {name: arrays[name] for name in self._inputs if name in arrays})
        vectors = next((each for each in found if each.ndim == 2), None)
        if vectors is None and found and found[0].ndim == 3:
            vectors = _pooled(found[0], arrays["attention_mask"], self._pooling)
        if vectors is None:
            raise EmbeddingError(WRONG_SHAPE, "the model returns neither vectors of texts nor of tokens")
        return np.asarray(vectors, dtype=np.float32)


def _pooled(tokens: "NDArray[np.float32]", mask: "NDArray[np.int64]", pooling: str) -> "NDArray[np.float32]":
    """One vector of those of a text's tokens: that of the first, or the mean of all that are no padding."""
    import numpy as np

    if pooling == "cls":
        first: NDArray[np.float32] = tokens[:, 0]
        return first
    weights = mask[:, :, None].astype(np.float32)
    pooled: NDArray[np.float32] = (tokens * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
    return pooled


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The places of texts, from the shortest on, so many at once that padded they have about as many tokens."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: (lengths[place], place)):
        if batch and (len(batch) + 1) * lengths[place] > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(place)
    yield batch


def _load(model: Path, tokenizer: Path, threads: int | None) -> tuple[Any, Any]:
    try:
        onnxruntime = import_onnxruntime()
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ImportError(f"a model in ONNX needs {error.name}: pip install 'groundwire[onnx]'") from None
    options = onnxruntime.SessionOptions()
    if threads is not None:
        options.intra_op_num_threads = threads
    try:
        session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        return session, Tokenizer.from_file(str(tokenizer))
    except Exception as error:
        raise EmbeddingError(NOT_THERE, f"the model is broken: {type(error).__name__}") from None


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
