"""What the store asks of a database, and what a checker for duplicates asks of a store."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from groundwire.memory.records import MemoryRecord

__all__ = ["BatchMemoryProvider", "Database", "MemoryProvider", "Row"]

Row = tuple[Any, ...]


class MemoryProvider(Protocol):
    """Whoever knows what is remembered."""

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:
        """
        Return the memories of *user_id* that *content* may duplicate or contradict.

        All of them will do; a store with an index returns those few that it finds. Of
        *memory_type* alone if that is given.
        """


class BatchMemoryProvider(MemoryProvider, Protocol):
    """A provider that can be asked about many texts of one user at once."""

    async def candidates_many(
        self, contents: Sequence[str], user_id: str, memory_type: str | None = None
    ) -> Sequence[MemoryRecord]:
        """Return what `candidates` returns of any of *contents*, each memory once."""


class Database(Protocol):
    """
    A connection to one database, for one thread at a time.

    Statements are in the SQL that SQLite and PostgreSQL share, with `?` for values.
    What goes wrong is a `MemoryStoreError`.
    """

    @property
    def place(self) -> str:
        """What people call it, without a password."""

    def begin(self, *, writes: bool) -> None:
        """
        Begin a transaction. Of those that write, one is at work at a time, so that the audit is in their order.

        A server is told with the first `execute`.
        """

    def commit(self) -> None:
        """End the transaction; what it did is on the disk."""

    def rollback(self) -> None:
        """End the transaction as if it had not been, whatever state it is in. Never raises."""

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement and return its rows."""

    def stream(self, statement: str, values: Sequence[object] = ()) -> Iterator[Row]:
        """
        Yield the rows of one statement, a batch in memory at a time, within a transaction.

        One pass of one cursor: it ends where rows end, whatever is in them.
        """

    def write(self, statement: str, values: Sequence[object] = ()) -> None:
        """
        Run one statement of which nobody wants to know anything, before the next `execute` or the commit.

        A server is told of it together with that, so what goes wrong may show there.
        """

    def write_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """`write` one statement for each of *rows*."""

    def is_new(self) -> bool:
        """Tell whether nothing of ours is there yet. Raises if something of another program's is."""

    def prepare(self) -> None:
        """Make a new database ready for its tables, outside of transactions."""

    def claim(self) -> None:
        """Mark a new database as ours, in the transaction that makes the tables."""

    def purge(self) -> bool:
        """Write the tables anew, outside of transactions; return whether no file holds what was erased any more."""

    def damages(self) -> list[str]:
        """What the database itself says is wrong with its files; empty if nothing is."""

    def schema(self) -> list[str]:
        """
        Return a line for each table, column, index, trigger, ... of ours, in the database's own words.

        A line is a kind, a name and a definition, with tabs between them.
        """

    def migrated_schema(self) -> list[str]:
        """Return what `schema` returns of a database that only the migrations have made."""

    def close(self) -> None:
        """Close the connection. Never raises."""
