"""DedupChecker: copies, corrections, and checks that could not be made."""

# ruff: noqa: ARG002 (providers and embedders take what the protocols give them)

import asyncio
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion import (
    DedupChecker,
    DedupCheckError,
    DuplicateResult,
    MemoryIndex,
    jaccard_similarity,
)
from groundwire.memory import MemoryRecord, MemoryStatus, MemoryStore
from ingestion.scripted import validate, validator_of
from memory.claims import NOON, claim

MARKER = "marker-of-the-secret-text"
METHODS = ("jaccard", "minhash", "vector")


def record(name, content, memory_type="fact"):
    """A memory."""
    return MemoryRecord(id=name, content=content, memory_type=memory_type)


class Memories:
    """A provider that keeps a list for each user, and notes how it was asked."""

    def __init__(self, *contents: str, user_id: str = "user-1", memory_type: str = "fact") -> None:
        records = [record(f"mem-{place}", content, memory_type) for place, content in enumerate(contents)]
        self.records = {user_id: records}
        self.asked = []

    async def candidates(self, content, user_id, memory_type=None):
        """All memories of the user; a narrower search is left to who asks."""
        self.asked.append((content, user_id, memory_type))
        return self.records.get(user_id, [])


class Letters:
    """An embedder that counts letters: the same letters are the same meaning."""

    def encode(self, texts):
        """One count for each letter."""
        return np.array([[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts])


def check(provider, content, *, user_id="user-1", memory_type="fact", **options):
    """The result of one check."""
    options = {"embedder": Letters(), "tokens": "unicode", **options}
    return asyncio.run(DedupChecker(provider, **options).check_duplicate(content, user_id, memory_type))


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
    """With `tokens="spec"` the similarity is that of the printed function, and the best one is named."""
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
    """Nothing found is nothing named."""
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


CORRECTIONS = [
    pytest.param("We use Redis for caching", "We do not use Redis for caching", id="not"),
    pytest.param("The user prefers tabs", "The user does not prefer tabs", id="not-and-an-ending"),
    pytest.param("Users can delete their account", "Users can't delete their account", id="contraction"),
    pytest.param("It works on Windows", "It never works on Windows", id="never"),
    pytest.param("The timeout is 30 seconds", "The timeout is 60 seconds", id="number"),
    pytest.param("The timeout is 30 seconds", "The timeout is 30 minutes", id="unit"),
    pytest.param("We run two workers", "We run three workers", id="number-in-words"),
    pytest.param("The release is in May 2024", "The release is in June 2024", id="date"),
    pytest.param("Deploys happen on Monday", "Deploys happen on Tuesday", id="weekday"),
    pytest.param("We decided to use PostgreSQL", "We decided to use Redis", id="name"),
    pytest.param("Per ADR-003, we use PostgreSQL", "Per ADR-004, we use PostgreSQL", id="identifier"),
    pytest.param("The service starts before the database", "The service starts after the database", id="opposite"),
    pytest.param("Der Dienst nutzt Port 80 im Netz", "Der Dienst nutzt nicht Port 80 im Netz", id="german"),
    pytest.param("Мы используем Redis для кэша", "Мы не используем Redis для кэша", id="russian"),
    pytest.param("我们使用数据库存储记忆", "我们不使用数据库存储记忆", id="chinese"),
]


@pytest.mark.parametrize(("memory", "claim"), CORRECTIONS)
def test_a_correction_is_a_conflict(memory, claim):
    """Ruling C2: in both directions, and however few words there are."""
    for stored, content in ((memory, claim), (claim, memory)):
        result = check(Memories("The cat sat on a mat", stored), content)
        assert (result.conflict, result.existing_memory_id) == (True, "mem-1")


def test_a_long_correction_is_a_conflict_though_it_is_as_similar_as_a_copy():
    """Ruling C2: one word more than twenty is a similarity of 0.95; is_duplicate stays literal."""
    words = (
        "the service writes every accepted memory into one database file "
        "beside which it keeps an audit trail for all users"
    )
    memory, claim = words, words.replace("keeps", "never keeps")
    result = check(Memories(memory), claim)
    assert (result.is_duplicate, result.conflict, result.similarity) == (True, True, 20 / 21)


@pytest.mark.parametrize(
    ("memory", "claim"),
    [
        pytest.param("We use Redis for caching", "We do not use Redis for sessions", id="another-word-too"),
        pytest.param("The API returns JSON", "The API returns JSON for REST responses", id="more-words"),
        pytest.param("We run two workers", "We run 2 workers", id="the-same-number"),
        pytest.param("The cat sat", "The dog never ran", id="nothing-in-common"),
    ],
)
def test_what_differs_elsewhere_too_is_no_conflict(memory, claim):
    """Ruling C2: the difference is in negations, numbers, dates and names alone."""
    result = check(Memories(memory), claim)
    assert (result.is_duplicate, result.conflict) == (False, False)


def test_a_claim_that_stands_there_says_nothing_new():
    """A copy of one memory is no conflict with another: storing it would change nothing."""
    result = check(Memories("The timeout is 30 seconds", "The timeout is 60 seconds"), "the timeout is 60 seconds")
    assert result == DuplicateResult(True, 1.0, "mem-1", False)


def test_a_long_text_that_nobody_reads_is_a_conflict():
    """Fail closed: a near copy of a text too long to be read goes to people, the very same one is a duplicate."""
    memory = " ".join(f"word{place}" for place in range(2000))
    assert check(Memories(memory), memory) == DuplicateResult(True, 1.0, "mem-0", False)
    assert check(Memories(memory), memory + " not").conflict
    assert check(Memories(memory), memory + " not", method="minhash").conflict


def test_other_users_memories_are_not_asked_for():
    """Ruling C16: the same user's."""
    provider = Memories("We use Redis", user_id="user-2")
    assert not check(provider, "We use Redis").is_duplicate
    assert check(provider, "We use Redis", user_id="user-2").is_duplicate


def test_all_types_count_unless_narrowed():
    """Ruling C16: all memory types, or those of the claim's alone; a provider that does not narrow is narrowed."""
    provider = Memories("We use Redis", memory_type="decision")
    assert check(provider, "We use Redis", memory_type="fact").is_duplicate
    assert not check(provider, "We use Redis", memory_type="fact", same_type_only=True).is_duplicate
    assert check(provider, "We use Redis", memory_type="decision", same_type_only=True).is_duplicate
    assert [asked[2] for asked in provider.asked] == [None, "fact", "decision"]


def test_the_pending_queue_counts_too():
    """Ruling C16: the store and what waits for review."""
    pending = Memories("We use Redis")
    assert check(Memories("The cat sat"), "We use Redis", pending=pending).is_duplicate


class Broken:
    """A provider that fails with the claim in its words."""

    async def candidates(self, content, user_id, memory_type=None):
        """Raise."""
        raise RuntimeError(MARKER)


class Odd(Memories):
    """A provider of something else."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    async def candidates(self, content, user_id, memory_type=None):
        """Return what was given."""
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
def test_a_check_that_cannot_be_made_fails(provider, code):
    """Fail closed: an exception, which nobody takes for "no duplicate", and without anybody's words."""
    with pytest.raises(DedupCheckError, match=code) as caught:
        check(provider, MARKER)
    assert caught.value.code == code
    assert MARKER not in f"{caught.value} {caught.value.args} {caught.value.__cause__}"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


class Returns:
    """An embedder that returns one thing, or raises it."""

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
def test_vectors_that_cannot_be_had_are_a_failed_check(embedder, code):
    """Ruling C18: "vector" needs an embedder; one that fails lets nothing through."""
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
    """Empty, control characters, a megabyte: no error, and a copy of a text with a token is found."""
    result = check(Memories("something", content), content, method=method)
    has_letters = any("a" <= letter <= "z" for letter in content)
    assert result.is_duplicate is (has_letters if method == "vector" else bool(content.split()))


class Indexed:
    """A store that answers by its index."""

    def __init__(self, **options):
        self.index = MemoryIndex(**options)
        self.records = {}

    def add(self, memory, user_id="user-1"):
        """Store a memory."""
        self.records[memory.id] = memory
        self.index.add(memory.id, memory.content, user_id)

    async def candidates(self, content, user_id, memory_type=None):
        """What the index names."""
        return [self.records[name] for name in self.index.similar(content, user_id)]


def test_a_store_is_asked_as_it_is():
    """A store of memories is a provider; what it keeps for review counts, other people's memories do not."""
    with MemoryStore(":memory:") as store:
        store.add(claim("m1", content="The timeout is 30 seconds", status=MemoryStatus.REVIEW), time=NOON)
        store.add(claim("m2", content="The timeout is 60 seconds", user_id="user-2"), time=NOON)
        assert check(store, "the timeout is 30 seconds", user_id="anna") == DuplicateResult(True, 1.0, "m1")
        corrected = check(store, "The timeout is 60 seconds", user_id="anna")
    assert (corrected.is_duplicate, corrected.existing_memory_id, corrected.conflict) == (False, "m1", True)


words = st.lists(
    st.sampled_from(["we", "use", "not", "3", "4", "Redis", "Kafka", "the", "cache"]), min_size=1, max_size=6
).map(" ".join)


@pytest.mark.parametrize("options", [{}, {"tokens": "spec"}, {"method": "vector", "embedder": Letters()}])
@given(stored=st.lists(words, max_size=6), removed=st.integers(0, 5), content=words)
def test_an_index_of_the_store_changes_no_result(options, stored, removed, content):
    """Asked with all memories or with those that the index names, the checker says the same."""
    indexed, plain = Indexed(**options), Memories()
    for place, text in enumerate(stored):
        indexed.add(record(f"mem-{place}", text))
    kept = [record(f"mem-{place}", text) for place, text in enumerate(stored) if place != removed]
    if removed < len(stored):
        indexed.index.remove(f"mem-{removed}")
    plain.records["user-1"] = kept
    by_index, by_all = check(indexed, content, **options), check(plain, content, **options)
    assert (by_all.is_duplicate, by_all.conflict) == (by_index.is_duplicate, by_index.conflict)
    assert by_all.similarity == pytest.approx(by_index.similarity)


def test_an_index_of_memories_is_kept_by_user_and_name():
    """A memory of a known name is replaced; removing forgets; users see their own."""
    index = MemoryIndex()
    index.add("m1", "We use Redis", "user-1")
    index.add("m1", "The cat sat", "user-1")
    index.add("m2", "We use Redis", "user-2")
    assert (len(index), index.similar("We use Redis", "user-1")) == (2, [])
    assert index.similar("we use redis", "user-2") == ["m2"]
    index.remove("m2")
    assert (len(index), index.similar("We use Redis", "user-2")) == (1, [])
    with pytest.raises(KeyError):
        index.remove("m2")


def test_a_checker_splits_at_white_space_unless_told_otherwise():
    """Ruling C22: a full stop makes another word by the literal rule, and none by Unicode's."""
    memories = Memories("The service keeps its sessions in Redis for thirty days")
    content = "The service keeps its sessions in Redis for thirty days."
    literal = asyncio.run(DedupChecker(memories).check_duplicate(content, "user-1"))
    unicode = asyncio.run(DedupChecker(memories, tokens="unicode").check_duplicate(content, "user-1"))
    assert (literal.is_duplicate, unicode.is_duplicate) == (False, True)


def test_a_validator_asks_for_unicode_words():
    """Rulings C3 and C22: punctuation hides no copy from it."""
    validator = validator_of("The service keeps its sessions in Redis for thirty days")
    assert validate(validator, "The service keeps its sessions in Redis for thirty days.").code == "duplicate"


PAIRS = [
    ("Alice reports to Bob", "Bob reports to Alice", "conflict"),
    ("Retry 3 times after 5 seconds", "Retry 5 times after 3 seconds", "conflict"),
    ("The worker calls the service", "The service calls the worker", "conflict"),
    ("Traffic moves from Berlin to Paris", "Traffic moves from Paris to Berlin", "conflict"),
    ("The launch is led by Alice", "The launch is led by Bob", "conflict"),
    ("Alice leads the launch", "Bob leads the launch", "conflict"),
    ("Tom joined the company in 2019", "Tom joined the company in 2021", "conflict"),
    ("Tom joined the company in 2019", "Tom did not join the company in 2019", "conflict"),
    ("The team of Alice has 5 members", "The team of Alice has 7 members", "conflict"),
    ("The launch on 3 May is led by Alice", "The launch on 4 May is led by Bob", "conflict"),
    ("Tokens expire after 15 minutes", "Tokens expire after 30 minutes", "conflict"),
    ("In 2019 Tom joined the company", "In 2020 Tom joined the company", "conflict"),
    ("The API returns XML", "The API returns JSON", "conflict"),
    ("Tom joined the company in 2019", "Lisa joined the company in 2021", "new"),
    ("Tom is 34 years old", "Lisa is 29 years old", "new"),
    ("In 2019 Tom joined the company", "In 2021 Lisa joined the company", "new"),
    ("Dr. Weber works 30 hours a week", "Dr. Klein works 20 hours a week", "new"),
    ("Alice reports to Bob", "Carol reports to David", "new"),
    ("Tom likes tabs", "Lisa does not like tabs", "new"),
    ("Anna lives in Rome", "Peter lives in Oslo", "new"),
    ("Tom's contract ends on 3 May 2026", "Lisa's contract ends on 9 June 2027", "new"),
    ("Maria speaks two languages", "Julia speaks five languages", "new"),
    ("Tom joined the company in 2019", "The gauge at the pier was repaired", "new"),
    ("Anna and Ben share an office", "Ben and Anna share an office", "duplicate"),
    ("We use Redis, Kafka and Postgres", "We use Postgres, Redis and Kafka", "duplicate"),
    ("Tom cooks and Lisa cleans", "Lisa cleans and Tom cooks", "duplicate"),
    ("Per ADR-003, we use Pixeltable", "We use Pixeltable (per ADR-003)", "duplicate"),
    (
        "The service uses Redis Cluster and Apache Kafka for events",
        "The service uses Apache Kafka and Redis Cluster for events",
        "duplicate",
    ),
    ("The queue is durable", "the queue is durable.", "duplicate"),
    ("Tom joined the company in 2019", "In 2019 Tom joined the company", "duplicate"),
    ("Anna und Ben teilen ein Zimmer", "Ben und Anna teilen ein Zimmer", "duplicate"),
    ("Anna leitet Ben", "Ben leitet Anna", "conflict"),
    ("The lorry carries 1 kg of salt", "The lorry carries 1000 g of salt", "new"),
    ("The team has members", "The team has 5 members", "new"),
]


@pytest.mark.parametrize(("memory", "content", "expected"), PAIRS)
def test_who_and_what_a_sentence_is_about_tells_a_conflict(memory, content, expected):
    """
    Rulings C2 and C17, either way round.

    Different people with different facts contradict nothing. The same role with another name does,
    and so do the same words in other roles; parts of a list have none.
    """
    for stored, offered in ((memory, content), (content, memory)):
        found = check(Memories(stored), offered)
        kind = "conflict" if found.conflict else "duplicate" if found.is_duplicate else "new"
        assert kind == expected
