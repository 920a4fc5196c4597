"""Runs sequence-pair classifiers, which score how far a claim follows from a passage."""

import os
from collections.abc import Sequence
from functools import partial

from groundwire.errors import ModelError
from groundwire.onnx_models.folders import ClassifierFolder, probabilities, shown_labels
from groundwire.onnx_models.runtime import BATCH_TOKENS, BERT_TOKENS, ScoreCache, encodable
from groundwire.onnx_models.windows import MIN_CONTEXT_TOKENS, best_of_windows, checked_pair, windows_of
from groundwire.pair_scorer import PAIR_THRESHOLD

__all__ = ["OnnxPairScorer"]

# Label names of configurations, not words of a language.
_SUPPORTED = frozenset(
    {"attributable", "consistent", "entailed", "entailment", "entails", "factual", "faithful", "grounded"}
    | {"support", "supported", "supports"}
)


class OnnxPairScorer:
    """
    An ONNX classifier of (passage, claim) pairs. A `PairScorer`; safe to share between threads.

    It supports models for natural-language inference, HHEM, FactCG, MiniCheck and similar ones. The label for "the
    claim follows" is found by its name in `config.json` ("entailment", "supported", "consistent", ...), never by its
    index. If the configuration has a "prompt" with {text1} and {text2}, it is filled with both texts; otherwise the
    tokenizer joins them. A long passage is split into overlapping windows, and the best window counts.

    Args:
        folder: The folder with `model.onnx` (or `onnx/model.onnx`), `tokenizer.json` and `config.json`.
        threshold: The minimum score of a claim that follows, 0.0 to 1.0.
        label: The name of that label, for a configuration with a name of its own.
        threads: The number of threads for one batch; None for one per core.
        max_cached: The maximum number of cached scores, by hashes of model and pair; 0 for none.

    Attributes:
        name: The folder's name and the start of `version`.
        version: The SHA-256 of the model file.
        label: The label whose probability is the score.
        threshold: The argument.

    Raises:
        ImportError: The extra `onnx` is not installed.
        ModelError: A file is missing, broken or outside the folder, or no label means that a claim follows.
        TypeError, ValueError: An argument has another type or is out of its range.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        threshold: float = PAIR_THRESHOLD,
        label: str | None = None,
        threads: int | None = 2,
        max_cached: int = 65_536,
    ) -> None:
        # Written so that NaN, which compares false with everything, is refused too.
        if not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold must be between 0 and 1, got {threshold}")
        if max_cached < 0:
            raise ValueError(f"max_cached must be at least 0, got {max_cached}")
        opened = ClassifierFolder.opened(folder, threads=threads)
        self.name, self.version, self.threshold = opened.name, opened.version, threshold
        self._label = _label_of(opened.labels, label)
        self.label = opened.labels[self._label]
        self._opened = opened
        self._batch_tokens = opened.batch_tokens(BATCH_TOKENS)
        self._prompt = _prompt_of(opened.config)
        self._max_tokens = opened.max_tokens(BERT_TOKENS)
        self._cache = ScoreCache(f"{opened.version}:{self.label}", max_entries=max_cached) if max_cached else None

    def consistencies(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """
        Return a score for each (context, claim) pair, 0.0 to 1.0; 0.0 for a blank context.

        Raises:
            TypeError: A pair is not two strings.
            ValueError: A claim is blank, or leaves no room for a context.
            ModelError: The model fails, or its output is not one finite row of labels for each pair.
        """
        given = [(encodable(context), encodable(claim)) for context, claim in map(checked_pair, pairs)]
        score = partial(best_of_windows, windows=self._windows, run=self._run)
        return score(given) if self._cache is None else self._cache.scores(given, score)

    def _windows(self, context: str, claim: str) -> list[str]:
        room = self._max_tokens - len(self._tokens("", claim)[0])
        if room < min(MIN_CONTEXT_TOKENS, self._max_tokens // 2):
            raise ValueError(f"the claim leaves no room for a passage: the model reads {self._max_tokens} tokens")
        plain = context if self._prompt is None else self._opened.session.plain(context)
        tokens = self._opened.session.tokenizer.encode(plain, add_special_tokens=False).offsets
        return [plain[start:end] for start, end in windows_of(plain, tokens, room)]

    def _tokens(self, context: str, claim: str) -> tuple[list[int], list[int]]:
        session = self._opened.session
        if self._prompt is None:
            found = session.tokenizer.encode(context, claim)
        else:
            before, between, after = self._prompt
            found = session.tokenizer.encode(f"{before}{session.plain(context)}{between}{session.plain(claim)}{after}")
        return found.ids, found.type_ids

    def _run(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        rows = [self._tokens(*pair) for pair in pairs]
        ids, types = [row[0] for row in rows], [row[1] for row in rows]
        scores = [0.0] * len(rows)
        labels = len(self._opened.labels)
        for places, _, (logits, *_) in self._opened.session.computed(ids, types, batch_tokens=self._batch_tokens):
            if logits.shape != (len(places), labels):
                raise ModelError(
                    "onnx", f"the model's output has the shape {logits.shape}, expected {(len(places), labels)}"
                )
            found = probabilities(logits, self._opened.config)[:, self._label]
            for place, score in zip(places, found.tolist(), strict=True):
                scores[place] = score
        return scores


def _label_of(labels: tuple[str, ...], wanted: str | None) -> int:
    """Return the index of the label that means that a claim follows."""
    if wanted is not None:
        found = [place for place, label in enumerate(labels) if label == wanted]
        problem = "the configuration has no such label"
    else:
        found = [place for place, label in enumerate(labels) if label.strip().casefold() in _SUPPORTED]
        problem = "more than one label says that a claim follows" if found else "no label says that a claim follows"
    if len(found) != 1:
        raise ModelError(
            "onnx",
            f"{problem}; it has {shown_labels(labels)}: name one of them `entailment`, `supported` or `consistent` in "
            "config.json, or pass its name as `label`",
        )
    return found[0]


def _prompt_of(config: dict[str, object]) -> tuple[str, str, str] | None:
    """Return the parts of the prompt before, between and after the two texts."""
    prompt = config.get("prompt")
    if prompt is None:
        return None
    parts = prompt.partition("{text1}") if isinstance(prompt, str) else ("", "", "")
    between, mark, after = parts[2].partition("{text2}")
    if not mark:
        raise ModelError("onnx", "the prompt in config.json must have {text1}, followed by {text2}")
    return parts[0], between, after
