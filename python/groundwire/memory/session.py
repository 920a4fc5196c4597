"""Transactions of one connection, for threads that take turns."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import RLock

from groundwire.errors import MemoryStoreError
from groundwire.memory.failures import StoreFailure, store_error
from groundwire.memory.protocol import Database

__all__ = ["Session"]


class Session:
    """
    Hands out transactions of *database*.

    One that begins inside another of the same thread is a part of it: what goes wrong
    there is undone there, and the outer one decides about the whole.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = RLock()
        self._depth = 0
        self._writes = False
        self._process = os.getpid()

    @property
    def place(self) -> str:
        """What people call the database."""
        return self._database.place

    @contextmanager
    def reading(self) -> Iterator[Database]:
        """Yield the database as it is at one moment."""
        with self._lock:
            if self._depth:
                yield self._database
            else:
                with self._outermost(writes=False):
                    yield self._database

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """Yield the database to write to: all of it is done at the end, or nothing if an exception passes."""
        with self._lock:
            if self._depth and not self._writes:
                raise RuntimeError("a transaction that reads cannot begin to write")
            with self._inner() if self._depth else self._outermost(writes=True):
                yield self._database

    @contextmanager
    def outside(self) -> Iterator[Database]:
        """Yield the database outside of transactions, for what it cannot do inside."""
        with self._lock:
            if self._depth:
                raise RuntimeError("this cannot be a part of a transaction")
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
            # Ctrl-C too. A beginning that was not let in and a commit that failed have to be ended as well.
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
            # Where the failure has ended the whole transaction, no later statement of it and no commit will succeed.
            with suppress(MemoryStoreError):
                self._database.execute(f"ROLLBACK TO SAVEPOINT {name}")
            raise
        finally:
            self._depth -= 1

    def _check_process(self) -> None:
        """A connection that is used on both sides of a fork damages the database."""
        if os.getpid() != self._process:
            raise store_error(
                StoreFailure.BROKEN, self._database.place, "it was opened by the process that this one was forked from"
            )
