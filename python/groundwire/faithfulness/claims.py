"""
Extracts the claims of a persona: one for each value, list item and statement.

The fields that the specification names have its wording ("Claim Extraction"); other fields have the same form (ruling
D7). null, blank texts and empty containers make no claim.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from groundwire.faithfulness.fields import WRAPPERS, FieldPolicies, FieldPolicy, cue_of, folded_key, is_plural, singular
from groundwire.faithfulness.personas import Persona, Value, read_personas
from groundwire.faithfulness.statements import is_narrative, statements_of
from groundwire.language.values import MAX_VALUE_CHARS, read_values

__all__ = ["ClaimExtractor", "ClaimKind", "PersonaClaim", "flag_of"]

_QUOTE_FIELDS = frozenset({"quote", "quotes", "quotation", "quotations", "verbatim", "verbatims", "said"})
_NAME_FIELDS = frozenset({"name", "names", "nickname", "surname", "forename", "firstname", "lastname", "fullname"})
_OWN = ("first", "middle", "last", "full", "given", "family", "preferred", "display", "person", "user")
# The words of the fields with the person's own names; `company.name` has the words "company name".
_OWN_NAMES = _NAME_FIELDS | {f"{word} name" for word in _OWN}
# These are not names of people or things in research.
_NO_NAMES = frozenset({"file_name", "filename", "user_name", "username"})

_AMOUNT = r"[-+−]?\d{1,3}(?:[,.' \u00a0\u202f]\d{3}){1,6}(?:[.,]\d{1,9})?|[-+−]?\d{1,15}(?:[.,]\d{1,9})?"
_CURRENCY = r"[$€£¥₹]|(?:USD|EUR|GBP|CHF|JPY|INR)"
_ONE = rf"(?:(?:{_CURRENCY})\s?)?(?:{_AMOUNT})(?:\s?(?:[kKMB]|{_CURRENCY}|%))?\+?"
# One or two lower-case words after a number are its unit (5 years, 40 hours/week); capitalised ones are a street or
# title.
_WORD = r"[a-zà-öø-ÿ\u3040-\u9fff]{1,15}"
_UNIT = rf"(?<!%)(?:\s?{_WORD}\.?(?:(?:\s|/|\sper\s|-){_WORD})?)?"
_NUMBER = re.compile(rf"(?:[~≈<>≤≥]\s?)?{_ONE}(?:\s?(?:-|–|—|to|and)\s?{_ONE})?(?:{_UNIT})?")

_DATE = re.compile(
    r"\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}[0-9:.]{0,12}(?:Z|[+-]\d{2}:?\d{2})?)?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
)

_FLAGS = {"yes": True, "true": True, "no": False, "false": False}
_PAIRS = {'"': '"', "'": "'", "“": "”", "„": "“", "‘": "’", "«": "»", "»": "«", "「": "」", "『": "』"}


def _is_quote_field(key: str) -> bool:
    """Return whether a field with this folded key holds a quotation: `quote`, `key_quotes`."""
    return key.rpartition("_")[2] in _QUOTE_FIELDS


def _is_name_field(key: str) -> bool:
    """Return whether a field with this folded key holds a name: `name`, `first_name`, `company_name`."""
    return key.rpartition("_")[2] in _NAME_FIELDS and key not in _NO_NAMES


def _is_number(line: str) -> bool:
    """Return whether *line* is a number or range, optionally with a unit: `34`, `30-35`, `$80,000`, `5 years`."""
    return len(line) <= MAX_VALUE_CHARS and not _is_date(line) and _NUMBER.fullmatch(line) is not None


def _is_date(line: str) -> bool:
    """Return whether *line* is a date, or a month with a year."""
    if len(line) > MAX_VALUE_CHARS or not any(map(str.isdecimal, line)):
        return False
    if _DATE.fullmatch(line) is not None:
        return True
    dates = read_values(line, language="en").dates
    return len(dates) == 1 and dates[0].date.month is not None and (dates[0].start, dates[0].end) == (0, len(line))


def flag_of(line: str) -> bool | None:
    """Return True for yes, False for no, and None for any other *line*."""
    return _FLAGS.get(line.lower())


def _unquoted(line: str) -> str:
    """Return *line* without the quotation marks that enclose all of it."""
    inside = line[1:-1].strip()
    is_around = len(line) > 2 and _PAIRS.get(line[0]) == line[-1] and line[0] not in inside
    return inside if is_around and inside else line


class _StatementSplitter(Protocol):
    """Returns the statements of a text; None if it is not prose."""

    def __call__(self, text: str, *, is_item: bool) -> list[str] | None: ...


class ClaimKind(StrEnum):
    """The kind of a claim's value."""

    NAME = "name"
    """A name of the person, or of something related to the person."""
    NUMBER = "number"
    """A number or a range of numbers, optionally with a unit."""
    DATE = "date"
    FLAG = "flag"
    """Yes or no."""
    QUOTE = "quote"
    """A quotation of the person."""
    ATTRIBUTE = "attribute"
    """Any other short text."""
    ITEM = "item"
    """A short text in a list."""
    STATEMENT = "statement"
    """A sentence of prose, or an independent part of one."""


