"""Pages of documents: where a quote is, and whether that is the page which it names."""

from dataclasses import replace
from typing import TYPE_CHECKING

from groundwire.evidence.verdicts import Quote, QuoteReason, QuoteStatus, QuoteVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundwire.documents.document import Document

__all__ = ["with_pages"]


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
