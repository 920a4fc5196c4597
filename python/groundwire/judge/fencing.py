"""
Texts as data inside a prompt (ruling B14).

A text is written as JSON, and the fence around it is a tag. What could end the
fence, or be read as a turn of the conversation, is escaped as JSON escapes
characters, so that the data still say exactly what they said:

- every `<`, with which tags and nearly all special tokens of chat models begin, so
  that no tag can stand inside the data, the fence's own least of all;
- the bracket of special tokens like `[INST]`, and of roles;
- the colon after a role at the beginning of a line (`System:`, `系统：`);
- hidden characters (`groundwire.sanitize`).

Tokens and roles are found in every spelling that Unicode calls compatible
(`groundwire.judge.roles`). A line of prose that begins with at most four words and a
colon, one of them a role, has its colon escaped too: `The system\\u003a a review`. JSON
reads that as the same text.

The tags also end in a hash of all that is fenced, which no part of it can contain.
It is the same for the same texts, so that a judgement can be found in the cache.
"""

import hashlib
import json
import re

from groundwire.judge.roles import ANGLES, BRACKETS, COLONS, begins_token, ends_role
from groundwire.sanitize import hidden_places

__all__ = ["fence", "fence_key", "to_data"]

_KEY_HEX_DIGITS = 32

_SUSPECT = re.compile(f"[{re.escape(ANGLES + BRACKETS + COLONS)}]")


def to_data(value: object) -> str:
    """
    Return *value*, made of str, numbers, lists and dicts, as JSON in which nothing looks like a tag or a role.

    `json.loads` of it is *value* again. Takes time and room in proportion to it.
    """
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_quoted(name)}: {to_data(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(to_data, value)) + "]"
    return json.dumps(value)


def _quoted(text: str) -> str:
    """Return *text* as a JSON string."""
    suspects = (found.start() for found in _SUSPECT.finditer(text))
    places = sorted([*hidden_places(text), *(place for place in suspects if _looks_like_a_turn(text, place))])
    pieces, start = [], 0
    for place in places:
        pieces += [json.dumps(text[start:place], ensure_ascii=False)[1:-1], _escaped(text[place])]
        start = place + 1
    return f'"{"".join(pieces)}{json.dumps(text[start:], ensure_ascii=False)[1:-1]}"'


def _escaped(character: str) -> str:
    """Return *character* as JSON escapes it, also where JSON need not."""
    return f"\\u{ord(character):04x}" if character.isascii() else json.dumps(character)[1:-1]


def _looks_like_a_turn(text: str, place: int) -> bool:
    """Return whether the angle, bracket or colon at *place* could be a part of a chat template."""
    character = text[place]
    if character in COLONS:
        return ends_role(text, place)
    return character in ANGLES or begins_token(text, place)


def fence_key(*data: str) -> str:
    """Return what the tags around *data* end in: 32 hexadecimal digits of SHA-256 of all of them."""
    digest = hashlib.sha256()
    for each in data:
        digest.update(f"{len(each)}:{each}".encode())
    return digest.hexdigest()[:_KEY_HEX_DIGITS]


def fence(name: str, key: str, data: str) -> str:
    """Return *data*, a result of `to_data`, between two tags."""
    return f"<{name}-{key}>\n{data}\n</{name}-{key}>"
