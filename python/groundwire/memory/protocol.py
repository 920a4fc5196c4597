"""Defines the interfaces of providers and databases, and the failures that both databases report."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Protocol

from groundwire.errors import MemoryStoreError
from groundwire.memory.records import MemoryRecord

__all__ = [
    "STREAM_ROWS",
    "BatchMemoryProvider",
    "Database",
    "MemoryProvider",
    "Row",
    "StoreFailure",
    "check_increasing",
    "store_error",
]

Row = tuple[Any, ...]

STREAM_ROWS = 1_000
"""The number of rows of a stream in memory at a time."""


class MemoryProvider(Protocol):
    """Returns the memories that a new claim may duplicate."""

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:
        """
        Return the memories of *user_id* that *content* may duplicate or contradict.

        A provider may return all of the user's memories, or only those that its index finds. With
        *memory_type*, it returns memories of that type only.
        """


class BatchMemoryProvider(MemoryProvider, Protocol):
    """A provider that takes many texts of one user in one call."""

    async def candidates_many(
        self, contents: Sequence[str], user_id: str, memory_type: str | None = None
    ) -> Sequence[MemoryRecord]:
        """Return the candidates of all *contents*, each memory once."""


class Database(Protocol):
    """
    A connection to one database, for one thread at a time.

    Statements are in the SQL that SQLite and PostgreSQL share, with `?` for values. Every failure is raised as a
    `MemoryStoreError`.
    """

    @property
    def place(self) -> str:
        """The database's name for messages, without a password."""

    def begin(self, *, writes: bool) -> None:
        """
        Begin a transaction. Only one transaction writes at a time, so the audit follows their order.

        A server receives this together with the first `execute`.
        """

    def commit(self) -> None:
        """End the transaction and write its changes to the disk."""

    def rollback(self) -> None:
        """Undo the transaction, whatever state it is in. Never raises."""

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement and return its rows."""

    def stream(self, statement: str, values: Sequence[object] = ()) -> Iterator[Row]:
        """
        Yield the rows of one statement, `STREAM_ROWS` in memory at a time, within a transaction.

        It is one pass of one cursor, so damaged rows cannot make it endless.
        """

    def write(self, statement: str, values: Sequence[object] = ()) -> None:
        """
        Run one statement without a result, before the next `execute` or the commit.

        A server receives it together with that call, so its failure may be raised there.
        """

    def write_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """`write` one statement for each of *rows*."""

    def is_new(self) -> bool:
        """Return whether the database has no groundwire tables yet; raise if it belongs to another program."""

    def prepare(self) -> None:
        """Prepare a new database for its tables, outside of transactions."""

    def claim(self) -> None:
        """Mark a new database as ours, in the transaction that creates the tables."""

    def purge(self) -> bool:
        """Rewrite the tables outside of transactions; return whether no file contains erased data any longer."""

    def damages(self) -> list[str]:
        """Return the errors that the database's own check finds in its files, or an empty list."""

    def schema(self) -> list[str]:
        """
        Return a line for each of our tables, columns, indexes, triggers, ..., as the database describes them.

        A line consists of a kind, a name and a definition, separated by tabs.
        """

    def migrated_schema(self) -> list[str]:
        """Return the `schema` of a database that only the migrations have made."""

    def close(self) -> None:
        """Close the connection. Never raises."""


class StoreFailure(StrEnum):
    """Stable codes of `MemoryStoreError.failure`."""

    LOCKED = "locked"
    CORRUPT = "corrupt"
    READ_ONLY = "read_only"
    FULL = "full"
    NEWER_SCHEMA = "newer_schema"
    FOREIGN = "foreign"
    UNAVAILABLE = "unavailable"
    BROKEN = "broken"


_MESSAGES = {
    StoreFailure.LOCKED: "{place} was locked by another process for longer than the time-out",
    StoreFailure.CORRUPT: "{place} is damaged, or is not a database",
    StoreFailure.READ_ONLY: "{place} is read-only",
    StoreFailure.FULL: "{place} is full: the disk or a limit is exhausted",
    StoreFailure.NEWER_SCHEMA: "{place} was written by a newer groundwire",
    StoreFailure.FOREIGN: "{place} belongs to another program",
    StoreFailure.UNAVAILABLE: "{place} cannot be opened, or the connection to it was lost",
    StoreFailure.BROKEN: "{place} refused a statement",
}


def check_increasing(numbers: Iterable[object], after: int, place: str) -> None:
    """
    Check that row numbers grow from *after* on, because otherwise a reader of pages would read the same page forever.

    Raises:
        MemoryStoreError: They do not, because the file is damaged.
    """
    for number in numbers:
        if type(number) is not int or number <= after:
            raise store_error(StoreFailure.CORRUPT, place, "rows are out of order")
        after = number


def store_error(failure: StoreFailure, place: str, detail: str = "") -> MemoryStoreError:
    """
    Return the exception for a failure.

    Args:
        failure: The kind of failure.
        place: The database's name, without a password.
        detail: The database's own code; never its message, which can contain values.
    """
    message = _MESSAGES[failure].format(place=place)
    return MemoryStoreError(failure, f"{message} ({detail})" if detail else message)
