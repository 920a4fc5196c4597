"""Finds the parts of a text to mark: quotes in transcripts, differences, evidence, hedges and citations."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from groundwire.evidence.differences import MEANING, DifferenceKind
from groundwire.evidence.verdicts import REASONS, QuoteReason
from groundwire.report.spans import Lines, Span, split_spans
from groundwire.sanitize import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.report.check.model import CheckReport, Nearest, Place, QuoteResult, Status
    from groundwire.report.faithfulness import EvidenceEntry
    from groundwire.report.ingest import CitedThing, ClaimReport, Cue
    from groundwire.report.model import QuoteDifference


_MARKS = {"same": "{}", "dropped": "[-{}-]", "added": "{{+{}+}}"}


_FORM = frozenset({DifferenceKind.CASE, DifferenceKind.WHITESPACE, DifferenceKind.PUNCTUATION})

DIFFERENCE_CODES = frozenset(
    {
        *map(QuoteReason, DifferenceKind),
        QuoteReason.CASE,
        QuoteReason.WHITESPACE,
        QuoteReason.TYPOGRAPHY,
        QuoteReason.MARKS,
        QuoteReason.VARIANTS,
    }
)
"""Reasons that a comparison of quote and passage shows."""

MEANING_CODES = frozenset(map(QuoteReason, MEANING))
"""Reasons that make a quote altered."""


_COMPARABLE_SCORE = 0.6


class Piece(NamedTuple):
    """Holds a part of a text, and the difference that it belongs to; None for unmarked text."""

    text: str
    difference: QuoteDifference | None


class Note(NamedTuple):
    """
    Holds a marked span of a transcript inside a passage, end excluded.

    `difference` is the difference that it belongs to; None for omitted words.
    """

    start: int
    end: int
    difference: QuoteDifference | None


def is_comparable(near: Nearest) -> bool:
    """Tell whether the passage is similar enough for marked differences to help a reader."""
    return near.score >= _COMPARABLE_SCORE


def marked(differences: Sequence[QuoteDifference]) -> list[QuoteDifference]:
    """Return the differences to mark, in the order of the quote: those in words, or all if there are none."""
    in_words = [each for each in differences if each.kind not in _FORM]
    chosen = in_words or [each for each in differences if each.kind is not DifferenceKind.WHITESPACE]
    return sorted(chosen, key=lambda each: each.quote_span)


def unexplained(result: QuoteResult) -> list[QuoteDifference]:
    """Return the differences whose words no reason of their kind contains, in their order."""
    words = {reason.code.value: one_line(reason.words) for reason in result.reasons}
    return [
        each
        for each in result.differences
        if not all(one_line(text) in words.get(each.kind.value, "") for text in (each.source_text, each.quote_text))
    ]


def quote_pieces(result: QuoteResult) -> Iterator[Piece]:
    """Split the quote at its differences from its passage or the nearest one; a missing word is an empty piece."""
    done = 0
    near = result.nearest
    differences = near.differences if near is not None and is_comparable(near) else result.differences
    for each in marked(differences):
        start, end = each.quote_span
        if start < done:
            continue
        yield Piece(result.quote[done:start], None)
        yield Piece(result.quote[start:end], each)
        done = end
    yield Piece(result.quote[done:], None)


def passage_notes(result: QuoteResult) -> list[Note]:
    """Return the notes on the passage of the first place, left to right."""
    notes = [Note(*each.source_span, each) for each in marked(result.differences)]
    spans = passage_spans(result, result.places[0])
    notes += [Note(end, start, None) for (_, end), (start, _) in pairwise(spans) if end < start]
    return sorted(notes, key=lambda note: note[:2])


def passage_spans(result: QuoteResult, place: Place) -> tuple[tuple[int, int], ...]:
    """Return the parts of the passage of *place*: several only for a quote that leaves words out."""
    has_parts = result.status == "elided" or (result.status == "altered" and len(place.all_spans) > 1)
    return place.all_spans if has_parts and result.places[0] is place else ((place.start, place.end),)


def word_diff(result: QuoteResult) -> Iterator[tuple[str, str]]:
    """
    Yield the quote in pieces of ("same" | "dropped" | "added", text), compared with its passage or the nearest one.

    Words of the source come before the words of the quote that replace them.
    """
    for text, difference in quote_pieces(result):
        if difference is None:
            yield "same", text
            continue
        if difference.source_text:
            yield "dropped", difference.source_text
        if text:
            yield "added", text


def nearest_words(result: QuoteResult) -> str:
    """Return the nearest passage on one line, compared if it is similar to the quote; empty if a reason has it."""
    if result.nearest is None:
        return ""
    if is_comparable(result.nearest):
        return diff_text(result)
    passage = one_line(result.nearest.passage)
    return "" if any(passage in one_line(reason.words) for reason in result.reasons) else passage


def marked_diff(result: QuoteResult) -> Iterator[tuple[str, str]]:
    """Yield the pieces of `word_diff` on one line, with `[-…-]` for words of the source and `{+…+}` for the quote's."""
    for side, text in word_diff(result):
        yield side, _MARKS[side].format(one_line(text))


