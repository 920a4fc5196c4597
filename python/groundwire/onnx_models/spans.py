"""Runs token classifiers in LettuceDetect's layout, which find words of an answer that its context does not support."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from groundwire.errors import ModelError
from groundwire.onnx_models.folders import ClassifierFolder, probabilities, shown_labels
from groundwire.onnx_models.runtime import encodable
from groundwire.onnx_models.windows import MIN_CONTEXT_TOKENS, windows_of
from groundwire.pair_scorer import PAIR_THRESHOLD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["HallucinatedSpan", "OnnxSpanScorer"]

# Label names of configurations, not words of a language.
_HALLUCINATED = frozenset({"hallucinated", "hallucination", "unsupported", "not_supported", "inconsistent"})
_UNNAMED = ("LABEL_0", "LABEL_1")
"""The default names of exporters; in the layout, index 1 means hallucinated."""

# The token limit for a folder that states none, and the tokens of one run: contexts are long.
_ANSWER_MAX_TOKENS = 4096
_ANSWER_BATCH_TOKENS = 8192

# The prompts of LettuceDetect, to the letter: its models were trained with them.
_QUESTION = """Briefly answer the following question:
{question}
Bear in mind that your response should be strictly based on the following {count} passages:
"""
_QUESTION_END = """
In case the passages do not contain the necessary information to answer the question, please reply with: \
"Unable to answer based on given passages."
output:"""
_SUMMARY = ("Summarize the following text:\n", "\noutput:")


@dataclass(frozen=True, slots=True)
class HallucinatedSpan:
    """
    Words of an answer that its context does not support.

    Attributes:
        start, end: The span in the answer, in code points.
        confidence: The highest probability of its tokens, 0.0 to 1.0.
        text: `answer[start:end]`.
    """

    start: int
    end: int
    confidence: float
    text: str = field(repr=False)


class OnnxSpanScorer:
    """
    An ONNX token classifier that finds the hallucinated words of an answer. Safe to share between threads.

    As in LettuceDetect, the first text is a prompt with the context and the question, and the second is the answer. The
    label of hallucinated tokens is found by its name in `config.json`; for two unnamed labels (LABEL_0, LABEL_1) it is
    LABEL_1, as in the layout. A long context is split into overlapping windows, and a token is hallucinated if no
    window supports it.

    Args:
        folder: The folder with `model.onnx` (or `onnx/model.onnx`), `tokenizer.json` and `config.json`.
        threshold: The minimum probability of a hallucinated token, 0.0 to 1.0.
        threads: The number of threads for one batch; None for one per core.

    Attributes:
        name: The folder's name and the start of `version`.
        version: The SHA-256 of the model file.
        label: The label of hallucinated tokens.
        threshold: The argument.

    Raises:
        ImportError: The extra `onnx` is not installed.
        ModelError: A file is missing, broken or outside the folder, or no label means hallucinated.
        TypeError, ValueError: An argument has another type or is out of its range.
    """

    def __init__(
        self, folder: str | os.PathLike[str], *, threshold: float = PAIR_THRESHOLD, threads: int | None = 2
    ) -> None:
        if not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold must be between 0 and 1, got {threshold}")
        opened = ClassifierFolder.opened(folder, threads=threads)
        self.name, self.version, self.threshold = opened.name, opened.version, threshold
        self._label = _label_of(opened.labels)
        self.label = opened.labels[self._label]
        self._opened = opened
        self._batch_tokens = opened.batch_tokens(_ANSWER_BATCH_TOKENS)
        self._max_tokens = opened.max_tokens(_ANSWER_MAX_TOKENS)

    def spans(
        self, *, context: str | Sequence[str], answer: str, question: str | None = None
    ) -> list[HallucinatedSpan]:
        """
        Return the hallucinated spans of *answer*, left to right; empty for a blank answer.

        Args:
            context: The basis of the answer: a text, or passages.
            answer: The text to check.
            question: The question; None for a summary of *context*.

        Raises:
            TypeError: A text is not a str.
            ValueError: The answer leaves no room for a context.
            ModelError: The model fails, or its output is not one finite row of labels for each token.
        """
        passages = [context] if isinstance(context, str) else list(context)
        for name, text in (("answer", answer), ("question", question or ""), *(("context", each) for each in passages)):
            if not isinstance(text, str):
                raise TypeError(f"{name} must be a str, got {type(text).__name__}")
        if not answer or answer.isspace():
            return []
        passages = list(map(encodable, passages))
        read = encodable(answer)
        if question is None:
            (before, after), whole = _SUMMARY, "\n".join(passages)
        else:
            before, after = _QUESTION.format(question=encodable(question), count=len(passages)), _QUESTION_END
            whole = "\n".join(f"passage {number}: {each}" for number, each in enumerate(passages, start=1))
        prompts = [f"{before}{window}{after}" for window in self._windows(f"{before}{after}", whole, read)]
        places, shares = self._shares(prompts, read)
        return _merged(answer, places, shares, self.threshold)

    def _windows(self, prompt: str, context: str, answer: str) -> list[str]:
        tokenizer = self._opened.session.tokenizer
        room = self._max_tokens - len(tokenizer.encode(prompt, answer).ids)
        if room < min(MIN_CONTEXT_TOKENS, self._max_tokens // 4):
            raise ValueError(f"the answer leaves no room for a context: the model reads {self._max_tokens} tokens")
        tokens = tokenizer.encode(context, add_special_tokens=False).offsets
        return [context[start:end] for start, end in windows_of(context, tokens, room)]

    def _shares(self, prompts: Sequence[str], answer: str) -> "tuple[list[tuple[int, int]], NDArray[np.float64]]":
        """Return the spans of the answer's tokens, and the lowest probability of each over all windows."""
        import numpy as np

        session = self._opened.session
        rows = [session.tokenizer.encode(prompt, answer) for prompt in prompts]
        labels = len(self._opened.labels)
        own = [[place for place, part in enumerate(row.sequence_ids) if part == 1] for row in rows]
        places = [rows[0].offsets[place] for place in own[0]]
        least = np.ones(len(places))
        ids, types = [row.ids for row in rows], [row.type_ids for row in rows]
        for batch, mask, (logits, *_) in session.computed(ids, types, batch_tokens=self._batch_tokens):
            if logits.shape != (*mask.shape, labels):
                raise ModelError(
                    "onnx", f"the model's output has the shape {logits.shape}, expected {(*mask.shape, labels)}"
                )
            for row, place in enumerate(batch):
                found = probabilities(logits[row, own[place]], self._opened.config)[:, self._label]
                least = np.minimum(least, found)
        return places, least


