"""The citation report as plain text: one line a claim, for pipes, files and narrow terminals."""

from collections.abc import Iterator

from groundwire.report.cite.model import AnswerReport, CiteReport, ClaimEntry
from groundwire.report.labels import (
    CLAIM_SIGNS,
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
from groundwire.report.text import aligned
from groundwire.sanitize import one_line

__all__ = ["cited_text", "render_plain"]


def render_plain(report: CiteReport) -> str:
    """
    Return *report* as lines without colour, answer by answer.

    Columns: claim, status, support, line and column, ids cited (`!7` is none), text and what
    is wrong with it; aligned, the last one never cut or wrapped. Level, reasons and counts follow.
    """
    lines = [line for answer in report.answers for line in _answer(answer, many=len(report.answers) > 1)]
    if len(report.answers) != 1:
        lines += [cite_headline_text(report), *([figures_text(report)] if report.answers else [])]
    return "\n".join([*lines, cite_settings_text(report)]) + "\n"


def cited_text(claim: ClaimEntry) -> str:
    """Return the ids that *claim* cites; one that is not there has a `!`."""
    return one_line(", ".join([*claim.valid, *(f"!{id_}" for id_ in claim.invalid)])) or "–"


def _answer(answer: AnswerReport, *, many: bool) -> Iterator[str]:
    """Yield the claims of one answer, and what is said of it as a whole."""
    if many:
        yield f"== {one_line(answer.name)}"
    yield from aligned([_row(claim) for claim in answer.claims])
    if answer.claims:
        yield ""
    yield answer_text(answer)
    for reason in answer.reasons:
        yield f"  {reason.code}: {one_line(reason.words)}"
    if (circumstances := circumstances_text(answer)) is not None:
        yield circumstances
    yield answer_counts_text(answer)
    if answer.invalid_citations:
        yield f"not there: {one_line(', '.join(answer.invalid_citations))}"
    if (unread := unread_text(answer)) is not None:
        yield unread
    for anomaly in answer.anomalies:
        yield f"results: {anomaly.count:,} × {anomaly.code}: {one_line(anomaly.words)}"
    if (said := judge_text(answer)) is not None:
        yield f"judge: {said}"
        for issue in answer.judgement.issues if answer.judgement else ():
            yield f"  {issue_text(issue)}"
    if many:
        yield ""


def _row(claim: ClaimEntry) -> tuple[str, ...]:
    why = "; ".join(claim_words(claim))
    better = "" if claim.better_source is None else f": {one_line(claim.better_source)}"
    return (
        f"#{claim.number}",
        f"{CLAIM_SIGNS[claim.status]} {claim_status_text(claim.status)}",
        score_text(claim.support),
        f"{claim.line}:{claim.column}",
        f"[{cited_text(claim)}]",
        one_line(claim.text) + (f"  ({why}{better})" if why else ""),
    )