def diff_text(result: QuoteResult) -> str:
    """Return the pieces of `marked_diff` as one text."""
    return "".join(text for _, text in marked_diff(result))


def evidence_pieces(entry: EvidenceEntry) -> tuple[str, str, str]:
    """Return the text of *entry* before, in and after the evidence; without evidence, all of it is before."""
    start, end = "… " if entry.text_start else "", " …" if entry.text_end < entry.unit_chars else ""
    evidence = entry.text[entry.start : entry.end]
    if not evidence:
        return f"{start}{entry.text}{end}", "", ""
    return f"{start}{entry.text[: entry.start]}", evidence, f"{entry.text[entry.end :]}{end}"


def marked_evidence(entry: EvidenceEntry) -> str:
    """Return the text of *entry* on one line, with the evidence between `[[` and `]]`."""
    before, evidence, after = map(one_line, evidence_pieces(entry))
    return f"{before}[[{evidence}]]{after}" if evidence else before


def is_form(difference: QuoteDifference) -> bool:
    """Tell whether *difference* is in case, white space or punctuation."""
    return difference.kind in _FORM


def kind_text(difference: QuoteDifference) -> str:
    """Return the meaning of the kind of *difference*."""
    return REASONS[QuoteReason(difference.kind)]


class ClaimPiece(NamedTuple):
    """Holds a part of a claim, and the first hedge and citation that it belongs to."""

    text: str
    cue: Cue | None
    cited: CitedThing | None


def claim_pieces(claim: ClaimReport) -> Iterator[ClaimPiece]:
    """Split the text of *claim* at the ends of hedges and citations; the pieces make up the whole text."""
    marks: list[Cue | CitedThing] = [*claim.cues, *claim.citations]
    spans = [Span(mark.start, mark.end, number) for number, mark in enumerate(marks)]
    for segment in split_spans(len(claim.content), spans) if claim.content else ():
        cues = [owner for owner in segment.owners if owner < len(claim.cues)]
        cited = [owner - len(claim.cues) for owner in segment.owners if owner >= len(claim.cues)]
        yield ClaimPiece(
            claim.content[segment.start : segment.end],
            claim.cues[cues[0]] if cues else None,
            claim.citations[cited[0]] if cited else None,
        )


class PassageView(NamedTuple):
    """Holds a passage in pieces with their notes, and the rest of its line on both sides."""

    before: str
    pieces: list[tuple[str, Note | None]]
    after: str


def passage_view(place: Place | Nearest, notes: Sequence[Note], text: str) -> PassageView:
    """Split the passage of *place* in *text* at its *notes*, and return it with the words around it."""
    pieces: list[tuple[str, Note | None]] = []
    done = place.start
    for note in sorted(notes, key=lambda note: note[:2]):
        if note.start >= done:
            pieces += [(text[done : note.start], None), (text[note.start : note.end], note)]
            done = note.end
    return PassageView(_before(text, place.start), [*pieces, (text[done : place.end], None)], _after(text, place.end))


def place_view(result: QuoteResult, place: Place, text: str) -> PassageView:
    """Return the passage of *place*; only the first place of a result has notes."""
    return passage_view(place, passage_notes(result) if result.places[0] is place else (), text)


