"""Quotes of every kind, from synthetic texts and from files."""

from random import Random

import pytest
from rapidfuzz import fuzz

from groundwire import normalize
from groundwire.benchmarks.corpus import Corpus, Kind, Quotes, transcript
from groundwire.benchmarks.score_tasks import Scores, Way

CORPUS = Corpus()


def quotes(count, *chars, kinds=(Kind.TYPOS, Kind.NEAR, Kind.ABSENT)):
    """Quotes of a synthetic text."""
    return Quotes(CORPUS.text(20_000), CORPUS.other(20_000), count, chars, kinds)


@pytest.mark.parametrize("chars", [20, 50, 100])
@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [
        pytest.param(Kind.VERBATIM, 100, 101, id="verbatim"),
        pytest.param(Kind.TYPOS, 85, 100, id="typos"),
        pytest.param(Kind.NEAR, 70, 85, id="near"),
        pytest.param(Kind.ABSENT, 0, 85, id="absent"),
    ],
)
def test_a_kind_scores_what_it_says(kind, low, high, chars):
    """RapidFuzz finds that score in the whole text, and the quote has the named length."""
    given = quotes(10, chars, kinds=(kind,))
    scores = [fuzz.partial_ratio(quote, given.text.read()) for quote in given.read()]
    assert all(low <= score < high for score in scores)
    assert {len(quote) for quote in given.read()} == {chars}
    assert len({*given.read()}) == 10


def test_kinds_and_lengths_take_turns():
    """All kinds with the first length come first, then all kinds with the next."""
    given = quotes(7, 20, 30)
    assert [given.kind(at) for at in range(4)] == ["typos", "near", "absent", "typos"]
    assert [len(quote) for quote in given.read()] == [20, 20, 20, 30, 30, 30, 20]


def test_quotes_are_the_same_every_time():
    """Quotes come from a seed."""
    assert quotes(3, 40).read() == quotes(3, 40).read()


def test_a_quote_may_be_as_long_as_its_text():
    """This includes quotes with typos."""
    text = CORPUS.text(500)
    [quote] = Quotes(text, CORPUS.other(5_000), 1, (500,), (Kind.TYPOS,)).read()
    assert len(quote) == 500
    assert 85 <= fuzz.partial_ratio(quote, text.read()) < 100


SHORT_WORDS = ("a", "i", "o", "u", "we", "go", "tea", "bus")


@pytest.fixture(params=[3, 9])
def short_words(request, tmp_path):
    """Return near misses of a text with words of one to three letters, where a typo may drop a whole word."""
    random = Random(request.param)
    text, other = tmp_path / "short.txt", tmp_path / "other.txt"
    text.write_text(" ".join(SHORT_WORDS[int(8 * random.random())] for _ in range(800)), encoding="utf-8")
    other.write_text(transcript("english", 2_000), encoding="utf-8")
    corpus = Corpus((text,), (other,))
    return Quotes(corpus.text(2_000), corpus.other(2_000), 60, (50, 100), (Kind.NEAR,))


def test_quotes_are_normalised(short_words):
    """A typo that drops a word leaves no two blanks, which normalisation would join."""
    assert [normalize(quote) for quote in short_words.read()] == [*short_words.read()]


@pytest.mark.parametrize("way", Way)
def test_a_near_miss_is_one_in_every_way_of_scoring(short_words, way):
    """A source normalises its quotes, which must not make a near miss a better match."""
    call, is_right, _ = Scores(short_words, 85.0, way).prepare("groundwire")
    assert is_right(call())


def test_quotes_of_a_text_that_is_not_normalised_are_refused():
    """Their scores would depend on the way of scoring."""
    text = CORPUS.text(500, is_normalized=False)
    with pytest.raises(ValueError, match="quotes need a normalised text, got synthetic, 500 characters, as it is"):
        Quotes(text, CORPUS.other(500), 1, (20,)).read()


@pytest.mark.parametrize("is_normalized", [True, False])
def test_without_files_texts_are_synthetic(is_normalized):
    """The name of the text says so, and the other text differs."""
    text = CORPUS.text(5_000, is_normalized=is_normalized)
    assert len(text.read()) == 5_000
    assert text.name.startswith("synthetic, 5,000 characters")
    assert (normalize(text.read()) == text.read().strip()) == is_normalized
    assert CORPUS.other(5_000).read() != CORPUS.text(5_000).read()


@pytest.fixture
def files(tmp_path):
    """Three files of a thousand characters each."""
    paths = []
    for seed, name in enumerate(["first", "second", "third"]):
        paths.append(tmp_path / f"{name}.txt")
        paths[-1].write_text(transcript("english", 1_000, seed), encoding="utf-8")
    return paths


def test_files_are_read_until_there_is_enough(files):
    """The name of a text lists its files."""
    corpus = Corpus(tuple(files[:2]), (files[2],))
    raw = [file.read_text(encoding="utf-8") for file in files]
    assert corpus.text(500).read() == normalize(raw[0])[:500]
    assert corpus.text(500).name == "first, 500 characters, normalised"
    assert corpus.text(1_200).read() == normalize("\n".join(raw[:2]))[:1_200]
    assert corpus.text(1_200, is_normalized=False).name == "first and second, 1,200 characters, as it is"
    assert corpus.other(900, is_normalized=False).read() == raw[2][:900]
