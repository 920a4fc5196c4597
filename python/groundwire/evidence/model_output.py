"""
The one JSON object in what a model wrote.

Models put prose and Markdown fences around the object they were asked for. What
stands outside the object is ignored as long as it cannot be part of the answer;
where it could be, the output is refused: a guess here would drop evidence, or
make some up, without a trace.
"""

import json
import re

from groundwire.errors import ModelOutputError
from groundwire.labels import show

__all__ = ["known_reason", "parse_model_output"]

_BRACE = re.compile(r"[{}]")
_OBJECT_START = re.compile(r'\{\s*["}]')
# "{name}" in prose. With a quotation mark in it, it may be an answer written badly.
_PLACEHOLDER = re.compile(r"\{[^{}\"'\u2018\u2019\u201c\u201d]*\}")
_NEXT_VISIBLE = re.compile(r"\s*(\S)")

# Reasons of the json module that hold nothing of its input; others are cut to the first that fits.
_REASONS = (
    "Expecting property name enclosed in double quotes",
    "Expecting ':' delimiter",
    "Expecting ',' delimiter",
    "Expecting value",
    "Illegal trailing comma",
    "Unterminated string",
    "Invalid control character",
    "Invalid \\uXXXX escape",
    "Invalid \\escape",
)


def known_reason(error: json.JSONDecodeError) -> str:
    """Return what *error* says is wrong, in words that hold nothing of its input."""
    return next((known for known in _REASONS if error.msg.startswith(known)), "not a value")


class _RepeatedKeyError(Exception):
    """An object gives one key twice."""


def parse_model_output(text: str) -> dict[str, object]:
    """
    Return the JSON object that *text* holds, alone or between prose and fences.

    Line breaks inside a string are accepted: models write them, and they leave no
    doubt. Numbers all come back as 0, for evidence has none, and a number of a
    million digits would take Python minutes to read.

    Raises:
        ModelOutputError: There is no object, there are two, it stands in a list, it
            is broken, it gives a key twice, it is nested too deeply, it has a NaN or an
            infinity, or there is a stray brace. Names line and column, never text.
    """
    found: dict[str, object] | None = None
    position = 0
    while (brace := _BRACE.search(text, position)) is not None:
        start = brace.start()
        if _OBJECT_START.match(text, start):
            if found is not None:
                raise _error("holds a second JSON object, and only one can be the answer", text, start)
            found, position = _read_object(text, start)
            _refuse_list(text, start, position)
        elif (placeholder := _PLACEHOLDER.match(text, start)) is not None:
            position = placeholder.end()
        else:
            raise _error("holds a brace that belongs to no JSON object", text, start)
    if found is None:
        raise _error("holds no JSON object up to its end", text, len(text))
    return found


def _read_object(text: str, start: int) -> tuple[dict[str, object], int]:
    """Return the object that starts at *start*, and where it ends."""
    place = start
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        place = error.pos
        reason = "is broken JSON: " + known_reason(error)
    except RecursionError:
        reason = "nests JSON too deeply"
    except _RepeatedKeyError as error:
        reason = f"gives {error} twice in one object"
    except _NotJsonError as error:
        reason = f"holds {error}, which JSON does not know"
    else:
        assert isinstance(value, dict)
        return value, end
    # Out here the new exception has no context: a JSONDecodeError carries the whole text.
    raise _error(reason, text, place)


class _NotJsonError(Exception):
    """A constant that Python reads and JSON does not know."""


def _refuse_constant(name: str) -> float:
    raise _NotJsonError(name)


def _refuse_repeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make an object of *pairs*; a dict alone would keep the last of two values in silence."""
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            raise _RepeatedKeyError(show(key))
        members[key] = value
    return members


_DECODER = json.JSONDecoder(
    strict=False,
    parse_constant=_refuse_constant,
    parse_float=lambda _digits: 0.0,
    parse_int=lambda _digits: 0,
    object_pairs_hook=_refuse_repeated,
)


def _refuse_list(text: str, start: int, end: int) -> None:
    """Refuse an object that is, or may be, one of several in a list, or cut off before its end."""
    before = text[:start].rstrip()[-1:]
    after = _NEXT_VISIBLE.match(text, end)
    if before == "[" or (after is not None and after[1] in "],"):
        raise _error("holds a JSON object that is only a part of something", text, start)


def _error(reason: str, text: str, position: int) -> ModelOutputError:
    line_start = text.rfind("\n", 0, position) + 1
    return ModelOutputError(
        f"the model's output {reason}", text.count("\n", 0, position) + 1, position - line_start + 1
    )
