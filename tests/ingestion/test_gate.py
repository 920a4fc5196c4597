"""IngestionGate: stores, queues or rejects claims, and shadow mode."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import pytest

from groundwire.errors import MemoryNotFoundError, MemoryStoreError
from groundwire.ingestion import (
    EvidenceObject,
    GateOutcome,
    GroundedIngestionConfig,
    IngestionGate,
    IngestionValidator,
    MemoryClaim,
    Tier,
    TierReason,
)
from groundwire.ingestion.gate import SHADOW_KEY
from groundwire.memory import MemoryStatus, MemoryStore
from groundwire.review import ReviewQueue
from ingestion.fakes import REFUTED, FakeQueue, ScriptedVerifier
from log_fields import fields_of

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


HOUR = timedelta(hours=1)


ADR = "Per ADR-003, we use PostgreSQL"


UNGROUNDED = "The API returns JSON for REST responses"


SPECULATION = "I think we should use Redis"


def claim(content: str = ADR, source: str = "ai_synthesis", user_id: str = "anna", **fields) -> MemoryClaim:
    """Return a claim of Anna's."""
    return MemoryClaim(content, fields.pop("memory_type", "fact"), source, user_id, **fields)


def gate_of(
    store: MemoryStore, queue: FakeQueue | None = None, *, answers=None, dedup=True, **options
) -> IngestionGate:
    """Return a gate for *store*, for which all citations exist."""
    config = GroundedIngestionConfig(lexicons=["en"], verify_claim_relevance=False)
    provider = store if dedup else None
    verifier = ScriptedVerifier(answers)
    validator = IngestionValidator(provider, dedup, config, verifier, pending=queue, clock=lambda: NOON)
    numbers = iter(range(1, 1000))
    options.setdefault("new_id", lambda: f"m{next(numbers)}")
    return IngestionGate(validator, store, queue, clock=lambda: NOON, **options)


def submit(gate: IngestionGate, *claims: MemoryClaim):
    """Return the outcomes of *claims*, one batch."""
    return asyncio.run(gate.submit_many(claims))


def submit_one(gate: IngestionGate, one: MemoryClaim):
    """Return the outcome of one claim."""
    return asyncio.run(gate.submit(one))


def contents(store: MemoryStore) -> list[str]:
    """Return all memories, of any user and status."""
    return [memory.content for memory in store.find(None, status=None)]


def test_each_tier_has_its_outcome(store):
    """The document's picture: stored, queued, rejected."""
    queue = FakeQueue()
    stored, queued, rejected = submit(gate_of(store, queue), claim(ADR), claim(UNGROUNDED), claim(SPECULATION))
    assert (stored.outcome, stored.memory_id, stored.queue_id) == (GateOutcome.STORED, "m1", None)
    assert (queued.outcome, queued.memory_id, queued.queue_id) == (GateOutcome.QUEUED, None, "queue-1")
    assert (rejected.outcome, rejected.memory_id, rejected.queue_id) == (GateOutcome.REJECTED, None, None)
    assert contents(store) == [ADR]
    assert [item["content"] for item in queue.items] == [UNGROUNDED]


def test_a_memory_has_its_evidence(store):
    """Type, source, all source ids under one name, confidence, horizon and metadata decided on it."""
    given = claim(
        f"{ADR}, see ADR-3 and #12", memory_type="decision", validity_horizon=NOON + HOUR, metadata={"a": [1]}
    )
    submitted = submit_one(gate_of(store), given)
    memory = store.get(submitted.memory_id, "anna")
    assert (memory.content, memory.memory_type, memory.source) == (given.content, "decision", "ai_synthesis")
    assert (memory.source_ids, memory.confidence) == (("ADR-003", "issue:12"), "high")
    assert (memory.capture_time, memory.validity_horizon, memory.metadata) == (NOON, NOON + HOUR, {"a": [1]})
    assert store.revoke_source("ADR-003", time=NOON) == [memory.id]


def test_the_queue_gets_the_specified_arguments(store):
    """They are keywords with plain strings, evidence and result."""
    queue = FakeQueue()
    submitted = submit_one(gate_of(store, queue), claim(UNGROUNDED, memory_type="fact"))
    result = submitted.result
    assert queue.items == [
        {
            "user_id": "anna",
            "content": UNGROUNDED,
            "memory_type": "fact",
            "source": "ai_synthesis",
            "evidence": result.evidence,
            "validation_result": result,
        }
    ]
    assert type(queue.items[0]["source"]) is str


