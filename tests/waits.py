"""Waiting for what follows from an action, however long a busy machine takes."""

import time
from collections.abc import Callable
from typing import TypeVar

__all__ = ["PATIENCE_S", "eventually"]

T = TypeVar("T")

PATIENCE_S = 30.0


def eventually(read: Callable[[], T], expected: T) -> None:
    """Read until *expected* is read; after a long time say what was read instead."""
    until = time.monotonic() + PATIENCE_S
    while (found := read()) != expected and time.monotonic() < until:
        time.sleep(0.01)
    assert found == expected
