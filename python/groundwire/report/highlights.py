"""Highlighted spans: segments, excerpts, line numbers, and what differs between a quote and its passage."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from groundwire.evidence.differences import MEANING, DifferenceKind
from groundwire.evidence.verdicts import REASONS, Reason
from groundwire.language import Term, read_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundwire.report.check import Nearest, QuoteResult
    from groundwire.report.ingest import CitedThing, ClaimReport, Cue
    from groundwire.report.model import QuoteDifference


class Span(NamedTuple):
    """A stretch of text, end excluded, and the number of the quote it belongs to."""

    start: int
    end: int
    owner: int


class Segment(NamedTuple):
    """A stretch of text that the same quotes cover from end to end."""

    start: int
    end: int
    owners: tuple[int, ...]
    opening: tuple[int, ...]


def split_spans(length: int, spans: Iterable[Span], cuts: Iterable[int] = ()) -> Iterator[Segment]:
    """
    Cut a text of *length* where a span starts or ends, and at *cuts*.

    The segments cover the whole text, in order, none empty. `owners` are the
    quotes whose span covers the segment, `opening` those whose span starts
    with it; both ascend. Empty spans are left out.

    Cost: `O(n log n)` for `n` spans and cuts, plus the owners handed out.
    """
    starting: dict[int, list[int]] = defaultdict(list)
    ending: dict[int, list[int]] = defaultdict(list)
    for start, end, owner in spans:
        if start < end:
            starting[start].append(owner)
            ending[end].append(owner)
    bounds = sorted({0, length, *starting, *ending, *cuts})
    active: set[int] = set()
    for start, end in pairwise(bounds):
        active.difference_update(ending.get(start, ()))
        active.update(starting.get(start, ()))
        yield Segment(start, end, tuple(sorted(active)), tuple(sorted(starting.get(start, ()))))


# Only what editors count as a line end; str.splitlines() would also break at
# form feeds and U+2028 and number the lines differently.
_LINE_END = re.compile(r"\r\n|\r|\n")


class Lines:
    """
    The lines of one text, found once.

    `starts` holds the offset of each line's first code point. A line end at
    the very end of the text opens no further line; an empty text has no lines.
    """

    __slots__ = ("starts",)

    def __init__(self, text: str) -> None:
        starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
        if starts[-1] == len(text):
            starts.pop()
        self.starts: tuple[int, ...] = tuple(starts)

    def __len__(self) -> int:
        return len(self.starts)

    def locate(self, offset: int) -> tuple[int, int]:
        """Return line and column of the code point at *offset*, both from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