def test_without_a_queue_the_outcome_asks_for_a_review(store):
    """Nothing is stored, and nothing is lost silently."""
    submitted = submit_one(gate_of(store), claim(UNGROUNDED))
    assert (submitted.outcome, submitted.failure, contents(store)) == (GateOutcome.NEEDS_REVIEW, None, [])


def test_a_queue_that_fails_approves_nothing(store, caplog):
    """Ruling C14: the queue is full; other claims of the batch are processed, and a warning has the class only."""
    caplog.set_level(logging.INFO)
    queue = FakeQueue(error=OverflowError("secret"))
    first, second = submit(gate_of(store, queue), claim(UNGROUNDED), claim(ADR))
    assert (first.outcome, first.failure, first.queue_id) == (GateOutcome.NEEDS_REVIEW, "OverflowError", None)
    assert (second.outcome, contents(store)) == (GateOutcome.STORED, [ADR])
    assert [(record.levelname, record.failure) for record in caplog.records] == [
        ("WARNING", "OverflowError"),
        ("INFO", None),
    ]


def test_a_stored_memory_is_neither_stored_nor_queued_again(store):
    """The loop guard compares content hashes, also without dedup; the reason says so."""
    queue = FakeQueue()
    gate = gate_of(store, queue, dedup=False)
    kept = submit_one(gate, claim(ADR, source="user"))
    for source in ("user", "ai_synthesis", "chat"):
        again = submit_one(gate, claim(store.get(kept.memory_id, "anna").content, source=source))
        assert (again.outcome, again.result.code) == (GateOutcome.REJECTED, TierReason.RECALLED)
        assert again.result.reason == "Already in memory, word for word"
        assert again.result.conflicting_memory_id == kept.memory_id
        assert again.result.checks_failed[0] == f"recalled_memory: {kept.memory_id}"
    assert (contents(store), queue.items) == ([ADR], [])
    assert submit_one(gate, claim(ADR, user_id="bob")).outcome is GateOutcome.STORED


def test_a_memory_in_review_is_not_approved_by_a_second_submission(store):
    """A memory of a revoked source is not approved again."""
    gate = gate_of(store, FakeQueue())
    submit_one(gate, claim(ADR))
    store.revoke_source("ADR-003", time=NOON)
    assert submit_one(gate, claim(ADR)).result.code is TierReason.RECALLED
    assert [memory.status for memory in store.find("anna", status=None)] == [MemoryStatus.REVIEW]


def test_claims_of_a_batch_see_those_before_them(store):
    """A copy of a stored claim names the memory, a copy of a queued claim the queue's item."""
    queue = FakeQueue()
    first, copy, doubtful, again, correction = submit(
        gate_of(store, queue),
        claim(ADR),
        claim(f"{ADR}."),
        claim(UNGROUNDED),
        claim(UNGROUNDED.lower()),
        claim("The API never returns JSON for REST responses"),
    )
    assert (first.outcome, copy.outcome) == (GateOutcome.STORED, GateOutcome.REJECTED)
    assert copy.result.checks_failed[:1] == [f"duplicate_detected: {first.memory_id}"]
    assert (doubtful.outcome, again.outcome) == (GateOutcome.QUEUED, GateOutcome.REJECTED)
    assert again.result.checks_failed[:1] == [f"duplicate_detected: {doubtful.queue_id}"]
    assert (correction.outcome, correction.result.code) == (GateOutcome.QUEUED, TierReason.CONFLICT)
    assert correction.result.conflicting_memory_id == doubtful.queue_id
    assert queue.items[1]["validation_result"].conflicting_memory_id == doubtful.queue_id


def test_the_very_same_claim_twice_is_stored_once(store):
    """This holds without dedup, in one batch and for two concurrent tasks: the transaction checks the store again."""
    gate = gate_of(store, dedup=False)
    outcomes = [each.outcome for each in submit(gate, claim(ADR), claim(ADR))]
    assert outcomes == [GateOutcome.STORED, GateOutcome.REJECTED]

    async def both():
        return await asyncio.gather(*(gate.submit(claim(f"{ADR} 16")) for _ in range(8)))

    assert sorted(each.outcome.value for each in asyncio.run(both())) == ["rejected"] * 7 + ["stored"]
    assert len(contents(store)) == 2


