"""
Who comes in: personas as plain data, whatever they are given as.

Plain data is what JSON knows: dict with str keys, list, str, int, float, bool, None.
The order of fields and of list items is kept. Ruling D11.
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
"""So many containers inside of each other, the persona itself included."""

MAX_PERSONA_VALUES = 1_000_000
"""The maximum number of values in one call: objects that share parts grow with each level when they are written out."""

_MAX_DIGITS = 4_000
"""Python refuses to write longer integers."""

_FILE_NAME = re.compile(r"[^\r\n{}\[\]\"]{0,4000}\.(?:json|ya?ml)[ \t]*", re.IGNORECASE)


def read_personas(personas: object) -> list[Persona]:
    """
    Return *personas* as plain data, in their order.

    Args:
        personas: One persona, a list of them, or an object whose `personas` is such a
            list (what stands beside it is not read). Each a mapping, a dataclass or a
            pydantic model. A str is JSON or YAML, never the name of a file; a path is a file
            of either in UTF-8.

    Raises:
        PersonaError: It is broken JSON or YAML, a document or a web page, no object, cyclic,
            nested in more than 64 levels, has more than a million values, a number that is not finite, or a value of
            another type. Says where, and never what.
        TypeError: *personas* is nothing that personas can be read from.
        ValueError: It is a str that looks like the name of a file.
        OSError: The file cannot be read, or has more than 256 MiB (`GROUNDWIRE_MAX_FILE_BYTES` sets another limit).
        ImportError: It is YAML, and PyYAML is not installed; the message says what to install.
    """
    written_out = _Plain().written_out(_loaded(personas), "")
    listed = written_out.get("personas") if isinstance(written_out, dict) else None
    if isinstance(listed, list):
        return _list_of(listed, "personas")
    if listed is not None and isinstance(written_out, dict) and len(written_out) == 1:
        # A persona whose one field is called so is none.
        raise PersonaError(f"personas must be a list, got {_type(listed)}")
    return _list_of(written_out if isinstance(written_out, list) else [written_out], "")


def _loaded(personas: object) -> object:
    """Return what JSON or a file holds; anything else as it is."""
    if isinstance(personas, str):
        if _FILE_NAME.fullmatch(personas):
            raise ValueError("personas looks like the name of a file; give a pathlib.Path")
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
    Return what a text of JSON or YAML holds.

    Args:
        text: The text. What begins like YAML is YAML, unless the file is called .json.
        suffix: The end of its file's name, if there is one.

    Raises:
        PersonaError: It is broken, or a web page. Has line and column.
        ImportError: PyYAML is not installed.
    """
    _refuse(markup_kind(text))
    suffix = suffix.lower()
    if suffix in (".yaml", ".yml") or (suffix != ".json" and looks_like_yaml(text)):
        return _parsed_yaml(text)
    shown = text.removeprefix("\ufeff")
    if len(shown) > MAX_LINE_CHARS:
        raise PersonaError(f"JSON of more than {MAX_LINE_CHARS:,} characters")
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
        raise PersonaError(f"personas are JSON or YAML, and this looks like {kind.words}")


def _decoded(content: bytes) -> str:
    _refuse(unreadable_kind(content))
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
    # Out here the new exception has no context: a UnicodeDecodeError carries the whole file.
    raise PersonaError("not UTF-8; the column counts bytes", line, column)


class _Plain:
    """One walk through what was given; it ends where the same object stands inside of itself."""

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
            raise PersonaError(f"{path or 'a persona'} holds itself")
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
    """Return the fields or items of *given*, None if it is no container."""
    if isinstance(given, str | bytes | bytearray | memoryview | Enum):
        return None
    if isinstance(given, tuple) and hasattr(given, "_asdict"):
        return given._asdict()  # type: ignore[no-any-return]
    if isinstance(given, Mapping | list | tuple):
        return given
    if isinstance(given, Set):
        # A set has no order; with this one, reports are the same each time.
        return sorted(given, key=str)
    if dataclasses.is_dataclass(given) and not isinstance(given, type):
        return {field.name: getattr(given, field.name) for field in dataclasses.fields(given)}
    dump = None if isinstance(given, type) else getattr(given, "model_dump", None)
    return None if dump is None else _dumped(given)


def _dumped(model: object) -> "Mapping[object, object]":
    """Return the fields of a pydantic model as JSON has them."""
    try:
        dumped = model.model_dump(mode="json")  # type: ignore[attr-defined]
    except (ValueError, RecursionError) as error:
        reason = type(error).__name__
    else:
        return dumped if isinstance(dumped, Mapping) else {"value": dumped}
    # pydantic's own message may hold values.
    raise PersonaError(f"a model of type {_type(model)} cannot be written out, or holds itself ({reason})")


def _scalar(given: object, path: str) -> Value:
    """Return a value that is no container as JSON would have it."""
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
    raise PersonaError(f"{path or 'a persona'} must be something that JSON has, got {_type(given)}")


def _number(given: int | float | Decimal, path: str) -> int | float:
    if not isinstance(given, int) and not math.isfinite(given):
        raise PersonaError(f"{path} must be a finite number")
    if isinstance(given, Decimal):
        return float(given) if given.adjusted() > _MAX_DIGITS or given % 1 else int(given)
    if isinstance(given, int) and given.bit_length() > _MAX_DIGITS * 3:
        raise PersonaError(f"{path} has too many digits")
    return int(given) if isinstance(given, int) else float(given)


def _shown(name: str) -> str:
    shown = show(name)
    return name if shown.startswith('"') else shown


def _type(value: object) -> str:
    return "null" if value is None else type(value).__name__
