"""Runs SQL in the schema `groundwire` of a PostgreSQL database."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

from groundwire.errors import MemoryStoreError
from groundwire.memory.protocol import STREAM_ROWS, Row, StoreFailure, store_error

__all__ = ["PostgresDatabase", "Statement", "combine_statements"]

T = TypeVar("T")

# Writers take this lock, so only one writes at a time: "groundwi", a number that other programs are unlikely to use.
_WRITERS_LOCK = 0x67726F756E647769

_SETTINGS = "SELECT set_config('search_path', 'groundwire', true), set_config('lock_timeout', %s, true)"

# Evaluated from left to right, so `lock_timeout` limits the wait for the lock.
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

# The tables that contain texts and names.
_WITH_TEXTS = ("memories", "memory_actors", "review_items", "review_groups", "review_inbox")


class PostgresDatabase:
    """
    One connection to a server. If it is lost between transactions, the next one reconnects.

    Args:
        url: `postgresql://user@host/database` and whatever else libpq knows.
        timeout_s: How long to wait for the server and for other sessions, in seconds.

    Raises:
        MemoryStoreError: The server cannot be reached.
        ValueError: libpq cannot read *url*.
    """

    def __init__(self, url: str, *, timeout_s: float) -> None:
        self._url = url
        self._timeout_s = timeout_s
        # 0 would mean no limit.
        self._timeout_ms = max(1, round(timeout_s * 1000))
        self._place = _place(url)
        self._connection = self._connect()
        # Statements to send together with the next query: a round trip takes longer than most statements.
        self._pending: list[Statement] = []
        self._cursors = 0

    @property
    def place(self) -> str:
        """The database's name and its host."""
        return self._place

    def begin(self, *, writes: bool) -> None:
        """
        See `Database`.

        Settings apply to the transaction only, because there may be a pool of connections
        between client and server. A reader sees one state of the database; a writer first
        waits for the writer before it, and sees its changes.
        """
        self._reconnect()
        self._pending = [
            ("BEGIN" if writes else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ()),
            (_SETTINGS_AND_LOCK if writes else _SETTINGS, (str(self._timeout_ms),)),
        ]

    def commit(self) -> None:
        """See `Database`. Where a statement has failed, the server answers COMMIT with ROLLBACK, and no error."""
        if self.send("COMMIT").statusmessage != "COMMIT":
            raise store_error(StoreFailure.BROKEN, self.place, "the transaction has already failed")

    def rollback(self) -> None:
        """See `Database`. The server may not know of any transaction yet."""
        self._pending.clear()
        with suppress(psycopg.Error):
            if self._connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                self._connection.execute("ROLLBACK")

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """See `Database`."""
        cursor = self.send(_to_psycopg(statement), values)
        return self._translated(cursor.fetchall) if cursor.description is not None else []

    def send(self, statement: str, values: Sequence[object] = ()) -> psycopg.Cursor:
        """Send the pending statements and this one in one round trip; return the cursor of this one."""
        batch, self._pending = [*combine_statements(self._pending), (statement, values)], []
        if len(batch) == 1:
            return self._translated(lambda: self._connection.execute(statement, values or None))

        def run_pipeline() -> psycopg.Cursor:
            with self._connection.pipeline():
                return [self._connection.execute(one, given or None) for one, given in batch][-1]

        return self._translated(run_pipeline)

    def stream(self, statement: str, values: Sequence[object] = ()) -> Iterator[Row]:
        """See `Database`: by a cursor of the server, which ends with the transaction at the latest."""
        self._cursors += 1
        name = f"stream_{self._cursors}"
        self.execute(f"DECLARE {name} NO SCROLL CURSOR FOR {statement}", values)
        while rows := self.execute(f"FETCH {STREAM_ROWS} FROM {name}"):
            yield from rows
        self.execute(f"CLOSE {name}")

    def write(self, statement: str, values: Sequence[object] = ()) -> None:
        """See `Database`."""
        self._pending.append((_to_psycopg(statement), values))

    def write_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """See `Database`."""
        converted = _to_psycopg(statement)
        self._pending += [(converted, row) for row in rows]

    def is_new(self) -> bool:
        """See `Database`. Other programs have schemas of their own."""
        [(encoding,)] = self.execute("SHOW server_encoding")
        if encoding != "UTF8":
            raise store_error(StoreFailure.UNAVAILABLE, self.place, "its encoding is not UTF-8")
        # Tables of the catalogue, not `to_regclass`: that may answer from before the wait for another writer.
        mine = "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'groundwire' AND tablename = 'memory_schema'"
        return not self.execute(mine)

    def prepare(self) -> None:
        """See `Database`: PostgreSQL needs no preparation."""

    def claim(self) -> None:
        """See `Database`. An administrator may have created the schema already."""
        if not self.execute("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'groundwire'"):
            self.execute("CREATE SCHEMA groundwire")

    def purge(self) -> bool:
        """See `Database`. The server's log keeps erased data until it is overwritten, so this always returns False."""
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
        """See `Database`: the catalogue's rows of the schema `groundwire`."""
        return ["\t".join(row) for row in self.execute(CATALOGUE)]

    def migrated_schema(self) -> list[str]:
        """See `Database`: readers may not create tables to compare with, so the migrations include the listing."""
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

    def _translated(self, work: Callable[[], T]) -> T:
        """Run *work*; raise failures as `MemoryStoreError` without the server's messages, which can contain values."""
        try:
            return work()
        except psycopg.Error as error:
            failure = self._failure(error.sqlstate, isinstance(error, psycopg.OperationalError))
        except UnicodeError as error:
            # A lone surrogate.
            failure = store_error(StoreFailure.BROKEN, self.place, type(error).__name__)
        # Raised outside the handler, which would keep the other exception as the context of this one.
        raise failure

    def _failure(self, state: str | None, is_operational: bool) -> MemoryStoreError:
        if state is None:
            # No state: the server did not answer.
            lost = StoreFailure.UNAVAILABLE if is_operational else StoreFailure.BROKEN
            return store_error(lost, self.place)
        failure = _FAILURES.get(state) or _FAILURES.get(state[:2], StoreFailure.BROKEN)
        return store_error(failure, self.place, f"SQLSTATE {state}")


