"""
Checks the origin that a quote names: the speaker of its passage in a transcript, and its page in a document.

The words of speakers who may not be quoted are hidden from the search.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from groundwire._engine import Source
from groundwire.evidence.verdicts import WHOLE, Quote, QuoteReason, QuoteStatus, QuoteVerdict
from groundwire.transcripts.speakers import speaker_key
from groundwire.transcripts.transcript import Transcript, Turn

if TYPE_CHECKING:
    from groundwire.documents.document import Document

__all__ = ["SpokenTurns", "with_pages"]

_BLOT = "\0"
"""Replaces the words of other speakers. No quote repeats it, it is no part of a word, and lengths do not change."""


class SpokenTurns:
    """
    Holds the turns of a transcript, and the speakers who may be quoted.

    Args:
        transcript: A transcript with turns.
        speakers: Speakers who may be quoted; None for all.
    """

    def __init__(self, transcript: Transcript, speakers: Collection[str] | None) -> None:
        self._transcript = transcript
        self._speakers = None if speakers is None else frozenset(map(speaker_key, speakers))

    def of(self, start: int, end: int) -> tuple[Turn, ...]:
        """Return the turns that have words in the span."""
        return self._transcript.turns_in(start, end)

    def views(self, source: Source) -> list[Source]:
        """
        Return *source* with names and times as white space, and unchanged offsets.

        The first result also hides the words of speakers who may not be quoted, if there are any; the second does not.
        """
        spoken = self._spoken(source)
        if self._speakers is None:
            return [spoken]
        transcript = self._transcript
        words = [
            spoken.text[turn.start : turn.end] if self._may_be_quoted(turn) else _BLOT * (turn.end - turn.start)
            for turn in transcript.turns
        ]
        return [_view(source, transcript.with_words(words)), spoken]

    def _spoken(self, source: Source) -> Source:
        transcript = self._transcript
        if transcript.has_prepared(source):
            return transcript.spoken_source(source.profile)
        return _view(source, transcript.with_words([source.text[turn.start : turn.end] for turn in transcript.turns]))

    def are_allowed(self, verdict: QuoteVerdict) -> bool:
        """Tell whether everybody may be quoted, or only permitted speakers speak in the passage."""
        turns = self._speaking(verdict)
        return self._speakers is None or (bool(turns) and all(map(self._may_be_quoted, turns)))

    def are_several(self, verdict: QuoteVerdict) -> bool:
        """Tell whether the passage has words of more than one speaker."""
        return len({_key(turn) for turn in self._speaking(verdict)}) > 1

    def _may_be_quoted(self, turn: Turn) -> bool:
        return self._speakers is None or _key(turn) in self._speakers

    def _speaking(self, verdict: QuoteVerdict) -> list[Turn]:
        """Return the turns that the quote takes words from, without those that it omits."""
        if verdict.match is None:
            return []
        spans = ((verdict.match.start, verdict.match.end),) if verdict.status in WHOLE else verdict.all_spans
        return [turn for start, end in spans for turn in self.of(start, end)]


def _view(source: Source, text: str) -> Source:
    return Source(text, name=source.name, profile=source.profile, marks=source.marks)


def _key(turn: Turn) -> str | None:
    return None if turn.speaker is None else speaker_key(turn.speaker)


def with_pages(verdict: QuoteVerdict, quote: Quote, documents: "Iterable[Document | None]") -> QuoteVerdict:
    """
    Return *verdict* with the pages of its passage, after a check of the page that *quote* names.

    A page is confirmed if an occurrence of the quote has characters on it. A quote without a passage is
    `unreadable`, not `absent`, if its page has no text, or if it names no page and any page has no text.

    Args:
        verdict: The verdict without pages.
        quote: The quote, with the page that it names.
        documents: The document of the passage; where there is no passage, all that were searched. None is a source
            that is no document.
    """
    searched = list(documents)
    if verdict.match is not None:
        document = searched[0]
        if document is not None:
            verdict = _located(verdict, quote, document)
        is_checked = document is not None and bool(document.pages)
    else:
        unreadable = {page for each in searched if each is not None for page in each.unreadable_pages}
        if verdict.status is QuoteStatus.ABSENT and (unreadable if quote.page is None else quote.page in unreadable):
            reasons = (QuoteReason.UNREADABLE_PAGE, *verdict.reasons)
            verdict = replace(verdict, status=QuoteStatus.UNREADABLE, reasons=reasons)
        is_checked = any(each is not None and each.pages for each in searched)
    if quote.page is None:
        return verdict
    if not is_checked:
        verdict = replace(verdict, accepted=False, reasons=(*verdict.reasons, QuoteReason.PAGE_NOT_CHECKED))
    return replace(verdict, page=quote.page)


def _located(verdict: QuoteVerdict, quote: Quote, document: "Document") -> QuoteVerdict:
    from groundwire.documents.document import PartKind

    match = verdict.match
    assert match is not None
    location = document.locate(match.start, match.end)
    reasons = list(verdict.reasons)
    accepted = verdict.accepted
    if quote.page is not None and document.pages and quote.page not in location.pages:
        elsewhere = (document.locate(start, end) for start, end in verdict.all_spans if start < end)
        found = next((each for each in elsewhere if quote.page in each.pages), None)
        if found is None:
            reasons.insert(0, QuoteReason.OTHER_PAGE)
            if quote.page in document.unreadable_pages:
                reasons.insert(0, QuoteReason.UNREADABLE_PAGE)
            accepted = False
        location = location if found is None else found
    if len(location.pages) > 1:
        reasons.append(QuoteReason.ACROSS_PAGES)
    if PartKind.TABLE in location.kinds:
        reasons.append(QuoteReason.IN_TABLE)
    if PartKind.FOOTNOTE in location.kinds:
        reasons.append(QuoteReason.IN_FOOTNOTE)
    return replace(verdict, accepted=accepted, reasons=tuple(reasons), pages=location.pages, path=location.path)
