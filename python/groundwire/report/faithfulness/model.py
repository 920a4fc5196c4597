"""
The report on personas as data.

The published JSON Schema is generated from these types, descriptions included, and a test
holds the two together. Every field is always present. Fields may be added under the same
`schema_version`; a field that changes its meaning or goes away raises it. The figures of a
persona have the names that `FaithfulnessResult` gives them.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.results import ClaimStatus, ReviewStatus, SupportLevel
from groundwire.faithfulness.support.evidence import Layer, MatchKind
from groundwire.report.model import QuoteDifference, Tool, VerdictReason

SCHEMA_VERSION: Literal["1"] = "1"

Verdict: TypeAlias = Literal["contradicted", "unsupported", "weak", "supported"]

_Count: TypeAlias = Annotated[int, Meta(ge=0)]
_Number: TypeAlias = Annotated[int, Meta(ge=1)]
_Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


class FaithfulnessSettings(Struct, frozen=True, kw_only=True):
    """How personas were compared with their sources."""

    threshold: Annotated[_Share, Meta(description="From which confidence on a claim is supported.")]
    min_score: Annotated[_Share, Meta(description="The least faithfulness score of a persona that passes.")]
    support_score: Annotated[
        str | None, Meta(description="Name and hash of the score of support; null for the shipped one.")
    ]


class Place(Struct, frozen=True, kw_only=True):
    """Where a piece of evidence stands."""

    source: str
    words: Annotated[str, Meta(description="The whole place in words: source, line, row, column, turn, speaker.")]
    line: Annotated[_Number, Meta(description="The line that its unit begins on, from 1.")]
    start: Annotated[_Count, Meta(description="Offset of its unit in the source, in code points, from 0.")]
    end: _Count
    row: Annotated[_Number | None, Meta(description="The row of a table, or the record of a list, from 1.")]
    column: str | None
    turn: Annotated[_Number | None, Meta(description="The number of the turn, from 1.")]
    speaker: str | None
    path: Annotated[str | None, Meta(description="Where in JSON.")]


class EvidenceEntry(Struct, frozen=True, kw_only=True):
    """One place that supports a claim, comes near it, or says otherwise."""

    place: Place
    text: Annotated[str, Meta(description="The unit, or of a long one the part around the evidence.")]
    text_start: Annotated[_Count, Meta(description="Offset of `text` in its unit.")]
    text_end: _Count
    unit_chars: Annotated[_Count, Meta(description="The length of the unit.")]
    start: Annotated[
        _Count,
        Meta(description="Offset of the evidence in `text`; equal to `end` where unit, speaker or column are meant."),
    ]
    end: _Count
    score: Annotated[_Share, Meta(description="How well it supports the claim; 0 of what says otherwise.")]
    layer: Layer
    kind: MatchKind
    words: Annotated[str, Meta(description="The kind in words, for people.")]
    differences: Annotated[
        tuple[QuoteDifference, ...],
        Meta(description="Of a quote that is not accepted: what differs; `source_span` is one of `text`."),
    ]
    reasons: Annotated[
        tuple[VerdictReason, ...], Meta(description="Why a quote is not accepted; those that decided come first.")
    ]
    missing: Annotated[tuple[str, ...], Meta(description="Words of the claim without a counterpart there.")]


class ReviewEntry(Struct, frozen=True, kw_only=True):
    """What people decided about a claim."""

    status: Annotated[ReviewStatus, Meta(description="`queue_full`: there was no room, so nobody was asked.")]
    queue_id: str | None
    reviewer: Annotated[str | None, Meta(description="Who decided; null as long as nobody has.")]
    decided_at: Annotated[str | None, Meta(description="When, in ISO 8601.")]
    reason: Annotated[str | None, Meta(description="Why it was rejected, in the reviewer's words.")]
    is_edited: Annotated[bool, Meta(description="Whether the reviewer changed the words of the claim.")]


class ReviewCounts(Struct, frozen=True, kw_only=True):
    """Decisions about the claims of a persona, or of all; no other figure counts them."""

    waiting: _Count
    approved: _Count
    rejected: _Count
    expired: _Count
    queue_full: _Count
    supported_or_approved: Annotated[_Count, Meta(description="Supported claims, and those that people approved.")]
    adjusted_score: Annotated[
        _Share | None, Meta(description="The share of these in all claims; null without claims. No gate reads it.")
    ]


class ClaimEntry(Struct, frozen=True, kw_only=True):
    """One claim that counts."""

    number: Annotated[_Number, Meta(description="Its place among those of the persona, from 1.")]
    claim: str
    path: Annotated[str, Meta(description="Where the persona says it: `goals[0]`.")]
    value: str
    kind: ClaimKind
    verdict: Annotated[
        Verdict,
        Meta(description="`contradicted` and `unsupported` are hallucinated; `supported` has the threshold."),
    ]
    status: ClaimStatus
    confidence: _Share
    level: Annotated[SupportLevel, Meta(description="By the confidence alone.")]
    layer: Annotated[Layer | None, Meta(description="What decided; null where nothing was found.")]
    sources: Annotated[tuple[str, ...], Meta(description="The names of the sources that support it.")]
    contradicting_sources: tuple[str, ...]
    contradictions: tuple[EvidenceEntry, ...]
    evidence: Annotated[tuple[EvidenceEntry, ...], Meta(description="From the threshold on, the best first.")]
    near_misses: Annotated[
        tuple[EvidenceEntry, ...], Meta(description="What has less, or is outweighed by a contradiction.")
    ]
    review: Annotated[ReviewEntry | None, Meta(description="Null if no review was asked for, or the claim needs none.")]


class SyntheticEntry(Struct, frozen=True, kw_only=True):
    """One claim that is known to be made up, and does not count."""

    claim: str
    path: str
    value: str
    kind: ClaimKind


class SourceEntry(Struct, frozen=True, kw_only=True):
    """One source, and how many claims it has to do with."""

    name: str
    supports: _Count
    contradicts: _Count


class PersonaReport(Struct, frozen=True, kw_only=True):
    """What becomes of one persona; one line of the JSONL format."""

    number: Annotated[_Number, Meta(description="Its place among the personas, from 1.")]
    name: Annotated[str, Meta(description="Its name, else its id, else its place.")]
    passed: Annotated[bool | None, Meta(description="Whether the score is at least `min_score`; null without claims.")]
    faithfulness_score: Annotated[_Share | None, Meta(description="Null without claims; `note` says so.")]
    total_claims: _Count
    supported_claims: _Count
    unsupported_claims: Annotated[_Count, Meta(description="All that are not supported, weak ones too.")]
    weak_claims: _Count
    hallucinated_claims: Annotated[_Count, Meta(description="Contradicted, or without evidence.")]
    contradicted_claims: _Count
    hallucination_rate: _Share | None
    weak_rate: _Share | None
    note: str | None
    backend: Annotated[str, Meta(description="What decided beside the rules; `lexical` is nothing.")]
    warnings: Annotated[tuple[str, ...], Meta(description="What was asked for and did not run.")]
    claim_details: Annotated[tuple[ClaimEntry, ...], Meta(description="Contradicted first, then by confidence.")]
    synthetic: tuple[SyntheticEntry, ...]
    sources: Annotated[tuple[SourceEntry, ...], Meta(description="All sources, in their order.")]
    reviews: Annotated[ReviewCounts | None, Meta(description="Null if no review was asked for.")]


class FaithfulnessSummary(Struct, frozen=True, kw_only=True):
    """Counts over all personas."""

    personas: _Count
    passed: _Count
    failed: _Count
    without_claims: _Count
    sources: _Count
    claims: _Count
    supported: _Count
    weak: _Count
    unsupported: Annotated[_Count, Meta(description="Without evidence; contradicted ones are counted by themselves.")]
    contradicted: _Count
    synthetic: _Count
    faithfulness_score: Annotated[_Share | None, Meta(description="The share of supported ones in all claims.")]
    hallucination_rate: _Share | None
    weak_rate: _Share | None
    reviews: Annotated[ReviewCounts | None, Meta(description="Null if no review was asked for.")]


class FaithfulnessReport(Struct, frozen=True, kw_only=True):
    """What `groundwire validate --faithfulness` says of personas."""

    schema_version: Literal["1"]
    tool: Tool
    settings: FaithfulnessSettings
    personas: Annotated[tuple[PersonaReport, ...], Meta(description="In the order of the input.")]
    summary: FaithfulnessSummary
