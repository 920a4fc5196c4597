"""Sources of `groundwire check`: files, folders and patterns, and documents among them."""

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.app import CommandError, warn
from groundwire.cli.inputs import STDIN, check_exists, error_reason
from groundwire.files import list_folder

if TYPE_CHECKING:
    from groundwire.report import TranscriptFile

__all__ = ["read_document_file", "source_paths"]

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
    # Path.glob takes no pattern with a root.
    return sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207


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


def read_document_file(content: bytes, name: str) -> "TranscriptFile":
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
