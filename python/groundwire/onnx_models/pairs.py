"""Sequence-pair classifiers: how far a claim follows from a passage."""

import os
from collections.abc import Sequence
from functools import partial

from groundwire.errors import ModelError
from groundwire.onnx_models.folders import ClassifierFolder, probabilities, shown_labels
from groundwire.onnx_models.runtime import BATCH_TOKENS, ScoreCache, encodable
from groundwire.onnx_models.windows import MIN_CONTEXT_TOKENS, best_of_windows, checked_pair, windows_of
from groundwire.pair_scorer import PAIR_THRESHOLD

__all__ = ["OnnxPairScorer"]

# Names of labels in configurations, not words of a language.
_SUPPORTED = frozenset(
    {"attributable", "consistent", "entailed", "entailment", "entails", "factual", "faithful", "grounded"}
    | {"support", "supported", "supports"}
)

# The tokens that a model reads whose folder states no limit: what BERT was trained with.
_PAIR_MAX_TOKENS = 512


class OnnxPairScorer:
    """
    A classifier of pairs of passage and claim, exported to ONNX. A `PairScorer`; safe to share between threads.

    It takes natural-language inference, HHEM, FactCG, MiniCheck and the like. The label that means that the claim
    follows is found by its name in `config.json` ("entailment", "supported", "consistent", ...), never by its
    index. If the configuration has a "prompt" with {text1} and {text2}, both texts are put into it; otherwise the
    tokenizer joins them. Long passages are cut into windows that overlap, and the best window counts.

    Args:
        folder: Where `model.onnx` (or `onnx/model.onnx`), `tokenizer.json` and `config.json` are.
        threshold: The least score of a claim that follows, 0.0 to 1.0.
        label: The name of the label that means so, where the configuration uses a name of its own.
        threads: How many threads compute one batch; None for as many as there are cores.
        max_cached: The most scores that are kept, by a hash of model and pair; 0 for none.

    Attributes:
        name: The folder's name and the beginning of `version`.
        version: The SHA-256 of the model file.
        label: The label whose probability is the score.
        threshold: As given.

    Raises:
        ImportError: The extra `onnx` is not installed.
        ModelError: A file is missing, broken or outside the folder, or no label says that a claim follows.
        TypeError, ValueError: An argument is of another type or out of its range.
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
        self._max_tokens = opened.max_tokens(_PAIR_MAX_TOKENS)
        self._cache = ScoreCache(f"{opened.version}:{self.label}", max_entries=max_cached) if max_cached else None

    def consistencies(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """
        Return for each (context, claim) how far it follows, 0.0 to 1.0; 0.0 for a blank context.

        Raises:
            TypeError: A pair is not two strings.
            ValueError: A claim is blank, or fills the room of the model.
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
    """The index of the label that means that a claim follows."""
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
    """What stands before, between and behind the two texts."""
    prompt = config.get("prompt")
    if prompt is None:
        return None
    parts = prompt.partition("{text1}") if isinstance(prompt, str) else ("", "", "")
    between, mark, after = parts[2].partition("{text2}")
    if not mark:
        raise ModelError("onnx", "the prompt of config.json has no {text1} with a {text2} behind it")
    return parts[0], between, after
