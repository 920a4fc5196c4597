"""What records show of themselves in logs and tracebacks: ids, labels, times and numbers, and of a text its length."""

from collections.abc import Collection, Mapping
from dataclasses import is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, ClassVar

__all__ = ["Textless", "textless"]


class Textless:
    """A record whose `repr` holds no text but that of the fields in `_shown`: ids and labels."""

    __slots__ = ()
    _shown: ClassVar[Collection[str]] = ()

    def __repr__(self) -> str:
        return textless(self, {name: getattr(self, name) for name in getattr(self, "__dataclass_fields__", ())})


def textless(record: object, fields: Mapping[str, object]) -> str:
    """Return the `repr` of a record with these fields, in which a text is its length."""
    shown = getattr(record, "_shown", ())
    said = (f"{name}={value!r}" if name in shown else f"{name}={_size(value)}" for name, value in fields.items())
    return f"{type(record).__name__}({', '.join(said)})"


def _size(value: Any) -> str:
    """What a value shows: itself, if it can hold no text."""
    if value is None or isinstance(value, bool | int | float | datetime | Enum | Textless):
        return repr(value)
    if isinstance(value, str):
        return f"<{len(value)} characters>"
    return f"<{type(value).__name__}>" if is_dataclass(value) or not hasattr(value, "__len__") else f"<{len(value)}>"
