"""
Are the things that a claim cites there?

`CitationVerifier` asks whoever is responsible for each kind of citation, and fails
closed: what nobody can verify is unknown, an error and a time-out are too, and the
reason says so.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic

from groundwire.ingestion.provenance import Citation, CitationType
from groundwire.ingestion.verify.cache import Key, ResultCache, key_of
from groundwire.ingestion.verify.protocol import BatchVerifier, TextReader, Verifier
from groundwire.ingestion.verify.results import VerificationReason, VerificationResult, result
from groundwire.labels import check_choice

__all__ = ["CitationVerifier", "verify_citation"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import Semaphore
    from typing import TypeGuard

# Citations that are looked up at the same time; those of one repository count as one.
_MAX_CONCURRENCY = 8
_MAX_CACHED_RESULTS = 10_000


class CitationVerifier:
    """
    Verifies citations of all kinds.

    Args:
        repo: The git repository for commits; without one they are unknown (ruling C10).
        adr_dirs: The folders of decision records; without one they are unknown (ruling C11).
        network: Whether URLs and DOIs may be looked up (ruling C12).
        timeout_s: How long one citation may take, or all commits or all records of a call, in
            seconds. The work in threads ends with it, or with the task that is cancelled, within
            about half a second.
        allow_hosts: `host` or `host:port` that may be asked although they are not public, for
            tests and servers of one's own.
        verifiers: Who verifies a type, instead of the above or in addition: issues need
            one (ruling C13).
        cache_ttl_s: How long a result that is not unknown is kept, in seconds.
        clock: The time in seconds, for the cache.

    Raises:
        ValueError: A time that is not positive, an entry of *allow_hosts* that is no host, or a
            type of citation in *verifiers* that does not exist.
        TypeError: *adr_dirs* or *allow_hosts* is one str.
    """

    def __init__(
        self,
        *,
        repo: str | Path | None = None,
        adr_dirs: Iterable[str | Path] = (),
        network: bool = False,
        timeout_s: float = 5.0,
        allow_hosts: Iterable[str] = (),
        verifiers: Mapping[str, Verifier] | None = None,
        cache_ttl_s: float = 300.0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        if isinstance(adr_dirs, str | Path) or isinstance(allow_hosts, str):
            raise TypeError("adr_dirs and allow_hosts must be lists of str, got one")
        if not timeout_s > 0 or not cache_ttl_s > 0:
            raise ValueError(f"timeout_s and cache_ttl_s must be positive, got {timeout_s!r} and {cache_ttl_s!r}")
        self._timeout_s = timeout_s
        self._cache = ResultCache(ttl_s=cache_ttl_s, max_results=_MAX_CACHED_RESULTS, clock=clock)
        for citation_type in verifiers or {}:
            check_choice("every key of verifiers", citation_type, CitationType)
        own = _own_verifiers(repo, tuple(adr_dirs), network, timeout_s, tuple(allow_hosts))
        self._verifiers: dict[str, Verifier] = {**own, **(verifiers or {})}

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one citation. Never raises because of what is cited, a network, or a verifier."""
        return (await self.verify_many([citation]))[0]

    async def verify_many(self, citations: Iterable[Citation]) -> list[VerificationResult]:
        """
        Verify citations; return one result for each, in their order.

        Each thing that is cited is asked for once, however often it is cited.
        """
        citations = list(citations)
        results: dict[Key, VerificationResult] = {}
        by_type: dict[str, list[Citation]] = {}
        for citation in {key_of(citation): citation for citation in citations}.values():
            kept = self._cache.get(key_of(citation))
            if kept is None:
                by_type.setdefault(citation.type, []).append(citation)
            else:
                results[key_of(citation)] = kept
        for citation, each in await self._look_up(by_type):
            self._cache.put(key_of(citation), each)
            results[key_of(citation)] = each
        return [results[key_of(citation)] for citation in citations]

    async def read_many(self, citations: Iterable[Citation]) -> list[str | None]:
        """
        Return what stands in what is cited, in the order of *citations*; None where nobody can tell.

        Each thing is read once. Records, commits and pages can be read, and whatever a verifier of
        one's own has a method `read` for.
        """
        from asyncio import Semaphore, gather

        citations = list(citations)
        room = Semaphore(_MAX_CONCURRENCY)
        wanted = {key_of(citation): citation for citation in citations}
        texts = await gather(*(self._read(citation, room) for citation in wanted.values()))
        by_key = dict(zip(wanted, texts, strict=True))
        return [by_key[key_of(citation)] for citation in citations]

    async def _read(self, citation: Citation, room: "Semaphore") -> str | None:
        from asyncio import timeout

        reader = self._verifiers.get(citation.type)
        if reader is None or not _is_reader(reader):
            return None
        try:
            async with room, timeout(self._timeout_s):
                text = await reader.read(citation)
        except Exception:  # a verifier may be anybody's; without its text nothing is approved
            return None
        return text if isinstance(text, str) else None

    async def _look_up(self, by_type: Mapping[str, list[Citation]]) -> list[tuple[Citation, VerificationResult]]:
        """Ask for all at the same time, within the limit."""
        from asyncio import Semaphore, gather

        room = Semaphore(_MAX_CONCURRENCY)
        work = [
            self._ask(verifier, group, room)
            for kind, citations in by_type.items()
            for verifier in [self._verifiers.get(kind, _UNKNOWN_TYPE)]
            for group in ([citations] if _is_batch(verifier) else [[citation] for citation in citations])
        ]
        return [pair for pairs in await gather(*work) for pair in pairs]

    async def _ask(
        self, verifier: Verifier, citations: list[Citation], room: "Semaphore"
    ) -> list[tuple[Citation, VerificationResult]]:
        """Ask one verifier as soon as there is room; its time begins then."""
        async with room:
            answers = await self._answers(verifier, citations)
        return list(zip(citations, answers, strict=True))

    async def _answers(self, verifier: Verifier, citations: list[Citation]) -> list[VerificationResult]:
        """Return one result for each citation; whatever goes wrong is a result too, for all of them."""
        from asyncio import timeout

        try:
            async with timeout(self._timeout_s):
                if _is_batch(verifier):
                    answers = list(await verifier.verify_many(citations))
                else:
                    answers = [await verifier.verify(citation) for citation in citations]
        except TimeoutError:
            return [result(VerificationReason.TIMED_OUT)] * len(citations)
        except Exception as error:  # a verifier may be anybody's
            return [result(VerificationReason.VERIFIER_FAILED, type(error).__name__)] * len(citations)
        if len(answers) == len(citations) and all(isinstance(each, VerificationResult) for each in answers):
            return answers
        return [result(VerificationReason.VERIFIER_FAILED, "no result")] * len(citations)


