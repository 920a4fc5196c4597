"""
Verifies URLs, DOIs and issues over HTTP, and reads the text of pages (rulings C12 and C13).

A status of 2xx verifies a URL, 404 and 410 refute it, and any other leaves it unknown: a server that requires a
password says neither. `#12` does not say which tracker it means, so issues are unknown without one of the issue
verifiers of this module. Reading a page takes time linear in its length.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar
from urllib.parse import quote

from groundwire.ingestion.citation_detector import Citation
from groundwire.ingestion.verification.http_client import GuardedHttpClient
from groundwire.ingestion.verification.protocol import (
    VerificationLookupError,
    VerificationReason,
    VerificationResult,
    make_result,
)

__all__ = [
    "DoiVerifier",
    "GitHubIssueVerifier",
    "GitLabIssueVerifier",
    "IssueListVerifier",
    "UrlVerifier",
    "text_of_page",
]

_DOI = re.compile(r"10\.[0-9]{4,9}/\S+")
_DOTS = frozenset({".", ".."})
_GONE = frozenset({404, 410})
_ISSUE_ID = re.compile(r"(?:([A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+)#|#|GH-)?([0-9]{1,9})")
# The beginning of markup; any other `<` is a character of the text.
_MARKUP = re.compile(r"<(?:!--|(script|style|template|noscript|svg)\b|[a-zA-Z/!?])", re.IGNORECASE)
_LOOKS_LIKE_MARKUP = re.compile(r"\s*<[a-zA-Z!?]")
_ELEMENT_ENDS = {
    name: re.compile(rf"</{name}\b", re.IGNORECASE) for name in ("script", "style", "template", "noscript", "svg")
}


class UrlVerifier:
    """
    Verifies URLs by a request to their server.

    Args:
        client: The client that sends the requests.
    """

    def __init__(self, client: GuardedHttpClient) -> None:
        self._client = client

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one URL."""
        return await _probe(self._client, citation.value)

    async def read(self, citation: Citation) -> str | None:
        """Return the text of the page, at most 256 KiB; None if there is no page, or no text."""
        try:
            answer = await self._client.read(citation.value)
        except VerificationLookupError:
            return None
        return text_of_page(answer.body) if 200 <= answer.status < 300 else None


class DoiVerifier:
    """
    Verifies DOIs by a request to the registry, because publishers often refuse programs.

    Args:
        client: The client that sends the requests.
        registry: The prefix of a DOI's URL.
    """

    def __init__(self, client: GuardedHttpClient, *, registry: str = "https://doi.org/api/handles/") -> None:
        self._client = client
        self._registry = registry

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one DOI."""
        # A path with dots would lead to another page of the registry, which always exists.
        if not _DOI.fullmatch(citation.value) or _DOTS & {*citation.value.split("/")}:
            return make_result(VerificationReason.NOT_AN_ID)
        return await _probe(self._client, self._registry + quote(citation.value))


async def _probe(client: GuardedHttpClient, url: str) -> VerificationResult:
    try:
        status = (await client.probe(url)).status
    except VerificationLookupError as error:
        return make_result(error.code)
    if 200 <= status < 300:
        return make_result(VerificationReason.HTTP_SUCCESS, status)
    return make_result(VerificationReason.HTTP_GONE if status in _GONE else VerificationReason.HTTP_UNCLEAR, status)


class IssueListVerifier:
    """
    Verifies issues by a list, without a network.

    Args:
        known: `12`, `#12` or `owner/repo#12`.
        repository: The repository of bare numbers, in claims and in the list.
        complete: Whether the list is complete, so that other issues of this repository are refuted; else they are
            unknown. Issues of other repositories are never refuted.

    Raises:
        ValueError: An entry has another form.
    """

    def __init__(self, known: Iterable[str], *, repository: str | None = None, complete: bool = False) -> None:
        self._repository = _normalized_repository(repository)
        self._complete = complete
        self._known: set[tuple[str | None, int]] = set()
        for number, entry in enumerate(known):
            issue = _parse_issue_id(entry, self._repository)
            if issue is None:
                raise ValueError(f"known[{number}] must be `12`, `#12` or `owner/repo#12`")
            self._known.add(issue)

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one issue."""
        issue = _parse_issue_id(citation.value, self._repository)
        if issue is None:
            return make_result(VerificationReason.NOT_AN_ID)
        if issue in self._known:
            return make_result(VerificationReason.ISSUE_FOUND)
        is_ours = issue[0] == self._repository
        refuted = is_ours and self._complete
        return make_result(VerificationReason.ISSUE_NOT_FOUND if refuted else VerificationReason.ISSUE_NOT_LISTED)


