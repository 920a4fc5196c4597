"""
Keeps a duplicate index of a store of memories up to date.

Numbers are in arrays, because objects would take ten times as much memory.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING

from groundwire.ingestion.duplicates.index import DedupMethod, TextIndex, TokenRule
from groundwire.memory.records import MemoryRecord
from groundwire.thresholds import DUPLICATE_THRESHOLD

if TYPE_CHECKING:
    from groundwire.embedding.protocol import Embedder
    from groundwire.memory.store import MemoryStore

__all__ = ["StoreBackedIndex", "TextOffsets"]

# A user, with a memory type if `same_type_only` is set.
_OwnerKey = tuple[str, str | None]

BATCH_SIZE = 512
"""The number of memories that are read at once, with one call of the embedder for their texts."""

# The owner of a removed memory.
_REMOVED = 0


class StoreBackedIndex:
    """
    A provider that selects the few memories of a store that a claim may repeat or contradict.

    The first claim reads the whole store, and each further claim reads the changes since the previous one. Texts stay
    in the store and are read from there, so an erased text is never found. Threads and tasks may share an index; they
    wait for each other.

    Failures are raised (the store fails, was restored or has a newer schema; the embedder fails), and a checker treats
    them as a failed check. Nothing is skipped: the next claim resumes where this one failed.

    `sys.getsizeof` counts the whole index.

    Args:
        store: The memories; others may write to it at the same time.
        threshold: As for the `DedupChecker` that uses the index, like all further arguments.
        method: "jaccard", "minhash" or "vector".
        tokens: "unicode" or "spec".
        embedder: For "vector".
        same_type_only: Whether to find only memories of the claim's type.

    Raises:
        ValueError: A method or rule is unknown, or the threshold is out of its range.
        TypeError: An argument has another type.
    """

    def __init__(
        self,
        store: "MemoryStore",
        threshold: float = DUPLICATE_THRESHOLD,
        *,
        method: DedupMethod = "jaccard",
        tokens: TokenRule = "unicode",
        embedder: "Embedder | None" = None,
        same_type_only: bool = False,
    ) -> None:
        self._store = store
        self._empty = TextIndex(threshold, method=method, tokens=tokens, embedder=embedder)
        self._same_type_only = same_type_only
        self._lock = Lock()
        self._indexed: _IndexedTexts | None = None

    def __len__(self) -> int:
        """Return the number of memories read so far."""
        return 0 if self._indexed is None else len(self._indexed.places)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + (0 if self._indexed is None else self._indexed.__sizeof__())

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:
        """
        Return the memories of *user_id* that *content* may repeat or contradict, including those in review (ruling
        C16).

        Raises:
            MemoryStoreError: The store cannot be read, or is not the one that was read before.
            DedupCheckError: The embedder is missing, or failed.
            ValueError: *memory_type* is given without `same_type_only`, or vice versa: the index would silently omit
                memories.
        """
        return await self.candidates_many([content], user_id, memory_type)

    async def candidates_many(
        self, contents: Sequence[str], user_id: str, memory_type: str | None = None
    ) -> Sequence[MemoryRecord]:
        """Return the `candidates` of any of *contents*, without repetitions. Changes are read once."""
        from asyncio import to_thread

        if (memory_type is not None) is not self._same_type_only:
            raise ValueError("memory_type must be given if, and only if, the index has same_type_only")
        return await to_thread(self._candidates, contents, user_id, memory_type)

    def rebuild(self) -> None:
        """
        Read the whole store now: before the first claim, or after the store was restored.

        Raises:
            MemoryStoreError: The store cannot be read. The index stays as it was.
            DedupCheckError: The embedder is missing or fails.
        """
        with self._lock:
            self._indexed = self._read()

    def _candidates(self, contents: Sequence[str], user_id: str, memory_type: str | None) -> Sequence[MemoryRecord]:
        # Other callers wait for a slow embedder, which they would call with the same texts.
        with self._lock:
            if self._indexed is None:
                self._indexed = self._read()
            self._indexed.follow(self._store)
            owner = (user_id, memory_type)
            numbers = iter({number: None for content in contents for number in self._indexed.similar(content, owner)})
        records: list[MemoryRecord] = []
        while some := list(islice(numbers, BATCH_SIZE)):
            records += self._store.numbered(some, user_id)
        return records

    def _read(self) -> "_IndexedTexts":
        known = _IndexedTexts(self._empty, self._store.position(), by_type=self._same_type_only)
        records = self._store.records()
        while batch := list(islice(records, BATCH_SIZE)):
            known.add(batch)
        return known


class _IndexedTexts:
    """The indexed texts of a store, up to a position of its log."""

    __slots__ = ("_by_id", "_by_type", "_empty", "_last_id", "_owners", "places", "position")

    def __init__(self, empty: TextIndex, position: int, *, by_type: bool) -> None:
        self._empty = empty
        self._by_type = by_type
        self._owners: dict[_OwnerKey, _OwnerTexts] = {}
        self._by_id: dict[int, _OwnerTexts] = {}
        self._last_id = 0
        self.places = TextOffsets()
        self.position = position

    def __sizeof__(self) -> int:
        owners = sum(owner.__sizeof__() for owner in self._owners.values())
        tables = (self._owners, self._by_id, self.places)
        return object.__sizeof__(self) + sum(table.__sizeof__() for table in tables) + owners

    def follow(self, store: "MemoryStore") -> None:
        """Read the changes after the position."""
        while changes := store.changes(self.position, limit=BATCH_SIZE):
            self.add(
                (change.number, change.user_id, change.record)
                for change in changes
                if change.record is not None and change.user_id is not None
            )
            for change in changes:
                if change.record is None:
                    self.remove(change.number)
            self.position = changes[-1].sequence

    def add(self, memories: Iterable[tuple[int, str, MemoryRecord]]) -> None:
        """
        Add memories, except those already indexed: the text of a memory never changes.

        The numbers of new memories are ascending, as the store assigns them. After a failure, the earlier ones are
        indexed.
        """
        new = {number: (user_id, record) for number, user_id, record in memories if number not in self.places}
        prepared = self._empty.prepare([record.content for _, record in new.values()])
        for (number, (user_id, record)), text in zip(new.items(), prepared, strict=True):
            key = (user_id, record.memory_type if self._by_type else None)
            owner = self._owners.get(key) or self._new_owner(key)
            place = owner.texts.insert(text)
            owner.name(place, number)
            self.places.append(number, owner.id, place)

    def _new_owner(self, key: _OwnerKey) -> "_OwnerTexts":
        self._last_id += 1
        owner = self._owners[key] = self._by_id[self._last_id] = _OwnerTexts(key, self._last_id, self._empty.empty())
        return owner

    def remove(self, number: int) -> None:
        """Remove a memory, if it is indexed."""
        found = self.places.remove(number)
        if found is None:
            return
        owner = self._by_id[found[0]]
        owner.texts.remove(found[1])
        if not len(owner.texts):
            del self._owners[owner.key], self._by_id[owner.id]

    def similar(self, content: str, key: _OwnerKey) -> list[int]:
        """Return the numbers of the memories that *content* may repeat or contradict, the most similar first."""
        owner = self._owners.get(key)
        return [] if owner is None else [owner.numbers[place] for place in owner.texts.similar(content)]


class _OwnerTexts:
    """The texts of one user, or of one user and type, with the memory of each."""

    __slots__ = ("id", "key", "numbers", "texts")

    def __init__(self, key: _OwnerKey, owner_id: int, texts: TextIndex) -> None:
        self.key = key
        self.id = owner_id
        self.texts = texts
        # By the number of the text.
        self.numbers = array("I")

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.texts.__sizeof__() + self.numbers.__sizeof__()

    def name(self, text: int, number: int) -> None:
        """Record that *text* belongs to memory *number*."""
        if text == len(self.numbers):
            self.numbers.append(number)
        else:
            self.numbers[text] = number


class TextOffsets:
    """
    The owner and text number of each memory, by the memory's own number; 12 bytes each.

    Memories come by ascending numbers of 32 bits; the numbers of PostgreSQL have the same limit. Owners are numbered
    from 1.
    """

    __slots__ = ("_gone", "_numbers", "_owners", "_texts")

    def __init__(self) -> None:
        self._numbers = array("I")
        self._owners = array("I")
        self._texts = array("I")
        self._gone = 0

    def __len__(self) -> int:
        return len(self._numbers) - self._gone

    def __sizeof__(self) -> int:
        arrays = (self._numbers, self._owners, self._texts)
        return object.__sizeof__(self) + sum(each.__sizeof__() for each in arrays)

    def __contains__(self, number: int) -> bool:
        return self._find(number) is not None

    def append(self, number: int, owner: int, text: int) -> None:
        """Add a memory. Raises `ValueError` unless its number is above all earlier ones."""
        if self._numbers and number <= self._numbers[-1]:
            raise ValueError(f"numbers must be ascending; got {number} after {self._numbers[-1]}")
        self._numbers.append(number)
        self._owners.append(owner)
        self._texts.append(text)

    def remove(self, number: int) -> tuple[int, int] | None:
        """Remove a memory; return its owner and text number, or None if it is unknown."""
        place = self._find(number)
        if place is None:
            return None
        found = self._owners[place], self._texts[place]
        self._owners[place] = _REMOVED
        self._gone += 1
        # The last number stays, because the next one must be above it.
        if 2 * self._gone > len(self._numbers) + 64:
            self._compact()
        return found

    def _find(self, number: int) -> int | None:
        """Return the place of *number* in the arrays."""
        place = bisect_left(self._numbers, number)
        is_there = place < len(self._numbers) and self._numbers[place] == number and self._owners[place] != _REMOVED
        return place if is_there else None

    def _compact(self) -> None:
        """Drop the removed memories."""
        last = len(self._numbers) - 1
        kept = [place for place, owner in enumerate(self._owners) if owner != _REMOVED or place == last]
        self._numbers = array("I", (self._numbers[place] for place in kept))
        self._texts = array("I", (self._texts[place] for place in kept))
        self._owners = array("I", (self._owners[place] for place in kept))
        self._gone = sum(owner == _REMOVED for owner in self._owners)
