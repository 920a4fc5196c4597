"""The store of memories: what it says to its callers; the work is done in the files beside it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from groundwire.errors import MemoryNotFoundError
from groundwire.memory import queued, writing
from groundwire.memory.admin import erase_tokens, forget_actor
from groundwire.memory.audit import Deed
from groundwire.memory.connecting import connect
from groundwire.memory.hashes import make_hasher
from groundwire.memory.protocol import Database
from groundwire.memory.reader import MemoryReader
from groundwire.memory.records import (
    AuditAction,
    MemoryStatus,
    Revocation,
    StoredMemory,
    as_microseconds,
    check_label,
    check_text,
    check_texts,
)
from groundwire.memory.schema import migrate
from groundwire.memory.sealing import seal
from groundwire.memory.session import Session

__all__ = ["MemoryStore"]


class MemoryStore(MemoryReader):
    """
    Memories with their evidence, in a file of SQLite or in PostgreSQL.

    Each call is one transaction: it is done wholly, and then it is on the disk, or not
    at all. Threads may share a store and take turns; processes open their own. Times
    and ids come from the caller.

    Args:
        location: A file, `sqlite:///relative.db`, `sqlite:////absolute.db`, ":memory:", or
            `postgresql://user@host/database` (extra `postgres`; schema `groundwire`).
        hash_key: The key of the hashes in the audit, at least 16 bytes. None: a random one,
            kept in the database; who can read that can then try out what an erased text was.
        timeout_s: How long to wait for other processes and for the server, in seconds, up to a day.

    Raises:
        MemoryStoreError: As with every method: the database is locked, damaged, full, may
            not be written to, ... Nothing of the call is done.
        ValueError: There is no such kind of database, *hash_key* is not its own, or *timeout_s*
            is out of its range.
        ImportError: PostgreSQL, without the extra.
    """

    def __init__(self, location: str | Path, *, hash_key: bytes | None = None, timeout_s: float = 5.0) -> None:
        session = Session(connect(location, timeout_s=timeout_s))
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
        """Close the database. What was called is done already."""
        self._session.close()

    def transaction(self) -> AbstractContextManager[Database]:
        """
        Make all calls of the block one transaction, together with what the block itself executes.

        Not across an `await`: another task of the same thread would be a part of it.
        """
        return self._session.writing()

    def add(self, memory: StoredMemory, *, time: datetime, actor: str | None = None) -> None:
        """
        Store *memory*.

        Raises:
            MemoryExistsError: Its id is or was another one's.
            MemoryNotFoundError: A parent is not an active memory of the same user.
        """
        deed = _deed(AuditAction.STORED, time, actor)
        with self._session.writing() as database:
            writing.add(database, self._hasher, memory, deed)

    def approve(self, memory_id: str, user_id: str, *, time: datetime, actor: str | None = None) -> bool:
        """
        Make a memory active; return whether it was in review.

        Raises:
            MemoryNotFoundError: The user has no such memory.
        """
        check_texts(memory_id=memory_id, user_id=user_id)
        deed = _deed(AuditAction.APPROVED, time, actor)
        with self._session.writing() as database:
            return writing.set_status(database, self._hasher, memory_id, user_id, MemoryStatus.ACTIVE, deed)

    def send_to_review(
        self, memory_id: str, user_id: str, *, time: datetime, reason: str, actor: str | None = None
    ) -> bool:
        """
        Send a memory to review, for *reason*, a label; return whether it was active.

        Raises:
            MemoryNotFoundError: The user has no such memory.
        """
        check_texts(memory_id=memory_id, user_id=user_id)
        deed = _deed(AuditAction.SENT_TO_REVIEW, time, actor, reason)
        with self._session.writing() as database:
            return writing.set_status(database, self._hasher, memory_id, user_id, MemoryStatus.REVIEW, deed)

    def revoke_source(
        self, source: str, *, time: datetime, reason: str = "source_refuted", actor: str | None = None
    ) -> Revocation:
        """
        Send every active memory that rests on *source* to review, of all users.

        Any spelling of the source will do: `adr-3` for `ADR-003`, the beginning of a commit's
        id, a URL with a slash at its end. A memory rests on its own sources and on those of
        the memories it was derived from, however many times over.

        Returns:
            The ids of these memories, in the order of storing. If there are none, `status`
            says whether nothing rests on the source, or all of it was in review already.
        """
        deed = _deed(AuditAction.SENT_TO_REVIEW, time, actor, reason, self.hash_of("source", source))
        with self._session.writing() as database:
            return writing.revoke(database, self._hasher, source, deed)

    def erase(
        self, memory_id: str, user_id: str, *, time: datetime, reason: str = "requested", actor: str | None = None
    ) -> None:
        """
        Erase a memory, all its evidence and what the review queue has of it; the audit keeps its id and hashes.

        Nothing can read it any more. `purge` removes what may be left of it in files.

        Raises:
            MemoryNotFoundError: The user has no such memory.
        """
        check_texts(memory_id=memory_id, user_id=user_id)
        if not self._erase("id = ? AND user_id = ?", (memory_id, user_id), time, reason, actor):
            raise MemoryNotFoundError("the user has no such memory")

    def erase_user(
        self, user_id: str, *, time: datetime, reason: str = "requested", actor: str | None = None
    ) -> list[str]:
        """
        Erase all that is kept of a user; return the ids of the memories.

        With the memories go the user's claims in the review queue, the user's tokens, and the
        user's name, as somebody who did something, from both audits.
        """
        check_texts(user_id=user_id)
        deed = _deed(AuditAction.ERASED, time, actor, reason)
        with self._session.writing() as database:
            erased = self._erase("user_id = ?", (user_id,), time, reason, actor)
            queued.erase_items(database, self._hasher, "user_id = ?", (user_id,), deed)
            erase_tokens(database, self._hasher, user_id, deed.time)
            forget_actor(database, self._hasher, user_id, deed.time)
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
        Erase the memories of all users that are kept no longer; return their ids.

        Args:
            time: When this is done, for the audit.
            expired_at: Those that are out of date at this time.
            captured_before: Those that were captured before it, however long they hold.
            actor: Who does it.

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
        Remove what was erased from the files too; return whether none of them holds it any more.

        The tables are written anew: that takes time and room in proportion to what is
        stored, and others cannot write meanwhile. A reader at work can keep SQLite from the
        end of it: then it is False, and can be called again. With PostgreSQL it is
        always False: the server's log is its own matter, as backups are.
        """
        with self._session.outside() as database:
            return database.purge()

    def _erase(
        self, condition: str, values: Sequence[object], time: datetime, reason: str, actor: str | None
    ) -> list[str]:
        deed = _deed(AuditAction.ERASED, time, actor, reason)
        with self._session.writing() as database:
            erased = writing.erase(database, self._hasher, condition, values, deed)
            queued.erase_items_of_memories(database, self._hasher, erased, deed)
            return erased


def _deed(
    action: AuditAction,
    time: datetime,
    actor: str | None,
    reason: str | None = None,
    source_hash: str | None = None,
) -> Deed:
    """What the audit will say; checked before anything is done."""
    if actor is not None:
        check_text(actor, "actor", max_chars=256)
    if reason is not None:
        check_label(reason, "reason")
    return Deed(time=as_microseconds(time, "time"), action=action, actor=actor, reason=reason, source_hash=source_hash)
