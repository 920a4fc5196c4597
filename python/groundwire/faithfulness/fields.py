"""
Decides which fields of a persona are checked, and reads field keys as words (ruling D7).

A policy is an ordered list of patterns over field paths; the last pattern that matches decides. A path consists of the
keys, joined by dots and without list indices: `background.education.degree`. Keys are compared as lower-case words, so
`createdAt` equals `created_at`. In a pattern, `*` matches one key or a part of it, and `**` any number of keys,
including none. A pattern that matches a field also applies to all fields inside it.
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
"""Keys that only group fields of the person: `demographics.age` is the person's age."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN_WORDS = re.compile(r"[\s_-]+")

_KEPT_KEYS = 1024
"""The size of the caches for keys, which personas share."""

_ES_ENDINGS = ("sses", "shes", "ches", "xes", "zzes")


@lru_cache(maxsize=_KEPT_KEYS)
def folded_key(key: str) -> str:
    """
    Return *key* as lower-case words joined by `_`: `createdAt`, `Created At` and `created-at` give the same result.
    """
    return _BETWEEN_WORDS.sub("_", _CAMEL.sub("_", key.strip())).lower()


def cue_of(keys: Sequence[str]) -> str:
    """
    Return the words for *keys*: `pain_points` gives "pain points".

    Wrappers before other keys are left out, and containers become singular: `background.education.degree` gives
    "education degree", `jobs.title` "job title". Abbreviations keep their capitals.
    """
    containers = [key for key in keys[:-1] if folded_key(key) not in WRAPPERS]
    words = [singular(_words(key)) for key in containers]
    return " ".join([*words, *map(_words, keys[-1:])])


@lru_cache(maxsize=_KEPT_KEYS)
def singular(words: str) -> str:
    """Return *words* with the last one in the singular: `pain points` becomes `pain point`."""
    before, blank, last = words.rpartition(" ")
    return f"{before}{blank}{_singular_word(last)}"


def is_plural(words: str) -> bool:
    """Return whether the last of *words* looks like a plural."""
    last = words.rpartition(" ")[2]
    return _singular_word(last) != last


@lru_cache(maxsize=_KEPT_KEYS)
def _words(key: str) -> str:
    words = _BETWEEN_WORDS.sub(" ", _CAMEL.sub(" ", key.strip())).strip().split(" ")
    # Abbreviations like IT and UX keep their capitals.
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


_MIN_PLURAL_CHARS = 4
"""Shorter words that end in s are not plurals: bus, gas, is."""


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
    """Return irregular plurals with their singulars."""
    pairs = (pair.partition(">") for pair in word_list("en", "fields", "singulars"))
    return {plural: one for plural, _, one in pairs}


_MAX_PATTERN_CHARS = 200


class FieldPolicy(StrEnum):
    """The treatment of the claims of a field."""

    CHECK = "check"
    """The claims are checked against the sources and count."""
    SKIP = "skip"
    """The field makes no claims about the person."""
    SYNTHETIC = "synthetic"
    """The claims are known to be made up, like the name of a composite persona, and do not count."""


_PICTURES = ("image", "avatar", "photo", "picture", "portrait", "thumbnail")

DEFAULT_POLICIES: Mapping[str, FieldPolicy] = dict.fromkeys(
    (
        *("**.id", "uuid", "persona_id", "schema_version", "embedding", "metadata"),
        *("created_at", "updated_at", "modified_at", "generated_at"),
        *(f"{picture}{ending}" for picture in _PICTURES for ending in ("", "_*")),
    ),
    FieldPolicy.SKIP,
)
"""Fields that identify, display or date the record of a persona. All other fields are checked."""

_OWN_NAMES = ("name", "first_name", "last_name", "full_name", "nickname")

