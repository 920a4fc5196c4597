"""Parameters with a closed set of values: any other value is refused, and the message lists the set."""

import asyncio
import inspect

import pyarrow as pa
import pytest

from groundwire import Source, Sources, normalize, read_transcript
from groundwire.bulk import assess_batch, dedup_batch, ground_batch, ground_file, ground_table
from groundwire.calibration import score_quotes
from groundwire.citations import RiskThresholds, assess_answer, assess_citations
from groundwire.evidence import QuotePolicy, validate_evidence_grounding
from groundwire.faithfulness import ClaimExtractor, FaithfulnessValidator, FieldPolicy
from groundwire.ingestion import (
    CitationDetector,
    CitationVerifier,
    Confidence,
    DedupChecker,
    GroundedIngestionConfig,
    HedgeDetector,
    IngestionValidator,
    StoreBackedIndex,
    VerificationResult,
)
from groundwire.labels import check_choice
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from groundwire.testing import assert_grounded

ROWS = pa.record_batch({"quote": ["a"], "source": ["a"], "text": ["a"]})
ANSWERS = pa.record_batch({"answer": ["a"], "results": [[{"id": "1"}]]})
MODES, PROFILES, TOKENS = ("substring", "fuzzy"), ("spec", "typographic"), ("unicode", "spec")
METHODS = ("jaccard", "minhash", "vector")


def offline() -> IngestionValidator:
    return IngestionValidator(enable_dedup=False)


# The function that gets the unknown value, and the values that its message must list.
CALLS = {
    "normalize-profile": (lambda x: normalize("a", profile=x), PROFILES),
    "normalize-marks": (lambda x: normalize("a", profile="typographic", marks=[x]), ("angle", "parentheses")),
    "source-profile": (lambda x: Source("a", profile=x), PROFILES),
    "source-find": (lambda x: Source("a").find("a", mode=x), MODES),
    "source-ground": (lambda x: Source("a").ground(["a"], mode=x), MODES),
    "sources-profile": (lambda x: Sources([], profile=x), PROFILES),
    "sources-find": (lambda x: Sources([]).find("a", mode=x), MODES),
    "sources-holders": (lambda x: Sources([]).holders("a", mode=x), MODES),
    "sources-ground": (lambda x: Sources([]).ground([], mode=x), MODES),
    "transcript-format": (lambda x: read_transcript("a\nb", format=x), ("text", "webvtt", "srt", "tsv", "json")),
    "transcript-profile": (lambda x: read_transcript("a\nb").source(x), PROFILES),
    "grounding-mode": (lambda x: validate_evidence_grounding({}, "a", mode=x), MODES),
    "grounding-guard": (lambda x: validate_evidence_grounding({}, "a", guard=x), ("meaning",)),
    "policy-accept": (
        lambda x: QuotePolicy(accept=[x]),
        ("elided", "exact", "found_elsewhere", "near", "normalized", "paraphrased"),
    ),
    "asserted-mode": (lambda x: assert_grounded(["a"], "a", mode=x), MODES),
    "asserted-policy": (lambda x: assert_grounded(["a"], "a", policy=x), ("guarded", "literal")),
    "cited-policy": (lambda x: assess_citations("a", [], policy=x), ("coverage", "spec")),
    "judge-when": (lambda x: assess_answer("a", "a", [], when=x), ("auto", "always", "moderate_only", "never")),
    "question-type": (lambda x: RiskThresholds.of(None, question_type=x), ("factual", "open")),
    "source-quality": (lambda x: RiskThresholds.of(None, source_quality=x), ("poor", "ordinary", "good")),
    "store-status": (lambda x: store().find("ann", status=x), ("active", "review")),
    "store-confidence": (lambda x: store().find("ann", confidence=x), ("low", "medium", "high")),
    "store-hash": (lambda x: store().hash_of(x, "a"), ("content", "person", "source", "item")),
    "queue-state": (lambda x: ReviewQueue().find("ann", state=x), ("pending", "stored", "rejected", "expired")),
    "dedup-method": (lambda x: DedupChecker(None, method=x), METHODS),
    "dedup-tokens": (lambda x: DedupChecker(None, tokens=x), TOKENS),
    "index-method": (lambda x: StoreBackedIndex(store(), method=x), METHODS),
    "index-tokens": (lambda x: StoreBackedIndex(store(), method="vector", tokens=x), TOKENS),
    "config-method": (lambda x: GroundedIngestionConfig(dedup_method=x), METHODS),
    "citation-policy": (lambda x: CitationDetector(policy=x), ("guarded", "spec")),
    "citation-verifiers": (lambda x: CitationVerifier(verifiers={x: None}), ("adr", "commit", "url", "issue", "doi")),
    "verification": (
        lambda x: VerificationResult(valid=False, reason="", status=x),
        ("verified", "refuted", "unknown"),
    ),
    "confidence-tier": (lambda x: Confidence.of(x), ("tier_1", "tier_2", "tier_3")),
    "hedge-lexicons": (lambda x: HedgeDetector(lexicons=[x]), ("en", "zh")),
    "persona-policies": (lambda x: FaithfulnessValidator(policies={"a": x}), tuple(FieldPolicy)),
    "claim-policies": (lambda x: ClaimExtractor(policies={"a": x}), tuple(FieldPolicy)),
    "hhem": (lambda x: FaithfulnessValidator(hhem=x), ("require",)),
    "calibrated-policy": (lambda x: score_quotes(None, x), ("fuzzy", "guarded")),
    "batch-mode": (lambda x: ground_batch(ROWS, mode=x), MODES),
    "batch-profile": (lambda x: ground_batch(ROWS, profile=x), PROFILES),
    "batch-marks": (lambda x: ground_batch(ROWS, marks=[x]), ("angle", "parentheses")),
    "batch-policy": (lambda x: ground_batch(ROWS, policy=x), ("literal", "guarded")),
    "table-mode": (lambda x: ground_table(pa.Table.from_batches([ROWS]), mode=x), MODES),
    "file-mode": (lambda x: ground_file("a.jsonl", "b.jsonl", mode=x), MODES),
    "file-policy": (lambda x: ground_file("a.jsonl", "b.jsonl", policy=x), ("literal", "guarded")),
    "dedup-batch": (lambda x: dedup_batch(ROWS, tokens=x), TOKENS),
    "answers-policy": (lambda x: assess_batch(ANSWERS, policy=x), ("coverage", "spec")),
}


def store() -> MemoryStore:
    return MemoryStore(":memory:")


def finish(result: object) -> None:
    """Run *result* if it is a coroutine: such a function checks its arguments when it runs."""
    if inspect.iscoroutine(result):
        asyncio.run(result)


@pytest.mark.parametrize(("call", "known"), CALLS.values(), ids=CALLS.keys())
def test_an_unknown_value_is_an_error_that_lists_the_known_ones(call, known):
    """An unknown value never means "none of them" or the default."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is looked at below
        finish(call("nonsense"))
    assert [value for value in known if value not in str(caught.value)] == []


@pytest.mark.parametrize("value", ["active", "review"])
def test_a_known_value_may_be_a_plain_string(value):
    """Members of an enumeration and their values are accepted."""
    assert check_choice("status", value, ("active", "review")) == value


def test_an_error_never_shows_a_sentence():
    """A value is shown only if it looks like a name; another type is a TypeError."""
    with pytest.raises(ValueError, match=r'mode must be one of "a", "b", got <a name of 12 characters>'):
        check_choice("mode", "she said no.", ("a", "b"))
    with pytest.raises(TypeError, match=r'mode must be one of "a", "b", got int'):
        check_choice("mode", 3, ("a", "b"))
