"""
Is a claim in memory already, or the opposite of it?

`jaccard_similarity` is the printed function. `DedupChecker` asks a provider for the
user's memories, finds those that say the same, and tells a correction from a copy:
a claim that differs from a memory in a negation, a number, a date or a name alone
is a conflict (ruling C2), however similar the two are.
"""

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal

from groundwire.errors import GroundwireError
from groundwire.thresholds import DUPLICATE_THRESHOLD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.embedding.protocol import Embedder
    from groundwire.ingestion.config import DedupMethod
    from groundwire.ingestion.duplicates_conflict import StatementCache
    from groundwire.ingestion.duplicates_index import TextIndex
    from groundwire.memory import MemoryProvider, MemoryRecord

__all__ = [
    "DedupCheckError",
    "DedupChecker",
    "DuplicateResult",
    "TokenRule",
    "jaccard_similarity",
]

TokenRule = Literal["unicode", "spec"]

# Characters, or words, that are looked at in a row: some milliseconds.
_PIECE_CHARS = 1 << 17
# What `str.split` splits at.
_WHITE_SPACE = re.compile(r"\s")


def jaccard_similarity(text1: str, text2: str) -> float:
    """
    Return the share of words that both texts have, as the printed code does.

    Words are what white space separates, in small letters. Two texts without a word
    have nothing in common: 0.0.
    """
    words1, words2 = _words(text1), _words(text2)
    shared = _shared(words1, words2)
    union = len(words1) + len(words2) - shared
    return shared / union if union > 0 else 0.0


def _words(text: str) -> set[str]:
    """Return the words of *text*, piece by piece: Python handles no signal while it splits one."""
    if len(text) <= _PIECE_CHARS:
        return set(text.lower().split())
    words: set[str] = set()
    start = 0
    while start < len(text):
        # Small letters depend on their neighbours in a word, and on nothing beyond white space.
        space = _WHITE_SPACE.search(text, start + _PIECE_CHARS)
        end = space.start() if space else len(text)
        words.update(text[start:end].lower().split())
        start = end
    return words


def _shared(words: set[str], others: set[str]) -> int:
    """Return how many words both have, by the same measure."""
    if min(len(words), len(others)) <= _PIECE_CHARS:
        return len(words & others)
    return sum(word in others for word in words)


class DedupCheckError(GroundwireError):
    """
    Nobody can say whether a claim is a duplicate; it must not be approved.

    Attributes:
        code: Why: "no_provider", "provider_failed", "bad_record",
            "no_embedder", "embedder_failed".
    """

    def __init__(self, code: str, detail: str) -> None:
        # Both are arguments, so that the exception can be pickled.
        super().__init__(code, detail)
        self.code = code
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


@dataclass(frozen=True, slots=True)
class DuplicateResult:
    """
    What is known about a claim.

    Attributes:
        is_duplicate: A memory is at least as similar as the threshold.
        similarity: How similar the memory of `existing_memory_id` is; 0.0 without one.
        existing_memory_id: The memory that says the same, or that is contradicted.
        conflict: That memory differs from the claim in negations, numbers, dates or
            names, and in nothing else; or it has the same words in other roles. A claim
            that also has a duplicate without such a difference says nothing new: that one
            is named, and no conflict.
    """

    is_duplicate: bool
    similarity: float = 0.0
    existing_memory_id: str | None = None
    conflict: bool = False