COMPOSITE_POLICIES: Mapping[str, FieldPolicy] = dict.fromkeys(
    (f"{container}{name}" for container in ("", *(f"{each}." for each in sorted(WRAPPERS))) for name in _OWN_NAMES),
    FieldPolicy.SYNTHETIC,
)
"""Rules for a persona that represents many people, whose name no source has. They apply only if passed."""


@dataclass(frozen=True)
class FieldPolicies:
    """
    The policies of fields.

    Attributes:
        rules: Patterns with their policies, in order. The last pattern that matches a path decides; a path without a
            match is checked.

    Raises:
        TypeError: A pattern or policy is not a str.
        ValueError: A pattern is empty or too long, has a list index, or has two `*` in one key; or a policy is unknown.
    """

    rules: tuple[tuple[str, FieldPolicy | str], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", tuple((_checked(pattern), _policy(policy)) for pattern, policy in self.rules))

    @classmethod
    def of(
        cls, policies: "Mapping[str, FieldPolicy | str] | FieldPolicies | os.PathLike[str] | None" = None
    ) -> "FieldPolicies":
        """
        Return the defaults followed by *policies*: a mapping of patterns or the path of a TOML file.

        None gives the defaults alone; `FieldPolicies` are returned unchanged. Raises as `read_policies`.
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
        """Return the policy of the field with these keys, list indices left out."""
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
    Return the defaults followed by the rules in the table `policies` of a TOML file.

    Examples are `name = "synthetic"` and `"**.id" = "skip"`. Nested tables form paths: `demographics.age = "skip"` is
    the field `age` of `demographics`.

    Raises:
        OSError: The file cannot be read, or is larger than 1 MiB.
        TypeError, ValueError: The file is not TOML or has no such table; or as `FieldPolicies`.
    """
    return parsed_policies(read_file(path, MAX_SETTINGS_BYTES).decode("utf-8"))


def parsed_policies(text: str) -> FieldPolicies:
    """Return the defaults followed by the rules in a TOML text, as `read_policies` does."""
    import tomllib

    try:
        tables = tomllib.loads(text)
    except RecursionError:
        raise ValueError("TOML is nested too deeply") from None
    rules = tables.get("policies")
    if not isinstance(rules, dict):
        raise ValueError('a policy file needs a table "policies"')
    return FieldPolicies.of(dict(_flattened(rules, "")))


def _flattened(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict):
            yield from _flattened(value, f"{path}.")
        else:
            yield path, value  # type: ignore[misc] # `FieldPolicies.of` checks the values


def _checked(pattern: object) -> str:
    if not isinstance(pattern, str):
        raise TypeError(f"a pattern must be a str, got {type(pattern).__name__}")
    keys = pattern.split(".")
    if not 0 < len(pattern) <= _MAX_PATTERN_CHARS or not all(keys):
        raise ValueError(
            f"a pattern must have 1 to {_MAX_PATTERN_CHARS} characters: keys joined by dots, got {show(pattern)}"
        )
    if "[" in pattern:
        raise ValueError("a pattern has no list indices: `education.degree` covers that field of all items")
    # More wildcards would take long on a hostile key.
    if any(key.count("*") > 1 for key in keys if key != "**") or keys.count("**") > 2:
        raise ValueError("a pattern may have one `*` in a key and two `**`")
    return pattern


def _policy(policy: object) -> FieldPolicy:
    if not isinstance(policy, str):
        raise TypeError(f"a policy must be one of {', '.join(FieldPolicy)}, got {type(policy).__name__}")
    if policy not in set(FieldPolicy):
        raise ValueError(f"a policy must be one of {', '.join(FieldPolicy)}, got {show(policy)}")
    return FieldPolicy(policy)


def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a regular expression for paths whose keys each end with a NUL."""
    pieces = []
    for key in pattern.split("."):
        if key == "**":
            pieces.append(r"(?:[^\0]*\0)*?")
        else:
            pieces.append("[^\0]*".join(re.escape(folded_key(part)) for part in key.split("*")) + r"\0")
    return re.compile("".join(pieces))
