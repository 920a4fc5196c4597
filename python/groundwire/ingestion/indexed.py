"""The memories of a store, found by an index that follows it."""

from array import array
from collections.abc import Iterable, Sequence
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING

from groundwire.ingestion.duplicates_index import TextIndex
from groundwire.ingestion.indexed_places import Places
from groundwire.memory.records import MemoryRecord
from groundwire.thresholds import DUPLICATE_THRESHOLD

if TYPE_CHECKING:
    from groundwire.embedding.protocol import Embedder
    from groundwire.ingestion.config import DedupMethod
    from groundwire.ingestion.duplicates import TokenRule
    from groundwire.memory.store import MemoryStore

__all__ = ["IndexedMemories"]

# A user, and a type of memories if types are apart.
_Key = tuple[str, str | None]

# So many memories are read in one go; about all their texts the embedder is asked once.
_MEMORIES_PER_READ = 512


class IndexedMemories:
    """
    A provider that names the few memories of a store that a claim may repeat or contradict.

    The store is read once, when the first claim comes; after that each claim reads what
    was done since the one before. Texts stay in the store and are read from there when
    they are named, so what is erased there is not found here. Threads and tasks may
    share it and take turns.

    What goes wrong (the store fails, was put back, has a newer schema; the embedder
    fails) raises, and a checker takes that for a failed check. Nothing is skipped: the
    next claim goes on where this one failed.

    `sys.getsizeof` counts the whole index.

    Args:
        store: Where the memories are, and who else writes to it does not matter.
        threshold: As `DedupChecker`'s, like all that follow: those of the one that asks.
        method: "jaccard", "minhash" or "vector".
        tokens: "unicode" or "spec".
        embedder: For "vector".
        same_type_only: Find memories of the claim's type alone.

    Raises:
        ValueError: There is no such method or rule, or the threshold is out of its range.
        TypeError: An argument is of another type.
    """

    def __init__(
        self,
        store: "MemoryStore",
        threshold: float = DUPLICATE_THRESHOLD,
        *,
        method: "DedupMethod" = "jaccard",
        tokens: "TokenRule" = "unicode",
        embedder: "Embedder | None" = None,
        same_type_only: bool = False,
    ) -> None:
        self._store = store
        self._empty = TextIndex(threshold, method=method, tokens=tokens, embedder=embedder)
        self._same_type_only = same_type_only
        self._lock = Lock()
        self._known: _Known | None = None

    def __len__(self) -> int:
        """Memories that were read so far."""
        return 0 if self._known is None else len(self._known.places)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + (0 if self._known is None else self._known.__sizeof__())

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:
        """
        Return the memories of *user_id* that *content* may repeat or contradict, those in review too (ruling C16).

        Raises:
            MemoryStoreError: The store cannot be read, or is not the one that was read before.
            DedupCheckError: The embedder is missing, or failed.
            ValueError: *memory_type* is given, and `same_type_only` is not asked for, or the
                other way round: the index would leave out memories in silence.
        """
        return await self.candidates_many([content], user_id, memory_type)

    async def candidates_many(
        self, contents: Sequence[str], user_id: str, memory_type: str | None = None
    ) -> Sequence[MemoryRecord]:
        """Return what `candidates` returns of any of *contents*, each memory once. What is new is read once."""
        from asyncio import to_thread

        if (memory_type is not None) is not self._same_type_only:
            raise ValueError("memory_type must be given if, and only if, the index is made with same_type_only")
        return await to_thread(self._candidates, contents, user_id, memory_type)

    def rebuild(self) -> None:
        """
        Read the whole store now, once: before the first claim, or after the store was put back.

        Raises:
            MemoryStoreError: The store cannot be read. What was known before stays.
            DedupCheckError: The embedder is missing, or failed.
        """
        with self._lock:
            self._known = self._read()

    def _candidates(self, contents: Sequence[str], user_id: str, memory_type: str | None) -> Sequence[MemoryRecord]:
        # An embedder that takes its time keeps the others waiting, who would ask it the same.
        with self._lock:
            if self._known is None:
                self._known = self._read()
            self._known.follow(self._store)
            owner = (user_id, memory_type)
            numbers = iter({number: None for content in contents for number in self._known.similar(content, owner)})
        records: list[MemoryRecord] = []
        while some := list(islice(numbers, _MEMORIES_PER_READ)):
            records += self._store.numbered(some, user_id)
        return records

    def _read(self) -> "_Known":
        known = _Known(self._empty, self._store.position(), by_type=self._same_type_only)
        records = self._store.records()
        while batch := list(islice(records, _MEMORIES_PER_READ)):
            known.add(batch)
        return known


class _Known:
    """What was read of a store, up to a position."""

    __slots__ = ("_by_id", "_by_type", "_empty", "_last_id", "_owners", "places", "position")

    def __init__(self, empty: TextIndex, position: int, *, by_type: bool) -> None:
        self._empty = empty
        self._by_type = by_type
        self._owners: dict[_Key, _Owner] = {}
        self._by_id: dict[int, _Owner] = {}
        self._last_id = 0
        self.places = Places()
        self.position = position

    def __sizeof__(self) -> int:
        owners = sum(owner.__sizeof__() for owner in self._owners.values())
        tables = (self._owners, self._by_id, self.places)
        return object.__sizeof__(self) + sum(table.__sizeof__() for table in tables) + owners

    def follow(self, store: "MemoryStore") -> None:
        """Read what was done after the position."""
        while changes := store.changes(self.position, limit=_MEMORIES_PER_READ):
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
        Add memories. Of those known already nothing is read again: what they say never changes.

        Numbers of new ones rise, as the store gives them. After a failure those before
        it are there.
        """
        new = {number: (user_id, record) for number, user_id, record in memories if number not in self.places}
        prepared = self._empty.prepare([record.content for _, record in new.values()])
        for (number, (user_id, record)), text in zip(new.items(), prepared, strict=True):
            key = (user_id, record.memory_type if self._by_type else None)
            owner = self._owners.get(key) or self._new_owner(key)
            place = owner.texts.insert(text)
            owner.name(place, number)
            self.places.append(number, owner.id, place)

    def _new_owner(self, key: _Key) -> "_Owner":
        self._last_id += 1
        owner = self._owners[key] = self._by_id[self._last_id] = _Owner(key, self._last_id, self._empty.empty())
        return owner

    def remove(self, number: int) -> None:
        """Forget a memory, if it is there."""
        found = self.places.remove(number)
        if found is None:
            return
        owner = self._by_id[found[0]]
        owner.texts.remove(found[1])
        if not len(owner.texts):
            del self._owners[owner.key], self._by_id[owner.id]

    def similar(self, content: str, key: _Key) -> list[int]:
        """Return the numbers of the memories that *content* may repeat or contradict, the most similar first."""
        owner = self._owners.get(key)
        return [] if owner is None else [owner.numbers[place] for place in owner.texts.similar(content)]


class _Owner:
    """The texts of one user, or those of one type, and which memory says each."""

    __slots__ = ("id", "key", "numbers", "texts")

    def __init__(self, key: _Key, owner_id: int, texts: TextIndex) -> None:
        self.key = key
        self.id = owner_id
        self.texts = texts
        # By the number of the text.
        self.numbers = array("I")

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.texts.__sizeof__() + self.numbers.__sizeof__()

    def name(self, text: int, number: int) -> None:
        """Note that memory *number* says *text*."""
        if text == len(self.numbers):
            self.numbers.append(number)
        else:
            self.numbers[text] = number
