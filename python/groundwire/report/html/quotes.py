"""The list of quotes as HTML: verdict, words, what differs, why, and a link to each place."""

import re
from collections.abc import Iterator, Sequence

from groundwire.report.check import CheckReport, Nearest, Place, QuoteResult
from groundwire.report.highlights import Note, is_comparable, is_form, kind_text, marked, passage_notes, quote_pieces
from groundwire.report.html.page import badge
from groundwire.report.html.transcript import place_id, quote_id
from groundwire.report.labels import (
    SCORE_NOTE,
    accepted_word,
    has_misleading_score,
    plural,
    quote_status_text,
    score_text,
    sign_of,
    span_text,
    spoken_text,
    telling_words,
)
from groundwire.report.markup import markup
from groundwire.report.model import QuoteDifference

EMPTY = '<span class="note">(empty)</span>'

# What a passage is shown with before and after it.
_CONTEXT_CHARS = 100
_LINE_END = re.compile(r"[\r\n]")


def render_quotes(report: CheckReport, texts: Sequence[str]) -> Iterator[str]:
    """Yield the rejected quotes, then the accepted ones, each in the order of the input."""
    word = accepted_word(report)
    rejected = [result for result in report.quotes if not result.accepted]
    accepted = [result for result in report.quotes if result.accepted]
    yield from _group("rejected", f"Not {word}", rejected, texts)
    yield from _group("accepted", word.capitalize(), accepted, texts)


def _group(group_id: str, title: str, results: Sequence[QuoteResult], texts: Sequence[str]) -> Iterator[str]:
    """Yield a heading and the list below it; nothing for no quotes."""
    if not results:
        return
    yield f'<section class="group" aria-labelledby="{group_id}">\n'
    yield f'<h2 id="{group_id}">{title} <span class="count">{len(results):,}</span></h2>\n<ul class="quotes">\n'
    for result in results:
        yield from _quote(result, texts)
    yield "</ul>\n</section>\n"


def _quote(result: QuoteResult, texts: Sequence[str]) -> Iterator[str]:
    """Yield one entry of the list."""
    verdict = "accepted" if result.accepted else "rejected"
    yield f'<li class="quote {result.status} {verdict}" id="{quote_id(result.number)}" tabindex="-1" data-item>'
    yield '\n<p class="head">'
    yield f'<span class="number">{result.number}</span> '
    yield badge(result.status, sign_of(result), quote_status_text(result.status))
    if result.domain is not None:
        yield f' <span class="domain">{markup(result.domain)}</span>'
    if result.id is not None:
        yield f' <span class="id">{markup(result.id)}</span>'
    if result.places and result.places[0].kind == "fuzzy":
        note = f' title="{SCORE_NOTE}"' if has_misleading_score(result) else ""
        yield f' <span class="score"{note}>score {score_text(result.score)}</span>'
    yield f'</p>\n<blockquote dir="auto">{_compared(result) or EMPTY}</blockquote>\n'
    yield from _reasons(result)
    for place in result.places:
        yield from _place(place, result, texts[place.transcript - 1])
    if result.nearest is not None:
        yield from _nearest(result.nearest, texts[result.nearest.transcript - 1])
    yield "</li>\n"


def _compared(result: QuoteResult) -> str:
    """Return the quote with the words marked that the source has not, and the places where it lacks some."""
    return "".join(
        markup(text) if difference is None else _side("ins", "the quote has", markup(text), difference)
        for text, difference in quote_pieces(result)
    )


def _side(tag: str, whose: str, content: str, difference: QuoteDifference) -> str:
    """Return one side of a difference; its label is for those who do not see colours and lines."""
    kind = kind_text(difference)
    if not content:
        return f'<span class="lacks" title="{kind}"><span class="label">[words are missing here: {kind}]</span></span>'
    style = ' class="form"' if is_form(difference) else ""
    label = f'<span class="label">[{whose}: </span>', '<span class="label">]</span>'
    return f'<{tag}{style} title="{kind}">{label[0]}{content}{label[1]}</{tag}>'


