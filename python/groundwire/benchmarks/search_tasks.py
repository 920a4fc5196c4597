"""Tasks of searching: one quote, one score, many patterns, many quotes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from operator import contains
from typing import Any

from groundwire import Match, Patterns, Source, normalize, partial_ratio
from groundwire.benchmarks.tasks import Contestant, Task, TextTask
from groundwire.benchmarks.texts import MadeUp, altered, passages
from groundwire.reference import normalize_for_quote_match

__all__ = ["Find", "FindHostilePatterns", "FindPatterns", "Ground", "PartialRatio"]

_INDEXERS = ("groundwire", "ahocorasick_rs", "pyahocorasick", "in")


@dataclass(frozen=True)
class Find(TextTask):
    """A quote that begins in the middle of a text which is prepared: for `in`, normalised."""

    chars: int = 40
    engines = ("groundwire", "in")

    def prepare(self, engine: str) -> Contestant:
        """Return a call that looks for the quote; a match's text has to be the quote again."""
        normalized = normalize_for_quote_match(self.text.read())
        quote = _middle(normalized, self.chars)
        if engine == "in":
            return Contestant(partial(contains, normalized, quote), lambda result: result is True)

        def is_right(match: Match) -> bool:
            before = normalize(self.text.read()[: match.start])
            return normalize(match.text) == quote and len(before) - len(normalized) // 2 in range(-1, self.chars)

        return Contestant(partial(Source(self.text.read()).find, quote), is_right)


def _middle(text: str, chars: int) -> str:
    """Return the passage at the middle of *text*, or the next after it that does not occur before."""
    start = len(text) // 2
    while text[start].isspace() or text[start + chars - 1].isspace() or text.find(text[start : start + chars]) < start:
        start += 1
    return text[start : start + chars]


@dataclass(frozen=True)
class PartialRatio(Task):
    """
    The score of a quote and a text, as they are.

    Attributes:
        chars: Length of the quote.
        text: The text.
        is_near: The quote is a passage with slips, else it is of another text.
        cutoff: Lower scores may be called 0; 0 to 100.
        score: The right score without a cutoff, 0 to 100.
    """

    chars: int
    text: MadeUp
    is_near: bool
    cutoff: float | None
    score: float
    engines = ("groundwire", "rapidfuzz")

    @property
    def text_name(self) -> str:
        """The text's name."""
        return self.text.name

    def quote(self) -> str:
        """Return the quote."""
        if self.is_near:
            passage = passages(self.text.read(), 2, self.chars)[1] if self.chars < self.text.chars else self.text.read()
            return altered(passage, 0.08).ljust(self.chars, "x")[: self.chars]
        return MadeUp(self.text.style, 3 * self.chars, self.text.seed + 1).read()[-self.chars :]

    def prepare(self, engine: str) -> Contestant:
        """Return a call that scores; the score has to be right to the last bit."""
        function = partial_ratio if engine == "groundwire" else import_module("rapidfuzz.fuzz").partial_ratio
        expected = self.score if self.score >= (self.cutoff or 0.0) else 0.0
        call = partial(function, self.quote(), self.text.read(), score_cutoff=self.cutoff)
        return Contestant(call, lambda result: bool(result == expected))


@dataclass(frozen=True)
class FindPatterns(Task):
    """
    Every occurrence of fixed patterns, half of which occur; `in` only says which do.

    Attributes:
        count: How many patterns, of 24 characters.
        text: The text.
        is_built: What can be made of the patterns beforehand is not timed.
    """

    count: int
    text: MadeUp
    is_built: bool
    engines = _INDEXERS

    @property
    def text_name(self) -> str:
        """The text's name."""
        return self.text.name

    def prepare(self, engine: str) -> Contestant:
        """Return a call that searches, or one that builds and searches; every second pattern is there."""
        patterns, text = _half_present(self.text, self.count, 24), self.text.read()
        expected = {*range(0, self.count, 2)}
        call = partial(_indexer(engine, patterns), text) if self.is_built else lambda: _indexer(engine, patterns)(text)
        return Contestant(call, lambda matches: _found(engine, matches) == expected)


@dataclass(frozen=True)
class FindHostilePatterns(Task):
    """
    Patterns `aaa…b` of 50 to 249 characters in a text of `a` alone: none occurs, and each nearly does at every place.

    Attributes:
        chars: Characters of the text.
    """

    chars: int = 1_000_000
    engines = ("groundwire", "a tenth of it")

    @property
    def text_name(self) -> str:
        """The text's length and its character."""
        return f"{self.chars:,} times 'a'"

    def prepare(self, engine: str) -> Contestant:
        """Return a call that searches a text of this size; nothing is to be found."""
        patterns = ["a" * count + "b" for count in range(49, 249)]
        text = "a" * (self.chars if engine == "groundwire" else self.chars // 10)
        return Contestant(partial(Patterns(patterns).find_all, text), lambda matches: not matches)


@dataclass(frozen=True)
class Ground(Task):
    """Quotes of 60 characters against a text that is prepared: for the others, text and quotes are normalised."""

    count: int
    text: MadeUp
    engines = _INDEXERS

    @property
    def text_name(self) -> str:
        """The text's name."""
        return self.text.name

    def prepare(self, engine: str) -> Contestant:
        """Return a call that looks for all quotes; every second one is there."""
        quotes, text = _half_present(self.text, self.count, 60), self.text.read()
        expected = {*range(0, self.count, 2)}
        if engine == "groundwire":
            ground = partial(Source(text).ground, quotes)
            return Contestant(ground, lambda result: {at for at, match in enumerate(result) if match} == expected)
        normalized = normalize_for_quote_match(text)
        patterns = [normalize_for_quote_match(quote) for quote in quotes]
        return Contestant(
            lambda: _indexer(engine, patterns)(normalized), lambda matches: _found(engine, matches) == expected
        )


def _half_present(text: MadeUp, count: int, chars: int) -> list[str]:
    """Return *count* passages: every second one from *text*, the first among them, the others from another text."""
    other = MadeUp(text.style, text.chars, text.seed + 1)
    present, absent = (passages(each.read(), (count + 1) // 2, chars) for each in (text, other))
    return [quote for pair in zip(present, absent, strict=True) for quote in pair][:count]


def _indexer(engine: str, patterns: Sequence[str]) -> Callable[[str], Iterable[Any]]:
    """Return a function from a text to the matches of *patterns*, as *engine* gives them."""
    match engine:
        case "groundwire":
            return Patterns(patterns).find_all
        case "ahocorasick_rs":
            automaton = import_module("ahocorasick_rs").AhoCorasick(patterns)
            return partial(automaton.find_matches_as_indexes, overlapping=True)
        case "pyahocorasick":
            automaton = import_module("ahocorasick").Automaton()
            for index, pattern in enumerate(patterns):
                automaton.add_word(pattern, index)
            automaton.make_automaton()
            return lambda text: list(automaton.iter(text))
        case _:
            return lambda text: [index for index, pattern in enumerate(patterns) if pattern in text]


def _found(engine: str, matches: Iterable[Any]) -> set[int]:
    """Return the indexes of the patterns that *engine* found."""
    if engine == "in":
        return set(matches)
    return {match[1 if engine == "pyahocorasick" else 0] for match in matches}
