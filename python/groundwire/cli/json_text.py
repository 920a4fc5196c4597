"""JSON from outside, and the errors in people's words."""

import json
from typing import Any

from groundwire.cli.problems import CommandError
from groundwire.delimited import MAX_LINE_CHARS
from groundwire.sanitize import one_line

_KEY_LIMIT = 60


def parse_json(text: str, name: str, *, of_line: bool = False) -> object:
    """
    Parse JSON; a key that is repeated in an object is an error, not the last one's win.

    Args:
        text: What is parsed.
        name: What it is called in messages.
        of_line: Whether it is one line of something, so that a column tells the place.

    Raises:
        CommandError: It is no JSON, or has more than `MAX_LINE_CHARS` characters: what it holds takes up to twenty
            times as much memory. Never quotes it.
    """
    if len(text) > MAX_LINE_CHARS:
        raise CommandError(f"{name}: a value of JSON of more than {MAX_LINE_CHARS:,} characters")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for key, value in pairs:
            if key in fields:
                raise CommandError(f"{name}: the key {quoted_key(key)} is repeated")
            fields[key] = value
        return fields

    try:
        return json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        position = f"column {error.colno}" if of_line else f"line {error.lineno}, column {error.colno}"
        raise CommandError(f"{name}: broken JSON at {position}: {error.msg[:1].lower()}{error.msg[1:]}") from None
    except RecursionError:
        raise CommandError(f"{name}: JSON is nested too deeply") from None
    except ValueError:
        # The one other ValueError: Python refuses integers of thousands of digits.
        raise CommandError(f"{name}: a number has too many digits") from None


def type_name(value: object) -> str:
    """Name the type of a parsed JSON value."""
    return "null" if value is None else type(value).__name__


def quoted_key(key: str) -> str:
    """Return *key* short, printable and in double quotes."""
    return f'"{one_line(key, limit=_KEY_LIMIT)}"'
