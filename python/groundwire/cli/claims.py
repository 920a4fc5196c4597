"""Reading claims: from the command line, and from files of JSON lines, of text and of Markdown."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from groundwire.cli.inputs import STDIN, decode, display_name, read_bytes
from groundwire.cli.json_text import parse_json, type_name
from groundwire.cli.notes import claims_of_note
from groundwire.cli.problems import CommandError
from groundwire.errors import MemoryNotFoundError
from groundwire.ingestion import Claim, EvidenceObject
from groundwire.report.ingest import Offer

__all__ = ["CLAIMS_FORMATS", "CLAIM_LINE", "ClaimsFormat", "Defaults", "Offers", "Recall", "read_claims"]

ClaimsFormat: TypeAlias = Literal["jsonl", "text", "markdown"]
CLAIMS_FORMATS: tuple[ClaimsFormat, ...] = get_args(ClaimsFormat)

CLAIM_LINE = (
    'a line of JSON must be a str or {"content": "…"}, and may have "type", "source", "user", "id", "capture_time", '
    '"validity_horizon", "metadata", "parents", "quote", "turn" and "speaker"'
)

Recall: TypeAlias = Callable[[str, str], EvidenceObject]
"""Returns the evidence of a memory, by its id and its user."""

_BY_SUFFIX: dict[str, ClaimsFormat] = {
    ".json": "jsonl",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "markdown",
    ".markdown": "markdown",
}


class Defaults(NamedTuple):
    """What is taken of a claim that does not say so itself."""

    memory_type: str
    source: str
    user_id: str


class Offers(NamedTuple):
    """The claims, in the order of the input, what is wrong with each that is none, and what may help."""

    offers: list[Offer]
    problems: list[str]
    hint: str | None


def read_claims(
    claims: Sequence[str],
    files: Sequence[str],
    defaults: Defaults,
    *,
    claims_format: ClaimsFormat | None = None,
    recall: Recall | None = None,
) -> Offers:
    """
    Read the claims of the command line, then those of each file; `-` is standard input.

    Args:
        claims: Those of the command line.
        files: Where there are more.
        defaults: For claims that do not say it themselves, so all but those of JSON.
        claims_format: How to read files. None goes by the suffix, and by content for standard
            input, pipes and devices.
        recall: Finds the memories that a claim was derived from; None if there is no store.

    Raises:
        CommandError: A file cannot be read at all.
    """
    offers, problems, hint = [], [], None
    for piece in _pieces(claims, files, claims_format):
        try:
            offers.append(_offer(piece, defaults, recall))
        except CommandError as error:
            problems.append(str(error))
            hint = CLAIM_LINE if piece.is_json else hint
    return Offers(offers, problems, hint)


class _Piece(NamedTuple):
    """
    What should be a claim.

    Attributes:
        where: What it is called in messages.
        name: What it is called in reports.
        content: The claim, or a line that is not decoded yet, or what is wrong with a whole file.
        line: Its line, from 1.
        is_json: Whether the line is JSON.
    """

    where: str
    name: str
    content: str | bytes | CommandError
    line: int | None = None
    is_json: bool = False


def _pieces(claims: Sequence[str], files: Sequence[str], claims_format: ClaimsFormat | None) -> Iterator[_Piece]:
    for number, claim in enumerate(claims, start=1):
        yield _Piece(f"claim {number}", f"claim {number}", claim)
    for path in files:
        name, content = display_name(path), read_bytes(path)
        chosen = claims_format or _format_of(path, content)
        if chosen == "markdown":
            yield from _pieces_of_note(name, content)
            continue
        for number, line in enumerate(content.split(b"\n"), start=1):
            if line.strip():
                yield _Piece(f"{name}, line {number}", f"{name}:{number}", line, number, chosen == "jsonl")


def _pieces_of_note(name: str, content: bytes) -> Iterator[_Piece]:
    try:
        text, _ = decode(content, name)
    except CommandError as error:
        yield _Piece(name, name, error)
        return
    for number, claim in claims_of_note(text):
        yield _Piece(f"{name}, line {number}", f"{name}:{number}", claim, number)


def _format_of(path: str, content: bytes) -> ClaimsFormat:
    """Return the format of a file by its suffix, of a stream by its first character that is not blank."""
    if path != STDIN and Path(path).is_file():
        return _BY_SUFFIX.get(Path(path).suffix.lower(), "text")
    return "jsonl" if content.lstrip()[:1] in (b"{", b'"') else "text"


def _offer(piece: _Piece, defaults: Defaults, recall: Recall | None) -> Offer:
    """
    Return the claim of *piece*.

    Raises:
        CommandError: It is none. Says where, and nothing of it.
    """
    if isinstance(piece.content, CommandError):
        raise piece.content
    text = decode(piece.content, piece.where)[0].strip() if isinstance(piece.content, bytes) else piece.content
    fields = _fields(text, piece.where) if piece.is_json else {"content": text}
    id_ = fields.get("id")
    if not isinstance(id_, str | int | None) or isinstance(id_, bool):
        raise CommandError(f'{piece.where}: "id" must be a str or an int, got {type_name(id_)}')
    claim = _claim(piece.where, fields, defaults, recall)
    return Offer(claim, name=piece.name, id=None if id_ is None else str(id_), line=piece.line)


def _fields(text: str, where: str) -> Mapping[str, Any]:
    """Return the object of a line, which stands for its content alone if it is a str."""
    value = parse_json(text, where, of_line=True)
    if isinstance(value, str):
        return {"content": value}
    if not isinstance(value, dict):
        raise CommandError(f'{where}: must be a str or an object with "content", got {type_name(value)}')
    if "content" not in value:
        raise CommandError(f'{where}: has no "content"')
    return value


def _claim(where: str, fields: Mapping[str, Any], defaults: Defaults, recall: Recall | None = None) -> Claim:
    """Return the claim that *fields* describe; what is wrong with it is told in words without its text."""
    for key in ("content", "type", "source", "user"):
        if not isinstance(fields.get(key), str | None) or fields.get(key, "") is None:
            raise CommandError(f'{where}: "{key}" must be a str, got {type_name(fields[key])}')
    user = fields.get("user", defaults.user_id)
    try:
        return Claim(
            content=fields["content"],
            memory_type=fields.get("type", defaults.memory_type),
            source=fields.get("source", defaults.source),
            user_id=user,
            capture_time=_time(where, "capture_time", fields),
            validity_horizon=_time(where, "validity_horizon", fields),
            metadata=_metadata(where, fields.get("metadata")),
            parents=_parents(where, fields.get("parents"), user, recall),
            quote=fields.get("quote"),
            turn=fields.get("turn"),
            speaker=fields.get("speaker"),
        )
    except (ValueError, TypeError) as error:
        # A claim's own errors hold nothing of it.
        raise CommandError(f"{where}: {error}") from None


def _time(where: str, key: str, fields: Mapping[str, Any]) -> datetime | None:
    value = fields.get(key)
    if value is None:
        return None
    try:
        time = datetime.fromisoformat(value)
    except (ValueError, TypeError):
        raise CommandError(f'{where}: "{key}" must be a time as 2026-01-31T12:00:00Z') from None
    if time.utcoffset() is None:
        raise CommandError(f'{where}: "{key}" has no time zone; 2026-01-31T12:00:00Z has one')
    return time


def _metadata(where: str, value: object) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise CommandError(f'{where}: "metadata" must be an object, got {type_name(value)}')
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        # Python reads NaN and Infinity, which are no JSON and which no store keeps.
        raise CommandError(f'{where}: "metadata" holds a number that is none') from None
    return value


def _parents(where: str, value: object, user: str, recall: Recall | None) -> dict[str, EvidenceObject]:
    if value is None:
        return {}
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise CommandError(f'{where}: "parents" must be a list of the ids of memories')
    if recall is None:
        raise CommandError(f'{where}: has "parents", whose evidence only a store knows; --db names one')
    try:
        return {each: recall(each, user) for each in value}
    except MemoryNotFoundError:
        raise CommandError(f'{where}: "parents" names a memory that its user does not have') from None
