"""
The guarded rules in plain Python, as one would write them: what the engine has to be worth.

Reading the answer is the oracle of the tests. Passages are compared by the same steps as in the
engine, window and stretch in one pass each, and every sentence that may contradict is read.
English only.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from groundwire.citations.support_contradictions import ReadClaim, ReadPassage
from groundwire.language import common_words
from oracles.answers import NaiveAnswer, NaiveClaim, read_answer_naive
from oracles.support import GAP_WORDS, MAIN_WORDS, MIN_CHARS, PREFIX_CHARS, STRETCH_MORE, STRETCH_PER_WORD, WINDOW_WORDS
from oracles.support import sentences_around_naive as sentences_around

__all__ = ["Assessed", "assess_plainly", "by_printed_lines"]

_WORD = re.compile(r"[^\W_]+(?:(?:(?<=\d)\.(?=\d)|(?<=\d),(?=\d{3}(?!\d)))[^\W_]+)*")
_DIGIT = re.compile(r"\d")
_OPENING = "\"'“”‘’«»„([{*_ \t"
_SENTENCE_ENDS = ".!?:;…\n"
_COMMON = frozenset(common_words())


class Assessed(NamedTuple):
    """What decides, and of each claim the score of the best passage that it cites."""

    total_claims: int
    covered: int
    uncited: int
    valid: list[str]
    invalid: list[str]
    support: list[float | None]


class _Word(NamedTuple):
    key: str
    start: int
    end: int
    is_detail: bool


def assess_plainly(answer: str, results: Sequence[Mapping[str, Any]]) -> Assessed:
    """Return what the policy "coverage" counts, and of what support the claims are where there are passages."""
    ids = [str(result["id"]) for result in results]
    read = read_answer_naive(answer, ids)
    cited = [_valid_ids(read, claim) for claim in read.claims]
    items = [item for marker in read.markers for item in marker.items]
    passages = [str(result["content"]) for result in results if "content" in result]
    return Assessed(
        len(read.claims),
        sum(map(bool, cited)),
        sum(claim.weight > 50 and not own for claim, own in zip(read.claims, cited, strict=True)),
        sorted({name for name, status in items if status == "valid"}),
        sorted({name for name, status in items if status == "invalid"}),
        _supports(answer, read, cited, ids, passages) if passages else [None] * len(cited),
    )


def by_printed_lines(answer: str, results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the specification's own lines count."""
    citations = set(re.findall(r"\[([^\]]+)\]", answer))
    known = set()
    for result in results:
        for key in ("id", "parent_id"):
            if key in result:
                known.add(result[key])
    claims = [sentence for sentence in re.split(r"[.!?]+", answer) if len(sentence.strip()) > 20]
    uncited = [
        sentence.strip()[:100]
        for sentence in claims
        if len(sentence.strip()) > 50 and not re.search(r"\[([^\]]+)\]", sentence)
    ]
    ratio = len(citations & known) / max(len(claims), 1)
    risk = 1.0 - min(ratio, 1.0)
    return {
        "has_hallucination_risk": risk > 0.3,
        "hallucination_risk_score": risk,
        "valid_citations": list(citations & known),
        "invalid_citations": list(citations - known),
        "uncited_sentences": uncited[:3],
        "citation_ratio": ratio,
    }


def _valid_ids(read: NaiveAnswer, claim: NaiveClaim) -> set[str]:
    return {name for index in claim.markers for name, status in read.markers[index].items if status == "valid"}


def _supports(
    answer: str, read: NaiveAnswer, cited: list[set[str]], ids: list[str], passages: list[str]
) -> list[float | None]:
    words = [_words(passage) for passage in passages]
    kept = [ReadPassage(passage) for passage in passages]
    supports: list[float | None] = []
    for claim, own in zip(read.claims, cited, strict=True):
        text = _without(answer, read, claim)
        claimed, reader = _words(text), ReadClaim(text)
        scores = [_score(claimed, words[place], reader, kept[place]) for place in range(len(passages))]
        supports.append(max((scores[place] for place, name in enumerate(ids) if name in own), default=None))
    return supports


