"""Opens the folder of a classifier and checks its files and labels."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.errors import ModelError
from groundwire.files import MAX_SETTINGS_BYTES, open_regular, read_limited
from groundwire.labels import show
from groundwire.onnx_models.runtime import OnnxSession

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ClassifierFolder", "probabilities", "shown_labels"]

CONFIG = "config.json"
TOKENIZER = "tokenizer.json"
_GRAPHS = ("model.onnx", "onnx/model.onnx")
_WEIGHTS = ("model.onnx_data", "model.onnx.data")
"""The file that exporters add for the weights of a large graph."""

_MAX_TOKENIZER_BYTES = 128 << 20
_PIECE_BYTES = 1 << 20
_LABELS_SHOWN = 8
_DYNAMIC = b"DynamicQuantizeLinear"

# In some layouts, special tokens take two of the positions in the configuration.
_SPECIAL_PLACES = 2


@dataclass(frozen=True)
class ClassifierFolder:
    """
    An opened classifier.

    Attributes:
        name: The name of the folder and the start of `version`: `nli@0123456789ab`.
        version: The SHA-256 of the graph and its weights.
        session: The graph with its tokenizer.
        labels: The names of the labels, by index.
        config: The content of `config.json`.
        is_quantized: Whether the graph scales integers by all values of a batch. Rows are then computed one by one,
            because a score would depend on its neighbours.
    """

    name: str
    version: str
    session: OnnxSession
    labels: tuple[str, ...]
    config: dict[str, Any]
    is_quantized: bool

    @classmethod
    def opened(cls, folder: str | os.PathLike[str], *, threads: int | None) -> "ClassifierFolder":
        """
        Open the model in *folder*.

        Raises:
            ImportError: The extra `onnx` is not installed.
            ModelError: A file is missing, broken, or outside the folder.
            TypeError, ValueError: An argument has another type or is out of its range.
        """
        if not isinstance(folder, str | os.PathLike):
            raise TypeError(f"folder must be a path, got {type(folder).__name__}")
        if threads is not None and threads < 1:
            raise ValueError(f"threads must be at least 1, got {threads}")
        path = Path(folder)
        if not path.is_dir():
            raise ModelError("onnx", f"`{path}` is not a folder")
        graph = next((path / name for name in _GRAPHS if (path / name).exists()), None)
        missing = [name for name in (TOKENIZER, CONFIG) if not (path / name).exists()]
        if graph is None or missing:
            names = ", ".join([*([_GRAPHS[0]] if graph is None else []), *missing])
            raise ModelError("onnx", f"the folder has no {names}; it needs model.onnx, {TOKENIZER} and {CONFIG}")
        config = _config(_read(path, path / CONFIG, MAX_SETTINGS_BYTES))
        version, is_quantized = _version(
            path, [graph, *(weights for name in _WEIGHTS if (weights := graph.parent / name).exists())]
        )
        tokenizer = _read(path, path / TOKENIZER, _MAX_TOKENIZER_BYTES)
        try:
            session = OnnxSession(graph, tokenizer, threads=threads)
        except ImportError as error:
            raise ImportError(f"a model in ONNX needs {error.name}: pip install 'groundwire[onnx]'") from None
        # Special tokens in a text are plain text, so that a source cannot end its sequence. A prompt has special tokens
        # of its own, and `OnnxSession.plain` handles the texts in it.
        session.tokenizer.encode_special_tokens = "prompt" not in config
        session.pad_id = _whole(config.get("pad_token_id"), least=0) or 0
        _check_vocabulary(session, config)
        return cls(f"{path.resolve().name}@{version[:12]}", version, session, _labels(config), config, is_quantized)

    def batch_tokens(self, most: int) -> int:
        """Return the maximum number of tokens computed together, at most *most*."""
        return 1 if self.is_quantized else most

    def max_tokens(self, most: int) -> int:
        """Return the maximum length of a row: the limit of graph and configuration, and *most* at most."""
        places = _whole(self.config.get("max_position_embeddings"), least=_SPECIAL_PLACES + 1)
        return min(most, self.session.width or most, most if places is None else places - _SPECIAL_PLACES)


def probabilities(logits: "NDArray[np.float32]", config: dict[str, Any]) -> "NDArray[np.float64]":
    """
    Return the probabilities of labels on the last axis: by sigmoid for a single label or labels that do not exclude
    each other, else by softmax.

    Raises:
        ModelError: A value is not finite.
    """
    import numpy as np

    values = np.asarray(logits, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ModelError("onnx", "the model's output is not finite")
    if values.shape[-1] == 1 or config.get("problem_type") == "multi_label_classification":
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -700.0, 700.0))))
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def shown_labels(labels: tuple[str, ...]) -> str:
    """Return the names of labels for an error message."""
    more = f" and {len(labels) - _LABELS_SHOWN} more" if len(labels) > _LABELS_SHOWN else ""
    return ", ".join(map(show, labels[:_LABELS_SHOWN])) + more


def _read(folder: Path, path: Path, limit: int) -> bytes:
    _check_place(folder, path)
    try:
        with open_regular(path) as file:
            return read_limited(file, path.name, limit)
    except OSError as error:
        raise ModelError("onnx", f"{path.name} cannot be read: {error.strerror}") from None


def _check_place(folder: Path, path: Path) -> None:
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ModelError("onnx", f"{path.name} is a link to a file outside the folder; copy the file into the folder")


def _version(folder: Path, paths: list[Path]) -> tuple[str, bool]:
    """Return the hash of the files, and whether one of their operators scales by the values of a batch."""
    digest, is_quantized, tail = hashlib.sha256(), False, b""
    for path in paths:
        _check_place(folder, path)
        try:
            with open_regular(path) as file:
                while piece := file.read(_PIECE_BYTES):
                    digest.update(piece)
                    is_quantized = is_quantized or _DYNAMIC in tail + piece
                    tail = piece[-len(_DYNAMIC) :]
        except OSError as error:
            raise ModelError("onnx", f"{path.name} cannot be read: {error.strerror}") from None
    return digest.hexdigest(), is_quantized


def _config(content: bytes) -> dict[str, Any]:
    try:
        config = json.loads(content)
    except (ValueError, RecursionError):
        config = None
    if not isinstance(config, dict):
        raise ModelError("onnx", f"{CONFIG} is not a JSON object")
    return config


def _labels(config: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of labels from `id2label` or `label2id`."""
    by_id, by_label = config.get("id2label"), config.get("label2id")
    named: dict[int, str] = {}
    try:
        if isinstance(by_id, dict):
            named = {int(id_): str(label) for id_, label in by_id.items()}
        if isinstance(by_label, dict):
            other = {int(id_): str(label) for label, id_ in by_label.items()}
            named = named or other
            if other != named:
                raise ModelError("onnx", f"id2label and label2id of {CONFIG} name different labels")
    except (TypeError, ValueError):
        named = {}
    if not named or sorted(named) != list(range(len(named))):
        raise ModelError(
            "onnx",
            f"{CONFIG} does not name the labels of the model: add "
            '"id2label" with a name for each, such as {"0": "unsupported", "1": "supported"}',
        )
    return tuple(named[id_] for id_ in range(len(named)))


def _whole(value: object, *, least: int) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        return None
    return value


def _check_vocabulary(session: OnnxSession, config: dict[str, Any]) -> None:
    size = _whole(config.get("vocab_size"), least=1)
    tokens = session.tokenizer.get_vocab_size(with_added_tokens=True)
    if size is not None and tokens > size:
        raise ModelError(
            "onnx", f"{TOKENIZER} has {tokens} tokens and the model {size}: they belong to different models"
        )
