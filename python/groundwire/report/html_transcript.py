"""A transcript as HTML: numbered lines, with every grounded quote marked where it stands."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from groundwire.report.lines import Lines
from groundwire.report.markup import markup
from groundwire.report.model import KINDS, CheckReport, Kind, Place, TranscriptReport
from groundwire.report.segments import Segment, Span, split_spans
from groundwire.report.words import plural

# Lines stand in blocks, so that a browser lays out only those in view.
_BLOCK_LINES = 200


def place_id(transcript: int, quote: int) -> str:
    """Return the id of the mark where a transcript holds a quote."""
    return f"t{transcript}-q{quote}"


def quote_id(quote: int) -> str:
    """Return the id of the quote's entry in the list."""
    return f"q{quote}"


def render_transcript(report: CheckReport, transcript: TranscriptReport, text: str) -> Iterator[str]:
    """Yield the section of one transcript; *text* is what the report's offsets count in."""
    places = {
        result.number: place
        for result in report.quotes
        for place in result.places
        if place.transcript == transcript.number
    }
    size = f"{plural(transcript.chars, 'character')}, {plural(transcript.lines, 'line')}"
    number = transcript.number
    yield f'<section class="transcript" id="t{number}" aria-labelledby="t{number}-name">\n'
    yield f'<h2 id="t{number}-name">{markup(transcript.name)}</h2>\n'
    yield f'<p class="note">{size}, {plural(transcript.grounded, "quote")} grounded here</p>\n'
    yield '<div class="text">'
    yield from _lines(text, places, number)
    yield "</div>\n</section>\n"


def _lines(text: str, places: dict[int, Place], transcript: int) -> Iterator[str]:
    """Yield the lines of *text* in blocks; marks are closed and reopened at line ends."""
    lines = Lines(text)
    spans = [Span(place.start, place.end, quote) for quote, place in places.items()]
    segments = split_spans(len(text), spans, lines.starts)
    by_line = groupby(segments, key=lambda segment: lines.locate(segment.start)[0])
    for line, parts in by_line:
        if line % _BLOCK_LINES == 1:
            yield "</div>" * (line > 1) + '<div class="block">'
        yield f'<div class="line" data-line="{line}" dir="auto">'
        for segment in parts:
            yield from _segment(segment, text, places, transcript)
        yield "</div>"
    yield "</div>" * (len(lines) > 0)


def _segment(segment: Segment, text: str, places: dict[int, Place], transcript: int) -> Iterator[str]:
    """Yield the links of the quotes that start here, then the text, marked where quotes cover it."""
    for quote in segment.opening:
        kind = places[quote].kind
        yield (
            f'<a class="ref {kind}" id="{place_id(transcript, quote)}" href="#{quote_id(quote)}"'
            f' aria-label="quote {quote} starts, {kind}; to the list">{quote}</a>'
        )
    content = markup(text[segment.start : segment.end])
    yield (
        _mark(content, segment.owners, [places[quote].kind for quote in segment.owners]) if segment.owners else content
    )


def _mark(content: str, owners: Sequence[int], kinds: Sequence[Kind]) -> str:
    """Wrap *content* in a mark that names its quotes; the surest kind gives the style."""
    kind = min(kinds, key=KINDS.index)
    shared = " shared" if len(owners) > 1 else ""
    title = f"quote {owners[0]}" if len(owners) == 1 else "quotes " + ", ".join(map(str, owners))
    data = " ".join(map(str, owners))
    return f'<mark class="{kind}{shared}" data-quotes="{data}" title="{title}">{content}</mark>'
