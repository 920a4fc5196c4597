"""StoreBackedIndex: after any change of the store, the checker has the result of reading all memories."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire.errors import MemoryExistsError, MemoryNotFoundError, MemoryStoreError
from groundwire.ingestion import DedupChecker, DedupCheckError, StoreBackedIndex
from groundwire.ingestion.duplicates.store_index import TextOffsets
from groundwire.memory import MemoryStatus, MemoryStore, StoreFailure
from memory.claims import HOUR, NOON, claim, ids

USERS = ("anna", "bob")
MARKER = "marker-of-the-secret-text"
texts = st.lists(
    st.sampled_from(["we", "use", "not", "3", "4", "Redis", "Kafka", "the", "cache"]), min_size=1, max_size=6
).map(" ".join)
steps = st.tuples(
    st.sampled_from(["add", "add", "add", "erase", "review", "erase_user", "check"]),
    st.integers(0, 12),
    st.sampled_from(USERS),
    texts,
)


class CountingLetters:
    """An embedder that counts letters and its calls, and fails on request."""

    def __init__(self):
        self.calls = []
        self.fails = False

    def encode(self, given):
        """Return one count for each letter."""
        if self.fails:
            raise RuntimeError(MARKER)
        self.calls.append(len(given))
        return np.array([[text.lower().count(letter) + 1 for letter in "abcdefghijklmnop"] for text in given])


def check(provider, content, user_id="anna", **options):
    """Return the result of one check."""
    return asyncio.run(DedupChecker(provider, **options).check_duplicate(content, user_id, "fact"))


def candidates(provider, content, user_id="anna", memory_type=None):
    """Return the memories that the provider names."""
    return asyncio.run(provider.candidates(content, user_id, memory_type))


def do(store, action, number, user_id, content):
    """Change the store once; an impossible change is skipped."""
    memory_type = "fact" if number % 3 else "decision"
    with suppress(MemoryExistsError, MemoryNotFoundError):
        if action == "add":
            store.add(claim(f"m{number}", content=content, user_id=user_id, memory_type=memory_type), time=NOON)
        elif action == "erase":
            store.erase(f"m{number}", user_id, time=NOON)
        elif action == "review":
            store.send_to_review(f"m{number}", user_id, time=NOON, reason="test")
        elif action == "erase_user":
            store.erase_user(user_id, time=NOON)


@pytest.mark.parametrize(
    "options", [{}, {"tokens": "spec"}, {"method": "vector", "embedder": CountingLetters()}, {"same_type_only": True}]
)
@settings(max_examples=examples(60))
@given(done=st.lists(steps, max_size=30), last=texts)
def test_the_index_finds_what_reading_the_whole_store_finds(options, done, last):
    """Memories are stored, reviewed and erased between the checks."""
    with closing(MemoryStore(":memory:")) as store:
        indexed = StoreBackedIndex(store, **options)
        for action, number, user_id, content in [*done, ("check", 0, "anna", last)]:
            do(store, action, number, user_id, content)
            if action == "check":
                found, expected = (check(provider, content, user_id, **options) for provider in (indexed, store))
                assert (found.is_duplicate, found.conflict) == (expected.is_duplicate, expected.conflict)
                assert found.similarity == pytest.approx(expected.similarity)
        assert len(indexed) == len(store.find(None, status=None))


@pytest.fixture
def statements(store, monkeypatch):  # noqa: ARG001 (the store is open before its class is patched)
    """Return every statement that a store runs from now on."""
    run = []

    def noted(execute):
        def call(database, statement, values=()):
            run.append(" ".join(statement.split()))
            return execute(database, statement, values)

        return call

    for module, name in (("sqlite", "SQLiteDatabase"), ("postgres", "PostgresDatabase")):
        # The store has already loaded the module of its database.
        if loaded := sys.modules.get(f"groundwire.memory.{module}"):
            monkeypatch.setattr(getattr(loaded, name), "execute", noted(getattr(loaded, name).execute))
    return run


def test_the_store_is_read_once(store, statements, monkeypatch):
    """One statement reads all memories; later claims read only new and candidate memories."""
    monkeypatch.setattr("groundwire.memory.store.RECORDS_PER_BATCH", 4)
    for number in range(10):
        store.add(claim(f"m{number}", content=f"deploys of team{chr(97 + number)} happen every night"), time=NOON)
    indexed = StoreBackedIndex(store)
    statements.clear()
    indexed.rebuild()
    whole = [statement for statement in statements if statement.startswith("SELECT number, user_id")]
    assert len(whole) == len([4, 4, 2, "no more"])
    for _ in range(2):
        statements.clear()
        assert ids(candidates(indexed, "deploys of teamc happen every night"))[0] == "m2"
        wanted = [statement for statement in statements if statement.startswith("SELECT")]
        assert [words in statement for words, statement in zip(("schema", "audit", "IN ("), wanted, strict=True)]
        assert not any(statement in wanted for statement in whole)


def test_changes_of_other_connections_are_seen(location):
    """Another connection stores and erases memories."""
    with MemoryStore(location) as store, MemoryStore(location) as other:
        indexed = StoreBackedIndex(store)
        assert candidates(indexed, "we use Redis") == []
        other.add(claim("m1", content="We use Redis"), time=NOON)
        assert ids(candidates(indexed, "we use Redis")) == ["m1"]
        other.erase("m1", "anna", time=NOON)
        assert (candidates(indexed, "we use Redis"), len(indexed)) == ([], 0)


def test_many_claims_are_one_query(store, statements, monkeypatch):
    """Memories similar to any of the claims are read once, in batches."""
    monkeypatch.setattr("groundwire.ingestion.duplicates.store_index.BATCH_SIZE", 2)
    for number in range(5):
        store.add(claim(f"m{number}", content=f"team{chr(97 + number)} deploys at night"), time=NOON)
    indexed = StoreBackedIndex(store)
    indexed.rebuild()
    statements.clear()
    contents = [f"team{letter} deploys at night" for letter in "caac"]
    found = asyncio.run(indexed.candidates_many(contents, "anna"))
    assert ids(found)[0] == "m2"
    assert sorted(ids(found)) == ["m0", "m1", "m2", "m3", "m4"]
    assert sum("IN (" in statement for statement in statements) == len([2, 2, 1])
    assert sum("audit" in statement for statement in statements) == 1
    assert asyncio.run(indexed.candidates_many([], "anna")) == []


def test_memories_in_review_and_other_users(store):
    """Ruling C16: items in review count, other users' memories do not."""
    store.add(claim("m1", content="We use Redis", status=MemoryStatus.REVIEW), time=NOON)
    indexed = StoreBackedIndex(store)
    assert ids(candidates(indexed, "we use Redis")) == ["m1"]
    assert candidates(indexed, "we use Redis", "bob") == []
    store.erase_expired(time=NOON, captured_before=NOON + HOUR)
    assert candidates(indexed, "we use Redis") == []


