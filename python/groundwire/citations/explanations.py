"""
Explains the risk of an answer and the findings about its claims, with the values that decided.

`RISK_EXPLANATIONS` and `FINDING_EXPLANATIONS` are the catalogues: templates with named fields. A code without a
template, or without the values that its template needs, gets its meaning in `REASONS` or `FINDINGS` as a sentence.
"""

from dataclasses import asdict

from groundwire.citations.report import FINDINGS, CitationReport, ClaimRecord, Finding, FoundBy
from groundwire.citations.risk import RiskAssessment
from groundwire.citations.risk_rules import REASONS, RiskReasonCode, RiskThresholds
from groundwire.evidence.explanations import as_sentence, fill, in_quotation_marks, score_digits, value_or_words

__all__ = ["FINDING_EXPLANATIONS", "RISK_EXPLANATIONS", "explain_finding", "explain_risk"]

RISK_EXPLANATIONS: dict[RiskReasonCode, str] = {
    RiskReasonCode.SCORE_HIGH: "The risk score is {score}; a score above {high_above} is a high risk.",
    RiskReasonCode.INVALID_CITATION: "Cited ids that belong to no result: {invalid}. One such id is a high risk.",
    RiskReasonCode.MANY_UNCITED: "Long claims without a citation: {uncited}. At least {high_uncited} are a high risk.",
    RiskReasonCode.FEW_CITED: (
        "The share of citations is {share}; with at least {high_share_claims} claims, a share below {high_share_below} "
        "is a high risk."
    ),
    RiskReasonCode.JUDGE_HIGH: "The judge's risk is {judge_risk}; a risk above {high_above} is high.",
    RiskReasonCode.SCORE_MODERATE: (
        "The risk score is {score}; a score above {moderate_above} and up to {high_above} is a moderate risk."
    ),
    RiskReasonCode.SOME_UNCITED: "Long claims without a citation: {uncited}. A low risk allows none.",
    RiskReasonCode.UNREAD: (
        "Claims whose cited passages have no text, or no words to compare: {unread}. A low risk allows none."
    ),
    RiskReasonCode.CONTRADICTED: "Claims that a cited passage contradicts: {contradicted}. A low risk allows none.",
    RiskReasonCode.MISATTRIBUTED: (
        "Claims that the cited source does not support, but another one does: {misattributed}. A low risk allows none."
    ),
    RiskReasonCode.MUCH_UNSUPPORTED: (
        "Unsupported claims: {unsupported} of {read} whose passages were read. A share above {moderate_above} is a "
        "moderate risk."
    ),
    RiskReasonCode.JUDGE_MODERATE: (
        "The judge's risk is {judge_risk}; a risk above {moderate_above} and up to {high_above} is moderate."
    ),
    RiskReasonCode.JUDGE_UNSURE: "The judge's confidence is {confidence}; the minimum is {confidence_from}.",
    RiskReasonCode.SCORE_LOW: "The risk score is {score}; a score of at most {moderate_above} is a low risk.",
    RiskReasonCode.MOSTLY_CITED: "The share of citations is {share}; the minimum for a low risk is {low_share_from}.",
    RiskReasonCode.JUDGE_LOW: "The judge's risk is {judge_risk}; a risk of at most {moderate_above} is low.",
}

FINDING_EXPLANATIONS: dict[FoundBy, str] = {
    FoundBy.LOW_SUPPORT: (
        "No cited passage supports it (best support {support}, minimum for partial support {weak_from})."
    ),
    FoundBy.OTHER_SOURCE: "No cited passage supports it (best support {support}), but {better_source} does.",
    FoundBy.PARTIAL_SUPPORT: "The cited passages support only part of it (best support {support}).",
    FoundBy.NUMBER: "The passage says {passage}; the claim says {claim}.",
    FoundBy.DATE: "The passage says {passage}; the claim says {claim}.",
    FoundBy.NEGATION: ("Only one of claim and passage is negated: the passage says {passage}; the claim says {claim}."),
}


def explain_risk(assessment: RiskAssessment, limits: RiskThresholds) -> list[str]:
    """Return a sentence for each of the assessment's reasons, in their order; *limits* are those that decided."""
    fields = _risk_fields(assessment.report, assessment, limits)
    numbers = asdict(limits)
    return [
        fill([RISK_EXPLANATIONS[code]] if code in RISK_EXPLANATIONS else [], fields)
        or as_sentence(REASONS[code].format(**numbers))
        for code in assessment.reasons
    ]


def explain_finding(finding: Finding, claim: ClaimRecord | None, limits: RiskThresholds) -> str:
    """Return a sentence for *finding*; a *claim* that it is about gives the values."""
    template = FINDING_EXPLANATIONS.get(finding.found_by)
    fields = {} if claim is None else _claim_fields(claim, limits)
    return (template and fill([template], fields)) or as_sentence(FINDINGS[finding.found_by])


def _risk_fields(report: CitationReport, assessment: RiskAssessment, limits: RiskThresholds) -> dict[str, str | None]:
    facts, judgement = report.facts, assessment.judgement
    values = {name: f"{value:g}" for name, value in asdict(limits).items()}
    counts = ("invalid", "uncited", "read", "unsupported", "misattributed", "contradicted", "unread")
    return {
        **values,
        **{name: f"{getattr(facts, name):,}" for name in counts},
        "score": score_digits(facts.score.rounded()),
        "share": score_digits(facts.share.rounded()),
        "judge_risk": None if judgement is None else score_digits(judgement.hallucination_risk),
        "confidence": None if judgement is None else score_digits(judgement.confidence),
    }


def _claim_fields(claim: ClaimRecord, limits: RiskThresholds) -> dict[str, str | None]:
    in_claim, in_passage = claim.contradiction or (None, None)
    return {
        "support": score_digits(claim.support),
        "weak_from": f"{limits.weak_from:g}",
        "better_source": None if claim.better_source is None else in_quotation_marks(claim.better_source),
        "claim": None if in_claim is None else value_or_words(in_claim),
        "passage": None if in_passage is None else value_or_words(in_passage),
    }
