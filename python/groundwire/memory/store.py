"""Stores memories, with the public methods of the store. The SQL is in `queries` and `mutations`."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, get_args

from groundwire.errors import MemoryNotFoundError
from groundwire.labels import check_choice
from groundwire.memory import mutations
from groundwire.memory.audit_log import (
    AuditEventDraft,
    HashKind,
    KeyedHasher,
    audit_events,
    last_sequence,
    make_hasher,
)
from groundwire.memory.connection import TransactionSession, connect, migrate
from groundwire.memory.integrity import Anchor, Check, integrity_errors, seal, take_anchor
from groundwire.memory.protocol import Database
from groundwire.memory.queries import MemoryFilter, candidates, changes, find, numbered, records_after
from groundwire.memory.records import (
    CONFIDENCES,
    USER_ID_MAX_CHARS,
    AuditAction,
    AuditEvent,
    MemoryChange,
    MemoryRecord,
    MemoryStatus,
    Revocation,
    StoredMemory,
    as_microseconds,
    check_label,
    check_limit,
    check_text,
    check_texts,
)

__all__ = ["MemoryReader", "MemoryStore"]

RECORDS_PER_BATCH = 10_000
"""The maximum number of memories or changes that one call, or one step of `records`, reads."""


class MemoryReader:
    """
    The methods of a store that read.

    Args:
        session: The database's session.
        hasher: The hasher with the database's key.
    """

    def __init__(self, session: TransactionSession, hasher: KeyedHasher) -> None:
        self._session = session
        self._hasher = hasher

    @property
    def hasher(self) -> KeyedHasher:
        """The hasher with this database's key."""
        return self._hasher

    def snapshot(self) -> AbstractContextManager[Database]:
        """Let all calls and queries of the block see the same state of the database."""
        return self._session.reading()

    def hash_of(self, kind: HashKind, text: str) -> str:
        """Return the audit's hash of a "content", a "person" or a "source" in any spelling."""
        check_texts(text=text)
        check_choice("kind", kind, get_args(HashKind))
        return self._hasher.of(kind, text)

    def get(self, memory_id: str, user_id: str | None) -> StoredMemory:
        """
        Return one memory of a user, or of any user if *user_id* is None.

        Raises:
            MemoryNotFoundError: The user has no such memory.
        """
        check_texts(memory_id=memory_id, user_id=user_id)
        with self._session.reading() as database:
            found = find(database, MemoryFilter(memory_id=memory_id, user_id=user_id))
        if not found:
            raise MemoryNotFoundError("this user has no memory with this id")
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
            user_id: The user; None for all users.
            content: The exact text.
            memory_type: The type.
            source: The source label: `user`, `ai_synthesis`, ...
            source_id: A source that the memories cite themselves, in any spelling: `ADR-003`, `adr 3`, ...
            confidence: The confidence, one of `CONFIDENCES`.
            status: The status; None for both.
            valid_at: A time at which the memories are not out of date.
            after: The id of the memory after which the result starts.
            limit: The maximum number of memories.

        Raises:
            ValueError: The status or the confidence does not exist; the message lists those that do.
        """
        check_limit(limit)
        check_texts(user_id=user_id, memory_type=memory_type, source=source, after=after)
        known_status = None if status is None else check_choice("status", status, MemoryStatus)
        confidence = None if confidence is None else check_choice("confidence", confidence, CONFIDENCES)
        filters = MemoryFilter(
            user_id=user_id,
            memory_type=memory_type,
            source=source,
            confidence=confidence,
            status=known_status,
            valid_at=valid_at,
            after=after,
            user_hash=None if after is None or user_id is None else self.hash_of("person", user_id),
            content_hash=None if content is None else self.hash_of("content", content),
            cited_source=source_id,
            source_hash=None if source_id is None else self.hash_of("source", source_id),
        )
        with self._session.reading() as database:
            return find(database, filters, limit)

    async def candidates_many(
        self,
        contents: Sequence[str],  # noqa: ARG002 - the protocol's signature
        user_id: str,
        memory_type: str | None = None,
    ) -> Sequence[MemoryRecord]:
        """Return the memories of `candidates`, which are the same for all *contents*."""
        return await self.candidates("", user_id, memory_type)

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:  # noqa: ARG002 - the protocol's signature
        """
        Return all memories of a user, including those in review (ruling C16).

        `DedupChecker` compares them with *content*.
        """
        from asyncio import to_thread

        check_texts(user_id=user_id, memory_type=memory_type)
        return await to_thread(self._candidates, user_id, memory_type)

    def records(self) -> Iterator[tuple[int, str, MemoryRecord]]:
        """
        Yield the number, user and record of every memory, including those in review, once each, by number.

        Other calls may run in between. An index reads `position` first, and the `changes` after it later.
        """
        number = 0
        while True:
            with self._session.reading() as database:
                batch = records_after(database, number, RECORDS_PER_BATCH)
            if not batch:
                return
            yield from batch
            number = batch[-1][0]

    def numbered(self, numbers: Sequence[int], user_id: str) -> list[MemoryRecord]:
        """Return the user's memories with *numbers*, at most `RECORDS_PER_BATCH`, in order, without erased ones."""
        check_texts(user_id=user_id)
        if not numbers:
            return []
        with self._session.reading() as database:
            return numbered(database, numbers, user_id)

    def position(self) -> int:
        """Return the number of the audit's last event; 0 if it is empty."""
        with self._session.reading() as database:
            return last_sequence(database)

    def changes(self, position: int, *, limit: int = RECORDS_PER_BATCH) -> list[MemoryChange]:
        """
        Return the changes after *position*, in order, at most *limit*.

        Raises:
            MemoryStoreError: The position does not exist any more, because this is another store or one restored from
                a backup; or another process has migrated the tables to a newer schema.
        """
        check_limit(limit)
        with self._session.reading() as database:
            return changes(database, position, limit)

    def audit(self, memory_id: str) -> list[AuditEvent]:
        """Return the events of a memory, even of an erased one, oldest first."""
        check_texts(memory_id=memory_id)
        with self._session.reading() as database:
            return audit_events(database, memory_id=memory_id)

    def audit_of_text(self, content: str) -> list[AuditEvent]:
        """Return the events of all memories with this exact text, even of erased ones."""
        with self._session.reading() as database:
            return audit_events(database, content_hash=self.hash_of("content", content))

    def integrity_errors(self, anchor: Anchor | None = None, *, further: Sequence[Check] = ()) -> list[str]:
        """
        Return the errors of the database, its memories, tokens and audits, or an empty list. Reads everything.

        Args:
            anchor: An earlier result of `anchor`. Without it, the check does not notice an audit whose end was removed
                together with its memories, or one that was rewritten with the key.
            further: Additional checks of the same database.

        Raises:
            ValueError: *anchor* belongs to another database.
        """
        with self._session.reading() as database:
            return integrity_errors(database, self._hasher, anchor=anchor, further=further)

    def anchor(self) -> Anchor:
        """Return the present ends of the audits, to be kept elsewhere: numbers and hashes, no text."""
        with self._session.reading() as database:
            return take_anchor(database, self._hasher)

    def _candidates(self, user_id: str, memory_type: str | None) -> list[MemoryRecord]:
        with self._session.reading() as database:
            return candidates(database, user_id, memory_type)


