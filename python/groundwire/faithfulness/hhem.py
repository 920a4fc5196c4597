"""
HHEM, a trained classifier of consistency, on ONNX Runtime.

The folder of the model is checked against its manifest. A long context is split into windows at sentence ends."""

import hashlib
import json
import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.errors import HHEMError, HHEMMissingError, ModelError
from groundwire.files import open_regular, read_limited
from groundwire.onnx_models.runtime import OnnxSession
from groundwire.onnx_models.windows import best_of_windows, estimated_tokens, windows_of

__all__ = [
    "CONFIG",
    "FORMAT",
    "MANIFEST",
    "MAX_TOKENS",
    "MODEL",
    "OUTPUT",
    "PROMPT",
    "TOKENIZER",
    "HHEMClassifier",
    "OnnxModel",
]

PROMPT = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {text1}\n\nHypothesis: {text2}"
"""
What the model is asked, as its configuration has it, to the letter. The decision is read at the first token, padding.

Source: the model card of HHEM-2.1-Open.
"""

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
    "to get one: (1) pip install 'groundwire[hhem]' onnx safetensors; (2) put config.json and model.safetensors of "
    "huggingface.co/vectara/hallucination_evaluation_model and tokenizer.json of huggingface.co/google/flan-t5-base "
    "into one folder SRC; (3) python tools/convert_hhem SRC DST, in a checkout of groundwire; "
    f"(4) HHEMClassifier('DST'), or {VARIABLE}=DST in the environment"
)

INPUTS = {"input_ids", "attention_mask"}
OUTPUT = "consistency"

# A context keeps so much room, however long the claim: relative positions have no end.
_MIN_WINDOW_TOKENS = 128
_MAX_CLAIM_TOKENS = 1024

_TOKENS_PER_PASS = 512


