"""partial_ratio and related functions against RapidFuzz, to the last bit (ruling A8)."""

import json
import math
import os
import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from effort import examples
from groundwire import Alignment, partial_ratio, partial_ratio_alignment, partial_ratio_many
from oracles.naive import alignment_naive

# For these, RapidFuzz's two versions agree also if the score equals the cutoff (PARTIAL_RATIO.md).
SAFE_CUTOFFS = [50, 60, 70, 75, 80, 85, 90, 95, 98, 99, 100]
WORD_BORDERS = [1, 2, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 320]

small_texts = st.text("ab\xe9\u0436\U0001f600\ud800", max_size=16)


class NAType:
    """Imitates pandas.NA."""


def parts(alignment):
    """Return an alignment as RapidFuzz unpacks one."""
    return alignment and (
        alignment.score,
        alignment.src_start,
        alignment.src_end,
        alignment.dest_start,
        alignment.dest_end,
    )


def related_pair(rng: random.Random, short: int, long: int, alphabet: str) -> tuple[str, str]:
    """Return two texts of these lengths; the long one contains the short one with some changes."""
    quote = "".join(rng.choices(alphabet, k=short))
    changed = "".join(rng.choice(alphabet) if rng.random() < 0.15 else letter for letter in quote)
    start = rng.randrange(max(1, long - short + 1))
    around = "".join(rng.choices(alphabet, k=long))
    return quote, (around[:start] + changed + around[start + short :])[:long]


@pytest.mark.parametrize(
    ("s1", "s2", "score"),
    [
        pytest.param("", "", 100.0, id="both-empty"),
        pytest.param("", "a", 0.0, id="first-empty"),
        pytest.param("a", "", 0.0, id="second-empty"),
        pytest.param("a", "xay", 100.0, id="one-character"),
        pytest.param("a", "xyz", 0.0, id="one-character-absent"),
        pytest.param("abc", "abcd", 100.0, id="one-longer"),
        pytest.param("abc", "xabd", (1.0 - 2 / 6) * 100.0, id="one-longer-and-different"),
        pytest.param("same", "same", 100.0, id="equal"),
        pytest.param("aba", "aab", 80.0, id="best-prefix"),
        pytest.param("aaa", "aba", 80.0, id="best-prefix-in-the-other-direction-only"),
        pytest.param("aba", "aaa", 80.0, id="the-other-way-round"),
        pytest.param("please sleep well", "sleep", 100.0, id="quote-longer-than-the-text"),
        pytest.param("abc", "xyzw", 0.0, id="nothing-in-common"),
        pytest.param("\U0001f600b", "a\U0001f600b", 100.0, id="above-the-basic-plane"),
        pytest.param("\ud800", "x\ud800y", 100.0, id="lone-surrogate"),
        pytest.param("\ud83d\ude00", "\U0001f600", 0.0, id="surrogates-are-no-astral-character"),
        pytest.param("\xe9", "\u0436\xe9", 100.0, id="one-byte-against-two"),
        pytest.param("\xe9", "\U0001f600\xe9", 100.0, id="one-byte-against-four"),
        pytest.param("\u0436", "\U0001f600\u0436", 100.0, id="two-bytes-against-four"),
        pytest.param("\u0436", "6", 0.0, id="low-byte-in-common"),
        pytest.param("ab", "xaybx", (1.0 - 2 / 4) * 100.0, id="insertion-in-the-middle"),
        pytest.param("abcd", "cdxx", (1.0 - 2 / 6) * 100.0, id="prefix-of-the-text"),
        pytest.param("abcd", "xxxxab", (1.0 - 2 / 6) * 100.0, id="suffix-of-the-text"),
    ],
)
def test_the_score_is_the_defined_one(s1, s2, score):
    """These are the corner cases of the definition; RapidFuzz agrees with each."""
    assert partial_ratio(s1, s2) == score == fuzz.partial_ratio(s1, s2)