def test_shadow_mode_stores_everything_and_records_the_decisions(store, caplog):
    """Nothing is blocked or queued; metadata and log have the decision."""
    caplog.set_level(logging.INFO)
    queue = FakeQueue()
    gate = gate_of(store, queue, shadow=True, answers={"999": REFUTED})
    claims = [claim(ADR), claim(UNGROUNDED, metadata={"a": 1}), claim(SPECULATION), claim("Per ADR-999, we use magic")]
    submitted = submit(gate, *claims)
    assert {each.outcome for each in submitted} == {GateOutcome.SHADOW_STORED}
    assert [each.result.tier for each in submitted] == [
        Tier.AUTO_APPROVE,
        Tier.FLAG_REVIEW,
        Tier.BLOCK,
        Tier.FLAG_REVIEW,
    ]
    assert queue.items == []
    assert contents(store) == [each.content for each in claims]
    memories = [store.get(each.memory_id, "anna") for each in submitted]
    assert [memory.metadata[SHADOW_KEY] for memory in memories] == [
        {"tier": each.result.tier.value, "code": each.result.code.value} for each in submitted
    ]
    assert memories[1].metadata["a"] == 1
    assert [memory.confidence for memory in memories] == ["high", "medium", "low", "medium"]
    assert [(record.outcome, record.code) for record in caplog.records] == [
        ("shadow_stored", each.result.code.value) for each in submitted
    ]
    assert submit_one(gate, claims[2]).outcome is GateOutcome.SHADOW_STORED


def test_a_decision_is_logged_without_its_text(store, caplog):
    """The log has counts, codes and the hash by which the store's audit knows the text."""
    caplog.set_level(logging.INFO)
    submit_one(gate_of(store, FakeQueue(), answers={"999": REFUTED}), claim("Per ADR-003, not ADR-999, we use magic"))
    [record] = caplog.records
    assert (record.name, record.getMessage()) == ("groundwire.ingestion", "claim_decided")
    assert fields_of(record) == {
        "outcome": "queued",
        "tier": "tier_2",
        "code": "citation_refuted",
        "checks_failed": ["citation_refuted", "citation_not_compared"],
        "content_hash": store.hash_of("content", "Per ADR-003, not ADR-999, we use magic"),
        "content_len": 38,
        "memory_type": "fact",
        "claim_source": "ai_synthesis",
        "citation_count": 2,
        "verified_citation_count": 1,
        "failure": None,
    }


class TestLineage:
    """The store, not the caller, decides how far a derived memory is trusted."""

    def parents(self, *ids: str) -> dict[str, EvidenceObject]:
        """Return parents that the caller claims to be of high confidence."""
        return {each: EvidenceObject("a", NOON, "high") for each in ids}

    def test_a_derived_memory_has_its_parents(self, store):
        """Two trusted parents exist: it is stored, and is revoked with either of them."""
        gate = gate_of(store)
        first = submit_one(gate, claim(ADR, validity_horizon=NOON + HOUR))
        second = submit_one(gate, claim("Deploys are on Tuesday (#12)"))
        parents = self.parents(first.memory_id, second.memory_id)
        derived = submit_one(gate, claim("A change of schema takes a week, says #13", parents=parents))
        assert derived.outcome is GateOutcome.STORED
        memory = store.get(derived.memory_id, "anna")
        assert (memory.parents, memory.validity_horizon) == ((first.memory_id, second.memory_id), NOON + HOUR)
        assert store.revoke_source("issue:12", time=NOON) == [second.memory_id, memory.id]

    @pytest.mark.parametrize("case", ["unknown", "in review", "another user's", "less trusted"])
    def test_an_untrusted_parent_leads_to_review(self, store, case):
        """The claimed evidence of the caller does not count."""
        gate = gate_of(store, FakeQueue())
        shadow = gate_of(store, shadow=True, new_id=lambda: "mem-1")
        if case == "less trusted":
            submit_one(shadow, claim(UNGROUNDED))
        elif case != "unknown":
            submit_one(shadow, claim(ADR, user_id="bob" if case == "another user's" else "anna"))
        if case == "in review":
            store.revoke_source("ADR-003", time=NOON)
        derived = submit_one(gate, claim("Deploys are on Tuesday (#12)", parents=self.parents("mem-1")))
        assert (derived.outcome, derived.result.code) == (GateOutcome.QUEUED, TierReason.PARENT_LESS_TRUSTED)
        assert "parent_less_trusted: mem-1" in derived.result.checks_failed

    def test_a_parent_that_is_removed_meanwhile_is_an_error(self, store):
        """Nothing of the batch is stored, because the decision no longer holds."""
        kept = submit_one(gate_of(store), claim(ADR))

        class Slow(ScriptedVerifier):
            async def verify_many(self, citations):
                store.revoke_source("ADR-003", time=NOON)
                return await super().verify_many(citations)

        gate = IngestionGate(
            IngestionValidator(None, False, GroundedIngestionConfig(verify_claim_relevance=False), Slow()),
            store,
            clock=lambda: NOON,
        )
        derived = claim("Deploys are on Tuesday (#12)", parents=self.parents(kept.memory_id))
        with pytest.raises(MemoryNotFoundError):
            submit(gate, claim("We ship (#13)"), derived)
        assert contents(store) == [ADR]

    def test_shadow_mode_stores_it_without_parents_that_are_not_there(self, store):
        """The store has no links to missing memories."""
        gate = gate_of(store, shadow=True)
        first = submit_one(gate, claim(ADR))
        derived = submit_one(gate, claim("Deploys are on Tuesday", parents=self.parents(first.memory_id, "gone")))
        assert store.get(derived.memory_id, "anna").parents == (first.memory_id,)