class _Nobody:
    """Stands in for a verifier that is not there."""

    def __init__(self, code: VerificationReason) -> None:
        self._result = result(code)

    async def verify(self, citation: Citation) -> VerificationResult:  # noqa: ARG002
        return self._result

    async def verify_many(self, citations: Sequence[Citation]) -> list[VerificationResult]:
        return [self._result] * len(citations)


_UNKNOWN_TYPE = _Nobody(VerificationReason.NOT_CONFIGURED)


def _is_batch(verifier: Verifier) -> "TypeGuard[BatchVerifier]":
    return hasattr(verifier, "verify_many")


def _is_reader(verifier: object) -> "TypeGuard[TextReader]":
    return hasattr(verifier, "read")


def _own_verifiers(
    repo: str | Path | None,
    adr_dirs: tuple[str | Path, ...],
    network: bool,
    timeout_s: float,
    allow_hosts: tuple[str, ...],
) -> dict[str, Verifier]:
    """Return who verifies what, as far as it is configured."""
    from groundwire.ingestion.verify.adr import DecisionRecords
    from groundwire.ingestion.verify.git import GitCommits
    from groundwire.ingestion.verify.http import GuardedClient
    from groundwire.ingestion.verify.url import Dois, WebPages

    # Made in any case, so that a wrong host is told at once.
    client = GuardedClient(allow_hosts=allow_hosts, timeout_s=timeout_s)
    off = _Nobody(VerificationReason.NETWORK_OFF)
    own: dict[str, Verifier] = {
        CitationType.URL: WebPages(client) if network else off,
        CitationType.DOI: Dois(client) if network else off,
    }
    if repo is not None:
        own[CitationType.COMMIT] = GitCommits(repo, timeout_s=timeout_s)
    if adr_dirs:
        own[CitationType.ADR] = DecisionRecords(adr_dirs)
    return own


async def verify_citation(
    citation: Citation,
    *,
    repo: str | Path | None = ".",
    adr_dirs: Iterable[str | Path] = ("docs/adrs",),
    network: bool = False,
    timeout_s: float = 5.0,
    allow_hosts: Iterable[str] = (),
    verifiers: Mapping[str, Verifier] | None = None,
) -> VerificationResult:
    """
    Verify one citation; where nothing else is said, in the working directory, as printed.

    Rulings C10 to C13 depart from the printed code: there are three states, and the
    network is off. For more than one citation make a `CitationVerifier`, whose arguments these are.
    """
    verifier = CitationVerifier(
        repo=repo,
        adr_dirs=adr_dirs,
        network=network,
        timeout_s=timeout_s,
        allow_hosts=allow_hosts,
        verifiers=verifiers,
    )
    return await verifier.verify(citation)
