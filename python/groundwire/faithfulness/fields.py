"""
What the key of a field says, in words.

English, as the keys of programs are; other keys are shown as they are written.
"""

import re
from collections.abc import Sequence
from functools import cache

from groundwire.language import word_list

__all__ = ["WRAPPERS", "cue_of", "folded_key", "is_plural", "singular"]

_CONTAINERS = """
persona profile demographics demographic identity personal personal_info personal_details basic_info basics
attributes traits characteristics details info background psychographics behavior behaviors behaviour behaviours
"""
WRAPPERS = frozenset(_CONTAINERS.split())
"""Keys that hold fields of the person, and say nothing of their own: `demographics.age` is the person's age."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN_WORDS = re.compile(r"[\s_-]+")

_ES_ENDINGS = ("sses", "shes", "ches", "xes", "zzes")


def folded_key(key: str) -> str:
    """Return *key* as words in small letters with `_` between: `createdAt`, `Created At` and `created-at` are one."""
    return _BETWEEN_WORDS.sub("_", _CAMEL.sub("_", key.strip())).lower()


def cue_of(keys: Sequence[str]) -> str:
    """
    Return the words that *keys* lead to: `pain_points` is "pain points".

    Wrappers are left out where something stands inside of them, and a container is
    one of its kind: `background.education.degree` is "education degree", `jobs.title`
    "job title". Abbreviations keep their capitals.
    """
    told = [key for key in keys[:-1] if folded_key(key) not in WRAPPERS]
    words = [singular(_words(key)) for key in told]
    return " ".join([*words, *map(_words, keys[-1:])])


def singular(words: str) -> str:
    """Return *words* with the last one as one of its kind: `pain points` is `pain point`."""
    before, blank, last = words.rpartition(" ")
    return f"{before}{blank}{_singular_word(last)}"


def is_plural(words: str) -> bool:
    """Tell whether the last of *words* looks like more than one of its kind."""
    last = words.rpartition(" ")[2]
    return _singular_word(last) != last


def _words(key: str) -> str:
    words = _BETWEEN_WORDS.sub(" ", _CAMEL.sub(" ", key.strip())).strip().split(" ")
    # IT and UX stay what they are.
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


def _singular_word(word: str) -> str:
    if word in _irregular():
        return _irregular()[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word in word_list("en", "fields", "no_plurals"):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y" if len(word) > 4 else word[:-1]
    return word[:-2] if word.endswith(_ES_ENDINGS) else word[:-1]


@cache
def _irregular() -> dict[str, str]:
    """Plurals that are not what the rules take them for, with their singulars."""
    pairs = (pair.partition(">") for pair in word_list("en", "fields", "singulars"))
    return {plural: one for plural, _, one in pairs}
