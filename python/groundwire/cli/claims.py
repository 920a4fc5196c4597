"""Reads claims from the command line and from files: JSON, JSON lines, CSV, text and Markdown."""

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from groundwire.cli.app import CommandError
from groundwire.cli.inputs import decode, display_name, id_of, parse_json, read_content, type_name
from groundwire.delimited import TableColumns, column_rows, first_line_columns, table_columns
from groundwire.errors import MemoryNotFoundError, SourceDataError
from groundwire.file_kinds import is_json, json_kind
from groundwire.ingestion import EvidenceObject, MemoryClaim
from groundwire.prose import LINE_END, Prose
from groundwire.report.ingest import Offer

__all__ = ["CLAIM_LINE", "ClaimDefaults", "ClaimSet", "ClaimsFormat", "Recall", "claims_of_note", "read_claims"]

ClaimsFormat: TypeAlias = Literal["jsonl", "json", "csv", "text", "markdown"]

CLAIM_LINE = (
    'a line of JSON must be a str or {"content": "…"}, and may have "type", "source", "user", "id", "capture_time", '
    '"validity_horizon", "metadata", "parents", "quote", "turn" and "speaker"'
)

Recall: TypeAlias = Callable[[str, str], EvidenceObject]
"""A function that returns the evidence of a memory, given its id and its user."""

_BY_SUFFIX: dict[str, ClaimsFormat] = {
    ".json": "jsonl",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".md": "markdown",
    ".markdown": "markdown",
}


# The columns that are read from a table; if a field has several names, the first one present counts.
_COLUMNS: TableColumns = {
    "content": ("content", "claim", "text"),
    "type": ("type",),
    "source": ("source",),
    "user": ("user",),
    "id": ("id",),
    "capture_time": ("capture_time",),
    "validity_horizon": ("validity_horizon",),
}

# Keys and values between two lines of dashes at the start of a note.
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*\r?$", re.M | re.S)
_NOT_LINE_END = re.compile(r"[^\r\n]")
# A link reference definition.
_DEFINITION = re.compile(r"\[[^\]\n]+\]:.*")


class ClaimDefaults(NamedTuple):
    """The fields of claims without their own."""

    memory_type: str
    source: str
    user_id: str


class ClaimSet(NamedTuple):
    """The claims in the order of the input, one error for each item that is not a claim, and a hint."""

    offers: list[Offer]
    problems: list[str]
    hint: str | None


def read_claims(
    claims: Sequence[str],
    files: Sequence[str],
    defaults: ClaimDefaults,
    *,
    input_format: ClaimsFormat | None = None,
    recall: Recall | None = None,
) -> ClaimSet:
    """
    Read the claims on the command line, then those in each file; `-` is standard input.

    Args:
        claims: The claims on the command line.
        files: Files with further claims.
        defaults: The fields of claims without their own.
        input_format: The format of the files. None detects it from the content, or else takes it from the suffix.
        recall: Finds the memories a claim was derived from; None without a store.

    Raises:
        CommandError: A file cannot be read.
    """
    offers, problems, hint = [], [], None
    for item in _items(claims, files, input_format):
        try:
            offers.append(_offer(item, defaults, recall))
        except CommandError as error:
            problems.append(str(error))
            hint = CLAIM_LINE if item.is_json else hint
    return ClaimSet(offers, problems, hint)


class _Item(NamedTuple):
    """
    An item of the input that should be a claim.

    Attributes:
        where: Its name in messages.
        name: Its name in reports.
        content: The text, a line of bytes, a parsed item of JSON or of a table, or the error of the whole file.
        line: Its line, from 1.
        is_json: Whether it comes from JSON or a table.
    """

    where: str
    name: str
    content: object
    line: int | None = None
    is_json: bool = False


def _items(claims: Sequence[str], files: Sequence[str], input_format: ClaimsFormat | None) -> Iterator[_Item]:
    for number, claim in enumerate(claims, start=1):
        yield _Item(f"claim {number}", f"claim {number}", claim)
    for path in files:
        name, content = display_name(path), read_content(path)
        chosen = input_format or _format_of(path, content)
        if chosen in _WHOLE:
            yield from _items_of_whole(name, content, chosen)
            continue
        for number, line in enumerate(content.split(b"\n"), start=1):
            if line.strip():
                yield _Item(f"{name}, line {number}", f"{name}:{number}", line, number, chosen == "jsonl")


def _items_of_whole(name: str, content: bytes, input_format: ClaimsFormat) -> Iterator[_Item]:
    """Yield the claims of a file that is not read line by line."""
    try:
        yield from _WHOLE[input_format](name, decode(content, name)[0])
    except CommandError as error:
        yield _Item(name, name, error)


def _items_of_note(name: str, text: str) -> Iterator[_Item]:
    for number, claim in claims_of_note(text):
        yield _Item(f"{name}, line {number}", f"{name}:{number}", claim, number)


