"""Who is asked whether the citations of claims are there, as the options of `groundwire ingest` say."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groundwire.cli.inputs import display_name, read_text
from groundwire.cli.problems import CommandError, choose, warn
from groundwire.cli.progress import progress

if TYPE_CHECKING:
    from groundwire.ingestion import Citation, CitationVerifier, VerificationResult
    from groundwire.ingestion.verification import Verifier

__all__ = ["TOKEN_VARIABLE", "LookUpOptions", "Lookups", "lookups_of"]

TOKEN_VARIABLE = "GROUNDWIRE_TRACKER_TOKEN"
"""What the tracker gets to see, and nobody else."""

_TRACKERS = ("github", "gitlab")
# Over the network so many are asked at the same time.
_PORTION = 8


class LookUpOptions(NamedTuple):
    """What the command line says of citations."""

    repo: str | None
    adr: Sequence[str]
    network: bool
    allow_host: Sequence[str]
    issues: str | None
    tracker: str | None
    tracker_url: str | None


class Lookups:
    """
    Asks a verifier, and shows how far that is; see `CitationVerifier`.

    Args:
        verifier: Who is asked.
        network: Whether some are asked for over the network, which takes long.
        shows_progress: Whether a bar may appear.
    """

    def __init__(self, verifier: "CitationVerifier", *, network: bool, shows_progress: bool) -> None:
        self._verifier = verifier
        self.network = network
        self._shows_progress = shows_progress

    async def verify(self, citation: "Citation") -> "VerificationResult":
        """Verify one citation."""
        return await self._verifier.verify(citation)

    async def verify_many(self, citations: "Iterable[Citation]") -> "list[VerificationResult]":
        """Verify citations; those that are here at once, for one process of git answers for all commits."""
        citations = list(citations)
        far = [place for place, each in enumerate(citations) if self._is_far(each)]
        here = [place for place, each in enumerate(citations) if not self._is_far(each)]
        portions = [here, *(far[start : start + _PORTION] for start in range(0, len(far), _PORTION))]
        results: dict[int, VerificationResult] = {}
        with progress(len(citations), label="looking citations up", enabled=self._shows_progress) as advance:
            for places in portions:
                answers = await self._verifier.verify_many([citations[place] for place in places])
                results |= zip(places, answers, strict=True)
                advance(len(places))
        return [results[place] for place in range(len(citations))]

    async def read_many(self, citations: "Iterable[Citation]") -> "list[str | None]":
        """Return what stands in citations that are there."""
        return await self._verifier.read_many(citations)

    def _is_far(self, citation: "Citation") -> bool:
        return self.network and citation.type in ("url", "doi", "issue")


def lookups_of(options: LookUpOptions, *, shows_progress: bool) -> Lookups:
    """
    Return who is asked.

    Raises:
        CommandError: A folder or file is not there, a host or tracker is none, or what asks over
            the network is to be asked without it.
    """
    from groundwire.ingestion import CitationVerifier

    for name, folder in (("--repo", options.repo), *(("--adr", each) for each in options.adr)):
        if folder is not None and not Path(folder).is_dir():
            raise CommandError(f"{name}: no directory `{folder}`")
    if options.allow_host and not options.network:
        warn("--allow-host has no effect without --network")
    try:
        issues = _issues(options)
        verifier = CitationVerifier(
            repo=options.repo,
            adr_dirs=options.adr,
            network=options.network,
            allow_hosts=options.allow_host,
            verifiers={} if issues is None else {"issue": issues},
        )
    except ValueError as error:
        raise CommandError(str(error)) from None
    return Lookups(verifier, network=options.network, shows_progress=shows_progress)


def _issues(options: LookUpOptions) -> "Verifier | None":
    if options.issues is not None and options.tracker is not None:
        raise CommandError("--issues and --tracker answer the same question; one of them is enough")
    if options.tracker_url is not None and options.tracker is None:
        raise CommandError("--tracker-url belongs to --tracker, which is not given")
    if options.issues is not None:
        return _listed(options.issues)
    return None if options.tracker is None else _tracker(options.tracker, options)


def _listed(path: str) -> "Verifier":
    """Return the list of issues in a file, one a line."""
    from groundwire.ingestion.verification import IssueListVerifier

    name = display_name(path)
    known = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        issue = line.strip()
        try:
            # One by one, for the number of the line.
            known += [issue] if issue and IssueListVerifier([issue]) else []
        except ValueError:
            raise CommandError(f"{name}, line {number}: must be `12`, `#12` or `owner/repo#12`") from None
    return IssueListVerifier(known)


def _tracker(tracker: str, options: LookUpOptions) -> "Verifier":
    """Return who asks GitHub or GitLab; `github:owner/repo` says both which and where."""
    from groundwire.ingestion.verification import GitHubIssueVerifier, GitLabIssueVerifier, GuardedHttpClient

    kind, _, repository = tracker.partition(":")
    kind = choose("--tracker", kind, _TRACKERS)
    if repository.count("/") < 1 or not all(repository.split("/")):
        raise CommandError(f"--tracker must name a repository, as {kind}:owner/repo")
    if not options.network:
        raise CommandError("--tracker asks over the network, which --network switches on")
    client = GuardedHttpClient(allow_hosts=options.allow_host)
    address = {} if options.tracker_url is None else {"base_url": options.tracker_url}
    made = GitHubIssueVerifier if kind == "github" else GitLabIssueVerifier
    return made(client, repository, token=os.environ.get(TOKEN_VARIABLE) or None, **address)
