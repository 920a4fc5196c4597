"""IngestionValidator and its configuration: decisions in the order of the document, and failures."""

import asyncio
import contextlib
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from groundwire.ingestion import (
    Confidence,
    EvidenceObject,
    GroundedIngestionConfig,
    HedgeAction,
    IngestionValidator,
    MemoryClaim,
    Tier,
    TierReason,
    VerificationResult,
)
from groundwire.ingestion.validator import MAX_CITATIONS
from groundwire.ingestion.verification.protocol import VerificationReason, make_result
from ingestion.fakes import (
    NOT_IN_FORCE,
    REFUTED,
    UNKNOWN,
    VERIFIED,
    Letters,
    Memories,
    ScriptedVerifier,
    validate,
    validator_of,
)
from waits import PATIENCE_S


def test_the_defaults_are_those_of_the_document():
    """Jaccard at 0.92; cited texts must state the claim (ruling C19)."""
    config = GroundedIngestionConfig()
    assert (config.dedup_method, config.dedup_threshold) == ("jaccard", 0.92)
    assert (config.verify_claim_relevance, config.auto_approve_ai_synthesis) == (True, True)


def test_the_printed_example_is_a_configuration():
    """Ruling C18: it has all fields that the document names."""
    config = GroundedIngestionConfig(
        dedup_method="vector", dedup_threshold=0.95, verify_claim_relevance=True, auto_approve_ai_synthesis=False
    )
    assert (config.dedup_method, config.dedup_threshold) == ("vector", 0.95)
    assert (config.verify_claim_relevance, config.auto_approve_ai_synthesis) == (True, False)


@pytest.mark.parametrize("method", ["jaccard", "minhash", "vector"])
def test_there_are_three_methods(method):
    """Ruling C18: each of them can be chosen."""
    assert GroundedIngestionConfig(dedup_method=method).dedup_method == method


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        pytest.param({"dedup_method": "simhash"}, ValueError, 'jaccard, minhash, vector; got "simhash"', id="method"),
        pytest.param({"dedup_method": None}, ValueError, "got NoneType", id="no-method"),
        pytest.param({"dedup_threshold": 0.0}, ValueError, "above 0 and at most 1, got 0.0", id="zero"),
        pytest.param({"dedup_threshold": 1.01}, ValueError, "above 0 and at most 1, got 1.01", id="above-1"),
        pytest.param({"dedup_threshold": float("nan")}, ValueError, "above 0 and at most 1, got nan", id="nan"),
        pytest.param({"dedup_threshold": "0.9"}, TypeError, "must be a number, got str", id="threshold-type"),
        pytest.param({"dedup_threshold": True}, TypeError, "must be a number, got bool", id="threshold-bool"),
        pytest.param({"verify_claim_relevance": "no"}, TypeError, "must be a bool, got str", id="flag"),
        pytest.param({"lexicons": ["xx"]}, ValueError, "lexicons must be of en, zh", id="lexicon"),
        pytest.param({"max_claim_chars": 0}, ValueError, "must be above 0, got 0 and 60.0", id="no-length"),
        pytest.param({"max_claim_chars": 1e6}, TypeError, "max_claim_chars must be an int, got", id="length-type"),
        pytest.param({"check_timeout_s": -1}, ValueError, "must be above 0, got 20000 and -1", id="no-time"),
        pytest.param({"check_timeout_s": float("nan")}, ValueError, "got 20000 and nan", id="nan-time"),
        pytest.param({"check_timeout_s": "1"}, TypeError, "check_timeout_s must be a number, got str", id="time-type"),
        pytest.param({"dedup": "vector"}, TypeError, "unexpected keyword", id="misspelt"),
    ],
)
def test_a_value_out_of_range_is_refused(fields, error, message):
    """The error comes when it is created, not with the first claim."""
    with pytest.raises(error, match=message):
        GroundedIngestionConfig(**fields)


NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


HOUR = timedelta(hours=1)


APPROVE, REVIEW, BLOCK = Tier.AUTO_APPROVE, Tier.FLAG_REVIEW, Tier.BLOCK


ADR = "Per ADR-003, we use PostgreSQL"


