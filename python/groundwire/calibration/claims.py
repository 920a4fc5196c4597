"""Claims with the passages that support them or not, from JSONL."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple

from groundwire.calibration.pairs import PairError, json_type, parsed_line, source_of

__all__ = ["LabelledClaim", "read_claims"]

_KEYS = frozenset({"claim", "supported", "context", "context_path", "document"})


class LabelledClaim(NamedTuple):
    """
    A claim, and what somebody said of it.

    Attributes:
        claim: A sentence.
        passages: What it was compared with.
        is_supported: Whether they support it.
        document: What it belongs to: claims of one document are never on both sides of a cross-validation.
    """

    claim: str
    passages: tuple[str, ...]
    is_supported: bool
    document: str


def read_claims(content: str, read_source: Callable[[str], str]) -> list[LabelledClaim]:
    """
    Read JSONL: one object a line, blank lines left out.

    Each has `claim` (a string), `supported` (true or false) and either `context`, a passage or a list of passages,
    or `context_path`, a path or a list of paths, each of which *read_source* makes a text of, once. `document` (a
    string) names what the claim belongs to; without it, claims with the same passages belong together.

    Raises:
        PairError: A line is something else, says again or otherwise what another one says, or there is none; or
            *read_source* raised a GroundwireError. Names the line, and never a text.
    """
    claims: list[LabelledClaim] = []
    lines: dict[tuple[str, tuple[str, ...]], tuple[int, bool]] = {}
    by_path: dict[str, str] = {}
    # Not `splitlines`: a string of JSON may hold U+2028 as it is.
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        row = _row(line, number)
        passages = _texts(row, "context", number)
        if passages is None:
            paths = _texts(row, "context_path", number) or ()
            for path in paths:
                if path not in by_path:
                    by_path[path] = source_of(read_source, path, number)
            passages = tuple(by_path[path] for path in paths)
        for text in passages:
            _check_text(text, "a passage", number)
        known = lines.setdefault((row["claim"], passages), (number, row["supported"]))
        if known[0] != number:
            how = "" if known[1] is row["supported"] else " with the other label"
            raise PairError(f"line {number}: the claim and passages of line {known[0]}{how}")
        claims.append(LabelledClaim(row["claim"], passages, row["supported"], _document(row, passages)))
    if not claims:
        raise PairError("there is no labelled claim: every line is blank")
    return claims


def _row(line: str, number: int) -> dict[str, Any]:
    """Return the object of a line, with the keys that it must have and no others, and a claim that is one."""
    row = parsed_line(line, number)
    if not _KEYS.issuperset(row):
        raise PairError(f"line {number}: must have no other keys than {', '.join(sorted(_KEYS))}")
    if ("context" in row) == ("context_path" in row):
        found = "both" if "context" in row else "neither"
        raise PairError(f'line {number}: must have either "context" or "context_path", got {found}')
    for key, of_type in (("claim", str), ("supported", bool), ("document", str)):
        if key in row and not isinstance(row[key], of_type):
            expected = "true or false" if of_type is bool else "a string"
            raise PairError(f'line {number}: "{key}" must be {expected}, got {json_type(row[key])}')
        if key not in row and key != "document":
            raise PairError(f'line {number}: "{key}" is missing')
    for key in ("claim", "document"):
        if key in row:
            _check_text(row[key], f'"{key}"', number)
    return row


def _texts(row: dict[str, Any], key: str, number: int) -> tuple[str, ...] | None:
    """Return the one or several strings under *key*; None without the key."""
    if key not in row:
        return None
    listed = row[key] if isinstance(row[key], list) else [row[key]]
    for each in listed:
        if not isinstance(each, str):
            raise PairError(f'line {number}: "{key}" must be a string or a list of them, got {json_type(each)}')
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
