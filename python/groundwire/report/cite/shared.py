"""
Which words of a passage are a claim's, and the part of it that has most of them.

Words are as support counts them: those of four letters or more that are not in every text, numbers and
abbreviations; they are the same if they begin with the same six letters. Of text without
spaces two characters that stand together are a word.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.citations.support_words import COMMON_WORDS
from groundwire.evidence.wording.tokens import is_unspaced, tokenize
from groundwire.report.excerpts import whole_words

__all__ = ["Excerpt", "Passage", "excerpt", "words_of"]

_MIN_CHARS = 4
_PREFIX_CHARS = 6
# What stands behind them is neither searched nor marked; a word that is everywhere is not marked everywhere.
_READ_CHARS = 100_000
_MOST_PLACES = 200
_EXCERPT_CHARS = 420
_MARGIN_CHARS = 60
_COMMON = frozenset(COMMON_WORDS)


class Word(NamedTuple):
    """A word in the form that is compared, and its place."""

    key: str
    start: int
    end: int


class Passage:
    """A passage whose words are found once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._places: dict[str, list[Word]] = {}
        for word in _words(text[:_READ_CHARS]):
            places = self._places.setdefault(word.key, [])
            if len(places) < _MOST_PLACES:
                places.append(word)

    def shared(self, keys: frozenset[str]) -> list[Word]:
        """Return the words of the passage that are among *keys*, from left to right."""
        found = [word for key in keys for word in self._places.get(key, ())]
        return sorted(found, key=lambda word: word.start)


class Excerpt(NamedTuple):
    """A part of a passage, and the spans of the words in it that are marked."""

    start: int
    end: int
    spans: list[tuple[int, int]]


def words_of(claim: str) -> frozenset[str]:
    """Return the words of *claim*, in the form that is compared."""
    return frozenset(word.key for word in _words(claim[:_READ_CHARS]))


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


def _words(text: str) -> Iterator[Word]:
    for token in tokenize(text, 0, len(text)):
        if is_unspaced(token.text[:1]):
            pairs = range(token.start, max(token.end - 1, token.start + 1))
            yield from (Word(text[at : at + 2], at, min(at + 2, token.end)) for at in pairs)
        elif any(map(str.isdigit, token.text)):
            yield Word(token.text, token.start, token.end)
        elif token.text not in _COMMON and _is_content(token.text, text[token.start : token.end]):
            yield Word(token.text[:_PREFIX_CHARS], token.start, token.end)


def _is_content(folded: str, written: str) -> bool:
    return len(folded) >= _MIN_CHARS or (len(folded) > 1 and written.isupper())


def _densest(words: Sequence[Word]) -> tuple[int, int]:
    """Return the first and last place of the row of *words* that fits an excerpt and has most different keys."""
    inside: Counter[str] = Counter()
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