def _reasons(result: QuoteResult) -> Iterator[str]:
    """Yield the reasons in words, those that decided first."""
    if not result.reasons:
        return
    yield '<ul class="reasons">'
    for reason in result.reasons:
        telling = ", ".join(f"<q>{markup(words)}</q>" for words in telling_words(reason, result))
        yield f"<li>{markup(reason.words)}{f': {telling}' if telling else ''}</li>"
    yield "</ul>\n"


def _place(place: Place, result: QuoteResult, text: str) -> Iterator[str]:
    """Yield the link to where a transcript holds the quote and, where it reads otherwise, the passage."""
    yield f'<p class="place"><a href="#{place_id(place.transcript, result.number)}">{markup(place.name)}, '
    yield f"line {place.line}</a>, column {place.column}, characters {span_text(place)}"
    if len(result.places) > 1:
        yield f", {place.kind}, score {score_text(place.score)}"
    spoken = spoken_text(place.turns)
    if spoken:
        yield f', <span class="speaker">{markup(spoken)}</span>'
    if result.status in ("exact", "normalized") and len(place.all_spans) > 1:
        yield f", and {plural(len(place.all_spans) - 1, 'more place')}"
    yield "</p>\n"
    if place.passage != result.quote:
        yield '<p class="reads">The transcript reads:</p>\n<blockquote class="passage" dir="auto">'
        yield from _passage(place, passage_notes(result) if result.places[0] is place else (), text)
        yield "</blockquote>\n"


def _nearest(near: Nearest, text: str) -> Iterator[str]:
    """Yield where the passage is that is most similar to the quote, and its words."""
    yield f'<p class="nearest">Nearest passage, not accepted: {markup(near.name)}, line {near.line}, '
    yield f"column {near.column}, characters {near.start}–{near.end}, score {score_text(near.score)}"
    spoken = spoken_text(near.turns)
    yield f', <span class="speaker">{markup(spoken)}</span>' if spoken else ""
    yield '</p>\n<blockquote class="passage" dir="auto">'
    differences = marked(near.differences) if is_comparable(near) else []
    yield from _passage(near, [Note(*each.source_span, each) for each in differences], text)
    yield "</blockquote>\n"


def _passage(place: Place | Nearest, notes: Sequence[Note], text: str) -> Iterator[str]:
    """Yield the passage between its neighbours on the line, with the words marked that the quote has not."""
    yield f'<span class="context">{markup(_before(text, place.start))}</span>'
    done = place.start
    for note in sorted(notes, key=lambda note: note[:2]):
        if note.start >= done:
            yield markup(text[done : note.start])
            yield _noted(note, markup(text[note.start : note.end]))
            done = note.end
    yield f'{markup(text[done : place.end])}<span class="context">{markup(_after(text, place.end))}</span>'


def _before(text: str, start: int) -> str:
    """Return what stands before *start* on its line, cut between words."""
    shown = text[max(0, start - _CONTEXT_CHARS) : start]
    line = _LINE_END.split(shown)[-1]
    return line if line != shown or start <= _CONTEXT_CHARS else f"… {line.partition(' ')[2]}"


def _after(text: str, end: int) -> str:
    """Return what stands after *end* on its line, cut between words."""
    shown = text[end : end + _CONTEXT_CHARS]
    line = _LINE_END.split(shown, maxsplit=1)[0]
    return line if line != shown or end + _CONTEXT_CHARS >= len(text) else f"{line.rpartition(' ')[0]} …"


def _noted(note: Note, content: str) -> str:
    """Return the source's side of a difference, or what an ellipsis leaves out."""
    if note.difference is not None:
        return _side("del", "the transcript has", content, note.difference)
    label = '<span class="label">[left out: </span>', '<span class="label">]</span>'
    return f'<span class="left-out">{label[0]}{content}{label[1]}</span>'
