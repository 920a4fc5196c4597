"""Opening the database of memories and of the review queue, with its key if it has one of its own."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.inputs import read_bytes
from groundwire.cli.problems import CommandError

if TYPE_CHECKING:
    from groundwire.memory import Anchor, MemoryStore

__all__ = ["KEY_FILE_VARIABLE", "KEY_VARIABLE", "new_or_known_store", "open_store", "read_anchor"]

KEY_VARIABLE = "GROUNDWIRE_HASH_KEY"
"""The key itself, byte by byte. Not an option: everybody on a machine sees those of running programs."""

KEY_FILE_VARIABLE = "GROUNDWIRE_HASH_KEY_FILE"
"""The file that holds it, without a line end behind it."""


def open_store(database: str) -> "MemoryStore":
    """
    Return the store at *database*, which has to be there: a slip of the name must not make a new one.

    Raises:
        CommandError: It is not, PostgreSQL is not installed, or its key is another one.
        MemoryStoreError: It cannot be opened.
    """
    if "://" not in database and not Path(database).exists():
        raise CommandError(f"there is no database `{database}`")
    return new_or_known_store(database)


def new_or_known_store(database: str) -> "MemoryStore":
    """Return the store at *database*, which is made if it is not there; raises as `open_store`."""
    from groundwire.memory import MemoryStore

    try:
        return MemoryStore(database, hash_key=_hash_key())
    except ImportError as error:
        raise CommandError(str(error)) from None
    except ValueError as error:
        hint = f"{KEY_VARIABLE} holds it, or {KEY_FILE_VARIABLE} names its file" if "hash_key" in str(error) else None
        raise CommandError(str(error), hint=hint) from None


def read_anchor(file: str) -> "Anchor | None":
    """
    Return the anchor in *file*; None if there is no such file.

    Raises:
        CommandError: The file cannot be read, or holds something else. It stays as it is.
    """
    from groundwire.memory import Anchor

    if not os.path.lexists(file):
        return None
    try:
        return Anchor.read(read_bytes(file).decode())
    except ValueError:
        pass
    raise CommandError(f"--anchor: `{file}` is damaged, or no anchor of an audit", hint="it was not changed")


def _hash_key() -> bytes | None:
    """The key that the environment tells, or the file that it names; None for neither."""
    key, file = os.environ.get(KEY_VARIABLE), os.environ.get(KEY_FILE_VARIABLE)
    if key is not None and file is not None:
        raise CommandError(f"{KEY_VARIABLE} and {KEY_FILE_VARIABLE} are both set; one of them is enough")
    if file is not None:
        return read_bytes(file).removesuffix(b"\n").removesuffix(b"\r")
    return None if key is None else os.fsencode(key)
