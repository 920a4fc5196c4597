"""What the rules and a judge say, in the report's form."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from groundwire.citations import FINDINGS, REASONS, ClaimRecord, Finding, Reason, RiskThresholds
from groundwire.judge.protocol import JudgeIssue, Judgement
from groundwire.report.cite.model import (
    CitationFinding,
    ClaimEntry,
    JudgeIssueEntry,
    JudgementReport,
    JudgeUsage,
    RiskReason,
)
from groundwire.report.lines import Lines
from groundwire.report.model import read_score

__all__ = ["claim_entries", "finding_entries", "judgement_entry", "reason_entries"]


def reason_entries(reasons: Iterable[Reason], limits: RiskThresholds) -> tuple[RiskReason, ...]:
    """Return *reasons* with their words, and *limits* in these."""
    numbers = asdict(limits)
    return tuple(RiskReason(code=code, words=REASONS[code].format(**numbers)) for code in reasons)


def finding_entries(findings: Iterable[Finding]) -> tuple[CitationFinding, ...]:
    """Return *findings* with their words."""
    return tuple(
        CitationFinding(
            type=each.type, found_by=each.found_by, words=FINDINGS[each.found_by], start=each.start, end=each.end
        )
        for each in findings
    )


def claim_entries(answer: str, claims: Sequence[ClaimRecord]) -> tuple[ClaimEntry, ...]:
    """Return *claims* with their lines in *answer*."""
    lines = Lines(answer)
    return tuple(_claim(number, each, lines) for number, each in enumerate(claims, start=1))


def _claim(number: int, record: ClaimRecord, lines: Lines) -> ClaimEntry:
    line, column = lines.locate(record.start)
    return ClaimEntry(
        number=number,
        text=record.text,
        start=record.start,
        end=record.end,
        line=line,
        column=column,
        status=record.status,
        support=record.support,
        valid=record.valid,
        invalid=record.invalid,
        parent=record.parent,
        is_uncited=record.is_uncited,
        better_source=record.better_source,
        findings=finding_entries(record.findings),
        missing=record.missing,
        reader=read_score(record.reader),
    )


def judgement_entry(judgement: Judgement | None) -> JudgementReport | None:
    """Return what the judge said; None if nobody was asked."""
    if judgement is None:
        return None
    usage = judgement.usage
    return JudgementReport(
        error=judgement.error,
        model=judgement.model,
        prompt_version=judgement.prompt_version,
        score=judgement.score,
        confidence=judgement.confidence,
        decision=judgement.decision,
        hallucination_risk=judgement.hallucination_risk,
        reasoning=judgement.reasoning,
        hallucination_notes=judgement.hallucination_notes,
        issues=tuple(map(_issue, judgement.issues)),
        void_issues=tuple(map(_issue, judgement.void_issues)),
        usage=JudgeUsage(
            calls=usage.calls,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            cost=usage.cost,
            cached=usage.cached,
        ),
    )


def _issue(issue: JudgeIssue) -> JudgeIssueEntry:
    return JudgeIssueEntry(type=issue.type, claim=issue.claim, evidence=issue.evidence, grounded=issue.grounded)
