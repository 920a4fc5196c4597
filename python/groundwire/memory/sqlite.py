"""The SQLite database: readers continue while one process writes (WAL), and erased data is overwritten."""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

from groundwire.errors import MemoryStoreError
from groundwire.labels import plural
from groundwire.memory.protocol import STREAM_ROWS, Row, StoreFailure, store_error
from groundwire.memory.schema import migrations, run_migrations

__all__ = ["IN_MEMORY", "SQLiteDatabase"]

T = TypeVar("T")

IN_MEMORY = ":memory:"

# "gwir", at a fixed place of the header: it marks a file as ours.
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

# Besides those of SQLite: damaged text, lone surrogates, and numbers of more than 64 bits.
_ERRORS = (sqlite3.Error, UnicodeError, OverflowError)

# The system's errors for a folder in which nothing can be created.
_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)

_SETTINGS = (
    "PRAGMA foreign_keys = ON",
    # Without it, erased text stays in free pages; see `purge` for the rest.
    "PRAGMA secure_delete = ON",
    # Damaged pages are noticed when they are read.
    "PRAGMA cell_size_check = ON",
    # Functions in the schema of a file that somebody else created do not run.
    "PRAGMA trusted_schema = OFF",
    # Committed changes survive a power failure.
    "PRAGMA synchronous = FULL",
)


class SQLiteDatabase:
    """
    One connection to a file, which is created with mode 0600 if it does not exist.

    Args:
        path: The file, or ":memory:" for a database that lives as long as the connection.
        timeout_s: How long to wait for other processes, in seconds.

    Raises:
        MemoryStoreError: It cannot be opened, or is not a database.
    """

    def __init__(self, path: str | Path, *, timeout_s: float) -> None:
        # Absolute, because SQLite may take a name that begins with `file:` for a URI.
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
        """See `Database`. After some failures SQLite itself rolls back."""
        self._has_begun = False
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """See `Database`, and `write`."""
        self._check_transaction()
        try:
            return self._connection.execute(statement, values).fetchall()
        except _ERRORS as error:
            failure = self._failure(error)
        raise failure

    def stream(self, statement: str, values: Sequence[object] = ()) -> Iterator[Row]:
        """See `Database`."""
        self._check_transaction()
        cursor = self._translated(lambda: self._connection.execute(statement, values))
        with closing(cursor):
            while rows := self._translated(lambda: cursor.fetchmany(STREAM_ROWS)):
                yield from rows

    def write(self, statement: str, values: Sequence[object] = ()) -> None:
        """See `Database`. Each memory passes here several times, so the calls of `_translated` are inlined."""
        self._check_transaction()
        try:
            self._connection.execute(statement, values)
        except _ERRORS as error:
            failure = self._failure(error)
        else:
            return
        raise failure

    def write_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """See `Database`. SQLite's driver starts `executemany` more slowly, so a single row is passed to `write`."""
        given = list(rows)
        if len(given) == 1:
            self.write(statement, given[0])
        else:
            self._check_transaction()
            self._translated(lambda: self._connection.executemany(statement, given))

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
        See `Database`: switch the file to WAL for good.

        SQLite does not let processes that do this at the same time wait for each other.
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

        `secure_delete` overwrites erased rows, but not the copies that stay in the gaps of pages when SQLite
        moves rows from page to page. So all pages are rewritten, and the log of the old ones is emptied, unless a
        reader uses it.
        """
        if self._path == IN_MEMORY:
            return True
        self.execute("VACUUM")
        [(is_busy, _, _)] = self.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return not is_busy

    def damages(self) -> list[str]:
        """See `Database`."""
        # The lines contain names, which can be any text in a damaged schema.
        found = len([line for (line,) in self.execute("PRAGMA integrity_check") if line != "ok"])
        return [f"SQLite's integrity check found {plural(found, 'error')} in the file"] if found else []

    def schema(self) -> list[str]:
        """See `Database`: everything in the file except the statistics of ANALYZE."""
        rows = self.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
        lines = (
            (kind, name, f"{table} {' '.join(sql.split()) if isinstance(sql, str) else sql}")
            for kind, name, table, sql in rows
            if name not in ("sqlite_stat1", "sqlite_stat4")
        )
        return ["\t".join(map(str, line)) for line in lines]

    def migrated_schema(self) -> list[str]:
        """See `Database`: of a database in memory, created by the same library."""
        return _migrated_schema()

    def close(self) -> None:
        """See `Database`."""
        with suppress(sqlite3.Error):
            self._connection.close()

    def _check_transaction(self) -> None:
        """Check that SQLite has not rolled back: then each later statement would be committed by itself."""
        if self._has_begun and not self._connection.in_transaction:
            raise store_error(StoreFailure.BROKEN, self.place, "the transaction has already failed")

    def _make_file(self) -> None:
        """Create the file, because SQLite would make it readable to everyone. Its other files get the same mode."""
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
        """Run *work*; raise its failures as `MemoryStoreError` without SQLite's messages, which can contain values."""
        try:
            return work()
        except _ERRORS as error:
            failure = self._failure(error)
        # Raised outside the handler, which would keep the other exception as the context of this one.
        raise failure

    def _failure(self, error: Exception) -> MemoryStoreError:
        if isinstance(error, UnicodeDecodeError):
            # SQLite's message quotes a damaged schema that Python cannot decode.
            return store_error(StoreFailure.CORRUPT, self.place)
        if not isinstance(error, sqlite3.Error):
            return store_error(StoreFailure.BROKEN, self.place, type(error).__name__)
        code = getattr(error, "sqlite_errorcode", None)
        if code is None:
            # Raised by Python's own module: a text that is not UTF-8, or a use that is not allowed.
            kind = StoreFailure.CORRUPT if isinstance(error, sqlite3.OperationalError) else StoreFailure.BROKEN
            return store_error(kind, self.place, type(error).__name__)
        # The lower byte is the kind of error, the others its place.
        failure = _FAILURES.get(code & 0xFF, StoreFailure.BROKEN)
        if failure is StoreFailure.UNAVAILABLE and self._is_read_only():
            failure = StoreFailure.READ_ONLY
        return store_error(failure, self.place, error.sqlite_errorname)

    def _is_read_only(self) -> bool:
        """
        Return whether the file can be read, and it or its folder cannot be written to.

        SQLite reports that as a file that cannot be opened, because it keeps its log in files beside it.
        """
        effective = os.access in os.supports_effective_ids

        def may(path: Path, mode: int) -> bool:
            return os.access(path, mode, effective_ids=effective)

        file = Path(self._path)
        return file.is_file() and may(file, os.R_OK) and not (may(file, os.W_OK) and may(file.parent, os.W_OK))


@cache
def _migrated_schema() -> list[str]:
    """Return the schema of a database that only the migrations have made."""
    database = SQLiteDatabase(IN_MEMORY, timeout_s=1)
    try:
        run_migrations(database, 0, migrations())
        return database.schema()
    finally:
        database.close()
