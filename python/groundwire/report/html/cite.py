"""
The citation report as one HTML page: each sentence beside the passages that it cites.

Everything can be read and filtered without the script, which adds keys.
"""

from collections.abc import Iterator, Sequence

from groundwire.report.cite.builder import Case, Row, split_rows
from groundwire.report.cite.model import AnswerReport, CiteReport, JudgeIssueEntry, SourceEntry
from groundwire.report.html.answer import AnswerText, claim_id, source_id
from groundwire.report.html.evidence import Evidence
from groundwire.report.html.page import filters, page, style
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
    figures_text,
    judge_text,
    plural,
    unread_text,
)
from groundwire.report.markup import markup
from groundwire.search_results import read_results

__all__ = ["render_html"]

_SHEETS = ("page.css", "rows.css", "cite.css")
# A passage may be a book; the report is about the parts that are cited.
_SHOWN_CHARS = 20_000


def render_html(report: CiteReport, cases: Sequence[Case]) -> str:
    """
    Return *report* as an HTML page with the answers and the passages they cite.

    Args:
        report: What to show.
        cases: The answers, in the order of `report.answers`.

    Raises:
        ValueError: There are more or fewer cases than answers, or one has another length than its answer.
    """
    if [len(case.answer) for case in cases] != [answer.chars for answer in report.answers]:
        raise ValueError("cases must be those of the report's answers, in the same order")
    skip = "answers", "Skip to the answer"
    title = f"Citation check: {cite_headline_text(report)}"
    return page(title, _body(report, cases), sheet=style(*_SHEETS), skip=skip)


def _body(report: CiteReport, cases: Sequence[Case]) -> Iterator[str]:
    """Yield what is seen, from top to bottom."""
    many = len(report.answers) > 1
    yield f'<header>\n<h1>Citation check</h1>\n<p class="answer">{cite_headline_text(report)}</p>\n'
    if many:
        yield f'<p class="note">{figures_text(report)}</p>\n'
    yield from filters(
        report.summary.claims,
        [
            (status, CLAIM_SIGNS[status], f"{count:,} {claim_status_text(status)}")
            for status, count in claim_status_counts(report)
        ],
    )
    yield '</header>\n<main class="answers" id="answers" tabindex="-1" data-keys>\n'
    yield '<p class="note keys" hidden>Keys here: j next sentence, k the one before, Enter to its source.</p>\n'
    for answer, case in zip(report.answers, cases, strict=True):
        yield from _answer(answer, case, many=many)
    model = "" if report.settings.model is None else f" {markup(report.settings.model)}"
    settings = f"{cite_settings_text(report, markup)}{model}"
    yield f"</main>\n<footer>groundwire {markup(report.tool.version)}, {settings}</footer>\n"


def _answer(answer: AnswerReport, case: Case, *, many: bool) -> Iterator[str]:
    """Yield one answer: level and reasons, the rows, what the judge said, the sources."""
    number = answer.number
    yield f'<section class="case" id="a{number}" aria-labelledby="a{number}-name">\n'
    yield f'<h2 id="a{number}-name">{markup(answer.name)}</h2>\n'
    yield from _verdict(answer, many=many)
    evidence = Evidence(answer, case)
    rows = split_rows(case.answer, answer.claims, answer.citations)
    text = AnswerText(answer, case.answer, rows, evidence.places)
    for row in rows:
        yield from _row(answer, row, text, evidence)
    yield from _sources(answer, case)
    yield "</section>\n"


def _verdict(answer: AnswerReport, *, many: bool) -> Iterator[str]:
    """Yield level, reasons and counts of one answer; of a single one the level is the headline."""
    yield f'<div class="verdict {answer.level}">\n'
    if many:
        sign = f'<span aria-hidden="true">{LEVEL_SIGNS[answer.level]}</span>'
        yield f'<p class="level">{sign} {answer_text(answer)}</p>\n'
    if answer.question:
        yield f'<p class="question" dir="auto">Question: {markup(answer.question)}</p>\n'
    yield '<ul class="reasons">'
    yield from (f"<li>{markup(reason.words)}</li>" for reason in answer.reasons)
    yield from (f"<li>{each.count:,} × results: {markup(each.words)}</li>" for each in answer.anomalies)
    yield "</ul>\n"
    if (circumstances := circumstances_text(answer)) is not None:
        yield f'<p class="note">{circumstances}</p>\n'
    yield f'<p class="note">{answer_counts_text(answer)}</p>\n'
    if (unread := unread_text(answer)) is not None:
        yield f'<p class="note">{markup(unread)}</p>\n'
    yield from _judge(answer)
    yield "</div>\n"


