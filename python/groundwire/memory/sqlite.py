"""A file of SQLite: readers go on while one process writes (WAL), and what is erased is overwritten."""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

from groundwire.errors import MemoryStoreError
from groundwire.memory.failures import StoreFailure, store_error
from groundwire.memory.protocol import Row

__all__ = ["IN_MEMORY", "SQLiteDatabase"]

T = TypeVar("T")

IN_MEMORY = ":memory:"

# How many rows of a stream are in memory at a time.
_BATCH = 1_000

# "gwir": what makes a file ours, at a fixed place of its header.
_APPLICATION_ID = 0x67776972

_FAILURES = {
    sqlite3.SQLITE_BUSY: StoreFailure.LOCKED,
    sqlite3.SQLITE_LOCKED: StoreFailure.LOCKED,
    sqlite3.SQLITE_READONLY: StoreFailure.READ_ONLY,
    sqlite3.SQLITE_PERM: StoreFailure.READ_ONLY,
    sqlite3.SQLITE_CORRUPT: StoreFailure.CORRUPT,
    sqlite3.SQLITE_NOTADB: StoreFailure.CORRUPT,
    sqlite3.SQLITE_FULL: StoreFailure.FULL,
    sqlite3.SQLITE_CANTOPEN: StoreFailure.UNAVAILABLE,
    sqlite3.SQLITE_IOERR: StoreFailure.UNAVAILABLE,
}

# What the system says of a folder in which nothing can be made.
_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)

_SETTINGS = (
    "PRAGMA foreign_keys = ON",
    # Without it all erased text stays in free pages; see `purge` for the rest.
    "PRAGMA secure_delete = ON",
    # A damaged page is told from a sound one when it is read.
    "PRAGMA cell_size_check = ON",
    # Functions in the schema of a file that somebody else made are not run.
    "PRAGMA trusted_schema = OFF",
    # What was committed stays after a power failure too.
    "PRAGMA synchronous = FULL",
)


