"""What stands beside a claim: its status, what is wrong with it, and the passages it cites."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from groundwire.language import detect_language
from groundwire.report.cite.builder import Case
from groundwire.report.cite.model import AnswerReport, ClaimEntry
from groundwire.report.highlights import Passage, excerpt, words_of
from groundwire.report.html.answer import source_id
from groundwire.report.html.page import badge
from groundwire.report.labels import CLAIM_SIGNS, claim_status_text, claim_words, plural, score_text
from groundwire.report.markup import markup
from groundwire.search_results import read_results

__all__ = ["Evidence"]

_MOST_SOURCES = 5


class Evidence:
    """
    The sources of one answer, to be shown beside its claims.

    Args:
        report: What is said of the answer.
        case: The answer, and what it was given.
    """

    def __init__(self, report: AnswerReport, case: Case) -> None:
        self._report = report
        self._results = read_results(case.results)
        self._passages: dict[int, Passage] = {}
        self._markers: dict[int, set[tuple[int, int]]] = {}
        for each in report.citations:
            for number in each.claims:
                self._markers.setdefault(number, set()).add((each.start, each.end))

    @cached_property
    def _language(self) -> str:
        """The language of the passages: words are the same in one language only."""
        return detect_language(max(filter(None, self._results.passages), key=len, default=""))

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Of each id that is cited and there, the numbers of the sources that it names."""
        cited = {id_ for claim in self._report.claims for id_ in claim.valid} | {*self._report.valid_citations}
        better = {claim.better_source for claim in self._report.claims} - {None}
        return {id_: [place + 1 for place in self._results.places(id_)] for id_ in cited | better if id_}

    def render(self, claim: ClaimEntry) -> Iterator[str]:
        """Yield what is said of *claim*."""
        yield '<p class="head">'
        yield f'<span class="number">{claim.number}</span> '
        yield badge(claim.status, CLAIM_SIGNS[claim.status], claim_status_text(claim.status))
        if claim.support is not None:
            yield f' <span class="score">support {score_text(claim.support)}</span>'
        yield f' <span class="score">line {claim.line}</span></p>\n'
        yield from self._reasons(claim)
        words = words_of(self._without_citations(claim), self._language)
        for id_ in claim.valid[:_MOST_SOURCES]:
            yield from self._source(id_, "cited", words)
        if len(claim.valid) > _MOST_SOURCES:
            yield f'<p class="note">and {plural(len(claim.valid) - _MOST_SOURCES, "more source")}</p>\n'
        if claim.better_source is not None:
            yield from self._source(claim.better_source, "not cited", words)

    def _without_citations(self, claim: ClaimEntry) -> str:
        """Return the words of *claim*; that a source has the number in a citation says nothing."""
        text = claim.text
        for start, end in self._markers.get(claim.number, ()):
            if claim.start <= start and end <= claim.end:
                text = text[: start - claim.start] + " " * (end - start) + text[end - claim.start :]
        return text

    def _reasons(self, claim: ClaimEntry) -> Iterator[str]:
        reasons = [markup(words) for words in claim_words(claim)]
        if claim.invalid:
            ids = ", ".join(f"<del>{markup(id_)}</del>" for id_ in claim.invalid[:_MOST_SOURCES])
            more = len(claim.invalid) - _MOST_SOURCES
            reasons.append(f"no result has the id {ids}{f' and {more:,} more' if more > 0 else ''}")
        if reasons:
            yield f'<ul class="reasons">{"".join(f"<li>{reason}</li>" for reason in reasons)}</ul>\n'

    def _source(self, id_: str, word: str, words: frozenset[int]) -> Iterator[str]:
        """Yield the passage that *id_* names; of several, the one that has most of *words*."""
        numbers = self.places[id_]
        number = max(numbers, key=lambda each: len({word.key for word in self._passage(each).shared(words)}))
        entry = self._report.sources[number - 1]
        title = f" {markup(entry.title)}" if entry.title else ""
        yield f'<p class="place"><a href="#{source_id(self._report.number, number)}">[{markup(id_)}]{title}</a>, {word}'
        if len(numbers) > 1:
            yield f", and {plural(len(numbers) - 1, 'more result')} of it"
        yield "</p>\n"
        if not entry.chars:
            yield '<p class="note">this result has no text</p>\n'
            return
        yield '<blockquote class="passage" dir="auto">'
        yield from self._excerpt(self._passage(number), words)
        yield "</blockquote>\n"

    def _passage(self, number: int) -> Passage:
        passage = self._passages.get(number)
        if passage is None:
            passage = self._passages[number] = Passage(self._results.passages[number - 1] or "", self._language)
        return passage

    def _excerpt(self, passage: Passage, words: frozenset[int]) -> Iterator[str]:
        shown = excerpt(passage, passage.shared(words))
        done = shown.start
        yield "… " if shown.start else ""
        for start, end in shown.spans:
            yield f'{markup(passage.text[done:start])}<b class="same">{markup(passage.text[start:end])}</b>'
            done = end
        yield markup(passage.text[done : shown.end])
        yield " …" if shown.end < len(passage.text) else ""
