"""Keyed hashes: the same text always has the same one, and nobody without the key can tell which text it was."""

import hmac
import json
import secrets
from collections.abc import Sequence
from typing import Literal

from groundwire.memory.failures import StoreFailure, store_error
from groundwire.memory.identity import source_key
from groundwire.memory.session import Session

__all__ = ["HASH_HEX_DIGITS", "HashKind", "Hasher", "make_hasher"]

HASH_HEX_DIGITS = 32

KEY_BYTES_MIN = 16

# The setting that tells the key of a database from others.
_CHECK = "hash_key_check"

HashKind = Literal["content", "person", "source", "item"]


class Hasher:
    """HMAC-SHA-256 with one key, the first 128 bits of it."""

    def __init__(self, key: bytes) -> None:
        # A copy of the keyed state spares each text the two blocks that the key takes.
        self._keyed = hmac.new(key, digestmod="sha256")

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
        return self._hash("link", json.dumps([previous, *fields]))

    def check(self) -> str:
        """Return what tells this key from another, and not what it is."""
        return self._hash("check", "")

    def _hash(self, kind: str, text: str) -> str:
        state = self._keyed.copy()
        state.update(f"{kind}\0{text}".encode())
        return state.hexdigest()[:HASH_HEX_DIGITS]


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
    own = settings.get("hash_key")
    if key is None and own is None:
        raise ValueError("the database was made with a hash_key, and none was given")
    if key is not None and own is not None:
        raise ValueError("the database was made without a hash_key, and one was given")
    hasher = Hasher(key if key is not None else own.encode() if own is not None else b"")
    if hasher.check() != settings.get(_CHECK):
        if key is not None:
            raise ValueError("the database was made with another hash_key")
        raise store_error(StoreFailure.CORRUPT, session.place, "its key")
    return hasher


def _settings(session: Session) -> dict[str, str]:
    with session.reading() as database:
        return dict(database.execute("SELECT name, value FROM memory_settings"))


def _make_settings(session: Session, key: bytes | None) -> dict[str, str]:
    """Write the settings of a new database, unless another process has done so."""
    own = secrets.token_hex(32)
    hasher = Hasher(key if key is not None else own.encode())
    new = {_CHECK: hasher.check()} | ({} if key is not None else {"hash_key": own})
    with session.writing() as database:
        there: dict[str, str] = dict(database.execute("SELECT name, value FROM memory_settings"))
        if _CHECK not in there:
            database.write_many("INSERT INTO memory_settings (name, value) VALUES (?, ?)", list(new.items()))
    return there if _CHECK in there else new
