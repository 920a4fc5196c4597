"""
Verifies the citations of claims.

`CitationVerifier` passes each citation to the verifier of its kind and caches the results. It fails closed: without a
verifier, and after an error or a timeout, a citation is unknown, and the reason says why.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Lock
from time import monotonic

from groundwire.ingestion.citation_detector import Citation, CitationType
from groundwire.ingestion.verification.protocol import (
    VERIFICATION_TIMEOUT_S,
    BatchVerifier,
    TextVerifier,
    VerificationReason,
    VerificationResult,
    VerificationStatus,
    Verifier,
    make_result,
)
from groundwire.labels import check_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import Semaphore
    from typing import TypeGuard

__all__ = ["CitationKey", "CitationVerifier", "ResultCache", "citation_key", "verify_citation"]

# The maximum number of concurrent verifications; all citations of one repository count as one.
_MAX_CONCURRENT_REQUESTS = 8
# The maximum number of cached results; the oldest are dropped first.
_MAX_CACHED_RESULTS = 10_000
CitationKey = tuple[str, str]


class CitationVerifier:
    """
    Verifies citations of all kinds.

    Args:
        repo: The git repository for commits, which are unknown without one (ruling C10).
        adr_dirs: The folders of decision records, which are unknown without one (ruling C11).
        documents: The folder of documents, whose cited pages are unknown without one.
        network: Whether URLs and DOIs may be requested (ruling C12).
        timeout_s: The timeout, in seconds, of one citation, or of all commits or all records of a call. Work in threads
            ends within about half a second after the timeout or the cancellation of the task.
        allow_hosts: `host` or `host:port` that may be requested although they are not public, for tests and private
            servers.
        verifiers: Verifiers by type, which replace or complement the above: issues need one (ruling C13).
        cache_ttl_s: The lifetime of a cached result, in seconds. Unknown results are not cached.
        clock: The time in seconds, for the cache.

    Raises:
        ValueError: A time is not positive, an entry of *allow_hosts* is not a host, or a key of *verifiers* is not a
            type of citation.
        OSError: There is no folder *documents*.
        TypeError: *adr_dirs* or *allow_hosts* is a single str.
    """

    def __init__(
        self,
        *,
        repo: str | Path | None = None,
        adr_dirs: Iterable[str | Path] = (),
        documents: str | Path | None = None,
        network: bool = False,
        timeout_s: float = VERIFICATION_TIMEOUT_S,
        allow_hosts: Iterable[str] = (),
        verifiers: Mapping[str, Verifier] | None = None,
        cache_ttl_s: float = 300.0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        if isinstance(adr_dirs, str | Path) or isinstance(allow_hosts, str):
            raise TypeError("adr_dirs and allow_hosts must be lists of str, got a single str")
        if not timeout_s > 0 or not cache_ttl_s > 0:
            raise ValueError(f"timeout_s and cache_ttl_s must be positive, got {timeout_s!r} and {cache_ttl_s!r}")
        self._timeout_s = timeout_s
        self._cache = ResultCache(ttl_s=cache_ttl_s, max_results=_MAX_CACHED_RESULTS, clock=clock)
        for citation_type in verifiers or {}:
            check_choice("every key of verifiers", citation_type, CitationType)
        own = _own_verifiers(repo, tuple(adr_dirs), network, timeout_s, tuple(allow_hosts))
        if documents is not None:
            from groundwire.documents.folder import DocumentFolder
            from groundwire.ingestion.verification.documents import DocumentVerifier

            own[CitationType.DOCUMENT] = DocumentVerifier(DocumentFolder(documents))
        self._verifiers: dict[str, Verifier] = {**own, **(verifiers or {})}

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one citation. Failures of sources, network and verifiers become results, not exceptions."""
        return (await self.verify_many([citation]))[0]

    async def verify_many(self, citations: Iterable[Citation]) -> list[VerificationResult]:
        """
        Verify citations; return one result for each, in order.

        Each source is verified once, however often it is cited.
        """
        citations = list(citations)
        results: dict[CitationKey, VerificationResult] = {}
        by_type: dict[str, list[Citation]] = {}
        for citation in {citation_key(citation): citation for citation in citations}.values():
            kept = self._cache.get(citation_key(citation))
            if kept is None:
                by_type.setdefault(citation.type, []).append(citation)
            else:
                results[citation_key(citation)] = kept
        for citation, each in await self._verify_groups(by_type):
            self._cache.put(citation_key(citation), each)
            results[citation_key(citation)] = each
        return [results[citation_key(citation)] for citation in citations]

    async def read_many(self, citations: Iterable[Citation]) -> list[str | None]:
        """
        Return the text of each of *citations*, in order; None for an unreadable one.

        Each source is read once. Records, commits and pages can be read, and so can sources whose verifier has a method
        `read`.
        """
        from asyncio import Semaphore, gather

        citations = list(citations)
        room = Semaphore(_MAX_CONCURRENT_REQUESTS)
        wanted = {citation_key(citation): citation for citation in citations}
        texts = await gather(*(self._read(citation, room) for citation in wanted.values()))
        by_key = dict(zip(wanted, texts, strict=True))
        return [by_key[citation_key(citation)] for citation in citations]

    async def _read(self, citation: Citation, room: "Semaphore") -> str | None:
        from asyncio import timeout

        reader = self._verifiers.get(citation.type)
        if reader is None or not _is_reader(reader):
            return None
        try:
            async with room, timeout(self._timeout_s):
                text = await reader.read(citation)
        except Exception:  # a custom verifier may raise anything; without a text nothing is approved
            return None
        return text if isinstance(text, str) else None

    async def _verify_groups(self, by_type: Mapping[str, list[Citation]]) -> list[tuple[Citation, VerificationResult]]:
        """Verify all groups concurrently, within the limit."""
        from asyncio import Semaphore, gather

        room = Semaphore(_MAX_CONCURRENT_REQUESTS)
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
        """Ask one verifier when there is room. Its time starts then."""
        async with room:
            answers = await self._answers(verifier, citations)
        return list(zip(citations, answers, strict=True))

    async def _answers(self, verifier: Verifier, citations: list[Citation]) -> list[VerificationResult]:
        """Return one result for each citation; a failure is the result of all of them."""
        from asyncio import timeout

        try:
            async with timeout(self._timeout_s):
                if _is_batch(verifier):
                    answers = list(await verifier.verify_many(citations))
                else:
                    answers = [await verifier.verify(citation) for citation in citations]
        except TimeoutError:
            return [make_result(VerificationReason.TIMED_OUT)] * len(citations)
        except Exception as error:  # a custom verifier may raise anything
            return [make_result(VerificationReason.VERIFIER_FAILED, type(error).__name__)] * len(citations)
        if len(answers) == len(citations) and all(isinstance(each, VerificationResult) for each in answers):
            return answers
        return [make_result(VerificationReason.VERIFIER_FAILED, "no result")] * len(citations)


