"""
The layers without a model with plain Python in the place of the engine: what it and preparing have to be worth.

The rules are the package's own. Words are read by the oracle of the tests, each text once; a claim is compared with
every sentence, and its words are looked for in the whole text. Every sentence that is near a claim is read for what
contradicts it, also where the engine sees that nothing can.
What only helps the plain program is left to the engine: where sentences end, numbers and months in
words, and quotes.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

from groundwire._engine import Source
from groundwire.citations import support_contradictions
from groundwire.evidence import QuoteVerdict, assess_quotes
from groundwire.faithfulness.support import lexical, verbatim, words
from groundwire.faithfulness.support.amounts import lowered
from oracles.stems import like_naive, read_words_naive, restating_naive, shared_naive
from oracles.support import sentences_around_naive

__all__ = ["PlainReader", "plain_python"]

_ALL = (1 << 32, 255)
"""Stems that a sentence has, and what its words do: any number, anything, so that it is read."""
_MARKS = str.maketrans("‘’‚‛“”„‟‐‑‒–—―−", "''''\"\"\"\"-------")
_ENDS_INSIDE = re.compile(r"\w(?:['.]?[^\W\d]|[.,:']?\d)")
_BEGINS_INSIDE = re.compile(r"\w(?:['.]?[^\W\d]|[.,:']?\d)\Z")


@contextmanager
def plain_python(reader: "PlainReader") -> Iterator[None]:
    """Within it plain Python does what the engine does elsewhere; *reader* keeps the words of all texts."""
    with (
        patch.object(words, "_READER", reader),
        patch.object(lexical, "READER", reader),
        patch.object(lexical, "StemIndex", _Sentences),
        patch.object(verbatim, "Source", _Text),
        patch.object(verbatim, "assess_quotes", _assess_quotes),
        patch.object(support_contradictions, "telling_words", _Telling),
    ):
        yield


class PlainReader:
    """`WordReader`."""

    def __init__(self) -> None:
        self._kept: dict[str, list[words.Word]] = {}

    def read(self, text: str) -> list[words.Word]:
        found = self._kept.get(text)
        if found is None:
            found = self._kept[text] = read_words_naive(text)
        return found


class _Sentences:
    """`StemIndex`, without an index: the words of each sentence."""

    def __init__(self, reader: PlainReader, texts: Sequence[str], beside: Sequence[str]) -> None:
        self._words = [reader.read(text) for text in texts]
        self._filed = {word.text for row in self._words for word in row if _is_filed(word) and not _is_pair(word)}
        self._stems = [
            {word.stem for word in (*own, *reader.read(other)) if _is_filed(word)}
            for own, other in zip(self._words, beside, strict=True)
        ]

    def with_any(self, stems: Sequence[str]) -> list[int]:
        wanted = set(stems)
        return [number for number, own in enumerate(self._stems) if not wanted.isdisjoint(own)]

    def count(self, stems: Sequence[str]) -> int:
        return len(self.with_any(stems))

    def nearest(
        self, weighted: Sequence[tuple[str, float]], least: float, limit: int
    ) -> list[tuple[int, float, tuple[int, int, bool, bool] | None, int, int]]:
        wanted = {stem for stem, _ in weighted}
        total = sum(weight for _, weight in weighted)
        ranked = []
        for number, stems in enumerate(self._stems):
            if not wanted.isdisjoint(stems):
                share = round(sum(weight for stem, weight in weighted if stem in stems) / total, 9)
                if share >= least:
                    ranked.append((-share, number))
        return [
            (number, min(1.0, -share), shared_naive(self._words[number], wanted), *_ALL)
            for share, number in sorted(ranked)[:limit]
        ]

    def with_both(self, stems: Sequence[str], others: Sequence[str]) -> list[int]:
        ours, theirs = set(stems), set(others)
        return [
            number
            for number, stems in enumerate(self._stems)
            if not ours.isdisjoint(stems) and not theirs.isdisjoint(stems)
        ]

    def like(self, word: str, least: float, limit: int) -> list[tuple[str, float]]:
        return like_naive(word, self._filed, least, limit)

    def with_behind(self, stems: Sequence[str], others: Sequence[str], limit: int) -> list[int]:
        return self.with_both(stems, others)[:limit]

    def restating(self, words: Sequence[tuple[Sequence[str], float, bool]], **limits: Any) -> list[int]:
        told = [(self.with_any(stems), weight, is_anywhere) for stems, weight, is_anywhere in words]
        return restating_naive(told, **{name: limit for name, limit in limits.items() if name != "alone"})


def _is_filed(word: words.Word) -> bool:
    return words.is_content(word) or word.text in lexical.STANCE_WORDS


def _is_pair(word: words.Word) -> bool:
    return "\u3041" <= word.text[0] <= "\ufaff"


class _Place(NamedTuple):
    start: int
    end: int


class _Text:
    """`Source`, as far as words are looked for in it."""

    def __init__(self, text: str, *, profile: Any) -> None:
        self.engine = Source(text, profile=profile)
        self._text = lowered(text).translate(_MARKS)

    def find_all(self, value: str, *, word_boundaries: bool) -> list[_Place]:
        assert word_boundaries
        parts = lowered(value).translate(_MARKS).split()
        found = re.finditer(r"\s+".join(map(re.escape, parts)), self._text)
        return [_Place(*match.span()) for match in found if self._is_apart(*match.span())]

    def _is_apart(self, start: int, end: int) -> bool:
        """Whether no word goes on beyond either end: `GitHub's` and `3.5` are one."""
        return not (
            _ENDS_INSIDE.match(self._text, end - 1) or _BEGINS_INSIDE.search(self._text, max(0, start - 2), start + 1)
        )


def _assess_quotes(quotes: Sequence[str], source: _Text) -> list[QuoteVerdict]:
    return assess_quotes(quotes, source.engine)


class _Telling:
    """`TellingWords` that rule nothing out."""

    def __init__(self, lexicon: object) -> None:
        pass

    def sentences_to_read(self, _: str, places: Sequence[tuple[str, int, int]]) -> list[tuple[int, int] | None]:
        return [sentences_around_naive(*place) for place in places]
