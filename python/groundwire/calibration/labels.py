"""Reads labelled quotes and claims from JSON Lines."""

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from groundwire.errors import GroundwireError

__all__ = ["LabelError", "LabelledClaim", "LabelledQuote", "read_claims", "read_quotes"]

_CLAIM_KEYS = frozenset({"claim", "supported", "context", "context_path", "document"})


class LabelError(GroundwireError, ValueError):
    """A line is not a valid label. The message names the line and the expected value, never any text."""


class LabelledQuote(NamedTuple):
    """
    A quote and a source, labelled by a person.

    Attributes:
        quote: The text to look for.
        source: The text to search.
        is_true: Whether the quote is in the source.
    """

    quote: str
    source: str
    is_true: bool


class LabelledClaim(NamedTuple):
    """
    A claim and its passages, labelled by a person.

    Attributes:
        claim: A sentence.
        passages: The texts that may support it.
        is_supported: Whether they support it.
        document: The document of the claim. A cross-validation keeps all claims of a document in one fold.
    """

    claim: str
    passages: tuple[str, ...]
    is_supported: bool
    document: str


def read_quotes(content: str, read_source: Callable[[str], str]) -> list[LabelledQuote]:
    """
    Read labelled quotes, one JSON object per line. Blank lines and unknown keys are ignored.

    Each object has `quote` (a string), `label` (true if the quote is in the source, else false), and either `source`
    (the text) or `source_path`. *read_source* returns the text of a path; it is called once for each path.

    Raises:
        LabelError: A line is invalid, there are no labels, or *read_source* raised a GroundwireError.
    """
    texts = _TextReader(read_source)
    quotes = []
    for number, row in _rows(content, "quote"):
        _check_alternatives(row, "source", "source_path", number)
        for key in ("quote", "source", "source_path"):
            _check_type(row, key, str, number)
        _check_type(row, "label", bool, number)
        _check_required(row, ("quote", "label"), number)
        source = row["source"] if "source" in row else texts.read(row["source_path"], number)
        quotes.append(LabelledQuote(row["quote"], source, row["label"]))
    return quotes


def read_claims(content: str, read_source: Callable[[str], str]) -> list[LabelledClaim]:
    """
    Read labelled claims, one JSON object per line. Blank lines are ignored.

    Each object has `claim` (a string), `supported` (true or false), and either `context` (one or more passages) or
    `context_path` (one or more paths). *read_source* returns the text of a path; it is called once for each path.
    `document` is an optional string. Without it, claims with the same passages belong to one document.

    Raises:
        LabelError: A line is invalid or repeats the claim and passages of another line, there are no labels, or
            *read_source* raised a GroundwireError.
    """
    texts = _TextReader(read_source)
    claims: list[LabelledClaim] = []
    first_lines: dict[tuple[str, tuple[str, ...]], tuple[int, bool]] = {}
    for number, row in _rows(content, "claim"):
        _check_claim(row, number)
        passages = _strings(row, "context", number)
        if not passages:
            passages = tuple(texts.read(path, number) for path in _strings(row, "context_path", number))
        for text in passages:
            _check_text(text, "a passage", number)
        first, label = first_lines.setdefault((row["claim"], passages), (number, row["supported"]))
        if first != number:
            conflict = "" if label is row["supported"] else " with the other label"
            raise LabelError(f"line {number}: repeats the claim and passages of line {first}{conflict}")
        claims.append(LabelledClaim(row["claim"], passages, row["supported"], _document(row, passages)))
    return claims


class _TextReader:
    """Reads each path once."""

    def __init__(self, read_source: Callable[[str], str]) -> None:
        self._read_source = read_source
        self._texts: dict[str, str] = {}

    def read(self, path: str, number: int) -> str:
        if path not in self._texts:
            try:
                self._texts[path] = self._read_source(path)
            except GroundwireError as error:
                raise LabelError(f"line {number}: {error}") from error
        return self._texts[path]


def _rows(content: str, kind: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the line number and object of each line that is not blank."""
    is_empty = True
    # Not `splitlines`: a JSON string may contain an unescaped U+2028.
    for number, line in enumerate(content.split("\n"), 1):
        if line.strip():
            is_empty = False
            yield number, _parse_object(line, number)
    if is_empty:
        raise LabelError(f"there is no labelled {kind}: every line is blank")


def _parse_object(line: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise LabelError(f"line {number}, column {error.colno}: not JSON") from None
    except RecursionError:
        raise LabelError(f"line {number}: nested too deep") from None
    except ValueError:
        raise LabelError(f"line {number}: a number has too many digits") from None
    if not isinstance(row, dict):
        raise LabelError(f"line {number}: must be an object, got {_json_type(row)}")
    return row


def _check_claim(row: dict[str, Any], number: int) -> None:
    if not _CLAIM_KEYS.issuperset(row):
        raise LabelError(f"line {number}: only these keys are allowed: {', '.join(sorted(_CLAIM_KEYS))}")
    _check_alternatives(row, "context", "context_path", number)
    for key, expected in (("claim", str), ("supported", bool), ("document", str)):
        _check_type(row, key, expected, number)
    _check_required(row, ("claim", "supported"), number)
    for key in ("claim", "document"):
        if key in row:
            _check_text(row[key], f'"{key}"', number)


def _check_alternatives(row: dict[str, Any], text: str, path: str, number: int) -> None:
    if (text in row) == (path in row):
        found = "both" if text in row else "neither"
        raise LabelError(f'line {number}: must have either "{text}" or "{path}", got {found}')


def _check_type(row: dict[str, Any], key: str, expected: type, number: int) -> None:
    if key in row and not isinstance(row[key], expected):
        raise LabelError(f'line {number}: "{key}" must be {_JSON_TYPES[expected]}, got {_json_type(row[key])}')


def _check_required(row: dict[str, Any], keys: tuple[str, ...], number: int) -> None:
    for key in keys:
        if key not in row:
            raise LabelError(f'line {number}: "{key}" is missing')


def _strings(row: dict[str, Any], key: str, number: int) -> tuple[str, ...]:
    """Return the string or strings under *key*; none without the key."""
    if key not in row:
        return ()
    values = row[key] if isinstance(row[key], list) else [row[key]]
    for value in values:
        if not isinstance(value, str):
            raise LabelError(f'line {number}: "{key}" must be a string or a list of strings, got {_json_type(value)}')
    if not values:
        raise LabelError(f'line {number}: "{key}" is an empty list')
    return tuple(values)


def _check_text(text: str, name: str, number: int) -> None:
    if not text.strip():
        raise LabelError(f"line {number}: {name} is empty")
    # JSON allows "\ud800", which no encoder takes.
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise LabelError(f"line {number}: {name} contains half of a surrogate pair")


def _document(row: dict[str, Any], passages: tuple[str, ...]) -> str:
    """Return the document's name, or a hash of the passages; the prefixes keep the two apart."""
    if "document" in row:
        return f"document {row['document']}"
    digest = sha256()
    for text in passages:
        digest.update(sha256(text.encode()).digest())
    return f"passages {digest.hexdigest()}"


_JSON_TYPES = {
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "an array",
    dict: "an object",
    type(None): "null",
}


def _json_type(value: object) -> str:
    return _JSON_TYPES[type(value)]
