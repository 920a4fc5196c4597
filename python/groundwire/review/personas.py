"""
Sends claims of personas to the review queue, and returns the decisions on them (ruling D14).

A claim goes to the queue if it is weak or contradicted. Its identity is a hash of the claim, its path, its persona and
the text of the sources. With another persona or other sources it is another claim, which needs its own decision.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import chain

from groundwire.errors import QueueFull
from groundwire.faithfulness.personas import Persona
from groundwire.faithfulness.results import ClaimResult, ClaimReview, FaithfulnessResult, ReviewStatus, rates_of
from groundwire.faithfulness.search import PreparedSources
from groundwire.faithfulness.source_data.reading import SourceData
from groundwire.ingestion.records import Confidence, EvidenceObject, ValidationResult
from groundwire.ingestion.tiers import Tier
from groundwire.labels import plural
from groundwire.review.queue import ReviewQueue
from groundwire.review.records import PendingMemory, QueueState

__all__ = ["PERSONA_CLAIM", "review_persona_claims", "source_digest"]

PERSONA_CLAIM = "persona_claim"
"""The type and the source of these claims in the queue, and of approved ones as memories."""

# The number of hexadecimal digits of the identity in the text of a claim.
_IDENTITY_DIGITS = 12
# Characters that databases do not keep, but personas in JSON may have.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# The number of passages that the reviewer sees, and the characters before and after the evidence in each.
_SHOWN_PASSAGES = 3
_PASSAGE_MARGIN_CHARS = 400
_STATUSES = {
    QueueState.PENDING: ReviewStatus.WAITING,
    QueueState.PROCESSING: ReviewStatus.WAITING,
    QueueState.STORED: ReviewStatus.APPROVED,
    QueueState.REJECTED: ReviewStatus.REJECTED,
    QueueState.EXPIRED: ReviewStatus.EXPIRED,
}


async def review_persona_claims(
    queue: ReviewQueue,
    personas: Sequence[Persona],
    results: Sequence[FaithfulnessResult],
    *,
    source_data: object,
    user_id: str,
) -> list[tuple[ClaimReview | None, ...]]:
    """
    Send weak and contradicted claims to *queue*, and return the state of each claim there.

    A claim that is already in the queue is not sent again; its decision is returned. No score changes.

    Args:
        queue: The queue.
        personas: The personas of `groundwire.faithfulness.read_personas`.
        results: The result of each persona, in the same order.
        source_data: The sources of the results, for `SourceData`, or `PreparedSources`.
        user_id: The user that the claims belong to.

    Returns:
        For each result, the state of each of its `claim_details` in the queue, in their order; None for a claim that
        needs no review.

    Raises:
        ValueError: The numbers of personas and results differ.
        MemoryStoreError: The queue's database has failed.
    """
    if len(personas) != len(results):
        raise ValueError(f"there are {plural(len(personas), 'persona')} and {plural(len(results), 'result')}")
    sources = source_digest(source_data)
    return [
        await _persona_reviews(queue, persona, result, sources, user_id)
        for persona, result in zip(personas, results, strict=True)
    ]


def source_digest(source_data: object) -> str:
    """Return the SHA-256 of the texts of the units of sources, in hexadecimal, without the names of the sources."""
    if isinstance(source_data, PreparedSources):
        units = chain.from_iterable(part.units for part in source_data.parts)
    else:
        units = chain(SourceData(source_data).units())
    digest = hashlib.sha256()
    for unit in units:
        # Answers with their questions repeat the text of other units.
        if not unit.answer_start:
            text = unit.text.encode("utf-8", "surrogatepass")
            digest.update(len(text).to_bytes(8, "big") + text)
    return digest.hexdigest()


async def _persona_reviews(
    queue: ReviewQueue, persona: Persona, result: FaithfulnessResult, sources: str, user_id: str
) -> tuple[ClaimReview | None, ...]:
    person = _digest(json.dumps(persona, sort_keys=True, ensure_ascii=True, default=str))
    reviews: list[ClaimReview | None] = []
    for claim in result.claim_details:
        reason = _review_reason(claim, result.threshold)
        if reason is None:
            reviews.append(None)
            continue
        identity = _digest(json.dumps([claim.claim, claim.details.path, person, sources]))
        evidence = _evidence(claim, identity, person, sources)
        validation = ValidationResult(
            tier=Tier.FLAG_REVIEW,
            approved=False,
            reason=reason,
            evidence=evidence,
            checks_failed=[f"{PERSONA_CLAIM}_{'contradicted' if claim.contradicted else 'weak'}"],
        )
        try:
            queue_id = await queue.enqueue(
                user_id, evidence.claim, PERSONA_CLAIM, PERSONA_CLAIM, evidence, validation, idempotency_key=identity
            )
        except QueueFull:
            reviews.append(ClaimReview(ReviewStatus.QUEUE_FULL))
        else:
            reviews.append(_review(await queue.get_by_id(queue_id, user_id)))
    return tuple(reviews)


def _review_reason(claim: ClaimResult, threshold: float) -> str | None:
    """Return the reason for a review of *claim*, or None."""
    if claim.contradicted:
        return "a source contradicts this claim of a persona"
    if rates_of([(claim.confidence, False)], threshold=threshold).weak_claims:
        return "no source supports this claim of a persona well enough"
    return None


def _evidence(claim: ClaimResult, identity: str, person: str, sources: str) -> EvidenceObject:
    """Return the evidence for the reviewer: the claim, and the passages that decided."""
    passages = [
        {
            "place": str(each.unit.locator),
            "text": each.unit.text[max(0, each.start - _PASSAGE_MARGIN_CHARS) : each.end + _PASSAGE_MARGIN_CHARS],
            "kind": str(each.kind),
        }
        for each in (*claim.contradictions, *claim.near_misses)[:_SHOWN_PASSAGES]
    ]
    text = _UNSTORABLE.sub("\ufffd", claim.claim)
    return EvidenceObject(
        # The queue treats equal texts as one claim, but these are two if persona or sources differ.
        claim=f"{text} (persona claim {identity[:_IDENTITY_DIGITS]})",
        capture_time=datetime.now(UTC),
        confidence=Confidence.LOW,
        metadata={
            "path": claim.details.path,
            "confidence": claim.confidence,
            "passages": passages,
            "persona_sha256": person,
            "sources_sha256": sources,
        },
    )


def _review(pending: PendingMemory) -> ClaimReview:
    return ClaimReview(
        _STATUSES[pending.state],
        queue_id=pending.queue_id,
        reviewer=pending.reviewer if pending.state.is_final else None,
        decided_at=pending.decided_at if pending.state.is_final else None,
        reason=pending.decision_reason,
        is_edited=pending.original_content is not None,
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
