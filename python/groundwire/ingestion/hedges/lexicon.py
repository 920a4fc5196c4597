"""
The hedges of one language, and what has to stand beside them.

They are the section `hedging` of its lexicon; `scientific` is a section of the English one.
A section has a list of groups. `words` are phrases between blanks, `_` for the blank
inside a phrase, `{a,b}` for either. `only` and `unless` are regular expressions: one
of `only` has to match, none of `unless` may. In `left@right` the phrase begins at
the `@`, with which `right` begins and `left` ends; without `@` all of it is `right`.
Repetitions have an upper bound (`\\w{1,40}`, not `\\w+`): an expression is tried at each
phrase of a claim, and has to see a bounded number of characters there.
Case is ignored, and `<name>` stands for the expression of that name in `parts`. A
group without a category is an exception: a cue inside its words is none.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Any

from groundwire.ingestion.hedges.results import ACTIONS, HedgeAction, HedgeCategory
from groundwire.language import read_section

__all__ = ["LANGUAGES", "HedgePhrase", "check_languages", "load_lexicon"]

LANGUAGES = ("en", "zh", "de", "fr", "es", "ja", "ru")

# How far an expression can see to the left of a phrase.
_LOOK_BACK_CHARS = 16
_BRACES = re.compile(r"\{([^{}]*)\}")


class Expression:
    """One expression of a file, compiled when it is first tried."""

    def __init__(self, pattern: str) -> None:
        self.left, _, self.right = pattern.rpartition("@")

    def matches(self, text: str, start: int) -> bool:
        """Tell whether it matches around a phrase that begins at *start*."""
        # To the right first: to look back is to try each place there.
        if not self._right.match(text, start):
            return False
        left = self._left
        return left is None or left.search(text, max(0, start - _LOOK_BACK_CHARS), start) is not None

    @cached_property
    def _left(self) -> re.Pattern[str] | None:
        return re.compile(rf"(?:{self.left})\Z", re.IGNORECASE) if self.left else None

    @cached_property
    def _right(self) -> re.Pattern[str]:
        return re.compile(self.right, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What has to stand beside a group's words, and what must not."""

    only: tuple[Expression, ...]
    unless: tuple[Expression, ...]

    def allow(self, text: str, start: int) -> bool:
        """Tell whether words that begin at *start* are what their group says."""
        # Loops: generators take longer than what they would go through.
        for expression in self.unless:
            if expression.matches(text, start):
                return False
        for expression in self.only:
            if expression.matches(text, start):
                return True
        return not self.only


@dataclass(frozen=True, slots=True)
class HedgePhrase:
    """
    One phrase, in lower case.

    Attributes:
        words: The phrase.
        category: What it is; None for an exception.
        blocks: Whether a claim with it is blocked.
        language: Whose it is.
        surroundings: What its group asks for; None if nothing.
    """

    words: str
    category: HedgeCategory | None
    blocks: bool
    language: str
    surroundings: Surroundings | None

    def holds(self, text: str, start: int) -> bool:
        """Tell whether the phrase, found at *start* of *text*, is what it looks like."""
        return self.surroundings is None or self.surroundings.allow(text, start)


def check_languages(languages: Sequence[str]) -> tuple[str, ...]:
    """
    Return *languages* without repetitions if there is a lexicon for each.

    Raises:
        TypeError: It is one str, whose letters would be taken for languages.
        ValueError: There is no such language, or none is given.
    """
    if isinstance(languages, str):
        raise TypeError('lexicons must be a sequence of languages, such as ("en", "zh"); got a str')
    unknown = [language for language in languages if language not in LANGUAGES]
    if unknown or not languages:
        given = f"{len(unknown)} that are not" if languages else "none"
        raise ValueError(f"lexicons must be of {', '.join(LANGUAGES)}; got {given}")
    return tuple(dict.fromkeys(languages))


@cache
def load_lexicon(name: str) -> tuple[HedgePhrase, ...]:
    """
    Return the entries of *name*: a language, or "scientific". Read once.

    Raises:
        FileNotFoundError: There is no such lexicon.
    """
    language, section = ("en", name) if name == "scientific" else (name, "hedging")
    tables = read_section(language, section)
    return tuple(entry for group in tables["groups"] for entry in _entries(group, tables, language))


def _entries(group: Mapping[str, Any], tables: Mapping[str, Any], language: str) -> list[HedgePhrase]:
    only, unless = (_expressions(group, key, tables.get("parts", {})) for key in ("only", "unless"))
    surroundings = Surroundings(only, unless) if only or unless else None
    category = HedgeCategory(group["category"]) if "category" in group else None
    blocks = category is not None and ACTIONS[category] is HedgeAction.BLOCK
    words = (phrase for pattern in group["words"].split() for phrase in _phrases(pattern))
    return [HedgePhrase(phrase, category, blocks, language, surroundings) for phrase in words]


def _phrases(pattern: str) -> list[str]:
    """Spell out `{a,b}`; `_` is a blank."""
    pieces = _BRACES.split(pattern.replace("_", " "))
    choices = [piece.split(",") if index % 2 else [piece] for index, piece in enumerate(pieces)]
    return ["".join(choice) for choice in product(*choices)]


def _expressions(group: Mapping[str, Any], key: str, parts: Mapping[str, str]) -> tuple[Expression, ...]:
    """The expressions of a group with their parts filled in; one may stand without a list."""
    value = group.get(key, [])
    expressions = [value] if isinstance(value, str) else value
    for name, part in parts.items():
        expressions = [expression.replace(f"<{name}>", f"(?:{part})") for expression in expressions]
    # Those that do not look back are tried in one go.
    ahead = "|".join(f"(?:{expression})" for expression in expressions if "@" not in expression)
    return tuple(map(Expression, [*filter(None, [ahead]), *(each for each in expressions if "@" in each)]))