def nearest_view(near: Nearest, text: str) -> PassageView:
    """Return the nearest passage, with its differences if they help a reader."""
    differences = marked(near.differences) if is_comparable(near) else []
    return passage_view(near, [Note(*each.source_span, each) for each in differences], text)


class Marked(NamedTuple):
    """Holds a quote with a marked passage: its verdict, and its place in one transcript."""

    result: QuoteResult
    place: Place

    @property
    def status(self) -> Status:
        """Return the verdict, or the kind of match at a further place of a literal result."""
        return self.result.status if self.result.places[0] is self.place else self.place.kind

    @property
    def shows(self) -> str:
        """Return the filters of the page that this quote belongs to."""
        return f"{self.status} {'accepted' if self.result.accepted else 'rejected'}"


class MarkedSegment(NamedTuple):
    """Holds a segment of a transcript: the quotes that start in it and cover it, and their notes."""

    text: str
    opening: list[Marked]
    quotes: list[Marked]
    notes: list[tuple[Marked, Note]]

    @property
    def status(self) -> Status:
        """Return the status that decides the colour: the first rejected one, or the best."""
        from groundwire.report.check.model import STATUSES

        first = min(self.quotes, key=lambda each: (each.result.accepted, STATUSES.index(each.status)))
        return first.status

    @property
    def shows(self) -> str:
        """Return the filters of the page that any of the quotes belongs to."""
        return " ".join(dict.fromkeys(word for each in self.quotes for word in each.shows.split()))


def transcript_lines(report: CheckReport, number: int, text: str) -> Iterator[tuple[int, list[MarkedSegment]]]:
    """Yield the number and the segments of each line of transcript *number*; *text* is its text."""
    quotes = {
        result.number: Marked(result, place)
        for result in report.quotes
        for place in result.places
        if place.transcript == number
    }
    notes = [
        (each, note)
        for each in quotes.values()
        if each.result.places[0] is each.place
        for note in passage_notes(each.result)
        if note.difference is None or not is_form(note.difference)
    ]
    noted = list(split_spans(len(text), [Span(note.start, note.end, owner) for owner, (_, note) in enumerate(notes)]))
    cuts = [segment.start for segment in noted]
    lines = Lines(text)
    spans = [Span(each.place.start, each.place.end, quote) for quote, each in quotes.items()]
    segments = split_spans(len(text), spans, [*lines.starts, *cuts])
    for line, parts in groupby(segments, key=lambda segment: lines.locate(segment.start)[0]):
        yield (
            line,
            [
                MarkedSegment(
                    text[part.start : part.end],
                    [quotes[quote] for quote in part.opening],
                    [quotes[quote] for quote in part.owners],
                    [notes[owner] for owner in noted[bisect_right(cuts, part.start) - 1].owners] if part.owners else [],
                )
                for part in parts
            ],
        )


def nearest_lines(report: CheckReport, number: int) -> dict[int, list[int]]:
    """Return the lines of transcript *number* on which nearest passages begin, with the numbers of their quotes."""
    lines: dict[int, list[int]] = defaultdict(list)
    for result in report.quotes:
        if result.nearest is not None and result.nearest.transcript == number:
            lines[result.nearest.line].append(result.number)
    return lines


_CONTEXT_CHARS = 100
_ANY_LINE_END = re.compile(r"[\r\n]")


def _before(text: str, start: int) -> str:
    """Return the text before *start* on its line, cut between words."""
    shown = text[max(0, start - _CONTEXT_CHARS) : start]
    line = _ANY_LINE_END.split(shown)[-1]
    return line if line != shown or start <= _CONTEXT_CHARS else f"… {line.partition(' ')[2]}"


def _after(text: str, end: int) -> str:
    """Return the text after *end* on its line, cut between words."""
    shown = text[end : end + _CONTEXT_CHARS]
    line = _ANY_LINE_END.split(shown, maxsplit=1)[0]
    return line if line != shown or end + _CONTEXT_CHARS >= len(text) else f"{line.rpartition(' ')[0]} …"
