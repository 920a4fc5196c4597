"""
Extracts the one JSON object from the output of a language model (ruling A23).

Models write prose, Markdown fences and thoughts around the requested object, leave a comma before a closing bracket,
use curly quotation marks, and break lines inside strings. These faults are unambiguous, so they are repaired, and the
result is marked as repaired. Anything ambiguous is an error: nothing is closed, completed or guessed, because a guess
could silently drop or invent evidence.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from groundwire.errors import ModelOutputError
from groundwire.labels import show

__all__ = ["ModelObject", "extract_json_object", "is_copied", "is_prompt_echo", "known_reason"]

_THOUGHTS = re.compile(r"\s*<think>(.*?)(</think>|\Z)", re.DOTALL)
_BRACE = re.compile(r"[{}]")
_OBJECT_START = re.compile(r'\{\s*["}\u201c\u201d\u201e\u201f]')
# A placeholder such as "{name}" in prose. With a quotation mark inside, it may be a malformed answer.
_PLACEHOLDER = re.compile(r"\{[^{}\"'\u2018\u2019\u201c\u201d\u201e\u201f]*\}")
_CUT_AT_BRACE = re.compile(r"\{\s*\Z")
_NEXT_VISIBLE = re.compile(r"\s*(\S)")
# A whole string, a bracket, a trailing comma, or a mark that begins a string.
_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*+"|[{}\[\]]|,(?=\s*[}\]])|["\u201c\u201d\u201e\u201f]',
    re.DOTALL,
)
_CONTROL = re.compile(r"[\x00-\x1f]")
_ESCAPE_OR_MARK = re.compile(r'\\.|["\u201c\u201d\u201e\u201f]', re.DOTALL)
_CLOSING_MARKS = {"\u201c": "\u201d", "\u201d": "\u201d", "\u201e": "\u201c\u201d", "\u201f": "\u201d"}
# Next to one of these, a straight mark may end or begin a string.
_AFTER_STRING = re.compile(r"\s*[,:\]}]")
_BEFORE_STRING = re.compile(r"[,:\[{]\s*\Z")
_MARK_CONTEXT_CHARS = 40

# This many consecutive characters of a prompt are no coincidence.
_ECHO_CHARS = 80
_TAG_KEY = re.compile(r"^</?[a-z-]+-([0-9a-f]{32})>$", re.MULTILINE)

# Reasons of the json module that contain nothing of its input; others are reduced to the first that fits.
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


@dataclass(frozen=True, slots=True)
class ModelObject:
    """
    Holds the object that a model wrote. The repr shows neither members nor text.

    Attributes:
        members: Members of the object. Numbers are floats.
        written: The object as written in the output.
        repaired: Whether anything was repaired: text around the object was removed, or
            the object was not valid JSON.
    """

    members: dict[str, object]
    written: str
    repaired: bool

    def __repr__(self) -> str:
        return f"ModelObject(members={len(self.members)}, repaired={self.repaired})"


def known_reason(error: json.JSONDecodeError) -> str:
    """Return the reason of *error*, without its input."""
    return next((known for known in _REASONS if error.msg.startswith(known)), "not a value")


def extract_json_object(text: str) -> ModelObject:
    """
    Return the one JSON object in *text*.

    Repairs prose and fences around the object, ``<think>...</think>`` before it, a comma before
    a closing bracket, curly quotation marks around strings, and line breaks inside them. Takes
    linear time.

    Raises:
        ModelOutputError: There is no object or more than one; it is in a list, broken, truncated or
            nested too deeply; it has a repeated key, a NaN or an infinity; or there is a stray
            brace. The message has line and column, never text.
    """
    found: tuple[dict[str, object], bool] | None = None
    span = (0, 0)
    position = _end_of_thoughts(text)
    while (brace := _BRACE.search(text, position)) is not None:
        start = brace.start()
        if _OBJECT_START.match(text, start):
            if found is not None:
                raise _error("holds a second JSON object, and only one can be the answer", text, start)
            found, position = _read_object(text, start)
            span = (start, position)
            _refuse_list(text, *span)
        elif (placeholder := _PLACEHOLDER.match(text, start)) is not None:
            position = placeholder.end()
        else:
            is_cut = found is None and _CUT_AT_BRACE.search(text) is not None
            raise _error("holds a brace that belongs to no JSON object", text, start, is_truncated=is_cut)
    if found is None:
        raise _error("holds no JSON object up to its end", text, len(text))
    members, is_mended = found
    around = text[: span[0]] + text[span[1] :]
    return ModelObject(members, text[span[0] : span[1]], is_mended or bool(around.strip("\ufeff \t\r\n")))


def is_prompt_echo(written: str, prompts: Iterable[str]) -> bool:
    """Tell whether *written* repeats the key of a tag in *prompts*, or the beginning of a prompt."""
    contents = list(prompts)
    keys = {key for content in contents for key in _TAG_KEY.findall(content)}
    beginnings = {content[:_ECHO_CHARS] for content in contents if len(content) >= _ECHO_CHARS}
    return any(part in written for part in keys | beginnings)


def is_copied(written: str, texts: Iterable[str]) -> bool:
    """Tell whether one of *texts* contains *written*, ignoring white space."""
    squeezed = _squeezed(written)
    return any(squeezed in _squeezed(text) for text in texts)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _end_of_thoughts(text: str) -> int:
    """Return the offset of the answer, after the model's thoughts."""
    thoughts = _THOUGHTS.match(text)
    if thoughts is None:
        return 0
    if not thoughts[2]:
        raise _error("ends inside its thoughts", text, len(text), is_truncated=True)
    return thoughts.end()


