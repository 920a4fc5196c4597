"""What stands behind a negation or a limit of it, and so does not support what it seems to say."""

from groundwire.faithfulness.support.words import denials_in, read_words
from groundwire.language import reader

__all__ = ["DENIED", "is_denied"]

DENIED = 0.3
"""Words or a value behind `not`, `never`, `only` and the like: no support (ruling D9)."""

_SIGHT_CHARS = 60


def is_denied(text: str, start: int, end: int) -> bool:
    """
    Tell whether a negation or a limit stands right before `text[start:end]`, in its sentence.

    Or a denial some words before, in its clause: `I stopped using Slack`.
    """
    # What follows is cut off: a condition behind it leaves what is said as it is.
    return reader().surroundings(text[:end], start, end)[0] is not None or _is_in_reach(text, start, end)


def _is_in_reach(text: str, start: int, end: int) -> bool:
    begin = max(0, start - _SIGHT_CHARS)
    words = read_words(text[begin : min(end, start + _SIGHT_CHARS)])
    first = next((place for place, word in enumerate(words) if begin + word.end > start), None)
    return any(first in reach for reach in denials_in(words).values())