class DedupChecker:
    """
    Finds the memory that a claim repeats or contradicts, among those of the same user (ruling C16).

    Parameters:
        provider: Where the memories are. None: every check fails.
        threshold: From which similarity on a memory is a duplicate, above 0.0 and up
            to 1.0, compared as the decimal number it is written as (ruling C1).
        method: "jaccard" compares words, exactly. "minhash" finds candidates by
            sketches, for long texts, and compares their words exactly; it may miss one
            in ten thousand, and sees conflicts among duplicates alone. "vector" compares
            meanings, by the cosine of embeddings.
        tokens: "spec", the default, compares the words of `jaccard_similarity` (ruling C22).
            "unicode" compares words without the punctuation at their edges, and pairs of
            neighbours in scripts without spaces (ruling C3); `IngestionValidator` asks for it.
        embedder: Who turns texts into vectors. "vector" fails without one.
        pending: A second provider: what waits for review.
        same_type_only: Look at memories of the claim's type alone.
        statements: What was read of memories before, to share among checks of one batch.

    Raises:
        ValueError: There is no such method or rule, or the threshold is out of its range.
        TypeError: An argument is of another type.
    """

    def __init__(
        self,
        provider: "MemoryProvider | None",
        threshold: float = DUPLICATE_THRESHOLD,
        *,
        method: "DedupMethod" = "jaccard",
        tokens: TokenRule = "spec",
        embedder: "Embedder | None" = None,
        pending: "MemoryProvider | None" = None,
        same_type_only: bool = False,
        statements: "StatementCache | None" = None,
    ) -> None:
        from groundwire.ingestion.duplicates_index import TextIndex

        self._providers = (provider,) if pending is None else (provider, pending)
        self._empty = TextIndex(threshold, method=method, tokens=tokens, embedder=embedder)
        # Sketches estimate; what they find is compared word by word.
        self._exact = TextIndex(threshold, tokens=tokens) if method == "minhash" else None
        self._same_type_only = same_type_only
        self._statements = statements
        # An embedder may ask a server; other tasks go on meanwhile.
        self._may_wait = method == "vector"

    async def check_duplicate(self, content: str, user_id: str, memory_type: str | None = None) -> DuplicateResult:
        """
        Say whether *content* repeats or contradicts a memory of *user_id*.

        Raises:
            DedupCheckError: The provider is missing, raised, or returned something
                else than records; or "vector" has no embedder, or that failed. The
                claim must then be seen by people: nothing was found, and nothing
                was excluded.
        """
        wanted_type = memory_type if self._same_type_only else None
        records: list[MemoryRecord] = []
        for provider in self._providers:
            records += await _records(provider, content, user_id, wanted_type)
        if wanted_type is not None:
            records = [record for record in records if record.memory_type == wanted_type]
        if not self._may_wait:
            return self._compare(content, records)
        from asyncio import to_thread

        return await to_thread(self._compare, content, records)

    def _compare(self, content: str, records: "Sequence[MemoryRecord]") -> DuplicateResult:
        index = self._empty.empty()
        # The number of a text is its record's place; of equals the first is named.
        index.add_all([record.content for record in records])
        same = self._same(content, records, index)
        return _judge(content, records, same, index.near(content), self._statements)

    def _same(self, content: str, records: "Sequence[MemoryRecord]", index: "TextIndex") -> list[tuple[int, float]]:
        """The places of records that reach the threshold, and how similar they are."""
        same = index.same(content)
        if self._exact is None:
            return same
        places = sorted(number for number, _ in same)
        exact = self._exact.empty()
        exact.add_all([records[place].content for place in places])
        return [(places[number], similarity) for number, similarity in exact.same(content)]


async def _records(
    provider: "MemoryProvider | None", content: str, user_id: str, memory_type: str | None
) -> "Sequence[MemoryRecord]":
    if provider is None:
        raise DedupCheckError("no_provider", "there is no memory to compare with")
    try:
        records = list(await provider.candidates(content, user_id, memory_type))
    except DedupCheckError:
        # It compares texts itself, and says why it could not.
        raise
    except Exception as error:
        # The provider's own words may hold the claim.
        raise DedupCheckError("provider_failed", f"the provider raised {type(error).__name__}") from None
    for record in records:
        for name in ("id", "content", "memory_type"):
            value = getattr(record, name, None)
            if not isinstance(value, str):
                raise DedupCheckError("bad_record", f"{name} of a record must be a str, got {type(value).__name__}")
    return records


def _judge(
    content: str,
    records: "Sequence[MemoryRecord]",
    same: list[tuple[int, float]],
    near: list[tuple[int, float]],
    statements: "StatementCache | None",
) -> DuplicateResult:
    """The result from what was found: a plain duplicate first, then the most similar conflict."""
    from groundwire.ingestion.duplicates_conflict import Conflicts

    conflicts = Conflicts(content, statements)
    contradicted = []
    for number, similarity in same:
        if not conflicts.has_with(records[number].content, is_same=True):
            return DuplicateResult(True, similarity, records[number].id)
        contradicted.append((number, similarity, True))
    if not contradicted:
        found = (pair for pair in near if conflicts.has_with(records[pair[0]].content, is_same=False))
        contradicted = [(*pair, False) for pair in islice(found, 1)]
    if not contradicted:
        return DuplicateResult(False)
    number, similarity, is_duplicate = contradicted[0]
    return DuplicateResult(is_duplicate, similarity, records[number].id, conflict=True)
