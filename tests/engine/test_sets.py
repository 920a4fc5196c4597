"""JaccardIndex: a search returns the results of a comparison with every text."""

import json
import re
import sys
import threading
import unicodedata
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire._engine import JaccardIndex

ALPHABET = "ab\xe9\u0436\u4e2d\u6587\U0001f600\ud800 \n.,-'1"
texts = st.text(ALPHABET, max_size=24)
small_texts = st.lists(st.sampled_from("abcdefgh"), max_size=7).map(" ".join)
thresholds = st.sampled_from([0.1, 0.3, 0.5, 2 / 3, 0.75, 0.92, 1.0])


def spec_tokens(text: str) -> set[str]:
    """Return the specification's tokens."""
    return set(text.lower().split())


def similarity(a: set[str], b: set[str]) -> Fraction:
    """Return the exact similarity of two sets."""
    return Fraction(len(a & b), len(a | b)) if a | b else Fraction(0)


def found_naive(texts_by_number: dict[int, str], text: str, threshold: float) -> list[tuple[int, float]]:
    """Return the results of a comparison with every text, in order."""
    least = Fraction(str(threshold))
    wanted = spec_tokens(text)
    pairs = [(number, similarity(wanted, spec_tokens(other))) for number, other in texts_by_number.items()]
    found = sorted((pair for pair in pairs if pair[1] >= least), key=lambda pair: (-pair[1], pair[0]))
    return [(number, float(value)) for number, value in found]


@settings(max_examples=examples(300))
@given(st.lists(texts, max_size=12), texts, thresholds)
@example(["\x1ca\x85b\u3000c"], "a b c", 1.0)
@example(["\u0391\u03a3 \u0130"], "\u03b1\u03c2 i\u0307", 1.0)
@example(["\ud800"], "\ud800", 1.0)
@example(["", " "], "", 0.1)
def test_literal_tokens_are_pythons(stored, text, threshold):
    """The similarity is that of `set(text.lower().split())`, to the last bit, in all scripts."""
    index = JaccardIndex(floor=0.1, tokens="spec")
    numbers = {index.insert(other): other for other in stored}
    assert found_naive(numbers, text, threshold) == index.query(text, threshold)


@settings(max_examples=examples(200))
@given(st.lists(st.tuples(st.booleans(), small_texts, st.integers(0, 20)), max_size=60), small_texts, thresholds)
def test_texts_can_be_inserted_and_removed(steps, text, threshold):
    """After any insertions and removals, the results are those for the remaining texts."""
    index = JaccardIndex(floor=0.1, tokens="spec")
    left: dict[int, str] = {}
    for is_removal, other, place in steps:
        if is_removal and left:
            number = sorted(left)[place % len(left)]
            index.remove(number)
            del left[number]
        else:
            number = index.insert(other)
            assert number not in left
            left[number] = other
    assert len(index) == len(left)
    assert found_naive(left, text, threshold) == index.query(text, threshold)


