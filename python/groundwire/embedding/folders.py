"""Folders with models: what is in them, and which model it is."""

import hashlib
import os
from pathlib import Path

from groundwire.embedding.failures import NOT_THERE, EmbeddingError
from groundwire.files import open_regular

__all__ = ["existing_folder", "fingerprint", "kind_of", "model_file", "package_folder"]

_PIECE_BYTES = 1 << 20


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
