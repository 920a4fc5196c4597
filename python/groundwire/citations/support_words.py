"""
Words that are not compared, or that change what is, in the languages of the lexicons.

Lists of our own, of frequent words and not of every such word.
"""

from groundwire.language import common_words

__all__ = ["COMMON_WORDS", "FAILING", "ROUNDING", "UNDOING"]

COMMON_WORDS = common_words()
"""Words of four letters or more that are no content."""

_FAILING = """
fail fails failed failing failure lack lacks lacked lacking unable refuse refuses refused refusing
"""
FAILING = frozenset(_FAILING.split())
"""They deny what follows them, and are in no list of negations."""

_UNDOING = """
only just more less fewer later least most nur seulement sólo solo -
"""
UNDOING = frozenset(_UNDOING.split())
"""A denial before them bounds a number, or denies nothing: not only, no more than, non-tariff."""

_ROUNDING = """
about around approximately roughly circa ca some over more less fewer least most up etwa rund ungefähr mehr weniger
mindestens höchstens environ presque plus moins unos unas casi más menos около более менее
"""
ROUNDING = frozenset(_ROUNDING.split())
"""They make a number a round one, or a bound, beside the limits of the lexicons."""
