"""Libraries of others that tests use: there, or skipped visibly."""

import importlib
import os
from importlib.util import find_spec
from types import ModuleType

import pytest


def need(name: str, *, lane: str = "frames") -> None:
    """Skip without the library *name*, but in the *lane* that installs it."""
    # Found, and not imported: some of them warn, which is an error here.
    if os.environ.get(f"GROUNDWIRE_{lane.upper()}") != "required" and find_spec(name) is None:
        pytest.skip(f"no {name}: python3 dev.py {lane}", allow_module_level=True)


def library(name: str, *, lane: str = "frames") -> ModuleType:
    """Return the library *name*, or skip visibly."""
    need(name, lane=lane)
    return importlib.import_module(name)
