"""
Reads the published model and checks its files and tensors.

Only numbers and JSON are read; no code of the folder runs, and nothing is unpickled.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.errors import HHEMError
from groundwire.faithfulness.hhem import CONFIG, PROMPT, TOKENIZER
from groundwire.files import MAX_SETTINGS_BYTES, read_file
from groundwire.labels import plural

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["WEIGHTS", "Dimensions", "Weights", "read_weights"]

WEIGHTS = "model.safetensors"

Weights = Mapping[str, "NDArray[np.float32]"]
"""Tensors by their names, without the prefix."""

_PREFIX = "t5."
_BLOCK = re.compile(r"transformer\.encoder\.block\.(\d+)\.")
_HEADS = "transformer.encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"


@dataclass(frozen=True, slots=True)
class Dimensions:
    """
    The sizes of an encoder, which its tensors tell.

    Attributes:
        tokens: Of the vocabulary.
        width: Of a token's vector.
        inner: Of all heads together.
        hidden: Of the feed-forward layer.
        blocks, heads, buckets: How many there are; buckets of relative positions.
    """

    tokens: int
    width: int
    inner: int
    hidden: int
    blocks: int
    heads: int
    buckets: int

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return every tensor that there has to be, with its shape; the tie of the embedding is none of them."""
        encoder = "transformer.encoder"
        shapes: dict[str, tuple[int, ...]] = {"transformer.shared.weight": (self.tokens, self.width)}
        shapes[_HEADS] = (self.buckets, self.heads)
        for block in range(self.blocks):
            attention, forward = (f"{encoder}.block.{block}.layer.{layer}" for layer in (0, 1))
            shapes |= {f"{attention}.SelfAttention.{name}.weight": (self.inner, self.width) for name in "qkv"}
            shapes[f"{attention}.SelfAttention.o.weight"] = (self.width, self.inner)
            dense = f"{forward}.DenseReluDense"
            shapes |= {f"{dense}.{name}.weight": (self.hidden, self.width) for name in ("wi_0", "wi_1")}
            shapes[f"{dense}.wo.weight"] = (self.width, self.hidden)
            shapes |= {f"{layer}.layer_norm.weight": (self.width,) for layer in (attention, forward)}
        shapes[f"{encoder}.final_layer_norm.weight"] = (self.width,)
        return shapes | {"classifier.weight": (2, self.width), "classifier.bias": (2,)}


def read_weights(folder: Path) -> tuple[Weights, Dimensions]:
    """
    Read the tensors of a published folder and check that they are those of HHEM, all and no others.

    Raises:
        HHEMError: A file is missing, broken or another one, or a tensor is: missing, too many,
            of another shape or type, or not finite.
        ImportError: `safetensors` is not installed.
        OSError: A file cannot be read.
    """
    for name in (CONFIG, WEIGHTS, TOKENIZER):
        if not (folder / name).is_file():
            hint = "; it is that of huggingface.co/google/flan-t5-base" if name == TOKENIZER else ""
            raise HHEMError(f"`{folder}` has no {name}{hint}")
    _check_config(folder / CONFIG)
    weights = _without_prefix(_load(folder / WEIGHTS))
    dimensions = _dimensions(weights)
    _check_tensors(weights, dimensions)
    return weights, dimensions


def _load(path: Path) -> "dict[str, NDArray[np.float32]]":
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    failure = None
    try:
        tensors: dict[str, NDArray[np.float32]] = load_file(path)
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        failure = type(error).__name__
    if failure is not None:
        raise HHEMError(f"{path.name} is no file of tensors: {failure}")
    return tensors


def _check_config(path: Path) -> None:
    """Check the prompt, the only part of the configuration that matters."""
    try:
        config = json.loads(read_file(path, MAX_SETTINGS_BYTES))
        prompt = config.get("prompt", PROMPT)
    except (ValueError, AttributeError, RecursionError):
        prompt = None
    if prompt is None:
        raise HHEMError(f"{path.name} is no JSON object")
    if prompt != PROMPT:
        raise HHEMError(f"{path.name} has another prompt than HHEM-2.1-Open: it is another model")


def _without_prefix(tensors: Weights) -> Weights:
    strange = sorted(name for name in tensors if not name.startswith(_PREFIX))
    if strange:
        named = plural(len(strange), "tensor has", "tensors have")
        raise HHEMError(f"{named} no prefix {_PREFIX}, the first is {strange[0]!r}")
    return {name.removeprefix(_PREFIX): tensor for name, tensor in tensors.items()}


def _dimensions(weights: Weights) -> Dimensions:
    """Return the sizes that the main tensors have, without checking the others."""
    query = "transformer.encoder.block.0.layer.0.SelfAttention.q.weight"
    forward = "transformer.encoder.block.0.layer.1.DenseReluDense.wi_0.weight"
    needed = ("transformer.shared.weight", query, forward, _HEADS)
    absent = [name for name in needed if name not in weights or weights[name].ndim != 2]
    if absent:
        raise HHEMError(f"there is no tensor {absent[0]} of two dimensions: this is no T5 encoder with a classifier")
    tokens, width = weights[needed[0]].shape
    buckets, heads = weights[_HEADS].shape
    inner, hidden = weights[query].shape[0], weights[forward].shape[0]
    if not heads or inner % heads or buckets < 4 or buckets % 4:
        raise HHEMError(f"{inner} values are not {heads} heads, or {buckets} are no buckets of relative positions")
    # Not the largest number: that may be anything.
    blocks = len({found[1] for name in weights if (found := _BLOCK.match(name))})
    return Dimensions(tokens, width, inner, hidden, blocks, heads, buckets)


def _check_tensors(weights: Weights, dimensions: Dimensions) -> None:
    import numpy as np

    expected = dimensions.shapes()
    for words, names in (("missing", expected.keys() - weights.keys()), ("too many", weights.keys() - expected.keys())):
        if names:
            raise HHEMError(f"{plural(len(names), 'tensor is', 'tensors are')} {words}, the first is {min(names)!r}")
    for name, shape in expected.items():
        tensor = weights[name]
        if tensor.shape != shape or tensor.dtype != np.float32:
            raise HHEMError(f"{name} is {tensor.dtype} of shape {tensor.shape}, expected float32 of {shape}")
        if not np.isfinite(tensor).all():
            raise HHEMError(f"{name} has values that are not finite")