@dataclass(frozen=True, slots=True)
class PersonaClaim:
    """
    A single claim about a person.

    Attributes:
        text: The claim as a sentence: "Occupation is Marketing Manager".
        path: The location in the persona: `goals[0]`, `background.education[0].degree`. A key that is not a plain word
            is in brackets and double quotes: `skills["C++"]`.
        value: The claimed value as text: "Marketing Manager", "34", "yes".
        kind: The kind of *value*.
        cue: The words of the field, which sources must mention beside the value. Empty for quotes and for prose such as
            that of `bio`.
        policy: Whether the claim counts: "check" or "synthetic".
    """

    text: str = field(repr=False)
    path: str = field(repr=False)
    value: str = field(repr=False)
    kind: ClaimKind
    cue: str = field(repr=False)
    policy: FieldPolicy = FieldPolicy.CHECK

    @property
    def is_own_name(self) -> bool:
        """Whether the value is a name of the person, and not of a company, a pet or the like."""
        return self.kind is ClaimKind.NAME and self.cue.lower() in _OWN_NAMES


class ClaimExtractor:
    """
    Extracts the claims of personas.

    Args:
        policies: The policy of each field ("check", "skip" or "synthetic"): a mapping of patterns or the path of a TOML
            file with a table `policies`, both applied after the defaults; or `FieldPolicies`, which replace the
            defaults.

    Raises:
        TypeError, ValueError: The policies are invalid.
        OSError: The file cannot be read.
    """

    def __init__(
        self, *, policies: Mapping[str, FieldPolicy | str] | FieldPolicies | os.PathLike[str] | None = None
    ) -> None:
        self.policies = FieldPolicies.of(policies)

    def extract(self, persona: object) -> list[PersonaClaim]:
        """
        Return the claims of one persona, in the order of its fields.

        Args:
            persona: A single persona in any form that `read_personas` takes.

        Raises:
            PersonaError, TypeError, OSError: As `read_personas`.
            ValueError: As `read_personas`; also for more or less than one persona.
        """
        personas = read_personas(persona)
        if len(personas) != 1:
            raise ValueError(f"extract takes one persona, got {len(personas)}; use extract_parsed for each of several")
        return self.extract_parsed(personas[0])

    def extract_parsed(self, persona: Persona, *, splitter: _StatementSplitter = statements_of) -> list[PersonaClaim]:
        """
        Return the claims of one persona that `read_personas` returned.

        Args:
            persona: The persona.
            splitter: A replacement for `statements_of`.
        """
        return [claim for key, value in persona.items() for claim in self._claims(_Field.of(key), value, splitter)]

    def prose(self, persona: Persona) -> list[str]:
        """Return the prose texts of *persona* that are checked, in the order of its fields."""
        found = []

        def note(text: str, *, is_item: bool) -> list[str] | None:
            statements = statements_of(text, is_item=is_item)
            if statements is not None:
                found.append(text)
            return statements

        self.extract_parsed(persona, splitter=note)
        return found

    def _claims(self, place: "_Field", value: Value, splitter: _StatementSplitter) -> Iterator[PersonaClaim]:
        # A part of a skipped container may have another policy.
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from self._claims(place.member(key), inner, splitter)
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                yield from self._claims(place.item(index), inner, splitter)
        elif value is not None and (policy := self.policies.policy(place.keys)) is not FieldPolicy.SKIP:
            yield from _claims_of(place, value, policy, splitter)