@pytest.mark.parametrize("floor", [0.3, 0.92])
def test_ranking_tokens_changes_no_result(floor):
    """At some sizes the index re-ranks its tokens and drops removed texts; results stay the same."""
    index, left = JaccardIndex(floor=floor, tokens="spec"), {}
    words = [f"w{number * number % 61}" for number in range(4000)]
    for place in range(1500):
        text = " ".join(words[place : place + 3 + place % 9])
        left[index.insert(text)] = text
    for number in list(left)[: len(left) * 4 // 5]:
        index.remove(number)
        del left[number]
    for place in range(0, 1500, 50):
        text = " ".join(words[place : place + 4 + place % 7])
        assert found_naive(left, text, floor) == index.query(text, floor)


def test_near_duplicates_of_real_texts(shared_data):
    """Every pair of the labelled file has the recorded similarity, and is a duplicate if the label says so."""
    rows = [json.loads(line) for line in (shared_data / "sets" / "dedup_neardup.jsonl").read_text("utf-8").splitlines()]
    index = JaccardIndex(floor=0.5, tokens="spec")
    numbers = {index.insert(row["a"]): row["a"] for row in rows}
    for row, number in zip(rows, numbers, strict=True):
        found = dict(index.query(row["b"], 0.5))
        assert row["jaccard"] == pytest.approx(found.get(number, 0.0), abs=1e-6) or row["jaccard"] < 0.5
        assert row["duplicate_092"] is (number in dict(index.query(row["b"], 0.92)))
    for row in rows[::20]:
        assert found_naive(numbers, row["b"], 0.5) == index.query(row["b"], 0.5)


def unicode_tokens(text: str) -> set[str]:
    """Return the words of Latin, Greek and Cyrillic texts without lone surrogates, by a plain version of the rule."""
    pieces = [unicodedata.normalize("NFKC", piece).replace("\u2019", "'") for piece in text.split()]
    words = {re.sub(r"^[^\w<>=+%#$]+|[^\w<>=+%#$]+$", "", piece).lower() for piece in pieces}
    return {word for word in words if re.search(r"[^\W]|[<>=]", word)}


@given(st.lists(st.text("aB\xe9\u0416\ufb01 .,;!?()'\u2019\"", max_size=20), min_size=1, max_size=5), st.data())
def test_words_have_no_punctuation_at_their_edges(stored, data):
    """Ruling C3, against a plain version of the rule; texts without words are compared exactly."""
    text = data.draw(st.sampled_from(stored)).swapcase() + " b!"
    index = JaccardIndex(floor=0.1)
    with_words = {index.insert(other): other for other in stored if unicode_tokens(other)}
    wanted = unicode_tokens(text)
    expected = {number: float(similarity(wanted, unicode_tokens(other))) for number, other in with_words.items()}
    assert {number: value for number, value in expected.items() if value >= 0.1} == dict(index.query(text, 0.1))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("We use it, always.", "we use it always", 1.0, id="edges"),
        pytest.param('He said "don\u2019t".', "he said don't", 1.0, id="apostrophes"),
        pytest.param("at 5%", "at 5", 1 / 3, id="a-sign-of-a-number"),
        pytest.param("-5 degrees", "5 degrees", 1 / 3, id="below-zero"),
        pytest.param("x < y", "x > y", 0.5, id="bounds"),
        pytest.param("in C++", "in C", 1 / 3, id="names-with-symbols"),
        pytest.param(
            "\u6211\u4eec\u4f7f\u7528\u6570\u636e\u5e93",
            "\u6211\u4eec\u4f7f\u7528\u6570\u636e",
            5 / 6,
            id="han-bigrams",
        ),
        pytest.param(
            "\u4f7f\u7528PostgreSQL\u6570\u636e\u5e93\u3002",
            "\u4f7f\u7528 postgresql \u6570\u636e\u5e93",
            1.0,
            id="mixed-scripts",
        ),
        pytest.param("\uff76\uff85", "\u30ab\u30ca", 1.0, id="half-width-kana"),
        pytest.param("!!!", "!!!", 1.0, id="no-word-at-all"),
        pytest.param("", "", None, id="nothing"),
    ],
)
def test_unicode_words(one, other, expected):
    """Ruling C3: Unicode words, and pairs of neighbouring characters in scripts without spaces."""
    index = JaccardIndex(floor=0.01)
    index.insert(one)
    assert index.query(other, 0.01) == ([] if expected is None else [(0, expected)])


def test_the_core_leaves_stop_tokens_out():
    """Numbers, names inside a sentence and the given words are left out of both; the order is that of all tokens."""
    index = JaccardIndex(floor=0.92, stop_free_threshold=0.5, stop_tokens=["not"])
    for text in ("The service of Alice listens on port 8080", "the service of Bob does not listen on port 9", "a b"):
        index.insert(text)
    assert [number for number, _ in index.query_without_stop_tokens("the service of Carol listens on port 1")] == [0, 1]
    assert index.query("the service of Carol listens on port 1", 0.92) == []
    assert JaccardIndex(floor=0.92).query_without_stop_tokens("the service") == []


@given(st.lists(small_texts, max_size=10), small_texts, st.sets(st.sampled_from("abcdefgh")))
def test_core_search_ignores_stop_tokens(stored, text, aside):
    """The candidates are those of a comparison of the remaining tokens."""
    index = JaccardIndex(floor=1.0, stop_free_threshold=0.5, stop_tokens=sorted(aside))
    for other in stored:
        index.insert(other)
    core = spec_tokens(text) - aside
    expected = {n for n, other in enumerate(stored) if similarity(core, spec_tokens(other) - aside) >= Fraction(1, 2)}
    assert expected == {number for number, _ in index.query_without_stop_tokens(text)}


