"""
Caches vectors in a file, so that each text is embedded once.

The file contains the model's name, hashes of texts, and vectors, but no text. Hashes of short texts can be guessed by
trial, so store the file only where the texts may be stored.
"""

import hashlib
import os
import sqlite3
import threading
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from groundwire.embedding.protocol import CheckedEmbedder, name_of
from groundwire.private_files import open_private

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from groundwire.embedding.protocol import Embedder

__all__ = ["CachedEmbedder"]

_T = TypeVar("_T")

_MAX_BYTES = 1 << 30
_HASH_BYTES = 16
# SQLite allowed 999 parameters in one statement before version 3.32.
_KEYS_PER_QUERY = 500
_BUSY_S = 30.0
_DATABASE_HEAD = b"SQLite format 3\0"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    number INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    vector BLOB NOT NULL,
    checksum INTEGER NOT NULL
)
"""


class CachedEmbedder:
    """
    An embedder with a cache. Safe for several threads and processes.

    Entries that cannot be read are computed again, a damaged database is replaced, and a file that cannot be written or
    is no database is ignored: the cache causes no failure of its own.

    Args:
        embedder: The embedder.
        path: The file, created with mode 0600 if it does not exist.
        max_bytes: The approximate maximum size; the oldest entries are removed first.

    Attributes:
        name: The embedder's name, under which its vectors are stored.
        hits, misses: The number of texts with and without a stored vector.
        corrupt: The number of damaged entries.
        failures: The number of failures to read or write the file.
    """

    def __init__(self, embedder: "Embedder", path: str | os.PathLike[str], *, max_bytes: int = _MAX_BYTES) -> None:
        if max_bytes < 1:
            raise ValueError(f"max_bytes must be at least 1, got {max_bytes}")
        self.name = name_of(embedder)
        self.hits = self.misses = self.corrupt = self.failures = 0
        # Invalid vectors are not stored.
        self._embedder = CheckedEmbedder(embedder, timeout_s=None)
        self._path = Path(path)
        self._max_bytes = max_bytes
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """
        Return one vector for each text, shape (len(texts), dimensions).

        Raises:
            EmbeddingError: The embedder fails.
        """
        import numpy as np

        given = list(texts)
        if not given:
            return np.zeros((0, 0), dtype=np.float32)
        texts_by_key = {_key(self.name, text): text for text in given}
        known = self._read(list(texts_by_key))
        wanted = [key for key in texts_by_key if key not in known]
        if wanted:
            made = self._embedder.encode([texts_by_key[key] for key in wanted])
            if any(len(vector) != made.shape[1] for vector in known.values()):
                # Another model had the same name.
                known, wanted = {}, list(texts_by_key)
                made = self._embedder.encode(list(texts_by_key.values()))
            self._write(wanted, made)
            known.update(zip(wanted, made, strict=True))
        with self._lock:
            self.misses += len(wanted)
            self.hits += len(texts_by_key) - len(wanted)
        return np.stack([known[_key(self.name, text)] for text in given])

    def _read(self, keys: Sequence[bytes]) -> "dict[bytes, NDArray[np.float32]]":
        """Return the stored vectors, all of one length."""
        import numpy as np

        rows = self._transaction(partial(_select, keys), begin="BEGIN") or []
        known = {key: np.frombuffer(vector, np.float32) for key, vector, crc in rows if _is_sound(key, vector, crc)}
        if len({len(vector) for vector in known.values()}) > 1:
            known = {}
        with self._lock:
            self.corrupt += len(rows) - len(known)
        return known

    def _write(self, keys: Sequence[bytes], vectors: "NDArray[np.float32]") -> None:
        rows = [(key, blob, _checksum(key, blob)) for key, blob in zip(keys, map(bytes, vectors), strict=True)]
        self._transaction(partial(_insert, rows, self._max_bytes), begin="BEGIN IMMEDIATE")

    def _transaction(self, work: Callable[[sqlite3.Connection], _T], *, begin: str) -> _T | None:
        """Return the result of *work*; None for a damaged file, which is counted."""
        with self._lock:
            try:
                if not self._path.exists():
                    open_private(self._path, "ab").close()
                # Each use opens a connection, so that none is shared with other threads, or after a fork.
                with closing(sqlite3.connect(self._path, timeout=_BUSY_S, isolation_level=None)) as database:
                    database.execute(begin)
                    done = work(database)
                    database.execute("COMMIT")
                    return done
            except (sqlite3.Error, OSError) as error:
                self._fail(error)
                return None

    def _fail(self, error: Exception) -> None:
        if isinstance(error, sqlite3.OperationalError) and "no such table" in str(error):
            return
        self.failures += 1
        # An OperationalError concerns the moment: locked, full, read-only. Other errors concern the content of the
        # file.
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            with suppress(OSError):
                self._drop_database()

    def _drop_database(self) -> None:
        """Remove the file, unless it begins like no database: then it is no cache."""
        with self._path.open("rb") as file:
            is_database = file.read(len(_DATABASE_HEAD)) == _DATABASE_HEAD
        for suffix in ("", "-journal") if is_database else ():
            Path(f"{self._path}{suffix}").unlink(missing_ok=True)


def _select(keys: Sequence[bytes], database: sqlite3.Connection) -> list[tuple[bytes, bytes, int]]:
    rows: list[tuple[bytes, bytes, int]] = []
    for start in range(0, len(keys), _KEYS_PER_QUERY):
        some = keys[start : start + _KEYS_PER_QUERY]
        marks = ",".join("?" * len(some))
        rows += database.execute(f"SELECT key, vector, checksum FROM vectors WHERE key IN ({marks})", some)
    return rows


def _insert(rows: Sequence[tuple[bytes, bytes, int]], max_bytes: int, database: sqlite3.Connection) -> None:
    """Write *rows*, then remove the oldest entries until the rest fits."""
    database.execute(_SCHEMA)
    database.executemany("INSERT OR REPLACE INTO vectors (key, vector, checksum) VALUES (?, ?, ?)", rows)
    while _used(database) > max_bytes:
        least, most = database.execute("SELECT min(number), max(number) FROM vectors").fetchone()
        if least is None:
            break
        database.execute("DELETE FROM vectors WHERE number <= ?", (least + (most - least) // 4,))


def _key(name: str, text: str) -> bytes:
    digest = hashlib.blake2b(name.encode(), digest_size=_HASH_BYTES).digest()
    # Half of a surrogate pair is not valid UTF-8, but a str may contain it.
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES, key=digest).digest()


def _checksum(key: bytes, blob: bytes) -> int:
    return zlib.crc32(key + blob)


def _is_sound(key: bytes, blob: object, checksum: object) -> bool:
    is_vector = isinstance(blob, bytes) and bool(blob) and len(blob) % 4 == 0
    return isinstance(blob, bytes) and is_vector and _checksum(key, blob) == checksum


def _used(database: sqlite3.Connection) -> int:
    """Return the bytes of all pages in use."""
    pages, free, size = (
        database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)