class OnnxModel:
    """
    A model's folder, opened. Safe to share between threads.

    Args:
        model: The folder; None for that of the environment.
        threads: How many threads compute one batch; None for as many as there are cores.

    Attributes:
        name: Which model it is.
        batch_tokens: So many tokens are computed together.

    Raises:
        HHEMMissingError: There is no such folder, or the extra `hhem` is not installed.
        HHEMError: A file is broken, or another one than was written.
        OSError: A file cannot be read.
    """

    def __init__(self, model: str | os.PathLike[str] | None, *, threads: int | None) -> None:
        contents = _read_folder(model)
        self.name = contents.name
        self._session = _opened(contents, threads)
        self._tokenizer = self._session.tokenizer
        # Integers are scaled by the largest value of all that is computed together, so that a pair's score would
        # depend on its neighbours.
        self.batch_tokens = 1 if contents.precision == "int8" else _TOKENS_PER_PASS
        self._check_prompt()

    def measure(self, context: str, claim: str) -> tuple[str, Sequence[tuple[int, int]], int]:
        """
        Return *context* without special tokens, the spans of its tokens, and how many of them fit beside *claim*.

        Raises:
            ValueError: The claim has more than 1,024 tokens.
        """
        claimed = len(self.tokens("", claim))
        if claimed > _MAX_CLAIM_TOKENS:
            raise ValueError(f"the claim has {claimed} tokens with its prompt, more than {_MAX_CLAIM_TOKENS}")
        room = max(MAX_TOKENS - claimed, _MIN_WINDOW_TOKENS)
        plain = self._session.plain(context)
        spans = self._tokenizer.encode(plain, add_special_tokens=False).offsets
        return plain, spans, room

    def run(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """
        Return the consistency of each pair of context and claim, none of them cut.

        Pairs of like length are computed together.

        Raises:
            HHEMError: ONNX Runtime fails, or has another result than one number a prompt.
        """
        return self.consistencies([self.tokens(context, claim) for context, claim in pairs])

    def tokens(self, context: str, claim: str) -> list[int]:
        """Return the tokens of one prompt."""
        text1, text2 = self._session.plain(context), self._session.plain(claim)
        ids: list[int] = self._tokenizer.encode(PROMPT.format(text1=text1, text2=text2)).ids
        return ids

    def consistencies(self, prompts: Sequence[Sequence[int]]) -> list[float]:
        """Return the consistency of each prompt. Raises as `run`."""
        scores = [0.0] * len(prompts)
        try:
            for places, _, (found,) in self._session.computed(
                prompts, batch_tokens=self.batch_tokens, outputs=[OUTPUT]
            ):
                if found.shape != (len(places),):
                    raise HHEMError(f"the model's output has the shape {found.shape}, expected ({len(places)},)")
                for place, score in zip(places, found.tolist(), strict=True):
                    scores[place] = score
        except HHEMError:
            raise
        except ModelError as error:
            raise HHEMError(error.reason) from None
        return scores

    def _check_prompt(self) -> None:
        """The first token decides, so it has to be the one that the model was trained with."""
        ids = self.tokens("Ann: I have worked here for five years.", "Ann has worked here for five years.")
        ends = [self._tokenizer.token_to_id(token) for token in ("<pad>", "</s>")]
        if [ids[0], ids[-1]] != ends or any(end in ids[1:-1] for end in ends):
            raise HHEMError("the tokenizer does not write the prompt as that of flan-t5-base does")


@dataclass(frozen=True, slots=True)
class _Contents:
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


def _chosen_folder(model: str | os.PathLike[str] | None) -> Path:
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


def _read_folder(model: str | os.PathLike[str] | None) -> _Contents:
    """
    Read the model's files, all of them, and check each against the manifest.

    The bytes that are returned are those that were checked: nobody can exchange a file in
    between.

    Raises:
        HHEMMissingError: There is no such folder.
        HHEMError: The manifest or a file is broken, or is another one.
        OSError: A file cannot be read.
    """
    folder = _chosen_folder(model)
    manifest = _read_manifest(folder / MANIFEST)
    read = {name: _checked(folder, name, manifest["files"].get(name)) for name in (MODEL, TOKENIZER, CONFIG)}
    return _Contents(manifest["name"], manifest["precision"], read[MODEL], read[TOKENIZER])


def _read_manifest(path: Path) -> dict[str, Any]:
    """The manifest; `HHEMError` unless it has what `tools/convert_hhem` writes."""
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


def _opened(contents: _Contents, threads: int | None) -> OnnxSession:
    """The session; `HHEMError` if the files are not those of HHEM."""
    try:
        session = OnnxSession(contents.model, contents.tokenizer, threads=threads)
    except ImportError as error:
        raise HHEMMissingError(f"HHEM needs {error.name}: pip install 'groundwire[hhem]'; {STEPS}") from None
    except ModelError as error:
        raise HHEMError(f"{error.reason}; convert it again") from None
    if ({*session.inputs}, session.outputs) != (INPUTS, [OUTPUT]):
        raise HHEMError("the model's inputs and outputs are not those of HHEM; convert it again")
    return session


_HALLUCINATED_BELOW = 0.5
"""A claim with a lower consistency is hallucinated (ruling D5)."""

_Backend = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""Whoever has a consistency, 0.0 to 1.0, for each pair of context and claim, in their order."""

# What the prompt takes, of a model whose tokens are not known here.
_PROMPT_TOKENS = 32

# The tokens that a context keeps, however long the claim.
_MIN_CONTEXT_TOKENS = MAX_TOKENS // 4

# Softmax in single precision may add up to this much more than 1.
_ROUNDING = 1e-6


class HHEMClassifier:
    """
    Says whether claims are consistent with their contexts. Safe to share between threads.

    It computes nothing but consistency: a claim that is true and not in its context is
    hallucinated. A context that is too long is cut into windows that overlap, and the highest
    consistency of them counts.

    Args:
        model: A folder that `tools/convert_hhem` has written; None for that of the
            environment, `GROUNDWIRE_HHEM`.
        backend: What computes consistencies instead of a model's folder. It is called with at
            most 256 pairs at once, in one thread.
        threads: How many threads compute one batch; None for as many as there are cores.

    Attributes:
        name: Which model it is: that of the folder, or `backend.name`, or "backend".

    Raises:
        HHEMMissingError: There is no such folder, or the extra `hhem` is not installed. It
            says how to get one.
        HHEMError: A file of the folder is damaged, or another one than was written.
        TypeError, ValueError: An argument is none of these.
        OSError: A file cannot be read.
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | None = None,
        *,
        backend: _Backend | None = None,
        threads: int | None = None,
    ) -> None:
        if backend is not None and (model is not None or threads is not None):
            raise TypeError("a backend needs neither model nor threads")
        if backend is not None and not callable(backend):
            raise TypeError(f"backend must be callable, got {type(backend).__name__}")
        if model is not None and not isinstance(model, str | os.PathLike):
            raise TypeError(f"model must be a folder, got {type(model).__name__}")
        if threads is not None and threads < 1:
            raise ValueError(f"threads must be at least 1, got {threads}")
        if backend is None:
            opened = OnnxModel(model, threads=threads)
            self.name, self._measure = opened.name, opened.measure
            self._run: _Backend = opened.run
        else:
            name = getattr(backend, "name", None)
            self.name = name if isinstance(name, str) and name else "backend"
            self._measure, self._run = _measure, backend

    def score(self, *, claim: str, context: str) -> float:
        """
        Return how consistent *claim* is with *context*: 0.0 to 1.0, and 0.0 for a blank context.

        Raises as `score_many`.
        """
        return self.score_many([(context, claim)])[0]

    def classify(self, *, claim: str, context: str) -> bool:
        """
        Tell whether *claim* is hallucinated: less consistent than 0.5 (ruling D5).

        Raises as `score_many`.
        """
        return self.score(claim=claim, context=context) < _HALLUCINATED_BELOW

    def score_many(self, pairs: Iterable[tuple[str, str]]) -> list[float]:
        """
        Return the consistency of each pair of context and claim, in their order.

        Windows of like length are computed together. Ctrl-C is heard between batches.

        Raises:
            TypeError: A pair is not two strings.
            ValueError: A claim is blank, or has more than 1,024 tokens.
            HHEMError: The backend has not one number from 0 to 1 for each window.
        """
        return best_of_windows(pairs, self._windows, self._checked)

    # The name by which layers of scorers know it.
    consistencies = score_many

    def _checked(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return _checked_scores(self._run(pairs), len(pairs))

    def _windows(self, context: str, claim: str) -> list[str]:
        text, tokens, room = self._measure(context, claim)
        return [text[start:end] for start, end in windows_of(text, tokens, room)]


def _measure(context: str, claim: str) -> tuple[str, Sequence[tuple[int, int]], int]:
    """As `OnnxModel.measure`, for a backend that takes as much as HHEM does."""
    room = MAX_TOKENS - _PROMPT_TOKENS - len(estimated_tokens(claim))
    return context, estimated_tokens(context), max(room, _MIN_CONTEXT_TOKENS)


def _checked_scores(scores: Sequence[float], count: int) -> list[float]:
    """*scores* as floats from 0 to 1; `HHEMError` if they are anything else."""
    try:
        found = list(scores)
    except TypeError:
        raise HHEMError(f"the backend returned {type(scores).__name__}, not a sequence") from None
    if len(found) != count:
        raise HHEMError(f"the backend has {len(found)} consistencies for {count} pairs")
    for place, score in enumerate(found):
        try:
            number = float(score)
        except (TypeError, ValueError):
            number = math.nan
        if not -_ROUNDING <= number <= 1.0 + _ROUNDING:
            shown = number if isinstance(score, int | float) else type(score).__name__
            raise HHEMError(f"consistency {place} of the backend is no number from 0 to 1, got {shown}")
        found[place] = min(max(number, 0.0), 1.0)
    return found
