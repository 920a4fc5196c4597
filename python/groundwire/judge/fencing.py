"""
Texts as data inside a prompt (ruling B14).

A text is written as JSON, and the fence around it is a tag. What could end the
fence, or be read as a turn of the conversation, is escaped as JSON escapes
characters, so that the data still say exactly what they said:

- every `<`, with which tags and nearly all special tokens of chat models begin, so
  that no tag can stand inside the data, the fence's own least of all;
- the bracket of special tokens like `[INST]`;
- the colon after a role at the beginning of a line (`System:`);
- characters that nobody sees: controls, marks of direction, tags, lone surrogates.

The tags also end in a hash of all that is fenced, which no part of it can contain.
It is the same for the same texts, so that a judgement can be found in the cache.
"""

import hashlib
import json
import re

__all__ = ["fence", "fence_key", "to_data"]

_KEY_HEX_DIGITS = 32

_TOKEN_WORDS = (
    "INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|CALL_ID|ARGS|THINK|"
    "BOS|EOS|PAD|UNK|CLS|SEP|MASK|gMASK|sMASK|IMG|PREFIX|MIDDLE|SUFFIX"
)
_BRACKET_TOKEN = re.compile(rf"\[(?=\s{{0,4}}/?\s{{0,4}}(?:{_TOKEN_WORDS})\s{{0,4}}\])", re.IGNORECASE)

# In JSON a line begins after a quotation mark, or after an escaped line break.
_ROLE = re.compile(
    r"((?:\"|\\[nrf]|\\u000b|[\x85\u2028\u2029])(?:[\s#>*_=/|-]|\\t)*+"
    r"(?:system|developer|user|human|assistant|ai|bot|model|tool|function|instructions?|response|input|output)"
    r"(?:[ *_]|\\t)*+)([:：])",
    re.IGNORECASE,
)

# Of what Unicode calls default-ignorable the joiners, the soft hyphen and the variation selector of emoji are left
# alone: ordinary text needs them. Angle brackets: see the head of this file.
_UNSEEN = re.compile(
    "[<\x7f-\x9f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


def to_data(value: object) -> str:
    """
    Return *value*, made of str, lists and dicts, as JSON in which nothing looks like a tag or a role.

    `json.loads` of it is *value* again. Takes time and room in proportion to it.
    """
    written = json.dumps(value, ensure_ascii=False)
    written = _ROLE.sub(lambda found: found[1] + _escaped(found[2]), written)
    written = _BRACKET_TOKEN.sub(lambda found: _escaped(found[0]), written)
    return _UNSEEN.sub(lambda found: _escaped(found[0]), written)


def _escaped(character: str) -> str:
    if character > "\uffff":
        return json.dumps(character)[1:-1]
    return f"\\u{ord(character):04x}"


def fence_key(*data: str) -> str:
    """Return what the tags around *data* end in: 32 hexadecimal digits of SHA-256 of all of them."""
    digest = hashlib.sha256()
    for each in data:
        digest.update(f"{len(each)}:{each}".encode())
    return digest.hexdigest()[:_KEY_HEX_DIGITS]


def fence(name: str, key: str, data: str) -> str:
    """Return *data*, a result of `to_data`, between two tags."""
    return f"<{name}-{key}>\n{data}\n</{name}-{key}>"