def test_invalid_metadata_are_refused_before_anything_is_stored(store):
    """Nothing of the batch is stored."""
    queue = FakeQueue()
    with pytest.raises(ValueError, match="metadata must be what JSON can keep") as caught:
        submit(gate_of(store, queue), claim(ADR), claim(UNGROUNDED), claim("x", metadata={"secret": {1, 2}}))
    assert (contents(store), queue.items, "secret" in repr(caught.value)) == ([], [], False)


def test_a_store_that_fails_is_an_error(tmp_path):
    """Nothing is stored or queued, and the caller gets the error, so that no claim is lost silently."""
    queue = FakeQueue()
    opened = MemoryStore(tmp_path / "memories.db")
    gate = gate_of(opened, queue, dedup=False)
    opened.close()
    with pytest.raises(MemoryStoreError) as caught:
        submit(gate, claim(ADR), claim(UNGROUNDED))
    assert (queue.items, "ADR" in str(caught.value)) == ([], False)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_validator_must_return_a_result_for_each_claim(store, count):
    """Otherwise nothing is stored, and no result goes to another claim."""

    class Custom(IngestionValidator):
        async def validate_many(self, claims, **_):
            results = await super().validate_many(claims)
            return (results * 2)[:count]

    gate = IngestionGate(Custom(enable_dedup=False, verifier=ScriptedVerifier()), store)
    with pytest.raises(ValueError, match=f"must return 2 results, got {count}"):
        submit(gate, claim(ADR), claim(UNGROUNDED))
    assert contents(store) == []


def test_ids_are_labels_and_differ():
    """This is the default, without a counter of the caller."""
    with MemoryStore(":memory:") as opened:
        gate = IngestionGate(IngestionValidator(opened, verifier=ScriptedVerifier()), opened)
        stored = [submit_one(gate, claim(f"{ADR} {word}")).memory_id for word in ("here", "there")]
        assert len({*stored}) == 2
        assert all(each.startswith("mem-") and len(each) == 36 for each in stored)


@pytest.mark.parametrize("name", ["gossip", "second pass of the model", ""])
def test_a_claim_from_an_unknown_source_waits_for_a_person(name, tmp_path):
    """Ruling C20: it is queued and not stored; a name that is no label is `unknown` there."""
    with MemoryStore(tmp_path / "memory.db") as store, ReviewQueue(store=store) as queue:
        gate = IngestionGate(IngestionValidator(store, verifier=ScriptedVerifier(), pending=queue), store, queue)
        submitted = asyncio.run(gate.submit(MemoryClaim("We use Redis for sessions", name, name, "user-1")))
        [waiting] = asyncio.run(queue.get_pending("user-1"))
    assert submitted.outcome is GateOutcome.QUEUED
    assert (waiting.source, waiting.memory_type) == (name if name == "gossip" else "unknown",) * 2
