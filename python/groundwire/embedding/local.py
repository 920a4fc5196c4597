"""
Embedders from models in local folders: a table of tokens, a network in ONNX, a model of sentence-transformers.

Nothing is fetched, no code of a folder is run, and the name of a model has a part of the hash of its weights. Texts for
a network in ONNX are sorted by length and computed in batches of about as many tokens, so that little is spent on
padding; the order of the result is that of the texts.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from groundwire.embedding.protocol import FAILED, NOT_THERE, WRONG_SHAPE, EmbeddingError
from groundwire.errors import ModelError
from groundwire.files import MAX_SETTINGS_BYTES, open_regular, read_limited
from groundwire.onnx_models.runtime import BATCH_TOKENS, OnnxSession

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["OnnxEmbedder", "SentenceTransformerEmbedder", "StaticEmbedder", "existing_folder", "kind_of"]

_PIECE_BYTES = 1 << 20

# The tokens that a model reads whose folder states no limit: what BERT was trained with.
_MOST_TOKENS = 512


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


def existing_folder(folder: str | os.PathLike[str]) -> Path:
    """
    Return *folder* as a path.

    Nothing is ever fetched: libraries take a name that is no folder for one on a server.

    Raises:
        EmbeddingError: It is no folder.
    """
    path = Path(folder)
    if not path.is_dir():
        raise EmbeddingError(NOT_THERE, "the folder of the model is not there")
    return path


def package_folder(package: str) -> Path:
    """
    Return the folder with a model inside an installed package, without running its code.

    Raises:
        EmbeddingError: The package is not installed, or has none.
    """
    from importlib.util import find_spec

    spec = find_spec(package)
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        for folder in (Path(place), *sorted(Path(place).iterdir())):
            if folder.is_dir() and kind_of(folder) == "static":
                return folder
    raise EmbeddingError(NOT_THERE, f"no package {package} with a model is installed")


def kind_of(folder: Path) -> str | None:
    """
    Return what can load *folder*: "onnx", "static" or "sentence-transformers"; None if nothing can.

    By its files: a model in ONNX; vectors of tokens with a tokenizer and nothing to compute
    them with; anything else that names its modules.
    """
    if (folder / "tokenizer.json").is_file() and model_file(folder) is not None:
        return "onnx"
    names = {path.name for path in folder.iterdir()}
    is_network = b'"model_type"' in _head(folder / "config.json") or "1_Pooling" in names
    if {"config.json", "model.safetensors", "tokenizer.json"} <= names and not is_network:
        return "static"
    return "sentence-transformers" if "modules.json" in names else None


def model_file(folder: Path) -> Path | None:
    """Return the ONNX model of a folder, if there is one."""
    places = (folder / "model.onnx", folder / "onnx" / "model.onnx")
    return next((place for place in places if place.is_file()), None)


def fingerprint(path: Path) -> str:
    """Return eight letters that another model's weights do not have: vectors are kept by them."""
    digest = hashlib.blake2b(digest_size=4)
    with open_regular(path) as file:
        while piece := file.read(_PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()


def _head(path: Path) -> bytes:
    if not path.is_file():
        return b""
    with open_regular(path) as file:
        return file.read(_PIECE_BYTES)
