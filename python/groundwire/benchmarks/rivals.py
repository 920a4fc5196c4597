"""The other engines that take part, and how to get those that are not there."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec

__all__ = ["RIVALS", "Rival", "missing"]


@dataclass(frozen=True, slots=True)
class Rival:
    """
    A package to race against.

    Attributes:
        module: What is imported.
        extra: The extra of groundwire that installs it.
    """

    module: str
    extra: str


RIVALS: Mapping[str, Rival] = {
    "rapidfuzz": Rival("rapidfuzz", "reference"),
    "pyahocorasick": Rival("ahocorasick", "reference"),
    "ahocorasick_rs": Rival("ahocorasick_rs", "bench"),
    "stringzilla": Rival("stringzilla", "bench"),
    "pyicu": Rival("icu", "icu"),
}


def missing(engine: str) -> str | None:
    """Return the extra that would install *engine*, or None if it is there or needs no package."""
    rival = RIVALS.get(engine)
    return rival.extra if rival is not None and find_spec(rival.module) is None else None
