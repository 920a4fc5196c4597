"""
Reads personas as plain data from JSON, YAML, files and Python objects (ruling D11).

Plain data has the types of JSON: dict with str keys, list, str, int, float, bool and None. Fields and list items keep
their order.
"""

import codecs
import dataclasses
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

from groundwire.delimited import MAX_LINE_CHARS
from groundwire.errors import PersonaError
from groundwire.file_kinds import FileKind, markup_kind, unreadable_kind
from groundwire.files import read_file
from groundwire.labels import show
from groundwire.structured_text import (
    BrokenJsonError,
    BrokenYamlError,
    looks_like_yaml,
    position_of,
    read_json,
    read_yaml,
)

__all__ = ["MAX_DEPTH", "MAX_PERSONA_VALUES", "Persona", "Value", "parsed_personas", "read_personas"]

Value: TypeAlias = "dict[str, Value] | list[Value] | str | int | float | bool | None"
Persona: TypeAlias = "dict[str, Value]"

MAX_DEPTH = 64
"""The maximum depth of nested containers, including the persona itself."""

MAX_PERSONA_VALUES = 1_000_000
"""The maximum number of values in one call. Objects that share parts grow with each level when they are expanded."""

_MAX_DIGITS = 4_000
"""Python refuses to print integers with more digits."""

_FILE_NAME = re.compile(r"[^\r\n{}\[\]\"]{0,4000}\.(?:json|ya?ml)[ \t]*", re.IGNORECASE)


def read_personas(personas: object) -> list[Persona]:
    """
    Return *personas* as plain data, in order.

    Args:
        personas: One persona, a list of personas, or an object whose `personas` is such a list (its other keys are
            ignored). A persona is a mapping, a dataclass or a pydantic model. A str is JSON or YAML text, never a file
            name; a path names a file with either, in UTF-8.

    Raises:
        PersonaError: The text is not valid JSON or YAML, or is a document or web page. Or a persona is not an object,
            is cyclic, is nested deeper than 64 levels, or has a number that is not finite or a value of another type.
            Or there are more than a million values. The message has the location, but no value.
        TypeError: *personas* has another type.
        ValueError: A str looks like a file name.
        OSError: The file cannot be read, or is larger than 256 MiB (`GROUNDWIRE_MAX_FILE_BYTES` changes the limit).
        ImportError: The text is YAML, and PyYAML is not installed; the message says what to install.
    """
    written_out = _Plain().written_out(_loaded(personas), "")
    listed = written_out.get("personas") if isinstance(written_out, dict) else None
    if isinstance(listed, list):
        return _list_of(listed, "personas")
    if listed is not None and isinstance(written_out, dict) and len(written_out) == 1:
        # An object with `personas` as its only field is not a persona.
        raise PersonaError(f"personas must be a list, got {_type(listed)}")
    return _list_of(written_out if isinstance(written_out, list) else [written_out], "")


def _loaded(personas: object) -> object:
    """Return the content of a text or file; other objects unchanged."""
    if isinstance(personas, str):
        if _FILE_NAME.fullmatch(personas):
            raise ValueError("personas looks like a file name; pass a pathlib.Path")
        return parsed_personas(personas)
    if isinstance(personas, os.PathLike):
        path = Path(personas)
        return parsed_personas(_decoded(read_file(path)), path.suffix)
    if _parts_of(personas) is None:
        raise TypeError(f"personas must be a mapping, a list, an object, JSON or a path, got {_type(personas)}")
    return personas


def _list_of(items: Value, name: str) -> list[Persona]:
    assert isinstance(items, list)
    found = []
    for place, item in enumerate(items):
        if not isinstance(item, dict):
            where = f"{name}[{place}]" if name or len(items) > 1 else "a persona"
            raise PersonaError(f"{where} must be an object with fields, got {_type(item)}")
        found.append(item)
    return found


def parsed_personas(text: str, suffix: str = "") -> object:
    """
    Return the content of a JSON or YAML text.

    Args:
        text: The text. A text that starts like YAML is read as YAML, unless *suffix* is .json.
        suffix: The suffix of the file name, if there is one.

    Raises:
        PersonaError: The text is broken, or a web page. The error has line and column.
        ImportError: PyYAML is not installed.
    """
    _refuse(markup_kind(text))
    suffix = suffix.lower()
    if suffix in (".yaml", ".yml") or (suffix != ".json" and looks_like_yaml(text)):
        return _parsed_yaml(text)
    shown = text.removeprefix("\ufeff")
    if len(shown) > MAX_LINE_CHARS:
        raise PersonaError(f"JSON has more than {MAX_LINE_CHARS:,} characters")
    try:
        return read_json(shown)
    except BrokenJsonError as error:
        raise PersonaError(f"broken JSON: {error.reason}", *position_of(shown, error.position)) from None


