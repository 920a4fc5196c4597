"""Patterns: many fixed strings, all occurrences, against a naive search and pyahocorasick."""

import copy
import pickle
import unicodedata
import weakref

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire import Patterns
from groundwire.reference import find_patterns
from oracles.naive import pattern_occurrences_naive, word_boundaries_naive

MARKER = "marker-of-the-secret-text"
ALPHABET = "ab\0\xe9\u0436\u4e2d\U0001f600\ud800\udc00"

patterns_of = st.lists(st.text(ALPHABET, min_size=1, max_size=3), max_size=6)
texts = st.text(ALPHABET, max_size=30)


@settings(max_examples=examples(500))
@given(patterns_of, texts)
@example(["a", "ab", "b", "aba", "a"], "ababab")
@example(["\ud800"], "\U00010000\ud800\udc00")
@example(["\udc00"], "\U00010000")
def test_find_all_is_the_naive_search(patterns, text):
    """Every occurrence of every pattern, overlapping ones included, by start and then by index."""
    assert Patterns(patterns).find_all(text) == pattern_occurrences_naive(patterns, text)


@given(st.lists(st.text("ab\u0436\U0001f600", min_size=1, max_size=3), max_size=6), st.text("ab\u0436\U0001f600"))
def test_find_all_is_the_references(patterns, text):
    """The same as pyahocorasick, through groundwire.reference."""
    assert Patterns(patterns).find_all(text) == find_patterns(patterns, text)


@pytest.mark.parametrize(
    ("patterns", "text", "found"),
    [
        pytest.param([], "text", [], id="no-patterns"),
        pytest.param(["a"], "", [], id="empty-text"),
        pytest.param(["aa"], "aaaa", [(0, 0, 2), (0, 1, 3), (0, 2, 4)], id="overlapping-itself"),
        pytest.param(["he", "she", "hers"], "ushers", [(1, 1, 4), (0, 2, 4), (2, 2, 6)], id="overlapping-others"),
        pytest.param(["b", "a", "b"], "ab", [(1, 0, 1), (0, 1, 2), (2, 1, 2)], id="duplicates-under-both-indexes"),
        pytest.param(["abc", "ab", "a"], "abc", [(0, 0, 3), (1, 0, 2), (2, 0, 1)], id="same-start-by-index"),
        pytest.param(["text"], "text", [(0, 0, 4)], id="the-whole-text"),
        pytest.param(["texts"], "text", [], id="longer-than-the-text"),
        pytest.param(["A"], "a", [], id="nothing-is-normalised"),
        pytest.param(["\u00e9"], "e\u0301", [], id="not-even-composed"),
        pytest.param(["x"], "\U0001f600\U0001f600x", [(0, 2, 3)], id="offsets-are-code-points"),
        pytest.param(["\U0001f600"], "a\u4e2d\U0001f600\U0001f600", [(0, 2, 3), (0, 3, 4)], id="astral"),
        pytest.param(["\xa9"], "\xe9\u0169\xa9", [(0, 2, 3)], id="part-of-an-encoding-is-no-match"),
        pytest.param(["\0"], "a\0b", [(0, 1, 2)], id="nul"),
    ],
)
def test_find_all(patterns, text, found):
    """The result has index, start and end of each occurrence."""
    assert Patterns(patterns).find_all(text) == found


@pytest.mark.parametrize(
    ("pattern", "text", "starts"),
    [
        pytest.param("cat", "cat", [0], id="the-whole-text"),
        pytest.param("cat", "a cat, concat cats cat", [2, 19], id="latin"),
        pytest.param("cat", "(cat) cat's -cat-", [1, 6, 13], id="punctuation"),
        pytest.param("no", "another no", [8], id="inside-a-word-A10"),
        pytest.param(
            "\u043d\u0435\u0442", "\u043d\u0435\u0442 \u043a\u0430\u0431\u0438\u043d\u0435\u0442", [0], id="cyrillic"
        ),
        pytest.param("\u7761", "\u6211\u7761\u4e0d\u7740", [1], id="han"),
        pytest.param("\u30d0\u30b9", "\u591c\u306f\u30d0\u30b9\u3067", [2], id="kana"),
        pytest.param("\u0e19\u0e2d\u0e19", "\u0e09\u0e31\u0e19\u0e19\u0e2d\u0e19", [3], id="thai"),
        pytest.param("gpt", "\u7528gpt\u5199", [1], id="latin-in-han"),
        pytest.param("\uc7a0", "\uc7a0\uc744 \uc7a0", [3], id="korean-has-spaces"),
        pytest.param("mg", "5mg 5 mg", [6], id="next-to-a-digit"),
        pytest.param("id", "user_id id", [8], id="next-to-an-underscore"),
        pytest.param("cafe", "cafe\u0301 cafe", [6], id="next-to-a-combining-mark"),
        pytest.param("e", "\u00e9 e\u0301 e", [5], id="letters-with-accents"),
        pytest.param("ab", "ab\u200dc ab", [5], id="next-to-a-joiner"),
        pytest.param("-", "a-b - c", [1, 4], id="punctuation-is-between-words"),
        pytest.param(" a", "b a", [1], id="a-space-first"),
        pytest.param("a", "\ud800a\udc00 \U0001f600a", [1, 5], id="next-to-what-is-no-letter"),
        pytest.param("b", "\U0001d400b b", [3], id="next-to-an-astral-letter"),
    ],
)
def test_with_word_boundaries_only_whole_words_count(pattern, text, starts):
    """Ruling A10: between words of Unicode; anywhere in scripts without spaces."""
    found = Patterns([pattern], word_boundaries=True).find_all(text)
    assert found == [(0, start, start + len(pattern)) for start in starts]


