"""Labelled quotes from JSONL: a quote, its source, and whether it is really in there."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from groundwire.errors import GroundwireError

__all__ = [
    "CLAIMS",
    "QUOTES",
    "Keys",
    "LabelledPairs",
    "PairError",
    "json_type",
    "parsed_line",
    "read_pairs",
    "source_of",
]


class Keys(NamedTuple):
    """
    What the keys of a line are called.

    Attributes:
        text, label: What is compared, and whether it is so.
        source, source_path: With what: the text, or the path of a file.
    """

    text: str
    source: str
    source_path: str
    label: str


QUOTES = Keys("quote", "source", "source_path", "label")
"""A quote, and whether it is in its source."""

CLAIMS = Keys("claim", "context", "context_path", "supported")
"""A claim, and whether its context supports it."""


class PairError(GroundwireError, ValueError):
    """A line is not a labelled quote. Names the line and what was expected, never text."""


@dataclass(frozen=True, slots=True)
class LabelledPairs:
    """
    Quotes in the order of their lines, and the sources they share.

    Attributes:
        quotes: What is looked for.
        sources: The different texts to look in.
        at: For each quote the number of its source.
        labels: For each quote whether it is in its source.
    """

    quotes: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)


def read_pairs(content: str, read_source: Callable[[str], str], *, keys: Keys = QUOTES) -> LabelledPairs:
    """
    Read JSONL: one object a line, blank lines left out.

    Each has `quote` (a string), `label` (true: the quote is in the source; false: it
    is not) and either `source`, the text itself, or `source_path`, which *read_source*
    makes a text of; it is called once for a path. Other keys are left alone. With *keys*
    they are called something else.

    Raises:
        PairError: A line is something else, there is none, or *read_source* raised a GroundwireError.
    """
    pairs = LabelledPairs()
    by_text: dict[str, int] = {}
    by_path: dict[str, str] = {}
    # Not `splitlines`: a string of JSON may hold U+2028 as it is.
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        row = _row(line, number, keys)
        if keys.source in row:
            text = row[keys.source]
        else:
            path = row[keys.source_path]
            if path not in by_path:
                by_path[path] = source_of(read_source, path, number)
            text = by_path[path]
        if text not in by_text:
            by_text[text] = len(pairs.sources)
            pairs.sources.append(text)
        pairs.quotes.append(row[keys.text])
        pairs.at.append(by_text[text])
        pairs.labels.append(row[keys.label])
    if not pairs.quotes:
        raise PairError(f"there is no labelled {keys.text}: every line is blank")
    return pairs


def source_of(read_source: Callable[[str], str], path: str, number: int) -> str:
    """Return what *read_source* makes of the path in a line; PairError names the line if it raises."""
    try:
        return read_source(path)
    except GroundwireError as error:
        raise PairError(f"line {number}: {error}") from error


def _row(line: str, number: int, keys: Keys) -> dict[str, Any]:
    """Return the object of a line, with keys that are there and of the right type."""
    row = parsed_line(line, number)
    if (keys.source in row) == (keys.source_path in row):
        found = "both" if keys.source in row else "neither"
        raise PairError(f'line {number}: must have either "{keys.source}" or "{keys.source_path}", got {found}')
    for key in keys:
        expected = bool if key == keys.label else str
        if key in row and not isinstance(row[key], expected):
            raise PairError(f'line {number}: "{key}" must be {_TYPES[expected]}, got {json_type(row[key])}')
        if key not in row and key in (keys.text, keys.label):
            raise PairError(f'line {number}: "{key}" is missing')
    return row


def parsed_line(line: str, number: int) -> dict[str, Any]:
    """
    Return the object of a line.

    Raises:
        PairError: It is no JSON, or no object.
    """
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise PairError(f"line {number}, column {error.colno}: not JSON") from None
    except RecursionError:
        raise PairError(f"line {number}: nested too deep") from None
    except ValueError:
        raise PairError(f"line {number}: a number has too many digits") from None
    if not isinstance(row, dict):
        raise PairError(f"line {number}: must be an object, got {json_type(row)}")
    return row


_TYPES = {
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "an array",
    dict: "an object",
    type(None): "null",
}


def json_type(value: object) -> str:
    """Return the type of *value* in the words of JSON."""
    return _TYPES[type(value)]
