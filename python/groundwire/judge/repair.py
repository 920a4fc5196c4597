"""
The one JSON object in what a judge wrote.

Asked for JSON alone, models put it into a Markdown fence, talk before and after,
leave a comma before a closing bracket and break lines inside strings. That leaves no doubt
about what is meant, so it is put right. Whatever leaves a doubt is refused: nothing
is closed, completed or guessed.
"""

import json
import re

from groundwire.judge.failures import FailureCode, JudgeError

__all__ = ["read_object"]

_THOUGHT = re.compile(r"\s*<think>.*?</think>", re.DOTALL)
_OBJECT_START = re.compile(r'\{\s*(?:["}]|\Z)')
# A string, a bracket, or the quotation mark of a string that does not end.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|["{}\[\]]', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=\s*[}\]])', re.DOTALL)


def read_object(text: str) -> tuple[dict[str, object], str]:
    """
    Return the JSON object in *text*, and how it is written there.

    Numbers come back as float. Takes time in proportion to the length of *text*.

    Raises:
        JudgeError: TRUNCATED if the object has no end; NOT_JSON if there is none, more
            than one or a broken one, or one that gives a key twice.
    """
    thought = _THOUGHT.match(text)
    begin = _OBJECT_START.search(text, thought.end() if thought else 0)
    if begin is None:
        raise JudgeError(FailureCode.NOT_JSON)
    end = _end_of_object(text, begin.start())
    if _OBJECT_START.search(text, end) or _is_in_list(text, begin.start(), end):
        raise JudgeError(FailureCode.NOT_JSON)
    written = text[begin.start() : end]
    return _parsed(_TRAILING_COMMA.sub(lambda found: found[1] or "", written)), written


def _end_of_object(text: str, start: int) -> int:
    """Return the place behind the bracket that closes the one at *start*."""
    open_: list[str] = []
    for token in _TOKEN.finditer(text, start):
        bracket = token[0]
        if bracket in ("{", "["):
            open_.append("}" if bracket == "{" else "]")
        elif bracket in ("}", "]"):
            if open_.pop() != bracket:
                raise JudgeError(FailureCode.NOT_JSON)
            if not open_:
                return token.end()
        elif bracket == '"':
            break
    raise JudgeError(FailureCode.TRUNCATED)


def _is_in_list(text: str, start: int, end: int) -> bool:
    """Tell whether the object is, or may be, one of several in a list."""
    return text[:start].rstrip()[-1:] == "[" or text[end:].lstrip()[:1] in ("]", ",")


class _RefusedError(Exception):
    """Something that Python's reader would take and JSON does not have, or that leaves a doubt."""


def _refuse_constant(_name: str) -> float:
    raise _RefusedError


def _refuse_repeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _RefusedError
    return members


# As int, a number of many digits would take quadratic time, or raise.
_DECODER = json.JSONDecoder(
    strict=False, parse_int=float, parse_constant=_refuse_constant, object_pairs_hook=_refuse_repeated
)


def _parsed(written: str) -> dict[str, object]:
    try:
        value = _DECODER.decode(written)
    except (ValueError, RecursionError, _RefusedError):
        value = None
    # Out here the new exception has no context: a JSONDecodeError carries the whole text.
    if not isinstance(value, dict):
        raise JudgeError(FailureCode.NOT_JSON)
    return value
