"""The task of judging quotes: what verdicts cost beyond the search that they rest on."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from groundwire import Source
from groundwire.benchmarks.tasks import Contestant, Scale, TextTask
from groundwire.benchmarks.texts import MadeUp
from groundwire.evidence import QuoteStatus, assess_quotes

__all__ = ["Assess", "Wording"]

_MIN_WORDS, _MAX_WORDS = 12, 24
"""A quote is the beginning of a turn of so many words."""


class Wording(StrEnum):
    """How a quote comes to be."""

    VERBATIM = "verbatim"
    """A passage as it is."""
    TYPO = "typo"
    """Two letters of its longest word stand the wrong way round."""
    PUNCTUATION = "punctuation"
    """A comma more."""
    ALTERED = "altered"
    """A negation more."""
    ELLIPSIS = "ellipsis"
    """An ellipsis for two of its words."""
    ABSENT = "absent"
    """A passage of another text."""


_EXPECTED = {
    Wording.VERBATIM: {QuoteStatus.EXACT},
    Wording.TYPO: {QuoteStatus.NEAR},
    Wording.PUNCTUATION: {QuoteStatus.NEAR},
    Wording.ALTERED: {QuoteStatus.ALTERED},
    # Altered where the two words are a negation or a limit.
    Wording.ELLIPSIS: {QuoteStatus.ELIDED, QuoteStatus.ALTERED},
    Wording.ABSENT: {QuoteStatus.ABSENT},
}

# A third as it is, a third with slips, a third with more than that.
_MIX = (
    *(Wording.VERBATIM, Wording.TYPO, Wording.ALTERED),
    *(Wording.VERBATIM, Wording.PUNCTUATION, Wording.ELLIPSIS),
    *(Wording.VERBATIM, Wording.TYPO, Wording.ABSENT),
    *(Wording.VERBATIM, Wording.PUNCTUATION, Wording.ALTERED),
)


@dataclass(frozen=True)
class Assess(TextTask):
    """Verdicts on quotes from a prepared transcript, and their plain fuzzy grounding in it."""

    text: MadeUp
    quotes: int = 40
    engines = ("groundwire", "plain grounding")
    scale = Scale.THREAD_CPU_S

    def wordings(self) -> list[Wording]:
        """Return how each of the quotes comes to be."""
        return [_MIX[number % len(_MIX)] for number in range(self.quotes)]

    def written(self) -> list[str]:
        """Return the quotes."""
        other = MadeUp(self.text.style, self.text.chars, self.text.seed + 1)
        said, unsaid = (_beginnings(text.read()) for text in (self.text, other))
        return [_worded(wording, next(unsaid if wording is Wording.ABSENT else said)) for wording in self.wordings()]

    def prepare(self, engine: str) -> Contestant:
        """Return a call of either; each verdict has to suit its quote, and grounding to find what scores enough."""
        source = Source(self.text.read(), profile="typographic")
        quotes, wordings = self.written(), self.wordings()
        if engine == "groundwire":
            return Contestant(partial(assess_quotes, quotes, source), partial(_are_right, wordings))
        expected = [bool(score >= 85) for score in source.scores(quotes)]
        ground = partial(source.ground, quotes, mode="fuzzy")
        return Contestant(ground, lambda matches: [match is not None for match in matches] == expected)


def _are_right(wordings: list[Wording], verdicts: list[Any]) -> bool:
    return all(verdict.status in _EXPECTED[wording] for wording, verdict in zip(wordings, verdicts, strict=True))


def _beginnings(text: str) -> Iterator[list[str]]:
    """Yield the words of turns, spread over *text*, that a change does not make another kind of quote."""
    turns = [turn.partition(" ")[2].split(" ")[:_MAX_WORDS] for turn in text.split("\n")]
    long = [words for words in turns if len(words) >= _MIN_WORDS and not any("<" in word for word in words)]
    yield from long[:: max(1, len(long) // 60)]


def _worded(wording: Wording, words: list[str]) -> str:
    middle = len(words) // 2
    match wording:
        case Wording.TYPO:
            at = max(range(len(words)), key=lambda number: len(words[number]))
            words[at] = words[at][:2] + words[at][3] + words[at][2] + words[at][4:]
        case Wording.PUNCTUATION:
            words[middle] += ","
        case Wording.ALTERED:
            words[middle:middle] = ["not"]
        case Wording.ELLIPSIS:
            words[middle : middle + 2] = ["…"]
    return " ".join(words)
