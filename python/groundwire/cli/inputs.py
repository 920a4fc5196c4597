"""Input: files and standard input as text and as JSON, with errors in plain words."""

import codecs
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.cli.app import CommandError
from groundwire.delimited import MAX_LINE_CHARS
from groundwire.file_kinds import DOCUMENT_KINDS, unreadable_kind
from groundwire.files import read_file, read_limited
from groundwire.labels import closest

if TYPE_CHECKING:
    from groundwire import Transcript
    from groundwire.report import TranscriptFile

STDIN = "-"

_KEY_LIMIT = 60

_OTHER_ENCODINGS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    ("UTF-32", (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)),
    ("UTF-16", (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)),
)


def display_name(path: str) -> str:
    """Return *path* as messages and reports show it."""
    return "<stdin>" if path == STDIN else path


def is_file(path: str) -> bool:
    """Return whether *path* names a file; a text that is too long for a name, or holds a NUL, does not."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def check_exists(path: str) -> None:
    """
    Check that there is a file or folder called *path*.

    Raises:
        CommandError: It is missing. Suggests a similar name.
    """
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        raise CommandError(f"no file `{path}`", hint=_suggestion(path)) from None
    except (OSError, ValueError) as error:
        reason = error_reason(error) if isinstance(error, OSError) else "not the name of a file"
        raise CommandError(f"cannot read `{path}`: {reason}") from None


def check_stdin_once(paths: Sequence[str]) -> None:
    """
    Check that at most one of *paths* is standard input.

    Raises:
        CommandError: Two are; the second would find nothing left to read.
    """
    if paths.count(STDIN) > 1:
        raise CommandError("`-` stands for standard input, which can be read only once")


def read_transcript_file(path: str, *, with_turns: bool) -> "TranscriptFile":
    """
    Read a transcript or a document from a file, or from standard input for `-`.

    Args:
        path: The file.
        with_turns: Read it in the format that its content shows, with turns,
            speakers and times; if not, the file itself is the text.

    Raises:
        CommandError: It cannot be read, is not UTF-8, or broken in its format.
    """
    from hashlib import sha256

    from groundwire.report import TranscriptFile

    name = display_name(path)
    content = read_bytes(path)
    kind = unreadable_kind(content)
    if kind is not None and kind.code in DOCUMENT_KINDS:
        from groundwire.cli.sources import read_document_file

        return read_document_file(content, name)
    check_text(content, name)
    text, bom = decode(content, name)
    reading = _reading(text, path) if with_turns else None
    shown = reading.text if reading else text
    return TranscriptFile(name=name, text=shown, sha256=sha256(content).hexdigest(), bom=bom, reading=reading)


def _reading(text: str, path: str) -> "Transcript":
    """Return *text* with its turns."""
    from groundwire import read_transcript
    from groundwire.errors import TranscriptError
    from groundwire.transcripts.reader import format_of

    name = display_name(path)
    try:
        return read_transcript(text, name=name, format=format_of(text, Path(path).suffix))
    except TranscriptError as error:
        raise CommandError(f"`{name}`, {error}", hint="--policy literal takes a file as it is") from None


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
    """Return why a file cannot be read, as the second half of a message."""
    reason = error.strerror or type(error).__name__
    return f"{reason[:1].lower()}{reason[1:]}"


def read_content(path: str) -> bytes:
    """
    Return the content of a file that has to be text, or of standard input for `-`.

    Raises:
        CommandError: It cannot be read, is a document, an archive or the like, or marked as UTF-16 or UTF-32.
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
        # Here, because files that are decoded line by line would have an error in each line.
        decode(content, name)


def read_text(path: str) -> str:
    """
    Return the text of a file, or of standard input for `-`, without a byte order mark.

    Raises:
        CommandError: It cannot be read, is a document, an archive or the like, or is not UTF-8.
    """
    return decode(read_content(path), display_name(path))[0]


def decode(content: bytes, name: str) -> tuple[str, bool]:
    """
    Return *content* as text, and whether a byte order mark was dropped.

    Line ends stay as they are. Offsets in the text start after the mark.

    Raises:
        CommandError: It is not UTF-8, or holds a NUL. Names the offset of the first wrong byte
            in the file, the mark included.
    """
    bom = content.startswith(codecs.BOM_UTF8)
    mark_bytes = len(codecs.BOM_UTF8) if bom else 0
    try:
        text = content[mark_bytes:].decode("utf-8")
    except UnicodeDecodeError as error:
        offset = mark_bytes + error.start
        raise CommandError(f"`{name}` is not UTF-8: wrong byte at offset {offset}", hint=_conversion(content)) from None
    if (offset := content.find(b"\0")) >= 0:
        raise CommandError(f"`{name}` holds a NUL byte at offset {offset}, which no text has")
    return text, bom


def _conversion(content: bytes) -> str:
    """Return a hint on converting *content*, with its encoding if its first bytes show it."""
    for encoding, marks in _OTHER_ENCODINGS:
        if content.startswith(marks):
            return f"it looks like {encoding}; `iconv -f {encoding} -t UTF-8` converts it"
    return "`iconv -f ENCODING -t UTF-8` converts it"


def _suggestion(path: str) -> str | None:
    """Return a hint that names the most similar file beside the missing one."""
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
        of_line: Whether it is one line of a file, so that messages give only a column.

    Raises:
        CommandError: It is not JSON, or has more than `MAX_LINE_CHARS` characters: parsed, it takes up to twenty
            times as much memory. The message does not quote it.
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
        # The only other ValueError: Python refuses integers of thousands of digits.
        raise CommandError(f"{name}: a number has too many digits") from None


def type_name(value: object) -> str:
    """Name the type of a parsed JSON value."""
    return "null" if value is None else type(value).__name__


def quoted_key(key: str) -> str:
    """Return *key* short, printable and in double quotes."""
    from groundwire.sanitize import one_line

    return f'"{one_line(key, limit=_KEY_LIMIT)}"'
