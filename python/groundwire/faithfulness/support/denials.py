"""What stands behind a negation or a limit of it, and so does not support what it seems to say."""

from groundwire.evidence.truncation import truncated_condition

__all__ = ["DENIED", "is_denied"]

DENIED = 0.3
"""Words or a value behind `not`, `never`, `only` and the like: no support (ruling D9)."""


def is_denied(text: str, start: int, end: int) -> bool:
    """Tell whether a negation or a limit stands right before `text[start:end]`, in its sentence."""
    # What follows is cut off: a condition behind it leaves what is said as it is.
    return truncated_condition(text[:end], start, end) is not None
