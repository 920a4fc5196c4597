"""Source.find, find_all, ground and scores: matches with their positions and scores."""

import math
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from effort import examples
from groundwire import Source, normalize
from oracles.decorated import Decorated, decorated
from oracles.naive import fuzzy_find_naive, occurrences_naive
from oracles.texts import nasty_texts

BLANK = ["", " ", "\t\n\x1c", "<laughter>", "\u200b\ufeff", "\u3000", " <b> \u200d </b> "]


def place(match):
    """Return the start, end and score of a match."""
    return match and (match.start, match.end, match.score)


def normalized_text(alphabet: str, max_size: int) -> st.SearchStrategy[str]:
    """Texts that normalisation does not change, so that positions in both are equal."""
    return st.text(alphabet, max_size=max_size).filter(lambda text: normalize(text) == text)


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        pytest.param("I can\u2019t  sleep", ("I can\u2019t  sleep", 1.0, "exact"), id="to-the-letter"),
        pytest.param("I can't sleep", ("I can\u2019t  sleep", 1.0, "normalized"), id="curly-quote-and-two-spaces"),
        pytest.param("SLEEP", ("sleep", 1.0, "normalized"), id="case"),
        pytest.param(" sleep ", ("sleep", 1.0, "normalized"), id="spaces-around"),
        pytest.param("I cannot sleep", None, id="paraphrase-is-not-said"),
        pytest.param("leep", ("leep", 1.0, "exact"), id="part-of-a-word-A10"),
    ],
)
def test_find_cuts_the_original_text(quote, expected):
    """In substring mode, the match has the words of the original text."""
    match = Source("Well, I can\u2019t  sleep. I can't sleep!").find(quote)
    assert (match and (match.text, match.score, match.kind)) == expected


def test_find_takes_the_leftmost():
    """The first of several occurrences counts, even if a later one is identical to the quote."""
    match = Source("No. no. NO.").find("NO")
    assert (match.start, match.text, match.kind) == (0, "No", "normalized")


@pytest.mark.parametrize("quote", BLANK, ids=ascii)
@pytest.mark.parametrize("text", ["", " ", "some words"], ids=repr)
@pytest.mark.parametrize("options", [{}, {"mode": "fuzzy", "threshold": 0}], ids=["substring", "fuzzy"])
def test_a_blank_quote_is_nowhere(text, quote, options):
    """Ruling A6: it is not found in an empty text, nor at threshold 0."""
    source = Source(text)
    assert (source.find(quote, **options), source.find_all(quote)) == (None, [])
    assert source.ground([quote, quote], **options) == [None, None]


def test_an_empty_text_holds_nothing():
    """No quote is found in it."""
    source = Source("")
    assert (source.find("a"), source.find_all("a"), source.ground([])) == (None, [], [])
    assert source.find("a", mode="fuzzy") is None
    assert source.scores(["a", "", " "]).tolist() == [0.0, 100.0, 100.0]


def test_a_quote_longer_than_the_text_is_no_substring():
    """Substring mode searches for the whole quote."""
    assert Source("sleep").find("sleep well") is None


def test_fuzzy_mode_compares_a_longer_quote_the_other_way_round():
    """Ruling A8: the text is searched in the quote, and the match is the whole text."""
    match = Source(" Sleep  well ").find("please sleep well tonight", mode="fuzzy", threshold=1)
    assert (match.start, match.end, match.text, match.score, match.kind) == (1, 12, "Sleep  well", 1.0, "fuzzy")


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        pytest.param("i can't sleep", (6, 19, 1.0, "normalized"), id="occurrence-wins"),
        pytest.param("i can't sleep.", (6, 20, 1.0, "normalized"), id="with-punctuation"),
        pytest.param("i cannot sleep", (5, 19, 12 / 14, "fuzzy"), id="window-as-long-as-the-quote"),
        pytest.param("zzzz", None, id="nothing-alike"),
    ],
)
def test_fuzzy_mode_finds_the_best_window(quote, expected):
    """The score is partial_ratio / 100; an occurrence is found as in substring mode."""
    match = Source("Well, I can\u2019t sleep. Really.").find(quote, mode="fuzzy")
    assert (match and (match.start, match.end, match.score, match.kind)) == (
        expected and (*expected[:2], pytest.approx(expected[2], abs=1e-15), expected[3])
    )


@pytest.mark.parametrize(("quote", "text"), [("i cannot sleep", "well, i can't sleep"), ("abcdefg", "abxdefg")])
def test_the_threshold_is_met_by_an_equal_score(quote, text):
    """Ruling A11: the threshold is the lowest accepted score, to the last bit."""
    score = fuzz.partial_ratio(quote, text) / 100.0
    source = Source(text)
    assert source.find(quote, mode="fuzzy", threshold=score).score == score
    assert source.find(quote, mode="fuzzy", threshold=math.nextafter(score, 1)) is None
    assert source.ground([quote], mode="fuzzy", threshold=math.nextafter(score, 0))[0].score == score