def test_the_threshold_is_a_decimal_number():
    """Ruling C1: 23 of 25 words are a duplicate at 0.92, compared in integers."""
    words = [f"w{number}" for number in range(25)]
    index = JaccardIndex(floor=0.92, tokens="spec")
    index.insert(" ".join(words))
    assert index.query(" ".join(words[:23]), 0.92) == [(0, 0.92)]
    assert index.query(" ".join(words[:22]), 0.92) == []


def test_an_index_takes_at_most_two_hundred_bytes_a_memory():
    """`sys.getsizeof` for claims of fourteen words, of which every fourth is new."""
    index = JaccardIndex(floor=0.92, stop_free_threshold=0.5)
    count = 20_000
    for number in range(count):
        words = [f"word{number * step % 4001}" for step in range(1, 14)]
        index.insert(" ".join(words) + f" new{number // 4}")
    assert 100 < sys.getsizeof(index) / count <= 200


def test_limits_and_equals():
    """The most similar come first, of equal ones the lowest number, up to the limit."""
    index = JaccardIndex(floor=0.1)
    for text in ("a b c d", "a b", "a b", "a b c"):
        index.insert(text)
    assert [number for number, _ in index.query("a b", 0.1)] == [1, 2, 3, 0]
    assert [number for number, _ in index.query("a b", 0.1, limit=2)] == [1, 2]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        pytest.param(
            lambda: JaccardIndex(floor=0), ValueError, "floor must be above 0 and at most 1, got 0", id="floor"
        ),
        pytest.param(lambda: JaccardIndex(floor="1"), TypeError, "floor must be a number, got str", id="floor-type"),
        pytest.param(lambda: JaccardIndex(floor=1, tokens="x"), ValueError, "'unicode' or 'spec'", id="tokens"),
        pytest.param(
            lambda: JaccardIndex(floor=1, stop_tokens=[1]),
            TypeError,
            r"stop_tokens\[0\] must be a str",
            id="stop-tokens",
        ),
        pytest.param(
            lambda: JaccardIndex(floor=0.9).query("a", 0.5), ValueError, "below the index's floor", id="below"
        ),
        pytest.param(lambda: JaccardIndex(floor=0.9).query("a", float("nan")), ValueError, "above 0", id="nan"),
        pytest.param(lambda: JaccardIndex(floor=0.9).query("a", 1, limit=0), ValueError, "limit must be", id="limit"),
        pytest.param(lambda: JaccardIndex(floor=0.9).insert(None), TypeError, "text must be a str", id="text"),
        pytest.param(lambda: JaccardIndex(floor=0.9).remove(0), KeyError, "no entry has this number", id="removed"),
        pytest.param(lambda: JaccardIndex(floor=0.9).remove(-1), KeyError, "no entry has this number", id="negative"),
        pytest.param(lambda: JaccardIndex(floor=0.9).remove(1 << 70), KeyError, "no entry has this", id="huge"),
        pytest.param(lambda: JaccardIndex(floor=0.9).remove(True), KeyError, "no entry has this number", id="bool"),
    ],
)
def test_wrong_arguments(call, error, message):
    """Each is named, and no text is shown."""
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("text", ["a " * 500_000, "\u4e2d" * 300_000, "\u202e\0\x07 \ufdfa" * 9999, "x" * 1_000_000])
def test_a_megabyte_of_text_is_accepted(text):
    """This holds for long texts, control and bidirectional characters, and characters that NFKC expands."""
    index = JaccardIndex(floor=0.92, stop_free_threshold=0.5)
    index.insert(text)
    assert index.query(text, 0.92) == [(0, 1.0)]


def test_threads_share_an_index():
    """With concurrent insertions and searches nothing is lost or found twice."""
    index, faults = JaccardIndex(floor=0.5, stop_free_threshold=0.5), []

    def work(thread: int) -> None:
        for place in range(200):
            text = f"thread{thread} place{place} common words"
            number = index.insert(text)
            if index.query(text, 1.0) != [(number, 1.0)]:
                faults.append(number)
            if place % 2:
                index.remove(number)

    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (faults, len(index)) == ([], 400)