def is_word(character: str) -> bool:
    """Return whether the character is a letter, a mark, a digit or an underscore."""
    return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"


@settings(max_examples=examples(300))
@given(
    st.lists(st.text("ab1_\u0301\u0436\u4e2d\u0e01 ", min_size=1, max_size=3), max_size=4),
    st.text("ab1_\u0301\u0436\u4e2d\u0e01 -\ud800", max_size=20),
)
def test_word_boundaries_drop_what_the_naive_rule_drops(patterns, text):
    """Ruling A10: all occurrences whose two ends are boundaries, and no others."""
    boundaries = word_boundaries_naive(text, is_word, lambda character: character in "\u4e2d\u0e01")
    expected = [
        found
        for found in pattern_occurrences_naive(patterns, text)
        if found[1] in boundaries and found[2] in boundaries
    ]
    assert Patterns(patterns, word_boundaries=True).find_all(text) == expected


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        pytest.param(
            lambda: Patterns([MARKER, "", ""]),
            ValueError,
            "pattern 1 is empty; every pattern needs at least one character",
            id="empty",
        ),
        pytest.param(lambda: Patterns(MARKER), TypeError, "patterns must be a sequence of str, got str", id="bare-str"),
        pytest.param(lambda: Patterns(3), TypeError, "patterns must be a sequence of str, got int", id="no-sequence"),
        pytest.param(lambda: Patterns([MARKER, 3]), TypeError, "patterns[1] must be a str, got int", id="item"),
        pytest.param(lambda: Patterns(["a"]).find_all(b"a"), TypeError, "text must be a str, got bytes", id="text"),
        pytest.param(lambda: Patterns(["a"]).find_all(None), TypeError, "text must be a str, got NoneType", id="none"),
    ],
)
def test_an_error_names_what_is_wrong_and_no_text(make, error, message):
    """An empty pattern is named by its index, a wrong type by its name."""
    with pytest.raises(error) as raised:
        make()
    assert str(raised.value) == message


def test_word_boundaries_is_a_bool():
    """A truthy value of another type may be a mistake."""
    with pytest.raises(TypeError, match="word_boundaries must be a bool"):
        Patterns(["a"], word_boundaries="yes")


@pytest.mark.parametrize("kind", [list, tuple, iter, dict.fromkeys])
def test_any_iterable_of_patterns_is_accepted(kind):
    """The order of the iterable gives the indexes."""
    assert Patterns(kind(["b", "a"])).find_all("ab") == [(1, 0, 1), (0, 1, 2)]


def test_len_and_repr_show_the_count():
    """Ruling A15: logs never contain the patterns."""
    patterns = Patterns([MARKER, "b"], word_boundaries=True)
    assert (len(patterns), repr(patterns)) == (2, "Patterns(count=2, word_boundaries=True)")


@pytest.mark.parametrize("word_boundaries", [False, True])
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_patterns_pickle(protocol, word_boundaries):
    """Strings and option are kept; the search structure is built again."""
    patterns = Patterns(["a", "\ud800", "\U0001f600"], word_boundaries=word_boundaries)
    twin = pickle.loads(pickle.dumps(patterns, protocol))
    text = "ab a\ud800 \U0001f600"
    assert (repr(twin), twin.find_all(text)) == (repr(patterns), patterns.find_all(text))


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy])
def test_patterns_copy(make):
    """A copy has the same results."""
    assert make(Patterns(["a", "ab"])).find_all("ab") == [(0, 0, 1), (1, 0, 2)]


def test_patterns_can_be_referenced_weakly():
    """A cache may hold them without keeping them alive."""
    patterns = Patterns(["a"])
    assert weakref.ref(patterns)() is patterns


def test_many_patterns_are_found():
    """Ten thousand patterns are found in one text, each at its position."""
    patterns = [f"word{number:05}" for number in range(10_000)]
    text = " ".join(patterns)
    assert Patterns(patterns).find_all(text) == [(index, index * 10, index * 10 + 9) for index in range(10_000)]


@settings(max_examples=examples(200))
@given(st.data())
def test_later_texts_are_searched_like_the_first(data):
    """Prepared structures serve later texts of any character width."""
    patterns = data.draw(st.lists(st.text(ALPHABET, min_size=1, max_size=20), max_size=6))
    searched = Patterns(patterns)
    for text in data.draw(st.lists(texts, max_size=5)):
        whole = text.join(patterns)
        assert searched.find_all(whole) == pattern_occurrences_naive(patterns, whole)


@pytest.mark.parametrize("unit", ["a", "ab", "\u0436", "ab\u4e2d", "\U0001f600"])
def test_near_occurrences_everywhere_are_searched_in_time(unit):
    """The patterns match everywhere except for their last character."""
    patterns = [unit * length + "!" for length in range(200, 300)]
    text = unit * 20_000
    searched = Patterns(patterns)
    assert searched.find_all(text) == []
    assert [index for index, _, _ in searched.find_all(text + "!")] == list(range(99, -1, -1))


def test_one_pattern_many_times():
    """Each position of the list counts as its own pattern."""
    patterns = ["the same pattern"] * 10_000
    assert Patterns(patterns).find_all("here is the same pattern") == [(index, 8, 24) for index in range(10_000)]
    assert Patterns(patterns).find_all("here is the same patient " * 400) == []
