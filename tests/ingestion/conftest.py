"""The stores of the tests of memory, for what is built on them."""

from memory.conftest import clear_postgres, location, postgres_location, postgres_url, sqlite_location, store

__all__ = ["clear_postgres", "location", "postgres_location", "postgres_url", "sqlite_location", "store"]
