"""From what was found out about a claim to the result: tier, reasons, evidence."""

from datetime import datetime

from groundwire.ingestion.checks import entries
from groundwire.ingestion.evidence import Confidence, EvidenceObject, ValidationResult, derived_evidence
from groundwire.ingestion.examination import Examination
from groundwire.ingestion.tiers import Tier, decide

__all__ = ["conclude"]


def conclude(found: Examination, capture_time: datetime) -> ValidationResult:
    """Return what becomes of a claim that was captured at *capture_time*, unless it says when itself."""
    decision = decide(found.findings())
    duplicate = found.duplicate
    is_named = duplicate is not None and duplicate.existing_memory_id is not None
    return ValidationResult(
        tier=decision.tier,
        approved=decision.tier is Tier.AUTO_APPROVE,
        reason=decision.reason,
        evidence=_evidence(found, Confidence.of(decision.tier), capture_time),
        checks_passed=entries(found, passes=True),
        checks_failed=entries(found, passes=False),
        similarity_score=duplicate.similarity if duplicate is not None and is_named else None,
        conflicting_memory_id=duplicate.existing_memory_id if duplicate is not None else found.recalled,
        code=decision.code,
        citations=tuple(found.citations),
        hedges=found.hedges,
    )


def _evidence(found: Examination, confidence: Confidence, capture_time: datetime) -> EvidenceObject:
    claim = found.claim
    capture_time = claim.capture_time or capture_time
    passages = () if found.relevance is None else found.relevance.passages
    if claim.parents:
        return derived_evidence(
            claim.content,
            claim.parents,
            capture_time=capture_time,
            confidence=confidence,
            source_id=found.first_source(),
            validity_horizon=claim.validity_horizon,
            metadata=claim.metadata,
            passages=passages,
        )
    return EvidenceObject(
        claim.content,
        capture_time,
        confidence,
        found.first_source(),
        claim.validity_horizon,
        dict(claim.metadata),
        passages=passages,
    )
