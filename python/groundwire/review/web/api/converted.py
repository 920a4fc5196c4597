"""What the queue says, as the API gives it."""

from msgspec import UNSET

from groundwire.errors import AlreadyDecided
from groundwire.review import records
from groundwire.review.details import Conflict
from groundwire.review.records import PendingMemory, ReviewEntry
from groundwire.review.web.api.types import (
    Cited,
    Claim,
    ClaimExcerpt,
    Contradiction,
    Decision,
    Entry,
    Evidence,
    Failure,
    Hedge,
    Part,
    Passage,
)
from groundwire.review.web.problems import Problem

__all__ = ["claim_of", "contradiction_of", "entry_of", "excerpt_of", "failure_of"]


def claim_of(one: PendingMemory) -> Claim:
    """Return a claim as the API gives it."""
    evidence = one.evidence
    own = ("evidence", "hedges", "citations", "checks_passed", "checks_failed", "state")
    same = {name: getattr(one, name) for name in Claim.__struct_fields__ if name not in own}
    return Claim(
        **same,
        state=str(one.state),
        checks_passed=list(one.checks_passed),
        checks_failed=list(one.checks_failed),
        hedges=[Hedge(text=cue.text, start=cue.start, end=cue.end, category=str(cue.category)) for cue in one.hedges],
        citations=[Cited(**{name: getattr(each, name) for name in Cited.__struct_fields__}) for each in one.citations],
        evidence=Evidence(
            capture_time=evidence.capture_time,
            confidence=evidence.confidence.value,
            source_id=evidence.source_id,
            validity_horizon=evidence.validity_horizon,
            metadata=dict(evidence.metadata),
            parents=list(evidence.parents),
            passages=[
                Passage(**{name: getattr(each, name) for name in Passage.__struct_fields__})
                for each in evidence.passages
            ],
        ),
    )


def excerpt_of(one: records.ClaimExcerpt) -> ClaimExcerpt:
    """Return a claim of a list as the API gives it."""
    same = {
        name: getattr(one, name) for name in ClaimExcerpt.__struct_fields__ if name not in ("state", "checks_failed")
    }
    return ClaimExcerpt(**same, state=str(one.state), checks_failed=list(one.checks_failed))


def contradiction_of(conflict: Conflict | None) -> Contradiction | None:
    """Return a conflict as the API gives it."""
    if conflict is None:
        return None
    parts = [Part(kind=part.kind, words=part.words) for part in conflict.parts]
    return Contradiction(memory_id=conflict.memory_id, content=conflict.content, parts=parts)


def entry_of(entry: ReviewEntry) -> Entry:
    """Return an entry of the audit as the API gives it."""
    same = {name: getattr(entry, name) for name in Entry.__struct_fields__ if name != "action"}
    return Entry(**same, action=str(entry.action))


def _decision_of(error: AlreadyDecided) -> Decision:
    """Return who was quicker as the API gives it."""
    return Decision(state=error.state, time=error.time, reviewer=error.reviewer, memory_id=error.memory_id)


def failure_of(problem: Problem) -> Failure:
    """Return what went wrong as the API gives it."""
    return Failure(
        error=problem.code,
        message=problem.message,
        field=UNSET if problem.field is None else problem.field,
        decided=UNSET if problem.decided is None else _decision_of(problem.decided),
    )