def _read_object(text: str, start: int) -> tuple[tuple[dict[str, object], bool], int]:
    """Return the object at *start*, marked if it was repaired, and its end."""
    place = start
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        place = error.pos
        reason = "is broken JSON: " + known_reason(error)
    except (RecursionError, _RefusedError) as error:
        reason = _reason(error)
    else:
        assert isinstance(value, dict)
        # Unlike a strict decoder, this one accepts control characters, but nothing else.
        is_strict = _CONTROL.search(text, start, end) is None or _is_strict(text[start:end])
        return (value, not is_strict), end
    # Raised outside of the handler, so that it does not carry the JSONDecodeError, which holds the whole text.
    mended, end, is_truncated = _mended(text, start)
    if mended is not None:
        try:
            value = _DECODER.decode(mended)
        except json.JSONDecodeError:
            value = None
        except (RecursionError, _RefusedError) as error:
            reason, place, value = _reason(error), start, None
        if isinstance(value, dict):
            return (value, True), end
    raise _error(reason, text, place, is_truncated=is_truncated)


def _is_strict(written: str) -> bool:
    try:
        json.loads(written, parse_int=float)
    except ValueError:
        return False
    return True


def _mended(text: str, start: int) -> tuple[str | None, int, bool]:
    """
    Return the object at *start* without trailing commas and with straight quotation marks.

    Also return its end in *text*, and whether it is truncated. None if a repair would be ambiguous.
    """
    pieces: list[str] = []
    open_: list[str] = []
    done = start
    while (token := _TOKEN.search(text, done)) is not None:
        pieces.append(text[done : token.start()])
        written, done = token[0], token.end()
        if written in ("{", "["):
            open_.append("}" if written == "{" else "]")
        elif written in ("}", "]"):
            if open_.pop() != written:
                return None, done, False
            if not open_:
                return "".join([*pieces, written]), done, False
        elif written == ",":
            continue
        elif len(written) == 1:
            # A single straight mark begins an unclosed string.
            end = None if written == '"' else _end_of_curly_string(text, token.start())
            if end is None:
                return None, len(text), True
            content = _straightened(text, done, end - 1)
            if content is None:
                return None, end, False
            written, done = content, end
        pieces.append(written)
    return None, len(text), True


def _end_of_curly_string(text: str, start: int) -> int | None:
    """Return the offset after the mark that closes the string at *start*, skipping pairs of marks inside it."""
    opening = text[start]
    closing, depth = _CLOSING_MARKS[opening], 1
    for found in _ESCAPE_OR_MARK.finditer(text, start + 1):
        if found[0] in closing:
            depth -= 1
            if not depth:
                return found.end()
        elif found[0] == opening == "\u201c":
            depth += 1
    return None


def _straightened(text: str, start: int, end: int) -> str | None:
    """Return the content of a string in curly marks as JSON; None if a straight mark inside may end a string."""
    content = text[start:end]
    pieces = []
    done = 0
    for found in _ESCAPE_OR_MARK.finditer(content):
        if found[0] == '"':
            before = content[max(0, found.start() - _MARK_CONTEXT_CHARS) : found.start()]
            if _AFTER_STRING.match(content, found.end()) or _BEFORE_STRING.search(before):
                return None
            pieces.append(content[done : found.start()] + '\\"')
            done = found.end()
    return '"' + "".join(pieces) + content[done:] + '"'


class _RefusedError(Exception):
    """Reports a value that Python accepts, but that JSON lacks or that is ambiguous."""


def _reason(error: Exception) -> str:
    return "nests JSON too deeply" if isinstance(error, RecursionError) else str(error)


def _refuse_constant(name: str) -> float:
    raise _RefusedError(f"holds {name}, which JSON does not know")


def _refuse_repeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of *pairs*; a dict would silently keep the last of two values."""
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            raise _RefusedError(f"gives {show(key)} twice in one object")
        members[key] = value
    return members


# As an int, a number with many digits would take quadratic time or raise an error.
_DECODER = json.JSONDecoder(
    strict=False, parse_int=float, parse_constant=_refuse_constant, object_pairs_hook=_refuse_repeated
)


def _refuse_list(text: str, start: int, end: int) -> None:
    """Raise an error for an object that is or may be in a list, or that may be truncated."""
    before = text[:start].rstrip()[-1:]
    after = _NEXT_VISIBLE.match(text, end)
    if before == "[" or (after is not None and after[1] in "],"):
        raise _error("holds a JSON object that is only part of a larger value", text, start)


def _error(reason: str, text: str, position: int, *, is_truncated: bool = False) -> ModelOutputError:
    line, column = text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
    return ModelOutputError(f"the model's output {reason}", line, column, is_truncated)
