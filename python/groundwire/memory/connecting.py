"""From a location to the database that is there."""

from pathlib import Path
from urllib.parse import unquote

from groundwire.memory.protocol import Database

__all__ = ["connect"]

# Both databases count milliseconds in 32 bits.
_TIMEOUT_MAX_S = 86_400

_SQLITE = "sqlite:///"
_POSTGRES_SCHEMES = ("postgresql", "postgres")


def connect(location: str | Path, *, timeout_s: float) -> Database:
    """
    Open the database at *location*; see `MemoryStore`.

    Raises:
        ValueError: It is a URL of another kind, or *timeout_s* is out of its range.
        MemoryStoreError: It cannot be opened.
        ImportError: PostgreSQL, and psycopg is not installed.
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
    """The file of `sqlite:///relative.db` or `sqlite:////absolute.db`."""
    path = unquote(str(url).removeprefix(_SQLITE))
    if not str(url).startswith(_SQLITE) or not path:
        raise ValueError("the location of a store must be a file, sqlite:///FILE or postgresql://...")
    return path
