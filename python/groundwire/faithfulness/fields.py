"""
Which fields of a persona are checked (ruling D7).

A policy is data: patterns over the paths of fields, in an order in which the last one
that matches decides. A path is its keys with dots between them, list items without
their number: `background.education.degree`. Keys are compared as words in small
letters, so `createdAt` is `created_at`. In a pattern `*` is one key or a part of one,
`**` any number of keys, also none. A pattern that matches a field decides on all
fields inside of it too.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property, lru_cache

from groundwire.files import MAX_SETTINGS_BYTES, read_file
from groundwire.labels import show
from groundwire.language import word_list

__all__ = [
    "COMPOSITE_POLICIES",
    "DEFAULT_POLICIES",
    "WRAPPERS",
    "FieldPolicies",
    "FieldPolicy",
    "cue_of",
    "folded_key",
    "is_plural",
    "read_policies",
    "singular",
]

_CONTAINERS = """
persona profile demographics demographic identity personal personal_info personal_details basic_info basics
attributes traits characteristics details info background psychographics behavior behaviors behaviour behaviours
"""
WRAPPERS = frozenset(_CONTAINERS.split())
"""Keys that hold fields of the person, and say nothing of their own: `demographics.age` is the person's age."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN_WORDS = re.compile(r"[\s_-]+")

_KEPT_KEYS = 1024
"""Personas share the keys of their fields."""

_ES_ENDINGS = ("sses", "shes", "ches", "xes", "zzes")


@lru_cache(maxsize=_KEPT_KEYS)
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


@lru_cache(maxsize=_KEPT_KEYS)
def singular(words: str) -> str:
    """Return *words* with the last one as one of its kind: `pain points` is `pain point`."""
    before, blank, last = words.rpartition(" ")
    return f"{before}{blank}{_singular_word(last)}"


def is_plural(words: str) -> bool:
    """Tell whether the last of *words* looks like more than one of its kind."""
    last = words.rpartition(" ")[2]
    return _singular_word(last) != last


@lru_cache(maxsize=_KEPT_KEYS)
def _words(key: str) -> str:
    words = _BETWEEN_WORDS.sub(" ", _CAMEL.sub(" ", key.strip())).strip().split(" ")
    # IT and UX stay what they are.
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


_MIN_PLURAL_CHARS = 4
"""A shorter word with an s at its end is no plural: bus, gas, is."""


def _singular_word(word: str) -> str:
    if word in _irregular():
        return _irregular()[word]
    if len(word) < _MIN_PLURAL_CHARS or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word in word_list("en", "fields", "no_plurals"):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y" if len(word) > _MIN_PLURAL_CHARS else word[:-1]
    return word[:-2] if word.endswith(_ES_ENDINGS) else word[:-1]


@cache
def _irregular() -> dict[str, str]:
    """Plurals that are not what the rules take them for, with their singulars."""
    pairs = (pair.partition(">") for pair in word_list("en", "fields", "singulars"))
    return {plural: one for plural, _, one in pairs}


_MAX_PATTERN_CHARS = 200


class FieldPolicy(StrEnum):
    """What is done with the claims of a field."""

    CHECK = "check"
    """They are compared with the sources, and count."""
    SKIP = "skip"
    """There are none: it says nothing about a person."""
    SYNTHETIC = "synthetic"
    """They are known to be made up, such as the name of a persona that stands for many people; they do not count."""


_PICTURES = ("image", "avatar", "photo", "picture", "portrait", "thumbnail")

DEFAULT_POLICIES: Mapping[str, FieldPolicy] = dict.fromkeys(
    (
        *("**.id", "uuid", "persona_id", "schema_version", "embedding", "metadata"),
        *("created_at", "updated_at", "modified_at", "generated_at"),
        *(f"{picture}{ending}" for picture in _PICTURES for ending in ("", "_*")),
    ),
    FieldPolicy.SKIP,
)
"""What identifies, shows or dates the record of a persona and not the person. Everything else is checked."""

_OWN_NAMES = ("name", "first_name", "last_name", "full_name", "nickname")

COMPOSITE_POLICIES: Mapping[str, FieldPolicy] = dict.fromkeys(
    (f"{container}{name}" for container in ("", *(f"{each}." for each in sorted(WRAPPERS))) for name in _OWN_NAMES),
    FieldPolicy.SYNTHETIC,
)
"""For a persona that stands for many people: nobody in the sources has its name. Not in use unless it is given."""


