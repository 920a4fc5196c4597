"""Put what was said of claims, and done with them, into a report."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from groundwire.ingestion import CheckedCitation, Claim, HedgeCue, Tier, ValidationResult
from groundwire.report.assembly import tool
from groundwire.report.ingest.model import (
    SCHEMA_VERSION,
    CitedThing,
    ClaimReport,
    Cue,
    IngestReport,
    IngestSettings,
    IngestSummary,
    OtherMemory,
    Outcome,
)

__all__ = ["Handled", "Offer", "build_ingest_report"]


class Offer(NamedTuple):
    """
    A claim, and where it comes from.

    Attributes:
        claim: The claim.
        name: Where it stands: file and line, or its place on the command line.
        id: What the input calls it.
        line: Its line, from 1.
    """

    claim: Claim
    name: str
    id: str | None = None
    line: int | None = None


class Handled(NamedTuple):
    """
    What was said of a claim, and done with it.

    Attributes:
        result: What was said.
        outcome: What was done.
        memory_id: The memory that it has become.
        queue_id: Where it waits for review.
    """

    result: ValidationResult
    outcome: Outcome
    memory_id: str | None = None
    queue_id: str | None = None


def build_ingest_report(
    offers: Sequence[Offer],
    handled: Sequence[Handled],
    settings: IngestSettings,
    *,
    text_of: Callable[[str, str], str | None] = lambda _id, _user: None,
) -> IngestReport:
    """
    Return the report on claims.

    Args:
        offers: The claims.
        handled: What was said of each, and done with it, in the same order.
        settings: How they were validated.
        text_of: What a memory says, by its id and its user; None if nobody knows.

    Raises:
        ValueError: There are not as many of either.
    """
    by_name = {offer.name: offer.claim.content for offer in offers}

    def text(name: str, user_id: str) -> str | None:
        return by_name[name] if name in by_name else text_of(name, user_id)

    pairs = enumerate(zip(offers, handled, strict=True), start=1)
    claims = tuple(_claim(number, offer, each, text) for number, (offer, each) in pairs)
    return IngestReport(
        schema_version=SCHEMA_VERSION,
        tool=tool(),
        settings=settings,
        claims=claims,
        summary=_summary(claims),
    )


def _claim(number: int, offer: Offer, handled: Handled, text_of: Callable[[str, str], str | None]) -> ClaimReport:
    claim, result = offer.claim, handled.result
    if result.code is None:
        raise ValueError(f"result {number} has no code: it is not a validator's")
    cues = result.hedges.cues if result.hedges is not None else ()
    return ClaimReport(
        number=number,
        id=offer.id,
        name=offer.name,
        line=offer.line,
        content=claim.content,
        memory_type=claim.memory_type,
        source=claim.source,
        user_id=claim.user_id,
        tier=result.tier,
        approved=result.approved,
        outcome=handled.outcome,
        code=result.code,
        reason=result.reason,
        checks_passed=tuple(result.checks_passed),
        checks_failed=tuple(result.checks_failed),
        confidence=result.evidence.confidence,
        source_ids=result.source_ids,
        cues=tuple(map(_cue, cues)),
        citations=tuple(_cited(claim.content, each) for each in result.citations),
        other=_other(result, claim.user_id, text_of),
        memory_id=handled.memory_id,
        queue_id=handled.queue_id,
    )


def _cue(cue: HedgeCue) -> Cue:
    return Cue(
        text=cue.text, start=cue.start, end=cue.end, category=cue.category, action=cue.action, language=cue.language
    )


def _cited(content: str, checked: CheckedCitation) -> CitedThing:
    citation, result = checked.citation, checked.result
    return CitedThing(
        type=citation.type,
        name=checked.name,
        text=content[citation.start : citation.end],
        start=citation.start,
        end=citation.end,
        status=result.status,
        code=result.code,
        words=result.reason,
    )


def _other(
    result: ValidationResult, user_id: str, text_of: Callable[[str, str], str | None]
) -> OtherMemory | None:
    other = result.conflicting_memory_id
    if other is None:
        return None
    return OtherMemory(id=other, similarity=result.similarity_score, text=text_of(other, user_id))


def _summary(claims: Sequence[ClaimReport]) -> IngestSummary:
    tiers = Counter(claim.tier for claim in claims)
    outcomes = Counter(claim.outcome for claim in claims)
    return IngestSummary(
        claims=len(claims),
        **{tier.value: tiers[tier] for tier in Tier},
        **{outcome.value: outcomes[outcome] for outcome in Outcome},
    )
