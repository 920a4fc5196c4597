"""The tables of the store: the numbered migrations, and the check that a database has the tables that they make."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from groundwire.memory.protocol import Database, StoreFailure, store_error

__all__ = [
    "check_version",
    "migrations",
    "run_migrations",
    "schema_errors",
    "schema_version",
    "statements",
    "version_errors",
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


def run_migrations(database: Database, version: int, scripts: Mapping[int, str]) -> None:
    """
    Run the migrations of *scripts* after *version*, in the caller's transaction.

    Args:
        database: The database, already claimed if it is new.
        version: The last migration that ran; 0 for a new database, which gets the list of migrations first.
        scripts: The SQL of each migration by its number, from 1 on without a gap.
    """
    if version == 0:
        database.execute("CREATE TABLE memory_schema (version INTEGER PRIMARY KEY)")
    for number in range(version + 1, max(scripts) + 1):
        for statement in statements(scripts[number]):
            database.execute(statement)
        database.execute("INSERT INTO memory_schema (version) VALUES (?)", (number,))


def schema_version(database: Database, newest: int) -> int:
    """
    Return the number of the last migration that ran; 0 if the database has no tables yet.

    Raises:
        MemoryStoreError: The tables are newer than *newest*, or another program's.
    """
    return 0 if database.is_new() else _known_version(database, newest)


def check_version(database: Database) -> None:
    """
    Check that the tables are not newer than this program.

    Raises:
        MemoryStoreError: They are newer than the newest migration.
    """
    _known_version(database, max(migrations()))


def schema_errors(database: Database) -> list[str]:
    """
    Return the differences between the schema and the one that the migrations make, or an empty list.

    The messages name missing definitions, but only count additional ones: their names can be any text.
    """
    found, expected = Counter(database.schema()), Counter(database.migrated_schema())
    missing = sorted({" ".join(line.split("\t")[:2]) for line in expected - found})
    added = (found - expected).total()
    errors = [f"the schema lacks or has another {name}" for name in missing]
    return errors + ([f"the schema has {added} definitions that the migrations do not make"] if added else [])


def version_errors(database: Database) -> list[str]:
    """Return an error if the list of the migrations that ran was changed; else nothing."""
    done = [row[0] for row in database.execute("SELECT version FROM memory_schema ORDER BY version")]
    return [] if done == list(migrations()) else ["the list of migrations was changed"]


def _known_version(database: Database, newest: int) -> int:
    [(version,)] = database.execute("SELECT max(version) FROM memory_schema")
    if version is None or version < 1:
        raise store_error(StoreFailure.CORRUPT, database.place, "it has no schema version")
    if version > newest:
        raise store_error(StoreFailure.NEWER_SCHEMA, database.place, f"schema {version}, this one knows {newest}")
    return int(version)