def _parsed_yaml(text: str) -> object:
    try:
        return read_yaml(text, max_depth=MAX_DEPTH, max_values=MAX_PERSONA_VALUES)
    except BrokenYamlError as error:
        raise PersonaError(f"broken YAML: {error.reason}", error.line, error.column) from None


def _refuse(kind: FileKind | None) -> None:
    if kind is not None:
        raise PersonaError(f"personas must be JSON or YAML, and this looks like {kind.words}")


def _decoded(content: bytes) -> str:
    _refuse(unreadable_kind(content))
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
    # Raised here, the new exception has no context: a UnicodeDecodeError contains the whole file.
    raise PersonaError("not UTF-8 (the column counts bytes)", line, column)


class _Plain:
    """Converts one input to plain data and stops at cycles."""

    def __init__(self) -> None:
        self._open: set[int] = set()
        self._values = 0

    def written_out(self, given: object, path: str) -> Value:
        self._values += 1
        if self._values > MAX_PERSONA_VALUES:
            raise PersonaError(f"more than {MAX_PERSONA_VALUES:,} values")
        parts = _parts_of(given)
        if parts is None:
            return _scalar(given, path)
        if id(given) in self._open:
            raise PersonaError(f"{path or 'a persona'} contains itself")
        if len(self._open) == MAX_DEPTH:
            raise PersonaError(f"nested in more than {MAX_DEPTH} levels")
        self._open.add(id(given))
        value: Value
        if isinstance(parts, Sequence):
            value = [self.written_out(item, f"{path}[{place}]") for place, item in enumerate(parts)]
        else:
            value = dict(self._fields(parts, path))
        self._open.remove(id(given))
        return value

    def _fields(self, parts: "Mapping[object, object]", path: str) -> Iterator[tuple[str, Value]]:
        for key, value in parts.items():
            if not isinstance(key, str):
                raise PersonaError(f"the keys of {path or 'a persona'} must be str, got {_type(key)}")
            name = str(key.value) if isinstance(key, Enum) else str(key)
            yield name, self.written_out(value, f"{path}.{_shown(name)}" if path else _shown(name))


def _parts_of(given: object) -> "Mapping[object, object] | Sequence[object] | None":
    """Return the fields or items of *given*; None if it is not a container."""
    if isinstance(given, str | bytes | bytearray | memoryview | Enum):
        return None
    if isinstance(given, tuple) and hasattr(given, "_asdict"):
        return given._asdict()  # type: ignore[no-any-return] # a named tuple returns a dict
    if isinstance(given, Mapping | list | tuple):
        return given
    if isinstance(given, Set):
        # Sets have no order; sorting keeps reports reproducible.
        return sorted(given, key=str)
    if dataclasses.is_dataclass(given) and not isinstance(given, type):
        return {field.name: getattr(given, field.name) for field in dataclasses.fields(given)}
    dump = None if isinstance(given, type) else getattr(given, "model_dump", None)
    return None if dump is None else _dumped(given)


def _dumped(model: object) -> "Mapping[object, object]":
    """Return the fields of a pydantic model in JSON types."""
    try:
        dumped = model.model_dump(mode="json")  # type: ignore[attr-defined] # the caller has looked it up
    except (ValueError, RecursionError) as error:
        reason = type(error).__name__
    else:
        return dumped if isinstance(dumped, Mapping) else {"value": dumped}
    # pydantic's own message may contain values.
    raise PersonaError(f"a model of type {_type(model)} cannot be converted to JSON, or contains itself ({reason})")


def _scalar(given: object, path: str) -> Value:
    """Return a scalar as JSON has it."""
    if isinstance(given, Enum):
        given = given.value
    if given is None or isinstance(given, bool | str):
        return str(given) if isinstance(given, str) else given
    if isinstance(given, date | datetime | time):
        return given.isoformat()
    if isinstance(given, UUID):
        return str(given)
    if isinstance(given, int | float | Decimal):
        return _number(given, path)
    raise PersonaError(f"{path or 'a persona'} must have a type of JSON, got {_type(given)}")


def _number(given: int | float | Decimal, path: str) -> int | float:
    if isinstance(given, Decimal):
        # A whole number stays exact, unless writing it out would take too many digits.
        is_whole = given.is_finite() and given.adjusted() < _MAX_DIGITS and given == given.to_integral_value()
        given = int(given) if is_whole else float("nan") if given.is_snan() else float(given)
    if isinstance(given, float) and not math.isfinite(given):
        raise PersonaError(f"{path} must be a finite number")
    if isinstance(given, int) and given.bit_length() > _MAX_DIGITS * 3:
        raise PersonaError(f"{path} has too many digits")
    return int(given) if isinstance(given, int) else float(given)


def _shown(name: str) -> str:
    shown = show(name)
    return name if shown.startswith('"') else shown


def _type(value: object) -> str:
    return "null" if value is None else type(value).__name__
