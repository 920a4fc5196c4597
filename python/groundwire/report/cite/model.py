"""
Holds the citation report as data.

All offsets are code points of the answer as given. See `groundwire.report.model` for the rules of the schema.
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
    """Holds the settings of the assessment."""

    policy: Annotated[
        Policy,
        Meta(description="`coverage` reads answers as people do; `spec` reads and decides as specified."),
    ]
    judge: Annotated[
        When, Meta(description="When the judge was called; `auto` means unless the rules find a high risk.")
    ]
    model: Annotated[str | None, Meta(description="Model of the judge; null without a judge.")]
    support_score: Annotated[
        str | None, Meta(description="Name and hash of the score of support; null for the shipped one.")
    ]


class RiskReason(Struct, frozen=True, kw_only=True):
    """Holds a reason for a level."""

    code: RiskReasonCode
    words: Annotated[str, Meta(description="The reason as a sentence, with the values that were found and required.")]


class ResultAnomaly(Struct, frozen=True, kw_only=True):
    """Holds an anomaly of some results."""

    code: Anomaly
    words: Annotated[str, Meta(description="Description of such a result.")]
    count: Number


class CitationFinding(Struct, frozen=True, kw_only=True):
    """Holds one hallucination, or a suspected one."""

    type: HallucinationType
    found_by: FoundBy
    words: Annotated[str, Meta(description="How it was found, as a sentence with the values of the claim.")]
    start: Annotated[Count | None, Meta(description="Offset in the answer; null for an issue of a judge.")]
    end: Count | None


class ClaimEntry(Struct, frozen=True, kw_only=True):
    """Holds one claim: a sentence of the answer that needs support."""

    number: Annotated[Number, Meta(description="Position among the claims of the answer, from 1.")]
    text: Annotated[str, Meta(description="The claim, `answer[start:end]`.")]
    start: Annotated[Count, Meta(description="Offset of the first code point, from 0.")]
    end: Annotated[Count, Meta(description="Offset after the last code point, before the citations that follow.")]
    line: Annotated[Number, Meta(description="Line of the answer on which the claim starts, from 1.")]
    column: Annotated[Number, Meta(description="Code point within that line, from 1.")]
    status: Annotated[
        CitedClaimStatus,
        Meta(
            description=(
                "`supported`, `weak`, `unsupported`: the degree of support by the cited "
                "passages; `misattributed`: only "
                "another passage supports it; `contradicted`: a number, a date or a negation differs; `uncited`: it "
                "cites no existing result; `unread`: a cited result has no text, or there are no words to compare."
            )
        ),
    ]
    support: Annotated[
        Fraction | None, Meta(description="Best support by a cited passage; null if it was not computed.")
    ]
    valid: Annotated[tuple[str, ...], Meta(description="Cited ids of existing results.")]
    invalid: Annotated[tuple[str, ...], Meta(description="Cited ids that belong to no result.")]
    parent: Annotated[tuple[str, ...], Meta(description="Ids in `valid` that match only a `parent_id`.")]
    is_uncited: Annotated[bool, Meta(description="True if the claim is long enough to need a citation and has none.")]
    better_source: Annotated[
        str | None, Meta(description="Id of a source that supports the claim if the cited ones do not.")
    ]
    findings: tuple[CitationFinding, ...]
    missing: Annotated[
        tuple[str, ...], Meta(description="Words of the claim without a counterpart in the best cited passage.")
    ]
    reader: Annotated[
        ReadScore | None, Meta(description="Score of a model that read claim and passages; null if no model was used.")
    ] = None


class CitationEntry(Struct, frozen=True, kw_only=True):
    """Holds one id of a citation; `[1, 2]` has two."""

    id: Annotated[str, Meta(description="The id as written; for a link, the id of the result with its URL.")]
    start: Annotated[Count, Meta(description="Offset of the whole citation, including brackets.")]
    end: Count
    status: Annotated[
        CitationStatus, Meta(description="`ignored` is a bracketed text that does not look like the ids in use.")
    ]
    matched_by: Annotated[
        str | None, Meta(description="`id` or `parent_id` of a result, or `url` for a link; null without a match.")
    ]
    claims: Annotated[tuple[Number, ...], Meta(description="Numbers of the claims that the citation belongs to.")]
    support: Annotated[
        Fraction | None, Meta(description="Support of these claims by this source; null if it was not computed.")
    ]


class SourceEntry(Struct, frozen=True, kw_only=True):
    """Holds one search result that the model received."""

    number: Annotated[Number, Meta(description="Position among the results, from 1.")]
    id: Annotated[str | None, Meta(description="Id for citations; null without one.")]
    parent_id: str | None
    title: str | None
    chars: Annotated[Count | None, Meta(description="Length of the passage in code points; null without a passage.")]
    is_cited: bool


class JudgeIssueEntry(Struct, frozen=True, kw_only=True):
    """Holds one issue of the judge."""

    type: HallucinationType
    claim: Annotated[str, Meta(description="The words of the answer that the issue refers to.")]
    evidence: Annotated[str | None, Meta(description="The judge's quote from a source; null without one.")]
    grounded: Annotated[
        bool | None,
        Meta(description="Whether a source contains the quote, according to the engine; null without a quote."),
    ]


class JudgeUsage(Struct, frozen=True, kw_only=True):
    """Holds the cost of a judgement."""

    calls: Count
    prompt_tokens: Count
    completion_tokens: Count
    cost: Annotated[float | None, Meta(description="Cost in the currency of the prices; null without prices.")]
    cached: bool


class JudgementReport(Struct, frozen=True, kw_only=True):
    """Holds the judgement, or the reason for its absence."""

    error: Annotated[str | None, Meta(description="Stable code of the failure; null if there is a judgement.")]
    model: str | None
    prompt_version: str | None
    score: Annotated[float | None, Meta(description="Quality of the answer as a whole, 0 to 1.")]
    confidence: Annotated[float | None, Meta(description="Confidence of the judge, 0 to 1.")]
    decision: JudgeDecision | None
    hallucination_risk: Annotated[float | None, Meta(description="Risk according to the judge, 0 to 1.")]
    reasoning: str
    hallucination_notes: str
    issues: Annotated[tuple[JudgeIssueEntry, ...], Meta(description="Issues that count.")]
    void_issues: Annotated[tuple[JudgeIssueEntry, ...], Meta(description="Issues whose quote no source contains.")]
    usage: JudgeUsage


class AnswerReport(Struct, frozen=True, kw_only=True):
    """Holds the assessment of one answer; one line of the JSONL format."""

    number: Annotated[Number, Meta(description="Position among the answers, from 1.")]
    id: Annotated[str | None, Meta(description="Identifier of the answer in the input.")]
    name: Annotated[str, Meta(description="Name: the file, the id, or the line.")]
    line: Annotated[Number | None, Meta(description="Line of a batch, from 1; null for a single answer.")]
    question: Annotated[str | None, Meta(description="The question; null if it is unknown.")]
    chars: Annotated[Count, Meta(description="Length of the answer in code points.")]
    iteration: Annotated[
        Count | None, Meta(description="Number of the round of searching and answering; null if it is unknown.")
    ]
    max_iterations: Annotated[Count | None, Meta(description="Number of the last round.")]
    question_type: Annotated[QuestionType, Meta(description="Type of question, which selects the limits of risk.")]
    source_quality: Annotated[SourceQuality, Meta(description="Quality of the sources, which shifts these limits.")]
    moderate_above: Annotated[Fraction, Meta(description="A score above this is a moderate risk.")]
    high_above: Annotated[Fraction, Meta(description="A score above this is a high risk.")]
    level: Annotated[RiskLevel, Meta(description="Level of risk.")]
    score: Annotated[Fraction, Meta(description="Risk: the higher of the rules' score and the judge's.")]
    action: Annotated[Action, Meta(description="The action to take.")]
    accepted: bool
    forced: Annotated[bool, Meta(description="Whether the answer is accepted only because no iterations are left.")]
    judge_status: Annotated[JudgeStatus, Meta(description="Whether there is a judgement.")]
    reasons: Annotated[tuple[RiskReason, ...], Meta(description="Reasons for the level; deciding ones come first.")]
    note: Annotated[str | None, Meta(description="Why nothing was assessed; null if it was.")]
    citation_coverage: Annotated[Fraction, Meta(description="Share of claims with a valid citation.")]
    citation_ratio: Annotated[float, Meta(ge=0, description="Ratio of distinct valid ids to claims; may exceed 1.")]
    total_claims: Count
    valid_citations: Annotated[tuple[str, ...], Meta(description="Distinct cited ids of existing results, sorted.")]
    invalid_citations: Annotated[
        tuple[str, ...], Meta(description="Distinct cited ids that belong to no result, sorted.")
    ]
    ignored: Annotated[
        tuple[str, ...], Meta(description="Bracketed texts that do not look like the ids in use, sorted.")
    ]
    claims: Annotated[tuple[ClaimEntry, ...], Meta(description="In order.")]
    citations: Annotated[tuple[CitationEntry, ...], Meta(description="In order.")]
    findings: Annotated[tuple[CitationFinding, ...], Meta(description="Hallucinations found by the rules and a judge.")]
    sources: Annotated[tuple[SourceEntry, ...], Meta(description="The search results, in order.")]
    anomalies: tuple[ResultAnomaly, ...]
    unread_keys: Annotated[
        tuple[str, ...],
        Meta(description="Names of the keys of results without a text, if one is cited; at most 20, never a value."),
    ]
    judgement: Annotated[JudgementReport | None, Meta(description="Null without a judge.")]


class CiteSummary(Struct, frozen=True, kw_only=True):
    """Holds counts and figures of all answers; a figure with a zero denominator is null."""

    answers: Count
    accepted: Count
    forced: Annotated[Count, Meta(description="Answers accepted only because no iterations were left.")]
    rejected: Annotated[Count, Meta(description="Answers that are not accepted.")]
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
    uncited: Annotated[Count, Meta(description="Claims with this status, including short ones.")]
    unread: Count
    mean_score: Annotated[Fraction | None, Meta(description="Mean risk of the answers.")]
    high_risk_share: Fraction | None
    invalid_citation_rate: Annotated[Fraction | None, Meta(description="Share of cited ids that belong to no result.")]
    uncited_claim_rate: Annotated[
        Fraction | None, Meta(description="Share of claims that are long and have no citation.")
    ]


class CiteReport(Struct, frozen=True, kw_only=True):
    """Holds the results of `groundwire cite` for answers and their citations."""

    schema_version: Literal["1"]
    tool: Tool
    settings: CiteSettings
    answers: Annotated[tuple[AnswerReport, ...], Meta(description="In the order of the input.")]
    summary: CiteSummary
