"""
Checks whether a claim repeats or contradicts a memory.

`jaccard_similarity` is the printed function. `DedupChecker` gets the user's memories from a provider, finds those that
repeat the claim, and distinguishes a correction from a copy: a claim that differs from a memory only in a negation,
number, date or name is a conflict (ruling C2), however similar the two are. `TimeLimitedProvider` and `BatchCandidates`
read the memories for many claims at once.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from groundwire.errors import DedupCheckError
from groundwire.ingestion.duplicates.index import DedupMethod, TextIndex, TokenRule
from groundwire.memory.records import MemoryRecord
from groundwire.thresholds import DUPLICATE_THRESHOLD

if TYPE_CHECKING:
    from typing import TypeGuard

    from groundwire.embedding.protocol import Embedder
    from groundwire.ingestion.duplicates.conflicts import ContentCache
    from groundwire.ingestion.records import MemoryClaim
    from groundwire.memory.protocol import BatchMemoryProvider, MemoryProvider

__all__ = ["BatchCandidates", "DedupChecker", "DuplicateResult", "TimeLimitedProvider", "jaccard_similarity"]

# Characters or words that are processed before Python handles a signal: some milliseconds.
_MAX_CHARS_WITHOUT_SIGNAL = 1 << 17
# The separators of `str.split`.
_WHITE_SPACE = re.compile(r"\s")


def jaccard_similarity(text1: str, text2: str) -> float:
    """
    Return the Jaccard similarity of the words of both texts, as the printed code does.

    Words are separated by white space and compared in lower case. Two texts without words have a similarity of 0.0.
    """
    words1, words2 = _words(text1), _words(text2)
    shared = _shared(words1, words2)
    union = len(words1) + len(words2) - shared
    return shared / union if union > 0 else 0.0


def _words(text: str) -> set[str]:
    """Return the words of *text*, segment by segment, because Python handles no signal while it splits a text."""
    if len(text) <= _MAX_CHARS_WITHOUT_SIGNAL:
        return set(text.lower().split())
    words: set[str] = set()
    start = 0
    while start < len(text):
        # The lower case of a letter depends on its neighbours in the word, and on nothing beyond white space.
        space = _WHITE_SPACE.search(text, start + _MAX_CHARS_WITHOUT_SIGNAL)
        end = space.start() if space else len(text)
        words.update(text[start:end].lower().split())
        start = end
    return words


def _shared(words: set[str], others: set[str]) -> int:
    """Return how many words both sets have."""
    if min(len(words), len(others)) <= _MAX_CHARS_WITHOUT_SIGNAL:
        return len(words & others)
    return sum(word in others for word in words)


@dataclass(frozen=True, slots=True)
class DuplicateResult:
    """
    The result of a check for duplicates.

    Attributes:
        is_duplicate: Whether a memory reaches the threshold.
        similarity: The similarity of the memory `existing_memory_id`; 0.0 without one.
        existing_memory_id: The memory that the claim repeats or contradicts.
        conflict: Whether this memory differs from the claim only in negations, numbers, dates or names, or has the same
            words in other roles. If another memory is a duplicate without such a difference, that one is named, and
            there is no conflict.
    """

    is_duplicate: bool
    similarity: float = 0.0
    existing_memory_id: str | None = None
    conflict: bool = False


class DedupChecker:
    """
    Finds the memory that a claim repeats or contradicts, among those of the same user (ruling C16).

    Args:
        provider: The provider of memories. With None, every check fails.
        threshold: The minimum similarity of a duplicate, above 0.0 and up to 1.0, compared as the decimal number that
            is written (ruling C1).
        method: "jaccard" compares words, exactly. "minhash" is for long texts: it finds candidates by sketches and
            compares their words exactly. It may miss one duplicate in ten thousand, and finds conflicts only among
            duplicates. "vector" compares meanings, by the cosine of embeddings.
        tokens: "spec", the default, compares the words of `jaccard_similarity` (ruling C22). "unicode" compares words
            without the punctuation at their edges, and pairs of adjacent characters in scripts without spaces (ruling
            C3); `IngestionValidator` uses it.
        embedder: Embeds texts for "vector", which fails without one.
        pending: A second provider, of claims that wait for review.
        same_type_only: Whether to compare only memories of the claim's type.
        cache: The contents of texts that were read before, shared by the checks of a batch.

    Raises:
        ValueError: A method or rule is unknown, or the threshold is out of its range.
        TypeError: An argument has another type.
    """

    def __init__(
        self,
        provider: "MemoryProvider | None",
        threshold: float = DUPLICATE_THRESHOLD,
        *,
        method: DedupMethod = "jaccard",
        tokens: TokenRule = "spec",
        embedder: "Embedder | None" = None,
        pending: "MemoryProvider | None" = None,
        same_type_only: bool = False,
        cache: "ContentCache | None" = None,
    ) -> None:
        self._providers = (provider,) if pending is None else (provider, pending)
        self._empty = TextIndex(threshold, method=method, tokens=tokens, embedder=embedder)
        # Sketches only estimate, so the texts that they find are compared word by word.
        self._exact = TextIndex(threshold, tokens=tokens) if method == "minhash" else None
        self._same_type_only = same_type_only
        self._cache = cache

    async def check_duplicate(self, content: str, user_id: str, memory_type: str | None = None) -> DuplicateResult:
        """
        Check whether *content* repeats or contradicts a memory of *user_id*.

        Raises:
            DedupCheckError: The provider is missing, fails, or does not return records; or the embedder of "vector" is
                missing or fails. A reviewer must then look at the claim, because it may be a duplicate.
        """
        wanted_type = memory_type if self._same_type_only else None
        records: list[MemoryRecord] = []
        for provider in self._providers:
            records += await _records(provider, content, user_id, wanted_type)
        if wanted_type is not None:
            records = [record for record in records if record.memory_type == wanted_type]
        return await self._empty.run(self._compare, content, records)

    def _compare(self, content: str, records: Sequence[MemoryRecord]) -> DuplicateResult:
        index = self._empty.empty()
        # The number of a text is the index of its record. Of equally similar records, the first one is named.
        index.add_all([record.content for record in records])
        same = self._same(content, records, index)
        return _judge(content, records, same, index.near(content), self._cache)

    def _same(self, content: str, records: Sequence[MemoryRecord], index: TextIndex) -> list[tuple[int, float]]:
        """Return the places and similarities of the records that reach the threshold."""
        same = index.same(content)
        if self._exact is None:
            return same
        places = sorted(number for number, _ in same)
        exact = self._exact.empty()
        exact.add_all([records[place].content for place in places])
        return [(places[number], similarity) for number, similarity in exact.same(content)]


async def _records(
    provider: "MemoryProvider | None", content: str, user_id: str, memory_type: str | None
) -> Sequence[MemoryRecord]:
    if provider is None:
        raise DedupCheckError("no_provider", "there is no memory to compare with")
    try:
        records = list(await provider.candidates(content, user_id, memory_type))
    except DedupCheckError:
        # The provider compares texts itself.
        raise
    except Exception as error:
        # The message of the provider may contain the claim.
        raise DedupCheckError("provider_failed", f"the provider raised {type(error).__name__}") from None
    for record in records:
        for name in ("id", "content", "memory_type"):
            value = getattr(record, name, None)
            if not isinstance(value, str):
                raise DedupCheckError("bad_record", f"{name} of a record must be a str, got {type(value).__name__}")
    return records


def _judge(
    content: str,
    records: Sequence[MemoryRecord],
    same: list[tuple[int, float]],
    near: list[tuple[int, float]],
    cache: "ContentCache | None",
) -> DuplicateResult:
    """Return the result: a duplicate without a conflict first, then the most similar conflict."""
    from groundwire.ingestion.duplicates.conflicts import ConflictDetector

    conflicts = ConflictDetector(content, cache)
    contradicted = []
    for number, similarity in same:
        if not conflicts.contradicts(records[number].content, is_same=True):
            return DuplicateResult(True, similarity, records[number].id)
        contradicted.append((number, similarity, True))
    if not contradicted:
        found = (pair for pair in near if conflicts.contradicts(records[pair[0]].content, is_same=False))
        contradicted = [(*pair, False) for pair in islice(found, 1)]
    if not contradicted:
        return DuplicateResult(False)
    number, similarity, is_duplicate = contradicted[0]
    return DuplicateResult(is_duplicate, similarity, records[number].id, conflict=True)


class TimeLimitedProvider:
    """A provider with a time limit for each answer."""

    def __init__(self, provider: "MemoryProvider", timeout_s: float) -> None:
        self._provider = provider
        self._timeout_s = timeout_s

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:
        """See `MemoryProvider`; raises `TimeoutError` too."""
        from asyncio import timeout

        async with timeout(self._timeout_s):
            return await self._provider.candidates(content, user_id, memory_type)

    async def candidates_of(self, contents: Sequence[str], user_id: str) -> list[MemoryRecord]:
        """Return the memories that any of *contents* may repeat or contradict, each once; in one call if possible."""
        from asyncio import timeout

        provider = self._provider
        if _answers_many(provider):
            async with timeout(self._timeout_s):
                answers = [await provider.candidates_many(contents, user_id)]
        else:
            answers = [await self.candidates(content, user_id) for content in contents]
        return [*{getattr(record, "id", None): record for answer in answers for record in answer}.values()]


def _answers_many(provider: "MemoryProvider") -> "TypeGuard[BatchMemoryProvider]":
    return hasattr(provider, "candidates_many")


class BatchCandidates:
    """
    The memories for the claims of one batch, read and indexed once, with the claims that the batch adds.

    Args:
        providers: The providers of memories.
        empty: An index of the kind that the duplicate checker uses.
    """

    def __init__(self, providers: Sequence[TimeLimitedProvider], empty: TextIndex) -> None:
        self._providers = providers
        self._empty = empty
        self._records: dict[str, list[MemoryRecord]] = {}
        self._indexes: dict[str, TextIndex | None] = {}
        self._failures: dict[str, Exception] = {}

    async def load(self, claims: Sequence["MemoryClaim"]) -> None:
        """Read all memories that may be similar to one of *claims*. `candidates` raises the failures of its user."""
        contents: dict[str, list[str]] = {}
        for claim in claims:
            contents.setdefault(claim.user_id, []).append(claim.content)
        for user_id, texts in contents.items():
            try:
                answers = [await provider.candidates_of(texts, user_id) for provider in self._providers]
            except Exception as error:
                self._failures[user_id] = error
                continue
            self._records[user_id] = [record for answer in answers for record in answer]
            self._indexes[user_id] = await self._empty.run(self._indexed, self._records[user_id])

    def _indexed(self, records: list[MemoryRecord]) -> TextIndex | None:
        """Return the index of *records*; None if it fails, because the checker will find out why."""
        index = self._empty.empty()
        try:
            index.add_all([record.content for record in records])
        except Exception:
            return None
        return index

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:  # noqa: ARG002 - the protocol's signature
        """See `MemoryProvider`."""
        from asyncio import sleep

        # Other tasks run during a long batch.
        await sleep(0)
        if user_id in self._failures:
            raise self._failures[user_id]
        records, index = self._records[user_id], self._indexes[user_id]
        if index is None:
            return records
        # In their order, because the first of equally similar records is named.
        return [records[place] for place in sorted(await index.run(index.similar, content))]

    async def add(self, record: MemoryRecord, user_id: str) -> None:
        """Add a claim of the batch, for those after it."""
        if user_id in self._failures:
            return
        self._records[user_id].append(record)
        index = self._indexes[user_id]
        if index is not None:
            try:
                await index.run(index.add, record.content)
            except Exception:
                self._indexes[user_id] = None
