"""The database of the commands about the review queue."""

from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.problems import CommandError

if TYPE_CHECKING:
    from groundwire.memory import MemoryStore


def open_store(database: str) -> "MemoryStore":
    """
    Return the store at *database*, which has to be there: a slip of the name must not make a new one.

    Raises:
        CommandError: It is not, or PostgreSQL is not installed.
        MemoryStoreError: It cannot be opened.
    """
    from groundwire.memory import MemoryStore

    if "://" not in database and not Path(database).exists():
        raise CommandError(f"there is no database `{database}`")
    try:
        return MemoryStore(database)
    except (ValueError, ImportError) as error:
        raise CommandError(str(error)) from None