class _TrackerVerifier(ABC):
    """Verifies issues of a tracker: requests the issue, and its repository if the issue is missing."""

    _public_url: ClassVar[str]

    def __init__(
        self,
        client: GuardedHttpClient,
        repository: str | None = None,
        *,
        base_url: str | None = None,
        token: str | None = None,
    ) -> None:
        self._client = client
        self._repository = _normalized_repository(repository)
        self._base_url = (self._public_url if base_url is None else base_url).rstrip("/")
        self._token = token

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"  # without the token

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one issue; only a tracker that shows its repository refutes it."""
        issue = _parse_issue_id(citation.value, self._repository)
        if issue is None:
            return make_result(VerificationReason.NOT_AN_ID)
        repository, number = issue
        if repository is None:
            return make_result(VerificationReason.NOT_CONFIGURED)
        home = self._repository_url(repository)
        try:
            return await self._ask(home, number)
        except VerificationLookupError as error:
            return make_result(error.code)

    async def _ask(self, home: str, number: int) -> VerificationResult:
        status = await self._status(f"{home}/issues/{number}")
        if status == 200:
            return make_result(VerificationReason.ISSUE_FOUND)
        if status == 410:
            return make_result(VerificationReason.ISSUE_NOT_FOUND)
        if status != 404:
            return make_result(VerificationReason.HTTP_UNCLEAR, status)
        # Trackers answer 404 for private repositories too.
        shows = await self._status(home) == 200
        return make_result(VerificationReason.ISSUE_NOT_FOUND if shows else VerificationReason.TRACKER_UNREADABLE)

    async def _status(self, url: str) -> int:
        return (await self._client.get(url, headers=self._headers())).status

    @abstractmethod
    def _headers(self) -> list[tuple[str, str]]: ...

    @abstractmethod
    def _repository_url(self, repository: str) -> str: ...


class GitHubIssueVerifier(_TrackerVerifier):
    """
    Verifies issues and pull requests of GitHub, which share their numbers.

    Args:
        client: The client that sends the requests.
        repository: The repository `owner/repo` of bare numbers.
        base_url: The API; `https://api.github.com` if None. On a private server it is `https://HOST/api/v3`, and
            the client must allow a private host.
        token: Sent only to this host.
    """

    _public_url = "https://api.github.com"

    def _headers(self) -> list[tuple[str, str]]:
        accept = ("Accept", "application/vnd.github+json")
        return [accept] if self._token is None else [accept, ("Authorization", f"Bearer {self._token}")]

    def _repository_url(self, repository: str) -> str:
        return f"{self._base_url}/repos/{quote(repository)}"


class GitLabIssueVerifier(_TrackerVerifier):
    """
    Verifies issues of GitLab.

    Args:
        client: The client that sends the requests.
        repository: The project `group/project` of bare numbers.
        base_url: The API; `https://gitlab.com/api/v4` if None. On a private server it is `https://HOST/api/v4`, and
            the client must allow a private host.
        token: Sent only to this host.
    """

    _public_url = "https://gitlab.com/api/v4"

    def _headers(self) -> list[tuple[str, str]]:
        return [] if self._token is None else [("PRIVATE-TOKEN", self._token)]

    def _repository_url(self, repository: str) -> str:
        return f"{self._base_url}/projects/{quote(repository, safe='')}"


def _parse_issue_id(value: str, default: str | None) -> tuple[str | None, int] | None:
    """Return repository and number of an issue; None if *value* is not such an id."""
    match = _ISSUE_ID.fullmatch(value)
    # A path with dots would lead to another location of the API.
    if match is None or (match[1] and _DOTS & {*match[1].split("/")}):
        return None
    return _normalized_repository(match[1]) or default, int(match[2])


def _normalized_repository(repository: str | None) -> str | None:
    """Return *repository* in lower case, because trackers ignore case in names."""
    return repository.lower() if repository else None


def text_of_page(body: bytes) -> str | None:
    """Return the text of a page in HTML or plain text; None if it is not UTF-8, or is empty."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    if _LOOKS_LIKE_MARKUP.match(text):
        from html import unescape

        text = unescape("".join(_visible_text(text)))
    return text if text.strip() else None


def _visible_text(page: str) -> Iterator[str]:
    """Yield the text between the markup; unclosed markup ends the page."""
    position = 0
    while markup := _MARKUP.search(page, position):
        yield page[position : markup.start()]
        end = _markup_end(page, markup)
        if end is None:
            return
        # Text on both sides of a tag forms separate words.
        yield " "
        position = end
    yield page[position:]


def _markup_end(page: str, markup: re.Match[str]) -> int | None:
    """Return the end of the element or tag that *markup* opens; None if it is not closed."""
    start, closing = markup.end(), "-->" if markup[0] == "<!--" else ">"
    if markup[1]:
        found = _ELEMENT_ENDS[markup[1].lower()].search(page, start)
        if found is None:
            return None
        start = found.end()
    end = page.find(closing, start)
    return None if end < 0 else end + len(closing)
