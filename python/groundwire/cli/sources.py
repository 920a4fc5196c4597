"""Sources of `groundwire check`: files, folders and patterns, and documents among them."""

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.app import CommandError, warn
from groundwire.cli.inputs import STDIN, check_exists, check_text, decode, display_name, error_reason, read_bytes
from groundwire.file_kinds import DOCUMENT_KINDS, unreadable_kind
from groundwire.files import list_folder

if TYPE_CHECKING:
    from groundwire import Transcript
    from groundwire.report import TranscriptFile

__all__ = ["read_transcript_file", "source_paths"]

_MAX_FILES = 100_000


def source_paths(sources: Sequence[str]) -> list[str]:
    """
    Return the files that *sources* mean: a folder means those in it and below, a pattern those that it matches.

    Raises:
        CommandError: A folder or a pattern has no files, or a file does not exist.
    """
    return [path for source in sources for path in _paths(source)]


def _paths(source: str) -> Iterator[str]:
    if source == STDIN:
        yield source
    elif _is_folder(source):
        yield from _files_in(source)
    elif glob.has_magic(source) and not Path(source).exists():
        found = [path for path in _matching(source) if Path(path).is_file()]
        if not found:
            raise CommandError(f"no file matches `{source}`")
        yield from found
    else:
        check_exists(source)
        yield source


def _matching(pattern: str) -> list[str]:
    return sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - Path.glob takes no pattern with a root


def _is_folder(source: str) -> bool:
    try:
        return Path(source).is_dir()
    except (OSError, ValueError):
        return False


def _files_in(folder: str) -> Iterator[str]:
    try:
        listing = list_folder(folder, most=_MAX_FILES)
    except OSError as error:
        raise CommandError(f"cannot read `{folder}`: {error_reason(error)}") from None
    for skipped in listing.skipped:
        warn(f"`{folder}/{skipped.name}` is left out: {skipped.reason}")
    if not listing.files:
        raise CommandError(f"the folder `{folder}` has no files")
    for file in listing.files:
        yield str(Path(folder) / file.name)


def read_transcript_file(path: str, *, with_turns: bool) -> "TranscriptFile":
    """
    Read a transcript or a document from a file, or from standard input for `-`.

    Args:
        path: The file.
        with_turns: Whether to read turns, speakers and times in the format of
            the content; otherwise the file itself is the text.

    Raises:
        CommandError: It cannot be read, is not UTF-8, or is invalid in its format.
    """
    from hashlib import sha256

    from groundwire.report import TranscriptFile

    name = display_name(path)
    content = read_bytes(path)
    kind = unreadable_kind(content)
    if kind is not None and kind.code in DOCUMENT_KINDS:
        return _read_document(content, name)
    check_text(content, name)
    text, bom = decode(content, name)
    reading = _reading(text, path) if with_turns else None
    shown = reading.text if reading else text
    return TranscriptFile(name=name, text=shown, sha256=sha256(content).hexdigest(), bom=bom, reading=reading)


def _reading(text: str, path: str) -> "Transcript":
    """Return *text* as a transcript with turns."""
    from groundwire import read_transcript
    from groundwire.errors import TranscriptError
    from groundwire.transcripts.reader import format_of

    name = display_name(path)
    try:
        return read_transcript(text, name=name, format=format_of(text, Path(path).suffix))
    except TranscriptError as error:
        raise CommandError(f"`{name}`, {error}", hint="use --policy literal to read the file as plain text") from None


def _read_document(content: bytes, name: str) -> "TranscriptFile":
    """
    Return a document as a source, with turns where its text names speakers.

    Raises:
        CommandError: It cannot be read.
    """
    from groundwire.documents import read_document
    from groundwire.errors import DocumentError
    from groundwire.report import TranscriptFile
    from groundwire.sources import transcript_of

    try:
        document = read_document(content, name=name)
    except DocumentError as error:
        raise CommandError(f"`{name}` is {error.reason}", hint=error.hint) from None
    if pages := document.unreadable_pages:
        listed = ", ".join(map(str, pages[:10])) + (" and more" if len(pages) > 10 else "")
        warn(f"`{name}` has no text on page {listed}; `ocrmypdf` adds a text layer to scans")
    return TranscriptFile(
        name=name,
        text=document.without_running_heads(),
        sha256=document.sha256,
        reading=transcript_of(document),
        document=document,
    )
