"""The synthetic texts are the same everywhere, and resemble what people write."""

from difflib import SequenceMatcher
from hashlib import sha256

import pytest

from groundwire.benchmarks.corpus import Synthetic, altered, passages, transcript

STYLES = ["english", "curly", "russian", "arabic", "chinese", "japanese"]


@pytest.mark.parametrize(
    ("style", "digest"),
    [
        ("english", "80136a1a052d18f3"),
        ("curly", "5b53bf9050186534"),
        ("russian", "a746fd9952a6e604"),
        ("arabic", "c7d3d9ab3a29db97"),
        ("chinese", "f24ae9eaadb35e10"),
        ("japanese", "ba9027cc831e1ae1"),
    ],
)
def test_a_text_is_the_same_everywhere(style, digest):
    """Published scores and figures belong to exactly these texts."""
    assert sha256(transcript(style, 20_000).encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("chars", [1, 20, 5_000])
def test_a_text_is_as_long_as_it_is_called(style, chars):
    """Sizes are in characters."""
    text = Synthetic(style, chars)
    assert (len(text.read()), text.name) == (chars, f"{style}, {chars:,} characters")


def test_another_seed_is_another_text():
    """Quotes of one text are not in the other."""
    assert transcript("english", 5_000, 1) != transcript("english", 5_000, 2)


@pytest.mark.parametrize("style", STYLES)
def test_a_text_reads_like_a_transcript(style):
    """Speakers take turns, and some sentences carry a tag."""
    lines = transcript(style, 50_000).splitlines()
    speakers = {line.partition(":")[0] for line in lines[:-1]}
    assert len(speakers) == 2
    assert lines[0].partition(":")[0] != lines[1].partition(":")[0]
    assert any("<laughter>" in line for line in lines)


def test_english_is_plain_and_curly_is_not():
    """Plain English is ASCII; the curly variant has the typography of a word processor."""
    assert transcript("english", 50_000).isascii()
    assert {"’", "“", "”", "…", "\u00a0", "'"} <= set(transcript("curly", 50_000))


def test_words_follow_zipfs_law():
    """Few words are most of the text, and most words are rare."""
    words = transcript("english", 200_000).lower().split()
    counts = sorted((words.count(word) for word in {*words}), reverse=True)
    assert 0.04 < counts[0] / len(words) < 0.15
    assert sum(count <= 5 for count in counts) > len(counts) / 3


def test_passages_are_distinct_parts_of_the_text():
    """Each has its length, none is repeated, and none has a tag or white space at an end."""
    text = transcript("curly", 20_000)
    quotes = passages(text, 20, 60)
    assert len({*quotes}) == 20
    assert all(len(quote) == 60 and quote in text and quote == quote.strip() and "<" not in quote for quote in quotes)


def test_altered_changes_about_its_share():
    """The rest of the quote keeps its order."""
    quote = transcript("english", 1_000)
    slips = altered(quote, 0.1)
    assert altered(quote, 0.0) == quote
    assert slips == altered(quote, 0.1)
    same = SequenceMatcher(None, quote, slips, autojunk=False).ratio()
    assert 0.85 < same < 0.95
