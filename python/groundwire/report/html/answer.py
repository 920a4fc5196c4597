"""The text of an answer as HTML: every claim marked by its status, every citation a link to its source."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence

from groundwire.citations import CitationStatus
from groundwire.report.cite.builder import Row
from groundwire.report.cite.model import AnswerReport, CitationEntry, ClaimEntry
from groundwire.report.highlights import Segment, Span, split_spans
from groundwire.report.labels import CLAIM_SIGNS, claim_status_text
from groundwire.report.markup import attribute, markup

__all__ = ["AnswerText", "claim_id", "source_id"]

# A range such as [1-900] has many ids that are not written; to look for more of them would take long and show nothing.
_MOST_IDS = 200


def claim_id(answer: int, claim: int) -> str:
    """Return the id of a claim's row."""
    return f"a{answer}-c{claim}"


def source_id(answer: int, source: int) -> str:
    """Return the id of a source's entry below its answer."""
    return f"a{answer}-s{source}"


class AnswerText:
    """
    The text of one answer, to be shown row by row.

    Args:
        report: What is said of it.
        text: The answer.
        rows: The rows that will be asked for; nothing is marked across their bounds.
        places: Of each id that is there, the numbers of the sources that it names.
    """

    def __init__(
        self, report: AnswerReport, text: str, rows: Sequence[Row], places: Mapping[str, Sequence[int]]
    ) -> None:
        self._report = report
        self._text = text
        self._places = places
        self._markers: dict[tuple[int, int], list[CitationEntry]] = {}
        for each in report.citations:
            self._markers.setdefault((each.start, each.end), []).append(each)
        # Claims come before markers, so that of the owners of a segment the last one is its marker.
        spans = [Span(claim.start, claim.end, place) for place, claim in enumerate(report.claims)]
        spans += [Span(*span, len(report.claims) + place) for place, span in enumerate(self._markers)]
        self._segments = list(split_spans(len(text), spans, [row.start for row in rows]))
        self._starts = [segment.start for segment in self._segments]

    def render(self, row: Row) -> Iterator[str]:
        """Yield the text of *row* without the line ends around it."""
        piece = self._text[row.start : row.end]
        start = row.start + len(piece) - len(piece.lstrip("\r\n"))
        end = row.start + len(piece.rstrip())
        for place in range(max(bisect_right(self._starts, start) - 1, 0), bisect_left(self._starts, end)):
            segment = self._segments[place]
            cut = segment._replace(start=max(segment.start, start), end=min(segment.end, end))
            yield from self._segment(cut)

    def _segment(self, segment: Segment) -> Iterator[str]:
        claims = [self._report.claims[owner] for owner in segment.owners if owner < len(self._report.claims)]
        opening = [claim for claim in claims if claim.start == segment.start]
        for claim in opening:
            yield self._sign(claim)
        citations = self._markers.get((segment.start, segment.end))
        text = self._text[segment.start : segment.end]
        content = markup(text) if citations is None else "".join(self._marker(text, citations))
        yield content if not claims else self._mark(content, claims[0])

    def _sign(self, claim: ClaimEntry) -> str:
        return (
            f'<span class="ref {claim.status}" aria-hidden="true" title="{claim_status_text(claim.status)}">'
            f"{CLAIM_SIGNS[claim.status]} {claim.number}</span>"
        )

    def _mark(self, content: str, claim: ClaimEntry) -> str:
        return f'<mark class="{claim.status}" data-claim="{claim.number}">{content}</mark>'

    def _marker(self, text: str, citations: Sequence[CitationEntry]) -> Iterator[str]:
        """Yield one citation: its brackets, each id that is written in it, and what stands between."""
        done = 0
        yield '<span class="citation">'
        if citations[0].matched_by == "url":
            yield f"{self._id(citations[0], markup(text))}</span>"
            return
        for each in citations[:_MOST_IDS]:
            start = _find_id(text, each.id, done)
            if start < 0:
                continue
            yield markup(text[done:start])
            done = start + len(each.id)
            yield self._id(each, markup(text[start:done]))
        yield f"{markup(text[done:])}</span>"

    def _id(self, citation: CitationEntry, content: str) -> str:
        if citation.status is CitationStatus.INVALID:
            return f'<del title="no result has this id">{_label("not there: ")}{content}</del>'
        places = self._places.get(citation.id, ())
        if citation.status is CitationStatus.IGNORED or not places:
            return content
        target = source_id(self._report.number, places[0])
        return f'<a href="#{target}" title="{attribute(f"source {citation.id}")}">{content}</a>'


def _label(words: str) -> str:
    """Return *words* that are read aloud and not seen."""
    return f'<span class="label">{words}</span>'


def _find_id(text: str, id_: str, start: int) -> int:
    """Return where *id_* stands in *text* from *start* on, not as part of a longer word or number; -1 if nowhere."""
    place = text.find(id_, start)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(id_) : place + len(id_) + 1]
        if not (before.isalnum() and id_[0].isalnum()) and not (after.isalnum() and id_[-1].isalnum()):
            return place
        place = text.find(id_, place + 1)
    return -1