def test_changes_of_many_batches_are_all_read(store, monkeypatch):
    """There are more changes than one batch has."""
    monkeypatch.setattr("groundwire.ingestion.duplicates.store_index.BATCH_SIZE", 3)
    indexed = StoreBackedIndex(store)
    assert candidates(indexed, "anything") == []
    for number in range(11):
        store.add(claim(f"m{number}", content=f"fact {chr(97 + number)} holds"), time=NOON)
        if number % 4 == 0:
            store.erase(f"m{number}", "anna", time=NOON)
    assert ids(candidates(indexed, "fact k holds"))[0] == "m10"
    assert len(indexed) == 8


def cut(store):
    """Roll the store back by one entry."""
    with store.transaction() as database:
        database.execute("DELETE FROM memory_audit WHERE sequence = (SELECT max(sequence) FROM memory_audit)")
        database.execute("DELETE FROM memories WHERE id = 'm2'")


def renew(store):
    """Migrate the tables to the schema of a newer program."""
    with store.transaction() as database:
        database.execute("INSERT INTO memory_schema (version) VALUES (1000)")


@pytest.mark.parametrize(
    ("fault", "failure"),
    [
        pytest.param(cut, StoreFailure.CORRUPT, id="put-back"),
        pytest.param(renew, StoreFailure.NEWER_SCHEMA, id="newer-schema"),
    ],
)
def test_a_changed_store_fails_the_check(location, fault, failure):
    """Fail closed: the index no longer matches the store."""
    with MemoryStore(location) as store:
        store.add(claim("m1", content="We use Redis"), time=NOON)
        store.add(claim("m2", content="The cat sat"), time=NOON)
        indexed = StoreBackedIndex(store)
        assert check(indexed, "we use Redis").is_duplicate
        fault(store)
        for _ in range(2):
            with pytest.raises(MemoryStoreError) as caught:
                candidates(indexed, "we use Redis")
            assert caught.value.failure is failure
            with pytest.raises(DedupCheckError, match="provider_failed: the provider raised MemoryStoreError"):
                check(indexed, "we use Redis")


def test_a_restored_store_can_be_read_again(location):
    """The caller has to report that the store was restored."""
    with MemoryStore(location) as store:
        store.add(claim("m1", content="We use Redis"), time=NOON)
        store.add(claim("m2", content="The cat sat"), time=NOON)
        indexed = StoreBackedIndex(store)
        assert check(indexed, "the cat sat").is_duplicate
        cut(store)
        indexed.rebuild()
        assert len(indexed) == 1
        assert not check(indexed, "the cat sat").is_duplicate
        assert check(indexed, "we use Redis").is_duplicate