def claim_of(content: str, source: str = "ai_synthesis", user_id: str = "user-1") -> MemoryClaim:
    """Return a claim for a batch."""
    return MemoryClaim(content, "fact", source, user_id)


def names(checks: list[str]) -> list[str]:
    """Return the names of checks without their subjects."""
    return [check.partition(":")[0] for check in checks]


@pytest.mark.parametrize(
    ("content", "source", "tier", "code"),
    [
        pytest.param("I think ADR-003 says Redis", "user", BLOCK, "personal_speculation", id="hedge-before-all"),
        pytest.param("The cache lives in Redis", "user", BLOCK, "duplicate", id="copy-before-trust"),
        pytest.param("The cache does not live in Redis", "user", REVIEW, "conflict", id="correction"),
        pytest.param("The cache may be in ADR-003", "user", REVIEW, "technical_hedge", id="hedge-before-citation"),
        pytest.param(ADR, "ai_synthesis", APPROVE, "citation_verified", id="citation"),
        pytest.param("We deploy on Tuesday", "user", APPROVE, "trusted_source", id="trust"),
        pytest.param("We deploy on Tuesday", "ai_synthesis", REVIEW, "ungrounded", id="nothing"),
    ],
)
def test_checks_decide_in_the_printed_order(content, source, tier, code):
    """Rulings C2 and C5: hedges, then conflicts and copies, then citations, then trust."""
    found = validate(validator_of("The cache lives in Redis"), content, source=source)
    assert (found.tier, found.code, found.approved) == (tier, code, tier is APPROVE)


def test_a_result_has_all_of_the_printed_fields():
    """The names of checks are the specified ones; the copy is named with its similarity."""
    validator = validator_of("Per ADR-003, we use Pixeltable", clock=lambda: NOON)
    found = validate(validator, "Per ADR-007, we use Pixeltable", "decision", "conversation")
    assert (found.code, found.conflicting_memory_id) == (TierReason.CONFLICT, "mem-0")
    assert found.similarity_score == pytest.approx(2 / 3)
    assert found.evidence == EvidenceObject(
        "Per ADR-007, we use Pixeltable",
        NOON,
        Confidence.MEDIUM,
        source_id="ADR-007",
        passages=found.evidence.passages,
    )
    assert [each.source for each in found.evidence.passages] == ["ADR-007"]
    maybe = validate(validator_of(), "The maybe of it", source="chat")
    assert (maybe.checks_passed, maybe.checks_failed) == ([], ["hedge_words_detected: maybe"])
    cited = validate(validator_of(), "Per ADR-003, we use Pixeltable for memory storage", "decision", "conversation")
    assert cited.checks_passed[:4] == [
        "citation_present",
        "citation_verified: ADR-003",
        "citation_relevant: ADR-003",
        "no_speculation",
    ]
    assert (cited.checks_failed, cited.conflicting_memory_id, cited.similarity_score) == ([], None, None)


@pytest.mark.parametrize(
    ("answers", "tier", "code", "failed"),
    [
        pytest.param({"3": REFUTED}, REVIEW, "citation_refuted", ["citation_refuted"], id="C4-refuted"),
        pytest.param({"3": UNKNOWN}, APPROVE, "citation_verified", ["citation_unknown"], id="unknown-beside-verified"),
        pytest.param({"3": NOT_IN_FORCE}, REVIEW, "citation_not_in_force", ["citation_not_in_force"], id="C11"),
        pytest.param({"3": UNKNOWN, "4": UNKNOWN}, APPROVE, "trusted_source", ["citation_unknown"] * 2, id="unknown"),
    ],
)
def test_results_of_citations_decide(answers, tier, code, failed):
    """Rulings C4 and C11: a refuted one is never approved, from any source, even beside a verified one."""
    found = validate(
        validator_of(verifier=ScriptedVerifier(answers)), "We use Redis, see ADR 3 and ADR 4", source="user"
    )
    assert (found.tier, found.code, names(found.checks_failed)) == (tier, code, failed)
    assert [(each.citation.value, each.result) for each in found.citations] == [
        (value, answers.get(value, VERIFIED)) for value in "34"
    ]


