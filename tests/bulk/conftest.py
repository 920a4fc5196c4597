"""Provide object storage servers for the tests of URLs."""

import pytest

from bulk.object_store import ObjectStore, object_store


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> ObjectStore:
    """Return a server that all tests share and none of them stops."""
    with object_store(tmp_path_factory.mktemp("server") / "log") as store:
        yield store


@pytest.fixture
def mortal(tmp_path) -> ObjectStore:
    """Return a server for one test."""
    with object_store(tmp_path / "log") as store:
        yield store
