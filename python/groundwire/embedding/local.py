"""
Embedders for models in local folders: token tables, ONNX networks and sentence-transformers models.

Nothing is downloaded, no code of a folder is run, and the name of a model includes a part of the hash of its weights.
Texts for an ONNX network are sorted by length and computed in batches of similar token counts, which saves padding; the
order of the result is that of the texts.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from groundwire.embedding.protocol import FAILED, NOT_THERE, WRONG_SHAPE, EmbeddingError
from groundwire.errors import ModelError
from groundwire.files import MAX_SETTINGS_BYTES, open_regular, read_limited
from groundwire.onnx_models.runtime import BATCH_TOKENS, BERT_TOKENS, OnnxSession, encodable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["OnnxEmbedder", "SentenceTransformerEmbedder", "StaticEmbedder", "existing_folder", "kind_of"]

_PIECE_BYTES = 1 << 20


class StaticEmbedder:
    """
    A model2vec model in a local folder. Safe to share between threads.

    A text without a known token has the zero vector, which is similar to nothing.

    Args:
        folder: The folder with `model.safetensors`, `tokenizer.json` and `config.json`.
        name: The name of the model; None for the name of the folder.

    Attributes:
        name: The name, with a part of the hash of the weights.

    Raises:
        ImportError: The extra `embeddings` is not installed.
        EmbeddingError: The folder has no such model.
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
        Return the embedder of a model in an installed package.

        Raises as the class.
        """
        return cls(package_folder(package), name=package)

    def encode(self, texts: list[str]) -> "NDArray[np.float32]":
        """Return one vector for each text, shape (len(texts), dimensions)."""
        import numpy as np

        # The library's worker processes would start in the middle of the caller's program.
        given = list(map(encodable, texts))
        vectors = self._model.encode(given, use_multiprocessing=False) if given else np.zeros((0, 0))
        return np.asarray(vectors, dtype=np.float32)


class OnnxEmbedder:
    """
    An ONNX model in a local folder. Safe to share between threads.

    `1_Pooling/config.json`, in the format of sentence-transformers, says how token vectors are pooled. A model with one
    vector for each text needs no pooling.

    Args:
        folder: The folder with `tokenizer.json` and `model.onnx` or `onnx/model.onnx`.
        prefix: A prefix for every text, which some models require: `query: `.
        pooling: "mean" or "cls"; None for the setting of the folder, else "mean".
        max_tokens: The length at which texts are cut; None for the setting of the folder, at most 512.
        threads: The number of threads of ONNX Runtime; None for its default.

    Attributes:
        name: The name of the folder, with a part of the hash of the model.

    Raises:
        ImportError: The extra `onnx` is not installed.
        EmbeddingError: The folder has no such model.
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
            EmbeddingError: The model returns neither text vectors nor token vectors.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        encodings = self._session.tokenizer.encode_batch([encodable(self._prefix + text) for text in texts])
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
            raise EmbeddingError(WRONG_SHAPE, "the model returns neither text vectors nor token vectors")
        return vectors


def _pooled(tokens: "NDArray[np.float32]", mask: "NDArray[np.bool_]", pooling: str) -> "NDArray[np.float32]":
    """Return one vector from the token vectors of a text: the first, or the mean without padding."""
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
    limit = _config(folder / "sentence_bert_config.json").get("max_seq_length")
    return min(limit, BERT_TOKENS) if isinstance(limit, int) and limit > 0 else BERT_TOKENS


def _config(path: Path) -> dict[str, Any]:
    """Return the object in a file; empty for a missing file, or one with other content."""
    try:
        with open_regular(path) as file:
            content = json.loads(read_limited(file, path.name, MAX_SETTINGS_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


class SentenceTransformerEmbedder:
    """
    A sentence-transformers model, run on the CPU.

    Only weights in safetensors are read, no code of the folder is run, and nothing is downloaded.

    Args:
        folder: The folder with `modules.json` and weights in `model.safetensors`.
        prefix: A prefix for every text, which some models require: `query: `.
        batch: The number of texts computed together.

    Attributes:
        name: The name of the folder, with a part of the hash of the weights.

    Raises:
        ImportError: sentence-transformers is not installed.
        EmbeddingError: The folder has no such model.
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

        given = [encodable(self._prefix + text) for text in texts]
        if not given:
            return np.zeros((0, 0), dtype=np.float32)
        # The library sorts texts by length itself.
        vectors = self._model.encode(given, batch_size=self._batch, show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(vectors, dtype=np.float32)


def existing_folder(folder: str | os.PathLike[str]) -> Path:
    """
    Return *folder* as a path.

    The check prevents downloads: libraries take the name of a missing folder for a model on a server.

    Raises:
        EmbeddingError: The folder does not exist.
    """
    path = Path(folder)
    if not path.is_dir():
        raise EmbeddingError(NOT_THERE, "the folder of the model does not exist")
    return path


def package_folder(package: str) -> Path:
    """
    Return the folder of a model inside an installed package, without running the package's code.

    Raises:
        EmbeddingError: The package is not installed, or has no model.
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
    Return the kind of the model in *folder*: "onnx", "static" or "sentence-transformers"; None if unknown.

    The files decide: an ONNX model; token vectors with a tokenizer and no network; any other folder that names its
    modules.
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
    """Return eight letters of the hash of the weights, which distinguish cached vectors of different models."""
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