def test_threshold_0_accepts_anything_but_a_blank_quote():
    """Ruling A11: the function accepts 0 to 1; at 0 a window without common characters matches."""
    assert place(Source("abc").find("zz", mode="fuzzy", threshold=0)) == (0, 2, 0.0)


def test_threshold_1_accepts_occurrences_only():
    """Ruling A11: at 1 no difference is allowed."""
    source = Source("abcd")
    assert place(source.find("bc", mode="fuzzy", threshold=1)) == (1, 3, 1.0)
    assert source.find("bx", mode="fuzzy", threshold=1) is None


@pytest.mark.parametrize("threshold", [0, 1, True, 0.5])
def test_a_threshold_is_any_number(threshold):
    """An int is accepted."""
    assert Source("abc").find("abc", mode="fuzzy", threshold=threshold).kind == "exact"


def test_substring_mode_ignores_the_threshold():
    """The threshold belongs to fuzzy mode."""
    assert Source("abc").find("abd", threshold=0) is None


@settings(max_examples=examples(300))
@given(normalized_text("ab c", 12), normalized_text("ab c", 40), st.sampled_from([0, 0.5, 0.6, 0.75, 0.85, 1]))
@example("aaa", "aba", 0)
def test_fuzzy_find_is_the_naive_best_window(quote, text, threshold):
    """
    Ruling A8: the best score wins, then the leftmost, then the longest window; the whole text if the quote is
    longer.
    """
    naive = fuzzy_find_naive(quote, text) if quote else (0, 0, -1.0)
    expected = naive if naive[2] >= threshold else None
    assert place(Source(text).find(quote, mode="fuzzy", threshold=threshold)) == expected


@settings(max_examples=examples(300))
@given(decorated, st.data())
def test_fuzzy_find_maps_the_window_back(text: Decorated, data):
    """Ruling A8: the window of the normalised text, as a span of the original."""
    start = data.draw(st.integers(0, len(text.normalized) - 1))
    drawn = text.normalized[start : data.draw(st.integers(start + 1, len(text.normalized)))]
    quote = data.draw(st.sampled_from([drawn[:-1] + "z", "z" + drawn, drawn.replace("a", "z"), drawn[::-1]]))
    needle = normalize(quote)
    if not needle:
        return
    start, end, score = fuzzy_find_naive(needle, text.normalized, LCSseq.similarity)
    expected = (*text.origin(start, end), score)
    assert place(Source(text.text).find(quote, mode="fuzzy", threshold=0)) == expected


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        pytest.param("a" * 5, "a" * 40, id="one-letter"),
        pytest.param("aba", "ab" * 20, id="period-2"),
        pytest.param("abaab", "abaab" * 10, id="period-5"),
        pytest.param("aab", "aaab" * 10, id="border"),
        pytest.param("ab" * 30, "ab" * 100, id="longer-than-a-word"),
        pytest.param("\u4e2d\u4e2d", "\u4e2d" * 10, id="han"),
        pytest.param("\U00010428" * 3, "\U00010428" * 10, id="astral"),
        pytest.param("\ud800\ud800", "\ud800" * 5, id="surrogates"),
        pytest.param("b", "a" * 40, id="absent"),
        pytest.param("a", "a", id="all"),
        pytest.param("\u4e4e", "".join(map(chr, range(0x4E00, 0x5000))), id="more-than-256-characters"),
        pytest.param("\u0131\u0131", "\u3131\u0131\u0131" * 3, id="one-byte-in-common"),
    ],
)
def test_find_all_is_the_naive_search(quote, text):
    """It finds every occurrence, left to right, including overlapping ones."""
    text = normalize(text)
    matches = Source(text).find_all(quote)
    assert [(match.start, match.end) for match in matches] == occurrences_naive(normalize(quote), text)
    assert all((match.text, match.score, match.kind) == (quote, 1.0, "exact") for match in matches)


@settings(max_examples=examples(300))
@given(normalized_text("ab\u0436\u4e2d\U00010428\ud800", 6), normalized_text("ab\u0436\u4e2d\U00010428\ud800", 60))
def test_find_all_of_any_text_is_the_naive_search(quote, text):
    """The same for texts of all widths."""
    assert [(match.start, match.end) for match in Source(text).find_all(quote)] == occurrences_naive(quote, text)


@given(nasty_texts, nasty_texts)
def test_find_is_the_first_of_find_all(quote, text):
    """This holds in either mode."""
    source = Source(text)
    first = next(iter(source.find_all(quote)), None)
    assert source.find(quote) == first
    if first:
        assert source.find(quote, mode="fuzzy", threshold=1) == first


def test_ground_answers_in_the_order_of_the_quotes():
    """Each quote has one result, including duplicates."""
    source = Source("one two three two")
    matches = source.ground(["three", "four", "two", "two", ""])
    assert [place(match) for match in matches] == [(8, 13, 1.0), None, (4, 7, 1.0), (4, 7, 1.0), None]


@pytest.mark.parametrize("kind", [list, tuple, iter, dict.fromkeys, lambda quotes: (quote for quote in quotes)])
def test_any_iterable_of_quotes_is_accepted(kind):
    """Lists, tuples, iterators, generators, the keys of a dict."""
    source = Source("one two")
    assert [match and match.start for match in source.ground(kind(["two", "none", "one"]))] == [4, None, 0]
    assert source.scores(kind(["two", "one"])).tolist() == [100.0, 100.0]