def test_a_hedge_is_listed_once_however_often_it_is_there():
    """The list has the claim's words; the result has all of them."""
    found = validate(validator_of(), "It may fail, roughly, and it may hang")
    assert found.checks_failed[0] == "hedge_words_detected: may, roughly"
    assert len(found.hedges.cues) == 3


def test_hedges_are_in_the_result_with_their_places():
    """Reviewers see the words that were found."""
    found = validate(validator_of(), "It may fail")
    assert found.hedges is not None
    assert [(cue.start, cue.end) for cue in found.hedges.cues] == [(3, 6)]
    assert validate(validator_of(), ADR).hedges.action is HedgeAction.CONTINUE


@pytest.mark.parametrize("content", ["I guess https://example.com/x says so", "We use Redis, per #12 of example/app"])
def test_no_citation_of_a_blocked_claim_is_verified(content):
    """A blocked claim must not cause requests; the result says so."""
    verifier = ScriptedVerifier()
    found = validate(validator_of("We use Redis, per #12 of example/app", verifier=verifier), content, source="user")
    assert (found.tier, verifier.asked) == (BLOCK, [])
    assert [each.result.code for each in found.citations] == [VerificationReason.NOT_LOOKED_UP]
    assert "citation_not_looked_up" in names(found.checks_failed)


def test_a_blocking_hedge_causes_no_requests():
    """Neither a provider nor a verifier can change the result."""
    provider, verifier = Memories(), ScriptedVerifier()
    found = validate(validator_of(provider=provider, verifier=verifier), "I think ADR-3 is about Redis")
    assert (found.tier, provider.asked, verifier.asked) == (BLOCK, [], [])
    assert not {"ungrounded", "no_duplicate"} & {*names(found.checks_failed + found.checks_passed)}


def test_all_citations_of_a_claim_are_verified_at_once():
    """One request has each of them in order."""
    verifier = ScriptedVerifier()
    validate(validator_of(verifier=verifier), "ADR-1, ADR-2, #12 and https://example.com/a")
    assert verifier.asked == [["1", "2", "12", "https://example.com/a"]]


def test_a_claim_with_too_many_citations_is_not_verified():
    """Ruling C4: a refuted one could hide among them, so they go to review; no requests are sent."""
    verifier = ScriptedVerifier()
    for source in ("ai_synthesis", "user"):
        content = " ".join(f"#{n}" for n in range(MAX_CITATIONS + 1))
        found = validate(validator_of(verifier=verifier), content, source=source)
        assert (found.tier, found.code, verifier.asked) == (REVIEW, TierReason.CHECK_FAILED, [])
        assert names(found.checks_failed).count("citation_not_looked_up") == MAX_CITATIONS + 1
    content = " ".join(["We use Redis", *(f"#{n}" for n in range(MAX_CITATIONS))])
    trusted = validate(validator_of(), content, source="user")
    assert trusted.tier is APPROVE


class Unruly:
    """A verifier that always returns *answers*."""

    def __init__(self, answers):
        self.answers = answers

    async def verify_many(self, citations):
        return self.answers


def time_for(why: str) -> float:
    """Return the time for a check: enough for all that answer, and little for those that hang."""
    return 0.5 if "TimeoutError" in why else PATIENCE_S


@pytest.mark.parametrize(
    ("verifier", "why"),
    [
        pytest.param(ScriptedVerifier(error=RuntimeError("secret")), "RuntimeError", id="raises"),
        pytest.param(ScriptedVerifier(error=TimeoutError()), "TimeoutError", id="raises-a-time-out"),
        pytest.param(ScriptedVerifier(pause_s=60), "TimeoutError", id="hangs"),
        pytest.param(Unruly([]), "no result", id="too-few"),
        pytest.param(Unruly([True]), "no result", id="no-results"),
        pytest.param(Unruly(None), "TypeError", id="nothing"),
        pytest.param(object(), "AttributeError", id="no-verifier"),
    ],
)
def test_a_verifier_that_fails_approves_nothing(verifier, why):
    """R0: this holds for trusted sources too; the check names only the class."""
    config = GroundedIngestionConfig(check_timeout_s=time_for(why))
    found = validate(validator_of(verifier=verifier, config=config), ADR, source="user")
    assert (found.tier, found.code) == (REVIEW, TierReason.CHECK_FAILED)
    assert f"citation_check_failed: {why}" in found.checks_failed


