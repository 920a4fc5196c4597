"""
Words that are written nearly alike: misspelt in a transcript, inflected, or at the end of a compound.

Letters do not tell a slip from another word (`contract` and `contact`), so a word in the place of another counts
for less than that one, and never for a name, a word with a digit or an opposite.
"""

from collections.abc import Sequence

from groundwire.faithfulness.support.opposites import LANGUAGES, opposites_of

__all__ = ["ALIKE_FROM", "MOST", "first_alike"]

ALIKE_FROM = 0.6
"""The least share of grams that words written alike have in common."""
MOST = 0.9
"""What a word counts for at most in the place of another one, of that one's weight."""

_LEAST_CHARS = 6
# What stands before a word and turns it round, in the languages of the lists.
_DENYING = ("un", "in", "im", "ir", "il", "dis", "non", "mis", "miss", "de", "anti", "dés", "des", "mé", "ent")


def first_alike(word: str, others: Sequence[tuple[str, float]]) -> tuple[str, float] | None:
    """Return the first of *others*, words with a similarity, that may stand for *word*; None if none may."""
    if len(word) < _LEAST_CHARS:
        return None
    return next(((other, share) for other, share in others if not _is_opposite(word, other)), None)


def _is_opposite(one: str, other: str) -> bool:
    if any(other in opposites_of(language).words.get(one, ()) for language in LANGUAGES):
        return True
    return _is_turned(one, other) or _is_turned(other, one)


def _is_turned(longer: str, shorter: str) -> bool:
    """Whether one begins as the other does behind a prefix that denies: `disorganised` and `organized`."""
    return any(
        longer.startswith(prefix)
        and not shorter.startswith(prefix)
        and longer[len(prefix) : len(prefix) + 3] == shorter[:3]
        for prefix in _DENYING
    )
