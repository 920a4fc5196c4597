"""What was verified a moment ago, for a while."""

from collections.abc import Callable

from groundwire.ingestion.provenance import Citation
from groundwire.ingestion.verify.results import VerificationResult, VerificationStatus

__all__ = ["Key", "ResultCache", "key_of"]

Key = tuple[str, str]


def key_of(citation: Citation) -> Key:
    """Return what two citations of one source share, however they are spelled (ruling C18)."""
    return citation.type, citation.identity


class ResultCache:
    """
    Keeps results until they expire, the newest ones if there are too many.

    What is unknown is not kept: it may be known the next time.

    Args:
        ttl_s: How long a result holds, in seconds.
        max_results: How many are kept.
        clock: The time in seconds, from any point; it must not go back.
    """

    def __init__(self, *, ttl_s: float, max_results: int, clock: Callable[[], float]) -> None:
        self._ttl_s = ttl_s
        self._max_results = max_results
        self._clock = clock
        self._kept: dict[Key, tuple[float, VerificationResult]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Key) -> VerificationResult | None:
        """Return the result that is kept for *key*; None if there is none, or it has expired."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        expires_at, result = kept
        if self._clock() < expires_at:
            return result
        del self._kept[key]
        return None

    def put(self, key: Key, result: VerificationResult) -> None:
        """Keep *result*, unless it is unknown."""
        if result.status is VerificationStatus.UNKNOWN:
            return
        # The order of the dict is the order of expiry: a new result goes to its end.
        self._kept.pop(key, None)
        self._kept[key] = (self._clock() + self._ttl_s, result)
        while len(self._kept) > self._max_results:
            del self._kept[next(iter(self._kept))]
