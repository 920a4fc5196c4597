"""
What the gate is unsure of waits here for a person: nothing is lost, and nothing is stored twice.

Names are imported when they are first touched (PEP 562).
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import AlreadyDecided, CallbackFailed, NotAllowed, NotFound, QueueFull
    from groundwire.review.difference import Conflict, Part, word_difference
    from groundwire.review.queue import ReviewQueue
    from groundwire.review.records import (
        Outcome,
        PendingCitation,
        PendingMemory,
        QueueState,
        ReviewAction,
        ReviewEntry,
    )
    from groundwire.review.storage import COUNT_MAX
    from groundwire.review.web.app import create_app

__all__ = [
    "COUNT_MAX",
    "AlreadyDecided",
    "CallbackFailed",
    "Conflict",
    "NotAllowed",
    "NotFound",
    "Outcome",
    "Part",
    "PendingCitation",
    "PendingMemory",
    "QueueFull",
    "QueueState",
    "ReviewAction",
    "ReviewEntry",
    "ReviewQueue",
    "create_app",
    "word_difference",
]

_HOMES = {
    "COUNT_MAX": "groundwire.review.storage",
    "AlreadyDecided": "groundwire.errors",
    "CallbackFailed": "groundwire.errors",
    "Conflict": "groundwire.review.difference",
    "NotAllowed": "groundwire.errors",
    "NotFound": "groundwire.errors",
    "Outcome": "groundwire.review.records",
    "Part": "groundwire.review.difference",
    "PendingCitation": "groundwire.review.records",
    "PendingMemory": "groundwire.review.records",
    "QueueFull": "groundwire.errors",
    "QueueState": "groundwire.review.records",
    "ReviewAction": "groundwire.review.records",
    "ReviewEntry": "groundwire.review.records",
    "ReviewQueue": "groundwire.review.queue",
    "create_app": "groundwire.review.web.app",
    "word_difference": "groundwire.review.difference",
}


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
