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
The prompt, to the letter as in the model's configuration. The decision is read at its first token, the padding.

Source: the model card of HHEM-2.1-Open.
"""

MANIFEST = "manifest.json"
MODEL = "model.onnx"
TOKENIZER = "tokenizer.json"
CONFIG = "config.json"

FORMAT = "groundwire-hhem-1"

MAX_TOKENS = 512
"""The maximum length of a prompt unless the claim is longer, as in the training of flan-t5-base."""

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

# A context keeps this much room however long the claim is: relative positions have no upper limit.
_MIN_WINDOW_TOKENS = 128
_MAX_CLAIM_TOKENS = 1024

_TOKENS_PER_PASS = 512


class OnnxModel:
    """
    The opened folder of a model. Safe to share between threads.

    Args:
        model: The folder; None for that of the environment.
        threads: The number of threads for one batch; None for one per core.

    Attributes:
        name: The name of the model.
        batch_tokens: The number of tokens computed together.

    Raises:
        HHEMMissingError: The folder or the extra `hhem` is missing.
        HHEMError: A file is damaged or differs from the manifest.
        OSError: A file cannot be read.
    """

    def __init__(self, model: str | os.PathLike[str] | None, *, threads: int | None) -> None:
        contents = _read_folder(model)
        self.name = contents.name
        self._session = _opened(contents, threads)
        self._tokenizer = self._session.tokenizer
        # int8 scales by the largest value of the whole batch, so that a pair's score would depend on its neighbours.
        self.batch_tokens = 1 if contents.precision == "int8" else _TOKENS_PER_PASS
        self._check_prompt()

    def measure(self, context: str, claim: str) -> tuple[str, Sequence[tuple[int, int]], int]:
        """
        Return *context* without special tokens, the spans of its tokens, and the number of them that fits beside
        *claim*.

        Raises:
            ValueError: The claim has more than 1,024 tokens.
        """
        claimed = len(self.tokens("", claim))
        if claimed > _MAX_CLAIM_TOKENS:
            raise ValueError(f"the claim has {claimed} tokens with its prompt; at most {_MAX_CLAIM_TOKENS} are allowed")
        room = max(MAX_TOKENS - claimed, _MIN_WINDOW_TOKENS)
        plain = self._session.plain(context)
        spans = self._tokenizer.encode(plain, add_special_tokens=False).offsets
        return plain, spans, room

    def run(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """
        Return the consistency of each pair of context and claim, without truncation.

        Pairs of similar length are computed together.

        Raises:
            HHEMError: ONNX Runtime fails, or does not return one number for each prompt.
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
        """Check that the prompt starts with the token of the training, because that token decides."""
        ids = self.tokens("Ann: I have worked here for five years.", "Ann has worked here for five years.")
        ends = [self._tokenizer.token_to_id(token) for token in ("<pad>", "</s>")]
        if [ids[0], ids[-1]] != ends or any(end in ids[1:-1] for end in ends):
            raise HHEMError("the tokenizer does not encode the prompt like that of flan-t5-base")


@dataclass(frozen=True, slots=True)
class _Contents:
    """
    The files of a model, as bytes with the hashes of the manifest.

    Attributes:
        name: "hhem", the precision, and the start of the weights' hash.
        precision: "fp32" or "int8".
        model: The ONNX graph with its weights.
        tokenizer: The tokenizer, as JSON.
    """

    name: str
    precision: str
    model: bytes
    tokenizer: bytes


def _chosen_folder(model: str | os.PathLike[str] | None) -> Path:
    """
    Return *model*, or the folder of the environment.

    Raises:
        HHEMMissingError: There is no folder. The message says how to get one.
    """
    if model is not None:
        folder, where = Path(model), "the given folder"
    elif os.environ.get(VARIABLE):
        folder, where = Path(os.environ[VARIABLE]), f"the folder in {VARIABLE}"
    else:
        from groundwire.settings import HHEMSettings

        setting = HHEMSettings().hhem_folder
        if setting is None:
            raise HHEMMissingError(f"no model is given, and {VARIABLE} is not set; {STEPS}")
        folder, where = setting, "the folder in QUANTITATIVE_HHEM_FOLDER"
    if not (folder / MANIFEST).is_file():
        what = f"has no {MANIFEST}" if folder.is_dir() else "does not exist"
        raise HHEMMissingError(f"{where}, `{folder}`, {what}; {STEPS}")
    return folder


def _read_folder(model: str | os.PathLike[str] | None) -> _Contents:
    """
    Read all files of the model and check each against the manifest.

    The returned bytes are the checked ones, so that a file cannot be exchanged in between.

    Raises:
        HHEMMissingError: The folder is missing.
        HHEMError: The manifest is invalid, or a file is damaged or differs from it.
        OSError: A file cannot be read.
    """
    folder = _chosen_folder(model)
    manifest = _read_manifest(folder / MANIFEST)
    read = {name: _checked(folder, name, manifest["files"].get(name)) for name in (MODEL, TOKENIZER, CONFIG)}
    return _Contents(manifest["name"], manifest["precision"], read[MODEL], read[TOKENIZER])


