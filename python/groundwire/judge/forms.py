"""Forms that a model fills in: as a JSON schema for servers, and read from the object that it wrote."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from groundwire.judge.failures import FailureCode, JudgeError

__all__ = [
    "FORMATS",
    "Form",
    "Json",
    "object_schema",
    "read_share",
    "read_text",
    "response_formats",
    "share_schema",
    "text_schema",
]

Json = dict[str, object]
_Read = TypeVar("_Read")

FORMATS = 4
"""So many ways there are to hold a model to a form."""


@dataclass(frozen=True, slots=True)
class Form(Generic[_Read]):
    """
    A form.

    Attributes:
        name: What servers call its schema.
        schema: Returns it, with ranges and lengths or without: not every server takes them.
        read: Returns what an object says; raises JudgeError where it is not as the schema
            has it. Nothing is converted, cut or filled in.
    """

    name: str
    schema: Callable[[bool], Json]
    read: Callable[[Json], _Read]


def response_formats(form: "Form[_Read]") -> tuple[Mapping[str, object] | None, ...]:
    """Return how a server is asked to hold a model to *form*, the strictest first."""
    return (
        *(
            {
                "type": "json_schema",
                "json_schema": {"name": form.name, "strict": True, "schema": form.schema(with_limits)},
            }
            for with_limits in (True, False)
        ),
        {"type": "json_object"},
        None,
    )


def object_schema(properties: Mapping[str, Json]) -> Json:
    """Return the schema of an object with these fields and no other, in this order."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def text_schema(max_chars: int, with_limits: bool) -> Json:
    """Return the schema of a text."""
    return {"type": "string", "maxLength": max_chars} if with_limits else {"type": "string"}


def share_schema(with_limits: bool) -> Json:
    """Return the schema of a number from 0 to 1."""
    return {"type": "number", "minimum": 0, "maximum": 1} if with_limits else {"type": "number"}


def read_share(value: object) -> float:
    """Return a number from 0 to 1; numbers are read as float, so what is none of them is a bool or no number."""
    if not isinstance(value, float) or not 0.0 <= value <= 1.0:
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    return value


def read_text(value: object) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    return value