@pytest.mark.parametrize("code", [VerificationReason.VERIFIER_FAILED, VerificationReason.TIMED_OUT])
def test_one_unverified_citation_is_enough(code):
    """R0: this holds beside a verified one, and for a trusted source, because its result is unknown."""
    answers = {"4": make_result(code, "KeyError")}
    found = validate(validator_of(verifier=ScriptedVerifier(answers)), "ADR-3, ADR-4", source="user")
    assert (found.tier, found.code) == (REVIEW, TierReason.CHECK_FAILED)
    assert any(check.startswith("citation_check_failed: ADR-004 (") for check in found.checks_failed)


class NoRecords:
    """A provider that returns another type."""

    async def candidates(self, content, user_id, memory_type=None):
        return [content]


@pytest.mark.parametrize(
    ("provider", "why"),
    [
        pytest.param(None, "no_provider (there is no memory to compare with)", id="none"),
        pytest.param(Memories(error=OSError("secret")), "provider_failed (the provider raised OSError)", id="raises"),
        pytest.param(Memories(pause_s=60), "provider_failed (the provider raised TimeoutError)", id="hangs"),
        pytest.param(NoRecords(), "bad_record (id of a record must be a str, got NoneType)", id="no-records"),
    ],
)
@pytest.mark.parametrize("batch", [1, 2])
def test_a_provider_that_fails_approves_nothing(provider, why, batch):
    """C2 and the document's fail-closed: the code says why, in a batch and alone."""
    validator = validator_of(provider=provider, config=GroundedIngestionConfig(check_timeout_s=time_for(why)))
    claims = [claim_of(f"{ADR} in room {place}", source="user") for place in range(batch)]
    for found in asyncio.run(validator.validate_many(claims)):
        assert (found.tier, found.code) == (REVIEW, TierReason.DEDUP_FAILED)
        assert f"dedup_failed: {why}" in found.checks_failed


def test_an_embedder_that_fails_approves_nothing():
    """Ruling C18: "vector" without an embedder is a failed check, in a batch and alone."""
    validator = validator_of(config=GroundedIngestionConfig(dedup_method="vector"))
    for count in (1, 2):
        claims = [claim_of(f"{ADR} {place}") for place in range(count)]
        for found in asyncio.run(validator.validate_many(claims)):
            assert "dedup_failed: no_embedder (method 'vector' needs an embedder)" in found.checks_failed
            assert found.tier is REVIEW


class Tiring(Letters):
    """An embedder that stops after some calls."""

    def __init__(self, calls: int):
        self.calls = calls

    def encode(self, texts):
        """Return one count for each letter, until it stops."""
        self.calls -= 1
        if self.calls < 0:
            raise MemoryError
        return super().encode(texts)


@pytest.mark.parametrize("calls", range(8))
def test_an_embedder_that_fails_on_the_way_approves_nothing(calls):
    """Claims that were not compared go to review, whatever was found before."""
    config = GroundedIngestionConfig(dedup_method="vector", embedder=Tiring(calls))
    claims = [claim_of("Redis is in ADR-1"), claim_of("#77 was shipped by QA"), claim_of("Redis is in ADR-1")]
    found = asyncio.run(validator_of("We deploy on Tuesday", config=config).validate_many(claims))
    for one in found:
        listed = {*names(one.checks_passed), *names(one.checks_failed)}
        assert len({"dedup_failed", "no_duplicate", "duplicate_detected"} & listed) == 1
        assert not (one.approved and "dedup_failed" in listed)
    assert not found[2].approved


def test_a_verifier_that_is_false_is_used():
    """Its truth value says nothing: it may have a length of 0."""

    class Empty(ScriptedVerifier):
        def __len__(self):
            return 0

    verifier = Empty()
    assert validate(validator_of(verifier=verifier), "We use Redis for sessions, per ADR-1").tier is Tier.AUTO_APPROVE
    assert verifier.asked == [["1"]]


