"""Import third-party libraries for tests, or skip the test visibly."""

import importlib
import os
from importlib.util import find_spec
from types import ModuleType

import pytest


def need(name: str, *, lane: str = "frames") -> None:
    """Skip without the library *name*, except in the *lane* that installs it."""
    # The library is found but not imported: some imports warn, which is an error here.
    if os.environ.get(f"GROUNDWIRE_{lane.upper()}") != "required" and not _is_installed(name):
        pytest.skip(f"no {name}: python3 dev.py {lane}", allow_module_level=True)


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        # The package around a module is missing.
        return False


def library(name: str, *, lane: str = "frames") -> ModuleType:
    """Return the library *name*, or skip the test visibly."""
    need(name, lane=lane)
    return importlib.import_module(name)
