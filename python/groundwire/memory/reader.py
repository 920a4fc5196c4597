"""The half of the store that reads."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Literal, get_args

from groundwire.errors import MemoryNotFoundError
from groundwire.labels import check_choice
from groundwire.memory.anchor import Anchor, take_anchor
from groundwire.memory.audit import entries, last_sequence
from groundwire.memory.hashes import Hasher, HashKind
from groundwire.memory.protocol import Database
from groundwire.memory.reading import Filters, candidates, changes, find, numbered, records_after
from groundwire.memory.records import (
    CONFIDENCES,
    AuditEntry,
    Change,
    MemoryRecord,
    MemoryStatus,
    StoredMemory,
    check_limit,
    check_texts,
)
from groundwire.memory.session import Session
from groundwire.memory.soundness import Check, faults

__all__ = ["MemoryReader"]

_BATCH = 10_000


class MemoryReader:
    """
    What can be asked of a store.

    Args:
        session: The database's.
        hasher: With the database's key.
    """

    def __init__(self, session: Session, hasher: Hasher) -> None:
        self._session = session
        self._hasher = hasher

    @property
    def hasher(self) -> Hasher:
        """The hashes of this database, by its key."""
        return self._hasher

    def snapshot(self) -> AbstractContextManager[Database]:
        """Let all calls of the block, and what the block itself asks the database, see one state of it."""
        return self._session.reading()

    def hash_of(self, kind: HashKind, text: str) -> str:
        """Return the hash by which the audit knows a "content", a "person" or a "source", however that is spelled."""
        check_texts(text=text)
        check_choice("kind", kind, get_args(HashKind))
        return self._hasher.of(kind, text)

    def get(self, memory_id: str, user_id: str | None) -> StoredMemory:
        """
        Return one memory of a user; *user_id* is None for whoever runs the store.

        Raises:
            MemoryNotFoundError: The user has no such memory.
        """
        check_texts(memory_id=memory_id, user_id=user_id)
        with self._session.reading() as database:
            found = find(database, Filters(memory_id=memory_id, user_id=user_id))
        if not found:
            raise MemoryNotFoundError("the user has no such memory")
        return found[0]

    def find(
        self,
        user_id: str | None,
        *,
        content: str | None = None,
        memory_type: str | None = None,
        source: str | None = None,
        source_id: str | None = None,
        confidence: str | None = None,
        status: MemoryStatus | Literal["active", "review"] | None = MemoryStatus.ACTIVE,
        valid_at: datetime | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> list[StoredMemory]:
        """
        Return memories in the order of storing.

        Args:
            user_id: Whose; None for all users'.
            content: With exactly this text.
            memory_type: Of this type.
            source: From `user`, `ai_synthesis`, ...
            source_id: That name this source themselves, in any spelling: `ADR-003`, `adr 3`, ...
            confidence: Of just this confidence.
            status: Active ones, those in review, or None for both.
            valid_at: That are not out of date at this time.
            after: Only what was stored after the memory of this id.
            limit: How many at most.

        Raises:
            ValueError: No memory has such a status or confidence; the message lists those that exist.
        """
        check_limit(limit)
        check_texts(user_id=user_id, memory_type=memory_type, source=source, after=after)
        known_status = None if status is None else check_choice("status", status, MemoryStatus)
        confidence = None if confidence is None else check_choice("confidence", confidence, CONFIDENCES)
        filters = Filters(
            user_id=user_id,
            memory_type=memory_type,
            source=source,
            confidence=confidence,
            status=known_status,
            valid_at=valid_at,
            after=after,
            content_hash=None if content is None else self.hash_of("content", content),
            cited_source=source_id,
            source_hash=None if source_id is None else self.hash_of("source", source_id),
        )
        with self._session.reading() as database:
            return find(database, filters, limit)

    async def candidates_many(
        self,
        contents: Sequence[str],  # noqa: ARG002
        user_id: str,
        memory_type: str | None = None,
    ) -> Sequence[MemoryRecord]:
        """Return what `candidates` does, which is the same for all of *contents*."""
        return await self.candidates("", user_id, memory_type)

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:  # noqa: ARG002
        """
        Return all memories of a user, those in review too (ruling C16).

        Which of them *content* is like, `DedupChecker` finds out.
        """
        from asyncio import to_thread

        check_texts(user_id=user_id, memory_type=memory_type)
        return await to_thread(self._candidates, user_id, memory_type)

    def records(self) -> Iterator[tuple[int, str, MemoryRecord]]:
        """
        Yield number, user and record of every memory, those in review too, each once, by number.

        Other calls go on in between. For an index: take `position` first, and `changes`
        after it then.
        """
        number = 0
        while True:
            with self._session.reading() as database:
                batch = records_after(database, number, _BATCH)
            if not batch:
                return
            yield from batch
            number = batch[-1][0]

    def numbered(self, numbers: Sequence[int], user_id: str) -> list[MemoryRecord]:
        """Return the user's memories of *numbers*, at most 10,000, in this order; without what is no longer there."""
        check_texts(user_id=user_id)
        if not numbers:
            return []
        with self._session.reading() as database:
            return numbered(database, numbers, user_id)

    def position(self) -> int:
        """Return the number of the audit's last entry; 0 if there is none."""
        with self._session.reading() as database:
            return last_sequence(database)

    def changes(self, position: int, *, limit: int = _BATCH) -> list[Change]:
        """
        Return what was done after *position*, in order, at most *limit* entries.

        Raises:
            MemoryStoreError: There is no such position any more: this is another store, or
                one that was put back to what it had been. Or its tables were brought to a
                newer schema since it was opened.
        """
        check_limit(limit)
        with self._session.reading() as database:
            return changes(database, position, limit)

    def audit(self, memory_id: str) -> list[AuditEntry]:
        """Return what was done to a memory, first to last; an erased one too."""
        check_texts(memory_id=memory_id)
        with self._session.reading() as database:
            return entries(database, memory_id=memory_id)

    def audit_of_text(self, content: str) -> list[AuditEntry]:
        """Return what was done to memories that say just this: when they were stored, and that they were erased."""
        with self._session.reading() as database:
            return entries(database, content_hash=self.hash_of("content", content))

    def faults(self, anchor: Anchor | None = None, *, further: Sequence[Check] = ()) -> list[str]:
        """
        Return what is wrong with the database, the memories, tokens and audits; empty if nothing is. Reads all of it.

        Args:
            anchor: What `anchor` returned before: without it, an audit that was cut off at its end
                together with what it says, or rewritten with the key, is not noticed.
            further: Other checks of the same database.

        Raises:
            ValueError: *anchor* belongs to another database.
        """
        with self._session.reading() as database:
            return faults(database, self._hasher, anchor=anchor, further=further)

    def anchor(self) -> Anchor:
        """Return how far the audits go, to be kept elsewhere: numbers and hashes, no text."""
        with self._session.reading() as database:
            return take_anchor(database, self._hasher)

    def _candidates(self, user_id: str, memory_type: str | None) -> list[MemoryRecord]:
        with self._session.reading() as database:
            return candidates(database, user_id, memory_type)