def _items_of_json(name: str, text: str) -> Iterator[_Item]:
    value = parse_json(text, name)
    for number, item in enumerate(value if isinstance(value, list) else [value], start=1):
        yield _Item(f"{name}: item {number}", f"{name}#{number}", item, is_json=True)


def _items_of_table(name: str, text: str) -> Iterator[_Item]:
    columns = table_columns(text, _COLUMNS, needed="content", is_table=True)
    if columns is None:
        raise CommandError(
            f"`{name}` has no column called content, claim or text; its first line names {first_line_columns(text)}"
        )
    try:
        for line, row in column_rows(text, name, columns):
            fields = {key: cell for key, cell in row.items() if cell.strip() or key == "content"}
            yield _Item(f"{name}, line {line}", f"{name}:{line}", fields, line, is_json=True)
    except SourceDataError as error:
        raise CommandError(str(error)) from None


_WHOLE: dict[str, Callable[[str, str], Iterator[_Item]]] = {
    "markdown": _items_of_note,
    "json": _items_of_json,
    "csv": _items_of_table,
}


def _format_of(path: str, content: bytes) -> ClaimsFormat:
    """Return the format of the content, or of the suffix if the content shows none."""
    text = content.decode("utf-8", "replace")
    if json_kind(text) is not None:
        # A list or an object on several lines is one value; errors in JSON lines name their line.
        return "json" if "\n" in text.strip() and is_json(text) else "jsonl"
    by_suffix = _BY_SUFFIX.get(Path(path).suffix.lower())
    if by_suffix is None and table_columns(text, _COLUMNS, needed="content") is not None:
        return "csv"
    return by_suffix or "text"


def _offer(item: _Item, defaults: ClaimDefaults, recall: Recall | None) -> Offer:
    """
    Return the claim of *item*.

    Raises:
        CommandError: It is not a claim. The message names its location, never its text.
    """
    content = item.content
    if isinstance(content, CommandError):
        raise content
    if isinstance(content, bytes):
        text = decode(content, item.where)[0].strip()
        content = parse_json(text, item.where, of_line=True) if item.is_json else text
    fields = _fields(content, item.where) if item.is_json else {"content": content}
    id_ = id_of(fields, item.where)
    claim = _claim(item.where, fields, defaults, recall)
    return Offer(claim, name=item.name, id=id_, line=item.line)


def _fields(value: object, where: str) -> Mapping[str, Any]:
    """Return the fields of an item; a str is the content of a claim."""
    if isinstance(value, str):
        return {"content": value}
    if not isinstance(value, dict):
        raise CommandError(f'{where}: must be a str or an object with "content", got {type_name(value)}')
    if "content" not in value:
        raise CommandError(f'{where}: has no "content"')
    return value


def _claim(where: str, fields: Mapping[str, Any], defaults: ClaimDefaults, recall: Recall | None = None) -> MemoryClaim:
    """Return the claim with these fields; errors do not contain its text."""
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
        # The errors of a claim do not contain its text.
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
        # Python reads NaN and Infinity, but JSON has neither and no store keeps them.
        raise CommandError(f'{where}: "metadata" holds NaN or Infinity') from None
    return value


def _parents(where: str, value: object, user: str, recall: Recall | None) -> dict[str, EvidenceObject]:
    if value is None:
        return {}
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise CommandError(f'{where}: "parents" must be a list of the ids of memories')
    if recall is None:
        raise CommandError(f'{where}: "parents" requires --database, the store with their evidence')
    try:
        return {each: recall(each, user) for each in value}
    except MemoryNotFoundError:
        raise CommandError(f'{where}: "parents" names a memory that does not belong to the user') from None


def claims_of_note(text: str) -> Iterator[tuple[int, str]]:
    """
    Yield the line number, from 1, and the text of each paragraph, including lists and block quotes.

    Headings, code, HTML, front matter and link targets are skipped. A paragraph becomes
    one line without list markers; the markup of links and emphasis stays. Where lists and
    block quotes are nested too deeply to be read, each line is a paragraph.
    """
    # Blank these parts out, so that lines keep their numbers.
    body = _FRONT_MATTER.sub(lambda head: _NOT_LINE_END.sub("", head[0]), text, count=1)
    ends = [line.end() for line in LINE_END.finditer(body)]
    prose = Prose(body)
    for block in prose.blocks:
        lines = prose.text[block.start : block.end].split("\n")
        if block.kind == "paragraph":
            lines = [" ".join(lines)]
        elif block.kind:
            continue
        offset = block.start
        for line in lines:
            if block.kind or (any(map(str.isalnum, line)) and not _DEFINITION.fullmatch(line)):
                yield 1 + bisect_right(ends, prose.original(offset, offset + 1)[0]), line
            offset += len(line) + 1
