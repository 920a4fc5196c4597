"""Holds the ingestion report as data, and builds it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from groundwire.ingestion import (
    CheckedCitation,
    CitationType,
    Confidence,
    HedgeAction,
    HedgeCategory,
    HedgeCue,
    MemoryClaim,
    Tier,
    TierReason,
    ValidationResult,
    VerificationReason,
    VerificationStatus,
)
from groundwire.ingestion.duplicates.index import DedupMethod
from groundwire.ingestion.gate import GateOutcome
from groundwire.ingestion.records import CitedPassage, PassageVerdict
from groundwire.report.model import SCHEMA_VERSION, Count, Fraction, Number, Tool, tool

Compared: TypeAlias = Literal["store", "input"]


class IngestSettings(Struct, frozen=True, kw_only=True):
    """Holds the settings of the validation."""

    compared_with: Annotated[
        Compared,
        Meta(
            description=(
                "Where copies and contradictions were looked for: in the `store` and this input, or in this `input` "
                "alone."
            )
        ),
    ]
    dedup_method: DedupMethod
    threshold: Annotated[Fraction, Meta(description="Minimum similarity of a duplicate.")]
    scientific: Annotated[bool, Meta(description="Whether hedges of research prose count as well.")]
    verify_claim_relevance: Annotated[
        bool, Meta(description="Whether the content of citations is compared with the claim.")
    ]
    auto_approve_ai_synthesis: Annotated[
        bool, Meta(description="Whether a verified citation approves a model's own claim.")
    ]
    network: Annotated[bool, Meta(description="Whether URLs and issue trackers may be requested.")]
    writes: Annotated[bool, Meta(description="Whether memories were written: false without a store, and in a dry run.")]
    shadow: Annotated[bool, Meta(description="Whether all claims are stored, and decisions are only recorded.")]


class Cue(Struct, frozen=True, kw_only=True):
    """Holds one hedge of a claim."""

    text: Annotated[str, Meta(description="The words, `content[start:end]`.")]
    start: Annotated[Count, Meta(description="Offset of the first code point, from 0.")]
    end: Count
    category: HedgeCategory
    action: Annotated[HedgeAction, Meta(description="Action that this hedge alone would require.")]
    language: Annotated[str, Meta(description="Language of the lexicon that contains it.")]


class CitedThing(Struct, frozen=True, kw_only=True):
    """Holds one citation of a claim, and whether the cited thing exists."""

    type: CitationType
    name: Annotated[str, Meta(description="The cited thing: `ADR-003`, `commit:a1b2c3d`, a URL.")]
    text: Annotated[str, Meta(description="The citation as written, `content[start:end]`.")]
    start: Annotated[Count, Meta(description="Offset of the first code point, from 0.")]
    end: Count
    status: Annotated[VerificationStatus, Meta(description="Only `verified` counts.")]
    code: VerificationReason
    words: Annotated[str, Meta(description="The reason in words.")]


class OtherMemory(Struct, frozen=True, kw_only=True):
    """Holds the memory that a claim repeats or contradicts."""

    id: Annotated[str, Meta(description="Id in the store or in the queue; without a store, the name in this report.")]
    number: Annotated[Number | None, Meta(description="Number of the claim, if it is in this input; otherwise null.")]
    similarity: Annotated[Fraction | None, Meta(description="Similarity of the claim and the memory.")]
    text: Annotated[str | None, Meta(description="Text of the memory; null if it could not be read.")]


class CitationPassage(Struct, frozen=True, kw_only=True):
    """Holds the comparison of a claim with a citation, and the deciding passage."""

    source: Annotated[str, Meta(description="The citation: `ADR-003`, `commit:a1b2c3d`, a URL.")]
    verdict: Annotated[PassageVerdict, Meta(description="Only `supports` is evidence for the claim.")]
    text: Annotated[
        str | None, Meta(description="The passage, or the nearest one; null if the text could not be read.")
    ]
    start: Annotated[Count | None, Meta(description="Offset of the passage in the text of the citation, from 0.")]
    end: Count | None
    line: Annotated[Number | None, Meta(description="Line on which the passage begins, from 1.")]


class ClaimReport(Struct, frozen=True, kw_only=True):
    """Holds the decision on one claim; one line of the JSONL format."""

    number: Annotated[Number, Meta(description="Position among the claims, from 1.")]
    id: Annotated[str | None, Meta(description="Identifier of the claim in the input.")]
    name: Annotated[str, Meta(description="Location: file and line, or position on the command line.")]
    line: Annotated[Number | None, Meta(description="Line, from 1; null for a claim on the command line.")]
    content: str
    memory_type: Annotated[str, Meta(description="`preference`, `fact`, `decision`, or an unknown type.")]
    source: Annotated[
        str,
        Meta(
            description=(
                "`user`, `documentation`, `adr`, `commit`, `manual`, `conversation`, `chat`, `ai_synthesis`, or an "
                "unknown source."
            )
        ),
    ]
    user_id: str
    tier: Annotated[Tier, Meta(description="`tier_1` is approved, `tier_2` needs review, `tier_3` is blocked.")]
    approved: bool
    outcome: Annotated[GateOutcome | None, Meta(description="Outcome of the write; null if nothing was written.")]
    code: Annotated[TierReason, Meta(description="The deciding rule.")]
    reason: Annotated[str, Meta(description="The reason in words.")]
    checks_passed: tuple[str, ...]
    checks_failed: tuple[str, ...]
    confidence: Confidence
    source_ids: Annotated[tuple[str, ...], Meta(description="All evidence for the decision.")]
    cues: Annotated[tuple[Cue, ...], Meta(description="Hedges, left to right.")]
    citations: Annotated[tuple[CitedThing, ...], Meta(description="Citations, left to right.")]
    passages: Annotated[
        tuple[CitationPassage, ...],
        Meta(description="Comparison with each verified citation; empty if none was compared."),
    ]
    other: Annotated[OtherMemory | None, Meta(description="Null if it neither repeats nor contradicts a memory.")]
    memory_id: Annotated[str | None, Meta(description="Id of the stored memory.")]
    queue_id: Annotated[str | None, Meta(description="Id in the review queue.")]
    failure: Annotated[str | None, Meta(description="Class of the error if the queue failed.")]


class IngestSummary(Struct, frozen=True, kw_only=True):
    """Holds the counts of all claims."""

    claims: Count
    tier_1: Annotated[Count, Meta(description="Approved.")]
    tier_2: Annotated[Count, Meta(description="To be reviewed.")]
    tier_3: Annotated[Count, Meta(description="Blocked.")]
    stored: Count
    queued: Count
    needs_review: Count
    rejected: Count
    shadow_stored: Count


class IngestReport(Struct, frozen=True, kw_only=True):
    """Holds the decisions of `groundwire ingest` on claims, and their outcomes."""

    schema_version: Literal["1"]
    tool: Tool
    settings: IngestSettings
    claims: Annotated[tuple[ClaimReport, ...], Meta(description="In the order of the input.")]
    summary: IngestSummary


class Offer(NamedTuple):
    """
    Holds a claim with its origin.

    Attributes:
        claim: The claim.
        name: Location: file and line, or position on the command line.
        id: Identifier in the input.
        line: Line, from 1.
    """

    claim: MemoryClaim
    name: str
    id: str | None = None
    line: int | None = None


class Handled(NamedTuple):
    """
    Holds the decision on a claim, and its outcome.

    Attributes:
        result: The decision.
        called: Name of this claim in the results of claims that repeat or contradict it.
        outcome: Outcome of the write; None if nothing was written.
        memory_id: Id of the stored memory.
        queue_id: Id in the review queue.
        failure: Class of the error if the queue failed.
        other_text: Text of the memory that the claim repeats or contradicts, unless it is another claim.
    """

    result: ValidationResult
    called: str
    outcome: GateOutcome | None = None
    memory_id: str | None = None
    queue_id: str | None = None
    failure: str | None = None
    other_text: str | None = None


def build_ingest_report(offers: Sequence[Offer], handled: Sequence[Handled], settings: IngestSettings) -> IngestReport:
    """
    Return the report on claims.

    Args:
        offers: The claims.
        handled: The decision on each claim and its outcome, in the same order.
        settings: Settings of the validation.

    Raises:
        ValueError: The numbers of claims and decisions differ, or a result does not come from a validator.
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
    """Return the memory, or the claim of this input, that a claim repeats or contradicts."""
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


def _passage(passage: CitedPassage) -> CitationPassage:
    return CitationPassage(**{name: getattr(passage, name) for name in CitationPassage.__struct_fields__})


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
        **{outcome.value: outcomes[outcome] for outcome in GateOutcome},
    )
