"""DedupChecker: copies, and checks that fail."""

# ruff: noqa: ARG002 (providers and embedders take what the protocols give them)

import asyncio
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion import (
    DedupChecker,
    DedupCheckError,
    DuplicateResult,
    jaccard_similarity,
)
from groundwire.memory import MemoryStatus, MemoryStore
from ingestion.fakes import Memories, check, record, validate, validator_of
from memory.claims import NOON, claim

MARKER = "marker-of-the-secret-text"


METHODS = ("jaccard", "minhash", "vector")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("a b c", "A B C", 1.0, id="small-letters"),
        pytest.param("a b", "b c", 1 / 3, id="one-of-three"),
        pytest.param("redis.", "redis", 0.0, id="punctuation-is-part-of-a-word"),
        pytest.param("", "", 0.0, id="nothing-is-like-nothing"),
    ],
)
def test_the_printed_similarity(one, other, expected):
    """The printed function, to the letter."""
    assert jaccard_similarity(one, other) == expected


@given(st.lists(st.text("abcAB .", max_size=12), max_size=8), st.text("abcAB .", max_size=12))
def test_literal_tokens_find_what_the_printed_function_finds(stored, content):
    """With `tokens="spec"` the similarity is that of the specified function, and the most similar memory is named."""
    best = max((jaccard_similarity(content, text) for text in stored), default=0.0)
    result = check(Memories(*stored), content, tokens="spec", threshold=0.5)
    if best >= 0.5:
        assert result.is_duplicate
    if not result.conflict:
        assert result.is_duplicate is (best >= 0.5)
        assert result.similarity == (best if best >= 0.5 else 0.0)


@pytest.mark.parametrize("method", METHODS)
def test_a_copy_is_a_duplicate(method):
    """Each method finds it and names the memory."""
    provider = Memories("The deployment runs every night", "Per ADR-003, we use Pixeltable for storage")
    result = check(provider, "per ADR-003 we use Pixeltable for storage.", method=method)
    assert (result.is_duplicate, result.existing_memory_id, result.conflict) == (True, "mem-1", False)
    assert result.similarity == pytest.approx(1.0)


@pytest.mark.parametrize("method", METHODS)
def test_something_else_is_no_duplicate(method):
    """The result names no memory."""
    assert DuplicateResult(False, 0.0, None, False) == check(
        Memories("The cat sat"), "We ship on Tuesday", method=method
    )


def test_the_threshold_itself_is_a_duplicate():
    """Ruling C1: 23 of 25 words, compared in integers."""
    words = [f"word{chr(97 + place)}" for place in range(25)]
    provider = Memories(" ".join(words))
    assert check(provider, " ".join(words[:23])).similarity == 0.92
    assert check(provider, " ".join(words[:23])).is_duplicate
    assert not check(provider, " ".join(words[:22])).is_duplicate


def test_memories_of_other_users_do_not_count():
    """Ruling C16: only memories of the same user count."""
    provider = Memories("We use Redis", user_id="user-2")
    assert not check(provider, "We use Redis").is_duplicate
    assert check(provider, "We use Redis", user_id="user-2").is_duplicate


def test_all_types_count_unless_narrowed():
    """Ruling C16: all memory types count, or only the claim's; the checker filters for providers that do not."""
    provider = Memories("We use Redis", memory_type="decision")
    assert check(provider, "We use Redis", memory_type="fact").is_duplicate
    assert not check(provider, "We use Redis", memory_type="fact", same_type_only=True).is_duplicate
    assert check(provider, "We use Redis", memory_type="decision", same_type_only=True).is_duplicate
    assert [asked[2] for asked in provider.asked] == [None, "fact", "decision"]


def test_the_pending_queue_counts_too():
    """Ruling C16: the store and the items in review count."""
    pending = Memories("We use Redis")
    assert check(Memories("The cat sat"), "We use Redis", pending=pending).is_duplicate


class Broken:
    """A provider whose error contains the claim."""

    async def candidates(self, content, user_id, memory_type=None):
        """Raise."""
        raise RuntimeError(MARKER)