def _without(answer: str, read: NaiveAnswer, claim: NaiveClaim) -> str:
    """The claim with spaces for its citations."""
    text = answer[claim.start : claim.end]
    for index in claim.markers:
        start, end = (max(0, place - claim.start) for place in (read.markers[index].start, read.markers[index].end))
        text = text[:start] + " " * (min(end, len(text)) - start) + text[end:]
    return text


def _words(text: str) -> list[_Word]:
    found = []
    for match in _WORD.finditer(text):
        word = match[0].lower()
        has_digit = _DIGIT.search(word) is not None
        is_short = len(word) < MIN_CHARS and not (len(word) > 1 and match[0].isupper())
        if not has_digit and (is_short or word in _COMMON):
            continue
        key = word.replace(",", "") if has_digit else word[:PREFIX_CHARS]
        is_detail = has_digit or (match[0][0].isupper() and _is_inside_sentence(text, match.start()))
        found.append(_Word(key, *match.span(), is_detail))
    return found


def _is_inside_sentence(text: str, place: int) -> bool:
    while place and text[place - 1] in _OPENING:
        place -= 1
    return place > 0 and text[place - 1] not in _SENTENCE_ENDS


def _score(claimed: list[_Word], words: list[_Word], claim: ReadClaim, passage: ReadPassage) -> float:
    asked = {word.key for word in claimed}
    details = {word.key for word in claimed if word.is_detail}
    hits = [place for place, word in enumerate(words) if word.key in asked]
    start, found = _window([words[place].key for place in hits], hits, len(words))
    window = [word.key for word in words[start : start + WINDOW_WORDS]]
    inside = [place for place in hits if start <= place < start + WINDOW_WORDS]
    pairs = [(one.key, other.key) for one, other in pairwise(claimed) if one.key != other.key]
    near = set()
    for at, place in enumerate(inside):
        for other in inside[at + 1 : at + 1 + GAP_WORDS]:
            if other - place <= GAP_WORDS:
                near |= {(words[place].key, words[other].key), (words[other].key, words[place].key)}
    main = [key for key, _ in Counter(window).most_common(MAIN_WORDS)]
    score = found / (len(asked) + 5) + sum(pair in near for pair in pairs) / (len(pairs) + 5)
    score = (score + sum(key in asked for key in main) / len(main)) / 3
    if details:
        has = {words[place].key for place in hits}
        score *= 1 - 0.5 * (1 - len(details & has) / len(details))
    if 5 * found >= 2 * len(asked):
        first, last = _stretch(words, inside, len(asked))
        around = sentences_around(passage.text, words[first].start, words[last].end)
        if claim.read(passage, *around) is not None:
            score *= 0.5
    return round(score, 12)


def _window(keys: list[str], hits: list[int], words: int) -> tuple[int, int]:
    """Where the first window with the most different words begins, and how many it has."""
    counts: Counter[str] = Counter()
    left, best, most = 0, 0, 0
    for key, place in zip(keys, hits, strict=True):
        counts[key] += 1
        start = max(0, max(place + 1, min(WINDOW_WORDS, words)) - WINDOW_WORDS)
        while hits[left] < start:
            counts[keys[left]] -= 1
            if not counts[keys[left]]:
                del counts[keys[left]]
            left += 1
        if len(counts) > most:
            best, most = start, len(counts)
    return best, most


def _stretch(words: list[_Word], hits: list[int], asked: int) -> tuple[int, int]:
    """The first and the last of the words that stand closest together."""
    counts: Counter[str] = Counter()
    left, best = 0, (1, 0, 0)
    for place in hits:
        counts[words[place].key] += 1
        while place - hits[left] >= STRETCH_PER_WORD * asked + STRETCH_MORE or counts[words[hits[left]].key] > 1:
            key = words[hits[left]].key
            counts[key] -= 1
            if not counts[key]:
                del counts[key]
            left += 1
        best = min(best, (-len(counts), place - hits[left], hits[left]))
    return best[2], best[2] + best[1]
