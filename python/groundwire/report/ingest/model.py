"""
The report on claims that were offered to memory, as data.

The published JSON Schema is generated from these types, descriptions included, and a
test holds the two together. Every field is always present. Fields may be added under the
same `schema_version`; a field that changes its meaning or goes away raises it. All
offsets are code points of the claim as it was given.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from groundwire.ingestion import (
    CitationType,
    Confidence,
    HedgeAction,
    HedgeCategory,
    Tier,
    TierReason,
    VerificationReason,
    VerificationStatus,
)
from groundwire.ingestion.config import DedupMethod
from groundwire.ingestion.evidence import PassageVerdict
from groundwire.ingestion.gate import Outcome
from groundwire.report.model import Tool

SCHEMA_VERSION: Literal["1"] = "1"

Compared: TypeAlias = Literal["store", "input"]

_Count: TypeAlias = Annotated[int, Meta(ge=0)]
_Number: TypeAlias = Annotated[int, Meta(ge=1)]
_Fraction: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


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
    threshold: Annotated[_Fraction, Meta(description="From which similarity on a memory is a duplicate.")]
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
    start: Annotated[_Count, Meta(description="Offset of its first code point, from 0.")]
    end: _Count
    category: HedgeCategory
    action: Annotated[HedgeAction, Meta(description="What it alone would lead to.")]
    language: Annotated[str, Meta(description="Whose lexicon has it.")]


class CitedThing(Struct, frozen=True, kw_only=True):
    """One citation of a claim, and whether it is there."""

    type: CitationType
    name: Annotated[str, Meta(description="What is cited: `ADR-003`, `commit:a1b2c3d`, a URL.")]
    text: Annotated[str, Meta(description="As it is cited, `content[start:end]`.")]
    start: Annotated[_Count, Meta(description="Offset of its first code point, from 0.")]
    end: _Count
    status: Annotated[VerificationStatus, Meta(description="Only `verified` counts.")]
    code: VerificationReason
    words: Annotated[str, Meta(description="The same in words, for people.")]


class OtherMemory(Struct, frozen=True, kw_only=True):
    """The memory that a claim repeats or contradicts."""

    id: Annotated[str, Meta(description="Its id in the store or in the queue; without a store, its name here.")]
    number: Annotated[_Number | None, Meta(description="Its number if it is a claim of this input; else null.")]
    similarity: Annotated[_Fraction | None, Meta(description="How like it the claim is.")]
    text: Annotated[str | None, Meta(description="What it says; null if that could not be read.")]


class Passage(Struct, frozen=True, kw_only=True):
    """What a citation says of the claim, and the passage that decides."""

    source: Annotated[str, Meta(description="The citation: `ADR-003`, `commit:a1b2c3d`, a URL.")]
    verdict: Annotated[PassageVerdict, Meta(description="Only `supports` speaks for the claim.")]
    text: Annotated[str | None, Meta(description="The passage, or the nearest one; null if nothing could be read.")]
    start: Annotated[_Count | None, Meta(description="Offset of its first code point in the citation's text, from 0.")]
    end: _Count | None
    line: Annotated[_Number | None, Meta(description="The line that it begins in, from 1.")]


class ClaimReport(Struct, frozen=True, kw_only=True):
    """What becomes of one claim; one line of the JSONL format."""

    number: Annotated[_Number, Meta(description="Its place among the claims, from 1.")]
    id: Annotated[str | None, Meta(description="Identifier that the input gave it.")]
    name: Annotated[str, Meta(description="Where it stands: file and line, or its place on the command line.")]
    line: Annotated[_Number | None, Meta(description="Its line, from 1; null on the command line.")]
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
    outcome: Annotated[Outcome | None, Meta(description="What was done with it; null where nothing is written.")]
    code: Annotated[TierReason, Meta(description="The rule that decided.")]
    reason: Annotated[str, Meta(description="The same in words, for people.")]
    checks_passed: tuple[str, ...]
    checks_failed: tuple[str, ...]
    confidence: Confidence
    source_ids: Annotated[tuple[str, ...], Meta(description="Everything that it rests on.")]
    cues: Annotated[tuple[Cue, ...], Meta(description="Its hedges, left to right.")]
    citations: Annotated[tuple[CitedThing, ...], Meta(description="What it cites, left to right.")]
    passages: Annotated[
        tuple[Passage, ...], Meta(description="What each verified citation says; empty if none was compared.")
    ]
    other: Annotated[OtherMemory | None, Meta(description="Null if it neither repeats nor contradicts a memory.")]
    memory_id: Annotated[str | None, Meta(description="The memory that it has become.")]
    queue_id: Annotated[str | None, Meta(description="Where it waits for review.")]
    failure: Annotated[str | None, Meta(description="Why the queue did not take it: the class of an error.")]


class IngestSummary(Struct, frozen=True, kw_only=True):
    """Counts of all claims."""

    claims: _Count
    tier_1: Annotated[_Count, Meta(description="Approved.")]
    tier_2: Annotated[_Count, Meta(description="To be reviewed.")]
    tier_3: Annotated[_Count, Meta(description="Blocked.")]
    stored: _Count
    queued: _Count
    needs_review: _Count
    rejected: _Count
    shadow_stored: _Count


class IngestReport(Struct, frozen=True, kw_only=True):
    """What `groundwire ingest` says of claims, and what it did with them."""

    schema_version: Literal["1"]
    tool: Tool
    settings: IngestSettings
    claims: Annotated[tuple[ClaimReport, ...], Meta(description="In the order of the input.")]
    summary: IngestSummary
