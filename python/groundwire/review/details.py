"""Stores the results of the checks with a claim, as JSON, and computes the word diff of two claims."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple

from groundwire._engine import Source
from groundwire.ingestion.citation_detector import CitationDetector
from groundwire.ingestion.hedges import HedgeCategory, HedgeCue
from groundwire.ingestion.records import (
    CheckedCitation,
    CitedPassage,
    Confidence,
    EvidenceObject,
    ValidationResult,
    first_source,
)
from groundwire.ingestion.verification.protocol import VerificationReason, VerificationResult, make_result
from groundwire.labels import is_label
from groundwire.memory import StoredMemory
from groundwire.memory.identity import is_same_source, most_specific_sources, rests_on
from groundwire.memory.records import Textless, as_microseconds, check_label, check_metadata, check_text, textless
from groundwire.review.records import PendingCitation

__all__ = [
    "REVIEW_CHECKS",
    "CheckDetails",
    "ClaimConflict",
    "DiffPart",
    "Edit",
    "failed_checks",
    "read_details",
    "reread_details",
    "word_diff",
    "write_details",
]

SOURCE_REVOKED, SENT_BACK = "source_revoked", "sent_to_review"

REVIEW_CHECKS = {
    SOURCE_REVOKED: "one of its sources was revoked",
    SENT_BACK: "the memory was sent back to review",
}
"""The reasons why a memory is in review again, with their descriptions."""

# The maximum number of failed checks that an item is listed under; a validator has fewer.
_CHECKS_MAX = 32


@dataclass(frozen=True, slots=True, repr=False)
class CheckDetails(Textless):
    """
    The results of the checks of a claim, which only an edit changes; see `PendingMemory`.

    Attributes:
        source_ids: The sources that the claim rests on.
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
    def of(cls, evidence: EvidenceObject, validation: ValidationResult | None) -> "CheckDetails":
        """
        Return the stored part of a validation.

        Raises:
            ValueError: Metadata is not JSON, databases cannot keep a text or a time, or a parent's id is not a label.
            TypeError: A value is of another type.
        """
        _check_evidence(evidence)
        own = () if evidence.source_id is None else (evidence.source_id,)
        if validation is None:
            return cls(evidence, source_ids=most_specific_sources(own))
        if not isinstance(validation, ValidationResult):
            raise TypeError(f"validation_result must be a ValidationResult, got {type(validation).__name__}")
        source_ids = most_specific_sources((*(checked.source_id for checked in validation.citations), *own))
        for source_id in source_ids:
            check_text(source_id, "a source id")
        return cls(
            evidence,
            reason=validation.reason,
            code=None if validation.code is None else str(validation.code),
            checks_passed=tuple(validation.checks_passed),
            checks_failed=tuple(validation.checks_failed),
            similarity_score=validation.similarity_score,
            conflicting_memory_id=validation.conflicting_memory_id,
            hedges=() if validation.hedges is None else validation.hedges.cues,
            citations=tuple(_citation(checked) for checked in validation.citations),
            source_ids=source_ids,
        )

    @classmethod
    def of_memory(cls, memory: StoredMemory, *, reason: str | None, source: str | None) -> "CheckDetails":
        """
        Return the details of a memory that is in review again.

        Args:
            memory: The memory.
            reason: The reason, a label.
            source: The revoked source, if any.
        """
        check, about = (SENT_BACK, reason) if source is None else (SOURCE_REVOKED, source)
        other = replace(make_result(VerificationReason.NOT_LOOKED_UP), reason="Not looked up again")
        revoked = VerificationResult(valid=False, reason="This source was revoked")
        cited = [
            CheckedCitation(each, revoked if source is not None and is_same_source(each.identity, source) else other)
            for each in CitationDetector().detect(memory.content)
        ]
        evidence = EvidenceObject(
            claim=memory.content,
            capture_time=memory.capture_time,
            confidence=Confidence(memory.confidence),
            source_id=next(iter(memory.source_ids), None),
            validity_horizon=memory.validity_horizon,
            metadata=dict(memory.metadata),
            parents=memory.parents,
        )
        return cls(
            evidence,
            reason=REVIEW_CHECKS[check][0].upper() + REVIEW_CHECKS[check][1:],
            code=check,
            checks_failed=(check if about is None else f"{check}: {about}",),
            citations=tuple(map(_citation, cited)),
            source_ids=memory.source_ids,
        )


@dataclass(frozen=True, slots=True, repr=False)
class Edit(Textless):
    """
    A reviewer's edit of a claim.

    Attributes:
        content: The new text.
        citations: Its citations, with their verification.
    """

    content: str
    citations: tuple[CheckedCitation, ...] = ()


