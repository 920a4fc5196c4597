"""Claims and contexts in, consistencies out. A long context is cut into windows at the ends of sentences."""

import math
import os
from collections.abc import Callable, Iterable, Sequence

from groundwire.errors import HHEMError
from groundwire.faithfulness.hhem.model import MAX_TOKENS, OnnxModel
from groundwire.onnx_models.windows import best_of_windows, estimated_tokens, windows_of

__all__ = ["HHEMClassifier"]

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
