"""Who is asked what is in memory: within a time, and for many claims at once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundwire.memory.records import MemoryRecord

if TYPE_CHECKING:
    from typing import TypeGuard

    from groundwire.ingestion.claims import MemoryClaim
    from groundwire.ingestion.duplicates_index import TextIndex
    from groundwire.memory.protocol import BatchMemoryProvider, MemoryProvider

__all__ = ["BatchMemories", "TimedProvider"]


class TimedProvider:
    """A provider that has so many seconds for each answer."""

    def __init__(self, provider: "MemoryProvider", timeout_s: float) -> None:
        self._provider = provider
        self._timeout_s = timeout_s

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:
        """See `MemoryProvider`; raises `TimeoutError` too."""
        from asyncio import timeout

        async with timeout(self._timeout_s):
            return await self._provider.candidates(content, user_id, memory_type)

    async def candidates_of(self, contents: Sequence[str], user_id: str) -> list[MemoryRecord]:
        """Return what any of *contents* may duplicate or contradict, each memory once; one question if possible."""
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


class BatchMemories:
    """
    What is in memory for the claims of one batch, read and indexed once, and those of them that come to it.

    Args:
        providers: Who is asked.
        empty: An index of the kind that the checker of duplicates uses.
    """

    def __init__(self, providers: Sequence[TimedProvider], empty: "TextIndex") -> None:
        self._providers = providers
        self._empty = empty
        self._records: dict[str, list[MemoryRecord]] = {}
        self._indexes: dict[str, TextIndex | None] = {}
        self._failures: dict[str, Exception] = {}

    async def load(self, claims: Sequence["MemoryClaim"]) -> None:
        """Ask for all that may be like one of *claims*. A failure is raised where it matters, by `candidates`."""
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
            self._indexes[user_id] = self._indexed(self._records[user_id])

    def _indexed(self, records: list[MemoryRecord]) -> "TextIndex | None":
        """Return the index of *records*; None if they cannot be, and whoever checks them will find out why."""
        index = self._empty.empty()
        try:
            index.add_all([record.content for record in records])
        except Exception:
            return None
        return index

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:  # noqa: ARG002
        """See `MemoryProvider`."""
        from asyncio import sleep

        # A long batch lets other tasks have their turn.
        await sleep(0)
        if user_id in self._failures:
            raise self._failures[user_id]
        records, index = self._records[user_id], self._indexes[user_id]
        if index is None:
            return records
        # In their own order: of equals the first is named.
        return [records[place] for place in sorted(index.similar(content))]

    def add(self, record: MemoryRecord, user_id: str) -> None:
        """Add a claim of the batch, for those after it."""
        if user_id in self._failures:
            return
        self._records[user_id].append(record)
        index = self._indexes[user_id]
        if index is not None:
            try:
                index.add(record.content)
            except Exception:
                self._indexes[user_id] = None