@pytest.mark.parametrize("short", WORD_BORDERS)
@pytest.mark.parametrize(
    "alphabet",
    [
        pytest.param("ab", id="two-letters"),
        pytest.param("abcdefgh ", id="latin"),
        pytest.param("".join(map(chr, range(0x430, 0x450))), id="cyrillic"),
        pytest.param("".join(map(chr, range(0x4E00, 0x5100))), id="han"),
        pytest.param("ab\U0001f600\U0001f601\ud800", id="astral-and-surrogates"),
    ],
)
def test_scores_at_the_borders_of_words_are_rapidfuzzs(short, alphabet):
    """Short sides have lengths around multiples of 64, long sides are equal, one longer or much longer; both orders."""
    rng = random.Random(short)
    for long in (short, short, short + 1, short + 1, short + 63, 2 * short + 1, 5 * short + 40):
        s1, s2 = related_pair(rng, short, long, alphabet)
        assert partial_ratio(s1, s2) == fuzz.partial_ratio(s1, s2), (len(s1), len(s2))
        assert partial_ratio(s2, s1) == fuzz.partial_ratio(s2, s1), (len(s1), len(s2))


@settings(max_examples=examples(1000))
@given(small_texts, small_texts)
@example("\ud800a", "\U0001f600\ud800")
def test_any_score_is_rapidfuzzs(s1, s2):
    """A small alphabet makes ties, equal lengths and windows at the ends common; all widths occur."""
    assert partial_ratio(s1, s2) == fuzz.partial_ratio(s1, s2)


def soak_pair(rng: random.Random) -> tuple[str, str]:
    """Return sides of any length up to 320, often around a multiple of 64; from unrelated to one edit apart."""
    short = rng.choice([rng.randrange(1, 40), rng.choice(WORD_BORDERS) + rng.randrange(-2, 3)])
    short = min(max(short, 1), 320)
    long = max(1, short + rng.choice([0, 0, 0, 1, rng.randrange(-2, 70), rng.randrange(400)]))
    first = rng.choice([0x61, 0x61, 0x430, 0x4E00, 0xD7F0, 0x1F600])
    alphabet = "".join(map(chr, range(first, first + rng.randrange(1, 31))))
    s1, s2 = related_pair(rng, short, long, alphabet)
    if rng.random() < 0.3:
        turn = rng.randrange(len(s2))
        s2 = s2[turn:] + s2[:turn]
    return (s1, s2) if rng.random() < 0.5 else (s2, s1)


def test_random_pairs_have_rapidfuzzs_score_and_its_cutoffs():
    """This holds for any cutoff, and for those next to the score; `dev.py soak` tests many pairs."""
    rng = random.Random(os.environ.get("GROUNDWIRE_SOAK_SEED", "1"))
    for _ in range(int(os.environ.get("GROUNDWIRE_SOAK_PAIRS", "2000"))):
        s1, s2 = soak_pair(rng)
        score = fuzz.partial_ratio(s1, s2)
        assert partial_ratio(s1, s2) == score, (s1, s2)
        alignment = partial_ratio_alignment(s1, s2)
        src, dest = s1[alignment.src_start : alignment.src_end], s2[alignment.dest_start : alignment.dest_end]
        total, common = len(src) + len(dest), LCSseq.similarity(src, dest)
        assert alignment.score == score == (1.0 - (total - 2 * common) / total) * 100.0, (s1, s2)
        near = [math.nextafter(score, -1), score, math.nextafter(score, 101)]
        for cutoff in (*near, rng.uniform(0, 100), rng.choice(SAFE_CUTOFFS)):
            expected = score if score >= cutoff else 0.0
            assert partial_ratio(s1, s2, score_cutoff=cutoff) == expected, (s1, s2, cutoff)
            assert partial_ratio_many([s1], s2, score_cutoff=cutoff).tolist() == [expected], (s1, s2, cutoff)


@settings(max_examples=examples(500))
@given(st.text("abc", max_size=24), st.text("abc", max_size=24), st.sampled_from([None, 0, *SAFE_CUTOFFS]))
@example("ab", "axxx", 50)
@example("abcd", "abxdx", 75)
@example("aba", "aab", 80)
def test_a_score_below_the_cutoff_is_0_as_in_rapidfuzz(s1, s2, cutoff):
    """A score equal to the cutoff is returned."""
    expected = fuzz.partial_ratio(s1, s2, score_cutoff=cutoff)
    assert partial_ratio(s1, s2, score_cutoff=cutoff) == expected
    assert partial_ratio_many([s1], s2, score_cutoff=cutoff).tolist() == [expected]


