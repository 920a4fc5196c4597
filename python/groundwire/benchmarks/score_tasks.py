"""Defines tasks of partial ratio: one quote, many quotes, and texts that repeat themselves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib import import_module
from itertools import product
from typing import Any

from groundwire import Source, partial_ratio, partial_ratio_many
from groundwire.benchmarks.corpus import CUTOFF, Quotes, Synthetic, altered, passages
from groundwire.benchmarks.tasks import Contestant, Scale, Task

__all__ = ["PartialRatio", "Repetitive", "Scores", "Way", "fibonacci"]


@dataclass(frozen=True)
class PartialRatio(Task):
    """
    Scores a quote against a text, neither of them normalised.

    Attributes:
        chars: Length of the quote.
        text: The text.
        is_near: Whether the quote is a passage with typos; otherwise it is from another text.
        cutoff: Scores below it may be reported as 0; 0 to 100.
        score: The right score without a cutoff, 0 to 100.
    """

    chars: int
    text: Synthetic
    is_near: bool
    cutoff: float | None
    score: float
    engines = ("groundwire", "rapidfuzz")

    @property
    def text_name(self) -> str:
        """Return the name of the text."""
        return self.text.name

    def quote(self) -> str:
        """Return the quote."""
        if self.is_near:
            passage = passages(self.text.read(), 2, self.chars)[1] if self.chars < self.text.chars else self.text.read()
            return altered(passage, 0.08).ljust(self.chars, "x")[: self.chars]
        return Synthetic(self.text.style, 3 * self.chars, self.text.seed + 1).read()[-self.chars :]

    def prepare(self, engine: str) -> Contestant:
        """Return a call whose score must be right to the last bit."""
        function = partial_ratio if engine == "groundwire" else import_module("rapidfuzz.fuzz").partial_ratio
        expected = self.score if self.score >= (self.cutoff or 0.0) else 0.0
        call = partial(function, self.quote(), self.text.read(), score_cutoff=self.cutoff)
        return Contestant(call, lambda result: bool(result == expected))


# RapidFuzz takes milliseconds per quote, so it scores about this many, spread over all quotes.
_SAMPLE = 20


class Way(StrEnum):
    """Names how quotes and text are passed to the engine."""

    TOGETHER = "together"
    """All quotes in one call, nothing prepared."""
    PREPARED = "prepared"
    """All quotes in one call, the text prepared beforehand."""
    ALONE = "alone"
    """A call for each quote, nothing prepared."""


@dataclass(frozen=True)
class Scores(Task):
    """
    Scores quotes; the time is per quote.

    rapidfuzz scores every n-th quote, a sample with all kinds and lengths. Its
    scores must equal ours to the last bit.

    Attributes:
        quotes: The quotes and their text.
        cutoff: Scores below it may be reported as 0; 0 to 100.
        way: How quotes are passed to us; rapidfuzz always gets one after the other.
    """

    quotes: Quotes
    cutoff: float | None
    way: Way
    engines = ("groundwire", "rapidfuzz")
    scale = Scale.THREAD_CPU_S

    @property
    def text_name(self) -> str:
        """Return the name of the text."""
        return self.quotes.text.name

    def prepare(self, engine: str) -> Contestant:
        """Return a call that scores all quotes or the sample; scores must fit the kinds, and rapidfuzz's equal ours."""
        quotes, text = self.quotes.read(), self.quotes.text.read()
        ours = self._ours(quotes, text)
        if engine == "groundwire":
            return Contestant(ours, self._are_right, len(quotes))
        sample = _sample(len(quotes), len(self.quotes.kinds))
        score = import_module("rapidfuzz.fuzz").partial_ratio
        call = partial(_one_by_one, score, [quotes[at] for at in sample], text, self.cutoff)
        return Contestant(call, lambda scores: bool(scores == [ours()[at] for at in sample]), len(sample))

    def _ours(self, quotes: Sequence[str], text: str) -> Callable[[], Any]:
        if self.way is Way.ALONE:
            return partial(_one_by_one, partial_ratio, quotes, text, self.cutoff)
        if self.way is Way.TOGETHER:
            return partial(partial_ratio_many, quotes, text, score_cutoff=self.cutoff)
        return partial(Source(text).scores, quotes, score_cutoff=self.cutoff)

    def _are_right(self, scores: Sequence[float]) -> bool:
        """Tell whether each score fits the kind of its quote; above a higher cutoff, any may be 0."""
        may_be_zero = self.cutoff is not None and self.cutoff > CUTOFF
        return all(
            (score >= CUTOFF) == self.quotes.kind(at).is_present or (may_be_zero and score == 0)
            for at, score in enumerate(scores)
        )


def _sample(count: int, kinds: int) -> range:
    """Return the indexes of the quotes that rapidfuzz scores."""
    step = max(1, count // _SAMPLE)
    # If the step is no multiple of the number of kinds, the sample has all of them.
    return range(0, count, step - (step > 1 and step % kinds == 0))


def _one_by_one(score: Callable[..., float], quotes: Sequence[str], text: str, cutoff: float | None) -> list[float]:
    """Return the scores of *quotes*, with one call for each."""
    return [score(quote, text, score_cutoff=cutoff) for quote in quotes]


# Intervals at which a character of a quote is replaced by one that the text does not have.
_INTERVALS = (4, 6, 8)
_CHARS = (50, 100, 200)


@dataclass(frozen=True)
class Repetitive(Task):
    """
    Scores quotes of 50 to 200 characters in texts that repeat themselves, where no bound excludes anything.

    The quotes are changed so that they score below, at and above 85. The time is per quote.

    Attributes:
        piece: Name of the repeated part.
        text: Returns the text.
        cutoff: Scores below it may be reported as 0; 0 to 100.
        is_together: Whether we get all quotes in one call; rapidfuzz never does.
    """

    piece: str
    text: Callable[[], str]
    cutoff: float | None
    is_together: bool
    engines = ("groundwire", "rapidfuzz")
    scale = Scale.THREAD_CPU_S

    @property
    def text_name(self) -> str:
        """Return the repeated part and the length of the text."""
        return f"{self.piece} to the end of {len(self.text()):,} characters"

    def prepare(self, engine: str) -> Contestant:
        """Return a call that scores all quotes; the scores of both engines must be equal."""
        text = self.text()
        quotes = [_spoil(text[len(text) // 2 :][:chars], step) for chars, step in product(_CHARS, _INTERVALS)]

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


def _spoil(quote: str, step: int) -> str:
    """Return *quote* with every *step*-th character replaced, the first of them in the middle of a step."""
    return "".join("#" if at % step == step // 2 else character for at, character in enumerate(quote))


def fibonacci(chars: int) -> str:
    """Return the beginning of the Fibonacci word, in which each part joins the two before it."""
    last, word = "a", "ab"
    while len(word) < chars:
        last, word = word, word + last
    return word[:chars]