def _row(answer: AnswerReport, row: Row, text: AnswerText, evidence: Evidence) -> Iterator[str]:
    """Yield a stretch of the answer, and beside it what is said of the claim in it."""
    if row.claim is None:
        yield '<div class="row other"><div class="said" dir="auto">'
        yield from text.render(row)
        yield "</div></div>\n"
        return
    claim = row.claim
    yield f'<div class="row claim {claim.status}" id="{claim_id(answer.number, claim.number)}" tabindex="-1" data-item '
    yield f'role="group" aria-label="sentence {claim.number}, {claim_status_text(claim.status)}">\n'
    yield '<div class="said" dir="auto">'
    yield from text.render(row)
    yield '</div>\n<div class="evidence">\n'
    yield from evidence.render(claim)
    yield "</div>\n</div>\n"


def _judge(answer: AnswerReport) -> Iterator[str]:
    """Yield what the judge said; nothing if nobody was asked."""
    said, judgement = judge_text(answer), answer.judgement
    if said is None or judgement is None:
        return
    model = "" if judgement.model is None else f" {markup(judgement.model)}"
    yield f"<details open>\n<summary>Judge{model}: {markup(said)}</summary>\n"
    for words in (judgement.hallucination_notes, judgement.reasoning):
        if words:
            yield f'<p class="said" dir="auto">{markup(words)}</p>\n'
    for title, issues in (("Issues", judgement.issues), ("Void: quoted from no source", judgement.void_issues)):
        if issues:
            yield f'<p class="note">{title}</p>\n<ul class="reasons">{"".join(map(_issue, issues))}</ul>\n'
    yield "</details>\n"


def _issue(issue: JudgeIssueEntry) -> str:
    evidence = f": <q>{markup(issue.evidence)}</q>" if issue.evidence else ""
    return f"<li>{issue.type.value.replace('_', ' ')}: <q>{markup(issue.claim)}</q>{evidence}</li>"


def _sources(answer: AnswerReport, case: Case) -> Iterator[str]:
    """Yield all results with their passages; what is cited leads back to the sentences."""
    if not answer.sources:
        return
    passages = read_results(case.results).passages
    citing: dict[str, list[int]] = {}
    for claim in answer.claims:
        for id_ in claim.valid:
            citing.setdefault(id_, []).append(claim.number)
    yield f'<details class="sources" open>\n<summary>{plural(len(answer.sources), "source")}</summary>\n'
    for source, passage in zip(answer.sources, passages, strict=True):
        yield f'<section class="source" id="{source_id(answer.number, source.number)}" tabindex="-1">\n'
        claims = {each for id_ in (source.id, source.parent_id) if id_ for each in citing.get(id_, ())}
        yield from _source_head(answer.number, source, sorted(claims))
        if passage:
            more = len(passage) - _SHOWN_CHARS
            yield f'<div class="text" dir="auto">{markup(passage[:_SHOWN_CHARS])}</div>\n'
            yield f'<p class="note">and {plural(more, "more character")}</p>\n' if more > 0 else ""
        else:
            yield '<p class="note">no text</p>\n'
        yield "</section>\n"
    yield "</details>\n"


def _source_head(answer: int, source: SourceEntry, claims: Sequence[int]) -> Iterator[str]:
    """Yield by what a source is cited, and the links to the claims that do."""
    yield f'<p class="head"><span class="id">[{markup(source.id or source.parent_id or "no id")}]</span>'
    if source.title:
        yield f' <span class="domain">{markup(source.title)}</span>'
    if source.id and source.parent_id:
        yield f' <span class="id">part of {markup(source.parent_id)}</span>'
    links = ", ".join(f'<a href="#{claim_id(answer, each)}">{each}</a>' for each in claims)
    yield f' <span class="score">{f"cited in {links}" if links else "not cited"}</span></p>\n'