@pytest.mark.parametrize("cutoff", SAFE_CUTOFFS)
@pytest.mark.parametrize("short", [20, 64, 100, 200, 300])
def test_the_cutoff_changes_no_score_that_reaches_it(short, cutoff):
    """These are long texts, where a cutoff lets the engine skip windows."""
    rng = random.Random(cutoff * short)
    for _ in range(5):
        s1, s2 = related_pair(rng, short, 2_000, "abcdefgh ")
        assert partial_ratio(s1, s2, score_cutoff=cutoff) == fuzz.partial_ratio(s1, s2, score_cutoff=cutoff)


@pytest.mark.parametrize(
    ("s1", "s2", "cutoff", "expected"),
    [
        pytest.param("abc", "abc", 100, 100.0, id="equal-to-the-score"),
        pytest.param("abc", "abc", 100.5, 0.0, id="out-of-reach"),
        pytest.param("", "", 101, 0.0, id="empty-and-out-of-reach"),
        pytest.param("", "", 100, 100.0, id="empty"),
        pytest.param("abc", "xyz", 0, 0.0, id="zero"),
        pytest.param("abc", "abd", -5, (1.0 - 1 / 5) * 100.0, id="negative"),
        pytest.param("abc", "abd", True, (1.0 - 1 / 5) * 100.0, id="bool"),
        pytest.param("abc", "abd", np.float64(50), (1.0 - 1 / 5) * 100.0, id="numpy"),
    ],
)
def test_a_cutoff_is_any_number(s1, s2, cutoff, expected):
    """A cutoff may be one that every score or no score reaches."""
    assert partial_ratio(s1, s2, score_cutoff=cutoff) == expected
    alignment = partial_ratio_alignment(s1, s2, score_cutoff=cutoff)
    assert (alignment is None) == (expected < cutoff)


@settings(max_examples=examples(500))
@given(small_texts, small_texts)
@example("aaa", "aba")
@example("aba", "aaa")
@example("ab", "abab")
def test_the_alignment_is_the_first_of_the_best(s1, s2):
    """Of equal scores the leftmost window wins, then the longest; of equal lengths the first direction."""
    assert parts(partial_ratio_alignment(s1, s2)) == alignment_naive(s1, s2)


@pytest.mark.parametrize("short", WORD_BORDERS)
@pytest.mark.parametrize("alphabet", ["ab", "abcdefgh ", "\u0436\u4e2d\U0001f600"], ids=ascii)
def test_alignments_at_the_borders_of_words_are_the_first_of_the_best(short, alphabet):
    """The same for sides of one word and more, in both orders."""
    rng = random.Random(short)
    for long in (short, short + 1, short + 70, 3 * short):
        s1, s2 = related_pair(rng, short, long, alphabet)
        assert parts(partial_ratio_alignment(s1, s2)) == alignment_naive(s1, s2, LCSseq.similarity)
        assert parts(partial_ratio_alignment(s2, s1)) == alignment_naive(s2, s1, LCSseq.similarity)


@given(small_texts, small_texts, st.sampled_from(SAFE_CUTOFFS))
def test_there_is_no_alignment_below_the_cutoff(s1, s2, cutoff):
    """It is None exactly if the score does not reach the cutoff, and otherwise the same window."""
    whole = partial_ratio_alignment(s1, s2)
    assert partial_ratio_alignment(s1, s2, score_cutoff=cutoff) == (whole if whole.score >= cutoff else None)


@pytest.mark.parametrize(
    "missing", [None, float("nan"), np.float64("nan"), NAType()], ids=["none", "nan", "numpy", "na"]
)
def test_a_missing_value_scores_zero(missing):
    """Missing values of a table are handled as in RapidFuzz, on either side."""
    assert (partial_ratio(missing, "a"), partial_ratio("a", missing), partial_ratio(missing, missing)) == (0, 0, 0)
    assert (partial_ratio_alignment(missing, "a"), partial_ratio_alignment("a", missing)) == (None, None)
    assert partial_ratio_many(["a", missing, "b"], "a").tolist() == [100.0, 0.0, 0.0]
    assert partial_ratio_many(["a", missing], missing).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("value", [1, 1.5, b"a", ["a"], object], ids=repr)
def test_any_other_type_is_refused(value):
    """The message names parameter and type."""
    name = type(value).__name__
    with pytest.raises(TypeError, match=f"s1 must be a str, got {name}"):
        partial_ratio(value, "a")
    with pytest.raises(TypeError, match=f"s2 must be a str, got {name}"):
        partial_ratio_alignment("a", value)
    with pytest.raises(TypeError, match=rf"quotes\[1\] must be a str, got {name}"):
        partial_ratio_many(["a", value], "a")
    with pytest.raises(TypeError, match=f"text must be a str, got {name}"):
        partial_ratio_many(["a"], value)


