"""JSON from outside: what is wrong with it, and where, without a word of it."""

import json
import re
import sys
from collections.abc import Iterator
from typing import NoReturn

from groundwire.labels import show
from groundwire.model_output import known_reason

__all__ = ["WHITE_SPACE", "BrokenJsonError", "position_of", "read_json", "read_json_at"]

WHITE_SPACE = " \t\n\r"

_TOKENS = re.compile(
    r""""[^"\\]*(?:\\.[^"\\]*)*"|[{}]|-?(?:NaN|Infinity)|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?""", re.DOTALL
)
_BEHIND_KEY = re.compile(r"[ \t\n\r]*:")


class BrokenJsonError(Exception):
    """
    JSON cannot be read.

    Attributes:
        reason: Why, in words that hold nothing of it.
        position: The offset of the place, at the latest; the beginning of the value
            where no better one is known.
    """

    def __init__(self, reason: str, position: int = 0) -> None:
        super().__init__(reason, position)
        self.reason = reason
        self.position = position


def read_json(text: str) -> object:
    """
    Return the one value that *text* is.

    NaN, infinities and a key that an object has twice are no JSON here.

    Raises:
        BrokenJsonError: It is no JSON.
    """
    value, end = read_json_at(text, len(text) - len(text.lstrip(WHITE_SPACE)))
    rest = text[end:].lstrip(WHITE_SPACE)
    if rest:
        raise BrokenJsonError("something stands behind the end of the value", len(text) - len(rest))
    return value


def read_json_at(text: str, start: int) -> tuple[object, int]:
    """Return the value that begins at *start*, and where it ends. Raises as `read_json`."""
    position = start
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        position = error.pos
        known = known_reason(error)
        reason = known[:1].lower() + known[1:]
    except RecursionError:
        reason = "nested too deeply"
    except (_RefusedError, ValueError):
        # The one other ValueError: Python refuses integers of thousands of digits.
        reason, position = next(_refused(text, start))
    # Out here the new exception has no context: a JSONDecodeError carries the whole text.
    raise BrokenJsonError(reason, position)


def position_of(text: str, offset: int) -> tuple[int, int]:
    """Return line and column of *offset*, both from 1, the column in code points."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


class _RefusedError(Exception):
    """What the json module would take, and no JSON is; it does not say where."""


def _refuse_constant(_: str) -> NoReturn:
    raise _RefusedError


def _refuse_repeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make an object of *pairs*; a dict alone would keep the last of two values in silence."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _RefusedError
    return members


def _refused(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Why the value that begins at *start* was refused, and where; up to there it is JSON."""
    most_digits = sys.get_int_max_str_digits()
    objects: list[set[str]] = []
    for token in _TOKENS.finditer(text, start):
        word = token[0]
        if word == "{":
            objects.append(set())
        elif word == "}":
            objects.pop()
        elif word[0] == '"':
            if _BEHIND_KEY.match(text, token.end()):
                key = json.loads(word)
                if key in objects[-1]:
                    yield f"an object has the key {show(key)} twice", token.start()
                objects[-1].add(key)
        elif word[-1] in "Ny":
            yield f"{word} is no JSON", token.start()
        elif word.removeprefix("-").isdecimal() and len(word.removeprefix("-")) > most_digits:
            yield "a number has too many digits", token.start()


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_refuse_repeated)