def cut_around(text: str, low: int, high: int, room: int) -> tuple[int, int]:
    """
    Return the span of *text* around [low, high) that has about *room* characters, cut between words.

    All of [low, high) is inside of it, however long; a text that fits is not cut.
    """
    if len(text) <= room:
        return 0, len(text)
    margin = max(room - (high - low), room // 4) // 2
    start = max(0, min(low - margin, len(text) - room))
    end = min(len(text), max(high + margin, start + room))
    return whole_words(text, min(start, low), end, low, high)


def whole_words(text: str, start: int, end: int, low: int, high: int) -> tuple[int, int]:
    """Move *start* and *end* inwards to white space, if there is some before *low* and behind *high*."""
    if start:
        space = text.find(" ", start, low)
        start = start if space < 0 else space + 1
    if end < len(text):
        space = text.rfind(" ", high, end)
        end = end if space < 0 else space
    return start, end


_FORM = frozenset({DifferenceKind.CASE, DifferenceKind.WHITESPACE, DifferenceKind.PUNCTUATION})

DIFFERENCE_CODES = frozenset(
    {*map(Reason, DifferenceKind), Reason.CASE, Reason.WHITESPACE, Reason.TYPOGRAPHY, Reason.MARKS}
)
"""The reasons that a comparison of quote and passage shows."""

MEANING_CODES = frozenset(map(Reason, MEANING))
"""The reasons for which a quote is altered."""


_COMPARABLE_SCORE = 0.6


class Piece(NamedTuple):
    """A stretch of a text, and the difference that it is a side of; None where nothing is marked."""

    text: str
    difference: QuoteDifference | None


class Note(NamedTuple):
    """
    A stretch of a transcript inside a passage, end excluded.

    `difference` is the one whose side it is; None for what an ellipsis leaves out.
    """

    start: int
    end: int
    difference: QuoteDifference | None


def is_comparable(near: Nearest) -> bool:
    """Tell whether so much of the passage is the same that marking what differs helps a reader."""
    return near.score >= _COMPARABLE_SCORE


def marked(differences: Sequence[QuoteDifference]) -> list[QuoteDifference]:
    """Return the differences that are marked, in the order of the quote: those in words, or if there are none, all."""
    in_words = [each for each in differences if each.kind not in _FORM]
    chosen = in_words or [each for each in differences if each.kind is not DifferenceKind.WHITESPACE]
    return sorted(chosen, key=lambda each: each.quote_span)


def quote_pieces(result: QuoteResult) -> Iterator[Piece]:
    """Cut the quote at what differs from its passage, or the nearest one; what it lacks is an empty piece."""
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
    """Return what is marked in the passage of the first place, from left to right."""
    notes = [Note(*each.source_span, each) for each in marked(result.differences)]
    if result.status == "elided" or (result.status == "altered" and len(result.places[0].all_spans) > 1):
        spans = result.places[0].all_spans
        notes += [Note(end, start, None) for (_, end), (start, _) in pairwise(spans) if end < start]
    return sorted(notes, key=lambda note: note[:2])


def word_diff(result: QuoteResult) -> Iterator[tuple[str, str]]:
    """
    Yield the quote in pieces of ("same" | "dropped" | "added", text), compared with its passage or the nearest one.

    What the source has in the place of the quote's words comes before them.
    """
    for text, difference in quote_pieces(result):
        if difference is None:
            yield "same", text
            continue
        if difference.source_text:
            yield "dropped", difference.source_text
        if text:
            yield "added", text


def is_form(difference: QuoteDifference) -> bool:
    """Tell whether *difference* is one of case, white space or punctuation."""
    return difference.kind in _FORM


def kind_text(difference: QuoteDifference) -> str:
    """Return what the kind of *difference* means."""
    return REASONS[Reason(difference.kind)]


class ClaimPiece(NamedTuple):
    """A stretch of a claim, and what it is part of; the first hedge and the first citation of several."""

    text: str
    cue: Cue | None
    cited: CitedThing | None


def claim_pieces(claim: ClaimReport) -> Iterator[ClaimPiece]:
    """Cut the text of *claim* where a hedge or a citation begins or ends; together the claim_pieces are all of it."""
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


# What stands behind them is neither searched nor marked; a word that is everywhere is not marked everywhere.
_READ_CHARS = 100_000
_KINDS = frozenset({"content", "name", "title", "denial", "number", "date", "time"})
_MOST_PLACES = 200
_EXCERPT_CHARS = 420
_MARGIN_CHARS = 60


class Word(NamedTuple):
    """A word in the form that is compared, and its place."""

    key: int
    start: int
    end: int


class Passage:
    """A passage whose words are found once; in *language*, or the one that it shows."""

    def __init__(self, text: str, language: str | None = None) -> None:
        self.text = text
        self._places: dict[int, list[Word]] = {}
        for word in _words(text, language):
            places = self._places.setdefault(word.key, [])
            if len(places) < _MOST_PLACES:
                places.append(word)

    def shared(self, keys: frozenset[int]) -> list[Word]:
        """Return the words of the passage that are among *keys*, from left to right."""
        found = [word for key in keys for word in self._places.get(key, ())]
        return sorted(found, key=lambda word: word.start)


class Excerpt(NamedTuple):
    """A part of a passage, and the spans of the words in it that are marked."""

    start: int
    end: int
    spans: list[tuple[int, int]]


def words_of(claim: str, language: str | None = None) -> frozenset[int]:
    """Return keys of the words of *claim*; those of a passage in the same *language* are equal."""
    return frozenset(word.key for word in _words(claim, language))


def excerpt(passage: Passage, shared: Sequence[Word]) -> Excerpt:
    """Return the part of *passage* with most different words of *shared*, the first of equals; else its beginning."""
    first, last = _densest(shared)
    low = shared[first].start if shared else 0
    high = shared[last].end if shared else 0
    room = max(_EXCERPT_CHARS - (high - low), 2 * _MARGIN_CHARS)
    start = max(0, low - room // 2)
    end = min(len(passage.text), start + (high - low) + room)
    start = max(0, min(start, end - _EXCERPT_CHARS))
    start, end = whole_words(passage.text, start, end, low, high)
    inside = bisect_left(shared, start, key=lambda word: word.start)
    return Excerpt(start, end, _merged(word for word in shared[inside:] if word.end <= end))


def _words(text: str, language: str | None) -> Iterator[Word]:
    terms = [term for term in read_terms(text[:_READ_CHARS], language=language) if term.kind in _KINDS]
    for term, following in zip_longest(terms, terms[1:]):
        if not _is_single(term):
            yield Word(term.stem, term.start, term.end)
        elif following is not None and _is_single(following) and following.start == term.end:
            yield Word(hash((term.stem, following.stem)), term.start, following.end)


def _is_single(term: Term) -> bool:
    """Whether a term is one character of a script without spaces, and not a word that is known."""
    return term.end - term.start == 1 and term.kind == "content" and term.form >= "\u0e00"


def _densest(words: Sequence[Word]) -> tuple[int, int]:
    """Return the first and last place of the row of *words* that fits an excerpt and has most different keys."""
    inside: Counter[int] = Counter()
    best, most, first = (0, 0), 0, 0
    for last, word in enumerate(words):
        inside[word.key] += 1
        while word.end - words[first].start > _EXCERPT_CHARS and first < last:
            inside[words[first].key] -= 1
            if not inside[words[first].key]:
                del inside[words[first].key]
            first += 1
        if len(inside) > most:
            best, most = (first, last), len(inside)
    return best


def _merged(words: Iterator[Word]) -> list[tuple[int, int]]:
    """Return the spans of *words*, those that overlap as one."""
    spans: list[tuple[int, int]] = []
    for word in words:
        if spans and word.start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], word.end))
        else:
            spans.append((word.start, word.end))
    return spans
