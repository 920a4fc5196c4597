"""The list of quotes as HTML: verdict, words, and a link to each place."""

from collections.abc import Iterator, Sequence

from groundwire.report.html_transcript import place_id, quote_id
from groundwire.report.markup import markup
from groundwire.report.model import CheckReport, Place, QuoteResult, Status
from groundwire.report.words import SIGNS, score_text, span_text

EMPTY = '<span class="note">(empty)</span>'


def render_quotes(report: CheckReport) -> Iterator[str]:
    """Yield the rejected quotes, then the grounded ones, each in the order of the input."""
    yield from _group("rejected", "Not grounded", [result for result in report.quotes if not result.grounded])
    yield from _group("grounded", "Grounded", [result for result in report.quotes if result.grounded])


def badge(tag: str, status: Status, words: str) -> str:
    """Return *words* as a pill in the colour of *status*, with its sign."""
    return f'<{tag} class="badge {status}"><span aria-hidden="true">{SIGNS[status]}</span> {words}</{tag}>'


def _group(group_id: str, title: str, results: Sequence[QuoteResult]) -> Iterator[str]:
    """Yield a heading and the list below it; nothing for no quotes."""
    if not results:
        return
    yield f'<h2 id="{group_id}">{title} <span class="count">{len(results):,}</span></h2>\n<ul class="quotes">\n'
    for result in results:
        yield from _quote(result)
    yield "</ul>\n"


def _quote(result: QuoteResult) -> Iterator[str]:
    """Yield one entry of the list."""
    yield f'<li class="quote {result.status}" id="{quote_id(result.number)}">\n<p class="head">'
    yield f'<span class="number">{result.number}</span> '
    yield badge("span", result.status, result.status)
    if result.domain is not None:
        yield f' <span class="domain">{markup(result.domain)}</span>'
    if result.id is not None:
        yield f' <span class="id">{markup(result.id)}</span>'
    if result.status == "fuzzy":
        yield f' <span class="score">score {score_text(result.score)}</span>'
    yield f'</p>\n<blockquote dir="auto">{markup(result.quote) or EMPTY}</blockquote>\n'
    for place in result.places:
        yield from _place(place, result)
    yield "</li>\n"


def _place(place: Place, result: QuoteResult) -> Iterator[str]:
    """Yield the link to where a transcript holds the quote and, where it reads otherwise, the passage."""
    yield f'<p class="place"><a href="#{place_id(place.transcript, result.number)}">{markup(place.name)}, '
    yield f"line {place.line}</a>, column {place.column}, characters {span_text(place)}"
    if len(result.places) > 1:
        yield f", {place.kind}, score {score_text(place.score)}"
    yield "</p>\n"
    if place.passage != result.quote:
        yield '<p class="reads">The transcript reads:</p>\n'
        yield f'<blockquote class="passage" dir="auto">{markup(place.passage)}</blockquote>\n'
