"""Tasks of exact search: patterns that change with every call, and fixed ones over many texts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from itertools import product
from random import Random
from typing import Any

from groundwire import Patterns
from groundwire.benchmarks.tasks import Contestant, Scale, Task
from groundwire.benchmarks.texts import Text

__all__ = ["ChangingPatterns", "FixedPatterns", "hedges", "phrases"]

_Matches = list[tuple[int, int, int]]

# Texts that fixed patterns are looked for in: the length of a page or two.
_PAGE_CHARS = 10_000


@dataclass(frozen=True)
class ChangingPatterns(Task):
    """
    Every occurrence of patterns that are new: what has to be made of them is part of the time.

    Attributes:
        count: How many patterns, of 20 to 200 characters; every second one occurs.
        text: The text.
        other: Where the patterns come from that do not occur.
    """

    count: int
    text: Text
    other: Text
    engines = ("groundwire", "str.find", "pyahocorasick", "ahocorasick_rs")
    scale = Scale.THREAD_CPU_S

    @property
    def text_name(self) -> str:
        """The text's name."""
        return self.text.name

    def prepare(self, engine: str) -> Contestant:
        """Return a call that builds and searches; all engines have to find the same, and every second pattern."""
        patterns, text = _changing(self), self.text.read()
        call: Callable[[], Iterable[Any]] = partial(_SEARCHES[engine], patterns, text)
        expected = Patterns(patterns).find_all(text)
        present = {*range(0, self.count, 2)}
        return Contestant(
            call,
            lambda found: (
                {index for index, _, _ in expected} == present
                and _sorted(engine, found, patterns) == _sorted("groundwire", expected, patterns)
            ),
        )


@cache
def _changing(task: ChangingPatterns) -> list[str]:
    """Return the patterns, one that occurs and one that does not in turn."""
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
    Every occurrence of patterns that stay the same, in one text after the other; the time is for one text.

    Attributes:
        patterns: What makes the patterns of the text.
        text: What the texts are cut from.
    """

    patterns: Callable[[str], Sequence[str]]
    text: Text
    engines = ("groundwire", "ahocorasick_rs")
    scale = Scale.THREAD_CPU_S

    @property
    def text_name(self) -> str:
        """The text's name, and that it is cut."""
        return f"{self.text.name}, in pieces of {_PAGE_CHARS:,}"

    def prepare(self, engine: str) -> Contestant:
        """Return a call that searches all texts; the engines have to find the same."""
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
    # Some are drawn twice, and a short text has not as many.
    for _ in range(12_000):
        start = int((len(words) - 5) * random.random())
        yield " ".join(words[start : start + 2 + int(4 * random.random())])


def _ours(patterns: Sequence[str], text: str) -> Iterable[Any]:
    return Patterns(patterns).find_all(text)


def _in_turn(patterns: Sequence[str], text: str) -> Iterable[Any]:
    """Return the matches of a loop of `str.find`."""
    found = []
    for index, pattern in enumerate(patterns):
        start = text.find(pattern)
        while start >= 0:
            found.append((index, start, start + len(pattern)))
            start = text.find(pattern, start + 1)
    return found


def _pyahocorasick(patterns: Sequence[str], text: str) -> Iterable[Any]:
    automaton = import_module("ahocorasick").Automaton()
    for index, pattern in enumerate(patterns):
        automaton.add_word(pattern, index)
    automaton.make_automaton()
    return list(automaton.iter(text))


def _ahocorasick_rs(patterns: Sequence[str], text: str) -> Iterable[Any]:
    matches: Iterable[Any] = (
        import_module("ahocorasick_rs").AhoCorasick(patterns).find_matches_as_indexes(text, overlapping=True)
    )
    return matches


_SEARCHES: dict[str, Callable[[Sequence[str], str], Iterable[Any]]] = {
    "groundwire": _ours,
    "str.find": _in_turn,
    "pyahocorasick": _pyahocorasick,
    "ahocorasick_rs": _ahocorasick_rs,
}


def _sorted(engine: str, found: Iterable[Any], patterns: Sequence[str]) -> _Matches:
    """Return matches as (pattern, start, end), by start then pattern, whichever engine found them."""
    if engine == "pyahocorasick":
        found = ((index, last + 1 - len(patterns[index]), last + 1) for last, index in found)
    return sorted(map(tuple, found), key=lambda match: (match[1], match[0]))
