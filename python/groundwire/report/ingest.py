"""The ingestion report: the model and its builder."""

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
    """How claims were validated."""

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
    threshold: Annotated[Fraction, Meta(description="From which similarity on a memory is a duplicate.")]
    scientific: Annotated[bool, Meta(description="Whether words of research prose are hedges too.")]
    verify_claim_relevance: Annotated[bool, Meta(description="Whether what is cited has to say what is claimed.")]
    auto_approve_ai_synthesis: Annotated[
        bool, Meta(description="Whether a model's own claim is approved by a verified citation.")
    ]
    network: Annotated[bool, Meta(description="Whether URLs and trackers may be asked.")]
    writes: Annotated[bool, Meta(description="Whether anything was written: false without a store, and in a dry run.")]
    shadow: Annotated[bool, Meta(description="Whether everything is stored, and decisions are only noted.")]


class Cue(Struct, frozen=True, kw_only=True):
    """One hedge of a claim."""

    text: Annotated[str, Meta(description="Its words, `content[start:end]`.")]
    start: Annotated[Count, Meta(description="Offset of its first code point, from 0.")]
    end: Count
    category: HedgeCategory
    action: Annotated[HedgeAction, Meta(description="What it alone would lead to.")]
    language: Annotated[str, Meta(description="Whose lexicon has it.")]


class CitedThing(Struct, frozen=True, kw_only=True):
    """One citation of a claim, and whether it is there."""

    type: CitationType
    name: Annotated[str, Meta(description="What is cited: `ADR-003`, `commit:a1b2c3d`, a URL.")]
    text: Annotated[str, Meta(description="As it is cited, `content[start:end]`.")]
    start: Annotated[Count, Meta(description="Offset of its first code point, from 0.")]
    end: Count
    status: Annotated[VerificationStatus, Meta(description="Only `verified` counts.")]
    code: VerificationReason
    words: Annotated[str, Meta(description="The same in words, for people.")]


class OtherMemory(Struct, frozen=True, kw_only=True):
    """The memory that a claim repeats or contradicts."""

    id: Annotated[str, Meta(description="Its id in the store or in the queue; without a store, its name here.")]
    number: Annotated[Number | None, Meta(description="Its number if it is a claim of this input; else null.")]
    similarity: Annotated[Fraction | None, Meta(description="How like it the claim is.")]
    text: Annotated[str | None, Meta(description="What it says; null if that could not be read.")]


class CitationPassage(Struct, frozen=True, kw_only=True):
    """What a citation says of the claim, and the passage that decides."""

    source: Annotated[str, Meta(description="The citation: `ADR-003`, `commit:a1b2c3d`, a URL.")]
    verdict: Annotated[PassageVerdict, Meta(description="Only `supports` speaks for the claim.")]
    text: Annotated[str | None, Meta(description="The passage, or the nearest one; null if nothing could be read.")]
    start: Annotated[Count | None, Meta(description="Offset of its first code point in the citation's text, from 0.")]
    end: Count | None
    line: Annotated[Number | None, Meta(description="The line that it begins in, from 1.")]


class ClaimReport(Struct, frozen=True, kw_only=True):
    """What becomes of one claim; one line of the JSONL format."""

    number: Annotated[Number, Meta(description="Its place among the claims, from 1.")]
    id: Annotated[str | None, Meta(description="Identifier that the input gave it.")]
    name: Annotated[str, Meta(description="Where it stands: file and line, or its place on the command line.")]
    line: Annotated[Number | None, Meta(description="Its line, from 1; null on the command line.")]
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
    outcome: Annotated[GateOutcome | None, Meta(description="What was done with it; null where nothing is written.")]
    code: Annotated[TierReason, Meta(description="The rule that decided.")]
    reason: Annotated[str, Meta(description="The same in words, for people.")]
    checks_passed: tuple[str, ...]
    checks_failed: tuple[str, ...]
    confidence: Confidence
    source_ids: Annotated[tuple[str, ...], Meta(description="Everything that it rests on.")]
    cues: Annotated[tuple[Cue, ...], Meta(description="Its hedges, left to right.")]
    citations: Annotated[tuple[CitedThing, ...], Meta(description="What it cites, left to right.")]
    passages: Annotated[
        tuple[CitationPassage, ...], Meta(description="What each verified citation says; empty if none was compared.")
    ]
    other: Annotated[OtherMemory | None, Meta(description="Null if it neither repeats nor contradicts a memory.")]
    memory_id: Annotated[str | None, Meta(description="The memory that it has become.")]
    queue_id: Annotated[str | None, Meta(description="Where it waits for review.")]
    failure: Annotated[str | None, Meta(description="Why the queue did not take it: the class of an error.")]


class IngestSummary(Struct, frozen=True, kw_only=True):
    """Counts of all claims."""

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
    """What `groundwire ingest` says of claims, and what it did with them."""

    schema_version: Literal["1"]
    tool: Tool
    settings: IngestSettings
    claims: Annotated[tuple[ClaimReport, ...], Meta(description="In the order of the input.")]
    summary: IngestSummary


class Offer(NamedTuple):
    """
    A claim, and where it comes from.

    Attributes:
        claim: The claim.
        name: Where it stands: file and line, or its place on the command line.
        id: What the input calls it.
        line: Its line, from 1.
    """

    claim: MemoryClaim
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
