"""What goes wrong with a request: status, code and words. None holds text of a claim."""

from groundwire.errors import (
    AlreadyDecided,
    CallbackFailed,
    HiddenCharacters,
    MemoryExistsError,
    MemoryStoreError,
    NotAllowed,
    NotFound,
    QueueFull,
)

__all__ = ["Problem", "problem_of"]

_RETRY_STORE_S = 5
_RETRY_FULL_S = 60


class Problem(Exception):  # noqa: N818 # it is no fault of the program
    """
    A request that is not answered as it was meant.

    Attributes:
        status: Of the response.
        code: The same as a stable code.
        message: In words.
        field: Which part of the request it is about.
        retry_after_s: When to try again, in seconds.
        decided: Who was quicker.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        field: str | None = None,
        retry_after_s: int | None = None,
        decided: AlreadyDecided | None = None,
    ) -> None:
        super().__init__(status, code)
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.retry_after_s = retry_after_s
        self.decided = decided


def problem_of(error: Exception) -> Problem:
    """Return what *error* means for a request; whatever is not known is a fault of ours, and told as no more."""
    match error:
        case Problem():
            return error
        case NotFound():
            return Problem(404, "not_found", "There is no such claim, or it is not yours.")
        case NotAllowed():
            return Problem(403, "not_allowed", "Another person has to decide about this claim.")
        case AlreadyDecided():
            return Problem(409, "already_decided", _who(error), decided=error)
        case HiddenCharacters():
            return Problem(409, "hidden_characters", f"{str(error).capitalize()}.", field="confirm_hidden")
        case QueueFull():
            return Problem(429, "queue_full", f"{str(error).capitalize()}.", retry_after_s=_RETRY_FULL_S)
        case CallbackFailed():
            return Problem(502, "not_stored", "The claim could not be stored, and waits again. Try it once more later.")
        case MemoryExistsError():
            return Problem(502, "not_stored", "A memory with this id exists already; the claim waits again.")
        case MemoryStoreError():
            words = "The database cannot be reached just now. Nothing was changed; the same request can be sent again."
            return Problem(503, "database_unavailable", words, retry_after_s=_RETRY_STORE_S)
    return Problem(500, "internal", "Something went wrong here. Nothing of it was kept.")


def _who(error: AlreadyDecided) -> str:
    """Who decided what: for those who may see the claim, who may know it."""
    when = f"{error.time:%Y-%m-%d %H:%M:%S} UTC"
    if error.state == "expired":
        return f"The claim has expired at {when}."
    who = error.reviewer or "Somebody"
    words = {"stored": "approved this claim", "rejected": "rejected this claim", "processing": "is deciding right now"}
    return f"{who} {words[error.state]}{', since' if error.state == 'processing' else ' at'} {when}."
