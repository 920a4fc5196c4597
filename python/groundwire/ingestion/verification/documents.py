"""Verifies cited pages of documents in a folder: whether the document has the page, and which words it has."""

import re
from collections.abc import Sequence
from functools import partial

from groundwire.documents.document import Document, Page
from groundwire.documents.folder import DocumentFolder
from groundwire.errors import DocumentError
from groundwire.ingestion.citation_detector import Citation
from groundwire.ingestion.verification.deadline import Deadline, run_in_thread
from groundwire.ingestion.verification.protocol import VerificationReason, VerificationResult, make_result

__all__ = ["DocumentVerifier", "cited_page"]

_VALUE = re.compile(r"(.{1,4000})#page=([0-9]{1,5})", re.DOTALL)


def cited_page(value: str) -> tuple[str, int] | None:
    """Return the path and the page of a citation such as `study.pdf#page=12`; None for another text."""
    found = _VALUE.fullmatch(value)
    return None if found is None else (found[1], int(found[2]))


class DocumentVerifier:
    """
    Finds cited pages in the documents of a folder.

    A timeout or a cancelled task ends the work between two documents; the reading of one has its own limits.

    Args:
        folder: The documents. Paths and links that lead out of it are refused.
    """

    def __init__(self, folder: DocumentFolder) -> None:
        self._folder = folder

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one page."""
        return (await self.verify_many([citation]))[0]

    async def verify_many(self, citations: Sequence[Citation]) -> list[VerificationResult]:
        """Verify pages, beside the event loop."""
        return await run_in_thread(partial(self._verify_values, [citation.value for citation in citations]))

    async def read(self, citation: Citation) -> str | None:
        """Return the text of the page; None if it cannot be read."""
        return await run_in_thread(lambda _: self._read(citation.value))

    def _verify_values(self, values: Sequence[str], deadline: Deadline) -> list[VerificationResult]:
        found = {value: self._verify(value) for value in deadline.each(dict.fromkeys(values))}
        return [found[value] for value in values]

    def _verify(self, value: str) -> VerificationResult:
        cited = cited_page(value)
        if cited is None:
            return make_result(VerificationReason.NOT_AN_ID)
        try:
            document = self._folder.document(cited[0])
        except DocumentError as error:
            is_missing = error.code == "missing"
            return make_result(
                VerificationReason.DOCUMENT_NOT_FOUND if is_missing else VerificationReason.DOCUMENT_UNREADABLE
            )
        page = _page(document, cited[1])
        if page is None:
            return make_result(VerificationReason.PAGE_NOT_FOUND, sha256=document.sha256)
        code = VerificationReason.PAGE_FOUND if page.is_readable else VerificationReason.PAGE_UNREADABLE
        return make_result(code, sha256=document.sha256)

    def _read(self, value: str) -> str | None:
        cited = cited_page(value)
        if cited is None:
            return None
        try:
            document = self._folder.document(cited[0])
        except DocumentError:
            return None
        page = _page(document, cited[1])
        return None if page is None or not page.is_readable else document.text[page.start : page.end]


def _page(document: Document, number: int) -> Page | None:
    return document.pages[number - 1] if 1 <= number <= len(document.pages) else None