class MemoryStore(MemoryReader):
    """
    Memories with their evidence, in a file of SQLite or in PostgreSQL.

    Each call is one transaction, which is either complete and on the disk, or has no effect. Threads may share a store
    and take turns; each process opens its own. Times and ids come from the caller.

    Args:
        location: A file, `sqlite:///relative.db`, `sqlite:////absolute.db`, ":memory:", or
            `postgresql://user@host/database` (extra `postgres`; schema `groundwire`).
        hash_key: The key of the hashes in the audit, at least `KEY_BYTES_MIN` bytes. None generates a random key and
            stores it in the database; with it, a reader of the database can test guesses of an erased text.
        timeout_s: Seconds to wait for other processes and for the server, up to a day.

    Raises:
        MemoryStoreError: As with every method, the database is locked, damaged, full, read-only, ... The call has no
            effect.
        ValueError: *location* has an unknown scheme, *hash_key* is wrong, or *timeout_s* is out of range.
        ImportError: *location* is in PostgreSQL, and the extra is not installed.
    """

    def __init__(self, location: str | Path, *, hash_key: bytes | None = None, timeout_s: float = 5.0) -> None:
        session = TransactionSession(connect(location, timeout_s=timeout_s))
        try:
            migrate(session)
            super().__init__(session, make_hasher(session, hash_key))
            seal(session, self._hasher, has_own_key=hash_key is None)
        except BaseException:
            session.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database. All finished calls are already on the disk."""
        self._session.close()

    def transaction(self) -> AbstractContextManager[Database]:
        """
        Make all calls and statements of the block one transaction.

        The block must not `await`: another task of the same thread would become a part of it.
        """
        return self._session.writing()

    def add(self, memory: StoredMemory, *, time: datetime, actor: str | None = None) -> None:
        """
        Store *memory*.

        Raises:
            MemoryExistsError: Another memory has or had its id.
            MemoryNotFoundError: A parent is not an active memory of the same user.
        """
        event = _audit_event(AuditAction.STORED, time, actor)
        with self._session.writing() as database:
            mutations.add(database, self._hasher, memory, event)

    def approve(self, memory_id: str, user_id: str, *, time: datetime, actor: str | None = None) -> bool:
        """
        Make a memory active; return whether it was in review.

        Raises:
            MemoryNotFoundError: The user has no such memory.
        """
        check_texts(memory_id=memory_id, user_id=user_id)
        event = _audit_event(AuditAction.APPROVED, time, actor)
        with self._session.writing() as database:
            return mutations.update_status(database, self._hasher, memory_id, user_id, MemoryStatus.ACTIVE, event)

    def send_to_review(
        self, memory_id: str, user_id: str, *, time: datetime, reason: str, actor: str | None = None
    ) -> bool:
        """
        Send a memory to review for *reason*, a label; return whether it was active.

        Raises:
            MemoryNotFoundError: The user has no such memory.
        """
        check_texts(memory_id=memory_id, user_id=user_id)
        event = _audit_event(AuditAction.SENT_TO_REVIEW, time, actor, reason)
        with self._session.writing() as database:
            return mutations.update_status(database, self._hasher, memory_id, user_id, MemoryStatus.REVIEW, event)

    def revoke_source(
        self, source: str, *, time: datetime, reason: str = "source_refuted", actor: str | None = None
    ) -> Revocation:
        """
        Send every active memory that rests on *source* to review, of all users.

        The source may have any spelling: `adr-3` for `ADR-003`, the beginning of a commit's id, a URL with a slash at
        its end. A memory rests on its own sources and on those of the memories that it was derived from, directly or
        indirectly.

        Returns:
            The ids of these memories, in the order of storing. If it is empty, `status` says whether no memory rests
            on the source, or all that do are already in review.
        """
        event = _audit_event(AuditAction.SENT_TO_REVIEW, time, actor, reason, self.hash_of("source", source))
        with self._session.writing() as database:
            return mutations.revoke(database, self._hasher, source, event)

    def erase(
        self, memory_id: str, user_id: str, *, time: datetime, reason: str = "requested", actor: str | None = None
    ) -> None:
        """
        Erase a memory, its evidence and its items in the review queue; the audit keeps its id and hashes.

        No method can read it any more. `purge` removes remains from the files.

        Raises:
            MemoryNotFoundError: The user has no such memory.
        """
        check_texts(memory_id=memory_id, user_id=user_id)
        if not self._erase("id = ? AND user_id = ?", (memory_id, user_id), time, reason, actor):
            raise MemoryNotFoundError("this user has no memory with this id")

    def erase_user(
        self, user_id: str, *, time: datetime, reason: str = "requested", actor: str | None = None
    ) -> list[str]:
        """
        Erase all data of a user; return the ids of the memories.

        This includes the user's items in the review queue and tokens, and the user's name as an actor in both audits.
        """
        check_texts(user_id=user_id)
        event = _audit_event(AuditAction.ERASED, time, actor, reason)
        with self._session.writing() as database:
            erased = self._erase("user_id = ?", (user_id,), time, reason, actor)
            mutations.erase_items(database, self._hasher, "user_id = ?", (user_id,), event)
            mutations.erase_tokens(database, self._hasher, user_id, event.time)
            mutations.erase_actor_name(database, self._hasher, user_id, event.time)
        return erased

    def erase_expired(
        self,
        *,
        time: datetime,
        expired_at: datetime | None = None,
        captured_before: datetime | None = None,
        actor: str | None = None,
    ) -> list[str]:
        """
        Erase the memories of all users whose retention period has ended; return their ids.

        Args:
            time: The time of the erasure, for the audit.
            expired_at: Erase memories that are out of date at this time.
            captured_before: Erase memories that were captured before this time, whatever their horizon.
            actor: The person who acts, for the audit.

        Raises:
            ValueError: Neither is given.
        """
        conditions, values = [], []
        if expired_at is not None:
            conditions.append("validity_horizon <= ?")
            values.append(as_microseconds(expired_at, "expired_at"))
        if captured_before is not None:
            conditions.append("capture_time < ?")
            values.append(as_microseconds(captured_before, "captured_before"))
        if not conditions:
            raise ValueError("expired_at or captured_before must be given")
        return self._erase(" OR ".join(conditions), values, time, "retention", actor)

    def purge(self) -> bool:
        """
        Remove erased data from the files too; return whether none of them contains it any more.

        Rewriting the tables takes time and space in proportion to their size, and nobody else can write meanwhile. An
        active reader can keep SQLite from finishing; then the result is False, and the call can be repeated. With
        PostgreSQL the result is always False, because the server manages its log, as it does backups.
        """
        with self._session.outside() as database:
            return database.purge()

    def _erase(
        self, condition: str, values: Sequence[object], time: datetime, reason: str, actor: str | None
    ) -> list[str]:
        event = _audit_event(AuditAction.ERASED, time, actor, reason)
        with self._session.writing() as database:
            erased = mutations.erase(database, self._hasher, condition, values, event)
            mutations.erase_items_of_memories(database, self._hasher, erased, event)
            return erased


def _audit_event(
    action: AuditAction,
    time: datetime,
    actor: str | None,
    reason: str | None = None,
    source_hash: str | None = None,
) -> AuditEventDraft:
    """Return the event of the audit, after checking its fields."""
    if actor is not None:
        check_text(actor, "actor", max_chars=USER_ID_MAX_CHARS)
    if reason is not None:
        check_label(reason, "reason")
    return AuditEventDraft(
        time=as_microseconds(time, "time"), action=action, actor=actor, reason=reason, source_hash=source_hash
    )
