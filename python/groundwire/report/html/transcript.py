"""A transcript as HTML: numbered lines, with the passage of every quote marked where it stands."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from groundwire.report.check import STATUSES, CheckReport, Place, QuoteResult, Status, TranscriptReport
from groundwire.report.highlights import Lines, Segment, Span, is_form, kind_text, passage_notes, split_spans
from groundwire.report.labels import accepted_word, plural, quote_status_text
from groundwire.report.markup import attribute, markup

# Lines stand in blocks, so that a browser lays out only those in view.
_BLOCK_LINES = 200


class _Marked(NamedTuple):
    """A quote whose passage is marked: its verdict, and the place in the transcript at hand."""

    result: QuoteResult
    place: Place

    @property
    def status(self) -> Status:
        """How the quote stands in this transcript: its verdict, or for a further place of a literal one the kind."""
        return self.result.status if self.result.places[0] is self.place else self.place.kind

    @property
    def shows(self) -> str:
        """The choices of what is shown that this belongs to."""
        return f"{self.status} {'accepted' if self.result.accepted else 'rejected'}"


class _Notes:
    """What is noted inside passages: differences and what ellipses leave out, as segments of the transcript."""

    def __init__(self, length: int, marked: dict[int, _Marked]) -> None:
        self._notes = [
            (number, each.shows, note)
            for number, each in marked.items()
            if each.result.places[0] is each.place
            for note in passage_notes(each.result)
            if note.difference is None or not is_form(note.difference)
        ]
        spans = [Span(note.start, note.end, owner) for owner, (_, _, note) in enumerate(self._notes)]
        self._segments = list(split_spans(length, spans))
        self.cuts = [segment.start for segment in self._segments]

    def wrap(self, content: str, start: int) -> str:
        """Return *content*, which starts at *start* and lies in one of the segments, with what is noted there."""
        place = bisect_right(self.cuts, start) - 1
        for owner in self._segments[place].owners if self._segments else ():
            number, shows, note = self._notes[owner]
            style, title = "left-out", f"quote {number} leaves this out"
            if note.difference is not None:
                has = f"has “{note.difference.quote_text}”" if note.difference.quote_text else "lacks this"
                style, title = "differs", f"quote {number} {has}: {kind_text(note.difference)}"
            content = f'<span class="{style}" data-shows="{shows}" title="{attribute(title)}">{content}</span>'
        return content


def place_id(transcript: int, quote: int) -> str:
    """Return the id of the mark where a transcript holds a quote."""
    return f"t{transcript}-q{quote}"


def quote_id(quote: int) -> str:
    """Return the id of the quote's entry in the list."""
    return f"q{quote}"


def render_transcript(report: CheckReport, transcript: TranscriptReport, text: str) -> Iterator[str]:
    """Yield the section of one transcript; *text* is what the report's offsets count in."""
    marked = {
        result.number: _Marked(result, place)
        for result in report.quotes
        for place in result.places
        if place.transcript == transcript.number
    }
    size = f"{plural(transcript.chars, 'character')}, {plural(transcript.lines, 'line')}"
    number = transcript.number
    yield f'<section class="transcript" id="t{number}" aria-labelledby="t{number}-name">\n'
    yield f'<h2 id="t{number}-name">{markup(transcript.name)}</h2>\n'
    yield f'<p class="note">{size}, {plural(transcript.grounded, "quote")} {accepted_word(report)} here</p>\n'
    yield '<div class="text">'
    yield from _lines(text, marked, number)
    yield "</div>\n</section>\n"


def _lines(text: str, marked: dict[int, _Marked], transcript: int) -> Iterator[str]:
    """Yield the lines of *text* in blocks; marks are closed and reopened at line ends."""
    lines = Lines(text)
    notes = _Notes(len(text), marked)
    spans = [Span(each.place.start, each.place.end, number) for number, each in marked.items()]
    segments = split_spans(len(text), spans, [*lines.starts, *notes.cuts])
    by_line = groupby(segments, key=lambda segment: lines.locate(segment.start)[0])
    for line, parts in by_line:
        if line % _BLOCK_LINES == 1:
            yield "</div>" * (line > 1) + '<div class="block">'
        yield f'<div class="line" data-line="{line}" dir="auto">'
        for segment in parts:
            yield from _segment(segment, text, marked, notes, transcript)
        yield "</div>"
    yield "</div>" * (len(lines) > 0)


def _segment(segment: Segment, text: str, marked: dict[int, _Marked], notes: _Notes, transcript: int) -> Iterator[str]:
    """Yield the links of the quotes that start here, then the text, marked where quotes cover it."""
    for quote in segment.opening:
        each = marked[quote]
        verdict = quote_status_text(each.status)
        yield (
            f'<a class="ref {each.status}" id="{place_id(transcript, quote)}" href="#{quote_id(quote)}"'
            f' data-shows="{each.shows}" aria-label="quote {quote} starts, {verdict}; to the list">'
            f"{quote}</a>"
        )
    content = markup(text[segment.start : segment.end])
    if not segment.owners:
        yield content
        return
    yield _mark(notes.wrap(content, segment.start), segment.owners, [marked[quote] for quote in segment.owners])


def _mark(content: str, owners: Sequence[int], marked: Sequence[_Marked]) -> str:
    """Wrap *content* in a mark that names its quotes and their verdicts; what is not accepted gives the style."""
    first = min(marked, key=lambda each: (each.result.accepted, STATUSES.index(each.status)))
    shared = " shared" if len(owners) > 1 else ""
    title = f"quote {owners[0]}" if len(owners) == 1 else "quotes " + ", ".join(map(str, owners))
    data = " ".join(map(str, owners))
    shows = " ".join(dict.fromkeys(word for each in marked for word in each.shows.split()))
    about = f'data-quotes="{data}" data-shows="{shows}" title="{title}"'
    return f'<mark class="{first.status}{shared}" {about}>{content}</mark>'
