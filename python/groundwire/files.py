"""
Reads files within a limit of bytes, and from folders only regular files inside them.

A file named by the caller may be anything readable, such as a pipe. Pipes and devices have no size, so bytes are
counted during reading. A file found in a folder was named by the author of the folder, so it must be a regular file
inside the folder after all links are resolved. `FolderFile.open` reaches it from the folder without following links, so
that replacing a file by a link after the folder was listed has no effect.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BufferedReader
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

__all__ = [
    "LIMIT_VARIABLE",
    "MAX_FILE_BYTES",
    "MAX_SETTINGS_BYTES",
    "MAX_STREAM_BYTES",
    "FolderFile",
    "FolderListing",
    "Skipped",
    "check_total",
    "file_limit",
    "find_below",
    "list_folder",
    "open_regular",
    "read_file",
    "read_limited",
]

LIMIT_VARIABLE = "GROUNDWIRE_MAX_FILE_BYTES"
"""The environment variable that replaces both limits below: a whole number of bytes, at least 1."""

MAX_FILE_BYTES = 256 << 20
"""Maximum size of a file read as a whole; text, normalised copy and index take about ten times as much memory."""

MAX_STREAM_BYTES = 1 << 30
"""Maximum size of a file read piece by piece, unless the variable sets another limit."""

MAX_SETTINGS_BYTES = 1 << 20
"""Maximum size of a file of settings, such as a prompt or a table of rules."""

_PIECE_BYTES = 1 << 20
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
# Without O_NONBLOCK, opening a pipe waits for a writer. O_NOCTTY prevents a terminal from becoming the controlling one.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NO_LINKS
# Windows cannot open a file relative to a folder's descriptor.
_WALKS = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def file_limit(default: int = MAX_FILE_BYTES) -> int:
    """
    Return the limit of `GROUNDWIRE_MAX_FILE_BYTES`, in bytes; *default* if it is not set.

    Raises:
        OSError: The variable is not a whole number of at least 1.
    """
    value = os.environ.get(LIMIT_VARIABLE)
    if not value:
        return default
    if not (value.isascii() and value.isdecimal() and len(value) < 20 and int(value)):
        raise OSError(errno.EINVAL, f"{LIMIT_VARIABLE} must be a whole number of bytes, at least 1")
    return int(value)


def check_total(read: int, limit: int, name: str) -> None:
    """
    Check that no more than *limit* bytes were read.

    Raises:
        OSError: More bytes were read (`errno.EFBIG`). The message has *name* and the limit.
    """
    if read > limit:
        raise OSError(errno.EFBIG, f"more than {limit:,} bytes, the limit; {LIMIT_VARIABLE} sets another", name)


def read_limited(file: BinaryIO, name: str, limit: int | None = None) -> bytes:
    """
    Return the rest of an open file.

    Args:
        file: The file; a pipe or a device is read until it ends or the limit is reached.
        name: Name of the file in errors.
        limit: Maximum number of bytes; None for `file_limit()`.

    Raises:
        OSError: The file has more bytes, or cannot be read.
    """
    limit = file_limit() if limit is None else limit
    size = _size_of(file)
    check_total(size, limit, name)
    # Reads one byte more than the size, so that the end shows without a second buffer.
    pieces = [file.read(min(size or _PIECE_BYTES, limit) + 1)]
    read = len(pieces[0])
    while pieces[-1]:
        check_total(read, limit, name)
        pieces.append(file.read(_PIECE_BYTES))
        read += len(pieces[-1])
    return pieces[0] if len(pieces) == 2 else b"".join(pieces)


def _size_of(file: BinaryIO) -> int:
    """Return the size of a regular file; 0 for others, which have no size."""
    try:
        found = os.fstat(file.fileno())
    except (OSError, AttributeError):
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def read_file(path: str | os.PathLike[str], limit: int | None = None) -> bytes:
    """
    Return the content of a file named by the caller, which may be a pipe.

    Raises:
        OSError: The file has more than *limit* bytes, by default `file_limit()`, or cannot be read.
    """
    with Path(path).open("rb") as file:
        return read_limited(file, os.fspath(path), limit)


def open_regular(path: str | os.PathLike[str]) -> BufferedReader:
    """
    Open a regular file for reading, following links, without waiting for the writer of a pipe.

    Raises:
        OSError: The file is not a regular one, or cannot be read.
    """
    name = os.fspath(path)
    _check_regular(Path(path).stat(), name)
    return _opened(os.open(path, _FLAGS), name)


def _check_regular(found: os.stat_result, name: str) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, f"not a regular file but {_kind(found)}", name)


def _kind(found: os.stat_result) -> str:
    if stat.S_ISLNK(found.st_mode):
        return "a link"
    return next((words for is_kind, words in _KINDS if is_kind(found.st_mode)), "something else")


def _opened(descriptor: int, name: str) -> BufferedReader:
    """Return the open file of a descriptor, after checking that it is still a regular file."""
    try:
        _check_regular(os.fstat(descriptor), name)
    except OSError:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


@dataclass(frozen=True, slots=True)
class FolderFile:
    """
    Represents a regular file in a folder.

    Attributes:
        folder: The folder, with its own links resolved.
        parts: Path from the folder, with all links resolved.
        name: Path from the folder as it was found, with `/`.
    """

    folder: Path
    parts: tuple[str, ...]
    name: str

    @property
    def suffix(self) -> str:
        """Return the suffix of the name in lower case."""
        return PurePosixPath(self.name).suffix.lower()

    @property
    def path(self) -> Path:
        """Return the path for display; use `open` to read the file."""
        return self.folder.joinpath(*self.parts)

    def open(self) -> BufferedReader:
        """
        Open the file for reading.

        Raises:
            OSError: The path no longer leads to a regular file, or it cannot be read. The error has `name`.
        """
        try:
            return self._open_below() if _WALKS else open_regular(self.path)
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from None

    def _open_below(self) -> BufferedReader:
        with _descriptor(self.folder, None) as top, _descend(top, self.parts[:-1]) as parent:
            last = self.parts[-1]
            # Opening a device may have side effects, so its type is checked first.
            _check_regular(os.stat(last, dir_fd=parent, follow_symlinks=False), self.name)
            return _opened(os.open(last, _FLAGS | _NO_LINKS, dir_fd=parent), self.name)


@contextmanager
def _descriptor(folder: str | Path, parent: int | None) -> Iterator[int]:
    descriptor = os.open(folder, _FOLDER_FLAGS, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _descend(top: int, parts: tuple[str, ...]) -> Iterator[int]:
    """Open a path below an open folder without following links, with at most two open descriptors."""
    here = os.dup(top)
    try:
        for part in parts:
            below = os.open(part, _FOLDER_FLAGS, dir_fd=here)
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)


class Skipped(NamedTuple):
    """Holds an entry of a folder that is not read: its path and a short reason."""

    name: str
    reason: str


class FolderListing(NamedTuple):
    """Holds the regular files of a folder, each folder before its subfolders, and the skipped entries."""

    files: list[FolderFile]
    skipped: list[Skipped]


def list_folder(folder: str | os.PathLike[str], *, recursive: bool = True, most: int | None = None) -> FolderListing:
    """
    Return the regular files in *folder*, sorted by name; names that begin with a dot are ignored.

    A link to a file in the same folder or below counts as that file. Other links, links to folders, pipes, sockets and
    devices are skipped, and so is a folder that cannot be listed. A hard link is a regular file, because it cannot be
    distinguished from the original.

    Args:
        folder: The folder, which may be a link.
        recursive: Whether to list subfolders.
        most: Maximum number of entries; the rest is skipped.

    Raises:
        OSError: *folder* itself cannot be listed.
    """
    root = Path(folder).resolve(strict=True)
    listing = FolderListing([], [])
    waiting: list[tuple[str, ...]] = [()]
    room = most
    while waiting:
        parts = waiting.pop()
        try:
            entries = _entries(root, parts, room)
        except OSError as error:
            if not parts:
                raise
            listing.skipped.append(Skipped("/".join(parts), f"cannot be listed: {(error.strerror or '').lower()}"))
            continue
        if room is not None and len(entries) > room:
            listing.skipped.append(Skipped("/".join(parts) or ".", f"more than {most:,} entries"))
            entries, waiting, recursive = entries[:room], [], False
        room = None if room is None else room - len(entries)
        below = [(*parts, entry.name) for entry in entries if _file_or_folder(root, parts, entry, listing)]
        if recursive:
            waiting += reversed(below)
        else:
            listing.skipped.extend(Skipped("/".join(each), "a folder") for each in below)
    return listing


def find_below(folder: str | os.PathLike[str], name: str) -> FolderFile:
    """
    Return the file that *name* names in *folder*; all links are resolved, and none may lead out.

    Raises:
        OSError: There is no such file (`FileNotFoundError`), or it is outside of the folder (`PermissionError`).
    """
    root = Path(folder).resolve(strict=True)
    try:
        found = (root / name).resolve(strict=True)
    except (RuntimeError, ValueError):
        # A loop of links, until Python 3.12; a name with a null character.
        raise FileNotFoundError(errno.ENOENT, "no such file", name) from None
    if found == root or not found.is_relative_to(root):
        raise PermissionError(errno.EACCES, "a path out of the folder", name)
    return FolderFile(root, found.relative_to(root).parts, name)


def _entries(root: Path, parts: tuple[str, ...], room: int | None) -> "list[os.DirEntry[str]]":
    """Return the entries of one folder by name, at most *room* + 1."""
    with os.scandir(root.joinpath(*parts)) as entries:
        seen = (entry for entry in entries if not entry.name.startswith("."))
        return sorted(islice(seen, None if room is None else room + 1), key=lambda entry: entry.name)


def _file_or_folder(root: Path, parts: tuple[str, ...], entry: "os.DirEntry[str]", listing: FolderListing) -> bool:
    """Add an entry to the files or the skipped entries; return True for a folder, which is added to neither."""
    place = (*parts, entry.name)
    name = "/".join(place)
    try:
        if entry.is_symlink():
            target = _target(root, entry)
            if isinstance(target, str):
                listing.skipped.append(Skipped(name, target))
            else:
                listing.files.append(FolderFile(root, target, name))
        elif entry.is_dir(follow_symlinks=False):
            return True
        elif entry.is_file(follow_symlinks=False):
            listing.files.append(FolderFile(root, place, name))
        else:
            listing.skipped.append(Skipped(name, _kind(entry.stat(follow_symlinks=False))))
    except OSError as error:
        listing.skipped.append(Skipped(name, (error.strerror or type(error).__name__).lower()))
    return False


def _target(root: Path, link: "os.DirEntry[str]") -> tuple[str, ...] | str:
    """Return the path from *root* to the target of a link, or a str with the reason to skip it."""
    target = None
    # Until Python 3.12, a loop raises a RuntimeError.
    with suppress(OSError, RuntimeError, ValueError):
        target = Path(link.path).resolve(strict=True)
    if target is None:
        return "a link to nothing, or in a loop"
    if not target.is_relative_to(root):
        return "a link out of the folder"
    found = target.stat()
    return target.relative_to(root).parts if stat.S_ISREG(found.st_mode) else f"a link to {_kind(found)}"
