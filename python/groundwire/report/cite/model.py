"""
The citation report as data.

The published JSON Schema is generated from these types, descriptions included, and a
test holds the two together. Every field is always present. Fields may be added under the
same `schema_version`; a field that changes its meaning or goes away raises it. All
offsets are code points of the answer as it was given.
"""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from groundwire.citations import (
    Action,
    Anomaly,
    CitationStatus,
    CitedClaimStatus,
    FoundBy,
    HallucinationType,
    Policy,
    RiskLevel,
    RiskReasonCode,
)
from groundwire.judge.protocol import JudgeDecision, JudgeStatus
from groundwire.report.model import Count, Fraction, Number, ReadScore, Tool

When: TypeAlias = Literal["never", "auto", "always", "moderate_only"]
WHEN: tuple[When, ...] = get_args(When)
QuestionType: TypeAlias = Literal["factual", "open"]
QUESTION_TYPES: tuple[QuestionType, ...] = get_args(QuestionType)
SourceQuality: TypeAlias = Literal["poor", "ordinary", "good"]
SOURCE_QUALITIES: tuple[SourceQuality, ...] = get_args(SourceQuality)
POLICIES: tuple[str, ...] = tuple(policy.value for policy in Policy)


class CiteSettings(Struct, frozen=True, kw_only=True):
    """How answers were assessed."""

    policy: Annotated[
        Policy,
        Meta(description="`coverage` reads answers as people do; `spec` reads and decides as printed."),
    ]
    judge: Annotated[When, Meta(description="When a language model was asked; `auto`: unless the rules say high.")]
    model: Annotated[str | None, Meta(description="The model that was to be asked; null for none.")]
    support_score: Annotated[
        str | None, Meta(description="Name and hash of the score of support; null for the shipped one.")
    ]


class RiskReason(Struct, frozen=True, kw_only=True):
    """Why a level is what it is."""

    code: RiskReasonCode
    words: Annotated[str, Meta(description="The same in words, for people.")]


class ResultAnomaly(Struct, frozen=True, kw_only=True):
    """What is odd about some of the results."""

    code: Anomaly
    words: Annotated[str, Meta(description="What is said of each such result.")]
    count: Number


class CitationFinding(Struct, frozen=True, kw_only=True):
    """One hallucination, or what looks like it."""

    type: HallucinationType
    found_by: FoundBy
    words: Annotated[str, Meta(description="How it was found, for people.")]
    start: Annotated[Count | None, Meta(description="Where in the answer; null if a judge says so.")]
    end: Count | None


class ClaimEntry(Struct, frozen=True, kw_only=True):
    """One claim: a sentence of the answer that says enough to need support."""

    number: Annotated[Number, Meta(description="Its place among the claims of the answer, from 1.")]
    text: Annotated[str, Meta(description="Its words, `answer[start:end]`.")]
    start: Annotated[Count, Meta(description="Offset of its first code point, from 0.")]
    end: Annotated[Count, Meta(description="Offset after its last one, before the citations behind it.")]
    line: Annotated[Number, Meta(description="Line of the answer that it starts in, from 1.")]
    column: Annotated[Number, Meta(description="Code point within that line, from 1.")]
    status: Annotated[
        CitedClaimStatus,
        Meta(
            description=(
                "`supported`, `weak`, `unsupported`: how much of it the cited passages have; `misattributed`: another "
                "passage has it; `contradicted`: a number, date or negation differs there; `uncited`: it cites "
                "nothing that is there; `unread`: a result that it cites has no text, or there are no words to compare."
            )
        ),
    ]
    support: Annotated[
        Fraction | None, Meta(description="How much of it the best of the cited passages has; null if nobody looked.")
    ]
    valid: Annotated[tuple[str, ...], Meta(description="Ids that it cites and that are there.")]
    invalid: Annotated[tuple[str, ...], Meta(description="Ids that it cites and that are not.")]
    parent: Annotated[tuple[str, ...], Meta(description="Those of `valid` that are a `parent_id` only.")]
    is_uncited: Annotated[bool, Meta(description="True if it is long enough to need a citation and has none.")]
    better_source: Annotated[str | None, Meta(description="Id of a source that has it, where the cited ones do not.")]
    findings: tuple[CitationFinding, ...]
    missing: Annotated[
        tuple[str, ...], Meta(description="Words of it without a counterpart in the best of the cited passages.")
    ]
    reader: Annotated[
        ReadScore | None, Meta(description="What a model says that read claim and passages; null if none was asked.")
    ] = None