def _to_psycopg(statement: str) -> str:
    """Return the statement with psycopg's placeholders. Ours contain no other `?` or `%`: a test checks it."""
    return statement.replace("?", "%s")


def _place(url: str) -> str:
    """Return the database's name without user and password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        parts = None
    if parts is None:
        raise ValueError("the URL of the database is not a valid PostgreSQL URL")
    name = f" {parts['dbname']}" if parts.get("dbname") else ""
    return f"the database{name} at {parts.get('host', 'the local socket')}"


Statement = tuple[str, Sequence[object]]
"""A statement and the values of its placeholders."""

# Statements that may become one: PostgreSQL limits the placeholders, and keeps a plan for each number of them.
_STATEMENTS_MAX = 16

_TABLE = re.compile(r"(INSERT INTO|UPDATE) (\w+) ")


def combine_statements(writes: Iterable[Statement]) -> Iterator[Statement]:
    """
    Yield fewer statements with the effect of *writes*, in their order.

    A server spends more on receiving a statement than on writing a row. The parts of one statement
    (`WITH ... AS (INSERT ...)`) do not see each other's changes, so only statements that read no other table become
    parts, and none of them changes rows of a table that an earlier part writes to.
    """
    parts: list[Statement] = []
    tables: set[str] = set()
    for statement, values in writes:
        found = _TABLE.match(statement)
        is_part = found is not None and "SELECT" not in statement
        if parts and not (
            is_part and found and (found[1] != "UPDATE" or found[2] not in tables) and len(parts) < _STATEMENTS_MAX
        ):
            yield _joined(parts)
            parts, tables = [], set()
        if is_part and found:
            parts.append((statement, values))
            tables.add(found[2])
        else:
            yield statement, values
    if parts:
        yield _joined(parts)


def _joined(parts: Sequence[Statement]) -> Statement:
    *first, last = (statement for statement, _ in parts)
    named = ", ".join(f"part_{number} AS ({statement})" for number, statement in enumerate(first))
    values = [value for _, given in parts for value in given]
    return (f"WITH {named} {last}" if first else last), values


MIGRATED = files("groundwire.memory") / "migrations" / "postgres_schema.tsv"
"""The rows of `CATALOGUE` after all migrations, one in each line. A test compares them with a new database."""

# Each row has a kind, a name and a definition. NOT NULL belongs to its column, because only newer servers also list it
# as a constraint. Each part selects the namespace, so a tampered search path cannot hide anything.
CATALOGUE = """
WITH ours AS (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = 'groundwire'),
relations AS (SELECT * FROM pg_catalog.pg_class WHERE relnamespace IN (SELECT oid FROM ours))
SELECT 'relation', relname::text, concat_ws(
    ' ', relkind, relpersistence, relrowsecurity, relforcerowsecurity, relispartition
)
FROM relations
UNION ALL
SELECT 'column', relname || '.' || attname, concat_ws(
    ' ', pg_catalog.format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
    coalesce(pg_catalog.pg_get_expr(adbin, adrelid), '-'),
    (SELECT collname FROM pg_catalog.pg_collation WHERE pg_collation.oid = attcollation)
)
FROM relations JOIN pg_catalog.pg_attribute ON attrelid = relations.oid
LEFT JOIN pg_catalog.pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE attnum > 0 AND NOT attisdropped AND relkind <> 'i'
UNION ALL
SELECT 'constraint', relname || '.' || conname, concat_ws(
    ' ', contype, convalidated, pg_catalog.pg_get_constraintdef(pg_constraint.oid)
)
FROM relations JOIN pg_catalog.pg_constraint ON conrelid = relations.oid WHERE contype <> 'n'
UNION ALL
SELECT 'index', relname::text, concat_ws(' ', indisvalid, indisready, pg_catalog.pg_get_indexdef(indexrelid))
FROM relations JOIN pg_catalog.pg_index ON indexrelid = relations.oid
UNION ALL
SELECT 'trigger', relname || '.' || tgname, concat_ws(' ', tgenabled, pg_catalog.pg_get_triggerdef(pg_trigger.oid))
FROM relations JOIN pg_catalog.pg_trigger ON tgrelid = relations.oid
UNION ALL
SELECT 'rule', relname || '.' || rulename, concat_ws(' ', ev_enabled, pg_catalog.pg_get_ruledef(pg_rewrite.oid))
FROM relations JOIN pg_catalog.pg_rewrite ON ev_class = relations.oid
UNION ALL
SELECT 'policy', relname || '.' || polname, polcmd::text
FROM relations JOIN pg_catalog.pg_policy ON polrelid = relations.oid
UNION ALL
SELECT 'parent', relname::text, inhparent::regclass::text
FROM relations JOIN pg_catalog.pg_inherits ON inhrelid = relations.oid OR inhparent = relations.oid
UNION ALL
SELECT 'function', proname::text, concat_ws(' ', prokind, pg_catalog.pg_get_function_identity_arguments(oid), prosrc)
FROM pg_catalog.pg_proc WHERE pronamespace IN (SELECT oid FROM ours)
UNION ALL
SELECT 'type', typname::text, typtype::text
FROM pg_catalog.pg_type WHERE typnamespace IN (SELECT oid FROM ours) AND typrelid = 0 AND typcategory <> 'A'
UNION ALL
SELECT 'operator', oprname::text, oprcode::text
FROM pg_catalog.pg_operator WHERE oprnamespace IN (SELECT oid FROM ours)
UNION ALL
SELECT 'statistics', stxname::text, '' FROM pg_catalog.pg_statistic_ext WHERE stxnamespace IN (SELECT oid FROM ours)
ORDER BY 1, 2, 3
"""