def test_an_exception_of_the_iterable_comes_through():
    """A generator that raises halfway is not taken for a short one."""

    def quotes():
        yield "one"
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        Source("one").ground(quotes())


@given(st.lists(nasty_texts, max_size=5), nasty_texts, st.sampled_from(["substring", "fuzzy"]))
def test_ground_is_find_for_each_quote(quotes, text, mode):
    """A batch has the results of single calls."""
    source = Source(text)
    options = {"mode": mode, "threshold": 0.5}
    assert source.ground(quotes, **options) == [source.find(quote, **options) for quote in quotes]


@given(st.lists(nasty_texts, max_size=4), nasty_texts, st.sampled_from([None, 0, 50, 75, 85, 100]))
def test_scores_are_partial_ratios_of_the_normalised_texts(quotes, text, cutoff):
    """RapidFuzz's score of quote and text, both normalised, to the last bit."""
    scores = Source(text).scores(quotes, score_cutoff=cutoff)
    assert (scores.dtype.name, scores.shape) == ("float64", (len(quotes),))
    assert scores.tolist() == [
        fuzz.partial_ratio(normalize(quote), normalize(text), score_cutoff=cutoff) for quote in quotes
    ]


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        pytest.param("no", "another no, nobody said no", [(8, 10), (24, 26)], id="whole-words"),
        pytest.param("I can", "I can't. I can.", [(9, 14)], id="contraction"),
        pytest.param("I can", "I can’t. I can’", [(9, 14)], id="curly-contraction"),
        pytest.param("1", "15 1.5 1,000 0.1 1. 1", [(17, 18), (20, 21)], id="numbers"),
        pytest.param(
            "5", ".5 -5 −5 (.5) 10:05 10-5 --5 ...5 - 5", [(23, 24), (27, 28), (32, 33), (36, 37)], id="leads"
        ),
        pytest.param("05", "10:05 at: 05 a:05", [(10, 12), (15, 17)], id="times"),
        pytest.param("said", "'said', he (said): \"said\" _said", [(1, 5), (12, 16), (20, 24)], id="signs-end-words"),
        pytest.param("he'll", "he'll she'll", [(0, 5)], id="a-quote-with-an-apostrophe"),
        pytest.param("caf", "cafe\u0301 café caf", [(11, 14)], id="accents-are-part-of-words"),
        pytest.param("天気", "今日天気予報。天気", [(2, 4), (7, 9)], id="han"),
        pytest.param("メラ", "カメラマン", [(1, 3)], id="kana"),
        pytest.param("ชอบ", "ฉันชอบกิน", [(3, 6)], id="thai"),
        pytest.param("사람", "사람들 사람", [(4, 6)], id="hangul-has-spaces"),
        pytest.param(" \n", "a b", [], id="blank"),
        pytest.param("aa", "aaa aa aa", [(4, 6), (7, 9)], id="overlapping-ones-are-inside"),
    ],
)
def test_word_boundaries_keep_whole_words(quote, text, expected):
    """Ruling A10: an occurrence starts and ends between words; anywhere in Han, Kana and Thai."""
    source = Source(text, profile="typographic")
    assert [(match.start, match.end) for match in source.find_all(quote, word_boundaries=True)] == expected
    first = source.find(quote, word_boundaries=True)
    assert ([(first.start, first.end)] if first else []) == expected[:1]
    assert source.find_all(quote, word_boundaries=False) == source.find_all(quote)


def test_word_boundaries_cannot_be_combined_with_fuzzy():
    """A near window does not end at its own words; align_quotes rounds to words."""
    with pytest.raises(ValueError, match=r"^word_boundaries must be False in mode 'fuzzy'$"):
        Source("text").find("text", mode="fuzzy", word_boundaries=True)
    with pytest.raises(TypeError, match=r"^word_boundaries must be a bool, got int$"):
        Source("text").find_all("text", word_boundaries=1)


# A word with the characters that join letters or digits, or lead a number; or another character alone.
LEAD = r"(?<![ab1天])(?:(?<!\.)\.|(?<!-)-)(?=1)"
TOKEN = re.compile(rf"(?:{LEAD})?(?:[ab1](?:(?<=1)['.,:](?=1)|(?<=[ab])['.](?=[ab]))?)+|.")


@given(normalized_text("ab '.1,:-天", 30), normalized_text("ab '.1,:-天", 4))
def test_whole_words_are_the_occurrences_between_words(text, quote):
    """find_all with word_boundaries is a filter by the boundaries of words, and find is its first."""
    source = Source(text)
    between = {place for token in TOKEN.finditer(text) for place in token.span()}
    expected = [place for place in occurrences_naive(quote, text) if between.issuperset(place)]
    whole = source.find_all(quote, word_boundaries=True)
    assert [(match.start, match.end) for match in whole] == expected
    assert source.find(quote, word_boundaries=True) == (whole[0] if whole else None)
