"""Reports and judgements with the counts that a test wants."""

from groundwire.citations import CitationReport, Facts, Policy
from groundwire.citations.report import Figures, Records
from groundwire.citations.risk_rules import RiskThresholds, decide
from groundwire.judge.protocol import HallucinationType, JudgeIssue, Judgement


def facts_with(policy="coverage", **counts) -> Facts:
    """Facts of ten claims, all of them cited, but for *counts*."""
    usual = {"is_empty": False, "total_claims": 10, "cited": 10, "invalid": 0, "uncited": 0}
    counted = {name: counts.pop(name, value) for name, value in usual.items()}
    return Facts.of(Policy(policy), **counted)._replace(**counts)


def report_with(policy="coverage", **counts) -> CitationReport:
    """A report of these counts."""
    return report_of(facts_with(policy, **counts))


def report_of(facts: Facts) -> CitationReport:
    """A report of these facts."""
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
    """A judgement of this risk that names an issue of each of *types*."""
    issues = tuple(JudgeIssue(type=kind, claim="private words") for kind in types)
    return Judgement(**{"score": 0.9, "hallucination_risk": risk, "issues": issues, **others})
