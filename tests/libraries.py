"""Import third-party libraries for tests, or skip the test visibly."""

import importlib
import os
from importlib.util import find_spec
from types import ModuleType

import pytest


def need(name: str, *, lane: str = "frames") -> None:
    """Skip without the library *name*, except in the *lane* that installs it."""
    # The library is found but not imported: some imports warn, which is an error here.
    if os.environ.get(f"GROUNDWIRE_{lane.upper()}") != "required" and find_spec(name) is None:
        pytest.skip(f"no {name}: python3 dev.py {lane}", allow_module_level=True)


def library(name: str, *, lane: str = "frames") -> ModuleType:
    """Return the library *name*, or skip the test visibly."""
    need(name, lane=lane)
    return importlib.import_module(name)
