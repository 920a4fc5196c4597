"""
Is there such an issue? A list that was written down, or the interface of GitHub or GitLab.

Source: ruling C13. Which tracker `#12` means nobody can guess: without a verifier of
this module issues are unknown.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from urllib.parse import quote

from groundwire.ingestion.provenance import Citation
from groundwire.ingestion.verify.failures import LookUpError
from groundwire.ingestion.verify.http import GuardedClient
from groundwire.ingestion.verify.results import VerificationReason, VerificationResult, result

__all__ = ["GitHubIssues", "GitLabIssues", "ListedIssues"]

_ID = re.compile(r"(?:([A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+)#|#|GH-)?([0-9]{1,9})")
_DOTS = frozenset({".", ".."})


class ListedIssues:
    """
    Knows the issues of a list, and asks nobody.

    Args:
        known: `12`, `#12` or `owner/repo#12`.
        repository: The repository that a bare number belongs to, in claims and in the list.
        complete: Whether an issue of this repository that is not listed does not exist; else it
            is unknown. Of other repositories nothing is ever refuted.

    Raises:
        ValueError: An entry is of another form.
    """

    def __init__(self, known: Iterable[str], *, repository: str | None = None, complete: bool = False) -> None:
        self._repository = _name(repository)
        self._complete = complete
        self._known: set[tuple[str | None, int]] = set()
        for number, entry in enumerate(known):
            issue = _read(entry, self._repository)
            if issue is None:
                raise ValueError(f"known[{number}] must be `12`, `#12` or `owner/repo#12`")
            self._known.add(issue)

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one issue."""
        issue = _read(citation.value, self._repository)
        if issue is None:
            return result(VerificationReason.NOT_AN_ID)
        if issue in self._known:
            return result(VerificationReason.ISSUE_FOUND)
        is_ours = issue[0] == self._repository
        refuted = is_ours and self._complete
        return result(VerificationReason.ISSUE_NOT_FOUND if refuted else VerificationReason.ISSUE_NOT_LISTED)


class _RemoteIssues(ABC):
    """Asks a tracker for the issue, and for its repository where the issue is not there."""

    def __init__(self, client: GuardedClient, repository: str | None, base_url: str, token: str | None) -> None:
        self._client = client
        self._repository = _name(repository)
        self._base_url = base_url.rstrip("/")
        self._token = token

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"  # without the token

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one issue; it is refuted only by a tracker that shows its repository."""
        issue = _read(citation.value, self._repository)
        if issue is None:
            return result(VerificationReason.NOT_AN_ID)
        repository, number = issue
        if repository is None:
            return result(VerificationReason.NOT_CONFIGURED)
        home = self._repository_url(repository)
        try:
            return await self._ask(home, number)
        except LookUpError as error:
            return result(error.code)

    async def _ask(self, home: str, number: int) -> VerificationResult:
        status = await self._status(f"{home}/issues/{number}")
        if status == 200:
            return result(VerificationReason.ISSUE_FOUND)
        if status == 410:
            return result(VerificationReason.ISSUE_NOT_FOUND)
        if status != 404:
            return result(VerificationReason.HTTP_UNCLEAR, status)
        # Trackers say 404 of private repositories too.
        shows = await self._status(home) == 200
        return result(VerificationReason.ISSUE_NOT_FOUND if shows else VerificationReason.TRACKER_UNREADABLE)

    async def _status(self, url: str) -> int:
        return (await self._client.read(url, headers=self._headers())).status

    @abstractmethod
    def _headers(self) -> list[tuple[str, str]]: ...

    @abstractmethod
    def _repository_url(self, repository: str) -> str: ...


class GitHubIssues(_RemoteIssues):
    """
    Asks GitHub; issues and pull requests share their numbers.

    Args:
        client: Who asks.
        repository: The repository `owner/repo` that a bare number belongs to.
        base_url: The interface; of an own server `https://HOST/api/v3`, which the client must allow if it is private.
        token: Sent to this host alone.
    """

    def __init__(
        self,
        client: GuardedClient,
        repository: str | None = None,
        *,
        base_url: str = "https://api.github.com",
        token: str | None = None,
    ) -> None:
        super().__init__(client, repository, base_url, token)

    def _headers(self) -> list[tuple[str, str]]:
        accept = ("Accept", "application/vnd.github+json")
        return [accept] if self._token is None else [accept, ("Authorization", f"Bearer {self._token}")]

    def _repository_url(self, repository: str) -> str:
        return f"{self._base_url}/repos/{quote(repository)}"


class GitLabIssues(_RemoteIssues):
    """
    Asks GitLab.

    Args:
        client: Who asks.
        repository: The project `group/project` that a bare number belongs to.
        base_url: The interface; of an own server `https://HOST/api/v4`, which the client must allow if it is private.
        token: Sent to this host alone.
    """

    def __init__(
        self,
        client: GuardedClient,
        repository: str | None = None,
        *,
        base_url: str = "https://gitlab.com/api/v4",
        token: str | None = None,
    ) -> None:
        super().__init__(client, repository, base_url, token)

    def _headers(self) -> list[tuple[str, str]]:
        return [] if self._token is None else [("PRIVATE-TOKEN", self._token)]

    def _repository_url(self, repository: str) -> str:
        return f"{self._base_url}/projects/{quote(repository, safe='')}"


def _read(value: str, default: str | None) -> tuple[str | None, int] | None:
    """Return repository and number of an issue, None if *value* is no such id."""
    match = _ID.fullmatch(value)
    # A path with dots would lead to another place of the interface.
    if match is None or (match[1] and _DOTS & {*match[1].split("/")}):
        return None
    return _name(match[1]) or default, int(match[2])


def _name(repository: str | None) -> str | None:
    """Trackers do not tell capital letters in a name from small ones."""
    return repository.lower() if repository else None
