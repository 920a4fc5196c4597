"""
Does something stand at this URL, or under this DOI?

Source: ruling C12. 2xx is yes, 404 and 410 are no, all else is unknown: a server that
asks for a password has said neither.
"""

import re
from urllib.parse import quote

from groundwire.ingestion.provenance import Citation
from groundwire.ingestion.verify.failures import LookUpError
from groundwire.ingestion.verify.http import GuardedClient
from groundwire.ingestion.verify.pages import text_of_page
from groundwire.ingestion.verify.results import VerificationReason, VerificationResult, result

__all__ = ["Dois", "WebPages"]

_DOI = re.compile(r"10\.[0-9]{4,9}/\S+")
_DOTS = frozenset({".", ".."})
_GONE = frozenset({404, 410})
# The registry itself: it knows whether a DOI exists, where publishers often turn programs away.
_DOI_REGISTRY = "https://doi.org/api/handles/"


class WebPages:
    """
    Asks the server of a URL.

    Args:
        client: Who asks.
    """

    def __init__(self, client: GuardedClient) -> None:
        self._client = client

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one URL."""
        return await _probe(self._client, citation.value)

    async def read(self, citation: Citation) -> str | None:
        """Return the text of the page, 256 KiB at most; None if there is none, or it is no text."""
        try:
            answer = await self._client.read(citation.value)
        except LookUpError:
            return None
        return text_of_page(answer.body) if 200 <= answer.status < 300 else None


class Dois:
    """
    Asks the registry of DOIs.

    Args:
        client: Who asks.
    """

    def __init__(self, client: GuardedClient) -> None:
        self._client = client

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one DOI."""
        # A path with dots would lead to another page of the registry, which is there in any case.
        if not _DOI.fullmatch(citation.value) or _DOTS & {*citation.value.split("/")}:
            return result(VerificationReason.NOT_AN_ID)
        return await _probe(self._client, _DOI_REGISTRY + quote(citation.value))


async def _probe(client: GuardedClient, url: str) -> VerificationResult:
    try:
        status = (await client.probe(url)).status
    except LookUpError as error:
        return result(error.code)
    if 200 <= status < 300:
        return result(VerificationReason.HTTP_SUCCESS, status)
    return result(VerificationReason.HTTP_GONE if status in _GONE else VerificationReason.HTTP_UNCLEAR, status)
