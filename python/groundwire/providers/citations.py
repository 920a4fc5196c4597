"""Looks up the citations of a provider's answer in the documents."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groundwire._engine import Source, sentences
from groundwire.citations.risk_rules import RiskThresholds
from groundwire.citations.support import support_of
from groundwire.evidence.assessment import assess_quotes
from groundwire.evidence.verdicts import QuoteStatus
from groundwire.providers.responses import RawCitation, read_response
from groundwire.search_results import read_results
from groundwire.sources import Sources, document_of
from groundwire.transcripts.transcript import Transcript
from groundwire.urls import canonical_url

if TYPE_CHECKING:
    from groundwire.documents.document import Document

__all__ = ["STATUSES", "CitedAnswer", "ProviderCitation", "ProviderCitationStatus", "read_citations"]

CitedDocuments: TypeAlias = "Sources | Mapping[str, str | Source | Transcript | Document] | Sequence[object]"

_WORD = re.compile(r"\w+")
_LINK = re.compile(r"\]?\(https?://[^\s()]*\)|\[[^\[\]]{0,40}\]|https?://\S+")
# An answer span with fewer words is a mark, such as `[1]` or a link, and the sentence before it makes the claim.
_MIN_CLAIM_WORDS = 3
_BLOCK_END = "\n\n"


class ProviderCitationStatus(StrEnum):
    """The result of looking up a citation. Only `VERIFIED` and `SUPPORTED` are accepted."""

    VERIFIED = "verified"
    MOVED = "moved"
    ALTERED = "altered"
    ABSENT = "absent"
    SUPPORTED = "supported"
    WEAK = "weak"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    UNKNOWN_SOURCE = "unknown_source"
    UNREAD = "unread"
    INVALID_SPAN = "invalid_span"


STATUSES: dict[ProviderCitationStatus, str] = {
    ProviderCitationStatus.VERIFIED: "the document has the quote where the provider says",
    ProviderCitationStatus.MOVED: "the document has the quote, but not where the provider says",
    ProviderCitationStatus.ALTERED: "the document has something similar",
    ProviderCitationStatus.ABSENT: "the document does not have the quote",
    ProviderCitationStatus.SUPPORTED: "the provider gives no quote; the best passage supports the claim",
    ProviderCitationStatus.WEAK: "the provider gives no quote; the best passage supports part of the claim",
    ProviderCitationStatus.UNSUPPORTED: "the provider gives no quote, and no passage supports the claim",
    ProviderCitationStatus.CONTRADICTED: "the provider gives no quote, and the document contradicts the claim",
    ProviderCitationStatus.UNKNOWN_SOURCE: "none of the documents is the cited one",
    ProviderCitationStatus.UNREAD: "the cited document has no text",
    ProviderCitationStatus.INVALID_SPAN: "the provider gives no quote, and its offsets are outside of the answer",
}
"""The meaning of each status."""

_ACCEPTED = frozenset({ProviderCitationStatus.VERIFIED, ProviderCitationStatus.SUPPORTED})
_FOUND = frozenset({QuoteStatus.EXACT, QuoteStatus.NORMALIZED})
_SIMILAR = frozenset({QuoteStatus.NEAR, QuoteStatus.ALTERED, QuoteStatus.ELIDED})


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderCitation:
    """
    A citation of an answer, and the passage that it was looked up in.

    Attributes:
        answer_span: The span of the words that cite, in code points of the answer; None if the provider's offsets are
            invalid.
        claim: The words of the answer that the citation has to support.
        document: The name of the cited document; the provider's name for it if there is no such document.
        source_span: The span of the passage in the document, in code points; None without a passage.
        page: The page of the passage in a document with pages, otherwise the page that the provider gives.
        quote: The words that the provider quotes; None if it gives none.
        passage: The words of the passage.
        status: The result of looking up the citation.
        is_ours: Whether groundwire chose the passage, because the provider gives no quote.
    """

    answer_span: tuple[int, int] | None
    claim: str = field(repr=False)
    document: str | None = field(repr=False)
    source_span: tuple[int, int] | None
    page: int | None
    quote: str | None = field(repr=False)
    passage: str | None = field(repr=False)
    status: ProviderCitationStatus
    is_ours: bool

    @property
    def accepted(self) -> bool:
        """Whether the document has the quote, or supports the claim."""
        return self.status in _ACCEPTED


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """
    The text of an answer and its citations, in the order of the response.

    Attributes:
        text: The answer.
        citations: Its citations.
    """

    text: str = field(repr=False)
    citations: tuple[ProviderCitation, ...]

    @property
    def accepted(self) -> bool:
        """Whether there are citations, and all of them are accepted."""
        return bool(self.citations) and all(each.accepted for each in self.citations)


def read_citations(response: object, documents: CitedDocuments) -> CitedAnswer:
    """
    Read the citations in the answer of a provider, and look each up in the documents.

    The response may come from Anthropic (Messages), OpenAI (Responses, chat completions), Google (Gemini), Cohere,
    Mistral, or be a message of LangChain.

    Args:
        response: The response as plain data, or as an object of the provider's SDK.
        documents: The documents of the request, in its order, which decides if the provider cites by number. Each is a
            source of `groundwire.Sources`, a list of str for a document of several blocks, or a search result as for
            `groundwire.citations.assess_citations`. A mapping gives them names: ids, titles or URLs that the provider
            uses.

    Raises:
        ResponseError: The response has the format of no known provider.
        TypeError: *documents* has the wrong type.
    """
    answer = read_response(response)
    known = _Documents(documents)
    spans = sentences(answer.text) if answer.citations else []
    return CitedAnswer(answer.text, tuple(_look_up(raw, answer.text, spans, known) for raw in answer.citations))


class _Entry(NamedTuple):
    """A document: its names, its text as a source, and the offsets of its blocks."""

    names: tuple[str, ...]
    source: "str | Source | Transcript | Document | None"
    blocks: tuple[tuple[int, int], ...] = ()

    @property
    def text(self) -> str:
        if self.source is None:
            return ""
        return self.source if isinstance(self.source, str) else self.source.text


class _Documents:
    """Finds documents by the names and numbers that providers use."""

    def __init__(self, documents: CitedDocuments) -> None:
        self._entries = list(_entries(documents))
        self._by_name: dict[str, _Entry] = {}
        for entry in self._entries:
            for name in entry.names:
                for key in _keys(name):
                    self._by_name.setdefault(key, entry)

    def find(self, raw: RawCitation) -> _Entry | None:
        """Return the cited document: by name, by number, or else the text in the response."""
        for name in raw.names:
            for key in _keys(name):
                if (entry := self._by_name.get(key)) is not None:
                    return entry
        if raw.number is not None and 0 <= raw.number < len(self._entries):
            return self._entries[raw.number]
        return None if raw.text is None else _Entry(raw.names, raw.text)


def _keys(name: str) -> Iterator[str]:
    yield name
    if name.startswith(("http://", "https://")):
        yield canonical_url(name)


def _entries(documents: CitedDocuments) -> Iterator[_Entry]:
    if isinstance(documents, Sources):
        for name in documents.names:
            yield _Entry((name,), documents.document(name) or documents.transcript(name) or documents[name])
        return
    if isinstance(documents, str | bytes) or not isinstance(documents, Mapping | Sequence):
        raise TypeError(f"documents must be a mapping, a sequence or Sources, got {type(documents).__name__}")
    for names, each in _named(documents):
        if isinstance(each, str):
            yield _Entry(names, each)
        elif isinstance(each, Source | Transcript):
            yield _Entry((*names, *([each.name] if each.name else [])), each)
        elif (document := document_of(each)) is not None:
            yield _Entry((*names, *([document.name] if document.name else [])), document)
        elif isinstance(each, list | tuple) and all(isinstance(block, str) for block in each):
            yield _of_blocks(names, each)
        else:
            yield _of_result(names, each)


def _named(documents: "Mapping[str, object] | Sequence[object]") -> Iterator[tuple[tuple[str, ...], object]]:
    if isinstance(documents, Mapping):
        yield from (((str(name),), each) for name, each in documents.items())
    else:
        yield from (((), each) for each in documents)


def _of_blocks(names: tuple[str, ...], blocks: Sequence[str]) -> _Entry:
    spans, start = [], 0
    for block in blocks:
        spans.append((start, start + len(block)))
        start += len(block) + len(_BLOCK_END)
    return _Entry(names, _BLOCK_END.join(blocks), tuple(spans))


def _of_result(names: tuple[str, ...], result: object) -> _Entry:
    """Return the entry of a search result. Raises `TypeError` for anything else."""
    read = read_results([result])
    urls = read.shapes[0].urls()
    return _Entry((*names, *read.citable(), *urls, *filter(None, read.titles)), read.passages[0])


def _look_up(raw: RawCitation, answer: str, spans: Sequence[tuple[int, int]], known: _Documents) -> ProviderCitation:
    entry = known.find(raw)
    claim = _claim_span(raw, answer, spans)
    found = _find(raw, entry, "" if claim is None else answer[slice(*claim)])
    names = raw.names if entry is None else (*entry.names, *raw.names)
    own = None if raw.start is None or raw.end is None or raw.start == raw.end else (raw.start, raw.end)
    return ProviderCitation(
        answer_span=claim if own is None else own,
        claim="" if claim is None else answer[slice(*claim)],
        document=names[0] if names else None,
        source_span=found.span,
        page=found.page if found.page is not None else raw.pages[0] if raw.pages else None,
        quote=raw.quote,
        passage=None if found.span is None or entry is None else entry.text[slice(*found.span)],
        status=found.status,
        is_ours=raw.quote is None and found.span is not None,
    )


def _claim_span(raw: RawCitation, answer: str, spans: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the words that cite, or the sentence before a mark without words; None without valid offsets."""
    if raw.start is None or raw.end is None:
        return None
    if len(_WORD.findall(_LINK.sub(" ", answer[raw.start : raw.end]))) >= _MIN_CLAIM_WORDS:
        return raw.start, raw.end
    place = bisect_left(spans, (max(raw.start, 1),))
    return spans[place - 1] if place else (raw.start, raw.end)


