"""Import third-party libraries that provide rows, or skip the test visibly."""

import importlib
import os
from importlib.util import find_spec
from types import ModuleType

import pytest


def need(name: str) -> None:
    """Skip without the library *name*, except in the lane that installs it."""
    # The library is found but not imported: some imports warn, which is an error here.
    if os.environ.get("GROUNDWIRE_FRAMES") != "required" and find_spec(name) is None:
        pytest.skip(f"no {name}: python3 dev.py frames")


def library(name: str) -> ModuleType:
    """Return the library *name*, or skip the test visibly."""
    need(name)
    return importlib.import_module(name)
