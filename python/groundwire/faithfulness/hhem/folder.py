"""A folder with a model: which files it has, and whether they are those that were written."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.errors import HHEMError, HHEMMissingError
from groundwire.files import open_regular, read_limited

__all__ = ["CONFIG", "MANIFEST", "MAX_TOKENS", "MODEL", "TOKENIZER", "Contents", "describe", "read_folder", "sha256_of"]

MANIFEST = "manifest.json"
MODEL = "model.onnx"
TOKENIZER = "tokenizer.json"
CONFIG = "config.json"

FORMAT = "groundwire-hhem-1"

MAX_TOKENS = 512
"""A prompt is no longer than this, unless the claim is: flan-t5-base was trained on so much."""

VARIABLE = "GROUNDWIRE_HHEM"

_PRECISIONS = ("fp32", "int8")
_MAX_MANIFEST_BYTES = 1 << 20

STEPS = (
    "to get one: (1) pip install 'groundwire[hhem,hhem-convert]'; (2) put config.json and model.safetensors of "
    "huggingface.co/vectara/hallucination_evaluation_model and tokenizer.json of huggingface.co/google/flan-t5-base "
    "into one folder SRC; (3) groundwire hhem convert SRC DST; (4) HHEMClassifier('DST'), or "
    f"{VARIABLE}=DST in the environment"
)


@dataclass(frozen=True, slots=True)
class Contents:
    """
    A model's files, as bytes that have the hashes of the manifest.

    Attributes:
        name: Which model it is: "hhem", precision and the beginning of the weights' hash.
        precision: "fp32" or "int8".
        model: The ONNX graph with its weights.
        tokenizer: Its tokenizer, as JSON.
    """

    name: str
    precision: str
    model: bytes
    tokenizer: bytes


def chosen_folder(model: str | os.PathLike[str] | None) -> Path:
    """
    Return the folder that is meant: *model*, or that of the environment.

    Raises:
        HHEMMissingError: There is none. It says how to get one.
    """
    if model is not None:
        folder, where = Path(model), "the folder that was named"
    elif os.environ.get(VARIABLE):
        folder, where = Path(os.environ[VARIABLE]), f"the folder that {VARIABLE} names"
    else:
        from groundwire.settings import HHEMSettings

        setting = HHEMSettings().hhem_folder
        if setting is None:
            raise HHEMMissingError(f"no model was named, and {VARIABLE} is not set; {STEPS}")
        folder, where = setting, "the folder that QUANTITATIVE_HHEM_FOLDER names"
    if not (folder / MANIFEST).is_file():
        what = f"has no {MANIFEST}" if folder.is_dir() else "is not there"
        raise HHEMMissingError(f"{where}, `{folder}`, {what}; {STEPS}")
    return folder


def read_folder(model: str | os.PathLike[str] | None) -> Contents:
    """
    Read the model's files, all of them, and check each against the manifest.

    The bytes that are returned are those that were checked: nobody can exchange a file in
    between.

    Raises:
        HHEMMissingError: There is no such folder.
        HHEMError: The manifest or a file is broken, or is another one.
        OSError: A file cannot be read.
    """
    folder = chosen_folder(model)
    manifest = _read_manifest(folder / MANIFEST)
    read = {name: _checked(folder, name, manifest["files"].get(name)) for name in (MODEL, TOKENIZER, CONFIG)}
    return Contents(manifest["name"], manifest["precision"], read[MODEL], read[TOKENIZER])


def _read_manifest(path: Path) -> dict[str, Any]:
    """The manifest; `HHEMError` unless it has what `describe` writes."""
    try:
        with open_regular(path) as file:
            manifest: dict[str, Any] = json.loads(file.read(_MAX_MANIFEST_BYTES))
        is_known = manifest["format"] == FORMAT and manifest["precision"] in _PRECISIONS
        is_whole = isinstance(manifest["name"], str) and isinstance(manifest["files"], dict)
    except (ValueError, TypeError, KeyError, RecursionError):
        is_known = is_whole = False
    if not (is_known and is_whole):
        raise HHEMError(f"{path.name} is none that this version writes; convert the model again")
    return manifest


def _checked(folder: Path, name: str, expected: object) -> bytes:
    """The bytes of one file, which have the size and the hash that the manifest says."""
    if not (isinstance(expected, dict) and expected.keys() >= {"bytes", "sha256"}):
        raise HHEMError(f"{MANIFEST} says nothing of {name}; convert the model again")
    path = folder / name
    if not path.is_file():
        raise HHEMError(f"{name} is missing; convert the model again")
    size = path.stat().st_size
    if size != expected["bytes"]:
        raise HHEMError(f"{name} has {size} bytes, and {MANIFEST} says {expected['bytes']}: it is damaged")
    with open_regular(path) as file:
        content = read_limited(file, name, size)
    if hashlib.sha256(content).hexdigest() != expected["sha256"]:
        raise HHEMError(f"{name} has not the hash that {MANIFEST} says: it is damaged, or another file")
    return content


def describe(folder: Path, *, precision: str, weights_sha256: str, **facts: object) -> dict[str, object]:
    """Return the manifest for the files in *folder*; *facts* are for people."""
    files = {
        name: {"bytes": (folder / name).stat().st_size, "sha256": sha256_of(folder / name)}
        for name in (MODEL, TOKENIZER, CONFIG)
    }
    return {
        "format": FORMAT,
        "name": f"hhem-{precision}-{weights_sha256[:8]}",
        "precision": precision,
        "weights_sha256": weights_sha256,
        **facts,
        "files": files,
    }


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
