"""Words by their stems, and sentences filed under them: the engine against plain programs."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire._engine import StemIndex, WordReader
from groundwire.faithfulness.support.words import Word, described, read_words
from oracles.stems import PostingsNaive, like_naive, read_words_naive, restating_naive, shared_naive

_WRITTEN = """
email e-mail Emails emails2 female e-mailing email's don't I’m IT US it's O'Neil rock'n'roll x'² 1st _a_b a_email
not never only think sure but because so she's won't 日本語 カタカナ・テスト 한국abc 豈a Überraschung naïve ΑΣ İstanbul
½ ² ① Ⓐ 𝟙 👍 हिन्दी ไทย 3,000 U.S.
"""
_PIECES = [*_WRITTEN.split(), "e\u0301te", "\ud800"]
_BETWEEN = [" ", ", ", ". ", "; ", " — ", "(", ")", "\n", "'", "’", "-", "_", "", "！", "  "]
TEXTS = st.lists(st.sampled_from([*_PIECES, *_BETWEEN, "alpha", "beta", "not"]), max_size=30).map("".join)
STEMS = ["alpha", "beta", "gamma", "delta", "kappa", "omega"]
ROWS = st.lists(st.lists(st.sampled_from(STEMS), max_size=5), max_size=40)


def _described_as_is(written: str, is_pair: bool) -> tuple[str, str, int]:
    """Each word is its own stem, and filed."""
    return written, written, WordReader.IS_FILED * (not is_pair)


def _filed(written: str, is_pair: bool) -> tuple[str, str, int]:
    """As the package has it, and all filed."""
    lower, stem, roles = described(written, is_pair)
    return lower, stem, roles | WordReader.IS_FILED


FILED_ROLE = WordReader.IS_FILED
PLAIN = WordReader(Word, _described_as_is)
FILED = WordReader(Word, _filed)


@given(st.one_of(TEXTS, st.text(st.characters(max_codepoint=0x30FF, exclude_categories=["Cn"]), max_size=60)))
def test_words_are_those_of_the_plain_program(text):
    """Text, stem, span and clause of each."""
    assert read_words(text) == read_words_naive(text)


def test_every_character_is_in_a_word_or_in_none():
    """Between two letters, and behind an apostrophe: each character that this interpreter's Unicode has."""
    import unicodedata

    signs = [chr(code) for code in range(sys.maxunicode + 1)]
    known = [sign for sign in signs if unicodedata.category(sign) not in ("Cn", "Co")]
    text = " ".join(f"x{sign}y x'{sign}" for sign in known)
    assert [word[2:] for word in read_words(text)] == [word[2:] for word in read_words_naive(text)]


@given(TEXTS, st.frozensets(st.sampled_from(["alpha", "beta", "email", "think", "femal"])))
def test_what_a_sentence_shares_is_what_the_plain_program_finds(text, stems):
    """Its span, whether a denial stands in its clause, and whether it is denied."""
    index = StemIndex(FILED, [text], [" ".join(sorted(stems))])
    weighted = [(stem, 1.0) for stem in sorted(stems)]
    words = read_words_naive(text)
    roles = 0
    for word in words:
        roles |= _filed(text[word.start : word.end], False)[2]
    wanted = [(0, 1.0, shared_naive(words, stems), len(stems), roles)] if stems else []
    assert index.nearest(weighted, 0.0, 1) == wanted


@given(
    ROWS,
    st.dictionaries(st.sampled_from([*STEMS, "nowhere"]), st.floats(0.01, 9.0)),
    st.floats(0, 1),
    st.integers(0, 9),
)
def test_the_nearest_are_those_of_the_plain_program(rows, weights, least, limit):
    """Their order among equals and their shares to the last bit, too."""
    index = StemIndex(PLAIN, [" ".join(row) for row in rows], [""] * len(rows))
    ordered = sorted(weights.items(), key=lambda each: (-each[1], each[0]))
    wanted = PostingsNaive([set(row) for row in rows]).nearest(weights, least, limit)
    assert [each[:2] for each in index.nearest(ordered, least, limit)] == wanted


@given(ROWS, st.sets(st.sampled_from([*STEMS, "nowhere"])), st.sets(st.sampled_from(STEMS)))
def test_sentences_with_both_are_those_of_the_plain_program(rows, stems, others):
    """In order, each once."""
    index = StemIndex(PLAIN, [" ".join(row) for row in rows], [""] * len(rows))
    naive = PostingsNaive([set(row) for row in rows])
    assert index.with_both(sorted(stems), sorted(others)) == naive.with_both(stems, others)
    assert [index.count([stem]) for stem in STEMS] == [len(naive.places[stem]) for stem in STEMS]
    wanted = sorted({place for stem in stems for place in naive.places[stem]})
    assert (index.with_any(sorted(stems)), index.count(sorted(stems))) == (wanted, len(wanted))


