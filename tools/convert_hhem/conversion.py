"""Converts the published model to a folder that ONNX Runtime opens."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from convert_hhem.graph import build_graph
from convert_hhem.published import WEIGHTS, Dimensions, read_weights
from groundwire.errors import HHEMError, HHEMMissingError
from groundwire.faithfulness.hhem import CONFIG, FORMAT, MANIFEST, MODEL, TOKENIZER, HHEMClassifier
from groundwire.files import MAX_SETTINGS_BYTES, open_regular, read_file
from groundwire.onnx_models.runtime import import_onnxruntime

if TYPE_CHECKING:
    from onnx import ModelProto

__all__ = ["SAMPLES", "Conversion", "convert", "describe"]

SAMPLES = (
    ("Ann: I have worked here for five years.", "Person has worked here for five years."),
    ("Ann: I have worked here for five years.", "Person has worked here for nine years."),
    ("I'd rather call; I hate e-mail.\n\nBob nods (twice).", "The user prefers e-mail."),
    ("The shop opens at 9:30 and closes at 18:00, except on Sundays.", "The shop is open at noon on Mondays."),
    ("age: 34; occupation: marketing manager", "Person is 34 years old"),
    ("age: 34; occupation: marketing manager", "Person is 43 years old"),
)
"""Pairs of context and claim that a conversion is tried with."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """
    What was written.

    Attributes:
        name: The model, as results name it.
        parameters: How many numbers its tensors have.
        size_bytes: Of all files.
        int8_difference: How far int8 is from fp32 at most, on the pairs that every conversion is
            tried with; None for fp32.
    """

    name: str
    parameters: int
    size_bytes: int
    int8_difference: float | None


def convert(source: str | os.PathLike[str], target: str | os.PathLike[str], *, int8: bool = False) -> Conversion:
    """
    Write the published model in the folder *source* as the new folder *target*.

    The new folder appears completely or not at all, after a trial of the converted model.

    Args:
        source: A folder with config.json and model.safetensors of HHEM-2.1-Open, and tokenizer.json of
            flan-t5-base.
        target: A folder that is missing or empty.
        int8: Whether matrices become integers of 8 bits: less than half the size, and less exact.

    Raises:
        HHEMError: The source is not that model, or the target is not empty.
        HHEMMissingError: A package that this needs is not installed.
        OSError: A file cannot be read or written.
    """
    origin, goal = Path(source), Path(target)
    _require_packages()
    if goal.exists() and not (goal.is_dir() and next(goal.iterdir(), None) is None):
        raise HHEMError(f"`{goal}` is there already; nothing was written")
    weights, dimensions = read_weights(origin)
    _check_tokenizer(origin / TOKENIZER, dimensions)
    goal.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=goal.parent, prefix=f".{goal.name}-") as scratch:
        folder = Path(scratch, "fp32")
        facts = {"parameters": sum(tensor.size for tensor in weights.values())}
        digest = _sha256_of(origin / WEIGHTS)
        _write_folder(folder, origin, build_graph(weights, dimensions), precision="fp32", digest=digest, facts=facts)
        exact = _tried(folder)
        difference = None
        if int8:
            whole, folder = folder, Path(scratch, "int8")
            _write_folder(folder, origin, _quantised(whole / MODEL), precision="int8", digest=digest, facts=facts)
            difference = max(abs(one - other) for one, other in zip(exact, _tried(folder), strict=True))
        converted = _conversion(folder, facts["parameters"], difference)
        if goal.exists():
            goal.rmdir()
        folder.rename(goal)
    return converted


def _write_folder(
    folder: Path, origin: Path, model: "ModelProto", *, precision: str, digest: str, facts: dict[str, int]
) -> None:
    """Write all files, the manifest last."""
    folder.mkdir()
    (folder / MODEL).write_bytes(model.SerializeToString())
    for name in (TOKENIZER, CONFIG):
        shutil.copyfile(origin / name, folder / name)
    manifest = describe(folder, precision=precision, weights_sha256=digest, **facts)
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _quantised(path: Path) -> "ModelProto":
    """
    The model with its matrices as integers, one scale for each column.

    The embedding stays as it is: it costs no time, and every later step builds on it.
    """
    import onnx

    import_onnxruntime()
    from onnxruntime.quantization import QuantType, quantize_dynamic

    written = path.with_name("int8.onnx")
    quantize_dynamic(path, written, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"], per_channel=True)
    model = onnx.load(written)
    written.unlink()
    return model


def _tried(folder: Path) -> Sequence[float]:
    """Return the consistencies of the samples by the folder, opened as callers open it."""
    return HHEMClassifier(folder).score_many(SAMPLES)


def _conversion(folder: Path, parameters: int, difference: float | None) -> Conversion:
    name = json.loads(read_file(folder / MANIFEST, MAX_SETTINGS_BYTES))["name"]
    size = sum(path.stat().st_size for path in folder.iterdir())
    return Conversion(name, parameters, size, difference)


def _check_tokenizer(path: Path, dimensions: Dimensions) -> None:
    """Check that the embedding has every token."""
    from tokenizers import Tokenizer

    failure = None
    try:
        vocabulary = Tokenizer.from_file(str(path)).get_vocab()
    except Exception as error:
        # The library raises `Exception` itself.
        failure = type(error).__name__
    if failure is not None:
        raise HHEMError(f"{path.name} is no tokenizer: {failure}")
    if max(vocabulary.values(), default=0) >= dimensions.tokens:
        raise HHEMError(f"{path.name} has more tokens than the model, which has {dimensions.tokens}")


def _require_packages() -> None:
    try:
        import_onnxruntime()
        import onnx  # noqa: F401 - only their absence matters
        import safetensors  # noqa: F401 - only their absence matters
        import tokenizers  # noqa: F401 - only their absence matters
    except ImportError as error:
        raise HHEMMissingError(
            f"a conversion needs {error.name}: pip install 'groundwire[hhem]' onnx safetensors"
        ) from None


def describe(folder: Path, *, precision: str, weights_sha256: str, **facts: object) -> dict[str, object]:
    """Return the manifest for the files in *folder*; *facts* are for people."""
    files = {
        name: {"bytes": (folder / name).stat().st_size, "sha256": _sha256_of(folder / name)}
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


def _sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
