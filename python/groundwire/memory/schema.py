"""The tables of the store: numbered migrations, each done wholly or not at all."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from groundwire.memory.failures import StoreFailure, store_error
from groundwire.memory.protocol import Database
from groundwire.memory.session import Session

__all__ = [
    "check_version",
    "migrate",
    "migrated_sqlite",
    "migrations",
    "schema_faults",
    "statements",
    "version_faults",
]


@cache
def migrations() -> Mapping[int, str]:
    """Return the SQL of each migration by its number, from 1 on: the first four characters of a file's name."""
    folder = files("groundwire.memory") / "migrations"
    named = sorted((file.name, file) for file in folder.iterdir() if file.name.endswith(".sql"))
    return {int(name[:4]): file.read_text(encoding="utf-8") for name, file in named}


def statements(script: str) -> Sequence[str]:
    """Return the statements of *script*, without comments. Texts in it hold no `;` and no `--`."""
    lines = (line.partition("--")[0].rstrip() for line in script.splitlines())
    parts = "\n".join(line for line in lines if line).split(";")
    return [part.strip() for part in parts if part.strip()]


def migrate(session: Session, scripts: Mapping[int, str] | None = None) -> None:
    """
    Bring the tables to the newest of *scripts*, in one transaction.

    A database that is up to date is only read, so that one that may not be written to
    can be read.

    Raises:
        MemoryStoreError: The tables are newer than the newest script, or another program's.
    """
    scripts = migrations() if scripts is None else scripts
    newest = max(scripts)
    with session.reading() as database:
        version = _version(database, newest)
    if version == newest:
        return
    if version == 0:
        with session.outside() as database:
            database.prepare()
    with session.writing() as database:
        # Another process may have been here in the meantime.
        version = _version(database, newest)
        if version == 0:
            database.claim()
            database.execute("CREATE TABLE memory_schema (version INTEGER PRIMARY KEY)")
        for number in range(version + 1, newest + 1):
            for statement in statements(scripts[number]):
                database.execute(statement)
            database.execute("INSERT INTO memory_schema (version) VALUES (?)", (number,))


@cache
def migrated_sqlite() -> list[str]:
    """Return the schema of an SQLite database that only the migrations have made."""
    from groundwire.memory.sqlite import IN_MEMORY, SQLiteDatabase

    database = SQLiteDatabase(IN_MEMORY, timeout_s=1)
    try:
        session = Session(database)
        migrate(session)
        return database.schema()
    finally:
        database.close()


def schema_faults(database: Database) -> list[str]:
    """
    Return how the schema differs from what the migrations make; empty if it does not.

    The words name what is missing, and only count what was added: names can be anybody's text.
    """
    found, expected = Counter(database.schema()), Counter(database.migrated_schema())
    missing = sorted({" ".join(line.split("\t")[:2]) for line in expected - found})
    added = (found - expected).total()
    faults = [f"the schema lacks or has another {name}" for name in missing]
    return faults + ([f"the schema has {added} definitions that the migrations do not make"] if added else [])


def version_faults(database: Database) -> list[str]:
    """Return what is wrong with the list of the migrations that were done; empty if nothing is."""
    done = [row[0] for row in database.execute("SELECT version FROM memory_schema ORDER BY version")]
    return [] if done == list(migrations()) else ["the list of migrations is not as it was written"]


def check_version(database: Database) -> None:
    """
    Check that nobody has brought the tables to a newer schema since they were opened.

    Raises:
        MemoryStoreError: They are newer than the newest migration.
    """
    _known_version(database, max(migrations()))


def _version(database: Database, newest: int) -> int:
    """The number of the last migration that was done; 0 if there are no tables yet."""
    return 0 if database.is_new() else _known_version(database, newest)


def _known_version(database: Database, newest: int) -> int:
    [(version,)] = database.execute("SELECT max(version) FROM memory_schema")
    if version is None or version < 1:
        raise store_error(StoreFailure.CORRUPT, database.place, "it has no schema version")
    if version > newest:
        raise store_error(StoreFailure.NEWER_SCHEMA, database.place, f"schema {version}, this one knows {newest}")
    return int(version)
