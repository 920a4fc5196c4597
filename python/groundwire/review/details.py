"""What the checks said of a claim, kept with it: as JSON, and back."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from groundwire.ingestion.evidence import CheckedCitation, CitedPassage, Confidence, EvidenceObject, ValidationResult
from groundwire.ingestion.hedges.results import HedgeCategory, HedgeCue
from groundwire.labels import is_label
from groundwire.memory.records import check_label, check_metadata, check_text
from groundwire.review.records import PendingCitation

__all__ = ["Details", "failed_checks", "read_details", "write_details"]

# An item is listed under so many of the checks it failed; a validator has fewer.
_CHECKS_MAX = 32


@dataclass(frozen=True, slots=True)
class Details:
    """
    What does not change while a claim waits; see `PendingMemory`.

    Attributes:
        source_ids: Everything the claim rests on.
    """

    evidence: EvidenceObject
    reason: str = ""
    code: str | None = None
    checks_passed: tuple[str, ...] = ()
    checks_failed: tuple[str, ...] = ()
    similarity_score: float | None = None
    conflicting_memory_id: str | None = None
    hedges: tuple[HedgeCue, ...] = ()
    citations: tuple[PendingCitation, ...] = ()
    source_ids: tuple[str, ...] = ()

    @classmethod
    def of(cls, evidence: EvidenceObject, result: ValidationResult | None) -> "Details":
        """
        Return what is kept of a validation.

        Raises:
            ValueError: Metadata is no JSON, a text holds what databases do not keep, or a parent's id is no label.
            TypeError: A value is of another type.
        """
        _check_evidence(evidence)
        own = () if evidence.source_id is None else (evidence.source_id,)
        if result is None:
            return cls(evidence, source_ids=own)
        if not isinstance(result, ValidationResult):
            raise TypeError(f"validation_result must be a ValidationResult, got {type(result).__name__}")
        source_ids = tuple(dict.fromkeys((*(checked.source_id for checked in result.citations), *own)))
        for source_id in source_ids:
            check_text(source_id, "a source id")
        return cls(
            evidence,
            reason=result.reason,
            code=None if result.code is None else str(result.code),
            checks_passed=tuple(result.checks_passed),
            checks_failed=tuple(result.checks_failed),
            similarity_score=result.similarity_score,
            conflicting_memory_id=result.conflicting_memory_id,
            hedges=() if result.hedges is None else result.hedges.cues,
            citations=tuple(_citation(checked) for checked in result.citations),
            source_ids=source_ids,
        )


def failed_checks(details: Details) -> list[str]:
    """Return the names of the checks that failed, each once: `hedge_words_detected` of `hedge_words_detected: may`."""
    names = dict.fromkeys(check.partition(":")[0] for check in details.checks_failed)
    return [name for name in names if is_label(name)][:_CHECKS_MAX]


def write_details(details: Details) -> str:
    """Return *details* as JSON."""
    evidence = details.evidence
    said = {
        name: getattr(details, name) for name in Details.__slots__ if name not in ("evidence", "hedges", "citations")
    }
    said["hedges"] = [[cue.text, cue.start, cue.end, cue.category.value, cue.language] for cue in details.hedges]
    said["citations"] = [asdict(citation) for citation in details.citations]
    said["evidence"] = {
        "claim": evidence.claim,
        "capture_time": evidence.capture_time.isoformat(),
        "confidence": evidence.confidence.value,
        "source_id": evidence.source_id,
        "validity_horizon": None if evidence.validity_horizon is None else evidence.validity_horizon.isoformat(),
        "metadata": evidence.metadata,
        "parents": evidence.parents,
        "passages": [asdict(passage) for passage in evidence.passages],
    }
    return json.dumps(said)


def read_details(written: str) -> Details:
    """
    Return what `write_details` wrote.

    Raises:
        ValueError, TypeError, KeyError: It wrote something else.
    """
    said: dict[str, Any] = json.loads(written)
    return Details(
        evidence=_evidence(said["evidence"]),
        reason=said["reason"],
        code=said["code"],
        checks_passed=tuple(said["checks_passed"]),
        checks_failed=tuple(said["checks_failed"]),
        similarity_score=said["similarity_score"],
        conflicting_memory_id=said["conflicting_memory_id"],
        hedges=tuple(
            HedgeCue(text, start, end, HedgeCategory(category), language)
            for text, start, end, category, language in said["hedges"]
        ),
        citations=tuple(PendingCitation(**citation) for citation in said["citations"]),
        source_ids=tuple(said["source_ids"]),
    )


def _evidence(said: Mapping[str, Any]) -> EvidenceObject:
    horizon = said["validity_horizon"]
    return EvidenceObject(
        claim=said["claim"],
        capture_time=datetime.fromisoformat(said["capture_time"]),
        confidence=Confidence(said["confidence"]),
        source_id=said["source_id"],
        validity_horizon=None if horizon is None else datetime.fromisoformat(horizon),
        metadata=said["metadata"],
        parents=tuple(said["parents"]),
        # Claims that were queued by an earlier version have none.
        passages=tuple(CitedPassage(**passage) for passage in said.get("passages", ())),
    )


def _citation(checked: CheckedCitation) -> PendingCitation:
    citation, result = checked.citation, checked.result
    return PendingCitation(
        type=str(citation.type),
        name=checked.name,
        value=citation.value,
        start=citation.start,
        end=citation.end,
        status=str(result.status),
        reason=result.reason,
        code=str(result.code),
    )


def _check_evidence(evidence: EvidenceObject) -> None:
    if not isinstance(evidence, EvidenceObject):
        raise TypeError(f"evidence must be an EvidenceObject, got {type(evidence).__name__}")
    if evidence.source_id is not None:
        check_text(evidence.source_id, "source_id")
    for parent in evidence.parents:
        check_label(parent, "the id of a parent")
    for passage in evidence.passages:
        check_text(passage.source, "the source of a passage")
        if passage.text is not None:
            check_text(passage.text, "a passage")
    check_metadata(evidence.metadata)