@dataclass(frozen=True)
class FieldPolicies:
    """
    The policy of each field.

    Attributes:
        rules: Patterns with what they decide, in order. The last that matches a path
            decides on it, and a path that none matches is checked.

    Raises:
        TypeError: A pattern is no str, or a policy none.
        ValueError: A pattern is empty, too long, has a list index or two `*` in one key,
            or there is no such policy.
    """

    rules: tuple[tuple[str, FieldPolicy | str], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", tuple((_checked(pattern), _policy(policy)) for pattern, policy in self.rules))

    @classmethod
    def of(
        cls, policies: "Mapping[str, FieldPolicy | str] | FieldPolicies | str | os.PathLike[str] | None" = None
    ) -> "FieldPolicies":
        """
        Return *policies* after the defaults: a mapping of patterns, or a path of a TOML file.

        None is the defaults alone; a `FieldPolicies` is taken as it is. Raises as `read_policies`.
        """
        if isinstance(policies, FieldPolicies):
            return policies
        if isinstance(policies, os.PathLike):
            return read_policies(policies)
        if policies is None:
            policies = {}
        if not isinstance(policies, Mapping):
            raise TypeError(f"policies must be a mapping of patterns or a path, got {type(policies).__name__}")
        return cls((*DEFAULT_POLICIES.items(), *policies.items()))

    def policy(self, keys: Sequence[str]) -> FieldPolicy:
        """Return what is done with the field that *keys* lead to, list items left out."""
        words = "".join([f"{folded_key(key)}\0" for key in keys])
        if words not in self._decided:
            if len(self._decided) >= _KEPT_KEYS:
                self._decided.clear()
            matching = (policy for pattern, policy in reversed(self._compiled) if pattern.match(words))
            self._decided[words] = next(matching, FieldPolicy.CHECK)
        return self._decided[words]

    @cached_property
    def _decided(self) -> dict[str, FieldPolicy]:
        return {}

    @cached_property
    def _compiled(self) -> list[tuple[re.Pattern[str], FieldPolicy]]:
        return [(_compiled(pattern), FieldPolicy(policy)) for pattern, policy in self.rules]


def read_policies(path: str | os.PathLike[str]) -> FieldPolicies:
    """
    Return the defaults, then the rules of a TOML file: its table `policies`.

    `name = "synthetic"`, `"**.id" = "skip"`; tables inside are paths, so that
    `demographics.age = "skip"` is the field `age` of `demographics`.

    Raises:
        OSError: It cannot be read, or has more than 1 MiB.
        TypeError, ValueError: It is no TOML, has no such table, or as `FieldPolicies`.
    """
    return parsed_policies(read_file(path, MAX_SETTINGS_BYTES).decode("utf-8"))


def parsed_policies(text: str) -> FieldPolicies:
    """Return the defaults, then the rules of a text of TOML; see `read_policies`."""
    import tomllib

    try:
        tables = tomllib.loads(text)
    except RecursionError:
        raise ValueError("TOML is nested too deeply") from None
    rules = tables.get("policies")
    if not isinstance(rules, dict):
        raise ValueError('a file of policies needs a table "policies"')
    return FieldPolicies.of(dict(_flattened(rules, "")))


def _flattened(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict):
            yield from _flattened(value, f"{path}.")
        else:
            yield path, value  # type: ignore[misc]


def _checked(pattern: object) -> str:
    if not isinstance(pattern, str):
        raise TypeError(f"a pattern must be a str, got {type(pattern).__name__}")
    keys = pattern.split(".")
    if not 0 < len(pattern) <= _MAX_PATTERN_CHARS or not all(keys):
        raise ValueError(
            f"a pattern is 1 to {_MAX_PATTERN_CHARS} characters of keys with dots between, got {show(pattern)}"
        )
    if "[" in pattern:
        raise ValueError("a pattern names no list items: `education.degree` is that field of all of them")
    # More of them take long on a key that somebody made for it.
    if any(key.count("*") > 1 for key in keys if key != "**") or keys.count("**") > 2:
        raise ValueError("a pattern has one `*` in a key at most, and two `**`")
    return pattern


def _policy(policy: object) -> FieldPolicy:
    if not isinstance(policy, str):
        raise TypeError(f"a policy must be one of {', '.join(FieldPolicy)}, got {type(policy).__name__}")
    if policy not in set(FieldPolicy):
        raise ValueError(f"a policy must be one of {', '.join(FieldPolicy)}, got {show(policy)}")
    return FieldPolicy(policy)


def _compiled(pattern: str) -> re.Pattern[str]:
    """Match paths whose keys each end with a NUL."""
    pieces = []
    for key in pattern.split("."):
        if key == "**":
            pieces.append(r"(?:[^\0]*\0)*?")
        else:
            pieces.append("[^\0]*".join(re.escape(folded_key(part)) for part in key.split("*")) + r"\0")
    return re.compile("".join(pieces))
