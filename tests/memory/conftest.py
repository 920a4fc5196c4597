"""A store on either database."""

from collections.abc import Iterator

import pytest

from groundwire.memory import MemoryStore


@pytest.fixture
def store(location: str) -> Iterator[MemoryStore]:
    """A new store, without faults at the end of the test."""
    with MemoryStore(location) as opened:
        yield opened
        assert opened.faults() == []
