"""Many quotes in one long text: verdicts, workers, threads, and the caches of a source."""

import random
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from rapidfuzz import fuzz

from groundwire import Source, normalize, partial_ratio_many

WORDS = [
    "the", "and", "to", "i", "a", "of", "it", "that", "in", "was", "you", "my", "is", "for", "not", "so", "but",
    "have", "with", "at", "sleep", "sleeping", "tired", "really", "nothing", "because", "morning", "always",
    "think", "work", "worked", "eat", "hardly", "friend", "about", "would", "could", "should", "sister",
    "again", "against", "worry", "worries", "enough", "through", "thought", "little", "much", "anything",
    "interested", "concentrate", "pleasure", "hopeless",
]  # fmt: skip


def prose(chars: int, seed: int) -> str:
    """Return a normalised text of exactly this length, with some words much more frequent than others."""
    rng = random.Random(seed)
    words = rng.choices(WORDS, weights=[1 / (rank + 2) for rank in range(len(WORDS))], k=chars // 3)
    return " ".join(words)[: chars - 1] + "."


def with_typos(quote: str, typos: int, rng: random.Random) -> str:
    """Return *quote* with changed, missing and added characters."""
    letters = list(quote)
    for _ in range(typos):
        place = rng.randrange(len(letters))
        letters[place] = rng.choice(["", "z", letters[place] + "q", "\u0436"])
    return "".join(letters)


TEXT = prose(50_000, 1)


def quotes() -> list[str]:
    """Return sixty quotes: verbatim, with few and many typos, absent, joined from two places, short and very long."""
    rng = random.Random(2)
    found = []
    for index, start in enumerate(range(0, 45_000, 900)):
        length = (12, 25, 40, 64, 65, 90, 130, 200, 300, 500)[index % 10]
        found.append(with_typos(TEXT[start : start + length], (0, 1, 3, length // 12, length // 6)[index % 5], rng))
    near = [TEXT[start : start + 30] + TEXT[start + 7_000 : start + 7_030] for start in range(100, 600, 100)]
    return [*found, *near, "the cat sat on a mat, purring", "", "#", TEXT[-80:].upper().lower(), TEXT + " more"]


QUOTES = quotes()
NORMALISED_SCORES = [fuzz.partial_ratio(normalize(quote), TEXT) for quote in QUOTES]


@pytest.fixture(scope="module")
def source() -> Source:
    """Return a source that the tests share, with its caches."""
    return Source(TEXT)


def test_the_text_is_normalised_and_there_are_sixty_quotes(source):
    """The other tests rely on this."""
    assert (source.normalized, len(QUOTES)) == (TEXT, 60)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("cutoff", [None, 60, 85, 97.5])
def test_scores_of_many_are_rapidfuzzs(workers, cutoff):
    """This holds for a long text, quotes of every kind, and any number of workers."""
    expected = [fuzz.partial_ratio(quote, TEXT, score_cutoff=cutoff) for quote in [*QUOTES, None]]
    scores = partial_ratio_many([*QUOTES, None], TEXT, score_cutoff=cutoff, workers=workers)
    assert expected == scores.tolist()


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("cutoff", [None, 60, 85, 97.5])
def test_scores_of_a_source_are_rapidfuzzs(source, workers, cutoff):
    """A used source has caches; a new one does not."""
    expected = [score if score >= (cutoff or 0) else 0.0 for score in NORMALISED_SCORES]
    for asked in (source, Source(TEXT)):
        assert expected == asked.scores(QUOTES, score_cutoff=cutoff, workers=workers).tolist()


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("threshold", [0.7, 0.85, 0.95])
def test_fuzzy_matches_of_many_have_rapidfuzzs_scores(source, workers, threshold):
    """All threads find the same windows, and each window has its stated score."""
    matches = source.ground(QUOTES, mode="fuzzy", threshold=threshold, workers=workers)
    scores = [score if quote else 0.0 for quote, score in zip(QUOTES, NORMALISED_SCORES, strict=True)]
    assert [score / 100 if score / 100 >= threshold else None for score in scores] == [
        match and match.score for match in matches
    ]
    assert matches == source.ground(QUOTES, mode="fuzzy", threshold=threshold)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("mode", ["substring", "fuzzy"])
@pytest.mark.parametrize("threshold", [0.0, 0.7, 0.85, 1.0])
def test_a_verdict_says_whether_there_is_a_match(mode, threshold, workers):
    """The accepted quotes are those with a match, in order."""
    source = Source(TEXT)
    verdicts = source.ground(QUOTES, mode=mode, threshold=threshold, verdict_only=True, workers=workers)
    assert (verdicts.dtype, verdicts.shape) == (np.dtype(bool), (60,))
    matches = source.ground(QUOTES, mode=mode, threshold=threshold, verdict_only=False)
    assert [match is not None for match in matches] == verdicts.tolist()


@pytest.mark.parametrize("mode", ["substring", "fuzzy"])
@pytest.mark.parametrize("text", ["", "a text", TEXT], ids=len)
def test_an_empty_or_blank_quote_is_never_found(mode, text):
    """Ruling A6: a blank quote is not found at any threshold."""
    verdicts = Source(text).ground(["", " ", "\n\t", "<b>"], mode=mode, threshold=0.0, verdict_only=True)
    assert verdicts.tolist() == [False] * 4


def test_no_quotes_have_no_verdicts():
    """The array is empty, and still of bool."""
    verdicts = Source("a text").ground([], verdict_only=True)
    assert (verdicts.dtype, verdicts.shape) == (np.dtype(bool), (0,))


@pytest.mark.parametrize("value", [1, 0, None, "yes", np.True_], ids=repr)
def test_verdict_only_is_a_bool(value):
    """A truthy value is most likely a misplaced mode."""
    with pytest.raises(TypeError, match="verdict_only must be a bool"):
        Source("a text").ground(["text"], verdict_only=value)


def test_verdicts_of_wrong_quotes_are_refused():
    """The message has the quote's position and type."""
    with pytest.raises(TypeError, match=r"quotes\[1\] must be a str, got NoneType"):
        Source("a text").ground(["text", None], verdict_only=True)


def test_threads_may_search_a_new_source_at_once():
    """Four threads use the caches of a new source at once; each gets the result of a single thread."""
    alone = Source(TEXT)
    expected = [
        (alone.scores(QUOTES, score_cutoff=85).tolist(), alone.find(QUOTES[7], mode="fuzzy"), alone.find(QUOTES[0]))
    ]
    for _ in range(5):
        source, barrier = Source(TEXT), threading.Barrier(4)

        def ask(workers, source=source, barrier=barrier):
            barrier.wait()
            scores = source.scores(QUOTES, score_cutoff=85, workers=workers).tolist()
            return scores, source.find(QUOTES[7], mode="fuzzy"), source.find(QUOTES[0])

        with ThreadPoolExecutor(4) as pool:
            assert expected * 4 == list(pool.map(ask, [1, 1, 2, 2]))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TEXT, id="prose"),
        pytest.param("".join(random.Random(3).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=40_000)), id="noise"),
        pytest.param("".join(chr(0x4E00 + random.Random(place).randrange(900)) for place in range(40_000)), id="cjk"),
    ],
)
def test_the_caches_of_a_source_are_bounded(text):
    """The caches of fuzzy searches stay within the documented limit."""
    source, rng = Source(text), random.Random(4)
    before = sys.getsizeof(source)
    for _ in range(4):
        starts = [rng.randrange(len(text) - 80) for _ in range(60)]
        source.scores([with_typos(text[start : start + 70], 2, rng) for start in starts], score_cutoff=88)
    after = sys.getsizeof(source)
    assert after - before <= 9 * len(text)
    assert after <= 12 * len(text)
    assert after > before
