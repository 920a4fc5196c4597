"""Long texts: neither the search index nor the size of the alphabet changes a result."""

import random
import sys

import pytest

from groundwire import Source, normalize
from oracles.naive import occurrences_naive


def shuffled(first: int, count: int, length: int, seed: int) -> str:
    """Return a text of *length* characters out of *count* different ones."""
    alphabet = [chr(code) for code in range(first, first + count)]
    return "".join(random.Random(seed).choices(alphabet, k=length))


def natural(length: int) -> str:
    """Return a text with repeated words and phrases."""
    words = ["the", "patient", "says", "that", "sleep", "is", "bad", "and", "never", "rested", "in", "the", "morning"]
    return " ".join(random.Random(7).choices(words, k=length // 5))


TEXTS = {
    "words": natural(20_000),
    "just-long-enough": natural(20_000)[:2048],
    "two-letters": shuffled(ord("a"), 2, 20_000, 1),
    "one-letter": "a" * 5_000,
    "period-2": "ab" * 5_000,
    "period-17": "abcdefghijklmnopq" * 600,
    "cyrillic": shuffled(0x430, 32, 20_000, 2),
    "256-characters": shuffled(0x4E00, 256, 20_000, 3),
    "257-characters": shuffled(0x4E00, 257, 20_000, 4),
    "han": shuffled(0x4E00, 5_000, 30_000, 5),
    "astral": shuffled(0x20000, 2_000, 20_000, 6),
    "astral-and-latin": natural(10_000) + " \U0001f600 " + natural(10_000),
    "70000-characters": "".join(map(chr, range(0xF0000, 0xF0000 + 70_000))),
    "surrogates": shuffled(0xD800, 300, 20_000, 8),
}


def quotes_from(text: str) -> list[str]:
    """Return slices of all lengths from all parts of the text, slices with one change, and absent quotes."""
    rng = random.Random(len(text))
    quotes = []
    for length in range(1, 201):
        start = rng.randrange(len(text) - length + 1)
        quote = text[start : start + length]
        changed = rng.randrange(length)
        quotes += [
            quote,
            quote[:changed] + rng.choice(text) + quote[changed + 1 :],
            quote[:changed] + "#" + quote[changed:],
        ]
    return [*quotes, text[:300], text[-300:], text[1:], text, "#", "#" * 50]


def warmed(text: str) -> Source:
    """Return a source that has been searched often enough to have its index."""
    source = Source(text)
    before = sys.getsizeof(source)
    for _ in range(12):
        source.find(text[:40] + "#" + text[-40:])  # has to be looked for where bytes are code points
        source.find(text[-40:-20] + text[20:60] + text[:20])  # and this one where they are numbers of letters
    assert sys.getsizeof(source) > before
    return source


@pytest.mark.parametrize("name", TEXTS)
def test_an_indexed_source_answers_as_python_does(name):
    """str.find on the normalised text is the oracle, for lengths 1 to 200, present and absent."""
    text = normalize(TEXTS[name])
    source = warmed(text)
    wrong = []
    for quote in quotes_from(text):
        needle = normalize(quote)
        start = text.find(needle) if needle else -1
        match = source.find(quote)
        if (match and (match.start, match.end)) != (None if start < 0 else (start, start + len(needle))):
            wrong.append((len(quote), start))
    assert wrong == []


@pytest.mark.parametrize("name", TEXTS)
def test_an_indexed_source_answers_as_a_fresh_one(name):
    """find, find_all and ground return equal matches before and after the index is built."""
    text = TEXTS[name]
    quotes = quotes_from(text)[::7]
    indexed = warmed(normalize(text))
    answers = indexed.ground(quotes)
    assert answers == [Source(normalize(text)).find(quote) for quote in quotes]
    assert [indexed.find_all(quote) for quote in quotes[:10]] == [
        Source(normalize(text)).find_all(quote) for quote in quotes[:10]
    ]


@pytest.mark.parametrize("name", ["words", "257-characters", "astral"])
def test_fuzzy_answers_do_not_depend_on_the_index(name):
    """The result does not show which strategy the engine chose."""
    text = normalize(TEXTS[name])
    quotes = [quote for quote in quotes_from(text) if 20 < len(quote) < 60][::6]
    options = {"mode": "fuzzy", "threshold": 0.6}
    assert warmed(text).ground(quotes, **options) == Source(text).ground(quotes, **options)


def test_a_short_text_needs_no_index():
    """Below 64 characters a scan is faster than any index."""
    source = Source("x" * 63)
    before = sys.getsizeof(source)
    for _ in range(100):
        source.find("x" * 30 + "#")
    assert sys.getsizeof(source) == before


@pytest.mark.parametrize("count", [1, 2, 255, 256, 257, 258, 1000])
@pytest.mark.parametrize("first", [0x4E00, 0x20000], ids=["basic", "astral"])
def test_an_alphabet_of_any_size_is_searched(first, count):
    """Texts with at most 256 different characters are stored in bytes, which no result shows."""
    text = "".join(map(chr, range(first, first + count))) * 2
    source = Source(text)
    assert source.normalized == text
    for quote in {text[:1], text[count - 1 : count + 1], text[count // 2 : count // 2 + 30], text[:-1], chr(first - 1)}:
        assert [(match.start, match.end) for match in source.find_all(quote)] == occurrences_naive(quote, text)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        pytest.param("latin text", "\u0436", id="wider-quote"),
        pytest.param("latin text", "\u016c", id="low-byte-of-a-letter"),
        pytest.param("\u0436\u0437", "\U00010436", id="low-half-of-an-astral-quote"),
        pytest.param("\u4e2d\u6587", "-", id="narrower-quote"),
        pytest.param("".join(map(chr, range(0x4E00, 0x5000))), "\U00014e00", id="two-byte-text"),
    ],
)
def test_a_character_that_the_text_does_not_have_is_not_found(text, quote):
    """A code point is compared as a whole, in exact and in fuzzy search."""
    source = Source(text)
    assert (source.find(quote), source.find_all(quote)) == (None, [])
    assert source.scores([quote]).tolist() == [0.0]