class _Field(NamedTuple):
    """A location in a persona: its path, its keys, and whether it is a list item."""

    path: str
    keys: tuple[str, ...]
    is_item: bool

    @classmethod
    def of(cls, key: str) -> "_Field":
        return cls(key if _is_plain(key) else _bracketed(key), (key,), is_item=False)

    def member(self, key: str) -> "_Field":
        path = f"{self.path}.{key}" if _is_plain(key) else f"{self.path}{_bracketed(key)}"
        return _Field(path, (*self.keys, key), is_item=False)

    def item(self, index: int) -> "_Field":
        return _Field(f"{self.path}[{index}]", self.keys, is_item=True)

    @property
    def name(self) -> str:
        """The key that selects a printed wording; "" for a field that does not describe the person."""
        is_own = all(folded_key(key) in WRAPPERS for key in self.keys[:-1])
        return folded_key(self.keys[-1]) if is_own else ""


def _is_plain(key: str) -> bool:
    return key.replace("-", "_").isidentifier()


def _bracketed(key: str) -> str:
    escaped = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'["{escaped}"]'


def _claims_of(
    place: _Field, value: str | int | float | bool, policy: FieldPolicy, splitter: _StatementSplitter
) -> Iterator[PersonaClaim]:
    """Yield the claims of one scalar."""
    cue = singular(cue_of(place.keys)) if place.is_item else cue_of(place.keys)
    line = " ".join(value.split()) if isinstance(value, str) else ""
    flag = value if isinstance(value, bool) else flag_of(line)
    if flag is not None:
        kind, shown = ClaimKind.FLAG, "yes" if flag else "no"
    elif isinstance(value, str):
        yield from _claims_of_text(place, line, value, cue, policy, splitter)
        return
    else:
        kind, shown = ClaimKind.NUMBER, written(value)
    yield PersonaClaim(_sentence(place, shown, kind, cue), place.path, shown, kind, cue, policy)


def _claims_of_text(
    place: _Field, line: str, text: str, cue: str, policy: FieldPolicy, splitter: _StatementSplitter
) -> Iterator[PersonaClaim]:
    if not line:
        return
    last = folded_key(place.keys[-1])
    if _is_quote_field(last):
        quote = _unquoted(line)
        yield PersonaClaim(f"Person said: {line}", place.path, quote, ClaimKind.QUOTE, "", policy)
        return
    kind = _kind(place, last, line)
    statements = None
    if kind in (ClaimKind.ATTRIBUTE, ClaimKind.ITEM):
        statements = splitter(text, is_item=place.is_item)
    if statements is None:
        yield PersonaClaim(_sentence(place, line, kind, cue), place.path, line, kind, cue, policy)
        return
    head = f"{_capital(cue)}: "
    if is_narrative(last):
        head = cue = ""
    for statement in statements:
        yield PersonaClaim(f"{head}{statement}", place.path, statement, ClaimKind.STATEMENT, cue, policy)


def _kind(place: _Field, last: str, line: str) -> ClaimKind:
    if _is_number(line):
        return ClaimKind.NUMBER
    if _is_date(line):
        return ClaimKind.DATE
    if _is_name_field(last):
        return ClaimKind.NAME
    return ClaimKind.ITEM if place.is_item else ClaimKind.ATTRIBUTE


def _sentence(place: _Field, shown: str, kind: ClaimKind, cue: str) -> str:
    """Return the claim in the printed wording of its field, or in the same form."""
    if place.is_item:
        return f"{_capital(cue)}: {shown}"
    if place.name in ("name", "full_name"):
        return f"Person is named {shown}"
    if place.name == "age" and kind is ClaimKind.NUMBER and shown.isdigit():
        return f"Person is {shown} years old"
    if kind is ClaimKind.FLAG or is_plural(cue):
        return f"{_capital(cue)}: {shown}"
    return f"{_capital(cue)} is {shown}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


_WHOLE_BELOW = 1e15
"""A smaller float without a fraction is written as an integer; larger floats are not exact to the last digit."""


def written(number: int | float) -> str:
    """Return *number* in the usual notation: 34 for 34.0."""
    is_whole = isinstance(number, float) and number.is_integer() and abs(number) < _WHOLE_BELOW
    return str(int(number)) if is_whole else str(number)