class Waiting(Letters):
    """Waits for the event loop, and records whether it went on."""

    def __init__(self):
        self.ticked = threading.Event()
        self.seen = []

    def encode(self, texts):
        """Return one count for each letter after the next tick of the loop."""
        self.ticked.clear()
        self.seen.append(self.ticked.wait(timeout=5))
        return super().encode(texts)


@pytest.mark.parametrize("count", [1, 3])
def test_other_tasks_go_on_while_an_embedder_is_asked(count):
    """An embedder may wait for a server, for single claims and for batches."""
    embedder = Waiting()
    config = GroundedIngestionConfig(dedup_method="vector", embedder=embedder)
    claims = [claim_of(f"{letter * 9} is in ADR-1") for letter in "xyz"[:count]]

    async def tick():
        while True:
            embedder.ticked.set()
            await asyncio.sleep(0.001)

    async def validated():
        ticking = asyncio.create_task(tick())
        found = await validator_of("We deploy on Tuesday", config=config).validate_many(claims)
        ticking.cancel()
        return found

    assert all("no_duplicate" in found.checks_passed for found in asyncio.run(validated()))
    assert embedder.seen
    assert all(embedder.seen)


class Changing:
    """A record whose content is a text only on first access."""

    id, memory_type = "mem-1", "fact"

    def __init__(self):
        self.looks = 0

    @property
    def content(self):
        """Return a str, and None afterwards."""
        self.looks += 1
        return "We deploy" if self.looks == 1 else 7


def test_any_other_failure_of_memories_approves_nothing():
    """This includes errors that the checker for duplicates does not expect."""
    provider = Memories()
    provider.records["user-1"] = [Changing()]
    found = validate(validator_of(provider=provider), ADR, source="user")
    assert (found.tier, found.checks_failed) == (REVIEW, ["dedup_failed: TypeError"])


def test_without_dedup_no_provider_is_called():
    """As specified: it is faster, and copies are not noticed."""
    provider = Memories(ADR)
    found = validate(validator_of(provider=provider, enable_dedup=False), ADR)
    assert (found.tier, provider.asked) == (APPROVE, [])
    assert "no_duplicate" not in found.checks_passed


def test_items_in_review_are_compared_too():
    """Ruling C16: the store and the queue of the same user count."""
    validator = validator_of(pending=Memories("", ADR))
    assert (validate(validator, ADR).tier, validate(validator, ADR).conflicting_memory_id) == (BLOCK, "mem-1")
    assert validate(validator, ADR, user_id="user-2").tier is APPROVE


def test_a_cancelled_task_is_no_failure():
    """The cancellation is raised from any call."""

    async def cancel(validator: IngestionValidator, asked: list) -> None:
        task = asyncio.create_task(validator.validate(ADR, "fact", "user", "user-1"))
        while not asked:
            await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()

    verifier, provider = ScriptedVerifier(pause_s=60), Memories(pause_s=60)
    asyncio.run(cancel(validator_of(verifier=verifier), verifier.asked))
    asyncio.run(cancel(validator_of(provider=provider), provider.asked))


def test_a_claim_that_is_too_long_is_not_read():
    """A megabyte takes no time, because its words are not read."""
    provider, verifier = Memories(), ScriptedVerifier()
    validator = validator_of(provider=provider, verifier=verifier)
    for content in ("May " * 250_000, "I think " + "x" * 20_000):
        found = validate(validator, content, source="user")
        assert (found.tier, found.code, found.hedges) == (REVIEW, TierReason.TOO_LONG, None)
        assert found.checks_failed == [f"too_long: {len(content)} characters"]
    assert (provider.asked, verifier.asked) == ([], [])
    short = GroundedIngestionConfig(max_claim_chars=len(ADR))
    assert validate(validator_of(config=short), ADR).tier is APPROVE
    assert validate(validator_of(config=short), ADR + "!").code is TierReason.TOO_LONG


def test_claims_of_a_model_may_need_review():
    """Ruling C18: with auto_approve_ai_synthesis=False all claims of a model go to review."""
    config = GroundedIngestionConfig(auto_approve_ai_synthesis=False)
    found = validate(validator_of(config=config), ADR)
    assert (found.code, found.checks_failed) == (TierReason.AI_SYNTHESIS, ["ai_synthesis"])
    assert validate(validator_of(config=config), ADR, source="chat").tier is APPROVE


