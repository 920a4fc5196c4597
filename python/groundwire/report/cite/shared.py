"""
Which words of a passage are a claim's, and the part of it that has most of them.

Words are the words of content, numbers, dates and names that the language layer reads; forms of one word are the same.
Of text without spaces two characters that stand together are a word.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from groundwire.language import Term, read_terms
from groundwire.report.excerpts import whole_words

__all__ = ["Excerpt", "Passage", "excerpt", "words_of"]

# What stands behind them is neither searched nor marked; a word that is everywhere is not marked everywhere.
_READ_CHARS = 100_000
_KINDS = frozenset({"content", "name", "title", "denial", "number", "date", "time"})
_MOST_PLACES = 200
_EXCERPT_CHARS = 420
_MARGIN_CHARS = 60


class Word(NamedTuple):
    """A word in the form that is compared, and its place."""

    key: int
    start: int
    end: int


class Passage:
    """A passage whose words are found once; in *language*, or the one that it shows."""

    def __init__(self, text: str, language: str | None = None) -> None:
        self.text = text
        self._places: dict[int, list[Word]] = {}
        for word in _words(text, language):
            places = self._places.setdefault(word.key, [])
            if len(places) < _MOST_PLACES:
                places.append(word)

    def shared(self, keys: frozenset[int]) -> list[Word]:
        """Return the words of the passage that are among *keys*, from left to right."""
        found = [word for key in keys for word in self._places.get(key, ())]
        return sorted(found, key=lambda word: word.start)


class Excerpt(NamedTuple):
    """A part of a passage, and the spans of the words in it that are marked."""

    start: int
    end: int
    spans: list[tuple[int, int]]


def words_of(claim: str, language: str | None = None) -> frozenset[int]:
    """Return keys of the words of *claim*; those of a passage in the same *language* are equal."""
    return frozenset(word.key for word in _words(claim, language))


def excerpt(passage: Passage, shared: Sequence[Word]) -> Excerpt:
    """Return the part of *passage* with most different words of *shared*, the first of equals; else its beginning."""
    first, last = _densest(shared)
    low = shared[first].start if shared else 0
    high = shared[last].end if shared else 0
    room = max(_EXCERPT_CHARS - (high - low), 2 * _MARGIN_CHARS)
    start = max(0, low - room // 2)
    end = min(len(passage.text), start + (high - low) + room)
    start = max(0, min(start, end - _EXCERPT_CHARS))
    start, end = whole_words(passage.text, start, end, low, high)
    inside = bisect_left(shared, start, key=lambda word: word.start)
    return Excerpt(start, end, _merged(word for word in shared[inside:] if word.end <= end))


def _words(text: str, language: str | None) -> Iterator[Word]:
    terms = [term for term in read_terms(text[:_READ_CHARS], language=language) if term.kind in _KINDS]
    for term, following in zip_longest(terms, terms[1:]):
        if not _is_single(term):
            yield Word(term.stem, term.start, term.end)
        elif following is not None and _is_single(following) and following.start == term.end:
            yield Word(hash((term.stem, following.stem)), term.start, following.end)


def _is_single(term: Term) -> bool:
    """Whether a term is one character of a script without spaces, and not a word that is known."""
    return term.end - term.start == 1 and term.kind == "content" and term.form >= "\u0e00"


def _densest(words: Sequence[Word]) -> tuple[int, int]:
    """Return the first and last place of the row of *words* that fits an excerpt and has most different keys."""
    inside: Counter[int] = Counter()
    best, most, first = (0, 0), 0, 0
    for last, word in enumerate(words):
        inside[word.key] += 1
        while word.end - words[first].start > _EXCERPT_CHARS and first < last:
            inside[words[first].key] -= 1
            if not inside[words[first].key]:
                del inside[words[first].key]
            first += 1
        if len(inside) > most:
            best, most = (first, last), len(inside)
    return best


def _merged(words: Iterator[Word]) -> list[tuple[int, int]]:
    """Return the spans of *words*, those that overlap as one."""
    spans: list[tuple[int, int]] = []
    for word in words:
        if spans and word.start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], word.end))
        else:
            spans.append((word.start, word.end))
    return spans
