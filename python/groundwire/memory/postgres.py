"""A schema `groundwire` of a PostgreSQL database."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

from groundwire.errors import MemoryStoreError
from groundwire.memory.failures import StoreFailure, store_error
from groundwire.memory.postgres_catalogue import CATALOGUE, MIGRATED
from groundwire.memory.postgres_writes import Write, as_few
from groundwire.memory.protocol import Row

__all__ = ["PostgresDatabase"]

T = TypeVar("T")

# What writers lock, so that there is one at a time: "groundwi", a number that other programs hardly take.
_WRITERS_LOCK = 0x67726F756E647769

_SETTINGS = "SELECT set_config('search_path', 'groundwire', true), set_config('lock_timeout', %s, true)"

# From left to right: the lock is waited for no longer than that.
_SETTINGS_AND_LOCK = f"{_SETTINGS}, pg_advisory_xact_lock({_WRITERS_LOCK})"

# SQLSTATEs, by whole codes and then by their classes, the first two characters.
# Source: PostgreSQL's documentation, appendix A.
_FAILURES = {
    "55P03": StoreFailure.LOCKED,
    "40P01": StoreFailure.LOCKED,
    "57014": StoreFailure.LOCKED,
    "25006": StoreFailure.READ_ONLY,
    "42501": StoreFailure.READ_ONLY,
    "53300": StoreFailure.UNAVAILABLE,
    "53": StoreFailure.FULL,
    "54": StoreFailure.FULL,
    "XX": StoreFailure.CORRUPT,
    "08": StoreFailure.UNAVAILABLE,
    "28": StoreFailure.UNAVAILABLE,
    "3D": StoreFailure.UNAVAILABLE,
    "57": StoreFailure.UNAVAILABLE,
    "58": StoreFailure.UNAVAILABLE,
}

# How many rows of a stream are in memory at a time.
_BATCH = 10_000

# The tables that hold texts and names.
_WITH_TEXTS = ("memories", "memory_actors", "review_items", "review_groups", "review_inbox")


class PostgresDatabase:
    """
    One connection to a server; it is made again when it was lost between transactions.

    Args:
        url: `postgresql://user@host/database` and whatever else libpq knows.
        timeout_s: How long to wait for the server and for other sessions, in seconds.

    Raises:
        MemoryStoreError: The server cannot be reached.
        ValueError: *url* is none.
    """

    def __init__(self, url: str, *, timeout_s: float) -> None:
        self._url = url
        self._timeout_s = timeout_s
        # 0 would be for ever.
        self._timeout_ms = max(1, round(timeout_s * 1000))
        self._place = _place(url)
        self._connection = self._connect()
        # What the server is told together with what is asked next: a round trip takes longer than most statements.
        self._untold: list[Write] = []
        self._cursors = 0

    @property
    def place(self) -> str:
        """The database's name and its host."""
        return self._place

    def begin(self, *, writes: bool) -> None:
        """
        See `Database`.

        Settings are those of the transaction alone: between client and server there may
        be a pool of connections. A reader sees one state of the database; a writer waits
        first, and sees what the one before it has left.
        """
        self._reconnect()
        self._untold = [
            ("BEGIN" if writes else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ()),
            (_SETTINGS_AND_LOCK if writes else _SETTINGS, (str(self._timeout_ms),)),
        ]

    def commit(self) -> None:
        """See `Database`. Where a statement has failed, the server answers COMMIT with ROLLBACK, and no error."""
        if self._told("COMMIT").statusmessage != "COMMIT":
            raise store_error(StoreFailure.BROKEN, self.place, "the transaction has failed before")

    def rollback(self) -> None:
        """See `Database`. The server may not have been told of any transaction."""
        self._untold.clear()
        with suppress(psycopg.Error):
            if self._connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                self._connection.execute("ROLLBACK")

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """See `Database`."""
        cursor = self._told(_with_own_marks(statement), values)
        return self._translated(cursor.fetchall) if cursor.description is not None else []

    def stream(self, statement: str, values: Sequence[object] = ()) -> Iterator[Row]:
        """See `Database`: by a cursor of the server, which ends with the transaction at the latest."""
        self._cursors += 1
        name = f"stream_{self._cursors}"
        self.execute(f"DECLARE {name} NO SCROLL CURSOR FOR {statement}", values)
        while rows := self.execute(f"FETCH {_BATCH} FROM {name}"):
            yield from rows
        self.execute(f"CLOSE {name}")

    def write(self, statement: str, values: Sequence[object] = ()) -> None:
        """See `Database`."""
        self._untold.append((_with_own_marks(statement), values))

    def write_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """See `Database`."""
        told = _with_own_marks(statement)
        self._untold += [(told, row) for row in rows]

    def is_new(self) -> bool:
        """See `Database`. Other programs have schemas of their own."""
        [(encoding,)] = self.execute("SHOW server_encoding")
        if encoding != "UTF8":
            raise store_error(StoreFailure.UNAVAILABLE, self.place, "it is not encoded in UTF-8")
        # Tables of the catalogue, not `to_regclass`: that may answer from before the wait for another writer.
        mine = "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'groundwire' AND tablename = 'memory_schema'"
        return not self.execute(mine)

    def prepare(self) -> None:
        """See `Database`: nothing has to be."""

    def claim(self) -> None:
        """See `Database`. The schema may have been made by somebody who has the right to."""
        if not self.execute("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'groundwire'"):
            self.execute("CREATE SCHEMA groundwire")

    def purge(self) -> bool:
        """See `Database`. The server's log keeps what was erased until it is written over; nobody can wait for that."""
        self._reconnect()
        self.execute(f"SET lock_timeout = {self._timeout_ms}")
        try:
            self.execute(f"VACUUM (FULL) {', '.join(f'groundwire.{table}' for table in _WITH_TEXTS)}")
        finally:
            with suppress(psycopg.Error):
                self._connection.execute("RESET lock_timeout")
        return False

    def damages(self) -> list[str]:
        """See `Database`: PostgreSQL checks pages when it reads them."""
        return []

    def schema(self) -> list[str]:
        """See `Database`: what the catalogue says of the schema `groundwire`."""
        return ["\t".join(row) for row in self.execute(CATALOGUE)]

    def migrated_schema(self) -> list[str]:
        """See `Database`: a reader may not make tables to compare with, so it is kept with the migrations."""
        return MIGRATED.read_text(encoding="utf-8").splitlines()

    def close(self) -> None:
        """See `Database`."""
        with suppress(psycopg.Error):
            self._connection.close()

    def _connect(self) -> psycopg.Connection:
        return self._translated(
            lambda: psycopg.connect(
                self._url,
                autocommit=True,
                client_encoding="utf8",
                # libpq takes whole seconds, and 1 for 2.
                connect_timeout=max(2, math.ceil(self._timeout_s)),
            )
        )

    def _reconnect(self) -> None:
        if self._connection.closed:
            self._connection = self._connect()

    def _told(self, statement: str, values: Sequence[object] = ()) -> psycopg.Cursor:
        """Tell the server what it was not told of yet, and this; return the cursor of this. One round trip."""
        told, self._untold = [*as_few(self._untold), (statement, values)], []
        if len(told) == 1:
            return self._translated(lambda: self._connection.execute(statement, values or None))

        def tell() -> psycopg.Cursor:
            with self._connection.pipeline():
                return [self._connection.execute(one, given or None) for one, given in told][-1]

        return self._translated(tell)

    def _translated(self, work: Callable[[], T]) -> T:
        """Do *work*; raise what the server says as a `MemoryStoreError`, without its message: that can hold values."""
        try:
            return work()
        except psycopg.Error as error:
            failure = self._failure(error.sqlstate, isinstance(error, psycopg.OperationalError))
        # Outside the handler, which would keep the other exception as the context of this one.
        raise failure

    def _failure(self, state: str | None, is_operational: bool) -> MemoryStoreError:
        if state is None:
            # Without a state the server did not answer.
            lost = StoreFailure.UNAVAILABLE if is_operational else StoreFailure.BROKEN
            return store_error(lost, self.place)
        failure = _FAILURES.get(state) or _FAILURES.get(state[:2], StoreFailure.BROKEN)
        return store_error(failure, self.place, f"SQLSTATE {state}")


def _with_own_marks(statement: str) -> str:
    """The statement with psycopg's marks for values. Ours has no other question or percent marks: a test says so."""
    return statement.replace("?", "%s")


def _place(url: str) -> str:
    """Name the database without user and password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        parts = None
    if parts is None:
        raise ValueError("the URL of the database is not one that PostgreSQL's libraries can read")
    name = f" {parts['dbname']}" if parts.get("dbname") else ""
    return f"the database{name} at {parts.get('host', 'the local socket')}"
