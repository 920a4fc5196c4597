"""The citation report on a terminal: a table for each answer, with colour, signs and words."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from groundwire.citations import CitedClaimStatus, RiskLevel
from groundwire.report.cite.model import AnswerReport, CiteReport, ClaimEntry
from groundwire.report.labels import (
    CLAIM_SIGNS,
    LEVEL_SIGNS,
    answer_counts_text,
    answer_text,
    circumstances_text,
    cite_headline_text,
    cite_settings_text,
    claim_status_text,
    claim_words,
    figures_text,
    issue_text,
    judge_text,
    score_text,
    unread_text,
)
from groundwire.report.text.cite import cited_text
from groundwire.sanitize import one_line

__all__ = ["print_report"]

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
_TEXT_LIMIT = 400
_NAME_LIMIT = 60
_CITED_LIMIT = 24


def print_report(report: CiteReport, console: Console) -> None:
    """Print *report*: a table of the claims of each answer, then level, reasons and counts."""
    for answer in report.answers:
        console.print()
        if len(report.answers) > 1:
            console.print(Text(one_line(answer.name, limit=_NAME_LIMIT), "bold"))
        if answer.claims:
            console.print(_table(answer))
            console.print()
        for line in _verdict(answer):
            console.print(line)
    if len(report.answers) != 1:
        console.print()
        console.print(Text(cite_headline_text(report), "bold"))
        console.print(Text(figures_text(report)))
    console.print(Text(cite_settings_text(report), "dim"))


def _table(answer: AnswerReport) -> Table:
    table = Table(
        Column("#", justify="right", style="dim"),
        Column("support", no_wrap=True),
        Column("score", width=5),
        Column("where", no_wrap=True),
        Column("cites", overflow="fold", max_width=_CITED_LIMIT),
        Column("claim", overflow="fold", ratio=1),
        box=None,
        expand=True,
        padding=(0, 2, 0, 0),
        header_style="dim",
    )
    for claim in answer.claims:
        status = Text(f"{CLAIM_SIGNS[claim.status]} {claim_status_text(claim.status)}", _STYLES[claim.status])
        cited = Text(one_line(cited_text(claim), limit=_TEXT_LIMIT))
        where = f"{claim.line}:{claim.column}"
        table.add_row(str(claim.number), status, score_text(claim.support), where, cited, _text(claim))
    return table


def _text(claim: ClaimEntry) -> Text:
    """Return the claim, and below it what is wrong with it."""
    text = Text(one_line(claim.text, limit=_TEXT_LIMIT))
    for words in claim_words(claim):
        text.append(f"\n{one_line(words)}", "italic")
    if claim.better_source is not None:
        text.append(f": {one_line(claim.better_source, limit=_TEXT_LIMIT)}", "italic")
    return text


def _verdict(answer: AnswerReport) -> Iterator[Text]:
    yield Text(f"{LEVEL_SIGNS[answer.level]} {answer_text(answer)}", _LEVEL_STYLES[answer.level])
    for reason in answer.reasons:
        yield Text(f"  {one_line(reason.words)}")
    if (circumstances := circumstances_text(answer)) is not None:
        yield Text(circumstances)
    yield Text(answer_counts_text(answer), "dim")
    if answer.invalid_citations:
        yield Text(f"not there: {one_line(', '.join(answer.invalid_citations), limit=_TEXT_LIMIT)}", "red")
    if (unread := unread_text(answer)) is not None:
        yield Text(unread, "yellow")
    for anomaly in answer.anomalies:
        yield Text(f"results: {anomaly.count:,} × {one_line(anomaly.words)}", "yellow")
    if (said := judge_text(answer)) is not None:
        yield Text(f"judge: {said}")
        for issue in answer.judgement.issues if answer.judgement else ():
            yield Text(f"  {one_line(issue_text(issue), limit=_TEXT_LIMIT)}", "red")
