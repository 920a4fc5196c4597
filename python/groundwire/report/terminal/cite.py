"""Prints the citation report: one line per claim, followed by the assessment of the answer."""

from collections.abc import Iterator

from groundwire.citations import CitedClaimStatus, RiskLevel
from groundwire.report.cite.model import AnswerReport, CiteReport, ClaimEntry
from groundwire.report.labels import score_text
from groundwire.report.labels.cite import (
    CLAIM_SIGNS,
    answer_counts_text,
    answer_text,
    claim_status_text,
    claim_words,
    context_text,
    figures_text,
    headline_text,
    issue_text,
    judge_text,
    settings_text,
    unread_text,
)
from groundwire.report.terminal import Block, Line, Row, StyledText, Table, line

__all__ = ["layout"]

_STYLES: dict[CitedClaimStatus, str] = {
    CitedClaimStatus.SUPPORTED: "green",
    CitedClaimStatus.WEAK: "yellow",
    CitedClaimStatus.UNSUPPORTED: "bold red",
    CitedClaimStatus.MISATTRIBUTED: "bold magenta",
    CitedClaimStatus.CONTRADICTED: "bold red",
    CitedClaimStatus.UNCITED: "yellow",
    CitedClaimStatus.UNREAD: "cyan",
}
_LEVEL_STYLES: dict[RiskLevel, str] = {
    RiskLevel.LOW: "bold green",
    RiskLevel.MODERATE: "bold yellow",
    RiskLevel.HIGH: "bold red",
    RiskLevel.NOT_ASSESSED: "bold cyan",
}


def layout(report: CiteReport) -> Iterator[Block]:
    """
    Yield the claims of each answer as a table, then its level, reasons and counts.

    Columns: number, status, support, line and column, cited ids (`!7` is invalid), text and problems.
    """
    is_batch = len(report.answers) != 1
    for answer in report.answers:
        if is_batch:
            yield line(f"== {answer.name}", "bold")
        if answer.claims:
            yield Table([_row(claim) for claim in answer.claims])
            yield line()
        yield from _verdict(answer)
        yield from _judge(answer)
        if is_batch:
            yield line()
    if is_batch:
        yield line(headline_text(report), "bold")
    if is_batch and report.answers:
        yield line(figures_text(report))
    yield line(settings_text(report), "dim")


def _row(claim: ClaimEntry) -> Row:
    cited = ", ".join([*claim.valid, *(f"!{id_}" for id_ in claim.invalid)]) or "–"
    return Row(
        (
            line(f"#{claim.number}", "dim"),
            line(f"{CLAIM_SIGNS[claim.status]} {claim_status_text(claim.status)}", _STYLES[claim.status]),
            line(score_text(claim.support)),
            line(f"{claim.line}:{claim.column}"),
            line(f"[{cited}]"),
            (StyledText(claim.text), *_why(claim)),
        )
    )


def _why(claim: ClaimEntry) -> Line:
    """Return the problems of the claim in brackets."""
    why = " ".join(claim_words(claim))
    return (StyledText(f"  ({why})", "italic"),) if why else ()


def _verdict(answer: AnswerReport) -> Iterator[Line]:
    """Yield level, reasons, counts, and problems of the citations and results."""
    yield line(answer_text(answer), _LEVEL_STYLES[answer.level])
    for reason in answer.reasons:
        yield line(f"  {reason.code}: {reason.words}")
    if (context := context_text(answer)) is not None:
        yield line(context)
    yield line(answer_counts_text(answer), "dim")
    if answer.invalid_citations:
        yield line(f"invalid ids: {', '.join(answer.invalid_citations)}", "red")
    if (unread := unread_text(answer)) is not None:
        yield line(unread, "yellow")
    for anomaly in answer.anomalies:
        yield line(f"results: {anomaly.count:,} × {anomaly.code}: {anomaly.words}", "yellow")


def _judge(answer: AnswerReport) -> Iterator[Line]:
    """Yield the judge's result and its issues."""
    if (said := judge_text(answer)) is None:
        return
    yield line(f"judge: {said}")
    for issue in answer.judgement.issues if answer.judgement else ():
        yield line(f"  {issue_text(issue)}", "red")
