"""What the queue says, as the API gives it."""

from msgspec import UNSET

from groundwire.errors import AlreadyDecided
from groundwire.review import records
from groundwire.review.details import ClaimConflict
from groundwire.review.records import PendingMemory, ReviewEvent
from groundwire.review.web.api.types import (
    CitationBody,
    ConflictBody,
    DecisionBody,
    DiffPartBody,
    EventBody,
    EvidenceBody,
    FailureBody,
    HedgeBody,
    ItemBody,
    ItemExcerptBody,
    PassageBody,
)
from groundwire.review.web.problems import Problem

__all__ = ["to_conflict_body", "to_event_body", "to_excerpt_body", "to_failure_body", "to_item_body"]


def to_item_body(one: PendingMemory) -> ItemBody:
    """Return a claim as the API gives it."""
    evidence = one.evidence
    own = ("evidence", "hedges", "citations", "checks_passed", "checks_failed", "state")
    same = {name: getattr(one, name) for name in ItemBody.__struct_fields__ if name not in own}
    return ItemBody(
        **same,
        state=str(one.state),
        checks_passed=list(one.checks_passed),
        checks_failed=list(one.checks_failed),
        hedges=[
            HedgeBody(text=cue.text, start=cue.start, end=cue.end, category=str(cue.category)) for cue in one.hedges
        ],
        citations=[
            CitationBody(**{name: getattr(each, name) for name in CitationBody.__struct_fields__})
            for each in one.citations
        ],
        evidence=EvidenceBody(
            capture_time=evidence.capture_time,
            confidence=evidence.confidence.value,
            source_id=evidence.source_id,
            validity_horizon=evidence.validity_horizon,
            metadata=dict(evidence.metadata),
            parents=list(evidence.parents),
            passages=[
                PassageBody(**{name: getattr(each, name) for name in PassageBody.__struct_fields__})
                for each in evidence.passages
            ],
        ),
    )


def to_excerpt_body(one: records.ClaimExcerpt) -> ItemExcerptBody:
    """Return a claim of a list as the API gives it."""
    same = {
        name: getattr(one, name) for name in ItemExcerptBody.__struct_fields__ if name not in ("state", "checks_failed")
    }
    return ItemExcerptBody(**same, state=str(one.state), checks_failed=list(one.checks_failed))


def to_conflict_body(conflict: ClaimConflict | None) -> ConflictBody | None:
    """Return a conflict as the API gives it."""
    if conflict is None:
        return None
    parts = [DiffPartBody(kind=part.kind, words=part.words) for part in conflict.parts]
    return ConflictBody(memory_id=conflict.memory_id, content=conflict.content, parts=parts)


def to_event_body(entry: ReviewEvent) -> EventBody:
    """Return an entry of the audit as the API gives it."""
    same = {name: getattr(entry, name) for name in EventBody.__struct_fields__ if name != "action"}
    return EventBody(**same, action=str(entry.action))


def _to_decision_body(error: AlreadyDecided) -> DecisionBody:
    """Return who was quicker as the API gives it."""
    return DecisionBody(state=error.state, time=error.time, reviewer=error.reviewer, memory_id=error.memory_id)


def to_failure_body(problem: Problem) -> FailureBody:
    """Return what went wrong as the API gives it."""
    return FailureBody(
        error=problem.code,
        message=problem.message,
        field=UNSET if problem.field is None else problem.field,
        decided=UNSET if problem.decided is None else _to_decision_body(problem.decided),
    )