class _Found(NamedTuple):
    status: ProviderCitationStatus
    span: tuple[int, int] | None = None
    page: int | None = None


def _find(raw: RawCitation, entry: _Entry | None, claim: str) -> _Found:
    if entry is None:
        return _Found(ProviderCitationStatus.UNKNOWN_SOURCE)
    if entry.source is None or not entry.text.strip():
        return _Found(ProviderCitationStatus.UNREAD)
    if raw.quote is not None:
        return _find_quote(raw, raw.quote, entry.source, entry)
    if not claim:
        return _Found(ProviderCitationStatus.INVALID_SPAN)
    return _find_passage(raw, claim, entry)


def _find_quote(raw: RawCitation, quote: str, source: "str | Source | Transcript | Document", entry: _Entry) -> _Found:
    """Look for the provider's quote where it says, and then everywhere."""
    [verdict] = assess_quotes([quote], source)
    if verdict.match is None:
        return _Found(ProviderCitationStatus.ABSENT)
    spans = [span for span in verdict.all_spans if _is_at(span, raw, entry)]
    if verdict.status in _FOUND and spans:
        return _Found(ProviderCitationStatus.VERIFIED, spans[0], _page(entry, spans[0]))
    span = (verdict.match.start, verdict.match.end)
    if verdict.status in _FOUND:
        return _Found(ProviderCitationStatus.MOVED, span, _page(entry, span))
    status = ProviderCitationStatus.ALTERED if verdict.status in _SIMILAR else ProviderCitationStatus.ABSENT
    return _Found(status, span, _page(entry, span))


