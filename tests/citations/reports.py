"""Reports and judgements with the counts that a test wants."""

from groundwire.citations import CitationReport, Facts, Policy
from groundwire.citations.conditions import decide
from groundwire.citations.report import Records
from groundwire.citations.thresholds import RiskThresholds
from groundwire.judgement import HallucinationType, Issue, Judgement


def facts_with(policy="coverage", **counts) -> Facts:
    """Facts of ten claims, all of them cited, but for *counts*."""
    usual = {"is_empty": False, "total_claims": 10, "cited": 10, "invalid": 0, "uncited": 0}
    return Facts(policy=Policy(policy), **{**usual, **counts})


def report_with(policy="coverage", **counts) -> CitationReport:
    """A report of these counts."""
    facts = facts_with(policy, **counts)
    level, reasons = decide(facts, RiskThresholds())
    return CitationReport(
        policy=facts.policy,
        score=facts.score.rounded(),
        level=level,
        reasons=reasons,
        note=None,
        citation_coverage=1.0,
        total_claims=facts.total_claims,
        valid_citations=["1"],
        invalid_citations=[f"x{number}" for number in range(facts.invalid)],
        ignored=[],
        anomalies=(),
        facts=facts,
        make_ratio=lambda: 1.0,
        make_records=lambda: Records((), ()),
    )


def judgement_with(risk: float | None = 0.0, *types: HallucinationType, **others) -> Judgement:
    """A judgement of this risk that names an issue of each of *types*."""
    issues = tuple(Issue(type=kind, claim="private words") for kind in types)
    return Judgement(**{"score": 0.9, "hallucination_risk": risk, "issues": issues, **others})
