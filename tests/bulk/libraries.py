"""Libraries of others that rows come from: there, or skipped visibly."""

import importlib
import os
from importlib.util import find_spec
from types import ModuleType

import pytest


def need(name: str) -> None:
    """Skip without the library *name*, but in the lane that installs it."""
    # Found, and not imported: some of them warn, which is an error here.
    if os.environ.get("GROUNDWIRE_FRAMES") != "required" and find_spec(name) is None:
        pytest.skip(f"no {name}: python3 dev.py frames")


def library(name: str) -> ModuleType:
    """The library *name*, or a visible skip."""
    need(name)
    return importlib.import_module(name)
