"""
Writes the audit logs: keyed hashes, hash chains, and the events of memories and of the database.

A text always has the same keyed hash, from which the text cannot be recovered without the key. Rows of a log are only
added; each contains a hash of itself and of the row before it. Texts and names stay outside, so erasing them leaves the
logs intact.
"""

import json
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Literal, NamedTuple

from groundwire.memory.connection import TransactionSession
from groundwire.memory.identity import source_key
from groundwire.memory.protocol import Database, Row, StoreFailure, store_error
from groundwire.memory.records import AuditAction, AuditEvent, as_time, check_types

__all__ = [
    "ADMIN_AUDIT",
    "CHAINS",
    "GIVEN_KEY",
    "KEYED_HASH_HEX_DIGITS",
    "LAST_TOKEN_HASH",
    "LINKS_MODULUS",
    "MEMORY_AUDIT",
    "OWN_KEY",
    "REVIEW_AUDIT",
    "TOKEN_COLUMNS",
    "AdminAction",
    "AdminEvent",
    "AdminKind",
    "AuditEventDraft",
    "AuditSubject",
    "ChainEnd",
    "HashChain",
    "HashKind",
    "KeyedHasher",
    "append",
    "append_admin_event",
    "audit_events",
    "is_hex",
    "last_sequence",
    "make_hasher",
    "store_actor_name",
    "token_digest",
]

KEYED_HASH_HEX_DIGITS = 32

KEY_BYTES_MIN = 16
_OWN_KEY_BYTES = 32
_BLOCK_BYTES = 64
_HEX = frozenset("0123456789abcdef")

# The setting that identifies the key of a database.
_CHECK = "hash_key_check"

# Tables whose rows depend on the key; they are empty in a new database.
_KEYED = ("memory_audit", "review_audit", "admin_audit")

OWN_KEY, GIVEN_KEY = "own_key", "given_key"
"""The origin of the key in the first event of the admin log."""

# As `json.dumps`; a value that JSON does not know becomes a list, which no column holds. Created once, because creating
# it takes longer than writing a row.
_encode_json = json.JSONEncoder(default=lambda value: [type(value).__name__, repr(value)]).encode

HashKind = Literal["content", "person", "source", "item"]

RowKind = Literal["item", "memory", "token", "change"]

LINKS_MODULUS = 1 << (4 * KEYED_HASH_HEX_DIGITS)


class KeyedHasher:
    """HMAC-SHA-256 with one key, shortened to 128 bits."""

    def __init__(self, key: bytes) -> None:
        # Equals `hmac.new(key, digestmod="sha256")`. A memory needs six hashes, and copying an `hmac` object takes
        # twice as long. Copies of the keyed states save each text the two blocks of the key.
        block = (sha256(key).digest() if len(key) > _BLOCK_BYTES else key).ljust(_BLOCK_BYTES, b"\0")
        self._inner, self._outer = (sha256(bytes(byte ^ pad for byte in block)) for pad in (0x36, 0x5C))

    def of(self, kind: HashKind, text: str) -> str:
        """
        Return the hash of *text*. Equal texts of different kinds have different hashes.

        All spellings of a source have one hash: that of its `source_key`.
        """
        return self._hash(kind, source_key(text) if kind == "source" else text)

    def of_spelling(self, source: str) -> str:
        """Return the hash of this spelling of a source, as versions before schema 6 wrote it."""
        return self._hash("source", source)

    def link(self, previous: str, fields: Sequence[object]) -> str:
        """Return the hash of a row's fields and of the row before it."""
        return self._hash("link", _encode_json([previous, *fields]))

    def digest(self, kind: RowKind, values: Sequence[object]) -> str:
        """
        Return the hash of a row's values. Values of a type that no column has are hashed too.

        `ascii` takes half the time of JSON. Items have been written as JSON since the first schema.
        """
        return self._hash(kind, _encode_json(values) if kind == "item" else ascii(tuple(values)))

    def links(self, memory_id: str, sources: Iterable[str], parents: Iterable[str]) -> int:
        """
        Return the sum of the hashes of a memory's links: *sources* by their hashes, *parents* by their ids.

        Links have no order, and the sums of many memories add up to that of all their links,
        modulo `LINKS_MODULUS`. Without the key, no other links with the same sum can be found.
        """
        rows = [("source", source) for source in sources] + [("parent", parent) for parent in parents]
        hashes = (self._hash("row_link", ascii((*row, memory_id))) for row in rows)
        return sum(int(one, 16) for one in hashes) % LINKS_MODULUS

    def check(self) -> str:
        """Return a value that identifies the key without revealing it."""
        return self._hash("check", "")

    def _hash(self, kind: str, text: str) -> str:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(f"{kind}\0{text}".encode())
        outer.update(inner.digest())
        return outer.hexdigest()[:KEYED_HASH_HEX_DIGITS]


