"""Reads labelled claims, or labelled quotes, that a score is fitted on, from JSON lines."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple

from groundwire.calibration.pairs import CLAIMS, QUOTES, Keys, PairError, json_type, parsed_line, source_of

__all__ = ["LabelledClaim", "label_keys", "read_claims"]


class LabelledClaim(NamedTuple):
    """
    A claim or a quote, and its label.

    Attributes:
        claim: A sentence, or a quote.
        passages: The passages it was compared with; the one source of a quote.
        is_supported: Whether they support it, or have the quote.
        document: The document it belongs to. Cross-validation keeps the claims of a document together.
    """

    claim: str
    passages: tuple[str, ...]
    is_supported: bool
    document: str


def label_keys(content: str) -> Keys:
    """Return `QUOTES` if the first line has a "quote", else `CLAIMS`."""
    first = next((line for line in content.split("\n") if line.strip()), "{}")
    try:
        return QUOTES if QUOTES.text in parsed_line(first, 1) else CLAIMS
    except PairError:
        # `read_claims` reports it, with the number of the line.
        return CLAIMS


def read_claims(content: str, read_source: Callable[[str], str], *, keys: Keys = CLAIMS) -> list[LabelledClaim]:
    """
    Read JSON lines: one object a line; blank lines are skipped.

    Each has `claim` (a string), `supported` (true or false) and either `context`, a passage or a list of passages,
    or `context_path`, a path or a list of paths, each of which *read_source* makes a text of, once. `document` (a
    string) names what the claim belongs to; without it, claims with the same passages belong together. With the
    *keys* `QUOTES`, lines have `quote`, `label`, and `source` or `source_path`, of one text.

    Raises:
        PairError: A line has another form or repeats a claim and its passages, there are no lines, or *read_source*
            raised a GroundwireError. Names the line, and never a text.
    """
    claims: list[LabelledClaim] = []
    lines: dict[tuple[str, tuple[str, ...]], tuple[int, bool]] = {}
    by_path: dict[str, str] = {}
    # Not `splitlines`: a string of JSON may hold U+2028 as it is.
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        row = _row(line, number, keys)
        passages = _texts(row, keys, keys.source, number)
        if passages is None:
            paths = _texts(row, keys, keys.source_path, number) or ()
            for path in paths:
                if path not in by_path:
                    by_path[path] = source_of(read_source, path, number)
            passages = tuple(by_path[path] for path in paths)
        for text in passages:
            _check_text(text, "a passage" if keys is CLAIMS else "the source", number)
        text, label = row[keys.text], row[keys.label]
        known = lines.setdefault((text, passages), (number, label))
        if known[0] != number:
            how = "" if known[1] is label else " with the other label"
            what = "claim and passages" if keys is CLAIMS else "quote and source"
            raise PairError(f"line {number}: the {what} of line {known[0]}{how}")
        claims.append(LabelledClaim(text, passages, label, _document(row, passages)))
    if not claims:
        raise PairError(f"there is no labelled {keys.text}: every line is blank")
    return claims


def _row(line: str, number: int, keys: Keys) -> dict[str, Any]:
    """Return the object of a line; check its keys and the types of their values."""
    row = parsed_line(line, number)
    known = {*keys, "document"}
    if not known.issuperset(row):
        raise PairError(f"line {number}: must have no other keys than {', '.join(sorted(known))}")
    if (keys.source in row) == (keys.source_path in row):
        found = "both" if keys.source in row else "neither"
        raise PairError(f'line {number}: must have either "{keys.source}" or "{keys.source_path}", got {found}')
    for key, of_type in ((keys.text, str), (keys.label, bool), ("document", str)):
        if key in row and not isinstance(row[key], of_type):
            expected = "true or false" if of_type is bool else "a string"
            raise PairError(f'line {number}: "{key}" must be {expected}, got {json_type(row[key])}')
        if key not in row and key != "document":
            raise PairError(f'line {number}: "{key}" is missing')
    for key in (keys.text, "document"):
        if key in row:
            _check_text(row[key], f'"{key}"', number)
    return row


def _texts(row: dict[str, Any], keys: Keys, key: str, number: int) -> tuple[str, ...] | None:
    """Return the one or several strings under *key*; None without the key."""
    if key not in row:
        return None
    is_list = keys is CLAIMS and isinstance(row[key], list)
    listed = row[key] if is_list else [row[key]]
    for each in listed:
        if not isinstance(each, str):
            expected = "a string or a list of them" if keys is CLAIMS else "a string"
            raise PairError(f'line {number}: "{key}" must be {expected}, got {json_type(each)}')
    if not listed:
        raise PairError(f'line {number}: "{key}" is an empty list')
    return tuple(listed)


def _check_text(text: str, what: str, number: int) -> None:
    if not text.strip():
        raise PairError(f"line {number}: {what} is empty")
    # "\ud800" is a string of JSON, and no text.
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise PairError(f"line {number}: {what} has half of a surrogate pair")


def _document(row: dict[str, Any], passages: tuple[str, ...]) -> str:
    """The document's name, or the hash of the passages. Neither can be taken for the other."""
    if "document" in row:
        return f"document {row['document']}"
    digest = sha256()
    for text in passages:
        digest.update(sha256(text.encode()).digest())
    return f"passages {digest.hexdigest()}"
