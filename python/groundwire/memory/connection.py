"""Opens a database, migrates it, and runs transactions for threads that take turns."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from urllib.parse import unquote

from groundwire.errors import MemoryStoreError
from groundwire.memory.protocol import Database, StoreFailure, store_error
from groundwire.memory.schema import migrations, run_migrations, schema_version

__all__ = ["TransactionSession", "connect", "migrate"]

# Seconds. Both databases count milliseconds in 32 bits.
_TIMEOUT_MAX_S = 86_400

_SQLITE = "sqlite:///"
_POSTGRES_SCHEMES = ("postgresql", "postgres")


def connect(location: str | Path, *, timeout_s: float) -> Database:
    """
    Open the database at *location*; see `MemoryStore`.

    Raises:
        ValueError: The URL has another scheme, or *timeout_s* is out of range.
        MemoryStoreError: It cannot be opened.
        ImportError: The location is in PostgreSQL, and psycopg is not installed.
    """
    if not 0 < timeout_s <= _TIMEOUT_MAX_S:
        raise ValueError(f"timeout_s must be above 0 and at most {_TIMEOUT_MAX_S}, got {timeout_s!r}")
    scheme = location.partition("://")[0] if isinstance(location, str) and "://" in location else ""
    if scheme in _POSTGRES_SCHEMES:
        try:
            from groundwire.memory.postgres import PostgresDatabase
        except ImportError as error:
            raise ImportError("PostgreSQL needs psycopg: pip install 'groundwire[postgres]'") from error
        return PostgresDatabase(str(location), timeout_s=timeout_s)
    from groundwire.memory.sqlite import SQLiteDatabase

    return SQLiteDatabase(_path(location) if scheme else location, timeout_s=timeout_s)


def _path(url: str | Path) -> str:
    """Return the file of `sqlite:///relative.db` or `sqlite:////absolute.db`."""
    path = unquote(str(url).removeprefix(_SQLITE))
    if not str(url).startswith(_SQLITE) or not path:
        raise ValueError("the location of a store must be a file, sqlite:///FILE or postgresql://...")
    return path


def migrate(session: "TransactionSession", scripts: Mapping[int, str] | None = None) -> None:
    """
    Bring the tables to the newest of *scripts*, in one transaction.

    A database that is up to date is only read, so a read-only one can be opened.

    Raises:
        MemoryStoreError: The tables are newer than the newest script, or another program's.
    """
    scripts = migrations() if scripts is None else scripts
    newest = max(scripts)
    with session.reading() as database:
        version = schema_version(database, newest)
    if version == newest:
        return
    if version == 0:
        with session.outside() as database:
            database.prepare()
    with session.writing() as database:
        # Another process may have migrated it in the meantime.
        version = schema_version(database, newest)
        if version == 0:
            database.claim()
        run_migrations(database, version, scripts)


class TransactionSession:
    """
    Runs the transactions of one connection, for threads that take turns.

    A transaction inside another one of the same thread is a part of it: its failure undoes its own changes, and the
    outer transaction decides on the whole.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = RLock()
        self._depth = 0
        self._writes = False
        self._process = os.getpid()

    @property
    def place(self) -> str:
        """The database's name for messages."""
        return self._database.place

    @contextmanager
    def reading(self) -> Iterator[Database]:
        """Yield the database in its state of one moment."""
        with self._lock:
            if self._depth:
                yield self._database
            else:
                with self._outermost(writes=False):
                    yield self._database

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """Yield the database for writing. The end of the block commits all changes; an exception undoes all."""
        with self._lock:
            if self._depth and not self._writes:
                raise RuntimeError("a reading transaction cannot write")
            with self._inner() if self._depth else self._outermost(writes=True):
                yield self._database

    @contextmanager
    def outside(self) -> Iterator[Database]:
        """Yield the database outside of transactions, for statements that cannot run inside."""
        with self._lock:
            if self._depth:
                raise RuntimeError("this cannot run inside a transaction")
            self._check_process()
            yield self._database

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._database.close()

    @contextmanager
    def _outermost(self, *, writes: bool) -> Iterator[None]:
        self._check_process()
        try:
            self._database.begin(writes=writes)
            self._depth, self._writes = 1, writes
            yield
            self._database.commit()
        except BaseException:
            # After Ctrl-C too, and after a failed beginning or commit.
            self._database.rollback()
            raise
        finally:
            self._depth = 0

    @contextmanager
    def _inner(self) -> Iterator[None]:
        name = f"inner_{self._depth}"
        self._database.write(f"SAVEPOINT {name}")
        self._depth += 1
        try:
            yield
            self._database.execute(f"RELEASE SAVEPOINT {name}")
        except BaseException:
            # If the failure has ended the whole transaction, its later statements and its commit fail as well.
            with suppress(MemoryStoreError):
                self._database.execute(f"ROLLBACK TO SAVEPOINT {name}")
            raise
        finally:
            self._depth -= 1

    def _check_process(self) -> None:
        """Check the process: using a connection on both sides of a fork damages the database."""
        if os.getpid() != self._process:
            raise store_error(StoreFailure.BROKEN, self._database.place, "it was opened before this process was forked")