def make_hasher(session: TransactionSession, key: bytes | None) -> KeyedHasher:
    """
    Return the hasher of a database, whose check value shows whether *key* is the right one.

    A database that was created without a key generates one and stores it.

    Raises:
        ValueError: *key* is too short or differs from the one that the database was created with, also if only one
            of both is None.
        MemoryStoreError: The database's own key is damaged.
    """
    if key is not None and len(key) < KEY_BYTES_MIN:
        raise ValueError(f"hash_key has {len(key)} bytes; it needs at least {KEY_BYTES_MIN}")
    settings = _settings(session)
    if _CHECK not in settings:
        settings = _make_settings(session, key)
    own, check = settings.get("hash_key"), settings[_CHECK]
    if not isinstance(check, str) or not (own is None or is_hex(own, 2 * _OWN_KEY_BYTES)):
        raise store_error(StoreFailure.CORRUPT, session.place, "its key")
    if key is None and own is None:
        if _is_sealed_with_own_key(session):
            raise store_error(StoreFailure.CORRUPT, session.place, "its key is missing")
        raise ValueError("the database needs its hash_key, and none was given")
    if key is not None and own is not None:
        raise ValueError("the database has no hash_key, and one was given")
    hasher = KeyedHasher(key if key is not None else str(own).encode())
    if hasher.check() != check:
        if key is not None:
            raise ValueError("the database has another hash_key")
        raise store_error(StoreFailure.CORRUPT, session.place, "its key")
    return hasher


def _is_sealed_with_own_key(session: TransactionSession) -> bool:
    """Return whether the database stores its own key, according to its admin log."""
    with session.reading() as database:
        return database.execute("SELECT subject FROM admin_audit WHERE sequence = 1") == [(OWN_KEY,)]


def is_hex(value: object, digits: int) -> bool:
    """Return whether *value* is a str with this number of hexadecimal digits in lower case."""
    return isinstance(value, str) and len(value) == digits and set(value) <= _HEX


def _settings(session: TransactionSession) -> dict[str, object]:
    with session.reading() as database:
        return dict(database.execute("SELECT name, value FROM memory_settings"))


def _make_settings(session: TransactionSession, key: bytes | None) -> dict[str, object]:
    """Write the settings of a new database, unless another process has already written them."""
    own = secrets.token_hex(_OWN_KEY_BYTES)
    hasher = KeyedHasher(key if key is not None else own.encode())
    new = {_CHECK: hasher.check()} | ({} if key is not None else {"hash_key": own})
    with session.writing() as database:
        there: dict[str, object] = dict(database.execute("SELECT name, value FROM memory_settings"))
        if _CHECK not in there:
            if "hash_key" in there or any(database.execute(f"SELECT 1 FROM {table} LIMIT 1") for table in _KEYED):
                raise store_error(StoreFailure.CORRUPT, session.place, "its key is missing")
            database.write_many("INSERT INTO memory_settings (name, value) VALUES (?, ?)", list(new.items()))
    return there if _CHECK in there else {**new}


ChainEnd = tuple[int, str]
"""The number and link of the last row; 0 and an empty link for an empty table."""


