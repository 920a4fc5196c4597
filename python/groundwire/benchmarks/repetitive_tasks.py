"""Scores in texts that repeat themselves, where no bound rules anything out."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import product

from groundwire import partial_ratio, partial_ratio_many
from groundwire.benchmarks.tasks import Contestant, Scale, Task

__all__ = ["Repetitive", "fibonacci"]

# Every so-manieth character of a quote is one that the text does not have.
_SPOILT = (4, 6, 8)
_CHARS = (50, 100, 200)


@dataclass(frozen=True)
class Repetitive(Task):
    """
    Quotes of 50 to 200 characters, spoilt so that they score below, at and above 85; the time is for one quote.

    Attributes:
        piece: What is repeated.
        text: The text.
        cutoff: Lower scores may be called 0; 0 to 100.
        is_together: We are given all quotes in one call; rapidfuzz never is.
    """

    piece: str
    text: Callable[[], str]
    cutoff: float | None
    is_together: bool
    engines = ("groundwire", "rapidfuzz")
    scale = Scale.THREAD_CPU_S

    @property
    def text_name(self) -> str:
        """What is repeated, and how long it gets."""
        return f"{self.piece} to the end of {len(self.text()):,} characters"

    def prepare(self, engine: str) -> Contestant:
        """Return a call that scores all quotes; rapidfuzz's scores have to be ours."""
        text = self.text()
        quotes = [_spoilt(text[len(text) // 2 :][:chars], step) for chars, step in product(_CHARS, _SPOILT)]

        def one_by_one(score: Callable[..., float]) -> list[float]:
            return [score(quote, text, score_cutoff=self.cutoff) for quote in quotes]

        ours = partial(one_by_one, partial_ratio)
        if engine == "rapidfuzz":
            call = partial(one_by_one, import_module("rapidfuzz.fuzz").partial_ratio)
            return Contestant(call, lambda scores: bool(scores == ours()), len(quotes))
        if self.is_together:
            together = partial(partial_ratio_many, quotes, text, score_cutoff=self.cutoff)
            return Contestant(together, lambda scores: bool([*scores] == ours()), len(quotes))
        return Contestant(ours, lambda scores: len(scores) == len(quotes) and any(scores), len(quotes))


def _spoilt(quote: str, step: int) -> str:
    """Return *quote* with every *step*-th character replaced, the first of them in the middle of a step."""
    return "".join("#" if at % step == step // 2 else character for at, character in enumerate(quote))


def fibonacci(chars: int) -> str:
    """Return the beginning of the word in which each part is the two before it, put together."""
    last, word = "a", "ab"
    while len(word) < chars:
        last, word = word, word + last
    return word[:chars]
