"""
Duplicates by meaning with a real embedder: the lane `models`.

It comes as a package, 64 values for a text; the thresholds here are on its scale.
"""

import asyncio
from contextlib import closing

import pytest

from groundwire.ingestion import DedupChecker, GroundedIngestionConfig, IngestionValidator, StoreBackedIndex
from groundwire.memory import MemoryStore
from memory.claims import NOON, claim, ids

static_model = pytest.importorskip("static_model", reason="no local embedder: `python3 dev.py models` installs it")

THRESHOLD = 0.75
STORED = [
    "The user prefers tabs over spaces",
    "Deploys happen on Tuesday",
    "Per ADR-003, we use Pixeltable for storage",
    "Our timeout is 30 seconds",
]


class Static:
    """The package as an embedder."""

    def encode(self, texts):
        """Return one vector for each text."""
        return static_model.get_embeddings(texts)


@pytest.fixture
def memories():
    """Return a store with the memories above."""
    with closing(MemoryStore(":memory:")) as store:
        for number, content in enumerate(STORED):
            store.add(claim(f"m{number}", content=content), time=NOON)
        yield store


def check(provider, content):
    """Return the result of one check by meaning."""
    checker = DedupChecker(provider, THRESHOLD, method="vector", embedder=Static())
    return asyncio.run(checker.check_duplicate(content, "anna"))


PARAPHRASES = [
    pytest.param("the user likes tabs more than spaces", "m0", id="tabs"),
    pytest.param("We store data in Pixeltable, see ADR-003", "m2", id="storage"),
]


@pytest.mark.parametrize(("content", "expected"), PARAPHRASES)
def test_a_paraphrase_is_a_duplicate_by_meaning_and_not_by_words(memories, content, expected):
    """Ruling C18: Jaccard misses it; a search of all memories and of the index finds it."""
    for provider in (memories, StoreBackedIndex(memories, THRESHOLD, method="vector", embedder=Static())):
        result = check(provider, content)
        assert (result.is_duplicate, result.existing_memory_id, result.conflict) == (True, expected, False)
        assert result.similarity >= THRESHOLD
    assert not asyncio.run(DedupChecker(memories).check_duplicate(content, "anna")).is_duplicate


def test_an_unrelated_claim_is_no_duplicate(memories):
    """An unrelated claim is not close."""
    assert not check(memories, "The office moves to Berlin in May").is_duplicate


def test_a_correction_is_near_in_meaning_and_a_conflict(memories):
    """Ruling C2: no embedder can tell a contradiction from support; the words can."""
    result = check(memories, "Our timeout is 60 seconds")
    assert (result.conflict, result.existing_memory_id) == (True, "m3")


def test_the_validator_takes_it_from_its_configuration(memories):
    """The paraphrase is blocked; without the embedder it goes to review."""
    indexed = StoreBackedIndex(memories, THRESHOLD, method="vector", embedder=Static())
    assert ids(asyncio.run(indexed.candidates(PARAPHRASES[0].values[0], "anna")))[0] == "m0"
    for embedder, expected in ((Static(), "duplicate"), (None, "dedup_failed")):
        config = GroundedIngestionConfig(dedup_method="vector", dedup_threshold=THRESHOLD, embedder=embedder)
        validator = IngestionValidator(indexed, config=config)
        result = asyncio.run(validator.validate(PARAPHRASES[0].values[0], "preference", "user", "anna"))
        assert result.code == expected
