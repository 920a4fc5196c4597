"""The check report as one HTML page: the list of quotes beside the transcripts."""

from collections.abc import Iterator, Sequence

from groundwire.report.check import CheckReport
from groundwire.report.html.page import badge, choice, page, style
from groundwire.report.html.quotes import render_quotes
from groundwire.report.html.transcript import render_transcript
from groundwire.report.labels import (
    QUOTE_SIGNS,
    SCORE_NOTE,
    accepted_word,
    check_settings_text,
    check_verdict_text,
    has_misleading_score,
    legend,
    plural,
    quote_status_counts,
    quote_status_text,
)
from groundwire.report.markup import markup


def render_html(report: CheckReport, texts: Sequence[str]) -> str:
    """
    Return *report* as an HTML page with the transcripts and every quote marked in them.

    Args:
        report: What to show.
        texts: The text of each transcript, in the order of `report.transcripts`.

    Raises:
        ValueError: There are more or fewer texts than transcripts, or one has
            another length than its transcript.
    """
    if [len(text) for text in texts] != [transcript.chars for transcript in report.transcripts]:
        raise ValueError("texts must be those of the report's transcripts, in the same order")
    skip = "transcripts", "Skip to the transcript"
    return page(f"Quote check: {check_verdict_text(report)}", _body(report, texts), sheet=style("page.css"), skip=skip)


def _body(report: CheckReport, texts: Sequence[str]) -> Iterator[str]:
    """Yield what is seen, from top to bottom."""
    yield from _summary(report)
    yield '<main>\n<section class="list" aria-label="Quotes" tabindex="0" data-keys>\n'
    yield '<p class="note keys" hidden>Keys: j next quote, k previous quote, Enter to its passage.</p>\n'
    yield from render_quotes(report, texts)
    yield '</section>\n<div class="transcripts" id="transcripts" tabindex="-1">\n'
    for transcript, text in zip(report.transcripts, texts, strict=True):
        yield from render_transcript(report, transcript, text)
    yield f"</div>\n</main>\n<footer>groundwire {markup(report.tool.version)}, {check_settings_text(report, markup)},"
    yield f" Unicode {markup(report.tool.unicode_version)}</footer>\n"


def _summary(report: CheckReport) -> Iterator[str]:
    """Yield the head of the page: the answer, the counts and the domains."""
    summary = report.summary
    yield f'<header>\n<h1>Quote check</h1>\n<p class="answer">{check_verdict_text(report)}</p>\n'
    yield from _filters(report)
    domains = [each for each in summary.by_domain if each.domain is not None]
    if domains:
        yield f"<details>\n<summary>{plural(len(domains), 'domain')}</summary>\n<table>\n"
        passed = accepted_word(report).capitalize()
        yield f'<tr><th scope="col">Domain</th><th scope="col">{passed}</th><th scope="col">Quotes</th></tr>\n'
        for each in domains:
            yield f'<tr><th scope="row">{markup(each.domain or "")}</th>'
            yield f"<td>{each.grounded:,}</td><td>{each.quotes:,}</td></tr>\n"
        yield "</table>\n</details>\n"
    yield from _legend(report)
    yield "</header>\n"


def _legend(report: CheckReport) -> Iterator[str]:
    """Yield what the verdicts of the page mean; open from the start where a score may mislead."""
    entries = legend(report)
    if not entries:
        return
    is_open = " open" if any(map(has_misleading_score, report.quotes)) else ""
    yield f'<details class="legend"{is_open}>\n<summary>What the verdicts mean</summary>\n<dl>\n'
    for status, words in entries:
        yield f"<dt>{badge(status, QUOTE_SIGNS[status], quote_status_text(status))}</dt><dd>{markup(words)}</dd>\n"
    yield f"</dl>\n<p>{SCORE_NOTE}</p>\n</details>\n"


def _filters(report: CheckReport) -> Iterator[str]:
    """Yield the choice of what is shown: all quotes, those that are not accepted, or those of one verdict."""
    counts = quote_status_counts(report)
    if not counts:
        return
    yield '<fieldset class="filters">\n<legend>Show</legend>\n'
    yield choice("all", f"all {report.summary.quotes:,}", checked=True)
    if report.summary.rejected and report.summary.accepted:
        yield choice("rejected", f"not {accepted_word(report)} {report.summary.rejected:,}")
    for status, count in counts:
        words = f'<span aria-hidden="true">{QUOTE_SIGNS[status]}</span> {count:,} {quote_status_text(status)}'
        yield choice(status, words, style=status)
    yield "</fieldset>\n"
