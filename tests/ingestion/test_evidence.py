"""Evidence objects and validation results: printed fields, times with zones, lineage."""

from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone

import pytest

from groundwire.ingestion.evidence import Confidence, EvidenceObject, ValidationResult, derived_evidence
from groundwire.ingestion.tiers import Tier

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def evidence(confidence: str = "high", horizon: datetime | None = None) -> EvidenceObject:
    """Some memory's evidence."""
    return EvidenceObject("we use PostgreSQL", NOON, confidence, validity_horizon=horizon)


def test_evidence_has_the_printed_fields_first():
    """In the printed order, so that it can be made by position."""
    printed = ["claim", "capture_time", "confidence", "source_id", "validity_horizon", "metadata"]
    assert [one.name for one in fields(EvidenceObject)][:6] == printed


def test_a_result_has_the_printed_fields_first():
    """In the printed order, so that it can be made by position."""
    printed = ["tier", "approved", "reason", "evidence", "checks_passed", "checks_failed"]
    printed += ["similarity_score", "conflicting_memory_id"]
    assert [one.name for one in fields(ValidationResult)][:8] == printed


def test_metadata_is_not_shared():
    """Ruling C17: the printed default `{}` would be one dict for all."""
    one, other = evidence(), evidence()
    one.metadata["reviewed_by"] = "Ana"
    assert other.metadata == {}


@pytest.mark.parametrize("name", ["capture_time", "validity_horizon"])
def test_times_have_a_zone(name):
    """A time without one means another moment on every machine."""
    times = {"capture_time": NOON, "validity_horizon": NOON} | {name: datetime(2026, 5, 1)}
    with pytest.raises(ValueError, match=f"{name} must have a time zone"):
        EvidenceObject("claim", confidence="high", **times)
    with pytest.raises(TypeError, match=f"{name} must be a datetime, got str"):
        EvidenceObject("claim", confidence="high", **(times | {name: "2026-05-01"}))


def test_confidence_is_one_of_three():
    """The plain strings become members; another one is refused."""
    assert evidence("medium").confidence is Confidence.MEDIUM
    with pytest.raises(ValueError, match='must be one of high, medium, low; got "certain"'):
        evidence("certain")


@pytest.mark.parametrize(
    ("horizon", "is_valid"),
    [(None, True), (NOON + HOUR, True), (NOON, False), (NOON - HOUR, False), (NOON.astimezone(timezone(HOUR)), False)],
)
def test_a_claim_is_valid_until_its_horizon(horizon, is_valid):
    """The horizon is the first moment at which it is out of date, in whatever zone it is written."""
    assert evidence(horizon=horizon).is_valid_at(NOON) is is_valid


def test_validity_is_asked_for_a_time_with_a_zone():
    """Also where there is no horizon: whether a question can be asked does not depend on the memory."""
    with pytest.raises(ValueError, match="time must have a time zone"):
        evidence().is_valid_at(datetime(2026, 5, 1))


@pytest.mark.parametrize(
    ("own", "parents", "least"),
    [
        ("high", ["high", "high"], "high"),
        ("high", ["high", "low"], "low"),
        ("high", ["medium"], "medium"),
        ("low", ["high"], "low"),
    ],
)
def test_a_derived_claim_is_trusted_as_the_least_trusted_parent(own, parents, least):
    """And never more than it would be on its own."""
    memories = {f"mem-{index}": evidence(confidence) for index, confidence in enumerate(parents)}
    derived = derived_evidence("claim", memories, capture_time=NOON, confidence=own)
    assert (derived.confidence, derived.parents) == (least, tuple(memories))


def test_a_derived_claim_holds_as_long_as_its_parents():
    """The earliest horizon of all; None only where nobody has one."""
    memories = {"a": evidence(), "b": evidence(horizon=NOON + HOUR), "c": evidence(horizon=NOON + 2 * HOUR)}
    assert derived_evidence("claim", memories, capture_time=NOON).validity_horizon == NOON + HOUR
    own = derived_evidence("claim", memories, capture_time=NOON, validity_horizon=NOON, metadata={"step": 1})
    assert (own.validity_horizon, own.metadata) == (NOON, {"step": 1})
    assert derived_evidence("claim", {"a": evidence()}, capture_time=NOON).validity_horizon is None


def test_a_derived_claim_has_parents():
    """Without any there is nothing that it could be trusted as."""
    with pytest.raises(ValueError, match="at least one parent"):
        derived_evidence("claim", {}, capture_time=NOON)


@pytest.mark.parametrize("tier", Tier)
def test_only_tier_1_is_approved(tier):
    """A result cannot contradict itself."""
    is_approved = tier is Tier.AUTO_APPROVE
    assert ValidationResult(tier, is_approved, "reason", evidence()).approved is is_approved
    with pytest.raises(ValueError, match="contradicts"):
        ValidationResult(tier, not is_approved, "reason", evidence())


def test_tiers_have_the_confidence_of_their_headings():
    """High, medium and low, as the document's headings say."""
    assert [Confidence.of(tier) for tier in Tier] == ["high", "medium", "low"]