@pytest.mark.parametrize("quotes", ["abc", b"abc", 3, None], ids=repr)
def test_many_takes_a_sequence_of_quotes(quotes):
    """A bare str is no sequence of quotes."""
    with pytest.raises(TypeError, match=f"quotes must be a sequence of str, got {type(quotes).__name__}"):
        partial_ratio_many(quotes, "a")


@pytest.mark.parametrize(
    "function", [partial_ratio, partial_ratio_alignment, lambda a, b, **k: partial_ratio_many([a], b, **k)]
)
@pytest.mark.parametrize(
    ("cutoff", "error", "message"),
    [
        pytest.param(float("nan"), ValueError, "score_cutoff must be a number, got NaN", id="nan"),
        pytest.param("80", TypeError, "score_cutoff must be a number, got str", id="str"),
    ],
)
def test_a_cutoff_that_is_no_number_is_refused(function, cutoff, error, message):
    """The message names the parameter."""
    with pytest.raises(error, match=message):
        function("a", "b", score_cutoff=cutoff)


@given(st.lists(small_texts, max_size=6), small_texts)
def test_many_are_one_by_one(quotes, text):
    """The array has one float64 for each quote, in their order."""
    scores = partial_ratio_many(iter(quotes), text)
    assert (scores.dtype, scores.shape) == (np.dtype("float64"), (len(quotes),))
    assert scores.tolist() == [partial_ratio(quote, text) for quote in quotes]


@pytest.fixture(scope="module")
def golden(shared_data) -> list[dict]:
    """Return 1,506 pairs in 9 scripts with their score, rounded to 6 digits."""
    lines = (shared_data / "golden_partial_ratio.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) > 1_000
    return rows


def test_golden_pairs_have_their_recorded_score(golden):
    """Score, verdict at 0.85, and the same score under a cutoff that it reaches."""
    for row in golden:
        score = partial_ratio(row["a"], row["b"])
        assert (round(score, 6), score / 100.0 >= 0.85) == (row["score"], row["ge_085"])
        assert score == fuzz.partial_ratio(row["a"], row["b"])
        assert partial_ratio(row["a"], row["b"], score_cutoff=85) == (score if score >= 85 else 0.0)


def test_golden_windows_have_the_score_that_they_are_given(golden):
    """The score of the two slices that an alignment names equals its score."""
    for row in golden:
        alignment = partial_ratio_alignment(row["a"], row["b"])
        src, dest = (
            row["a"][alignment.src_start : alignment.src_end],
            row["b"][alignment.dest_start : alignment.dest_end],
        )
        if row["a"] and row["b"]:
            total = len(src) + len(dest)
            assert alignment.score == (1.0 - (total - 2 * LCSseq.similarity(src, dest)) / total) * 100.0


def test_two_long_texts_are_compared():
    """Two texts of 8,000 characters differ in one: all shorter windows score lower."""
    text = "".join(random.Random(1).choices("abcdefgh ", k=8_000))
    changed = text[:4_000] + "#" + text[4_001:]
    assert partial_ratio(text, changed) == (1.0 - 2 / 16_000) * 100.0
    assert parts(partial_ratio_alignment(text, changed))[1:] == (0, 8_000, 0, 8_000)


def test_two_long_unrelated_texts_are_compared():
    """Random texts of 8,000 characters score the same in both orders."""
    rng = random.Random(2)
    s1, s2 = ("".join(rng.choices("abcdefghijklmnop", k=8_000)) for _ in range(2))
    assert 0 < partial_ratio(s1, s2) == partial_ratio(s2, s1) < 100


def test_an_alignment_is_a_value():
    """Two are equal if all five values are equal; repr shows all of them."""
    alignment = partial_ratio_alignment("ab", "xabx")
    assert isinstance(alignment, Alignment)
    assert alignment == partial_ratio_alignment("ab", "yaby") != partial_ratio_alignment("ab", "ab")
    assert repr(alignment) == "Alignment(score=100.0, src_start=0, src_end=2, dest_start=1, dest_end=3)"
    with pytest.raises(AttributeError):
        alignment.score = 1
