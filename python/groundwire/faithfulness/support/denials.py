"""Whether what a place of a text says is denied or limited there."""

from groundwire.language import read_terms, reader

__all__ = ["is_denied"]

_SIGHT_CHARS = 60


def is_denied(text: str, start: int, end: int) -> bool:
    """
    Tell whether a negation or a limit governs `text[start:end]`, in its sentence.

    Right before it, or some words before in its clause: `I stopped using Slack`.
    """
    # What follows is cut off: a condition behind it leaves what is said as it is.
    if reader().surroundings(text[:end], start, end)[0] is not None:
        return True
    begin = max(0, start - _SIGHT_CHARS)
    terms = read_terms(text[begin:end])
    clause = next((term.clause for term in terms if begin + term.end > start), None)
    before = [term for term in terms if begin + term.end <= start and term.clause == clause]
    return any(term.kind in ("negation", "denial") for term in before)