def test_a_store_that_is_closed_fails_the_check(sqlite_location):
    """This holds before and after the first read; a connection to PostgreSQL would be opened again."""
    store = MemoryStore(sqlite_location)
    fresh, used = StoreBackedIndex(store), StoreBackedIndex(store)
    assert not check(used, "we use Redis").is_duplicate
    store.close()
    for indexed in (fresh, used):
        with pytest.raises(DedupCheckError, match="provider_failed"):
            check(indexed, "we use Redis")


def test_an_embedder_that_fails_skips_nothing():
    """The next claim continues where this one failed."""
    embedder = CountingLetters()
    with closing(MemoryStore(":memory:")) as store:
        indexed = StoreBackedIndex(store, method="vector", embedder=embedder)
        for number, content in enumerate(["abc", "pop", "kick"]):
            store.add(claim(f"m{number}", content=content), time=NOON)
            embedder.fails = True
            with pytest.raises(DedupCheckError, match="embedder_failed") as caught:
                candidates(indexed, content)
            assert MARKER not in f"{caught.value} {caught.value.args}"
            embedder.fails = False
            assert ids(candidates(indexed, content))[0] == f"m{number}"
        assert len(indexed) == 3


def test_embeddings_of_all_users_are_requested_together():
    """One call embeds the texts of all users."""
    embedder = CountingLetters()
    with closing(MemoryStore(":memory:")) as store:
        for number in range(20):
            store.add(claim(f"m{number}", user_id=f"user-{number % 7}"), time=NOON)
        StoreBackedIndex(store, method="vector", embedder=embedder).rebuild()
    assert embedder.calls == [20]


def test_a_type_is_required_only_if_types_are_separate(store):
    """An index of all types names the nearest of all; filtering by type would miss some."""
    with pytest.raises(ValueError, match="memory_type must be given if, and only if"):
        candidates(StoreBackedIndex(store), "text", memory_type="fact")
    with pytest.raises(ValueError, match="memory_type must be given if, and only if"):
        candidates(StoreBackedIndex(store, same_type_only=True), "text")
    with pytest.raises(ValueError, match="method must be one of"):
        StoreBackedIndex(store, method="simhash")


def test_threads_and_tasks_share_an_index(sqlite_location):
    """Each thread finds its memories while others store and erase."""
    with MemoryStore(sqlite_location) as store:
        indexed = StoreBackedIndex(store)

        def work(thread):
            missed = 0
            for place in range(20):
                name, content = f"m{thread}-{place}", f"thread{chr(97 + thread)} place{chr(97 + place)} of the common"
                store.add(claim(name, content=content), time=NOON)
                missed += name not in ids(candidates(indexed, content))
                if place % 2:
                    store.erase(name, "anna", time=NOON)
            return missed

        async def ask():
            return await asyncio.gather(*(indexed.candidates("the common place", "anna") for _ in range(20)))

        with ThreadPoolExecutor(4) as threads:
            assert sum(threads.map(work, range(4))) == 0
        assert len({tuple(ids(found)) for found in asyncio.run(ask())}) == 1
        assert len(indexed) == 40


def test_its_size_is_counted():
    """The size grows with the memories, and shrinks when they are removed."""
    with closing(MemoryStore(":memory:")) as store:
        indexed = StoreBackedIndex(store)
        sizes = [sys.getsizeof(indexed)]
        with store.transaction():
            for number in range(300):
                store.add(claim(f"m{number}", content=f"word{number} " * 3), time=NOON)
        indexed.rebuild()
        sizes.append(sys.getsizeof(indexed))
        assert sizes[1] - sizes[0] > 300 * 12
        store.erase_user("anna", time=NOON)
        assert candidates(indexed, "word1") == []
        assert sys.getsizeof(indexed) < sizes[1] / 2


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 200)), max_size=400))
def test_offsets_are_a_dictionary(given):
    """Appended and not removed items stay, through any compaction."""
    places, expected, last = TextOffsets(), {}, 0
    for is_removal, number in given:
        if is_removal:
            assert places.remove(number) == expected.pop(number, None)
        else:
            last += 1 + number % 3
            places.append(last, number + 1, number * 7)
            expected[last] = (number + 1, number * 7)
        assert len(places) == len(expected)
    assert all((number in places) is (number in expected) for number in range(last + 2))
    if last:
        with pytest.raises(ValueError, match="numbers must be ascending"):
            places.append(last, 1, 1)