class HashChain:
    """
    A table to which rows are only added, each bound by a hash to the row before it.

    Its columns are `sequence`, *fields* and `link`.

    Parameters:
        table: Its name.
        fields: The columns with the content of a row.
        added: Number of the last *fields* that a later schema added. Where all of them are NULL, the link does not
            cover them, so rows of the earlier schema keep their links.

    Attributes:
        table: Its name.
        columns: The columns that links cover, as SQL.
        last_row: SQL that selects number and link of the last row.
    """

    def __init__(self, table: str, fields: tuple[str, ...], *, added: int = 0) -> None:
        self.table = table
        self.fields = fields
        self._added = added
        self._none = (None,) * added
        self.columns = ", ".join(("sequence", *fields))
        marks = ", ".join("?" * (len(fields) + 2))
        self._insert = f"INSERT INTO {table} ({self.columns}, link) VALUES ({marks})"
        self.last_row = f"SELECT sequence, link FROM {table} ORDER BY sequence DESC LIMIT 1"
        self._all = f"SELECT {self.columns}, link FROM {table} ORDER BY sequence"
        self._link = f"SELECT link FROM {table} WHERE sequence = ?"

    def append(
        self, database: Database, hasher: KeyedHasher, rows: Sequence[Sequence[object]], last: ChainEnd | None = None
    ) -> ChainEnd:
        """
        Write *rows* of fields, and return the new end of the chain.

        *last* is the end before, if the caller knows it. Only one transaction writes at a time, so numbers have no gap.
        """
        sequence, link = self.last(database) if last is None else last
        written = []
        for number, fields in enumerate(rows, sequence + 1):
            row = (number, *fields)
            link = hasher.link(link, self.covered(row))
            written.append((*row, link))
        database.write_many(self._insert, written)
        return sequence + len(written), link

    def covered(self, row: Row) -> Row:
        """Return the part of a row that its link covers; it begins with the number."""
        if not self._added or row[-self._added :] != self._none:
            return row
        return row[: -self._added]

    def last(self, database: Database) -> ChainEnd:
        """Return number and link of the last row."""
        rows = database.execute(self.last_row)
        return (rows[0][0], rows[0][1]) if rows else (0, "")

    def broken(self, database: Database, hasher: KeyedHasher) -> int | None:
        """
        Return the number of the first row that is missing or was changed, or None.

        It does not notice rows that are missing at the end.
        """
        expected, link = 1, ""
        for row in database.stream(self._all):
            fields, written = row[:-1], row[-1]
            link = hasher.link(link, self.covered(fields))
            if fields[0] != expected or link != written:
                return expected
            expected += 1
        return None

    def link_at(self, database: Database, sequence: int) -> str | None:
        """Return the link of the row with this number: None if there is no such row, empty for number 0."""
        if sequence == 0:
            return ""
        rows = database.execute(self._link, (sequence,))
        return rows[0][0] if rows else None


MEMORY_AUDIT = HashChain(
    "memory_audit",
    (
        *("time", "action", "memory_id", "user_hash", "content_hash", "actor_hash", "reason", "source_hash"),
        *("before_hash", "after_hash"),
    ),
    added=2,
)
"""The events of memories."""

REVIEW_AUDIT = HashChain(
    "review_audit",
    ("time", "action", "queue_id", "user_hash", "content_hash", "actor_hash", "before_hash", "after_hash", "reason"),
)
"""The events of items of the review queue."""

ADMIN_AUDIT = HashChain(
    "admin_audit",
    ("time", "action", "kind", "subject", "before_hash", "after_hash", "memory_sequence", "review_sequence"),
)
"""The events of tokens and of people's names, and the sealing of the database."""

CHAINS = (MEMORY_AUDIT, REVIEW_AUDIT, ADMIN_AUDIT)


