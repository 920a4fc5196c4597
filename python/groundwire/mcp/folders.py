"""Reads sources from the folders that an agent may read, and from nowhere else."""

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from groundwire.documents import read_document
from groundwire.errors import DocumentError, TranscriptError
from groundwire.file_kinds import DOCUMENT_KINDS, unreadable_kind
from groundwire.files import FolderFile, find_below, list_folder, read_limited
from groundwire.report import TranscriptFile
from groundwire.sources import transcript_of
from groundwire.transcripts.reader import format_of, read_transcript

__all__ = ["SourceFolders", "SourceReadError"]

_MAX_LISTED_FILES = 1_000
_MAX_KEPT = 50


class SourceReadError(ValueError):
    """Raised for a source that cannot be read. The message names the path as the agent gave it, and no content."""


class SourceFolders:
    """
    Reads transcripts and documents below one or more folders.

    A path is relative to a folder; with several folders, it begins with the name of the folder. Links that lead out of
    the folder are refused. Sources that were read last are kept until their files change.

    Args:
        folders: The folders.
        max_bytes: Maximum size of a file.

    Raises:
        ValueError: There are no folders, or two have the same name.
        OSError: A folder does not exist.
    """

    def __init__(self, folders: Sequence[str | Path], *, max_bytes: int) -> None:
        resolved = [Path(folder).resolve() for folder in folders]
        for folder in resolved:
            if not folder.is_dir():
                raise NotADirectoryError(f"`{folder}` is not a folder")
        self._folders = {folder.name: folder for folder in resolved}
        if not resolved or len(self._folders) < len(resolved):
            raise ValueError("there must be at least one folder, and folders must have different names")
        self._max_bytes = max_bytes
        self._kept: OrderedDict[tuple[str, str], TranscriptFile] = OrderedDict()

    def paths(self) -> tuple[list[str], list[str]]:
        """
        Return the paths of all files, at most 1,000 for each folder; and what is left out, with the reason.

        Raises:
            SourceReadError: A folder cannot be read.
        """
        paths: list[str] = []
        left_out: list[str] = []
        for name, folder in self._folders.items():
            try:
                listing = list_folder(folder, most=_MAX_LISTED_FILES)
            except OSError as error:
                raise SourceReadError(f"cannot list the files: {error.strerror}") from None
            above = "" if len(self._folders) == 1 else f"{name}/"
            paths += [f"{above}{file.name}" for file in listing.files]
            left_out += [f"{above}{skipped.name}: {skipped.reason}" for skipped in listing.skipped]
        return paths, left_out

    def read(self, path: str) -> TranscriptFile:
        """
        Return the source at *path*, with turns where its text names speakers.

        Raises:
            SourceReadError: There is no such file in the folders, or it cannot be read.
        """
        try:
            with self._find(path).open() as file:
                content = read_limited(file, "the file", self._max_bytes)
        except FileNotFoundError:
            raise SourceReadError(f"`{path}` does not exist; list_sources returns the paths of all sources") from None
        except PermissionError:
            raise SourceReadError(f"`{path}` is outside of the folders, or not readable") from None
        except OSError as error:
            raise SourceReadError(f"`{path}` cannot be read: {error.strerror}") from None
        digest = sha256(content).hexdigest()
        source = self._kept.pop((path, digest), None) or _source(content, path, digest)
        self._kept[path, digest] = source
        if len(self._kept) > _MAX_KEPT:
            self._kept.popitem(last=False)
        return source

    def _find(self, path: str) -> FolderFile:
        if len(self._folders) == 1:
            [folder] = self._folders.values()
            return find_below(folder, path)
        name, _, rest = path.partition("/")
        if name not in self._folders or not rest:
            raise FileNotFoundError
        return find_below(self._folders[name], rest)


def _source(content: bytes, path: str, digest: str) -> TranscriptFile:
    """Return a document, or a transcript or plain text in UTF-8."""
    kind = unreadable_kind(content)
    if kind is not None and kind.code in DOCUMENT_KINDS:
        try:
            document = read_document(content, name=path)
        except DocumentError as error:
            raise SourceReadError(f"`{path}` is {error.reason}") from None
        reading, text = transcript_of(document), document.without_running_heads()
        return TranscriptFile(name=path, text=text, sha256=digest, reading=reading, document=document)
    if kind is not None:
        raise SourceReadError(f"`{path}` looks like {kind.words}; {kind.hint}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceReadError(f"`{path}` is not UTF-8: invalid byte at offset {error.start}") from None
    try:
        reading = read_transcript(text, name=path, format=format_of(text, Path(path).suffix))
    except TranscriptError as error:
        raise SourceReadError(f"`{path}`, {error}") from None
    return TranscriptFile(name=path, text=reading.text, sha256=digest, reading=reading)
