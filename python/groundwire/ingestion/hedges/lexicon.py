r"""
Reads the hedge phrases of a language, with the context that each one requires.

They are the section `hedging` of its lexicon; `scientific` is a section of the English one. A section has a list of
groups. `words` are phrases separated by blanks, with `_` for a blank inside a phrase and `{a,b}` for alternatives.
`only` and `unless` are regular expressions: one of `only` must match, and none of `unless` may. In `left@right` the
phrase starts at the `@`: `right` begins there and `left` ends there; without `@` the whole expression is `right`.
Repetitions need an upper bound (`\w{1,40}`, not `\w+`), because an expression is tried at each phrase of a claim and
must look at a bounded number of characters. Case is ignored, and `<name>` refers to the expression of that name in
`parts`. A group without a category is an exception: a cue inside its words is not a hedge.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cache, cached_property
from itertools import product
from typing import Any

from groundwire.language import read_section

__all__ = ["ACTIONS", "LANGUAGES", "HedgeAction", "HedgeCategory", "HedgePhrase", "check_languages", "load_lexicon"]

LANGUAGES = ("en", "zh", "de", "fr", "es", "ja", "ru")
# The characters to the left of a phrase that an expression can see.
_LOOK_BACK_CHARS = 16
_BRACES = re.compile(r"\{([^{}]*)\}")


class HedgeAction(Enum):
    """The action that hedges require, with the printed values."""

    BLOCK = "block"
    REVIEW = "review"
    CONTINUE = "none"


class HedgeCategory(StrEnum):
    """The printed categories, and one for the opt-in `scientific` lexicon."""

    PERSONAL_SPECULATION = "personal_speculation"
    ADMITTED_UNCERTAINTY = "admitted_uncertainty"
    SUGGESTION = "suggestion"
    TECHNICAL_HEDGE = "technical_hedge"
    APPROXIMATION = "approximation"
    SCIENTIFIC = "scientific"


ACTIONS = {
    HedgeCategory.PERSONAL_SPECULATION: HedgeAction.BLOCK,
    HedgeCategory.ADMITTED_UNCERTAINTY: HedgeAction.BLOCK,
    HedgeCategory.SUGGESTION: HedgeAction.BLOCK,
    HedgeCategory.TECHNICAL_HEDGE: HedgeAction.REVIEW,
    HedgeCategory.APPROXIMATION: HedgeAction.REVIEW,
    HedgeCategory.SCIENTIFIC: HedgeAction.REVIEW,
}


class HedgeExpression:
    """One expression of a lexicon, compiled on first use."""

    def __init__(self, pattern: str) -> None:
        self.left, _, self.right = pattern.rpartition("@")

    def matches(self, text: str, start: int) -> bool:
        """Return whether it matches around a phrase that begins at *start*."""
        # To the right first, because the search to the left tries each place.
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
class HedgeContext:
    """The context that the words of a group require, and the context that excludes them."""

    only: tuple[HedgeExpression, ...]
    unless: tuple[HedgeExpression, ...]

    def allow(self, text: str, start: int) -> bool:
        """Return whether the context of words at *start* is that of their group."""
        # Loops are faster here: generators cost more than these few expressions.
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
        category: Its category; None for an exception.
        blocks: Whether it blocks a claim.
        language: Its language.
        context: The context that its group requires; None without a rule.
    """

    words: str
    category: HedgeCategory | None
    blocks: bool
    language: str
    context: HedgeContext | None

    def holds(self, text: str, start: int) -> bool:
        """Return whether the phrase at *start* of *text* has the context that it needs."""
        return self.context is None or self.context.allow(text, start)


def check_languages(languages: Sequence[str]) -> tuple[str, ...]:
    """
    Return *languages* without repetitions if each has a lexicon.

    Raises:
        TypeError: *languages* is a single str, whose letters would be taken for languages.
        ValueError: A language is unknown, or the list is empty.
    """
    if isinstance(languages, str):
        raise TypeError('lexicons must be a sequence of languages, such as ("en", "zh"); got a str')
    given = tuple(languages)
    unknown = [language for language in given if language not in LANGUAGES]
    if unknown or not given:
        got = f"{len(unknown)} unknown names" if given else "none"
        raise ValueError(f"lexicons must be of {', '.join(LANGUAGES)}; got {got}")
    return tuple(dict.fromkeys(given))


@cache
def load_lexicon(name: str) -> tuple[HedgePhrase, ...]:
    """
    Return the phrases of *name*: a language, or "scientific". Read once.

    Raises:
        FileNotFoundError: An unknown lexicon.
    """
    language, section = ("en", name) if name == "scientific" else (name, "hedging")
    tables = read_section(language, section)
    return tuple(entry for group in tables["groups"] for entry in _entries(group, tables, language))


def _entries(group: Mapping[str, Any], tables: Mapping[str, Any], language: str) -> list[HedgePhrase]:
    only, unless = (_expressions(group, key, tables.get("parts", {})) for key in ("only", "unless"))
    context = HedgeContext(only, unless) if only or unless else None
    category = HedgeCategory(group["category"]) if "category" in group else None
    blocks = category is not None and ACTIONS[category] is HedgeAction.BLOCK
    words = (phrase for pattern in group["words"].split() for phrase in _phrases(pattern))
    return [HedgePhrase(phrase, category, blocks, language, context) for phrase in words]


def _phrases(pattern: str) -> list[str]:
    """Expand `{a,b}`; `_` is a blank."""
    pieces = _BRACES.split(pattern.replace("_", " "))
    choices = [piece.split(",") if index % 2 else [piece] for index, piece in enumerate(pieces)]
    return ["".join(choice) for choice in product(*choices)]


def _expressions(group: Mapping[str, Any], key: str, parts: Mapping[str, str]) -> tuple[HedgeExpression, ...]:
    """Return the expressions of a group with their parts filled in; one alone needs no list."""
    value = group.get(key, [])
    expressions = [value] if isinstance(value, str) else value
    for name, part in parts.items():
        expressions = [expression.replace(f"<{name}>", f"(?:{part})") for expression in expressions]
    # Expressions that do not look back are tried as one.
    ahead = "|".join(f"(?:{expression})" for expression in expressions if "@" not in expression)
    return tuple(map(HedgeExpression, [*filter(None, [ahead]), *(each for each in expressions if "@" in each)]))