class CitationEntry(Struct, frozen=True, kw_only=True):
    """One id in one citation: `[1, 2]` is two."""

    id: Annotated[str, Meta(description="As written; of a link, the id of the result that has its URL.")]
    start: Annotated[Count, Meta(description="Where the whole citation stands, brackets included.")]
    end: Count
    status: Annotated[
        CitationStatus, Meta(description="`ignored` stands in brackets and looks like none of the ids in use.")
    ]
    matched_by: Annotated[
        str | None, Meta(description="`id` or `parent_id` of a result, `url` for a link; null if nothing matched.")
    ]
    claims: Annotated[tuple[Number, ...], Meta(description="Numbers of the claims that it belongs to.")]
    support: Annotated[Fraction | None, Meta(description="How much of them this source has; null if nobody looked.")]


class SourceEntry(Struct, frozen=True, kw_only=True):
    """One result that the answer was given."""

    number: Annotated[Number, Meta(description="Its place among the results, from 1.")]
    id: Annotated[str | None, Meta(description="As it may be cited; null without one.")]
    parent_id: str | None
    title: str | None
    chars: Annotated[Count | None, Meta(description="Length of its passage in code points; null without a passage.")]
    is_cited: bool


class JudgeIssueEntry(Struct, frozen=True, kw_only=True):
    """One fault that the judge found."""

    type: HallucinationType
    claim: Annotated[str, Meta(description="The words of the answer that are meant.")]
    evidence: Annotated[str | None, Meta(description="What the judge quotes from a source; null for nothing.")]
    grounded: Annotated[
        bool | None, Meta(description="Whether that stands in a source, as the engine says; null without a quote.")
    ]


class JudgeUsage(Struct, frozen=True, kw_only=True):
    """What a judgement took."""

    calls: Count
    prompt_tokens: Count
    completion_tokens: Count
    cost: Annotated[float | None, Meta(description="In the currency of the prices; null without prices.")]
    cached: bool


class JudgementReport(Struct, frozen=True, kw_only=True):
    """What the judge said, or why it said nothing."""

    error: Annotated[str | None, Meta(description="Why there is no judgement: a stable code; null if there is one.")]
    model: str | None
    prompt_version: str | None
    score: Annotated[float | None, Meta(description="Quality of the answer as a whole, 0 to 1.")]
    confidence: Annotated[float | None, Meta(description="How sure the judge is, 0 to 1.")]
    decision: JudgeDecision | None
    hallucination_risk: Annotated[float | None, Meta(description="The risk that it sees, 0 to 1.")]
    reasoning: str
    hallucination_notes: str
    issues: Annotated[tuple[JudgeIssueEntry, ...], Meta(description="The faults that count.")]
    void_issues: Annotated[tuple[JudgeIssueEntry, ...], Meta(description="Those whose quote stands in no source.")]
    usage: JudgeUsage


