"""Servers of objects, for the tests of URLs."""

import pytest

from bulk.object_store import ObjectStore, object_store


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> ObjectStore:
    """A server for all tests that leave it alive."""
    with object_store(tmp_path_factory.mktemp("server") / "log") as store:
        yield store


@pytest.fixture
def mortal(tmp_path) -> ObjectStore:
    """A server of one test."""
    with object_store(tmp_path / "log") as store:
        yield store
