"""
Is what a language model says really in its source?

The engine's names live here; the four systems are subpackages. Importing
groundwire loads the native module and nothing else: subpackages are imported
when they are first touched (PEP 562).
"""

from groundwire._engine import (
    UNICODE_VERSION,
    Alignment,
    Match,
    Patterns,
    QuoteAlignment,
    Source,
    __version__,
    build_info,
    normalize,
    partial_ratio,
    partial_ratio_alignment,
    partial_ratio_many,
)

__all__ = [
    "UNICODE_VERSION",
    "Alignment",
    "Match",
    "Patterns",
    "QuoteAlignment",
    "Source",
    "__version__",
    "build_info",
    "normalize",
    "partial_ratio",
    "partial_ratio_alignment",
    "partial_ratio_many",
]

_SUBPACKAGES = frozenset({"errors", "evidence", "reference", "report", "settings"})


def __getattr__(name: str) -> object:
    if name in _SUBPACKAGES:
        import importlib

        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBPACKAGES})
