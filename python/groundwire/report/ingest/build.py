"""Put what was said of claims, and done with them, into a report."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from groundwire.ingestion import CheckedCitation, Claim, HedgeCue, Tier, ValidationResult
from groundwire.ingestion.evidence import CitedPassage
from groundwire.ingestion.gate import Outcome
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
    Passage,
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
        called: What results call this claim where another one repeats or contradicts it.
        outcome: What was done; None for nothing.
        memory_id: The memory that it has become.
        queue_id: Where it waits for review.
        failure: Why the queue did not take it, as the class of an error.
        other_text: What the memory says that it repeats or contradicts, if that is none of the other claims.
    """

    result: ValidationResult
    called: str
    outcome: Outcome | None = None
    memory_id: str | None = None
    queue_id: str | None = None
    failure: str | None = None
    other_text: str | None = None


def build_ingest_report(offers: Sequence[Offer], handled: Sequence[Handled], settings: IngestSettings) -> IngestReport:
    """
    Return the report on claims.

    Args:
        offers: The claims.
        handled: What was said of each, and done with it, in the same order.
        settings: How they were validated.

    Raises:
        ValueError: There are not as many of either, or a result is not a validator's.
    """
    here: dict[str, int] = {}
    for place, each in enumerate(handled):
        here.setdefault(each.called, place)
    claims = tuple(
        _claim(number, offer, each, _other(each, here, offers))
        for number, (offer, each) in enumerate(zip(offers, handled, strict=True), start=1)
    )
    return IngestReport(
        schema_version=SCHEMA_VERSION,
        tool=tool(),
        settings=settings,
        claims=claims,
        summary=_summary(claims),
    )


def _other(handled: Handled, here: Mapping[str, int], offers: Sequence[Offer]) -> OtherMemory | None:
    """Return the memory that a claim repeats or contradicts, or the claim of this input."""
    name, similarity = handled.result.conflicting_memory_id, handled.result.similarity_score
    if name is None:
        return None
    place = here.get(name)
    if place is None:
        return OtherMemory(id=name, number=None, similarity=similarity, text=handled.other_text)
    return OtherMemory(id=name, number=place + 1, similarity=similarity, text=offers[place].claim.content)


def _claim(number: int, offer: Offer, handled: Handled, other: OtherMemory | None) -> ClaimReport:
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
        memory_type=str(claim.memory_type),
        source=str(claim.source),
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
        passages=tuple(map(_passage, result.evidence.passages)),
        other=other,
        memory_id=handled.memory_id,
        queue_id=handled.queue_id,
        failure=handled.failure,
    )


def _cue(cue: HedgeCue) -> Cue:
    return Cue(
        text=cue.text, start=cue.start, end=cue.end, category=cue.category, action=cue.action, language=cue.language
    )


def _passage(passage: CitedPassage) -> Passage:
    return Passage(**{name: getattr(passage, name) for name in Passage.__struct_fields__})


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


def _summary(claims: Sequence[ClaimReport]) -> IngestSummary:
    tiers = Counter(claim.tier for claim in claims)
    outcomes = Counter(claim.outcome for claim in claims)
    return IngestSummary(
        claims=len(claims),
        **{tier.value: tiers[tier] for tier in Tier},
        **{outcome.value: outcomes[outcome] for outcome in Outcome},
    )