class SQLiteDatabase:
    """
    One connection to a file, made with mode 0600 if it is not there.

    Args:
        path: The file, or ":memory:" for a database that ends with the connection.
        timeout_s: How long to wait for other processes, in seconds.

    Raises:
        MemoryStoreError: It cannot be opened, or is no database.
    """

    def __init__(self, path: str | Path, *, timeout_s: float) -> None:
        # Absolute, because SQLite may take names that begin with `file:` for URIs.
        self._path = IN_MEMORY if path == IN_MEMORY else str(Path(path).absolute())
        self._timeout_s = timeout_s
        self._has_begun = False
        self._make_file()
        self._connection = self._translated(
            lambda: sqlite3.connect(self._path, timeout=timeout_s, isolation_level=None, check_same_thread=False)
        )
        try:
            for setting in _SETTINGS:
                self.execute(setting)
        except MemoryStoreError:
            self.close()
            raise

    @property
    def place(self) -> str:
        """The file's name."""
        return f"the database {Path(self._path).name}"

    def begin(self, *, writes: bool) -> None:
        """See `Database`. `IMMEDIATE` takes the lock of writers at once: a later upgrade could not wait for it."""
        self.execute("BEGIN IMMEDIATE" if writes else "BEGIN DEFERRED")
        self._has_begun = True

    def commit(self) -> None:
        """See `Database`."""
        self.execute("COMMIT")
        self._has_begun = False

    def rollback(self) -> None:
        """See `Database`. Of some failures SQLite itself rolls back."""
        self._has_begun = False
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """See `Database`, and `write`."""
        self._check_transaction()
        try:
            return self._connection.execute(statement, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            failure = self._failure(error)
        raise failure

    def stream(self, statement: str, values: Sequence[object] = ()) -> Iterator[Row]:
        """See `Database`."""
        self._check_transaction()
        cursor = self._translated(lambda: self._connection.execute(statement, values))
        with closing(cursor):
            while rows := self._translated(lambda: cursor.fetchmany(_BATCH)):
                yield from rows

    def write(self, statement: str, values: Sequence[object] = ()) -> None:
        """See `Database`. Each memory passes here several times, so it does without the calls of `_translated`."""
        self._check_transaction()
        try:
            self._connection.execute(statement, values)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            failure = self._failure(error)
        else:
            return
        raise failure

    def write_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """See `Database`."""
        self._check_transaction()
        self._translated(lambda: self._connection.executemany(statement, rows))

    def is_new(self) -> bool:
        """See `Database`."""
        [(application_id,)] = self.execute("PRAGMA application_id")
        [(tables,)] = self.execute("SELECT count(*) FROM sqlite_master")
        if application_id == _APPLICATION_ID and tables:
            return False
        if application_id or tables:
            raise store_error(StoreFailure.FOREIGN, self.place)
        return True

    def prepare(self) -> None:
        """
        See `Database`: switch to WAL, which the file remembers.

        SQLite does not make processes that do so together wait for each other.
        """
        deadline = monotonic() + self._timeout_s
        while True:
            try:
                self.execute("PRAGMA journal_mode = WAL")
                return
            except MemoryStoreError as error:
                if error.failure != StoreFailure.LOCKED or monotonic() > deadline:
                    raise
            sleep(0.01)

    def claim(self) -> None:
        """See `Database`."""
        self.execute(f"PRAGMA application_id = {_APPLICATION_ID}")

    def purge(self) -> bool:
        """
        See `Database`.

        `secure_delete` overwrites what is erased, and not the copies that stay in the gaps
        of pages when SQLite moves rows from page to page. So all pages are made anew, and
        the log of the old ones is emptied, unless a reader is at work in it.
        """
        if self._path == IN_MEMORY:
            return True
        self.execute("VACUUM")
        [(is_busy, _, _)] = self.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return not is_busy

    def damages(self) -> list[str]:
        """See `Database`."""
        # The lines hold names that a damaged schema may have got from anywhere.
        found = len([line for (line,) in self.execute("PRAGMA integrity_check") if line != "ok"])
        return [f"SQLite's own check finds {found} faults in the file"] if found else []

    def schema(self) -> list[str]:
        """See `Database`: all that is in the file, but what ANALYZE has counted."""
        rows = self.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
        lines = (
            (kind, name, f"{table} {' '.join(sql.split()) if isinstance(sql, str) else sql}")
            for kind, name, table, sql in rows
            if name not in ("sqlite_stat1", "sqlite_stat4")
        )
        return ["\t".join(map(str, line)) for line in lines]

    def migrated_schema(self) -> list[str]:
        """See `Database`: of a database in memory, made by the same library."""
        from groundwire.memory.schema import migrated_sqlite

        return migrated_sqlite()

    def close(self) -> None:
        """See `Database`."""
        with suppress(sqlite3.Error):
            self._connection.close()

    def _check_transaction(self) -> None:
        """After a full disk SQLite has rolled back, and what is run then would be done at once, by itself."""
        if self._has_begun and not self._connection.in_transaction:
            raise store_error(StoreFailure.BROKEN, self.place, "the transaction has failed before")

    def _make_file(self) -> None:
        """SQLite would make it readable to everybody; its other files take over the mode."""
        if self._path == IN_MEMORY or os.path.exists(self._path):  # noqa: PTH110 # `Path` raises where it may not look
            return
        failed = None
        try:
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            failed = error
        if failed is not None:
            failure = StoreFailure.READ_ONLY if failed.errno in _READ_ONLY else StoreFailure.UNAVAILABLE
            raise store_error(failure, self.place, failed.strerror or "")

    def _translated(self, work: Callable[[], T]) -> T:
        """Do *work*; raise what SQLite says as a `MemoryStoreError`, without its message: that can hold values."""
        try:
            return work()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            failure = self._failure(error)
        # Outside the handler, which would keep the other exception as the context of this one.
        raise failure

    def _failure(self, error: sqlite3.Error | UnicodeDecodeError) -> MemoryStoreError:
        if isinstance(error, UnicodeDecodeError):
            # SQLite's message has a piece of a damaged schema in it, and Python cannot read that.
            return store_error(StoreFailure.CORRUPT, self.place)
        code = getattr(error, "sqlite_errorcode", None)
        if code is None:
            # Of Python's own module: a text that is no UTF-8, or a use of it that is not allowed.
            kind = StoreFailure.CORRUPT if isinstance(error, sqlite3.OperationalError) else StoreFailure.BROKEN
            return store_error(kind, self.place, type(error).__name__)
        # The lower byte is the kind; the others say where it happened.
        failure = _FAILURES.get(code & 0xFF, StoreFailure.BROKEN)
        if failure is StoreFailure.UNAVAILABLE and self._is_read_only():
            failure = StoreFailure.READ_ONLY
        return store_error(failure, self.place, error.sqlite_errorname)

    def _is_read_only(self) -> bool:
        """
        Tell whether the file can be read, and it or its folder not written to.

        SQLite calls that a file that cannot be opened: it keeps its log in files beside it.
        """
        effective = os.access in os.supports_effective_ids

        def may(path: Path, mode: int) -> bool:
            return os.access(path, mode, effective_ids=effective)

        file = Path(self._path)
        return file.is_file() and may(file, os.R_OK) and not (may(file, os.W_OK) and may(file.parent, os.W_OK))
