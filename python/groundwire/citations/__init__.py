"""
How far an answer is supported by what it cites: rules, risk, and what to do next.

`detect_hallucination` is the printed rule. Names are imported when they are first
touched (PEP 562).
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.citations.literal import detect_hallucination

__all__ = ["detect_hallucination"]

_HOMES = {"detect_hallucination": "groundwire.citations.literal"}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