class _Nobody:
    """Gives the same result for every citation of a type without a verifier."""

    def __init__(self, code: VerificationReason) -> None:
        self._result = make_result(code)

    async def verify(self, citation: Citation) -> VerificationResult:  # noqa: ARG002 - the protocol's signature
        return self._result


_UNKNOWN_TYPE = _Nobody(VerificationReason.NOT_CONFIGURED)


def _is_batch(verifier: Verifier) -> "TypeGuard[BatchVerifier]":
    return hasattr(verifier, "verify_many")


def _is_reader(verifier: object) -> "TypeGuard[TextVerifier]":
    return hasattr(verifier, "read")


def _own_verifiers(
    repo: str | Path | None,
    adr_dirs: tuple[str | Path, ...],
    network: bool,
    timeout_s: float,
    allow_hosts: tuple[str, ...],
) -> dict[str, Verifier]:
    """Return the configured verifiers by type."""
    from groundwire.ingestion.verification.adr import AdrVerifier
    from groundwire.ingestion.verification.git import CommitVerifier
    from groundwire.ingestion.verification.http_client import GuardedHttpClient
    from groundwire.ingestion.verification.web import DoiVerifier, UrlVerifier

    # Created in any case, so that an invalid host is an error now.
    client = GuardedHttpClient(allow_hosts=allow_hosts, timeout_s=timeout_s)
    off = _Nobody(VerificationReason.NETWORK_OFF)
    own: dict[str, Verifier] = {
        CitationType.URL: UrlVerifier(client) if network else off,
        CitationType.DOI: DoiVerifier(client) if network else off,
    }
    if repo is not None:
        own[CitationType.COMMIT] = CommitVerifier(repo, timeout_s=timeout_s)
    if adr_dirs:
        own[CitationType.ADR] = AdrVerifier(adr_dirs)
    return own


async def verify_citation(
    citation: Citation,
    *,
    repo: str | Path | None = ".",
    adr_dirs: Iterable[str | Path] = ("docs/adrs",),
    network: bool = False,
    timeout_s: float = VERIFICATION_TIMEOUT_S,
    allow_hosts: Iterable[str] = (),
    verifiers: Mapping[str, Verifier] | None = None,
) -> VerificationResult:
    """
    Verify one citation, by default in the working directory, as printed.

    Rulings C10 to C13 change the printed code: there are three states, and the network is off. The arguments are those
    of `CitationVerifier`, which is for more than one citation.
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


def citation_key(citation: Citation) -> CitationKey:
    """Return the key of the cited source, which is the same for every spelling (ruling C18)."""
    return citation.type, citation.identity


class ResultCache:
    """
    Keeps results until they expire, and only the newest if there are too many.

    Unknown results are not kept, because they may be known the next time. Safe to share between threads.

    Args:
        ttl_s: The lifetime of a result, in seconds.
        max_results: The maximum number of results.
        clock: Returns the time in seconds, from any origin; it must not go back.
    """

    def __init__(self, *, ttl_s: float, max_results: int, clock: Callable[[], float]) -> None:
        self._ttl_s = ttl_s
        self._max_results = max_results
        self._clock = clock
        self._kept: dict[CitationKey, tuple[float, VerificationResult]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: CitationKey) -> VerificationResult | None:
        """Return the result for *key*; None if it is missing or has expired."""
        now = self._clock()
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and kept[0] <= now:
                del self._kept[key]
                kept = None
        return None if kept is None else kept[1]

    def put(self, key: CitationKey, result: VerificationResult) -> None:
        """Keep *result*, unless it is unknown."""
        if result.status is VerificationStatus.UNKNOWN:
            return
        expires_at = self._clock() + self._ttl_s
        with self._lock:
            # The order of the dict is the order of expiry: a new result goes to its end.
            self._kept.pop(key, None)
            self._kept[key] = (expires_at, result)
            while len(self._kept) > self._max_results:
                del self._kept[next(iter(self._kept))]
