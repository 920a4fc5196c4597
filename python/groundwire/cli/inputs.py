"""Reads files and standard input as text and as JSON, with errors for people."""

import codecs
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from groundwire.cli.app import CommandError
from groundwire.delimited import MAX_LINE_CHARS
from groundwire.file_kinds import unreadable_kind
from groundwire.files import read_file, read_limited
from groundwire.labels import closest

STDIN = "-"

_KEY_LIMIT = 60

_OTHER_ENCODINGS = (
    # UTF-32 first: its little-endian mark begins with the mark of UTF-16.
    ("UTF-32", (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)),
    ("UTF-16", (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)),
)


def display_name(path: str) -> str:
    """Return *path* as messages and reports show it."""
    return "<stdin>" if path == STDIN else path


def is_file(path: str) -> bool:
    """Return whether *path* names a file; a text with a NUL, or too long for a name, does not."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def check_exists(path: str) -> None:
    """
    Check that there is a file or folder called *path*.

    Raises:
        CommandError: It is missing. The hint suggests a similar name.
    """
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        raise CommandError(f"no file `{path}`", hint=_suggestion(path)) from None
    except (OSError, ValueError) as error:
        reason = error_reason(error) if isinstance(error, OSError) else "not a valid file name"
        raise CommandError(f"cannot read `{path}`: {reason}") from None


def check_stdin_once(paths: Sequence[str]) -> None:
    """
    Check that at most one of *paths* is standard input.

    Raises:
        CommandError: Two of them are. Standard input can be read only once.
    """
    if paths.count(STDIN) > 1:
        raise CommandError("standard input (`-`) can be read only once")


def read_bytes(path: str) -> bytes:
    """
    Return the content of the file, or of standard input for `-`.

    Raises:
        CommandError: It is missing, a directory, unreadable or larger than `file_limit`.
    """
    if path == STDIN and sys.stdin is None:
        raise CommandError("cannot read `<stdin>`: it is closed")
    try:
        return read_limited(sys.stdin.buffer, display_name(path)) if path == STDIN else read_file(path)
    except (FileNotFoundError, NotADirectoryError):
        raise CommandError(f"no file `{path}`", hint=_suggestion(path)) from None
    except IsADirectoryError:
        raise CommandError(f"`{path}` is a directory, not a file") from None
    except OSError as error:
        raise CommandError(f"cannot read `{display_name(path)}`: {error_reason(error)}") from None


def error_reason(error: OSError) -> str:
    """Return the reason why a file cannot be read, for the end of a message."""
    reason = error.strerror or type(error).__name__
    return f"{reason[:1].lower()}{reason[1:]}"


def read_content(path: str) -> bytes:
    """
    Return the content of a text file, or of standard input for `-`.

    Raises:
        CommandError: It cannot be read, is no text (a document or an archive), or is marked as UTF-16 or UTF-32.
    """
    content = read_bytes(path)
    check_text(content, display_name(path))
    return content


def check_text(content: bytes, name: str) -> None:
    """
    Check that *content* is text.

    Raises:
        CommandError: It is a document, an archive or the like, or marked as UTF-16 or UTF-32.
    """
    kind = unreadable_kind(content)
    if kind is not None:
        raise CommandError(f"`{name}` looks like {kind.words}", hint=kind.hint)
    if any(content.startswith(marks) for _, marks in _OTHER_ENCODINGS):
        # Checked here, because a file that is decoded line by line would report an error for each line.
        decode(content, name)


def read_text(path: str) -> str:
    """
    Return the text of a file, or of standard input for `-`, without a byte order mark.

    Raises:
        CommandError: It cannot be read, is no text (a document or an archive), or is not UTF-8.
    """
    return decode(read_content(path), display_name(path))[0]


def decode(content: bytes, name: str) -> tuple[str, bool]:
    """
    Return *content* as text, and whether a byte order mark was dropped.

    Line ends stay as they are. Offsets in the text start after the mark.

    Raises:
        CommandError: It is not UTF-8, or contains a NUL. The message gives the offset of the
            first invalid byte in the file, including the mark.
    """
    bom = content.startswith(codecs.BOM_UTF8)
    mark_bytes = len(codecs.BOM_UTF8) if bom else 0
    try:
        text = content[mark_bytes:].decode("utf-8")
    except UnicodeDecodeError as error:
        offset = mark_bytes + error.start
        raise CommandError(
            f"`{name}` is not UTF-8: invalid byte at offset {offset}", hint=_conversion(content)
        ) from None
    if (offset := content.find(b"\0")) >= 0:
        raise CommandError(f"`{name}` is not text: NUL byte at offset {offset}")
    return text, bom


def _conversion(content: bytes) -> str:
    """Return a hint on how to convert *content*, with its encoding if the first bytes show it."""
    for encoding, marks in _OTHER_ENCODINGS:
        if content.startswith(marks):
            return f"it looks like {encoding}; convert it with `iconv -f {encoding} -t UTF-8`"
    return "convert it with `iconv -f ENCODING -t UTF-8`"


def _suggestion(path: str) -> str | None:
    """Return a hint with the most similar file name in the folder of a missing file."""
    wanted = Path(path)
    try:
        beside = [path.name for path in wanted.parent.iterdir()]
    except OSError:
        return f"there is no directory `{wanted.parent}` either"
    guess = closest(wanted.name, beside)
    return f"did you mean `{wanted.with_name(guess)}`?" if guess else None


def parse_json(text: str, name: str, *, of_line: bool = False) -> object:
    """
    Parse JSON; a repeated key in an object is an error.

    Args:
        text: The JSON.
        name: Its name in messages.
        of_line: Whether it is one line of a file, so that messages give only the column.

    Raises:
        CommandError: It is not JSON, or has more than `MAX_LINE_CHARS` characters, because parsing takes up to
            twenty times as much memory. The message does not quote it.
    """
    if len(text) > MAX_LINE_CHARS:
        raise CommandError(f"{name}: a JSON value has more than {MAX_LINE_CHARS:,} characters")

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
        raise CommandError(f"{name}: invalid JSON at {position}: {error.msg[:1].lower()}{error.msg[1:]}") from None
    except RecursionError:
        raise CommandError(f"{name}: JSON is nested too deeply") from None
    except ValueError:
        # The only other ValueError comes from integers with thousands of digits.
        raise CommandError(f"{name}: a number has too many digits") from None


def str_of(fields: Mapping[str, Any], key: str, where: str) -> str | None:
    """
    Return the str under *key*, or None.

    Raises:
        CommandError: The value has another type.
    """
    value = fields.get(key)
    if not isinstance(value, str | None):
        raise CommandError(f'{where}: "{key}" must be a str, got {type_name(value)}')
    return value


def id_of(fields: Mapping[str, Any], where: str) -> str | None:
    """
    Return the id of an item, a str or an int, as a str, or None.

    Raises:
        CommandError: The value has another type.
    """
    value = fields.get("id")
    if not isinstance(value, str | int | None) or isinstance(value, bool):
        raise CommandError(f'{where}: "id" must be a str or an int, got {type_name(value)}')
    return None if value is None else str(value)


def type_name(value: object) -> str:
    """Return the name of the type of a parsed JSON value."""
    return "null" if value is None else type(value).__name__


def quoted_key(key: str) -> str:
    """Return *key* shortened, printable and in double quotes."""
    from groundwire.sanitize import one_line

    return f'"{one_line(key, limit=_KEY_LIMIT)}"'
