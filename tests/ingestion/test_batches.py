"""Batches have the results of single claims, with fewer requests."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion import GroundedIngestionConfig, MemoryClaim, Tier, TierReason, ValidationResult
from groundwire.memory import MemoryRecord, MemoryStore
from ingestion.fakes import NOT_IN_FORCE, REFUTED, UNKNOWN, Letters, Memories, ScriptedVerifier, validator_of
from memory.claims import NOON
from memory.claims import claim as memory

ANSWERS = {"2": REFUTED, "3": UNKNOWN, "4": NOT_IN_FORCE}
# There are few words, so that claims often repeat and contradict each other.
CONTENTS = st.builds(
    "{} {} {}".format,
    st.sampled_from(["We use Redis", "We do not use Redis", "The port is 80", "The port is 8080", "I think we ship"]),
    st.sampled_from(["", "on Monday", "today", "per ADR-1", "per ADR-2", "per ADR-3", "per ADR-4", "maybe"]),
    st.sampled_from(["", "as usual", "."]),
)
CLAIMS = st.lists(
    st.builds(
        MemoryClaim,
        CONTENTS,
        st.sampled_from(["fact", "preference", "decision"]),
        st.sampled_from(["user", "conversation", "chat", "ai_synthesis"]),
        st.sampled_from(["user-1", "user-2"]),
    ),
    max_size=8,
)
CONFIGS = st.builds(
    GroundedIngestionConfig,
    dedup_method=st.sampled_from(["jaccard", "minhash", "vector"]),
    dedup_threshold=st.sampled_from([0.6, 0.92]),
    embedder=st.just(Letters()),
    auto_approve_ai_synthesis=st.booleans(),
    max_claim_chars=st.sampled_from([20, 1000]),
)


def told(found: ValidationResult) -> tuple:
    """Return everything of a result except its time."""
    return (
        found.tier,
        found.code,
        found.checks_passed,
        found.checks_failed,
        found.similarity_score,
        found.conflicting_memory_id,
        found.citations,
        found.hedges,
        found.evidence.source_id,
        found.evidence.confidence,
    )


def one_after_the_other(claims, provider: Memories, config) -> list[ValidationResult]:
    """The oracle validates each claim alone; a claim that is not blocked is in memory before the next one."""
    found = []
    for place, claim in enumerate(claims):
        validator = validator_of(provider=provider, verifier=ScriptedVerifier(ANSWERS), config=config)
        one = asyncio.run(validator.validate_many([claim]))[0]
        found.append(one)
        if one.tier is not Tier.BLOCK and one.code is not TierReason.TOO_LONG:
            record = MemoryRecord(id=f"batch:{place}", content=claim.content, memory_type=claim.memory_type)
            provider.records.setdefault(claim.user_id, []).append(record)
    return found


@given(CLAIMS, st.lists(CONTENTS, max_size=4), CONFIGS)
def test_a_batch_is_one_claim_after_the_other(claims, stored, config):
    """Each claim is compared as if the earlier ones were already stored or queued."""
    provider = Memories(*stored)
    validator = validator_of(provider=provider, verifier=ScriptedVerifier(ANSWERS), config=config)
    found = asyncio.run(validator.validate_many(claims))
    expected = one_after_the_other(claims, Memories(*stored), config)
    assert [told(one) for one in found] == [told(one) for one in expected]


@given(CLAIMS, st.randoms(use_true_random=False))
def test_the_order_of_independent_claims_does_not_matter(claims, random):
    """Claims without common words have the same result at any position."""
    apart = [
        MemoryClaim(
            f"{claim.content} w{n}a w{n}b w{n}c w{n}d w{n}e w{n}f", claim.memory_type, claim.source, f"user-{n}"
        )
        for n, claim in enumerate(claims)
    ]
    validator = validator_of("We use Redis", verifier=ScriptedVerifier(ANSWERS))
    places = list(range(len(apart)))
    random.shuffle(places)
    found = asyncio.run(validator.validate_many(apart))
    shuffled = asyncio.run(validator.validate_many([apart[place] for place in places]))
    assert [told(found[place]) for place in places] == [told(one) for one in shuffled]


def claims_of(*contents: str, user_id: str = "user-1") -> list[MemoryClaim]:
    """Return claims of a model."""
    return [MemoryClaim(content, "fact", "ai_synthesis", user_id) for content in contents]


def test_citations_are_verified_in_one_request():
    """One request has them all, without those of blocked claims."""
    verifier = ScriptedVerifier()
    claims = claims_of("See ADR-1", "I think ADR-2", "See #7 of it, and ADR-1 too", "Nothing")
    found = asyncio.run(validator_of(verifier=verifier).validate_many(claims))
    assert verifier.asked == [["1", "7", "1"]]
    assert [[each.citation.value for each in one.citations] for one in found] == [["1"], ["2"], ["7", "1"], []]


def test_memories_are_read_once_for_each_user():
    """Providers with a batch method are called once; others once per claim."""

    class Counted(Memories):
        async def candidates_many(self, contents, user_id, memory_type=None):  # noqa: ARG002
            self.asked.append((tuple(contents), user_id, None))
            return self.records.get(user_id, [])

    claims = [*claims_of("We use Redis", "I think so", "The port is 80"), *claims_of("We ship", user_id="user-2")]
    counted, plain = Counted("We use Redis"), Memories("We use Redis")
    results = [asyncio.run(validator_of(provider=each).validate_many(claims)) for each in (counted, plain)]
    assert counted.asked == [
        (("We use Redis", "The port is 80"), "user-1", None),
        (("We ship",), "user-2", None),
    ]
    assert plain.asked == [
        ("We use Redis", "user-1", None),
        ("The port is 80", "user-1", None),
        ("We ship", "user-2", None),
    ]
    assert [told(one) for one in results[0]] == [told(one) for one in results[1]]
    assert results[0][0].conflicting_memory_id == "mem-0"


def test_the_store_provides_memories_in_batches(store):
    """It reads a user's memories once, for any number of claims."""
    store.add(memory("m1", content="We use Redis"), time=NOON)
    assert hasattr(MemoryStore, "candidates_many")
    found = asyncio.run(store.candidates_many(["a", "b"], "anna"))
    assert found == asyncio.run(store.candidates("a", "anna"))
    results = asyncio.run(validator_of(provider=store).validate_many(claims_of("We use Redis", "x", user_id="anna")))
    assert [one.conflicting_memory_id for one in results] == ["m1", None]


