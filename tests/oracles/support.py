"""What a passage has of a claim, counted the plain way: every window, every pair of places, every word looked at."""

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

WINDOW_WORDS = 120
GAP_WORDS = 3
MAIN_WORDS = 5
PREFIX_CHARS = 6
MIN_CHARS = 4
STRETCH_PER_WORD = 2
STRETCH_MORE = 8

_SENTENCE_ENDS = ".!?:;…。！？\n"
_OPENING = "\"'“”‘’«»„([{*_ \t"


class Word(NamedTuple):
    key: str
    start: int
    end: int
    is_detail: bool


class AgreementNaive(NamedTuple):
    words: int
    words_found: int
    pairs: int
    pairs_found: int
    details: int
    details_found: int
    main: int
    main_found: int
    start: int
    end: int


def is_unspaced_naive(character: str) -> bool:
    """Han, Kana, Bopomofo, Thai, Lao, Myanmar, Khmer: by the names of the characters."""
    scripts = ("CJK", "HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "BOPOMOFO", "THAI", "LAO", "MYANMAR", "KHMER")
    return unicodedata.name(character, "").startswith(scripts)


def _is_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M" or character in "\u200c\u200d"


def _lower(text: str) -> str:
    return "".join(character.lower()[0] for character in text)


def _joins(text: str, at: int) -> bool:
    """Whether the character between two digits belongs to their number: a point, or a comma before three of them."""
    if not (0 < at < len(text) - 1 and text[at - 1] in "0123456789" and text[at + 1] in "0123456789"):
        return False
    return text[at] == "." or (text[at] == "," and re.match("[0-9]{3}(?![0-9])", text[at + 1 :]) is not None)


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Maximal runs of spaced letters, marks and digits."""
    start = None
    for at in range(len(text) + 1):
        inside = at < len(text) and ((_is_word(text[at]) and not is_unspaced_naive(text[at])) or _joins(text, at))
        if inside and start is None:
            start = at
        elif not inside and start is not None:
            yield start, at
            start = None


def _is_inside_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(_OPENING)
    return before != "" and before[-1] not in _SENTENCE_ENDS


def content_words_naive(text: str, common: Collection[str]) -> list[Word]:
    """The words that carry content, in their order; in unspaced scripts every two neighbouring characters."""
    known = {(_lower(word)[:PREFIX_CHARS], len(word)) for word in common}
    words = []
    for start, end in _runs(text):
        raw = text[start:end]
        key = _lower(raw).replace(",", "")
        has_digit = any(character.isnumeric() for character in raw)
        if not has_digit:
            is_short = len(raw) < MIN_CHARS and not (len(raw) > 1 and all(map(_is_capital, raw)))
            key = key[:PREFIX_CHARS]
            if is_short or (key, len(raw)) in known:
                continue
        is_name = _is_capital(raw[0]) and _is_inside_sentence(text, start)
        words.append(Word(key, start, end, has_digit or is_name))
    for start in range(len(text)):
        if _is_unspaced_word(text, start):
            pair = start + 1 < len(text) and _is_unspaced_word(text, start + 1)
            alone = not pair and not (start > 0 and _is_unspaced_word(text, start - 1))
            if pair or alone:
                end = start + 1 + pair
                words.append(Word(text[start:end], start, end, False))
    return sorted(words, key=lambda word: word.start)


def _is_capital(character: str) -> bool:
    return character.isupper()


def _is_unspaced_word(text: str, at: int) -> bool:
    return _is_word(text[at]) and is_unspaced_naive(text[at])


def agreement_naive(claim: str, passage: str, common: Collection[str]) -> AgreementNaive:
    """Count what *passage* has of *claim*."""
    claimed = content_words_naive(claim, common)
    words = content_words_naive(passage, common)
    asked = dict.fromkeys(word.key for word in claimed)
    details = dict.fromkeys(word.key for word in claimed if word.is_detail)
    pairs = [(one.key, other.key) for one, other in itertools.pairwise(claimed) if one.key != other.key]
    everywhere = {word.key for word in words}
    window = _best_window([word.key for word in words], asked)
    main = [key for key, _ in Counter(window).most_common(MAIN_WORDS)]
    near = {
        (one, other) for at, one in enumerate(window) for other in window[max(0, at - GAP_WORDS) : at + GAP_WORDS + 1]
    }
    start, end = _stretch(words, window, asked)
    return AgreementNaive(
        len(asked),
        sum(key in window for key in asked),
        len(pairs),
        sum(pair in near for pair in pairs),
        len(details),
        sum(key in everywhere for key in details),
        len(main),
        sum(key in asked for key in main),
        start,
        end,
    )


def _best_window(keys: list[str], asked: Collection[str]) -> list[str]:
    """The first of the windows with the most different words of the claim."""
    windows = [keys[start : start + WINDOW_WORDS] for start in range(max(1, len(keys) - WINDOW_WORDS + 1))]
    return max(windows, key=lambda window: len({key for key in window if key in asked}))


def _stretch(words: list[Word], window: list[str], asked: Collection[str]) -> tuple[int, int]:
    """Where the closest words of the claim stand: most of them, in the fewest words, first."""
    keys = [word.key for word in words]
    first = next(start for start in range(len(keys) + 1) if keys[start : start + len(window)] == window)
    longest = min(WINDOW_WORDS, STRETCH_PER_WORD * len(asked) + STRETCH_MORE)
    best = None
    for start in range(first, first + len(window)):
        for end in range(start + 1, min(start + longest, first + len(window)) + 1):
            found = len({key for key in keys[start:end] if key in asked})
            if found and (best is None or (-found, end - start, start) < best):
                best = (-found, end - start, start)
    if best is None:
        return 0, 0
    _, length, start = best
    return words[start].start, words[start + length - 1].end