def reread_details(details: CheckDetails, edit: Edit) -> CheckDetails:
    """
    Return *details* with the citations, the evidence and the sources of an edited claim (ruling C18).

    Sources that only the submitted text cites are removed; other sources of the submission stay. The checks remain
    those of the submitted text.
    """
    cited_before = [citation.name for citation in details.citations]
    kept = [source for source in details.source_ids if not rests_on(cited_before, source)]
    named = details.evidence.source_id
    if named is None or rests_on(cited_before, named):
        named = first_source(edit.citations)
    return replace(
        details,
        evidence=replace(details.evidence, source_id=named),
        citations=tuple(_citation(checked) for checked in edit.citations),
        source_ids=most_specific_sources((*(checked.source_id for checked in edit.citations), *kept)),
    )


def failed_checks(details: CheckDetails) -> list[str]:
    """Return the names of the failed checks without their details, each once."""
    names = dict.fromkeys(check.partition(":")[0] for check in details.checks_failed)
    return [name for name in names if is_label(name)][:_CHECKS_MAX]


def write_details(details: CheckDetails) -> str:
    """Return *details* as JSON."""
    evidence = details.evidence
    data = {
        name: getattr(details, name)
        for name in CheckDetails.__slots__
        if name not in ("evidence", "hedges", "citations")
    }
    data["hedges"] = [[cue.text, cue.start, cue.end, cue.category.value, cue.language] for cue in details.hedges]
    data["citations"] = [asdict(citation) for citation in details.citations]
    data["evidence"] = {
        "claim": evidence.claim,
        "capture_time": evidence.capture_time.isoformat(),
        "confidence": evidence.confidence.value,
        "source_id": evidence.source_id,
        "validity_horizon": None if evidence.validity_horizon is None else evidence.validity_horizon.isoformat(),
        "metadata": dict(evidence.metadata),
        "parents": evidence.parents,
        "passages": [asdict(passage) for passage in evidence.passages],
    }
    return json.dumps(data)


def read_details(written: str) -> CheckDetails:
    """
    Return what `write_details` wrote.

    Raises:
        ValueError, TypeError, KeyError: It did not write this.
    """
    data: dict[str, Any] = json.loads(written)
    return CheckDetails(
        evidence=_evidence(data["evidence"]),
        reason=data["reason"],
        code=data["code"],
        checks_passed=tuple(data["checks_passed"]),
        checks_failed=tuple(data["checks_failed"]),
        similarity_score=data["similarity_score"],
        conflicting_memory_id=data["conflicting_memory_id"],
        hedges=tuple(
            HedgeCue(text, start, end, HedgeCategory(category), language)
            for text, start, end, category, language in data["hedges"]
        ),
        citations=tuple(PendingCitation(**citation) for citation in data["citations"]),
        source_ids=tuple(data["source_ids"]),
    )


def _evidence(data: Mapping[str, Any]) -> EvidenceObject:
    horizon = data["validity_horizon"]
    return EvidenceObject(
        claim=data["claim"],
        capture_time=datetime.fromisoformat(data["capture_time"]),
        confidence=Confidence(data["confidence"]),
        source_id=data["source_id"],
        validity_horizon=None if horizon is None else datetime.fromisoformat(horizon),
        metadata=data["metadata"],
        parents=tuple(data["parents"]),
        # Claims queued by an earlier version have none.
        passages=tuple(CitedPassage(**passage) for passage in data.get("passages", ())),
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
    as_microseconds(evidence.capture_time, "capture_time")
    if evidence.validity_horizon is not None:
        as_microseconds(evidence.validity_horizon, "validity_horizon")
    if evidence.source_id is not None:
        check_text(evidence.source_id, "source_id")
    for parent in evidence.parents:
        check_label(parent, "the id of a parent")
    for passage in evidence.passages:
        check_text(passage.source, "the source of a passage")
        if passage.text is not None:
            check_text(passage.text, "a passage")
    check_metadata(evidence.metadata)


class DiffPart(NamedTuple):
    """
    A part of a word diff.

    Attributes:
        kind: Whether both texts have it, only the earlier one, or only the later one.
        words: Its text.
    """

    kind: Literal["same", "removed", "added"]
    words: str

    def __repr__(self) -> str:
        return textless(self, self._asdict())


class ClaimConflict(NamedTuple):
    """
    The memory or pending claim that a claim contradicts or repeats.

    Attributes:
        memory_id: Its id.
        content: Its text.
        parts: The word diff from its text to the claim.
    """

    memory_id: str
    content: str
    parts: tuple[DiffPart, ...]

    def __repr__(self) -> str:
        return textless(self, self._asdict())


def word_diff(earlier: str, later: str) -> tuple[DiffPart, ...]:
    """
    Return the word diff of two texts, in the order of the texts.

    The parts that are not removed add up to *later*, character for character. A hundred
    thousand characters take about a second.
    """
    parts, end = [], 0
    for start, stop, gone, gone_to in Source(earlier).align(later, 0, len(earlier)).edits:
        parts += [
            DiffPart("same", later[end:start]),
            DiffPart("removed", earlier[gone:gone_to]),
            DiffPart("added", later[start:stop]),
        ]
        end = stop
    parts.append(DiffPart("same", later[end:]))
    return tuple(part for part in parts if part.words)
