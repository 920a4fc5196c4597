"""The gate and what follows a store are tried on both databases."""

from memory.conftest import clear_postgres, location, postgres_location, postgres_url, sqlite_location, store

__all__ = ["clear_postgres", "location", "postgres_location", "postgres_url", "sqlite_location", "store"]
