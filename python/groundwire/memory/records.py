"""What is stored: memories with their evidence, and what was done to them. Times have their zone."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, ClassVar

from groundwire.labels import is_label
from groundwire.memory.textless import Textless

__all__ = [
    "CONFIDENCES",
    "AuditAction",
    "AuditEntry",
    "Change",
    "MemoryRecord",
    "MemoryStatus",
    "Revocation",
    "RevocationStatus",
    "StoredMemory",
    "as_microseconds",
    "as_time",
    "check_label",
    "check_limit",
    "check_metadata",
    "check_text",
    "check_texts",
    "check_types",
]

# From the least to the highest.
CONFIDENCES = ("low", "medium", "high")

# An index entry of PostgreSQL takes about 2,700 bytes; a character is up to four of them.
USER_ID_MAX_CHARS = 256

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class MemoryStatus(StrEnum):
    """Whether a memory may be recalled."""

    ACTIVE = "active"
    REVIEW = "review"


class RevocationStatus(StrEnum):
    """What revoking a source came to."""

    SENT_TO_REVIEW = "sent_to_review"
    ALREADY_IN_REVIEW = "already_in_review"
    NOTHING_RESTS_ON_IT = "nothing_rests_on_it"


class Revocation(list[str]):
    """
    What rested on a source that was revoked: the ids of the memories that were active until then.

    Parameters:
        ids: Those memories, in the order of storing.
        source: The source, by its identity.
        already_in_review: The ids of memories that rest on it and had been sent to review before.
    """

    def __init__(self, ids: Iterable[str], *, source: str, already_in_review: tuple[str, ...] = ()) -> None:
        super().__init__(ids)
        self.source = source
        self.already_in_review = already_in_review

    @property
    def status(self) -> RevocationStatus:
        """Whether anything was sent to review, was there already, or nothing rests on the source."""
        if self:
            return RevocationStatus.SENT_TO_REVIEW
        if self.already_in_review:
            return RevocationStatus.ALREADY_IN_REVIEW
        return RevocationStatus.NOTHING_RESTS_ON_IT


class AuditAction(StrEnum):
    """What was done to a memory. One that was stored before schema 7 was `sealed` by it: taken over as it was."""

    STORED = "stored"
    SENT_TO_REVIEW = "sent_to_review"
    APPROVED = "approved"
    ERASED = "erased"
    SEALED = "sealed"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MemoryRecord(Textless):
    """
    A memory as far as another one is compared with it.

    Attributes:
        id: What it is called: a label, 1 to 64 ASCII letters, digits and `_ . : / -`. The audit keeps it.
        content: The claim.
        memory_type: `preference`, `fact`, `decision`: a label.
    """

    _shown: ClassVar[Collection[str]] = ("id", "memory_type")

    id: str
    content: str
    memory_type: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StoredMemory(MemoryRecord):
    """
    A memory and where it comes from.

    Attributes:
        user_id: Whose it is, up to 256 characters.
        source: `user`, `ai_synthesis`, ...: a label.
        capture_time: When it was captured.
        confidence: `high`, `medium` or `low`.
        source_ids: Everything it rests on, in any spelling: `ADR-003`, `commit:a1b2c3d`, a URL.
        validity_horizon: From when on it is out of date; None for never.
        metadata: Whatever else is to be kept, as JSON has it.
        parents: The memories it was derived from, by their ids.
        status: Whether it may be recalled.

    Raises:
        ValueError: A text is empty, too long, holds a NUL or a lone surrogate, which
            databases do not keep; a label is none; a time has no zone; metadata is no JSON.
        TypeError: A value is of another type.
    """

    _shown = ("id", "memory_type", "source", "confidence", "parents")

    user_id: str
    source: str
    capture_time: datetime
    confidence: str
    source_ids: tuple[str, ...] = ()
    validity_horizon: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    parents: tuple[str, ...] = ()
    status: MemoryStatus = MemoryStatus.ACTIVE

    def __post_init__(self) -> None:
        check_text(self.content, "content")
        check_text(self.user_id, "user_id", max_chars=USER_ID_MAX_CHARS)
        for name in ("id", "memory_type", "source"):
            check_label(getattr(self, name), name)
        for name in ("source_ids", "parents"):
            if not isinstance(getattr(self, name), tuple):
                raise TypeError(f"{name} must be a tuple of str, got {type(getattr(self, name)).__name__}")
        for source_id in self.source_ids:
            check_text(source_id, "a source id")
        for parent in self.parents:
            check_label(parent, "the id of a parent")
        if self.confidence not in CONFIDENCES:
            raise ValueError(f"confidence must be one of {', '.join(CONFIDENCES)}")
        as_microseconds(self.capture_time, "capture_time")
        if self.validity_horizon is not None:
            as_microseconds(self.validity_horizon, "validity_horizon")
        check_metadata(self.metadata)
        object.__setattr__(self, "status", MemoryStatus(self.status))


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """
    One thing that was done to one memory. It holds no text: hashes are keyed, and stay when the text is erased.

    Attributes:
        sequence: Its number, from 1 without a gap, in the order in which transactions ended.
        time: When, as the caller told.
        action: What was done.
        memory_id: To which memory.
        user_hash: The hash of the user's id (`MemoryStore.hash_of`).
        content_hash: The hash of the claim.
        actor: Who did it; None if nobody was named, or the name was erased.
        reason: Why: a label, or None.
        source_hash: The hash of the source that was revoked, or None.
    """

    sequence: int
    time: datetime
    action: AuditAction
    memory_id: str
    user_hash: str
    content_hash: str
    actor: str | None
    reason: str | None
    source_hash: str | None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Change(Textless):
    """
    Which memory was stored, judged or erased, for an index that follows the store.

    Attributes:
        sequence: The number of the audit's entry.
        number: The memory's own: that of its first entry, which no other memory ever has.
        memory_id: Which memory.
        user_id: Whose; None if it is no longer there.
        record: What it says now; None if it is no longer there.
    """

    _shown = ("memory_id",)

    sequence: int
    number: int
    memory_id: str
    user_id: str | None
    record: MemoryRecord | None


def as_microseconds(time: datetime, name: str) -> int:
    """
    Return the microseconds from 1970 to *time*, which databases keep and compare exactly.

    Raises:
        ValueError: It has no zone.
        TypeError: It is no datetime.
    """
    if not isinstance(time, datetime):
        raise TypeError(f"{name} must be a datetime, got {type(time).__name__}")
    if time.utcoffset() is None:
        raise ValueError(f"{name} must have a time zone, as datetime.now(UTC) has")
    return (time - _EPOCH) // _MICROSECOND


def as_time(microseconds: int) -> datetime:
    """Return the time in UTC, the inverse of `as_microseconds`."""
    return _EPOCH + timedelta(microseconds=microseconds)


def check_types(row: Iterable[object]) -> None:
    """
    Check that each value of an entry is text, a number or nothing: SQLite keeps anything in any column.

    Raises:
        TypeError: One is not.
    """
    if not all(value is None or isinstance(value, str | int) for value in row):
        raise TypeError("a value is of a type that no entry has")


def check_text(text: str, name: str, *, max_chars: int | None = None) -> None:
    """
    Check that both databases can keep *text*.

    Raises:
        ValueError: It is empty, longer than *max_chars*, or holds a NUL or a lone surrogate.
        TypeError: It is no str.
    """
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, got {type(text).__name__}")
    if not text:
        raise ValueError(f"{name} is empty")
    if max_chars is not None and len(text) > max_chars:
        raise ValueError(f"{name} has {len(text)} characters; at most {max_chars} are allowed")
    if "\0" in text:
        raise ValueError(f"{name} holds a NUL character")
    # Not by an exception: it would carry the text.
    if len(text.encode("utf-8", "ignore")) != len(text.encode("utf-8", "surrogatepass")):
        raise ValueError(f"{name} holds a lone surrogate")


def check_texts(**texts: str | None) -> None:
    """Check, as `check_text` does, each of *texts* that is there, by its name."""
    for name, text in texts.items():
        if text is not None:
            check_text(text, name)


def check_limit(limit: int | None) -> None:
    """
    Check that *limit* is a number of rows.

    Raises:
        ValueError: It is less than 1.
    """
    if limit is not None and limit < 1:
        raise ValueError(f"limit must be at least 1, got {limit}")


def check_label(text: str, name: str) -> None:
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, got {type(text).__name__}")
    if not is_label(text):
        raise ValueError(f"{name} must have 1 to 64 ASCII letters, digits and _ . : / -; got {len(text)} characters")


def check_metadata(metadata: Mapping[str, Any]) -> None:
    """
    Check that JSON gives back what it is given: keys that are no str and tuples would change in silence.

    Raises:
        ValueError: It does not.
        TypeError: It is no mapping.
    """
    if not isinstance(metadata, Mapping):
        raise TypeError(f"metadata must be a mapping, got {type(metadata).__name__}")
    try:
        is_kept = json.loads(json.dumps(dict(metadata), allow_nan=False)) == metadata
    except (TypeError, ValueError, RecursionError):
        is_kept = False
    if not is_kept:
        raise ValueError("metadata must be what JSON can keep: str keys; str, numbers, booleans, None, lists and dicts")