def _read_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest. Raises `HHEMError` if `tools/convert_hhem` of this version did not write it."""
    try:
        with open_regular(path) as file:
            manifest: dict[str, Any] = json.loads(file.read(_MAX_MANIFEST_BYTES))
        is_known = manifest["format"] == FORMAT and manifest["precision"] in _PRECISIONS
        is_whole = isinstance(manifest["name"], str) and isinstance(manifest["files"], dict)
    except (ValueError, TypeError, KeyError, RecursionError):
        is_known = is_whole = False
    if not (is_known and is_whole):
        raise HHEMError(f"{path.name} is not from this version of the converter; convert the model again")
    return manifest


def _checked(folder: Path, name: str, expected: object) -> bytes:
    """Return the bytes of one file, checked against the size and hash of the manifest."""
    if not (isinstance(expected, dict) and expected.keys() >= {"bytes", "sha256"}):
        raise HHEMError(f"{MANIFEST} does not list {name}; convert the model again")
    path = folder / name
    if not path.is_file():
        raise HHEMError(f"{name} is missing; convert the model again")
    size = path.stat().st_size
    if size != expected["bytes"]:
        raise HHEMError(f"{name} has {size} bytes instead of the {expected['bytes']} in {MANIFEST}: it is damaged")
    with open_regular(path) as file:
        content = read_limited(file, name, size)
    if hashlib.sha256(content).hexdigest() != expected["sha256"]:
        raise HHEMError(f"{name} does not have the hash in {MANIFEST}: it is damaged or another file")
    return content


def _opened(contents: _Contents, threads: int | None) -> OnnxSession:
    """Return the session. Raises `HHEMError` if the files are not those of HHEM."""
    try:
        session = OnnxSession(contents.model, contents.tokenizer, threads=threads)
    except ImportError as error:
        raise HHEMMissingError(f"HHEM needs {error.name}: pip install 'groundwire[hhem]'; {STEPS}") from None
    except ModelError as error:
        raise HHEMError(f"{error.reason}; convert the model again") from None
    if ({*session.inputs}, session.outputs) != (INPUTS, [OUTPUT]):
        raise HHEMError("the model's inputs and outputs are not those of HHEM; convert the model again")
    return session


_HALLUCINATED_BELOW = 0.5
"""A claim with a lower consistency is hallucinated (ruling D5)."""

_Backend = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""Returns a consistency, 0.0 to 1.0, for each pair of context and claim."""

# The estimated length of the prompt for a backend with an unknown tokenizer.
_PROMPT_TOKENS = 32

# The minimum room for a context, however long the claim is.
_MIN_CONTEXT_TOKENS = MAX_TOKENS // 4

# Softmax in single precision may exceed 1 by this much.
_ROUNDING = 1e-6


class HHEMClassifier:
    """
    Scores whether claims are consistent with their contexts. Safe to share between threads.

    Only consistency counts: a true claim that is not in its context is hallucinated. A long context is split into
    overlapping windows, and the highest consistency counts.

    Args:
        model: A folder that `tools/convert_hhem` wrote; None for that of the environment, `GROUNDWIRE_HHEM`.
        backend: A function that computes consistencies, instead of a model folder. It gets at most 256 pairs per call,
            from one thread.
        threads: The number of threads for one batch; None for one per core.

    Attributes:
        name: The name of the model: that of the folder, `backend.name`, or "backend".

    Raises:
        HHEMMissingError: The folder or the extra `hhem` is missing. The message says how to get it.
        HHEMError: A file of the folder is damaged or differs from the manifest.
        TypeError, ValueError: An argument is invalid.
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
            raise TypeError("model and threads cannot be combined with a backend")
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
        Return the consistency of *claim* with *context*, 0.0 to 1.0; 0.0 for a blank context.

        Raises as `score_many`.
        """
        return self.score_many([(context, claim)])[0]

    def classify(self, *, claim: str, context: str) -> bool:
        """
        Return whether *claim* is hallucinated: its consistency is below 0.5 (ruling D5).

        Raises as `score_many`.
        """
        return self.score(claim=claim, context=context) < _HALLUCINATED_BELOW

    def score_many(self, pairs: Iterable[tuple[str, str]]) -> list[float]:
        """
        Return the consistency of each pair of context and claim, in order.

        Windows of similar length are computed together. Ctrl-C interrupts between batches.

        Raises:
            TypeError: A pair is not two strings.
            ValueError: A claim is blank or has more than 1,024 tokens.
            HHEMError: The backend does not return one number from 0 to 1 for each window.
        """
        return best_of_windows(pairs, self._windows, self._checked)

    # The method of `PairScorer`.
    consistencies = score_many

    def _checked(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return _checked_scores(self._run(pairs), len(pairs))

    def _windows(self, context: str, claim: str) -> list[str]:
        text, tokens, room = self._measure(context, claim)
        return [text[start:end] for start, end in windows_of(text, tokens, room)]


def _measure(context: str, claim: str) -> tuple[str, Sequence[tuple[int, int]], int]:
    """Measure like `OnnxModel.measure`, for a backend with the capacity of HHEM."""
    room = MAX_TOKENS - _PROMPT_TOKENS - len(estimated_tokens(claim))
    return context, estimated_tokens(context), max(room, _MIN_CONTEXT_TOKENS)


def _checked_scores(scores: Sequence[float], count: int) -> list[float]:
    """Return *scores* as floats from 0 to 1. Raises `HHEMError` for anything else."""
    try:
        found = list(scores)
    except TypeError:
        raise HHEMError(f"the backend returned {type(scores).__name__} instead of a sequence") from None
    if len(found) != count:
        raise HHEMError(f"the backend returned {len(found)} consistencies for {count} pairs")
    for place, score in enumerate(found):
        try:
            number = float(score)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not -_ROUNDING <= number <= 1.0 + _ROUNDING:
            shown = number if isinstance(score, int | float) else type(score).__name__
            raise HHEMError(f"consistency {place} of the backend must be a number from 0 to 1, got {shown}")
        found[place] = min(max(number, 0.0), 1.0)
    return found
