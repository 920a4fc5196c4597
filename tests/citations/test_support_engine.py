"""The engine counts what a passage has of a claim as the naive program does."""

import threading
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire._engine import Passages, WordList
from oracles.support import AgreementNaive, agreement_naive, content_words_naive

COMMON = ("with", "which", "should", "être")
COMMON_LIST = WordList(COMMON)

PIECES = (
    "alpha", "Alpha", "ALPHA", "alphabet", "alphabets", "beta", "gamma", "WHO", "EU", "at", "a", "should", "shoulder",
    "which", "With", "Être", "étranger", "ÉTRANGE", "1,000", "1000", "1,00", "3.5", "3.5mg", "2024", "12345678",
    "1234567890", "covid19", "don't", "snake_case", "end.Start", "東京", "東", "大阪市", "ไทย", "naïve", "cafe\u0301s",
    "Ünlü", "İstanbul", "\ud800", "ß", "Straße",
)  # fmt: skip
SEPARATORS = (" ", " ", " ", "  ", ". ", "! ", ", ", "\n", "-", "_", " “", "” ", " (", ".", ",", "")
TEXTS = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(SEPARATORS)), max_size=14).map(
    lambda pairs: "".join(piece + separator for piece, separator in pairs)
)
# Few different words, many of them: windows and stretches have much to choose from.
LONG = st.lists(
    st.sampled_from(("alpha", "beta", "gamma", "delta", "omega", "other", "words", "2024")), max_size=170
).map(" ".join)
CLAIMS = st.lists(st.sampled_from(("alpha", "beta", "gamma", "delta", "2024", "Omega")), max_size=7).map(" ".join)


def count(claim: str, passage: str) -> AgreementNaive:
    """What the engine counts, in the shape of the oracle."""
    return AgreementNaive(*Passages([passage], common=COMMON_LIST).support([claim])[0][0])


@given(claim=TEXTS, passage=TEXTS)
@example(claim="alpha beta", passage="alphabets: beta")
@example(claim="(Alpha. Beta", passage="alpha")
@example(claim="東京都", passage="東京")
@example(claim="costs 1,000,000", passage="1000000 or 1,000,00")
def test_words_are_those_of_the_oracle(claim, passage):
    """Letters, digits, marks, capitals and unspaced scripts are read alike, whatever stands between."""
    assert count(claim, passage) == agreement_naive(claim, passage, COMMON)


@settings(max_examples=examples(60))
@given(claim=CLAIMS, passage=LONG)
def test_windows_are_those_of_the_oracle(claim, passage):
    """Of a long passage the same window and the same stretch are chosen."""
    assert count(claim, passage) == agreement_naive(claim, passage, COMMON)


@given(claims=st.lists(TEXTS, max_size=4), passages=st.lists(TEXTS, max_size=4))
def test_many_at_once_is_one_after_the_other(claims, passages):
    """Neither other claims nor other passages change what is counted."""
    together = Passages(passages, common=COMMON_LIST).support(claims)
    assert together == [[tuple(count(claim, passage)) for passage in passages] for claim in claims]


@given(passage=TEXTS)
def test_a_passage_has_all_of_itself(passage):
    """Each word and each detail of a text is in it, and every stretch is within it."""
    found = count(passage, passage)
    assert (found.words, found.details) == (found.words_found, found.details_found)
    assert 0 <= found.start <= found.end <= len(passage)


@given(claim=CLAIMS, passage=LONG)
def test_a_stretch_begins_and_ends_with_words_of_the_claim(claim, passage):
    """What it cuts out of the passage is no longer than it has to be."""
    found = count(claim, passage)
    asked = {word.key for word in content_words_naive(claim, COMMON)}
    stretch = content_words_naive(passage[found.start : found.end], COMMON)
    assert {word.key for word in stretch[:1] + stretch[-1:]} <= asked
    assert (found.start == found.end) == (found.words_found == 0)


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        pytest.param("", "alpha", (0, 0), id="empty claim"),
        pytest.param("alpha", "", (1, 0), id="empty passage"),
        pytest.param("alpha beta", "Beta, ALPHA", (2, 2), id="case and order"),
        pytest.param("vaccinated", "vaccines", (1, 1), id="six letters are enough"),
        pytest.param("shoulder", "should", (1, 0), id="a common word is no content"),
        pytest.param("20 million", "200 million", (2, 1), id="numbers as a whole"),
        pytest.param("WHO", "who", (1, 0), id="an abbreviation has capitals"),
        pytest.param("机器学习", "机器翻译", (3, 1), id="pairs of Han"),
    ],
)
def test_words_found(claim, passage, expected):
    """How many words of content the claim has, and how many of them the passage has."""
    assert count(claim, passage)[:2] == expected


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param("alpha " * 1_700_000, id="one word repeated"),
        pytest.param("." * 10_000_000, id="no word"),
        pytest.param("a" * 10_000_000, id="one word"),
        pytest.param("1" * 5_000_000, id="one number"),
        pytest.param("1,111" * 2_000_000, id="commas in numbers"),
        pytest.param("“(" * 4_000_000 + "Alpha", id="opening marks"),
        pytest.param("Alpha (" * 1_400_000, id="names behind opening marks"),
        pytest.param("東" * 5_000_000, id="Han"),
        pytest.param("\ud800" * 5_000_000, id="lone surrogates"),
    ],
)
def test_ten_megabytes_are_read_once(hostile):
    """Neither as a claim nor as a passage, nor as both, does such a text take more than its length."""
    passages = Passages([hostile, "alpha beta"], common=COMMON_LIST)
    counts = passages.support([hostile, "alpha beta"])
    assert [len(agreements) for agreements in counts] == [2, 2]


def test_different_words_without_end():
    """A text of a million different words is compared with itself."""
    text = " ".join(f"x{number}" for number in range(1_000_000))
    counted = AgreementNaive(*Passages([text], common=COMMON_LIST).support([text])[0][0])
    assert (counted.words, counted.words_found) == (1_000_000, 120)


def test_errors_name_the_argument_and_never_the_text():
    """A wrong type is told by its place."""
    with pytest.raises(TypeError, match=r"texts\[1\] must be a str, got int"):
        Passages(["secret", 1], common=COMMON_LIST)
    with pytest.raises(TypeError, match="claims must be a sequence of str, got str"):
        Passages(["secret"], common=COMMON_LIST).support("secret")
    with pytest.raises(TypeError):
        Passages(["secret"], common=["secret"])


def test_repr_shows_counts_only():
    """A repr has no text in it."""
    assert repr(Passages(["alpha beta"], common=COMMON_LIST)) == "Passages(count=1, words=2)"
    assert repr(COMMON_LIST) == f"WordList(count={len(COMMON)})"


def test_threads_share_passages():
    """One object serves several threads at once."""
    passages = Passages(["alpha beta gamma " * 500, "delta"], common=COMMON_LIST)
    claims = ["alpha gamma", "delta alpha"] * 200
    expected = passages.support(claims)
    results: list[object] = []
    threads = [threading.Thread(target=lambda: results.append(passages.support(claims))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


def test_claims_leave_nothing_behind():
    """Comparing again and again keeps no memory."""
    passages = Passages(["alpha beta " * 1000], common=COMMON_LIST)
    passages.support(["alpha"])
    tracemalloc.start()
    for _ in range(50):
        passages.support(["alpha beta gamma"] * 10)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 100_000