@given(
    st.lists(st.lists(st.sampled_from([*STEMS, "because", ","]), max_size=6), max_size=20),
    st.sets(st.sampled_from([*STEMS, "nowhere"])),
    st.sets(st.sampled_from(STEMS)),
    st.integers(0, 9),
)
def test_sentences_with_one_behind_the_other_are_those_of_the_plain_program(rows, stems, others, limit):
    """In one clause; of the first ones that have both at all."""
    texts = [" ".join(row) for row in rows]
    index = StemIndex(FILED, texts, [""] * len(rows))
    wanted = []
    for number in index.with_both(sorted(stems), sorted(others))[:limit]:
        words = read_words_naive(texts[number])
        if any(
            first.stem in others and second.stem in stems and first.clause == second.clause
            for place, first in enumerate(words)
            for second in words[place + 1 :]
        ):
            wanted.append(number)
    assert index.with_behind(sorted(stems), sorted(others), limit) == wanted


@given(
    ROWS,
    st.lists(
        st.tuples(st.sets(st.sampled_from([*STEMS, "nowhere"])).map(sorted), st.floats(0.01, 9.0), st.booleans()),
        max_size=5,
    ),
    st.floats(0, 1),
    st.floats(0, 1),
    st.integers(0, 4),
    st.integers(0, 30),
    st.tuples(st.integers(0, 3), st.integers(0, 3)),
    st.integers(0, 9),
)
def test_sentences_that_may_restate_are_those_of_the_plain_program(
    rows, words, least, alone, seeds, most, around, limit
):
    """Shares to the last bit, too, and the order of equal weights."""
    index = StemIndex(PLAIN, [" ".join(row) for row in rows], [""] * len(rows))
    limits = {"least": least, "alone": alone, "seeds": seeds, "most": most, "around": around, "limit": limit}
    told = [(index.with_any(stems), weight, is_anywhere) for stems, weight, is_anywhere in words]
    assert index.restating(words, **limits) == restating_naive(told, **limits)


@given(st.lists(st.sampled_from(STEMS), max_size=4), st.lists(st.sampled_from(STEMS), max_size=4))
def test_stems_are_counted_once_beside_and_inside_filed_or_not(own, beside):
    """What a sentence has, whatever it is filed under."""

    def described_unfiled(written, _):
        return written, written, 0 if written > "d" else WordReader.IS_FILED

    index = StemIndex(WordReader(Word, described_unfiled), [" ".join(["alpha", *own])], [" ".join(beside)])
    ((_, _, _, had, _),) = index.nearest([(stem, 1.0) for stem in STEMS], 0.0, 1)
    assert had == len({"alpha", *own, *beside})


@given(
    st.lists(st.text("abßé", min_size=1, max_size=9), max_size=20),
    st.text("abßé", min_size=4, max_size=9),
    st.floats(0.1, 1),
    st.integers(0, 5),
)
def test_words_written_alike_are_those_of_the_plain_program(words, word, least, limit):
    """By their grams of three characters, an end before and one behind."""

    expected = like_naive(word, words, least, limit)
    assert StemIndex(PLAIN, [" ".join(words)], [""]).like(word, least, limit) == expected


def test_words_beside_a_sentence_count_as_its_own():
    """The name of who speaks."""
    index = StemIndex(PLAIN, ["alpha beta", "beta"], ["", "omega"])
    assert index.nearest([("omega", 2.0), ("beta", 1.0)], 0.5, 9) == [(1, 1.0, (0, 4, False, False), 2, FILED_ROLE)]


def test_a_million_equal_sentences():
    """The first of them, in order; and a sentence of one clause that is full of denials."""
    index = StemIndex(PLAIN, ["alpha beta"] * 1_000_000, [""] * 1_000_000)
    assert index.nearest([("alpha", 1.0), ("gamma", 1.0)], 0.4, 24) == [
        (number, 0.5, (0, 5, False, False), 1, FILED_ROLE) for number in range(24)
    ]
    assert len(index) == 1_000_000
    assert sys.getsizeof(index) < 60_000_000
    denials = "not never " * 200_000
    ((_, _, common, *_),) = StemIndex(FILED, [f"{denials}alpha"], [""]).nearest([("alpha", 1.0)], 0.0, 1)
    assert common == (len(denials), len(denials) + 5, True, True)


def test_many_different_words_are_read_anew():
    """More than are kept."""
    text = " ".join(f"w{number}" for number in range(150_000))
    assert [word.text for word in PLAIN.read(text)] == text.split(" ")


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        pytest.param(lambda: PLAIN.read(b"x"), TypeError, "text must be a str, got bytes", id="bytes"),
        pytest.param(lambda: StemIndex(PLAIN, ["a"], []), ValueError, "1 texts, and 0 beside them", id="lengths"),
        pytest.param(lambda: StemIndex(PLAIN, "a", [""]), TypeError, "texts must be a sequence of str", id="one-text"),
        pytest.param(
            lambda: StemIndex(PLAIN, ["a"], [""]).nearest([("a", 0.0)], 0.4, 1), ValueError, "above 0", id="weight"
        ),
        pytest.param(
            lambda: StemIndex(PLAIN, ["a"], [""]).nearest([("a", float("nan"))], 0.4, 1), ValueError, "NaN", id="nan"
        ),
    ],
)
def test_wrong_arguments_are_errors(make, error, message):
    """What was got and what was wanted."""
    with pytest.raises(error, match=message):
        make()


def test_what_describing_raises_is_raised():
    """And nothing is kept of it."""
    calls = []

    def describe(written, _):
        calls.append(written)
        raise KeyError("no")

    reader = WordReader(Word, describe)
    for _ in range(2):
        with pytest.raises(KeyError):
            reader.read("alpha")
    assert calls == ["alpha", "alpha"]