class Odd(Memories):
    """A provider that returns another type."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    async def candidates(self, content, user_id, memory_type=None):
        """Return the given value."""
        return self.answer


@pytest.mark.parametrize(
    ("provider", "code"),
    [
        pytest.param(None, "no_provider", id="none"),
        pytest.param(Broken(), "provider_failed", id="raises"),
        pytest.param(object(), "provider_failed", id="no-provider-at-all"),
        pytest.param(Odd(None), "provider_failed", id="no-list"),
        pytest.param(Odd([MARKER]), "bad_record", id="strings"),
        pytest.param(Odd([record("1", None)]), "bad_record", id="no-content"),
        pytest.param(Odd([record(7, "text")]), "bad_record", id="no-name"),
    ],
)
def test_an_impossible_check_fails(provider, code):
    """
    The check fails closed with an exception, which nobody mistakes for "no duplicate", and which contains no text.
    """
    with pytest.raises(DedupCheckError, match=code) as caught:
        check(provider, MARKER)
    assert caught.value.code == code
    assert MARKER not in f"{caught.value} {caught.value.args} {caught.value.__cause__}"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


class Returns:
    """An embedder that returns or raises one value."""

    def __init__(self, answer):
        self.answer = answer

    def encode(self, texts):
        """Return or raise."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("embedder", "code"),
    [
        pytest.param(None, "no_embedder", id="none"),
        pytest.param(Returns(RuntimeError(MARKER)), "embedder_failed", id="raises"),
        pytest.param(Returns([]), "embedder_failed", id="none-for-a-text"),
        pytest.param(Returns([1.0, 2.0]), "embedder_failed", id="one-axis"),
        pytest.param(Returns(3.0), "embedder_failed", id="a-number"),
        pytest.param(Returns([[float("nan"), 1.0]]), "embedder_failed", id="nan"),
        pytest.param(Returns([[1e300, 1.0]]), "embedder_failed", id="beyond-single-precision"),
        pytest.param(Returns([["x"]]), "embedder_failed", id="words"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_missing_vectors_are_a_failed_check(embedder, code):
    """Ruling C18: "vector" needs an embedder; a failing one approves nothing."""
    with pytest.raises(DedupCheckError, match=code):
        check(Memories("text"), "text", method="vector", embedder=embedder)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        pytest.param({"threshold": 0.0}, ValueError, "above 0 and at most 1", id="threshold"),
        pytest.param({"threshold": "1"}, TypeError, "must be a number", id="threshold-type"),
        pytest.param({"method": "simhash"}, ValueError, 'jaccard, minhash, vector; got "simhash"', id="method"),
        pytest.param({"tokens": "bytes"}, ValueError, "'unicode' or 'spec'", id="tokens"),
        pytest.param({"threshold": 2, "method": "vector"}, ValueError, "above 0 and at most 1", id="vector-threshold"),
        pytest.param({"tokens": "bytes", "method": "vector"}, ValueError, "'unicode' or 'spec'", id="vector-tokens"),
    ],
)
def test_wrong_arguments_show_before_the_first_claim(options, error, message):
    """The constructor refuses them."""
    with pytest.raises(error, match=message):
        DedupChecker(Memories(), **options)


@pytest.mark.parametrize("content", ["", " ", "\u202e\0\x07", "x" * 1_000_000, "a b " * 250_000, "\u4e2d" * 100_000])
@pytest.mark.parametrize("method", METHODS)
def test_any_text_can_be_checked(method, content):
    """Empty texts, control characters and a megabyte raise no error, and a copy of a text with a token is found."""
    result = check(Memories("something", content), content, method=method)
    has_letters = any("a" <= letter <= "z" for letter in content)
    assert result.is_duplicate is (has_letters if method == "vector" else bool(content.split()))


def test_a_store_is_a_provider():
    """A store is a provider; items in review count, other users' memories do not."""
    with MemoryStore(":memory:") as store:
        store.add(claim("m1", content="The timeout is 30 seconds", status=MemoryStatus.REVIEW), time=NOON)
        store.add(claim("m2", content="The timeout is 60 seconds", user_id="user-2"), time=NOON)
        assert check(store, "the timeout is 30 seconds", user_id="anna") == DuplicateResult(True, 1.0, "m1")
        corrected = check(store, "The timeout is 60 seconds", user_id="anna")
    assert (corrected.is_duplicate, corrected.existing_memory_id, corrected.conflict) == (False, "m1", True)


def test_a_checker_splits_at_white_space_unless_told_otherwise():
    """Ruling C22: a full stop makes another word by the literal rule, but not by Unicode's."""
    memories = Memories("The service keeps its sessions in Redis for thirty days")
    content = "The service keeps its sessions in Redis for thirty days."
    literal = asyncio.run(DedupChecker(memories).check_duplicate(content, "user-1"))
    unicode = asyncio.run(DedupChecker(memories, tokens="unicode").check_duplicate(content, "user-1"))
    assert (literal.is_duplicate, unicode.is_duplicate) == (False, True)


def test_a_validator_asks_for_unicode_words():
    """Rulings C3 and C22: punctuation hides no copy."""
    validator = validator_of("The service keeps its sessions in Redis for thirty days")
    assert validate(validator, "The service keeps its sessions in Redis for thirty days.").code == "duplicate"
