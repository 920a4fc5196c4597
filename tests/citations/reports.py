"""Create reports and judgements with given counts."""

from groundwire.citations import CitationReport, Facts, Policy
from groundwire.citations.report import Figures, Records
from groundwire.citations.risk_rules import RiskThresholds, decide
from groundwire.judge.protocol import HallucinationType, JudgeIssue, Judgement


def facts_with(policy="coverage", **counts) -> Facts:
    """Return the facts of ten claims, all of them cited, except for *counts*."""
    usual = {"is_empty": False, "total_claims": 10, "cited": 10, "invalid": 0, "uncited": 0}
    counted = {name: counts.pop(name, value) for name, value in usual.items()}
    return Facts.of(Policy(policy), **counted)._replace(**counts)


def report_with(policy="coverage", **counts) -> CitationReport:
    """Return a report with these counts."""
    return report_of(facts_with(policy, **counts))


def report_of(facts: Facts) -> CitationReport:
    """Return a report of these facts."""
    level, reasons = decide(facts, RiskThresholds())
    return CitationReport(
        level=level,
        reasons=reasons,
        anomalies=(),
        facts=facts,
        figures=Figures(facts.total_claims, facts.cited, facts.uncited, ["1"], ["x"] * facts.invalid, []),
        make_ratio=lambda: 1.0,
        make_records=lambda: Records((), ()),
    )


def judgement_with(risk: float | None = 0.0, *types: HallucinationType, **others) -> Judgement:
    """Return a judgement with this risk and an issue of each of *types*."""
    issues = tuple(JudgeIssue(type=kind, claim="private words") for kind in types)
    return Judgement(**{"score": 0.9, "hallucination_risk": risk, "issues": issues, **others})
