"""Tasks of scoring many quotes: together, against a prepared source, or one after the other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib import import_module
from typing import Any

from groundwire import Source, partial_ratio, partial_ratio_many
from groundwire.benchmarks.quotes import CUTOFF, Quotes
from groundwire.benchmarks.tasks import Contestant, Scale, Task

__all__ = ["Scores", "Way"]

# RapidFuzz takes milliseconds a quote: so many quotes, spread over all of them, stand for the rest.
_SAMPLE = 20


class Way(StrEnum):
    """How quotes and text get to the engine."""

    TOGETHER = "together"
    """All quotes in one call, nothing prepared."""
    PREPARED = "prepared"
    """All quotes in one call, the text prepared beforehand."""
    ALONE = "alone"
    """A call for each quote, nothing prepared."""


@dataclass(frozen=True)
class Scores(Task):
    """
    The scores of quotes; the time is for one quote.

    rapidfuzz scores a sample, every so-manieth quote, so that all kinds and lengths
    are in it; its scores and ours are held to be the same to the last bit.

    Attributes:
        quotes: The quotes, and their text.
        cutoff: Lower scores may be called 0; 0 to 100.
        way: How they get to us; to rapidfuzz always one after the other.
    """

    quotes: Quotes
    cutoff: float | None
    way: Way
    engines = ("groundwire", "rapidfuzz")
    scale = Scale.THREAD_CPU_S

    @property
    def text_name(self) -> str:
        """The text's name."""
        return self.quotes.text.name

    def prepare(self, engine: str) -> Contestant:
        """Return a call that scores all quotes, or the sample; ours have to suit the kinds, rapidfuzz's to be ours."""
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
        """Tell whether each score suits the kind of its quote; a higher cutoff may leave nothing of any."""
        may_be_none = self.cutoff is not None and self.cutoff > CUTOFF
        return all(
            (score >= CUTOFF) == self.quotes.kind(at).is_there or (may_be_none and score == 0)
            for at, score in enumerate(scores)
        )


def _sample(count: int, kinds: int) -> range:
    """Return which of *count* quotes rapidfuzz scores."""
    step = max(1, count // _SAMPLE)
    # A step that is no multiple of the number of kinds meets all of them.
    return range(0, count, step - (step > 1 and step % kinds == 0))


def _one_by_one(score: Callable[..., float], quotes: Sequence[str], text: str, cutoff: float | None) -> list[float]:
    """Return the scores of *quotes*, a call for each."""
    return [score(quote, text, score_cutoff=cutoff) for quote in quotes]
