"""Defines tasks of exact search: one quote, many quotes, and patterns that are fixed or change with every call."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from itertools import product
from operator import contains
from random import Random
from typing import Any

from groundwire import Match, Patterns, Source, normalize
from groundwire.benchmarks.corpus import Synthetic, Text, passages
from groundwire.benchmarks.tasks import Contestant, Scale, Task, TextTask
from groundwire.reference import normalize_for_quote_match

__all__ = [
    "ChangingPatterns",
    "Find",
    "FindHostilePatterns",
    "FindPatterns",
    "FixedPatterns",
    "Ground",
    "hedges",
    "phrases",
]

_INDEXERS = ("groundwire", "ahocorasick_rs", "pyahocorasick", "in")


@dataclass(frozen=True)
class Find(TextTask):
    """Finds a quote in the middle of a prepared text; for `in`, the text is normalised."""

    chars: int = 40
    engines = ("groundwire", "in")

    def prepare(self, engine: str) -> Contestant:
        """Return a call that finds the quote; the text of the match must be the quote."""
        normalized = normalize_for_quote_match(self.text.read())
        quote = _middle(normalized, self.chars)
        if engine == "in":
            return Contestant(partial(contains, normalized, quote), lambda result: result is True)

        def is_right(match: Match) -> bool:
            before = normalize(self.text.read()[: match.start])
            return normalize(match.text) == quote and len(before) - len(normalized) // 2 in range(-1, self.chars)

        return Contestant(partial(Source(self.text.read()).find, quote), is_right)


def _middle(text: str, chars: int) -> str:
    """Return the passage in the middle of *text*, or the next one after it that does not occur earlier."""
    start = len(text) // 2
    while text[start].isspace() or text[start + chars - 1].isspace() or text.find(text[start : start + chars]) < start:
        start += 1
    return text[start : start + chars]


@dataclass(frozen=True)
class FindPatterns(Task):
    """
    Finds every occurrence of fixed patterns, half of which occur; `in` only reports which do.

    Attributes:
        count: Number of patterns, of 24 characters each.
        text: The text.
        is_built: Whether construction is excluded from the time.
    """

    count: int
    text: Synthetic
    is_built: bool
    engines = _INDEXERS

    @property
    def text_name(self) -> str:
        """Return the name of the text."""
        return self.text.name

    def prepare(self, engine: str) -> Contestant:
        """Return a call that searches, or that builds and searches; it must find every second pattern."""
        patterns, text = _half_present(self.text, self.count, 24), self.text.read()
        expected = {*range(0, self.count, 2)}
        call = partial(_indexer(engine, patterns), text) if self.is_built else lambda: _indexer(engine, patterns)(text)
        return Contestant(call, lambda matches: _found(engine, matches) == expected)


@dataclass(frozen=True)
class FindHostilePatterns(Task):
    """
    Searches a text of `a` for patterns `aaa…b` of 50 to 249 characters, which almost occur at every offset.

    Attributes:
        chars: Length of the text.
    """

    chars: int = 1_000_000
    engines = ("groundwire", "a tenth of it")

    @property
    def text_name(self) -> str:
        """Return the length of the text and its character."""
        return f"{self.chars:,} times 'a'"

    def prepare(self, engine: str) -> Contestant:
        """Return a call that searches the whole text or a tenth of it, and must find nothing."""
        patterns = ["a" * count + "b" for count in range(49, 249)]
        text = "a" * (self.chars if engine == "groundwire" else self.chars // 10)
        return Contestant(partial(Patterns(patterns).find_all, text), lambda matches: not matches)


@dataclass(frozen=True)
class Ground(Task):
    """Grounds quotes of 60 characters in a prepared text; other engines get text and quotes normalised."""

    count: int
    text: Synthetic
    engines = _INDEXERS

    @property
    def text_name(self) -> str:
        """Return the name of the text."""
        return self.text.name

    def prepare(self, engine: str) -> Contestant:
        """Return a call that searches for all quotes; it must find every second one."""
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


def _half_present(text: Synthetic, count: int, chars: int) -> list[str]:
    """Return *count* passages, alternately from *text* and from another text."""
    other = Synthetic(text.style, text.chars, text.seed + 1)
    present, absent = (passages(each.read(), (count + 1) // 2, chars) for each in (text, other))
    return [quote for pair in zip(present, absent, strict=True) for quote in pair][:count]


def _indexer(engine: str, patterns: Sequence[str]) -> Callable[[str], Iterable[Any]]:
    """Return a function from a text to the matches of *patterns*, in the form of *engine*."""
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
        case "str.find":
            return partial(_occurrences, patterns)
        case _:
            return lambda text: [index for index, pattern in enumerate(patterns) if pattern in text]


def _found(engine: str, matches: Iterable[Any]) -> set[int]:
    """Return the indexes of the patterns that *engine* found."""
    if engine == "in":
        return set(matches)
    return {match[1 if engine == "pyahocorasick" else 0] for match in matches}


_Matches = list[tuple[int, int, int]]

# Length of the texts for fixed patterns: a page or two.
_PAGE_CHARS = 10_000


@dataclass(frozen=True)
class ChangingPatterns(Task):
    """
    Finds every occurrence of new patterns; the time includes construction.

    Attributes:
        count: Number of patterns, of 20 to 200 characters; every second one occurs.
        text: The text.
        other: Source of the patterns that do not occur.
    """

    count: int
    text: Text
    other: Text
    engines = ("groundwire", "str.find", "pyahocorasick", "ahocorasick_rs")
    scale = Scale.THREAD_CPU_S

    @property
    def text_name(self) -> str:
        """Return the name of the text."""
        return self.text.name

    def prepare(self, engine: str) -> Contestant:
        """Return a call that builds and searches; all engines must find the same, which is every second pattern."""
        patterns, text = _changing(self), self.text.read()
        expected = Patterns(patterns).find_all(text)
        present = {*range(0, self.count, 2)}
        return Contestant(
            lambda: _indexer(engine, patterns)(text),
            lambda found: (
                {index for index, _, _ in expected} == present
                and _sorted(engine, found, patterns) == _sorted("groundwire", expected, patterns)
            ),
        )


@cache
def _changing(task: ChangingPatterns) -> list[str]:
    """Return the patterns; they alternately occur and do not occur."""
    random = Random(f"patterns {task.count}")
    text, other = task.text.read(), task.other.read()
    patterns: dict[str, None] = {}
    while len(patterns) < task.count:
        is_present = len(patterns) % 2 == 0
        origin = text if is_present else other
        chars = 20 + int(181 * random.random())
        start = int((len(origin) - chars) * random.random())
        pattern = origin[start : start + chars]
        if is_present or pattern not in text:
            patterns[pattern] = None
    return [*patterns]


@dataclass(frozen=True)
class FixedPatterns(Task):
    """
    Finds every occurrence of the same patterns in one text after the other; the time is per text.

    Attributes:
        patterns: Returns the patterns for the whole text.
        text: The whole text, which is cut into texts.
    """

    patterns: Callable[[str], Sequence[str]]
    text: Text
    engines = ("groundwire", "ahocorasick_rs")
    scale = Scale.THREAD_CPU_S

    @property
    def text_name(self) -> str:
        """Return the name of the text and the size of its parts."""
        return f"{self.text.name}, in pieces of {_PAGE_CHARS:,}"

    def prepare(self, engine: str) -> Contestant:
        """Return a call that searches all texts; all engines must find the same."""
        text = self.text.read()
        pages = [text[start : start + _PAGE_CHARS] for start in range(0, len(text), _PAGE_CHARS)]
        patterns = [*self.patterns(text)]
        search = Patterns(patterns).find_all
        if engine == "groundwire":
            return Contestant(partial(_each, search, pages), lambda found: any(found), len(pages))
        automaton = import_module("ahocorasick_rs").AhoCorasick(patterns)
        call = partial(_each, partial(automaton.find_matches_as_indexes, overlapping=True), pages)
        expected = [_sorted("groundwire", search(page), patterns) for page in pages]
        return Contestant(
            call, lambda found: [_sorted(engine, each, patterns) for each in found] == expected, len(pages)
        )


def _each(search: Callable[[str], Any], texts: Sequence[str]) -> list[Any]:
    return [search(text) for text in texts]


def hedges(_: str) -> list[str]:
    """Return 300 phrases that make a claim less certain."""
    modal = [" ".join(words) for words in product(_WHO, _MAY, _WHAT)]
    seeming = [" ".join(words) for words in product(_SEEMS, _PERHAPS)]
    doubtful = [" ".join(words) for words in product(_HARDLY, _CERTAIN)]
    return [*_SEEMS, *_PERHAPS, *doubtful, *seeming, *modal][:300]


_WHO = ("it", "this", "that", "they", "he", "she")
_MAY = ("may", "might", "could", "would")
_WHAT = ("be", "not", "seem", "well", "have", "also", "suggest", "indicate", "appear to", "depend on")
_SEEMS = ("it seems", "it appears", "it looks as if", "apparently", "supposedly", "arguably", "reportedly", "allegedly")
_PERHAPS = ("perhaps", "possibly", "probably", "maybe", "likely", "about", "more or less", "somewhat", "kind of")
_HARDLY = ("not", "hardly", "far from", "less than", "almost")
_CERTAIN = ("certain", "sure", "clear", "proven", "settled")


def phrases(text: str) -> list[str]:
    """Return 10,000 different phrases of two to five words of *text*, which is normalised."""
    return [*dict.fromkeys(_phrases(text.split(" ")))][:10_000]


def _phrases(words: Sequence[str]) -> Iterator[str]:
    random = Random("phrases")
    # Some phrases are drawn twice, and a short text may have fewer.
    for _ in range(12_000):
        start = int((len(words) - 5) * random.random())
        yield " ".join(words[start : start + 2 + int(4 * random.random())])


def _occurrences(patterns: Sequence[str], text: str) -> list[tuple[int, int, int]]:
    """Return the matches that a loop of `str.find` finds."""
    found = []
    for index, pattern in enumerate(patterns):
        start = text.find(pattern)
        while start >= 0:
            found.append((index, start, start + len(pattern)))
            start = text.find(pattern, start + 1)
    return found


def _sorted(engine: str, found: Iterable[Any], patterns: Sequence[str]) -> _Matches:
    """Return the matches of any engine as (pattern, start, end), sorted by start and pattern."""
    if engine == "pyahocorasick":
        found = ((index, last + 1 - len(patterns[index]), last + 1) for last, index in found)
    return sorted(map(tuple, found), key=lambda match: (match[1], match[0]))