class AnswerReport(Struct, frozen=True, kw_only=True):
    """What is said of one answer; one line of the JSONL format."""

    number: Annotated[Number, Meta(description="Its place among the answers, from 1.")]
    id: Annotated[str | None, Meta(description="Identifier that the input gave it.")]
    name: Annotated[str, Meta(description="What it is called: its file, its id, or its line.")]
    line: Annotated[Number | None, Meta(description="Its line of a batch, from 1; null for an answer of its own.")]
    question: Annotated[str | None, Meta(description="What was asked; null if that is not known.")]
    chars: Annotated[Count, Meta(description="Length of the answer in code points.")]
    iteration: Annotated[
        Count | None, Meta(description="Which round of searching and answering it is from; null if that is not known.")
    ]
    max_iterations: Annotated[Count | None, Meta(description="After which round there is no other.")]
    question_type: Annotated[QuestionType, Meta(description="Whose limits of risk hold.")]
    source_quality: Annotated[SourceQuality, Meta(description="What moves them.")]
    moderate_above: Annotated[Fraction, Meta(description="A score above it is a moderate risk.")]
    high_above: Annotated[Fraction, Meta(description="A score above it is a high one.")]
    level: Annotated[RiskLevel, Meta(description="How risky it is.")]
    score: Annotated[Fraction, Meta(description="The risk: the higher one of the rules' and the judge's.")]
    action: Annotated[Action, Meta(description="What to do with it.")]
    accepted: bool
    forced: Annotated[bool, Meta(description="Whether it is accepted only because no iterations are left.")]
    judge_status: Annotated[JudgeStatus, Meta(description="Whether there is a judgement.")]
    reasons: Annotated[tuple[RiskReason, ...], Meta(description="Why it has this level; those that decided first.")]
    note: Annotated[str | None, Meta(description="Why nothing was assessed; null if it was.")]
    citation_coverage: Annotated[Fraction, Meta(description="Share of the claims that have a valid citation.")]
    citation_ratio: Annotated[float, Meta(ge=0, description="Distinct valid ids for each claim; may be above 1.")]
    total_claims: Count
    valid_citations: Annotated[tuple[str, ...], Meta(description="Distinct ids that are cited and are there, sorted.")]
    invalid_citations: Annotated[tuple[str, ...], Meta(description="Those that are not there, sorted.")]
    ignored: Annotated[
        tuple[str, ...], Meta(description="What stands in brackets and looks like no id in use, sorted.")
    ]
    claims: Annotated[tuple[ClaimEntry, ...], Meta(description="In their order.")]
    citations: Annotated[tuple[CitationEntry, ...], Meta(description="In their order.")]
    findings: Annotated[tuple[CitationFinding, ...], Meta(description="All that was found, by the rules and a judge.")]
    sources: Annotated[tuple[SourceEntry, ...], Meta(description="The results, in their order.")]
    anomalies: tuple[ResultAnomaly, ...]
    unread_keys: Annotated[
        tuple[str, ...],
        Meta(description="Names of the keys of results without a text, if one is cited; at most 20, never a value."),
    ]
    judgement: Annotated[JudgementReport | None, Meta(description="Null if nobody was asked.")]


class CiteSummary(Struct, frozen=True, kw_only=True):
    """Counts and figures of all answers; a figure that divides by nothing is null."""

    answers: Count
    accepted: Count
    forced: Annotated[Count, Meta(description="Of these, those that are accepted only because no iterations are left.")]
    rejected: Annotated[Count, Meta(description="Answers that are not accepted; to be refined or rejected.")]
    low: Count
    moderate: Count
    high: Count
    not_assessed: Count
    judge_not_run: Count
    judge_ok: Count
    judge_error: Count
    claims: Count
    supported: Count
    weak: Count
    unsupported: Count
    misattributed: Count
    contradicted: Count
    uncited: Annotated[Count, Meta(description="Claims of this status, short ones too.")]
    unread: Count
    mean_score: Annotated[Fraction | None, Meta(description="The mean risk of the answers.")]
    high_risk_share: Fraction | None
    invalid_citation_rate: Annotated[Fraction | None, Meta(description="Share of the cited ids that are not there.")]
    uncited_claim_rate: Annotated[
        Fraction | None, Meta(description="Share of the claims that are long and have no citation.")
    ]


class CiteReport(Struct, frozen=True, kw_only=True):
    """What `groundwire cite` says of answers and their citations."""

    schema_version: Literal["1"]
    tool: Tool
    settings: CiteSettings
    answers: Annotated[tuple[AnswerReport, ...], Meta(description="In the order of the input.")]
    summary: CiteSummary
