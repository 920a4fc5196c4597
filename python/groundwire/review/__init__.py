"""
Keeps claims in a review queue until a person approves or rejects them; each is stored at most once.

`queue` has the public methods that submit and decide, `reader` those that read; `transactions` runs both off the event
loop. `state_machine` has the states, transitions and the policy, without SQL. `repository` is the queue in a database:
`queries` fetches and lists its rows, and `integrity` checks them. `records` has the data classes that callers see,
`items` the row of a claim, and `details` the stored results of its checks. `personas` sends claims of personas to the
queue, and `web` has the page and its API. Names load on first use (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import AlreadyDecided, CallbackFailed, HiddenCharacters, NotAllowed, NotFound, QueueFull
    from groundwire.review.details import ClaimConflict, DiffPart, word_diff
    from groundwire.review.personas import review_persona_claims
    from groundwire.review.queue import ReviewQueue
    from groundwire.review.records import (
        COUNT_MAX,
        ClaimExcerpt,
        DecisionOutcome,
        PendingCitation,
        PendingMemory,
        QueueState,
        ReviewAction,
        ReviewEvent,
        Verification,
    )
    from groundwire.review.web.app import create_app

__all__ = [
    "COUNT_MAX",
    "AlreadyDecided",
    "CallbackFailed",
    "ClaimConflict",
    "ClaimExcerpt",
    "DecisionOutcome",
    "DiffPart",
    "HiddenCharacters",
    "NotAllowed",
    "NotFound",
    "PendingCitation",
    "PendingMemory",
    "QueueFull",
    "QueueState",
    "ReviewAction",
    "ReviewEvent",
    "ReviewQueue",
    "Verification",
    "create_app",
    "review_persona_claims",
    "word_diff",
]

_HOMES = {
    "COUNT_MAX": "groundwire.review.records",
    "AlreadyDecided": "groundwire.errors",
    "CallbackFailed": "groundwire.errors",
    "ClaimExcerpt": "groundwire.review.records",
    "ClaimConflict": "groundwire.review.details",
    "HiddenCharacters": "groundwire.errors",
    "NotAllowed": "groundwire.errors",
    "NotFound": "groundwire.errors",
    "DecisionOutcome": "groundwire.review.records",
    "DiffPart": "groundwire.review.details",
    "PendingCitation": "groundwire.review.records",
    "PendingMemory": "groundwire.review.records",
    "QueueFull": "groundwire.errors",
    "QueueState": "groundwire.review.records",
    "ReviewAction": "groundwire.review.records",
    "ReviewEvent": "groundwire.review.records",
    "ReviewQueue": "groundwire.review.queue",
    "Verification": "groundwire.review.records",
    "create_app": "groundwire.review.web.app",
    "review_persona_claims": "groundwire.review.personas",
    "word_diff": "groundwire.review.details",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
