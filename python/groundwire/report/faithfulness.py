"""Holds the faithfulness report as data, and builds it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from groundwire.evidence.explanations import explain_reason
from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.fields import WRAPPERS, folded_key
from groundwire.faithfulness.personas import Persona
from groundwire.faithfulness.results import (
    ClaimResult,
    ClaimReview,
    ClaimStatus,
    FaithfulnessResult,
    Rates,
    ReviewStatus,
    SupportLevel,
    rates_of,
)
from groundwire.faithfulness.support.evidence import Layer, MatchKind, SupportEvidence, explain_evidence
from groundwire.report.model import SCHEMA_VERSION, Count, Fraction, Number, QuoteDifference, Tool, VerdictReason, tool
from groundwire.report.spans import cut_around

Verdict: TypeAlias = Literal["contradicted", "unsupported", "weak", "supported"]


class FaithfulnessSettings(Struct, frozen=True, kw_only=True):
    """Holds the settings of the comparison."""

    threshold: Annotated[Fraction, Meta(description="Minimum confidence of a supported claim.")]
    min_score: Annotated[Fraction, Meta(description="Minimum faithfulness score of a persona that passes.")]
    support_score: Annotated[
        str | None, Meta(description="Name and hash of the score of support; null for the shipped one.")
    ]


class EvidenceLocation(Struct, frozen=True, kw_only=True):
    """Holds the location of evidence."""

    source: str
    words: Annotated[str, Meta(description="The location in words: source, line, row, column, turn, speaker.")]
    line: Annotated[Number, Meta(description="Line on which the unit begins, from 1.")]
    start: Annotated[Count, Meta(description="Offset of the unit in the source, in code points, from 0.")]
    end: Count
    row: Annotated[Number | None, Meta(description="Row of a table, or record of a list, from 1.")]
    column: str | None
    turn: Annotated[Number | None, Meta(description="Number of the turn, from 1.")]
    speaker: str | None
    path: Annotated[str | None, Meta(description="Path in JSON.")]


class EvidenceEntry(Struct, frozen=True, kw_only=True):
    """Holds one piece of evidence that supports a claim, nearly supports it, or contradicts it."""

    place: EvidenceLocation
    text: Annotated[str, Meta(description="The unit; for a long one, the part around the evidence.")]
    text_start: Annotated[Count, Meta(description="Offset of `text` in the unit.")]
    text_end: Count
    unit_chars: Annotated[Count, Meta(description="Length of the unit.")]
    start: Annotated[
        Count,
        Meta(
            description=(
                "Offset of the evidence in `text`; equal to `end` if the evidence is the unit, "
                "the speaker or the column."
            )
        ),
    ]
    end: Count
    score: Annotated[Fraction, Meta(description="Degree of support; 0 for a contradiction.")]
    layer: Layer
    kind: MatchKind
    words: Annotated[
        str, Meta(description="The kind as a sentence, with the words of both sides or the required score.")
    ]
    differences: Annotated[
        tuple[QuoteDifference, ...],
        Meta(description="Differences of a rejected quote; `source_span` refers to `text`."),
    ]
    reasons: Annotated[
        tuple[VerdictReason, ...], Meta(description="Reasons for rejecting a quote; deciding ones come first.")
    ]
    missing: Annotated[tuple[str, ...], Meta(description="Words of the claim without a counterpart in the evidence.")]


class ReviewEntry(Struct, frozen=True, kw_only=True):
    """Holds the decision of a reviewer about a claim."""

    status: Annotated[
        ReviewStatus,
        Meta(description="`queue_full` means that the claim was not submitted, because the queue was full."),
    ]
    queue_id: str | None
    reviewer: Annotated[str | None, Meta(description="The reviewer; null until a decision.")]
    decided_at: Annotated[str | None, Meta(description="Time of the decision, in ISO 8601.")]
    reason: Annotated[str | None, Meta(description="The reviewer's reason for a rejection.")]
    is_edited: Annotated[bool, Meta(description="Whether the reviewer edited the claim.")]


class ReviewCounts(Struct, frozen=True, kw_only=True):
    """Counts the decisions about the claims of one persona or of all; no other figure includes them."""

    waiting: Count
    approved: Count
    rejected: Count
    expired: Count
    queue_full: Count
    supported_or_approved: Annotated[
        Count, Meta(description="Number of claims that are supported or approved by a reviewer.")
    ]
    adjusted_score: Annotated[
        Fraction | None, Meta(description="Share of these in all claims; null without claims. It decides nothing.")
    ]


class PersonaClaimEntry(Struct, frozen=True, kw_only=True):
    """Holds one claim that counts."""

    number: Annotated[Number, Meta(description="Position among the claims of the persona, from 1.")]
    claim: str
    path: Annotated[str, Meta(description="Path in the persona: `goals[0]`.")]
    value: str
    kind: ClaimKind
    verdict: Annotated[
        Verdict,
        Meta(description="`contradicted` and `unsupported` are hallucinated; `supported` reaches the threshold."),
    ]
    status: ClaimStatus
    confidence: Fraction
    level: Annotated[SupportLevel, Meta(description="Level of the confidence alone.")]
    layer: Annotated[Layer | None, Meta(description="Deciding layer; null without evidence.")]
    sources: Annotated[tuple[str, ...], Meta(description="Names of the supporting sources.")]
    contradicting_sources: tuple[str, ...]
    contradictions: tuple[EvidenceEntry, ...]
    evidence: Annotated[tuple[EvidenceEntry, ...], Meta(description="Evidence that reaches the threshold, best first.")]
    near_misses: Annotated[
        tuple[EvidenceEntry, ...], Meta(description="Evidence below the threshold, or outweighed by a contradiction.")
    ]
    review: Annotated[
        ReviewEntry | None, Meta(description="Null if no review was requested, or if the claim needs none.")
    ]


class SyntheticEntry(Struct, frozen=True, kw_only=True):
    """Holds one synthetic claim, which does not count."""

    claim: str
    path: str
    value: str
    kind: ClaimKind


class PersonaSourceEntry(Struct, frozen=True, kw_only=True):
    """Counts the claims that one source supports or contradicts."""

    name: str
    supports: Count
    contradicts: Count


class PersonaReport(Struct, frozen=True, kw_only=True):
    """Holds the result for one persona; one line of the JSONL format."""

    number: Annotated[Number, Meta(description="Position among the personas, from 1.")]
    name: Annotated[str, Meta(description="Name, or else id, or else position.")]
    passed: Annotated[bool | None, Meta(description="Whether the score is at least `min_score`; null without claims.")]
    faithfulness_score: Annotated[Fraction | None, Meta(description="Null without claims; see `note`.")]
    total_claims: Count
    supported_claims: Count
    unsupported_claims: Annotated[Count, Meta(description="All claims that are not supported, including weak ones.")]
    weak_claims: Count
    hallucinated_claims: Annotated[Count, Meta(description="Claims that are contradicted or without evidence.")]
    contradicted_claims: Count
    hallucination_rate: Fraction | None
    weak_rate: Fraction | None
    note: str | None
    backend: Annotated[str, Meta(description="Model that decided besides the rules; `lexical` if none.")]
    warnings: Annotated[tuple[str, ...], Meta(description="Requested checks that did not run.")]
    claim_details: Annotated[
        tuple[PersonaClaimEntry, ...], Meta(description="Contradicted claims first, the others by confidence.")
    ]
    synthetic: tuple[SyntheticEntry, ...]
    sources: Annotated[tuple[PersonaSourceEntry, ...], Meta(description="All sources, in order.")]
    reviews: Annotated[ReviewCounts | None, Meta(description="Null if no review was requested.")]


class FaithfulnessSummary(Struct, frozen=True, kw_only=True):
    """Holds the counts over all personas."""

    personas: Count
    passed: Count
    failed: Count
    without_claims: Count
    sources: Count
    claims: Count
    supported: Count
    weak: Count
    unsupported: Annotated[
        Count, Meta(description="Claims without evidence; contradicted ones are counted separately.")
    ]
    contradicted: Count
    synthetic: Count
    faithfulness_score: Annotated[Fraction | None, Meta(description="Share of supported claims in all claims.")]
    hallucination_rate: Fraction | None
    weak_rate: Fraction | None
    reviews: Annotated[ReviewCounts | None, Meta(description="Null if no review was requested.")]


class FaithfulnessReport(Struct, frozen=True, kw_only=True):
    """Holds the results of `groundwire validate --faithfulness` for personas."""

    schema_version: Literal["1"]
    tool: Tool
    settings: FaithfulnessSettings
    personas: Annotated[tuple[PersonaReport, ...], Meta(description="In the order of the input.")]
    summary: FaithfulnessSummary


_EXCERPT_CHARS = 420


def build_faithfulness_report(
    personas: Sequence[Persona],
    results: Sequence[FaithfulnessResult],
    *,
    threshold: float,
    min_score: float = 0.0,
    reviews: Sequence[Sequence[ClaimReview | None]] | None = None,
) -> FaithfulnessReport:
    """
    Return the report on personas.

    Args:
        personas: Personas from `groundwire.faithfulness.read_personas`.
        results: The result of each persona, in the same order.
        threshold: Threshold of the results.
        min_score: Minimum score of a persona that passes.
        reviews: Decisions about the claims of each result, from
            `groundwire.review.review_persona_claims`; None without reviews. They change
            neither scores nor the passing of a persona (ruling D14).

    Raises:
        ValueError: The numbers of personas and results differ, or results have different thresholds or scores of
            support.
    """
    if any(result.threshold != threshold for result in results):
        raise ValueError(f"all results must have the threshold {threshold:g}")
    score = results[0].support_score if results else None
    if any(result.support_score != score for result in results):
        raise ValueError("all results must have the same score of support")
    decisions = [None] * len(results) if reviews is None else reviews
    reports = tuple(
        _persona(number, persona, result, min_score, decided)
        for number, (persona, result, decided) in enumerate(zip(personas, results, decisions, strict=True), start=1)
    )
    return FaithfulnessReport(
        schema_version=SCHEMA_VERSION,
        tool=tool(),
        settings=FaithfulnessSettings(threshold=threshold, min_score=min_score, support_score=score),
        personas=reports,
        summary=_summary(reports, len(results[0].sources) if results else 0),
    )


def _persona(
    number: int,
    persona: Persona,
    result: FaithfulnessResult,
    min_score: float,
    reviews: Sequence[ClaimReview | None] | None,
) -> PersonaReport:
    claims = tuple(
        _claim(place, each, result, review)
        for place, (each, review) in enumerate(
            zip(result.claim_details, reviews or [None] * len(result.claim_details), strict=True), start=1
        )
    )
    score = result.faithfulness_score
    return PersonaReport(
        number=number,
        name=_name(persona, number),
        passed=None if score is None else score >= min_score,
        faithfulness_score=score,
        total_claims=result.total_claims,
        supported_claims=result.supported_claims,
        unsupported_claims=result.unsupported_claims,
        weak_claims=result.rates.weak_claims,
        hallucinated_claims=result.rates.hallucinated_claims,
        contradicted_claims=sum(claim.verdict == "contradicted" for claim in claims),
        hallucination_rate=result.hallucination_rate,
        weak_rate=result.weak_rate,
        note=result.note,
        backend=result.backend,
        warnings=result.warnings,
        claim_details=claims,
        synthetic=tuple(
            SyntheticEntry(claim=each.text, path=each.path, value=each.value, kind=each.kind)
            for each in result.synthetic
        ),
        sources=_sources(result),
        reviews=None if reviews is None else _review_counts(claims),
    )


def _name(persona: Persona, number: int) -> str:
    """Return the name of a persona, also from inside `demographics` and the like."""
    holders = [persona, *(value for key, value in persona.items() if folded_key(key) in WRAPPERS)]
    for key in ("name", "full_name", "id"):
        for holder in holders:
            value = holder.get(key) if isinstance(holder, dict) else None
            if isinstance(value, str | int) and str(value).strip():
                return " ".join(str(value).split())
    return f"persona {number}"


def _claim(
    number: int, result: ClaimResult, whole: FaithfulnessResult, review: ClaimReview | None
) -> PersonaClaimEntry:
    claim = result.details
    return PersonaClaimEntry(
        number=number,
        claim=result.claim,
        path=claim.path,
        value=claim.value,
        kind=claim.kind,
        verdict=_verdict(result, whole.threshold),
        status=result.status,
        confidence=result.confidence,
        level=result.level,
        layer=result.layer,
        sources=result.sources,
        contradicting_sources=result.contradicting_sources,
        contradictions=_entries(result.contradictions, result, whole),
        evidence=_entries(result.evidence, result, whole),
        near_misses=_entries(result.near_misses, result, whole),
        review=None if review is None else _review(review),
    )


def _review(review: ClaimReview) -> ReviewEntry:
    return ReviewEntry(
        status=review.status,
        queue_id=review.queue_id,
        reviewer=review.reviewer,
        decided_at=None if review.decided_at is None else review.decided_at.isoformat(),
        reason=review.reason,
        is_edited=review.is_edited,
    )


def _review_counts(claims: Sequence[PersonaClaimEntry]) -> ReviewCounts:
    counts = Counter(claim.review.status for claim in claims if claim.review is not None)
    supported = sum(claim.verdict == "supported" for claim in claims) + counts[ReviewStatus.APPROVED]
    return ReviewCounts(
        waiting=counts[ReviewStatus.WAITING],
        approved=counts[ReviewStatus.APPROVED],
        rejected=counts[ReviewStatus.REJECTED],
        expired=counts[ReviewStatus.EXPIRED],
        queue_full=counts[ReviewStatus.QUEUE_FULL],
        supported_or_approved=supported,
        adjusted_score=Rates(len(claims), supported, 0, 0).faithfulness_score,
    )


def _verdict(result: ClaimResult, threshold: float) -> Verdict:
    """Return the class in which the rates count a claim (ruling D3)."""
    if result.contradicted:
        return "contradicted"
    if result.status is ClaimStatus.SUPPORTED:
        return "supported"
    is_weak = rates_of([(result.confidence, False)], threshold=threshold).weak_claims
    return "weak" if is_weak else "unsupported"


def _entries(
    evidence: Iterable[SupportEvidence], result: ClaimResult, whole: FaithfulnessResult
) -> tuple[EvidenceEntry, ...]:
    return tuple(_entry(each, explain_evidence(each, result.claim, threshold=whole.threshold)) for each in evidence)


def _entry(evidence: SupportEvidence, words: str) -> EvidenceEntry:
    text = evidence.unit.text
    start, end = cut_around(text, evidence.start, evidence.end, _EXCERPT_CHARS)
    return EvidenceEntry(
        place=_place(evidence),
        text=text[start:end],
        text_start=start,
        text_end=end,
        unit_chars=len(text),
        start=evidence.start - start,
        end=evidence.end - start,
        score=evidence.score,
        layer=evidence.layer,
        kind=evidence.kind,
        words=words,
        differences=tuple(
            QuoteDifference(
                kind=each.kind,
                quote_text=each.quote_text,
                source_text=each.source_text,
                quote_span=each.quote_span,
                source_span=(each.source_span[0] - start, each.source_span[1] - start),
            )
            for each in evidence.differences
            if start <= each.source_span[0] and each.source_span[1] <= end
        ),
        reasons=tuple(
            VerdictReason(code=each, words=explain_reason(each, evidence.differences)) for each in evidence.reasons
        ),
        missing=evidence.missing,
    )


def _place(evidence: SupportEvidence) -> EvidenceLocation:
    locator = evidence.unit.locator
    return EvidenceLocation(
        source=locator.source,
        words=str(locator),
        line=locator.line,
        start=locator.start,
        end=locator.end,
        row=locator.row,
        column=locator.column,
        turn=locator.turn,
        speaker=locator.speaker,
        path=locator.path,
    )


def _sources(result: FaithfulnessResult) -> tuple[PersonaSourceEntry, ...]:
    supports = Counter(name for each in result.claim_details for name in each.sources)
    contradicts = Counter(name for each in result.claim_details for name in each.contradicting_sources)
    return tuple(
        PersonaSourceEntry(name=name, supports=supports[name], contradicts=contradicts[name]) for name in result.sources
    )


def _summary(personas: Sequence[PersonaReport], sources: int) -> FaithfulnessSummary:
    verdicts = Counter(claim.verdict for persona in personas for claim in persona.claim_details)
    hallucinated = verdicts["contradicted"] + verdicts["unsupported"]
    rates = Rates(verdicts.total(), verdicts["supported"], verdicts["weak"], hallucinated)
    passed = Counter(persona.passed for persona in personas)
    return FaithfulnessSummary(
        personas=len(personas),
        passed=passed[True],
        failed=passed[False],
        without_claims=passed[None],
        sources=sources,
        claims=rates.total_claims,
        supported=verdicts["supported"],
        weak=verdicts["weak"],
        unsupported=verdicts["unsupported"],
        contradicted=verdicts["contradicted"],
        synthetic=sum(len(persona.synthetic) for persona in personas),
        faithfulness_score=rates.faithfulness_score,
        hallucination_rate=rates.hallucination_rate,
        weak_rate=rates.weak_rate,
        reviews=_review_counts([claim for persona in personas for claim in persona.claim_details])
        if any(persona.reviews is not None for persona in personas)
        else None,
    )
