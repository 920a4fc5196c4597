"""Words, postings and what a sentence shares with a claim, as a plain program finds them."""

import re
import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

from groundwire._engine import WordReader
from groundwire.faithfulness.support.words import Word, denials_in, described

__all__ = ["PostingsNaive", "like_naive", "read_words_naive", "restating_naive", "shared_naive"]

_UNSPACED = "\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff"
# Behind an apostrophe only letters: regular expressions have no class for these.
_SIGNS = map(chr, range(sys.maxunicode + 1))
_NUMBERS = "".join(sign for sign in _SIGNS if sign.isnumeric() and not (sign.isdecimal() or sign.isalpha()))
_WORD = re.compile(rf"[{_UNSPACED}]+|[eE]-?mails?\b|[^\W_{_UNSPACED}]+(?:['’][^\W\d_{_NUMBERS}]+)?")
_CLAUSE_END = re.compile(r"[,;:.!?()—–。！？；，、：]")


def read_words_naive(text: str) -> list[Word]:
    """Return the words of *text*, as `read_words` does."""
    return list(_words(text))


def _words(text: str) -> Iterator[Word]:
    clause, done = 0, 0
    for match in _WORD.finditer(text):
        start, end = match.span()
        if done and text[done:start] != " " and _CLAUSE_END.search(text, done, start):
            clause += 1
        done = end
        if "\u3041" <= text[start] <= "\ufaff":
            for place in range(start, max(start + 1, end - 1)):
                pair = text[place : min(place + 2, end)]
                yield Word(pair, pair, place, place + len(pair), clause)
        else:
            lower, stem, roles = _described(match[0])
            if roles & WordReader.BEGINS_CLAUSE:
                clause += 1
            yield Word(lower, stem, start, end, clause)


@lru_cache(maxsize=65_536)
def _described(written: str) -> tuple[str, str, int]:
    return described(written, False)


def shared_naive(words: Sequence[Word], stems: Set[str]) -> tuple[int, int, bool, bool] | None:
    """Return what `WordReader.shared` does of a sentence with these words."""
    common = [word for word in words if word.stem in stems]
    if not common:
        return None
    denials = denials_in(words)
    clauses = {word.clause for word in common}
    return (
        common[0].start,
        common[-1].end,
        any(words[place].clause in clauses for place in denials),
        any(words[place].stem in stems for reach in denials.values() for place in reach),
    )


def restating_naive(
    words: Sequence[tuple[Sequence[int], float, bool]],
    *,
    least: float,
    seeds: int,
    most: int,
    around: tuple[int, int],
    limit: int,
    alone: float | None = None,
) -> list[int]:
    """Return what `StemIndex.restating` does, for words with the sentences that have them; all for None *alone*."""
    rare = sorted((word for word in words if len(word[0]) <= most), key=lambda word: -word[1])
    total = sum(weight for _, weight, _ in words)
    shares = {}
    for place in {place for places, *_ in rare[:seeds] for place in places}:
        near = range(place - around[0], place + around[1] + 1)
        share = sum(weight for places, weight, is_anywhere in words if is_anywhere or _is_any_in(places, near)) / total
        if share >= least:
            shares[place] = share
    found = sorted(sorted(shares, key=lambda place: (-round(shares[place], 9), place))[:limit])

    def share_of(*numbers: int) -> float:
        told = (weight for places, weight, is_anywhere in words if is_anywhere or not set(numbers).isdisjoint(places))
        return sum(told) / total + 1e-9

    return [
        place
        for place in found
        if alone is None
        or (
            share_of(place) >= alone
            and any(share_of(place, near) >= least for near in range(place - around[0], place + around[1] + 1))
        )
    ]


def like_naive(word: str, words: Iterable[str], least: float, limit: int) -> list[tuple[str, float]]:
    """Return what `StemIndex.like` does, for these *words*."""
    wanted = _folded(word)
    ours, found = _grams(wanted), []
    for other in {_folded(other) for other in words} - {""} if wanted else ():
        theirs = _grams(other)
        share = 2.0 * len(ours & theirs) / (len(ours) + len(theirs))
        if other.endswith(wanted) and len(other) >= len(wanted) + 3:
            share = max(share, least)
        if share > 0 and share >= least:
            found.append((other, share))
    return sorted(found, key=lambda each: (-each[1], each[0]))[:limit]


def _folded(word: str) -> str:
    """A word as it is compared by its grams; nothing if it is too short, too long, or has a digit."""
    folded = word.partition("'")[0].replace("-", "").replace("ß", "ss")
    is_word = len(word) <= 40 and len(folded) >= 5 and not any(map(str.isnumeric, folded))
    return folded if is_word else ""


@lru_cache(maxsize=65_536)
def _grams(word: str) -> frozenset[str]:
    padded = f"\0{word}\0"
    return frozenset(padded[place : place + 3] for place in range(len(word)))


def _is_any_in(places: Sequence[int], near: range) -> bool:
    first = bisect_left(places, near.start)
    return first < len(places) and places[first] < near.stop


class PostingsNaive:
    """Sentences, each as a set of stems."""

    def __init__(self, sentences: Sequence[Set[str]]) -> None:
        self.sentences = sentences
        self.places: defaultdict[str, list[int]] = defaultdict(list)
        for number, stems in enumerate(sentences):
            for stem in stems:
                self.places[stem].append(number)

    def nearest(self, weights: Mapping[str, float], least: float, limit: int) -> list[tuple[int, float]]:
        """Return what `StemIndex.nearest` does of these weights."""
        ordered = sorted(weights, key=lambda stem: (-weights[stem], stem))
        total = 0.0
        for stem in ordered:
            total += weights[stem]
        left, shares = total, dict[int, float]()
        for stem in ordered:
            for number in self.places.get(stem, ()):
                if left >= least * total or number in shares:
                    shares[number] = shares.get(number, 0.0) + weights[stem]
            left -= weights[stem]
        ranked = sorted((-round(share / total, 9), number) for number, share in shares.items())
        return [(number, min(1.0, -share)) for share, number in ranked if -share >= least][:limit]

    def with_both(self, stems: Set[str], others: Set[str]) -> list[int]:
        """Return what `StemIndex.with_both` does."""
        return [number for number, own in enumerate(self.sentences) if own & stems and own & others]