@pytest.mark.parametrize(("confidence", "tier"), [("high", APPROVE), ("medium", REVIEW), ("low", REVIEW)])
def test_a_derived_claim_is_trusted_as_its_least_trusted_parent(confidence, tier):
    """Its own citations do not matter; its horizon is at most that of its parents."""
    parents = {
        "mem-1": EvidenceObject("a", NOON, "high"),
        "mem-2": EvidenceObject("b", NOON, confidence, validity_horizon=NOON + HOUR),
    }
    found = validate(validator_of(), ADR, parents=parents, validity_horizon=NOON + 2 * HOUR)
    assert (found.tier, found.evidence.confidence, found.evidence.parents) == (tier, confidence, ("mem-1", "mem-2"))
    assert found.evidence.validity_horizon == NOON + HOUR
    trusted = found.code is TierReason.CITATION_VERIFIED
    assert ("parents_trusted" in found.checks_passed) is trusted
    assert ("parent_less_trusted: mem-2" in found.checks_failed) is not trusted


def test_evidence_is_that_of_the_claim():
    """It has horizon and metadata, the latter copied; the time is the claim's own, or else the clock's."""
    metadata = {"step": 1}
    validator = validator_of(clock=lambda: NOON)
    found = validate(validator, ADR, validity_horizon=NOON + HOUR, metadata=metadata)
    evidence = EvidenceObject(ADR, NOON, "high", "ADR-003", NOON + HOUR, {"step": 1})
    assert replace(found.evidence, passages=()) == evidence
    metadata["step"] = 2
    assert found.evidence.metadata == {"step": 1}
    assert validate(validator, ADR, capture_time=NOON - HOUR).evidence.capture_time == NOON - HOUR


@pytest.mark.parametrize(
    ("content", "source_id", "source_ids"),
    [
        pytest.param("ADR-3 and ADR-003", "ADR-003", ["ADR-003"], id="one-record"),
        pytest.param("ADR-0, ADR-1234", "ADR-000", ["ADR-000", "ADR-1234"], id="other-lengths"),
        pytest.param("#12, ADR-7", "issue:12", ["issue:12", "ADR-007"], id="first-verified"),
        pytest.param("ADR-9, #12", "issue:12", ["ADR-009", "issue:12"], id="verified-before-first"),
        pytest.param("ADR-9, ADR-8", "ADR-009", ["ADR-009", "ADR-008"], id="first-of-none-verified"),
        pytest.param(
            "in a1b2c3d, https://a.example/x",
            "commit:a1b2c3d",
            [f"commit:{'a1b2c3d' + '0' * 33}", "https://a.example/x"],
            id="full-commit",
        ),
        pytest.param(
            "https://a.example/x/?utm_source=b and https://A.example/x",
            "https://a.example/x/?utm_source=b",
            ["https://a.example/x"],
            id="one-page",
        ),
        pytest.param("10.1000/182, o/r#5", "doi:10.1000/182", ["doi:10.1000/182", "issue:o/r#5"], id="others"),
        pytest.param("We deploy on Tuesday", None, [], id="nothing"),
    ],
)
def test_sources_have_one_name(content, source_id, source_ids):
    """`source_id` is the first verified citation as written; a store gets each source once, by its identity (C18)."""
    answers = {
        "9": REFUTED,
        "8": REFUTED,
        "a1b2c3d": make_result(VerificationReason.COMMIT_FOUND, full_id="a1b2c3d" + "0" * 33),
    }
    found = validate(validator_of(verifier=ScriptedVerifier(answers)), content, source="user")
    assert (found.evidence.source_id, [*found.source_ids]) == (source_id, source_ids)


def test_a_custom_verifier_may_leave_out_the_status():
    """The document's own `VerificationResult(valid=..., reason=...)` is accepted."""
    answers = {"003": VerificationResult(valid=False, reason="ADR not found")}
    found = validate(validator_of(verifier=ScriptedVerifier(answers)), ADR)
    assert (found.tier, found.code) == (REVIEW, TierReason.UNGROUNDED)
    assert "citation_unknown: ADR-003 (ADR not found)" in found.checks_failed
