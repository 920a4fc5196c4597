"""The records of the store: memories with their evidence, audit events and changes; and the checks of their fields."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum, StrEnum
from typing import Any, ClassVar

from groundwire.labels import is_label

__all__ = [
    "CONFIDENCES",
    "AuditAction",
    "AuditEvent",
    "MemoryChange",
    "MemoryRecord",
    "MemoryStatus",
    "Revocation",
    "RevocationStatus",
    "StoredMemory",
    "Textless",
    "as_microseconds",
    "as_time",
    "check_label",
    "check_limit",
    "check_metadata",
    "check_text",
    "check_texts",
    "check_types",
    "textless",
]


class Textless:
    """A record whose `repr` shows only the texts of the fields in `_shown`, which are ids and labels."""

    __slots__ = ()
    _shown: ClassVar[Collection[str]] = ()

    def __repr__(self) -> str:
        return textless(self, {name: getattr(self, name) for name in getattr(self, "__dataclass_fields__", ())})


def textless(record: object, fields: Mapping[str, object]) -> str:
    """Return the `repr` of a record with these fields, with lengths in place of texts."""
    shown = getattr(record, "_shown", ())
    parts = (f"{name}={value!r}" if name in shown else f"{name}={_size(value)}" for name, value in fields.items())
    return f"{type(record).__name__}({', '.join(parts)})"


def _size(value: Any) -> str:
    """Return the `repr` of a value that cannot contain text, else its length or type."""
    if value is None or isinstance(value, bool | int | float | datetime | Enum | Textless):
        return repr(value)
    if isinstance(value, str):
        return f"<{len(value)} characters>"
    return f"<{type(value).__name__}>" if is_dataclass(value) or not hasattr(value, "__len__") else f"<{len(value)}>"


# From the least to the highest.
CONFIDENCES = ("low", "medium", "high")

# Characters. An index entry of PostgreSQL has at most about 2,700 bytes, and a character up to four.
USER_ID_MAX_CHARS = 256

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# Times in other zones can lie beyond these, and would be unreadable: `datetime.max` west of Greenwich.
_TIME_MIN, _TIME_MAX = ((limit.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND for limit in (datetime.min, datetime.max))


class MemoryStatus(StrEnum):
    """Whether a memory may be recalled."""

    ACTIVE = "active"
    REVIEW = "review"


class RevocationStatus(StrEnum):
    """The result of revoking a source."""

    SENT_TO_REVIEW = "sent_to_review"
    ALREADY_IN_REVIEW = "already_in_review"
    NOTHING_RESTS_ON_IT = "nothing_rests_on_it"


class Revocation(list[str]):
    """
    The ids of the memories that rested on a revoked source and were active until then.

    Parameters:
        ids: The ids of these memories, in the order of storing.
        source: The identity of the source.
        already_in_review: The ids of memories that rest on it and were in review before.
    """

    def __init__(self, ids: Iterable[str], *, source: str, already_in_review: tuple[str, ...] = ()) -> None:
        super().__init__(ids)
        self.source = source
        self.already_in_review = already_in_review

    @property
    def status(self) -> RevocationStatus:
        """Whether memories were sent to review, all were in review already, or nothing rests on the source."""
        if self:
            return RevocationStatus.SENT_TO_REVIEW
        if self.already_in_review:
            return RevocationStatus.ALREADY_IN_REVIEW
        return RevocationStatus.NOTHING_RESTS_ON_IT


class AuditAction(StrEnum):
    """The actions of the audit of memories. `sealed` takes over a memory that was stored before schema 7."""

    STORED = "stored"
    SENT_TO_REVIEW = "sent_to_review"
    APPROVED = "approved"
    ERASED = "erased"
    SEALED = "sealed"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MemoryRecord(Textless):
    """
    The part of a memory that comparisons need.

    Attributes:
        id: A label of 1 to 64 ASCII letters, digits and `_ . : / -`. The audit keeps it.
        content: The claim.
        memory_type: A label, such as `preference`, `fact` or `decision`.
    """

    _shown: ClassVar[Collection[str]] = ("id", "memory_type")

    id: str
    content: str
    memory_type: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StoredMemory(MemoryRecord):
    """
    A memory with its evidence.

    Attributes:
        user_id: The user that it belongs to, up to `USER_ID_MAX_CHARS` characters.
        source: A label, such as `user` or `ai_synthesis`.
        capture_time: When it was captured.
        confidence: `high`, `medium` or `low`.
        source_ids: The sources that it rests on, in any spelling: `ADR-003`, `commit:a1b2c3d`, a URL.
        validity_horizon: The time from which on it is out of date; None for never.
        metadata: Further data in JSON's types.
        parents: The ids of the memories that it was derived from.
        status: Whether it may be recalled.

    Raises:
        ValueError: A text is empty, too long, or contains a NUL or a lone surrogate, which databases do not keep; a
            label has other characters; a time has no zone, or is not in the years 1 to 9999 of UTC; metadata is not
            JSON.
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
class AuditEvent:
    """
    One event in the audit of memories. It contains no text: its keyed hashes stay when the text is erased.

    Attributes:
        sequence: Its number, from 1 without a gap, in the order of commits.
        time: The time that the caller gave.
        action: The action.
        memory_id: The id of the memory.
        user_hash: The hash of the user's id (`MemoryStore.hash_of`).
        content_hash: The hash of the claim.
        actor: The person who acted; None if the caller named nobody, or the name was erased.
        reason: A label, or None.
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
class MemoryChange(Textless):
    """
    A change of one memory, for an index that follows the store.

    Attributes:
        sequence: The number of the event in the audit.
        number: The memory's number: that of its first event, which no other memory ever has.
        memory_id: The id of the memory.
        user_id: The user that it belongs to; None if it is erased.
        record: Its present content; None if it is erased.
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
        ValueError: It has no zone, or `as_time` could not return it: in UTC, its year is not between 1 and 9999.
        TypeError: It is not a datetime.
    """
    if not isinstance(time, datetime):
        raise TypeError(f"{name} must be a datetime, got {type(time).__name__}")
    if time.utcoffset() is None:
        raise ValueError(f"{name} must have a time zone, as datetime.now(UTC) has")
    microseconds = (time - _EPOCH) // _MICROSECOND
    if not _TIME_MIN <= microseconds <= _TIME_MAX:
        raise ValueError(f"{name} must be in the years 1 to 9999 of UTC")
    return microseconds


def as_time(microseconds: int) -> datetime:
    """Return the time in UTC, the inverse of `as_microseconds`."""
    return _EPOCH + timedelta(microseconds=microseconds)


def check_types(row: Iterable[object]) -> None:
    """
    Check that each value of a row is a text, a number or None: SQLite stores any type in any column.

    Raises:
        TypeError: One is not.
    """
    if not all(value is None or isinstance(value, str | int) for value in row):
        raise TypeError("a value is of a type that no entry has")


def check_text(text: str, name: str, *, max_chars: int | None = None) -> None:
    """
    Check that both databases can keep *text*.

    Raises:
        ValueError: It is empty, longer than *max_chars*, or contains a NUL or a lone surrogate.
        TypeError: It is not a str.
    """
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, got {type(text).__name__}")
    if not text:
        raise ValueError(f"{name} is empty")
    if max_chars is not None and len(text) > max_chars:
        raise ValueError(f"{name} has {len(text)} characters; at most {max_chars} are allowed")
    if "\0" in text:
        raise ValueError(f"{name} holds a NUL character")
    # Not by catching an exception, which would contain the text.
    if len(text.encode("utf-8", "ignore")) != len(text.encode("utf-8", "surrogatepass")):
        raise ValueError(f"{name} holds a lone surrogate")


def check_texts(**texts: str | None) -> None:
    """Check each of *texts* that is not None with `check_text`, under its name."""
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
    """
    Check that *text* is a label.

    Raises:
        ValueError: It is empty, longer than 64 characters, or has characters that labels do not have.
        TypeError: It is not a str.
    """
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, got {type(text).__name__}")
    if not is_label(text):
        raise ValueError(f"{name} must have 1 to 64 ASCII letters, digits and _ . : / -; got {len(text)} characters")


def check_metadata(metadata: Mapping[str, Any]) -> None:
    """
    Check that JSON keeps *metadata* unchanged: it would silently convert tuples and keys that are not str.

    Raises:
        ValueError: JSON would change it.
        TypeError: It is not a mapping.
    """
    if not isinstance(metadata, Mapping):
        raise TypeError(f"metadata must be a mapping, got {type(metadata).__name__}")
    try:
        is_kept = json.loads(json.dumps(dict(metadata), allow_nan=False)) == metadata
    except (TypeError, ValueError, RecursionError):
        is_kept = False
    if not is_kept:
        raise ValueError("metadata must be what JSON can keep: str keys; str, numbers, booleans, None, lists and dicts")