def _label_of(labels: tuple[str, ...]) -> int:
    if labels == _UNNAMED:
        return 1
    found = [place for place, label in enumerate(labels) if label.strip().casefold() in _HALLUCINATED]
    if len(found) != 1:
        problem = "more than one label means" if found else "no label means"
        raise ModelError(
            "onnx",
            f"{problem} that a token is hallucinated; it has {shown_labels(labels)}: name one of them `hallucinated` "
            "in config.json",
        )
    return found[0]


def _merged(
    answer: str, places: Sequence[tuple[int, int]], shares: "NDArray[np.float64]", threshold: float
) -> list[HallucinatedSpan]:
    """Return the spans of adjacent hallucinated tokens, without the blanks at their ends."""
    spans: list[tuple[int, int, float]] = []
    is_open = False
    for (start, end), share in zip(places, shares.tolist(), strict=True):
        is_marked = share >= threshold
        if is_marked and is_open:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]), max(share, spans[-1][2]))
        elif is_marked:
            spans.append((start, end, share))
        # A token without characters, such as a byte-sequence mark, does not end a span.
        is_open = is_marked or (is_open and start == end)
    trimmed = []
    for start, end, share in spans:
        text = answer[start:end]
        begin = start + len(text) - len(text.lstrip())
        if words := text.strip():
            trimmed.append(HallucinatedSpan(begin, begin + len(words), share, words))
    return trimmed
