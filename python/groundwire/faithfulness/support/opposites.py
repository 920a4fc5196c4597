"""
Words that say the opposite, by language; and what a claim says whose word denies by itself.

The lists are data, `lexicons/*.toml`. Those of the evidence lexicons are added.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain

from groundwire.evidence.lexicons import load_lexicon

__all__ = ["LANGUAGES", "Opposites", "in_full", "in_one_word", "is_telling_abroad", "opposites_of"]

LANGUAGES = ("en", "de", "es", "fr", "zh")
"""Languages with a list."""


@dataclass(frozen=True, slots=True)
class Opposites:
    """
    What a language has.

    Attributes:
        words: For each word those that say the opposite in its place.
        denying: Words that deny, with what they deny: `distrust`, `trust`.
        liking, disliking: Words by which a stance is told; empty for English, which
            has rules of its own.
    """

    words: dict[str, frozenset[str]]
    denying: dict[str, str]
    liking: frozenset[str]
    disliking: frozenset[str]


@cache
def opposites_of(language: str) -> Opposites:
    """Return the list of a language of `LANGUAGES`. Raises FileNotFoundError for another one."""
    table = tomllib.loads((files(__package__) / "lexicons" / f"{language}.toml").read_text(encoding="utf-8"))
    words = {word: set(others) for word, others in load_lexicon(language).opposites.items()}
    for line in table["opposites"].strip().splitlines():
        one, other = line.split()
        words.setdefault(one, set()).add(other)
        words.setdefault(other, set()).add(one)
    return Opposites(
        {word: frozenset(others) for word, others in words.items()},
        dict(line.split() for line in table["denying"].strip().splitlines()),
        frozenset(table["liking"].split()),
        frozenset(table["disliking"].split()),
    )


def is_telling_abroad(word: str) -> bool:
    """Tell whether a list of a language other than English may have *word*, in small letters, or a part of it."""
    listed = _listed_abroad()
    return word in listed or ("'" in word and not listed.isdisjoint(word.split("'")))


@cache
def _listed_abroad() -> frozenset[str]:
    """The words by which something is denied, liked or turned round, and their parts: n'aime is two words."""
    listed: set[str] = set()
    for language in LANGUAGES[1:]:
        lists = opposites_of(language)
        listed.update(load_lexicon(language).negations, lists.liking, lists.disliking, lists.words)
        listed.update(chain.from_iterable(lists.words.values()))
    return frozenset(part for word in listed for part in (word, *word.split("'")))


def in_full(claim: str) -> str:
    """Return an English *claim* with a denial in its verb told by `not`: `does not trust` for `distrusts`."""
    found = _denying().search(claim)
    if found is None:
        return claim
    helper = {"d": "did", "s": "does"}.get(found[2][-1:].lower(), "do")
    return f"{claim[: found.start()]}{helper} not {opposites_of('en').denying[found[1].lower()]}{claim[found.end() :]}"


def in_one_word(claim: str) -> str:
    """Return an English *claim* with `not` and a verb told by one that denies it: `distrusts` for `does not trust`."""
    found = _denied().search(claim)
    if found is None:
        return claim
    word = next(word for word, base in opposites_of("en").denying.items() if base == found[2].lower())
    ending = {"did": "ed", "does": "s"}.get(found[1].lower(), "")
    return f"{claim[: found.start()]}{word}{ending}{claim[found.end() :]}"


@cache
def _denying() -> re.Pattern[str]:
    # To fail is to do no more than that as often as not to pass.
    words = "|".join(word for word in opposites_of("en").denying if word != "fail")
    return re.compile(rf"(?<=\w )({words})(|s|d|ed)\b", re.IGNORECASE)


@cache
def _denied() -> re.Pattern[str]:
    words = "|".join(dict.fromkeys(opposites_of("en").denying.values()))
    return re.compile(rf"\b(do|does|did)(?: not|n['’]t) ({words})\b", re.IGNORECASE)
