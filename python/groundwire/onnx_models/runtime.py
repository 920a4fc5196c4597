"""
Runs ONNX Runtime: sessions, input checks, batches and the cache of scores.

From version 1.29 on, ONNX Runtime sends telemetry unless an environment variable disables it before the import.
"""

import hashlib
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "BATCH_TOKENS",
    "BERT_TOKENS",
    "SILENCE",
    "OnnxSession",
    "ScoreCache",
    "batches",
    "encodable",
    "import_onnxruntime",
]

SILENCE = "ORT_DISABLE_TELEMETRY"
"""The environment variable that ONNX Runtime reads once, when it is loaded."""

BATCH_TOKENS = 4096
"""The maximum number of tokens in one run of an encoder, including padding, which limits its memory."""

BERT_TOKENS = 512
"""The token limit for a folder that states none: that of BERT's training."""

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_TYPES = {"tensor(int64)": "int64", "tensor(int32)": "int32"}

# Rows of similar length are computed together: on a CPU, larger batches gain less than padding costs.
_LIKE_LENGTH = 7 / 8


def import_onnxruntime() -> Any:
    """
    Return the package with its telemetry disabled: private text is processed offline.

    Callers that import it earlier must set the variable themselves; from here on no events are sent in that case
    either.

    Raises:
        ImportError: The package is not installed.
    """
    os.environ.setdefault(SILENCE, "1")
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime


class OnnxSession:
    """
    An opened graph with its tokenizer. Safe to share between threads.

    Args:
        model: The file, or its bytes.
        tokenizer: The bytes of `tokenizer.json`.
        threads: The number of threads for one batch; None for one per core.

    Attributes:
        tokenizer: The tokenizer; it neither truncates nor pads.
        inputs: The names of the graph's inputs.
        outputs: The names of its outputs.
        pad_id: The token that pads short rows; it is masked.
        width: The number of tokens of every row if the graph fixes it; else None.

    Raises:
        ImportError: A package is not installed; the error has its name.
        ModelError: A file is broken, or the graph has inputs other than tokens.
    """

    def __init__(self, model: Path | bytes, tokenizer: bytes, *, threads: int | None) -> None:
        onnxruntime = import_onnxruntime()
        from tokenizers import Tokenizer

        failure = None
        try:
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = threads or 0
            options.log_severity_level = 3
            self.tokenizer = Tokenizer.from_buffer(tokenizer)
            graph = model if isinstance(model, bytes) else str(model)
            self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            # Both libraries raise exceptions of any type, with parts of the file in the message.
            failure = type(error).__name__
        if failure is not None:
            raise ModelError("onnx", f"the model cannot be opened: {failure}")
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.pad_id = 0
        self.inputs = [each.name for each in self._session.get_inputs()]
        self.outputs = [each.name for each in self._session.get_outputs()]
        self._types = {each.name: _TYPES.get(each.type) for each in self._session.get_inputs()}
        self.width: int | None = None
        self._is_single = False
        self._check_inputs()
        tokens = [each.content for each in self.tokenizer.get_added_tokens_decoder().values()]
        self._special = re.compile("|".join(map(re.escape, sorted(tokens, key=len, reverse=True))) or "(?!)")

    def _check_inputs(self) -> None:
        if "input_ids" not in self.inputs or not {*self.inputs} <= {*_INPUTS}:
            found = ", ".join(sorted(self.inputs)) or "none"
            raise ModelError("onnx", f"the graph has the inputs {found}; allowed: {', '.join(_INPUTS)}")
        for each in self._session.get_inputs():
            if self._types[each.name] is None or len(each.shape) != 2:
                raise ModelError(
                    "onnx", f"the input {each.name} is {each.type} of rank {len(each.shape)}, not integers of rank 2"
                )
        rows, width = self._session.get_inputs()[0].shape
        if isinstance(rows, int) and rows != 1:
            raise ModelError(
                "onnx", f"the graph computes exactly {rows} rows at once; export it with a dynamic batch size"
            )
        self._is_single = rows == 1
        self.width = width if isinstance(width, int) else None

    def plain(self, text: str) -> str:
        """Return *text* with special tokens such as `</s>` as plain text, so that a source cannot end its prompt."""
        return self._special.sub(lambda found: f"{found[0][0]} {found[0][1:]}", encodable(text))

    def computed(
        self,
        rows: Sequence[Sequence[int]],
        types: Sequence[Sequence[int]] | None = None,
        *,
        batch_tokens: int,
        outputs: Sequence[str] | None = None,
    ) -> "Iterator[tuple[list[int], NDArray[np.bool_], list[NDArray[np.float32]]]]":
        """
        Yield batches of *rows* of tokens with similar lengths: their indices, the mask of their tokens, and the
        outputs.

        Raises:
            ModelError: ONNX Runtime fails.
        """
        for places in batches([len(row) for row in rows], 1 if self._is_single else batch_tokens):
            mask, given = self._padded([rows[place] for place in places], types and [types[place] for place in places])
            failure = None
            try:
                found = self._session.run(outputs, given)
            except Exception as error:
                # ONNX Runtime's exceptions have no common base class, and their messages may quote the input.
                failure = type(error).__name__
            if failure is not None:
                raise ModelError("onnx", f"ONNX Runtime failed: {failure}")
            yield places, mask, found

    def _padded(
        self, rows: Sequence[Sequence[int]], types: Sequence[Sequence[int]] | None
    ) -> "tuple[NDArray[np.bool_], dict[str, NDArray[Any]]]":
        import numpy as np

        lengths = np.array([len(row) for row in rows])
        mask = np.arange(self.width or max(1, lengths.max())) < lengths[:, np.newaxis]
        values = {"attention_mask": mask}
        for name, fill, each in (("input_ids", self.pad_id, rows), ("token_type_ids", 0, types)):
            if name in self.inputs:
                values[name] = np.full(mask.shape, fill, dtype=np.int64)
                if each is not None:
                    values[name][mask] = np.concatenate([np.asarray(row, dtype=np.int64) for row in each])
        return mask, {name: values[name].astype(self._types[name], copy=False) for name in self.inputs}