_SELECT = f"""
SELECT {", ".join(f"memory_audit.{name}" for name in ("sequence", *MEMORY_AUDIT.fields[:-2]))}, actor
FROM memory_audit LEFT JOIN memory_actors ON memory_actors.actor_hash = memory_audit.actor_hash
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEventDraft:
    """
    The common part of the events of one or more memories: one action at one time for one reason.

    Attributes:
        time: In microseconds since 1970.
        action: The action.
        actor: The person who acts, or None.
        reason: A label, or None.
        source_hash: Hash of the source that was revoked, or None.
        actor_hash: Hash of the actor, if the name is already stored.
    """

    time: int
    action: AuditAction
    actor: str | None = None
    reason: str | None = None
    source_hash: str | None = None
    actor_hash: str | None = None


class AuditSubject(NamedTuple):
    """
    The memory of an event.

    Attributes:
        before_hash: Hash of its row before the event; None for a new row.
        after_hash: Hash of its row after the event; for an erased memory, the hash of the links that remain.
    """

    memory_id: str
    user_hash: str
    content_hash: str
    before_hash: str | None = None
    after_hash: str | None = None


def append(
    database: Database,
    hasher: KeyedHasher,
    event: AuditEventDraft,
    subjects: Sequence[AuditSubject],
    last: ChainEnd | None = None,
) -> ChainEnd:
    """
    Write one event for each of *subjects*, and return the new end of the log.

    *last* is the end before, if the caller knows it.
    """
    if not subjects:
        return MEMORY_AUDIT.last(database) if last is None else last
    actor_hash = event.actor_hash or store_actor_name(database, hasher, event.actor)
    return MEMORY_AUDIT.append(
        database,
        hasher,
        [
            (
                event.time,
                str(event.action),
                subject.memory_id,
                subject.user_hash,
                subject.content_hash,
                actor_hash,
                event.reason,
                event.source_hash,
                subject.before_hash,
                subject.after_hash,
            )
            for subject in subjects
        ],
        last,
    )


def audit_events(
    database: Database, *, memory_id: str | None = None, content_hash: str | None = None
) -> list[AuditEvent]:
    """Return the events of one memory, or of one text, oldest first."""
    column, value = ("memory_id", memory_id) if memory_id is not None else ("content_hash", content_hash)
    rows = database.execute(f"{_SELECT} WHERE {column} = ? ORDER BY sequence", (value,))
    try:
        return [_entry(row) for row in rows]
    except (TypeError, ValueError, OverflowError):
        pass
    raise store_error(StoreFailure.CORRUPT, database.place, "an audit entry")


def last_sequence(database: Database) -> int:
    """Return the number of the last event; 0 if the log is empty."""
    return MEMORY_AUDIT.last(database)[0]


def store_actor_name(database: Database, hasher: KeyedHasher, actor: str | None) -> str | None:
    """Store the actor's name outside the logs, and return its hash."""
    if actor is None:
        return None
    actor_hash = hasher.of("person", actor)
    statement = "INSERT INTO memory_actors (actor_hash, actor) VALUES (?, ?) ON CONFLICT DO NOTHING"
    database.write(statement, (actor_hash, actor))
    return actor_hash


def _entry(row: Row) -> AuditEvent:
    check_types(row)
    sequence, time, action, memory_id, user_hash, content_hash, _, reason, source_hash, actor = row
    return AuditEvent(
        sequence=sequence,
        time=as_time(time),
        action=AuditAction(action),
        memory_id=memory_id,
        user_hash=user_hash,
        content_hash=content_hash,
        actor=actor,
        reason=reason,
        source_hash=source_hash,
    )


TOKEN_COLUMNS = ("token_id", "person", "role", "created_at", "expires_at", "revoked_at", "secret_hash")
"""All columns of a token: its hash covers them."""

LAST_TOKEN_HASH = """(
    SELECT after_hash FROM admin_audit WHERE kind = 'token' AND subject = token_id ORDER BY sequence DESC LIMIT 1
)"""
"""The hash in the token's last event, as SQL beside the columns of `review_tokens`."""


class AdminAction(StrEnum):
    """The actions of the admin log."""

    SEALED = "sealed"
    ISSUED = "issued"
    REVOKED = "revoked"
    ERASED = "erased"


class AdminKind(StrEnum):
    """The kinds of subjects of the admin log."""

    DATABASE = "database"
    TOKEN = "token"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class AdminEvent:
    """One event of a token, a name or the database. Hashes are those of its row, None where there is no row."""

    action: AdminAction
    kind: AdminKind
    subject: str
    before_hash: str | None = None
    after_hash: str | None = None


def append_admin_event(database: Database, hasher: KeyedHasher, time: int, event: AdminEvent) -> None:
    """Write an event; *time* is in microseconds since 1970."""
    fields = (str(event.action), str(event.kind), event.subject, event.before_hash, event.after_hash)
    others = (MEMORY_AUDIT.last(database)[0], REVIEW_AUDIT.last(database)[0])
    ADMIN_AUDIT.append(database, hasher, [(time, *fields, *others)])


def token_digest(hasher: KeyedHasher, values: Sequence[object]) -> str:
    """Return the hash of a token's `TOKEN_COLUMNS`."""
    return hasher.digest("token", values)