def test_unreadable_memories_of_one_user_do_not_affect_others():
    """Only that user's claims fail."""

    class Partly(Memories):
        async def candidates(self, content, user_id, memory_type=None):
            if user_id == "user-2":
                raise OSError
            return await super().candidates(content, user_id, memory_type)

    claims = [
        claim
        for user in ("user-1", "user-2")
        for claim in claims_of("We use Redis, see ADR-1", "We use PostgreSQL (#5)", user_id=user)
    ]
    found = asyncio.run(validator_of(provider=Partly()).validate_many(claims))
    assert [one.code for one in found] == [TierReason.CITATION_VERIFIED] * 2 + [TierReason.DEDUP_FAILED] * 2


def test_ids_are_those_of_the_caller():
    """The caller of the store may choose the ids of claims."""
    claims = claims_of("We use Redis", "we use Redis")
    found = asyncio.run(validator_of().validate_many(claims, names=["one", "two"]))
    assert found[1].conflicting_memory_id == "one"
    with pytest.raises(ValueError, match="names must have one entry for each of 2 claims, got 1"):
        asyncio.run(validator_of().validate_many(claims, names=["one"]))


def test_no_claims_have_no_results():
    """No provider or verifier is called."""
    assert asyncio.run(validator_of().validate_many([])) == []