def encodable(text: str) -> str:
    """Return *text* with each half of a surrogate pair replaced by a question mark: tokenizers reject surrogates."""
    return text.encode("utf-8", "replace").decode()


def batches(lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """Yield the indices of *lengths*, the longest first, in batches with little padding."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        longest = lengths[batch[0]] if batch else 0
        if batch and ((len(batch) + 1) * longest > batch_tokens or lengths[place] < _LIKE_LENGTH * longest):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


class ScoreCache:
    """
    Scores of pairs by hashes of model and pair; the least recently used are dropped first. Thread-safe.

    Args:
        model: The name and version of the model.
        max_entries: The maximum number of scores.
    """

    def __init__(self, model: str, *, max_entries: int) -> None:
        self._key = hashlib.blake2b(model.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        self._max_entries = max_entries
        self._scores: OrderedDict[bytes, float] = OrderedDict()
        self._lock = threading.Lock()

    def scores(
        self, pairs: Sequence[tuple[str, str]], compute: Callable[[Sequence[tuple[str, str]]], Sequence[float]]
    ) -> list[float]:
        """Return the score of each pair; *compute* gets each missing pair once."""
        keys = [self._hash(pair) for pair in pairs]
        found: dict[bytes, float] = {}
        with self._lock:
            for key in keys:
                if key in self._scores:
                    self._scores.move_to_end(key)
                    found[key] = self._scores[key]
        wanted = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in found}
        if wanted:
            made = dict(zip(wanted, compute(list(wanted.values())), strict=True))
            found.update(made)
            with self._lock:
                self._scores.update(made)
                while len(self._scores) > self._max_entries:
                    self._scores.popitem(last=False)
        return [found[key] for key in keys]

    def _hash(self, pair: tuple[str, str]) -> bytes:
        context, claim = (text.encode("utf-8", "surrogatepass") for text in pair)
        # The length distinguishes pairs with the same characters and another boundary.
        return hashlib.blake2b(b"%d:%b%b" % (len(context), context, claim), digest_size=16, key=self._key).digest()
