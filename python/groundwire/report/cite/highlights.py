"""
Finds the parts of an answer and its passages that a page marks.

The words of a claim are the content words, numbers, dates and names that the language layer reads; inflections of a
word are equal. In text without spaces, two adjacent characters are a word.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

from groundwire.citations import CitationStatus
from groundwire.language import Term, detect_language, read_terms
from groundwire.report.cite.builder import AnswerRow, Case, split_rows
from groundwire.report.cite.model import AnswerReport, CitationEntry, ClaimEntry, SourceEntry
from groundwire.report.spans import Segment, Span, split_spans, whole_words
from groundwire.search_results import read_results

__all__ = ["AnswerView", "Excerpt", "PassageWords", "excerpt", "words_of"]

# Limits of the search: text beyond them is not marked, and a frequent word is not marked everywhere.
_READ_CHARS = 100_000
_KINDS = frozenset({"content", "name", "title", "denial", "number", "date", "time"})
_MOST_PLACES = 200
_EXCERPT_CHARS = 420
_MARGIN_CHARS = 60


class Word(NamedTuple):
    """Holds a word in its form for comparison, and its span."""

    key: int
    start: int
    end: int


class PassageWords:
    """Holds the words of a passage, read once in *language* or in the detected one."""

    def __init__(self, text: str, language: str | None = None) -> None:
        self.text = text
        self._places: dict[int, list[Word]] = {}
        for word in _words(text, language):
            places = self._places.setdefault(word.key, [])
            if len(places) < _MOST_PLACES:
                places.append(word)

    def shared(self, keys: frozenset[int]) -> list[Word]:
        """Return the words of the passage with one of *keys*, left to right."""
        found = [word for key in keys for word in self._places.get(key, ())]
        return sorted(found, key=lambda word: word.start)


class Excerpt(NamedTuple):
    """Holds a part of a passage, and the spans of its marked words."""

    start: int
    end: int
    spans: list[tuple[int, int]]


def words_of(claim: str, language: str | None = None) -> frozenset[int]:
    """Return keys of the words of *claim*, which equal those of a passage in the same *language*."""
    return frozenset(word.key for word in _words(claim, language))


def excerpt(passage: PassageWords, shared: Sequence[Word]) -> Excerpt:
    """Return the part of *passage* with the most distinct *shared* words, the first of equals, or its beginning."""
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
    """Tell whether a term is a single character of a script without spaces, and no known word."""
    return term.end - term.start == 1 and term.kind == "content" and term.form >= "\u0e00"


def _densest(words: Sequence[Word]) -> tuple[int, int]:
    """Return the first and last index of the *words* that fit an excerpt and have the most distinct keys."""
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
    """Return the spans of *words*, with overlapping ones merged."""
    spans: list[tuple[int, int]] = []
    for word in words:
        if spans and word.start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], word.end))
        else:
            spans.append((word.start, word.end))
    return spans


MOST_SOURCES = 5
"""Maximum number of sources or invalid ids beside a claim; the page counts the rest."""

# A range such as [1-900] has many ids that are not written out, and searching for all of them would take long.
_MOST_IDS = 200


class AnswerPiece(NamedTuple):
    """Holds a piece of an answer: plain text, an id that links to source number `source`, or an invalid id."""

    text: str
    source: int | None = None
    id: str = ""
    is_invalid: bool = False


class AnswerSegment(NamedTuple):
    """Holds a segment of an answer: the claims that start in it, the claim that covers it, and its pieces."""

    opening: list[ClaimEntry]
    claim: ClaimEntry | None
    is_citation: bool
    pieces: list[AnswerPiece]


class SourceExcerpt(NamedTuple):
    """Holds a passage beside a claim: its source, the number of other results with its id, and marked pieces."""

    id: str
    source: SourceEntry
    is_cited: bool
    others: int
    is_cut_before: bool
    pieces: list[tuple[str, bool]]
    is_cut_after: bool


class AnswerView:
    """
    Provides one answer row by row for a page.

    Args:
        report: The report on the answer.
        case: The answer and its search results.
    """

    def __init__(self, report: AnswerReport, case: Case) -> None:
        self.report = report
        self._text = case.answer
        self._results = read_results(case.results)
        self._passages: dict[int, PassageWords] = {}
        self._markers: dict[int, set[tuple[int, int]]] = {}
        self._citations: dict[tuple[int, int], list[CitationEntry]] = {}
        for each in report.citations:
            self._citations.setdefault((each.start, each.end), []).append(each)
            for number in each.claims:
                self._markers.setdefault(number, set()).add((each.start, each.end))
        self.rows = split_rows(case.answer, report.claims, report.citations)
        # Claims come before markers, so that the last owner of a segment is its marker.
        spans = [Span(claim.start, claim.end, place) for place, claim in enumerate(report.claims)]
        spans += [Span(*span, len(report.claims) + place) for place, span in enumerate(self._citations)]
        self._segments = list(split_spans(len(case.answer), spans, [row.start for row in self.rows]))
        self._starts = [segment.start for segment in self._segments]

    def segments(self, row: AnswerRow) -> Iterator[AnswerSegment]:
        """Yield the segments of *row*, without surrounding line ends."""
        piece = self._text[row.start : row.end]
        start = row.start + len(piece) - len(piece.lstrip("\r\n"))
        end = row.start + len(piece.rstrip())
        for place in range(max(bisect_right(self._starts, start) - 1, 0), bisect_left(self._starts, end)):
            segment = self._segments[place]
            yield self._segment(segment._replace(start=max(segment.start, start), end=min(segment.end, end)))

    def excerpts(self, claim: ClaimEntry) -> Iterator[SourceExcerpt]:
        """Yield the passages that *claim* cites, followed by a better source if there is one."""
        words = words_of(self._without_citations(claim), self._language)
        for id_ in claim.valid[:MOST_SOURCES]:
            yield self._source(id_, words, is_cited=True)
        if claim.better_source is not None:
            yield self._source(claim.better_source, words, is_cited=False)

    def sources(self) -> Iterator[tuple[SourceEntry, str, list[int]]]:
        """Yield each source with its text and the numbers of the claims that cite it."""
        citing: dict[str, list[int]] = {}
        for claim in self.report.claims:
            for id_ in claim.valid:
                citing.setdefault(id_, []).append(claim.number)
        for source, passage in zip(self.report.sources, self._results.passages, strict=True):
            claims = {each for id_ in (source.id, source.parent_id) if id_ for each in citing.get(id_, ())}
            yield source, passage or "", sorted(claims)

    @cached_property
    def _language(self) -> str:
        """Return the common language of the passages, because words are compared in one language."""
        return detect_language(max(filter(None, self._results.passages), key=len, default=""))

    @cached_property
    def _places(self) -> Mapping[str, Sequence[int]]:
        """Return the numbers of the sources for each cited id."""
        cited = {id_ for claim in self.report.claims for id_ in claim.valid} | {*self.report.valid_citations}
        better = {claim.better_source for claim in self.report.claims} - {None}
        return {id_: [place + 1 for place in self._results.places(id_)] for id_ in cited | better if id_}

    def _segment(self, segment: Segment) -> AnswerSegment:
        claims = [self.report.claims[owner] for owner in segment.owners if owner < len(self.report.claims)]
        citations = self._citations.get((segment.start, segment.end))
        text = self._text[segment.start : segment.end]
        return AnswerSegment(
            [claim for claim in claims if claim.start == segment.start],
            claims[0] if claims else None,
            citations is not None,
            [AnswerPiece(text)] if citations is None else list(self._marker(text, citations)),
        )

    def _marker(self, text: str, citations: Sequence[CitationEntry]) -> Iterator[AnswerPiece]:
        """Yield the pieces of a citation: its brackets, each written id, and the text between."""
        if citations[0].matched_by == "url":
            yield self._id(citations[0], text)
            return
        done = 0
        for each in citations[:_MOST_IDS]:
            start = _find_id(text, each.id, done)
            if start < 0:
                continue
            yield AnswerPiece(text[done:start])
            done = start + len(each.id)
            yield self._id(each, text[start:done])
        yield AnswerPiece(text[done:])

    def _id(self, citation: CitationEntry, text: str) -> AnswerPiece:
        if citation.status is CitationStatus.INVALID:
            return AnswerPiece(text, is_invalid=True)
        places = self._places.get(citation.id, ())
        if citation.status is CitationStatus.IGNORED or not places:
            return AnswerPiece(text)
        return AnswerPiece(text, places[0], citation.id)

    def _without_citations(self, claim: ClaimEntry) -> str:
        """Return the words of *claim*, without numbers inside citations."""
        text = claim.text
        for start, end in self._markers.get(claim.number, ()):
            if claim.start <= start and end <= claim.end:
                text = text[: start - claim.start] + " " * (end - start) + text[end - claim.start :]
        return text

    def _source(self, id_: str, words: frozenset[int], *, is_cited: bool) -> SourceExcerpt:
        """Return the passage with *id_*; of several, the one with the most of *words*."""
        numbers = self._places[id_]
        number = max(numbers, key=lambda each: len({word.key for word in self._passage(each).shared(words)}))
        passage = self._passage(number)
        shown = excerpt(passage, passage.shared(words))
        pieces: list[tuple[str, bool]] = []
        done = shown.start
        for start, end in shown.spans:
            pieces += [(passage.text[done:start], False), (passage.text[start:end], True)]
            done = end
        pieces.append((passage.text[done : shown.end], False))
        source = self.report.sources[number - 1]
        is_cut = shown.end < len(passage.text)
        return SourceExcerpt(id_, source, is_cited, len(numbers) - 1, shown.start > 0, pieces, is_cut)

    def _passage(self, number: int) -> PassageWords:
        passage = self._passages.get(number)
        if passage is None:
            passage = self._passages[number] = PassageWords(self._results.passages[number - 1] or "", self._language)
        return passage


def _find_id(text: str, id_: str, start: int) -> int:
    """Return the offset of *id_* in *text* from *start* on, as a whole word or number; -1 without one."""
    place = text.find(id_, start)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(id_) : place + len(id_) + 1]
        if not (before.isalnum() and id_[0].isalnum()) and not (after.isalnum() and id_[-1].isalnum()):
            return place
        place = text.find(id_, place + 1)
    return -1
