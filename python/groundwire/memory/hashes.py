"""Keyed hashes: the same text always has the same one, and nobody without the key can tell which text it was."""

import json
import secrets
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Literal

from groundwire.memory.failures import StoreFailure, store_error
from groundwire.memory.identity import source_key
from groundwire.memory.session import Session

__all__ = ["GIVEN_KEY", "HASH_HEX_DIGITS", "LINKS_MODULUS", "OWN_KEY", "HashKind", "Hasher", "RowKind", "make_hasher"]

HASH_HEX_DIGITS = 32

KEY_BYTES_MIN = 16
_OWN_KEY_BYTES = 32
_BLOCK_BYTES = 64

# The setting that tells the key of a database from others.
_CHECK = "hash_key_check"

# Tables whose rows were written with a key: a new database has none of them.
_KEYED = ("memory_audit", "review_audit", "admin_audit")

OWN_KEY, GIVEN_KEY = "own_key", "given_key"
"""Where the key comes from, as the first entry of the audit of tokens and names says."""

# As `json.dumps`; a value that JSON does not know becomes a list, which no column holds. Made once: that takes longer
# than to write a row.
_written = json.JSONEncoder(default=lambda value: [type(value).__name__, repr(value)]).encode

HashKind = Literal["content", "person", "source", "item"]

RowKind = Literal["item", "memory", "token", "change"]

LINKS_MODULUS = 1 << (4 * HASH_HEX_DIGITS)


class Hasher:
    """HMAC-SHA-256 with one key, the first 128 bits of it."""

    def __init__(self, key: bytes) -> None:
        # As `hmac.new(key, digestmod="sha256")`, whose copies take as long again in Python: a memory needs six hashes.
        # Copies of the keyed states spare each text the two blocks that the key takes.
        block = (sha256(key).digest() if len(key) > _BLOCK_BYTES else key).ljust(_BLOCK_BYTES, b"\0")
        self._inner, self._outer = (sha256(bytes(byte ^ pad for byte in block)) for pad in (0x36, 0x5C))

    def of(self, kind: HashKind, text: str) -> str:
        """
        Return the hash of *text*; those of one kind say nothing about those of another.

        All spellings of a source have one hash: that of its `source_key`.
        """
        return self._hash(kind, source_key(text) if kind == "source" else text)

    def of_spelling(self, source: str) -> str:
        """Return the hash that versions before schema 6 gave to just this spelling of a source."""
        return self._hash("source", source)

    def link(self, previous: str, fields: Sequence[object]) -> str:
        """Return the hash of an entry's fields and of the entry before it."""
        return self._hash("link", _written([previous, *fields]))

    def digest(self, kind: RowKind, values: Sequence[object]) -> str:
        """
        Return the hash of a row's values; a value of a type that no column has gives a hash of its own.

        Values are told apart by `ascii`, in half the time of JSON; items have been by JSON from the first schema on.
        """
        return self._hash(kind, _written(values) if kind == "item" else ascii(tuple(values)))

    def links(self, memory_id: str, sources: Iterable[str], parents: Iterable[str]) -> int:
        """
        Return the sum of the hashes of a memory's links: *sources* by their hashes, *parents* by their ids.

        Links have no order, and the sums of many memories add up to that of all their links,
        modulo `LINKS_MODULUS`. Nobody without the key can find other links with the same sum.
        """
        rows = [("source", source) for source in sources] + [("parent", parent) for parent in parents]
        hashes = (self._hash("row_link", ascii((*row, memory_id))) for row in rows)
        return sum(int(one, 16) for one in hashes) % LINKS_MODULUS

    def check(self) -> str:
        """Return what tells this key from another, and not what it is."""
        return self._hash("check", "")

    def _hash(self, kind: str, text: str) -> str:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(f"{kind}\0{text}".encode())
        outer.update(inner.digest())
        return outer.hexdigest()[:HASH_HEX_DIGITS]


def make_hasher(session: Session, key: bytes | None) -> Hasher:
    """
    Return the hasher of a database, which knows by a check value whether *key* is its own.

    A database that was made without one has a random key, and keeps it.

    Raises:
        ValueError: It is another key than the one the database was made with, none
            where there was one, one where there was none, or too short.
        MemoryStoreError: The database's own key is damaged.
    """
    if key is not None and len(key) < KEY_BYTES_MIN:
        raise ValueError(f"hash_key has {len(key)} bytes; at least {KEY_BYTES_MIN} are needed")
    settings = _settings(session)
    if _CHECK not in settings:
        settings = _make_settings(session, key)
    own, check = settings.get("hash_key"), settings[_CHECK]
    if not isinstance(check, str) or not (own is None or (isinstance(own, str) and _is_own_key(own))):
        raise store_error(StoreFailure.CORRUPT, session.place, "its key")
    if key is None and own is None:
        if _is_sealed_with_own_key(session):
            raise store_error(StoreFailure.CORRUPT, session.place, "its key is missing")
        raise ValueError("the database was made with a hash_key, and none was given")
    if key is not None and own is not None:
        raise ValueError("the database was made without a hash_key, and one was given")
    hasher = Hasher(key if key is not None else str(own).encode())
    if hasher.check() != check:
        if key is not None:
            raise ValueError("the database was made with another hash_key")
        raise store_error(StoreFailure.CORRUPT, session.place, "its key")
    return hasher


def _is_sealed_with_own_key(session: Session) -> bool:
    """Tell whether the database keeps its key itself, by its audit."""
    with session.reading() as database:
        return database.execute("SELECT subject FROM admin_audit WHERE sequence = 1") == [(OWN_KEY,)]


def _is_own_key(value: str) -> bool:
    """Tell whether *value* can be a key that `_make_settings` made."""
    return len(value) == 2 * _OWN_KEY_BYTES and set(value) <= set("0123456789abcdef")


def _settings(session: Session) -> dict[str, object]:
    with session.reading() as database:
        return dict(database.execute("SELECT name, value FROM memory_settings"))


def _make_settings(session: Session, key: bytes | None) -> dict[str, object]:
    """Write the settings of a new database, unless another process has done so."""
    own = secrets.token_hex(_OWN_KEY_BYTES)
    hasher = Hasher(key if key is not None else own.encode())
    new = {_CHECK: hasher.check()} | ({} if key is not None else {"hash_key": own})
    with session.writing() as database:
        there: dict[str, object] = dict(database.execute("SELECT name, value FROM memory_settings"))
        if _CHECK not in there:
            if "hash_key" in there or any(database.execute(f"SELECT 1 FROM {table} LIMIT 1") for table in _KEYED):
                raise store_error(StoreFailure.CORRUPT, session.place, "its key is missing")
            database.write_many("INSERT INTO memory_settings (name, value) VALUES (?, ?)", list(new.items()))
    return there if _CHECK in there else {**new}
