"""What the words of a lexicon can be to a contradiction, for the engine to rule out what need not be read."""

from functools import cache

from groundwire._engine import TellingWords
from groundwire.citations.support_words import COMMON_WORDS, FAILING
from groundwire.evidence.lexicons import Lexicon

__all__ = ["telling_words"]

_AMOUNTS = ("number", "scale")
_VALUED = ("unit", "date")


@cache
def telling_words(lexicon: Lexicon) -> TellingWords:
    """
    Return the words of *lexicon* that `read_terms` takes for more than plain content.

    A word may have several roles, and is ruled out for none of them.
    """
    entries = [(entry.lower(), *meaning) for entry, meaning in lexicon.meanings.items()]
    amounts = {entry for entry, category, _ in entries if category in _AMOUNTS}
    dates = {entry for entry, category, _ in entries if category == "date"}
    negations = {entry for entry, category, _ in entries if category == "negation"}
    denying = {word for word, parts in lexicon.contractions.items() if "not" in parts}
    known = lexicon.telling | lexicon.limiters
    return TellingWords(
        {
            "amount": [*amounts],
            "date": [*dates],
            "denial": [*negations, *denying, *FAILING],
            "joiner": [*lexicon.joiners],
            "common": COMMON_WORDS,
            "known": [*{word.lower() for word in known} - amounts - dates - negations - denying],
        },
        values=[(entry, value) for entry, category, value in entries if category in _VALUED and isinstance(value, str)],
        opposites=[(word, opposite) for word, opposites in lexicon.opposites.items() for opposite in opposites],
    )