def _is_at(span: tuple[int, int], raw: RawCitation, entry: _Entry) -> bool:
    """Return whether *span* is where the provider says: inside its offsets, its blocks and its pages."""
    if raw.span is not None and not (raw.span[0] <= span[0] and span[1] <= raw.span[1]):
        return False
    if raw.blocks is not None and entry.blocks:
        cited = entry.blocks[raw.blocks[0] : raw.blocks[1]]
        if not cited or not (cited[0][0] <= span[0] and span[1] <= cited[-1][1]):
            return False
    page = _page(entry, span)
    return raw.pages is None or page is None or raw.pages[0] <= page <= raw.pages[1]


def _page(entry: _Entry, span: tuple[int, int]) -> int | None:
    document = document_of(entry.source)
    return None if document is None else document.locate(*span).page


def _find_passage(raw: RawCitation, claim: str, entry: _Entry) -> _Found:
    """Find the passage that supports *claim* best, inside the blocks that the provider names."""
    start, end = 0, len(entry.text)
    if raw.blocks is not None and (cited := entry.blocks[raw.blocks[0] : raw.blocks[1]]):
        start, end = cited[0][0], cited[-1][1]
    support = support_of(_LINK.sub(" ", claim), [entry.text[start:end]])
    [passage] = support.passages
    if passage is None:
        return _Found(ProviderCitationStatus.UNREAD)
    span = (start + passage.start, start + passage.end) if passage.end > passage.start else None
    status = ProviderCitationStatus(passage.status)
    if status is ProviderCitationStatus.UNSUPPORTED and passage.score >= RiskThresholds().weak_from:
        status = ProviderCitationStatus.WEAK
    return _Found(status, span, None if span is None else _page(entry, span))
