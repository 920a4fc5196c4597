"""The citation report as Markdown, for issues, pull requests and notebooks."""

from collections.abc import Iterator

from groundwire.report.cite.model import AnswerReport, CiteReport, ClaimEntry
from groundwire.report.labels import (
    CLAIM_SIGNS,
    LEVEL_SIGNS,
    answer_counts_text,
    answer_text,
    circumstances_text,
    cite_headline_text,
    cite_settings_text,
    claim_status_counts,
    claim_status_text,
    claim_words,
    figures_text,
    judge_text,
    score_text,
    unread_text,
)
from groundwire.report.markdown.check import code_span, count_table, prose

__all__ = ["render_markdown"]


def render_markdown(report: CiteReport) -> str:
    """Return *report* as GitHub-flavoured Markdown: summary, then the answers."""
    return "\n".join([*_summary(report), *(line for answer in report.answers for line in _answer(answer))])


def _summary(report: CiteReport) -> Iterator[str]:
    yield from ("# Citation check", "", f"**{cite_headline_text(report)}**", "")
    yield from count_table(
        [(f"{CLAIM_SIGNS[status]} {claim_status_text(status)}", count) for status, count in claim_status_counts(report)]
    )
    if len(report.answers) > 1:
        yield f"- {figures_text(report)}"
    model = "" if report.settings.model is None else f" {code_span(report.settings.model)}"
    yield f"- Assessed by {cite_settings_text(report, code_span)}{model}; groundwire {report.tool.version}"
    yield ""


def _answer(answer: AnswerReport) -> Iterator[str]:
    """Yield what is said of one answer, then its claims."""
    yield f"## {LEVEL_SIGNS[answer.level]} {code_span(answer.name)}: {answer_text(answer)}"
    yield ""
    if answer.question:
        yield f"- question {code_span(answer.question)}"
    for reason in answer.reasons:
        yield f"- `{reason.code}`: {prose(reason.words)}"
    if (circumstances := circumstances_text(answer)) is not None:
        yield f"- {circumstances}"
    yield f"- {answer_counts_text(answer)}"
    if answer.invalid_citations:
        yield f"- not there: {', '.join(map(code_span, answer.invalid_citations))}"
    if (unread := unread_text(answer)) is not None:
        yield f"- {prose(unread)}"
    for anomaly in answer.anomalies:
        yield f"- results: {anomaly.count:,} × `{anomaly.code}`"
    yield from _judge(answer)
    yield ""
    for claim in answer.claims:
        yield from _claim(claim)
    yield ""


def _judge(answer: AnswerReport) -> Iterator[str]:
    said, judgement = judge_text(answer), answer.judgement
    if said is None or judgement is None:
        return
    yield f"- judge: {prose(said)}"
    if judgement.hallucination_notes:
        yield f"  - {code_span(judgement.hallucination_notes)}"
    for issue in judgement.issues:
        evidence = "" if issue.evidence is None else f"; the source has {code_span(issue.evidence)}"
        yield f"  - `{issue.type}`: {code_span(issue.claim)}{evidence}"


def _claim(claim: ClaimEntry) -> Iterator[str]:
    support = "" if claim.support is None else f", support {score_text(claim.support)}"
    cited = [*map(code_span, claim.valid), *(f"~~{code_span(id_)}~~" for id_ in claim.invalid)]
    where = f"{claim.line}:{claim.column}"
    yield f"- **{CLAIM_SIGNS[claim.status]} {claim_status_text(claim.status)}** · #{claim.number} · {where}{support}"
    yield f"  - claim {code_span(claim.text)}"
    if cited:
        yield f"  - cites {', '.join(cited)}"
    for words in claim_words(claim):
        yield f"  - {prose(words)}"
    if claim.better_source is not None:
        yield f"  - see {code_span(claim.better_source)}"
