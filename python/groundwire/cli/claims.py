"""Reading claims: from the command line, and from files of JSON, JSON lines, CSV, text and Markdown."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from groundwire.cli.inputs import decode, display_name, read_content
from groundwire.cli.json_text import parse_json, type_name
from groundwire.cli.notes import claims_of_note
from groundwire.cli.problems import CommandError
from groundwire.delimited import TableColumns, column_rows, first_line_columns, table_columns
from groundwire.errors import MemoryNotFoundError, SourceDataError
from groundwire.file_kinds import is_json, json_kind
from groundwire.ingestion import EvidenceObject, MemoryClaim
from groundwire.report.ingest import Offer

__all__ = ["CLAIMS_FORMATS", "CLAIM_LINE", "ClaimsFormat", "Defaults", "Offers", "Recall", "read_claims"]

ClaimsFormat: TypeAlias = Literal["jsonl", "json", "csv", "text", "markdown"]
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
    ".csv": "csv",
    ".tsv": "csv",
    ".md": "markdown",
    ".markdown": "markdown",
}


# The columns of a table that are read; of several names for one, the first that is there.
_COLUMNS: TableColumns = {
    "content": ("content", "claim", "text"),
    "type": ("type",),
    "source": ("source",),
    "user": ("user",),
    "id": ("id",),
    "capture_time": ("capture_time",),
    "validity_horizon": ("validity_horizon",),
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
        claims_format: How to read files. None goes by content, and by the suffix if that shows nothing.
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
        content: The claim, or a line that is not decoded yet, or what is wrong with a whole file; of JSON
            that is parsed and of a table, the item.
        line: Its line, from 1.
        is_json: Whether the line is JSON, or the item comes from JSON or a table.
    """

    where: str
    name: str
    content: object
    line: int | None = None
    is_json: bool = False


def _pieces(claims: Sequence[str], files: Sequence[str], claims_format: ClaimsFormat | None) -> Iterator[_Piece]:
    for number, claim in enumerate(claims, start=1):
        yield _Piece(f"claim {number}", f"claim {number}", claim)
    for path in files:
        name, content = display_name(path), read_content(path)
        chosen = claims_format or _format_of(path, content)
        if chosen in _WHOLE:
            yield from _pieces_of_whole(name, content, chosen)
            continue
        for number, line in enumerate(content.split(b"\n"), start=1):
            if line.strip():
                yield _Piece(f"{name}, line {number}", f"{name}:{number}", line, number, chosen == "jsonl")


def _pieces_of_whole(name: str, content: bytes, claims_format: ClaimsFormat) -> Iterator[_Piece]:
    """Yield the claims of a file that is not read line by line."""
    try:
        yield from _WHOLE[claims_format](name, decode(content, name)[0])
    except CommandError as error:
        yield _Piece(name, name, error)


def _pieces_of_note(name: str, text: str) -> Iterator[_Piece]:
    for number, claim in claims_of_note(text):
        yield _Piece(f"{name}, line {number}", f"{name}:{number}", claim, number)


def _pieces_of_json(name: str, text: str) -> Iterator[_Piece]:
    value = parse_json(text, name)
    for number, item in enumerate(value if isinstance(value, list) else [value], start=1):
        yield _Piece(f"{name}: item {number}", f"{name}#{number}", item, is_json=True)


def _pieces_of_table(name: str, text: str) -> Iterator[_Piece]:
    columns = table_columns(text, _COLUMNS, needed="content", is_table=True)
    if columns is None:
        raise CommandError(
            f"`{name}` has no column called content, claim or text; its first line names {first_line_columns(text)}"
        )
    try:
        for line, row in column_rows(text, name, columns):
            fields = {key: cell for key, cell in row.items() if cell.strip() or key == "content"}
            yield _Piece(f"{name}, line {line}", f"{name}:{line}", fields, line, is_json=True)
    except SourceDataError as error:
        raise CommandError(str(error)) from None


_WHOLE: dict[str, Callable[[str, str], Iterator[_Piece]]] = {
    "markdown": _pieces_of_note,
    "json": _pieces_of_json,
    "csv": _pieces_of_table,
}


def _format_of(path: str, content: bytes) -> ClaimsFormat:
    """Return the format that the content shows; that of the suffix if it shows none."""
    text = content.decode("utf-8", "replace")
    if json_kind(text) is not None:
        # A list or an object on several lines is one value; broken JSON is told line by line.
        return "json" if "\n" in text.strip() and is_json(text) else "jsonl"
    by_suffix = _BY_SUFFIX.get(Path(path).suffix.lower())
    if by_suffix is None and table_columns(text, _COLUMNS, needed="content") is not None:
        return "csv"
    return by_suffix or "text"


def _offer(piece: _Piece, defaults: Defaults, recall: Recall | None) -> Offer:
    """
    Return the claim of *piece*.

    Raises:
        CommandError: It is none. Says where, and nothing of it.
    """
    content = piece.content
    if isinstance(content, CommandError):
        raise content
    if isinstance(content, bytes):
        text = decode(content, piece.where)[0].strip()
        content = parse_json(text, piece.where, of_line=True) if piece.is_json else text
    fields = _fields(content, piece.where) if piece.is_json else {"content": content}
    id_ = fields.get("id")
    if not isinstance(id_, str | int | None) or isinstance(id_, bool):
        raise CommandError(f'{piece.where}: "id" must be a str or an int, got {type_name(id_)}')
    claim = _claim(piece.where, fields, defaults, recall)
    return Offer(claim, name=piece.name, id=None if id_ is None else str(id_), line=piece.line)


def _fields(value: object, where: str) -> Mapping[str, Any]:
    """Return the fields of an item, which is its content alone if it is a str."""
    if isinstance(value, str):
        return {"content": value}
    if not isinstance(value, dict):
        raise CommandError(f'{where}: must be a str or an object with "content", got {type_name(value)}')
    if "content" not in value:
        raise CommandError(f'{where}: has no "content"')
    return value


def _claim(where: str, fields: Mapping[str, Any], defaults: Defaults, recall: Recall | None = None) -> MemoryClaim:
    """Return the claim that *fields* describe; what is wrong with it is told in words without its text."""
    for key in ("content", "type", "source", "user"):
        if not isinstance(fields.get(key), str | None) or fields.get(key, "") is None:
            raise CommandError(f'{where}: "{key}" must be a str, got {type_name(fields[key])}')
    user = fields.get("user", defaults.user_id)
    try:
        return MemoryClaim(
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
