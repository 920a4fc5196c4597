"""
What the gate is unsure of waits here for a person: nothing is lost, and nothing is stored twice.

Names are imported when they are first touched (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import AlreadyDecided, CallbackFailed, HiddenCharacters, NotAllowed, NotFound, QueueFull
    from groundwire.review.details import Conflict, Part, word_difference
    from groundwire.review.personas import review_persona_claims
    from groundwire.review.queue import ReviewQueue
    from groundwire.review.records import (
        ClaimExcerpt,
        Outcome,
        PendingCitation,
        PendingMemory,
        QueueState,
        ReviewAction,
        ReviewEntry,
        Verification,
    )
    from groundwire.review.storage import COUNT_MAX
    from groundwire.review.web.app import create_app

__all__ = [
    "COUNT_MAX",
    "AlreadyDecided",
    "CallbackFailed",
    "ClaimExcerpt",
    "Conflict",
    "HiddenCharacters",
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
    "Verification",
    "create_app",
    "review_persona_claims",
    "word_difference",
]

_HOMES = {
    "COUNT_MAX": "groundwire.review.storage",
    "AlreadyDecided": "groundwire.errors",
    "CallbackFailed": "groundwire.errors",
    "ClaimExcerpt": "groundwire.review.records",
    "Conflict": "groundwire.review.details",
    "HiddenCharacters": "groundwire.errors",
    "NotAllowed": "groundwire.errors",
    "NotFound": "groundwire.errors",
    "Outcome": "groundwire.review.records",
    "Part": "groundwire.review.details",
    "PendingCitation": "groundwire.review.records",
    "PendingMemory": "groundwire.review.records",
    "QueueFull": "groundwire.errors",
    "QueueState": "groundwire.review.records",
    "ReviewAction": "groundwire.review.records",
    "ReviewEntry": "groundwire.review.records",
    "ReviewQueue": "groundwire.review.queue",
    "Verification": "groundwire.review.records",
    "create_app": "groundwire.review.web.app",
    "review_persona_claims": "groundwire.review.personas",
    "word_difference": "groundwire.review.details",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
